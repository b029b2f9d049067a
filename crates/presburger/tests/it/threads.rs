//! Values cross threads: eight threads that work on the same values get what one gets alone.
use loopwright_presburger::*;
use std::thread;

const N_THREADS: usize = 8;

fn require_send_and_sync<T: Send + Sync>() {}

/// Fails to compile if a type keeps something that must stay on its thread.
#[test]
fn all_values_are_send_and_sync() {
    require_send_and_sync::<Aff>();
    require_send_and_sync::<BasicMap>();
    require_send_and_sync::<BasicSet>();
    require_send_and_sync::<BoundMethod>();
    require_send_and_sync::<Budget>();
    require_send_and_sync::<Chamber>();
    require_send_and_sync::<Closure<Map>>();
    require_send_and_sync::<Cone>();
    require_send_and_sync::<Constraint>();
    require_send_and_sync::<ConstraintId>();
    require_send_and_sync::<ConstraintSet>();
    require_send_and_sync::<DimKind>();
    require_send_and_sync::<Error>();
    require_send_and_sync::<FixedBox>();
    require_send_and_sync::<FoldKind>();
    require_send_and_sync::<Format>();
    require_send_and_sync::<Generators>();
    require_send_and_sync::<Int>();
    require_send_and_sync::<LatticeTile>();
    require_send_and_sync::<LexicographicProblem>();
    require_send_and_sync::<LexicographicSnapshot>();
    require_send_and_sync::<Local>();
    require_send_and_sync::<Map>();
    require_send_and_sync::<Matrix>();
    require_send_and_sync::<Multi<Aff>>();
    require_send_and_sync::<MultiAff>();
    require_send_and_sync::<MultiPwAff>();
    require_send_and_sync::<MultiUnionPwAff>();
    require_send_and_sync::<MultiVal>();
    require_send_and_sync::<Name>();
    require_send_and_sync::<Optimum>();
    require_send_and_sync::<ParametricVertices>();
    require_send_and_sync::<Piecewise<Aff>>();
    require_send_and_sync::<PwAff>();
    require_send_and_sync::<PwMultiAff>();
    require_send_and_sync::<PwQPolynomial>();
    require_send_and_sync::<PwQPolynomialFold>();
    require_send_and_sync::<QPolynomial>();
    require_send_and_sync::<QPolynomialFold>();
    require_send_and_sync::<Rational>();
    require_send_and_sync::<RationalOptimum>();
    require_send_and_sync::<Reached>();
    require_send_and_sync::<Row>();
    require_send_and_sync::<Set>();
    require_send_and_sync::<Snapshot>();
    require_send_and_sync::<Space>();
    require_send_and_sync::<StrideInfo>();
    require_send_and_sync::<Tableau>();
    require_send_and_sync::<Tuple>();
    require_send_and_sync::<UnionMap>();
    require_send_and_sync::<UnionPiecewise<Aff>>();
    require_send_and_sync::<UnionPwAff>();
    require_send_and_sync::<UnionPwMultiAff>();
    require_send_and_sync::<UnionPwQPolynomial>();
    require_send_and_sync::<UnionPwQPolynomialFold>();
    require_send_and_sync::<UnionSet>();
    require_send_and_sync::<Value>();
    require_send_and_sync::<Vertex>();
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

/// A union of many pieces, each piece on its own thread: what an operation does piece by piece may be
/// shared out by the caller, and one budget limits all threads together.
#[test]
fn pieces_are_shared_out_to_threads() {
    let texts: Vec<String> =
        (0..24).map(|k| format!("[i, j] : {k} <= i <= n and 3i <= 2j + {k} <= 3i + 7")).collect();
    let set = Set::parse(&format!("[n] -> {{ {} }}", texts.join("; "))).expect("a set");
    let budget = Budget::steps(10_000_000);
    let pieces = set.basic_sets();
    let least = |piece: &BasicSet| Set::from_basic_set(piece.clone()).lexmin(&budget);
    let shares: Vec<&[BasicSet]> = pieces.chunks(pieces.len().div_ceil(4)).collect();
    let parts: Vec<Set> = thread::scope(|scope| {
        let run = |share: &[BasicSet]| share.iter().map(least).collect::<Result<Vec<Set>>>();
        let workers: Vec<_> = shares.iter().map(|share| scope.spawn(move || run(share))).collect();
        let found = workers.into_iter().map(|worker| worker.join().expect("no thread panics"));
        found.collect::<Result<Vec<_>>>().expect("the budget suffices").concat()
    });
    let empty = Set::empty(set.space().clone());
    let least = parts.iter().try_fold(empty, |all, part| all.union(part)).expect("one space");
    assert!(
        least.lexmin(&budget).unwrap().is_equal(&set.lexmin(&budget).unwrap(), &budget).unwrap()
    );
    assert!(budget.used() > 0);
}
