//! Budgets: every operation that takes one stops when it ends and says which operation it was, and pairs
//! of pieces spend steps. Steps are counted here, no time is measured.
use loopwright_presburger::*;

/// A union of `n` boxes that overlap their neighbours.
fn boxes(n: usize) -> Set {
    let piece = |k: usize| format!("[i, j] : {k} <= i <= {k} + n and 3i <= 2j <= 3i + {k} + 4");
    let pieces: Vec<String> = (0..n).map(piece).collect();
    Set::parse(&format!("[n] -> {{ {} }}", pieces.join("; "))).unwrap()
}

/// The relation to the point one step further, from each of `n` boxes.
fn steps(n: usize) -> Map {
    let piece = |k: usize| format!("[i, j] -> [i + 1, j + {k}] : {k} <= i <= {k} + n and 5j <= 2i");
    let pieces: Vec<String> = (0..n).map(piece).collect();
    Map::parse(&format!("[n] -> {{ {} }}", pieces.join("; "))).unwrap()
}

type Operation = Box<dyn Fn(&Budget) -> Result<()>>;

/// An operation by its name; the result is dropped.
macro_rules! operations {
    ($($value:ident.$name:ident($($operand:expr),*);)*) => {
        vec![$((stringify!($name), {
            let value = $value.clone();
            Box::new(move |b: &Budget| value.$name($($operand,)* b).map(|_| ())) as Operation
        })),*]
    };
}

fn on_sets() -> Vec<(&'static str, Operation)> {
    let set = boxes(6);
    operations! {
        set.intersect_within(&boxes(5));
        set.product_within(&boxes(5));
        set.apply_within(&steps(4));
        set.subtract(&boxes(3));
        set.complement();
        set.is_disjoint(&boxes(3));
        set.gist(&boxes(3).apply(&steps(2)).unwrap());
        set.coalesce();
        set.make_disjoint();
        set.remove_redundancies();
        set.detect_equalities();
        set.convex_hull();
        set.polyhedral_hull();
        set.simple_hull();
        set.lexmin();
        set.lexmax();
        set.lexmin_pw_multi_aff();
    }
}

fn on_maps() -> Vec<(&'static str, Operation)> {
    let map = steps(5);
    operations! {
        map.intersect_within(&steps(3));
        map.intersect_domain_within(&boxes(3));
        map.intersect_range_within(&boxes(3));
        map.apply_range_within(&steps(3));
        map.apply_domain_within(&steps(3));
        map.range_product_within(&steps(3));
        map.domain_product_within(&steps(3));
        map.product_within(&steps(3));
        map.flat_product_within(&steps(3));
        map.subtract(&steps(2));
        map.subtract_domain(&boxes(2));
        map.is_injective();
        map.coalesce();
        map.lexmin();
        map.transitive_closure();
        map.fixed_power(3);
    }
}

/// The steps that an operation takes.
fn work(operation: &Operation) -> u64 {
    let budget = Budget::unlimited();
    operation(&budget).unwrap();
    budget.used()
}

/// What is wrong with the errors of an operation, if anything.
fn complaint(name: &str, operation: &Operation) -> Option<String> {
    let needed = work(operation);
    if needed == 0 {
        return Some(format!("{name} spends nothing"));
    }
    let plain_name = name.trim_end_matches("_within");
    let wrong = |limit: u64| match operation(&Budget::steps(limit)) {
        Err(Error::Exceeded { operation, steps, .. }) => {
            let is_right = operation == plain_name && steps > limit;
            (!is_right).then(|| format!("{name} calls itself {operation} after {steps} steps"))
        }
        other => Some(format!("{name} with {limit} of {needed} steps: {other:?}")),
    };
    wrong(0).or_else(|| wrong(needed / 2))
}

#[test]
fn every_operation_stops_and_names_itself() {
    let complaints: Vec<String> =
        on_sets().into_iter().filter_map(|(name, o)| complaint(name, &o)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What a union goes through is told.
#[test]
fn errors_tell_how_far_an_operation_came() {
    let (a, b) = (boxes(40), boxes(40));
    let half = Budget::unlimited();
    let _ = a.intersect_within(&b, &half).unwrap();
    let error = a.intersect_within(&b, &Budget::steps(half.used() / 2)).unwrap_err();
    let Error::Exceeded { reached: Some(reached), .. } = &error else { panic!("{error}") };
    assert_eq!(reached.total, 40);
    assert!((10..=30).contains(&reached.done), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("the budget ran out in intersect, with "), "{text}");
}

/// Twice the pairs are twice the steps.
#[test]
fn pairs_of_pieces_spend_steps() {
    let spent = |n: usize| {
        let budget = Budget::unlimited();
        let _ = boxes(n).product_within(&boxes(10), &budget).unwrap();
        budget.used()
    };
    let ratio = spent(40) as f64 / spent(20) as f64;
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
}

/// An operation without a budget is limited all the same.
#[test]
fn operations_without_budget_are_limited() {
    let many = boxes(2000);
    assert!(matches!(many.product(&many), Err(Error::Exceeded { operation: "product", .. })));
}

/// A moment that is over ends an operation after a few thousand steps.
#[test]
fn a_deadline_ends_operations() {
    let over = || Budget::unlimited().until(std::time::Instant::now());
    for (name, operation) in on_sets().into_iter().chain(on_maps()) {
        let budget = over();
        if work(&operation) > 50_000 {
            assert!(operation(&budget).is_err(), "{name} goes on");
            assert!(budget.used() < 50_000, "{name} goes on for {} steps", budget.used());
        }
    }
}
