//! Values cross threads: eight threads that work on the same values get what one gets alone.
use loopwright_presburger::*;
use std::thread;

const N_THREADS: usize = 8;

fn require_send_and_sync<T: Send + Sync>() {}

/// Fails to compile if a type keeps something that must stay on its thread.
#[test]
fn all_values_are_send_and_sync() {
    require_send_and_sync::<Space>();
    require_send_and_sync::<BasicSet>();
    require_send_and_sync::<BasicMap>();
    require_send_and_sync::<Set>();
    require_send_and_sync::<Map>();
    require_send_and_sync::<UnionSet>();
    require_send_and_sync::<UnionMap>();
    require_send_and_sync::<Aff>();
    require_send_and_sync::<MultiAff>();
    require_send_and_sync::<PwAff>();
    require_send_and_sync::<PwMultiAff>();
    require_send_and_sync::<MultiUnionPwAff>();
    require_send_and_sync::<Error>();
}

/// The inputs, parsed once and shared by all threads.
fn inputs() -> Vec<(Map, Map)> {
    let texts = [
        (
            "[n] -> { S[i, j] -> T[k] : 0 <= i < n and 0 <= j <= i and 2k = i + j }",
            "[n] -> { S[i, j] -> T[k] : 3 <= i < n - 2 and 1 <= j <= i and k >= 2 }",
        ),
        (
            "[n, m] -> { S[i, j] -> T[k] : 0 <= i, j, k < 10 and i + j + k < n + m; S[i, i] -> T[n] }",
            "[n, m] -> { S[i, j] -> T[k] : (i + 2j) mod 3 = 1 and 4k = n - floor(m/2) }",
        ),
        (
            "{ S[i, j] -> T[k] : exists a, b: 0 <= i, j <= 20 and 3a <= i and 5b >= j and k = a + b and k <= 9 and 0 <= a <= 9 and 0 <= b <= 9 }",
            "{ S[i, j] -> T[k] : 4 <= i <= 9 and 7j = 3k + i }",
        ),
    ];
    let parse = |text: &str| Map::parse(text).expect("the text is a relation");
    texts.iter().map(|(a, b)| (parse(a), parse(b))).collect()
}

/// What one thread works out, as text.
fn work(inputs: &[(Map, Map)]) -> Result<Vec<String>> {
    let budget = Budget::unlimited();
    let mut results = Vec::new();
    for (a, b) in inputs {
        let difference = a.subtract(b, &budget)?;
        results.push(difference.coalesce(&budget)?.to_string());
        results.push(a.union(b)?.coalesce(&budget)?.to_string());
        results.push(a.lexmin(&budget)?.to_string());
        results.push(a.gist(b, &budget)?.to_string());
        results.push(a.apply_range(&b.reverse())?.domain().to_string());
        results.push(difference.is_empty(&budget)?.to_string());
        results.push(a.is_single_valued(&budget)?.to_string());
    }
    Ok(results)
}

#[test]
fn eight_threads_get_what_one_gets() {
    let inputs = inputs();
    let alone = work(&inputs).expect("nothing is limited");
    thread::scope(|scope| {
        let workers: Vec<_> = (0..N_THREADS).map(|_| scope.spawn(|| work(&inputs))).collect();
        for worker in workers {
            let result = worker.join().expect("no thread panics").expect("nothing is limited");
            assert_eq!(result, alone);
        }
    });
}

/// A value made on one thread is used and dropped on others.
#[test]
fn values_move_between_threads() {
    let budget = Budget::unlimited();
    let made = thread::spawn(|| Set::parse("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }"));
    let set = made.join().expect("no panic").expect("the text is a set");
    let copy = set.clone();
    let points = thread::spawn(move || copy.is_empty(&Budget::unlimited()));
    assert!(!points.join().expect("no panic").expect("nothing is limited"));
    assert!(!set.is_empty(&budget).expect("nothing is limited"));
}
