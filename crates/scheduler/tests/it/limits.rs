//! Work limits: what is found within them is legal, says what was given up, and the work grows with
//! the number of related statements only.

use crate::support::exact::violations;
use loopwright_presburger::{Budget, Error};
use loopwright_schedule::Node;
use loopwright_scheduler::{Algorithm, Options, ScheduleConstraints, schedule};

/// Statements with two loops, and one relation for validity, proximity and coincidence.
fn of_squares(n: usize, relation: &[String]) -> ScheduleConstraints {
    let domain: Vec<String> = (0..n).map(|k| format!("S{k}[i, j] : 0 <= i, j < N")).collect();
    let (domain, relation) = (domain.join("; "), relation.join("; "));
    let relation = format!("\"[N] -> {{ {relation} }}\"");
    let text = format!(
        "domain: \"[N] -> {{ {domain} }}\"\nvalidity: {relation}\nproximity: {relation}\n\
         coincidence: {relation}\n"
    );
    ScheduleConstraints::parse(&text).expect("constraints")
}

/// Statements with two loops in chains, each statement reading the one before.
fn chains(n: usize, length: usize) -> ScheduleConstraints {
    let mut relation: Vec<String> = Vec::new();
    for k in 0..n {
        relation.push(format!("S{k}[i, j] -> S{k}[i, j + 1] : 0 <= i < N and 0 <= j < N - 1"));
        if k % length != 0 {
            relation.push(format!("S{}[i, j] -> S{k}[i, j] : 0 <= i, j < N", k - 1));
        }
    }
    of_squares(n, &relation)
}

fn steps_for(constraints: &ScheduleConstraints) -> u64 {
    let budget = Budget::unlimited();
    let scheduled = schedule(constraints, &Options::tiling(), &budget).expect("a schedule");
    assert!(scheduled.notes.is_empty(), "{:?}", scheduled.notes);
    budget.used()
}

#[test]
fn independent_chains_cost_as_much_as_they_are_long() {
    let few = steps_for(&chains(50, 10));
    let many = steps_for(&chains(500, 10));
    assert!(many <= 11 * few, "{few} steps for 50 statements, {many} for 500");
}

/// A stencil that needs skewing, and a reduction that follows it.
const STENCIL: &str = "domain: \"[T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1; R[i] : 0 < i < N - 1 }\"\n\
    validity: \"[T, N] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 0 < i < N - 2; \
    S[t, i] -> S[t + 1, i] : 0 <= t < T - 1 and 0 < i < N - 1; \
    S[t, i] -> S[t + 1, i - 1] : 0 <= t < T - 1 and 1 < i < N - 1; \
    S[T - 1, i] -> R[i] : T > 0 and 0 < i < N - 1; R[i] -> R[i + 1] : 0 < i < N - 2 }\"\n\
    proximity: \"[T, N] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 0 < i < N - 2; \
    S[T - 1, i] -> R[i] : T > 0 and 0 < i < N - 1 }\"\n";

#[test]
fn whatever_the_limit_schedules_are_legal() {
    let constraints = ScheduleConstraints::parse(STENCIL).expect("constraints");
    let (mut with_notes, mut without, mut refused) = (0, 0, 0);
    for exponent in 0..24 {
        let budget = Budget::steps(1 << exponent);
        match schedule(&constraints, &Options::tiling(), &budget) {
            Ok(scheduled) => {
                let wrong = violations(&constraints, &scheduled.tree);
                assert!(wrong.is_empty(), "2^{exponent} steps: {wrong:?}\n{}", scheduled.tree);
                match scheduled.notes.is_empty() {
                    true => without += 1,
                    false => with_notes += 1,
                }
            }
            Err(Error::Exceeded { .. }) => refused += 1,
            Err(error) => panic!("2^{exponent} steps: {error}"),
        }
    }
    assert!(with_notes > 0 && without > 0, "{with_notes} with notes, {without} without, {refused}");
}

#[test]
fn notes_name_the_statements_and_the_reason() {
    let constraints = ScheduleConstraints::parse(STENCIL).expect("constraints");
    let given_up = (0..24).filter_map(|exponent| {
        let budget = Budget::steps(1 << exponent);
        Some(schedule(&constraints, &Options::tiling(), &budget).ok()?.notes)
    });
    let notes: Vec<_> = given_up.flatten().collect();
    assert!(notes.iter().any(|note| note.statements.iter().any(|name| name == "S")), "{notes:?}");
    let says_why = |text: &str| text.contains('(') || text.contains("the work limit was reached");
    assert!(notes.iter().all(|note| says_why(&note.message)), "{notes:?}");
}

/// Distances that are only positive for integers: `i' = i + 3k` and `2i' >= i + 3` with `i <= 4`
/// allow `i' = i - 1/2`, which no member respects.
#[test]
fn distances_between_integers_count() {
    let domain = "[n] -> { S[i, j] : 0 <= i < n and 2 <= j <= i }";
    let validity = "[n] -> { \
        S[i, j] -> S[i', 2] : (i - i') mod 3 = 0 and 0 <= i < n and 2 <= j <= i and \
            i < i' <= 3 + j and 2 <= i' < n; \
        S[i, 2] -> S[i', j'] : (i - i') mod 3 = 0 and 2 <= i <= 4 and i' < n and \
            2 <= j' <= i' and j' >= 3 + i - i' }";
    let text = format!("domain: \"{domain}\"\nvalidity: \"{validity}\"");
    let constraints = ScheduleConstraints::parse(&text).unwrap();
    let budget = Budget::steps(100_000_000);
    let scheduled = schedule(&constraints, &Options::tiling(), &budget).unwrap();
    assert_eq!(scheduled.notes, []);
    let order = scheduled.tree.precedence(&budget).unwrap();
    assert!(constraints.validity.is_subset(&order, &budget).unwrap());
}

/// A cycle of statements, each read by the next three.
fn dense_cluster(n: usize) -> ScheduleConstraints {
    let mut relation: Vec<String> = Vec::new();
    for k in 0..n {
        let near = (1..=3).filter(|distance| *distance <= k);
        relation.extend(
            near.map(|distance| format!("S{}[i, j] -> S{k}[i, j] : 0 <= i, j < N", k - distance)),
        );
    }
    let last = n - 1;
    relation.push(format!("S{last}[i, j] -> S0[i + 1, j] : 0 <= i < N - 1 and 0 <= j < N"));
    of_squares(n, &relation)
}

/// Below and above the number of nodes from which parallel ones share their coefficients.
#[test]
fn many_statements_in_a_cycle_share_a_band_without_fallback() {
    for n in [12, 63, 64, 100] {
        let constraints = dense_cluster(n);
        let budget = Budget::steps(100_000_000);
        let scheduled = schedule(&constraints, &Options::tiling(), &budget).expect("a schedule");
        assert!(scheduled.notes.is_empty(), "{n}: {:?}", scheduled.notes);
        let Node::Band(band, _) = &scheduled.tree.root else { panic!("{}", scheduled.tree) };
        let coincident: Vec<bool> = band.members.iter().map(|member| member.coincident).collect();
        assert_eq!((band.permutable, coincident), (true, vec![true, false]), "{n}");
        let wrong = violations(&constraints, &scheduled.tree);
        assert!(wrong.is_empty(), "{n}: {wrong:?}");
    }
}

/// Statements that depend on each other over many distances: in one direction along the outer loops, in both
/// along the inner ones.
fn crossing(n_statements: usize, n_distances: usize) -> ScheduleConstraints {
    let mut relation = Vec::new();
    let pairs =
        (0..n_statements * n_statements).map(|pair| (pair / n_statements, pair % n_statements));
    for ((source, sink), k) in pairs.flat_map(|pair| (0..n_distances).map(move |k| (pair, k))) {
        let (down, across) = (1 + (source + 2 * k) % 3, 1 + (3 * sink + 5 * k) % 11);
        let (from, to) = (format!("S{source}[i, j]"), format!("S{sink}"));
        let back = if (source + sink) % 2 == 0 { "" } else { "N - " };
        let place = format!("0 <= i, j < N and j >= {k}");
        relation.push(format!("{from} -> {to}[i + {down}, {back}j + {across}] : {place}"));
        relation.push(format!("{from} -> {to}[i, j + {across}] : {place}"));
    }
    of_squares(n_statements, &relation)
}

/// A Feautrier step has no variable per dependence: hundreds of them cost about as much each as a few.
#[test]
fn a_feautrier_step_grows_with_the_statements() {
    let steps = |n_distances| {
        let constraints = crossing(4, n_distances);
        let budget = Budget::unlimited();
        let options = Options { algorithm: Algorithm::Feautrier, ..Options::tiling() };
        let scheduled = schedule(&constraints, &options, &budget).expect("a schedule");
        assert!(scheduled.notes.is_empty(), "{:?}", scheduled.notes);
        budget.used()
    };
    let (few, many) = (steps(2), steps(16));
    assert!(many <= 16 * few, "{few} steps for 2 distances, {many} for 16");
}
