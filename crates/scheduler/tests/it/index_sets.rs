//! Index-set splitting: where it helps, where it must not do anything, and that it is legal.
use crate::support;

use crate::support::exact::violations;
use loopwright_presburger::Budget;
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scheduler::{Options, ScheduleConstraints, Scheduled, schedule, split_index_sets};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds;

/// All relations the same.
fn constraints(domain: &str, context: &str, relation: &str) -> ScheduleConstraints {
    let kinds = ["validity", "proximity", "coincidence"];
    let relations: String = kinds.map(|kind| format!("{kind}: \"{relation}\"\n")).concat();
    let text = format!("domain: \"{domain}\"\ncontext: \"{context}\"\n{relations}");
    ScheduleConstraints::parse(&text).expect("constraints")
}

/// "Polyhedral AST generation is more than scanning polyhedra", figure 11 with the dependences (62) and
/// (63).
fn figure_11() -> ScheduleConstraints {
    constraints(
        "[T, N] -> { S[t, i] : 0 <= t < T and 0 <= i < 2N }",
        "[T, N] -> { : T >= 1 and N >= 1 }",
        "[T, N] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < 2N - 1; \
         S[t, i] -> S[t + 1, i + 1 - 2N] : 0 <= t < T - 1 and i = 2N - 1; \
         S[t, i] -> S[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < 2N; \
         S[t, i] -> S[t + 1, i - 1 + 2N] : 0 <= t < T - 1 and i = 0 }",
    )
}

/// The schedule, after a check that it is legal and that its flags are true.
fn scheduled(constraints: &ScheduleConstraints, split: bool) -> Scheduled {
    let options = Options { split_index_sets: split, ..Options::tiling() };
    let found = schedule(constraints, &options, &Budget::unlimited()).expect("a schedule");
    let wrong = violations(constraints, &found.tree);
    assert!(wrong.is_empty(), "{wrong:?}\n{constraints}\n{}", found.tree);
    let problems = found.tree.check(&Budget::unlimited()).expect("small");
    assert!(problems.is_empty(), "{problems:?}\n{}", found.tree);
    found
}

fn outer_band(tree: &ScheduleTree) -> &Band {
    let Node::Band(band, _) = &tree.root else { panic!("no band outside:\n{tree}") };
    band
}

/// The number of members of the outermost band, and of outer coincident ones: without cuts, with cuts.
fn before_and_after(constraints: &ScheduleConstraints) -> [(usize, usize); 2] {
    [false, true].map(|split| {
        let found = scheduled(constraints, split);
        let band = outer_band(&found.tree);
        assert!(band.permutable);
        (band.n_members(), band.n_outer_coincident())
    })
}

fn is_cut(constraints: &ScheduleConstraints) -> bool {
    !scheduled(constraints, true).cut.is_empty()
}

#[test]
fn figure_11_gets_a_tilable_band() {
    let constraints = figure_11();
    assert_eq!(before_and_after(&constraints), [(1, 0), (2, 0)]);
    let found = scheduled(&constraints, true);
    assert_eq!(found.cut, ["S"]);
    assert_eq!(found.notes.len(), 1);
    let expected = "[T, N] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] : i < N; \
                    S[t, i] -> [(-1 + 2N + t - i)] : i >= N }]";
    assert_eq!(outer_band(&found.tree).schedule.to_string(), expected);
    support::check(&constraints, &found.tree, &[("T", 4), ("N", 3)], 6);
}

#[test]
fn fixed_and_odd_sizes_are_cut_in_the_middle() {
    for (size, sum) in [("n", "n - 1"), ("20", "19"), ("21", "20"), ("2000", "1999")] {
        let constraints = constraints(
            &format!("[T, n] -> {{ S[t, i] : 0 <= t < T and 0 <= i < {size} }}"),
            "[T, n] -> { : T >= 1 and n >= 1 }",
            &format!(
                "[T, n] -> {{ S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < {sum}; \
                 S[t, i] -> S[t + 1, 0] : 0 <= t < T - 1 and i = {sum}; \
                 S[t, i] -> S[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < {size}; \
                 S[t, i] -> S[t + 1, {sum}] : 0 <= t < T - 1 and i = 0 }}"
            ),
        );
        assert_eq!(before_and_after(&constraints), [(1, 0), (2, 0)], "size {size}");
    }
}

#[test]
fn a_stencil_that_is_periodic_in_two_dimensions_is_cut_in_both() {
    let inside = "0 <= t < T - 1 and 0 <= i < N and 0 <= j < M";
    let constraints = constraints(
        "[T, N, M] -> { S[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < M }",
        "[T, N, M] -> { : T >= 1 and N >= 1 and M >= 1 }",
        &format!(
            "[T, N, M] -> {{ S[t, i, j] -> S[t + 1, i, j] : {inside}; \
             S[t, i, j] -> S[t + 1, i + 1, j] : {inside} and i < N - 1; \
             S[t, i, j] -> S[t + 1, 0, j] : {inside} and i = N - 1; \
             S[t, i, j] -> S[t + 1, i - 1, j] : {inside} and i > 0; \
             S[t, i, j] -> S[t + 1, N - 1, j] : {inside} and i = 0; \
             S[t, i, j] -> S[t + 1, i, j + 1] : {inside} and j < M - 1; \
             S[t, i, j] -> S[t + 1, i, 0] : {inside} and j = M - 1; \
             S[t, i, j] -> S[t + 1, i, j - 1] : {inside} and j > 0; \
             S[t, i, j] -> S[t + 1, i, M - 1] : {inside} and j = 0 }}"
        ),
    );
    assert_eq!(before_and_after(&constraints), [(1, 0), (3, 0)]);
    let split = split_index_sets(&constraints, &Budget::unlimited()).expect("small");
    assert_eq!(split.expect("it is cut").constraints.domain.sets().len(), 4);
}

#[test]
fn a_dependence_that_mirrors_becomes_coincident() {
    let constraints = constraints(
        "[n] -> { S[i] : 0 <= i < n }",
        "[n] -> { : n >= 1 }",
        "[n] -> { S[i] -> S[n - 1 - i] : 0 <= i < n - 1 - i }",
    );
    assert_eq!(before_and_after(&constraints), [(1, 0), (1, 1)]);
    support::check(&constraints, &scheduled(&constraints, true).tree, &[("n", 7)], 8);
}

#[test]
fn statements_that_are_uniformly_related_are_cut_with_the_others() {
    let constraints = constraints(
        "[T, n] -> { A[t, i] : 0 <= t < T and 0 <= i < n; B[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { : T >= 1 and n >= 1 }",
        "[T, n] -> { A[t, i] -> B[t, i] : 0 <= t < T and 0 <= i < n; \
         B[t, i] -> A[t + 1, i] : 0 <= t < T - 1 and 0 <= i < n; \
         B[t, i] -> A[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < n - 1; \
         B[t, i] -> A[t + 1, 0] : 0 <= t < T - 1 and i = n - 1; \
         B[t, i] -> A[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < n; \
         B[t, i] -> A[t + 1, n - 1] : 0 <= t < T - 1 and i = 0 }",
    );
    assert_eq!(before_and_after(&constraints), [(1, 0), (2, 0)]);
    let without_ends = "[T, n] -> { A[t, i] -> B[t, i] : 0 <= t < T and 0 <= i < n; \
                        B[t, i] -> A[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < n - 1 }";
    let uniform = ScheduleConstraints {
        validity: loopwright_presburger::UnionMap::parse(without_ends).expect("a relation"),
        ..constraints
    };
    assert!(split_index_sets(&uniform, &Budget::unlimited()).expect("small").is_none());
}

/// One end of an array is copied to the other end by a statement without the dimension.
#[test]
fn ends_that_are_copied_are_found() {
    let constraints = constraints(
        "[T, n] -> { A[t, i] : 0 <= t < T and 0 <= i < n; B[t] : 0 <= t < T; C[t] : 0 <= t < T }",
        "[T, n] -> { : T >= 1 and n >= 1 }",
        "[T, n] -> { A[t, i] -> A[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < n - 1; \
         A[t, i] -> A[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < n; \
         A[t, n - 1] -> B[t] : 0 <= t < T; B[t] -> A[t + 1, 0] : 0 <= t < T - 1; \
         A[t, 0] -> C[t] : 0 <= t < T; C[t] -> A[t + 1, n - 1] : 0 <= t < T - 1 }",
    );
    assert_eq!(before_and_after(&constraints), [(1, 0), (2, 0)]);
}

#[test]
fn conditional_validity_follows_the_pieces() {
    let inside = "0 <= t < T - 1 and 0 <= i < n";
    let periodic = format!(
        "S[t, i] -> S[t + 1, i + 1] : {inside} and i < n - 1; S[t, n - 1] -> S[t + 1, 0] : {inside} \
         and i = n - 1; S[t, i] -> S[t + 1, i - 1] : {inside} and i > 0; S[t, 0] -> S[t + 1, n - 1] : \
         {inside} and i = 0"
    )
    .replace("S[t, n - 1]", "S[t, i]")
    .replace("S[t, 0]", "S[t, i]");
    let tagged = |text: &str| text.replace("S[t, i] ->", "[S[t, i] -> W[]] ->");
    let sink = tagged(&periodic)
        .replace("-> S[t + 1, i + 1]", "-> [S[t + 1, i + 1] -> R[]]")
        .replace("-> S[t + 1, i - 1]", "-> [S[t + 1, i - 1] -> R[]]")
        .replace("-> S[t + 1, 0]", "-> [S[t + 1, 0] -> R[]]")
        .replace("-> S[t + 1, n - 1]", "-> [S[t + 1, n - 1] -> R[]]");
    let text = format!(
        "domain: \"[T, n] -> {{ S[t, i] : 0 <= t < T and 0 <= i < n }}\"\n\
         context: \"[T, n] -> {{ : T >= 1 and n >= 1 }}\"\n\
         validity: \"[T, n] -> {{ {periodic} }}\"\nproximity: \"[T, n] -> {{ {periodic} }}\"\n\
         condition: \"[T, n] -> {{ {sink} }}\"\nconditional_validity: \"[T, n] -> {{ \
         [S[t, i] -> R[]] -> [S[t + 1, i] -> W[]] : {inside} }}\"\n"
    );
    let constraints = ScheduleConstraints::parse(&text).expect("constraints");
    let options = Options { split_index_sets: true, ..Options::tiling() };
    let found = schedule(&constraints, &options, &Budget::unlimited()).expect("a schedule");
    assert_eq!((found.cut.len(), outer_band(&found.tree).n_members()), (1, 2));
    support::check(&constraints, &found.tree, &[("T", 4), ("n", 5)], 6);
}

#[test]
fn nothing_is_cut_where_nothing_is_gained() {
    let context = "[T, n] -> { : T >= 1 and n >= 1 }";
    // Without periodic ends.
    assert!(!is_cut(&constraints(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        context,
        "[T, n] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < n - 1; \
         S[t, i] -> S[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < n }",
    )));
    // Each element waits for the one at the mirrored place, and for its neighbour.
    assert!(!is_cut(&constraints(
        "[n] -> { S[i] : 0 <= i < n }",
        "[n] -> { : n >= 1 }",
        "[n] -> { S[i] -> S[n - 1 - i] : 0 <= i < n - 1 - i; S[i] -> S[i + 1] : 0 <= i < n - 1 }",
    )));
    // All instances of a step before all of the next one.
    assert!(!is_cut(&constraints(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        context,
        "[T, n] -> { S[t, i] -> S[t + 1, j] : 0 <= t < T - 1 and 0 <= i < n and 0 <= j < n }",
    )));
}

#[test]
fn a_small_budget_leaves_statements_whole() {
    let constraints = figure_11();
    let splitting = Options { split_index_sets: true, ..Options::tiling() };
    for steps in [100, 1_000, 10_000, 30_000, 100_000] {
        let budget = Budget::steps(steps);
        if let Ok(found) = schedule(&constraints, &splitting, &budget) {
            assert!(violations(&constraints, &found.tree).is_empty(), "{steps} steps");
        }
    }
}

/// A stencil over a domain that is periodic in some dimensions, with random neighbours.
fn periodic_stencil(choices: &mut Choices) -> (usize, String) {
    let dims = 1 + choices.below(2);
    let names = &["i", "j"][..dims];
    let sizes: Vec<&str> = (0..dims).map(|_| ["N", "M", "2N", "12"][choices.below(4)]).collect();
    let bounds: Vec<String> =
        names.iter().zip(&sizes).map(|(name, size)| format!("0 <= {name} < {size}")).collect();
    let mut relations = Vec::new();
    for _ in 0..1 + choices.below(4) {
        // One neighbour: in each dimension inside, or across an end.
        let offsets: Vec<i64> = (0..dims).map(|_| choices.between(-2, 2)).collect();
        for across in 0..1 << dims {
            let (mut sink, mut conditions) = (Vec::new(), bounds.clone());
            for (dim, (name, size)) in names.iter().zip(&sizes).enumerate() {
                let offset = offsets[dim];
                let wraps = across >> dim & 1 == 1;
                let shift = match (wraps, offset > 0) {
                    (false, _) => String::new(),
                    (true, true) => format!(" - {size}"),
                    (true, false) => format!(" + {size}"),
                };
                sink.push(format!("{name} + {offset}{shift}"));
                conditions.push(format!("0 <= {name} + {offset}{shift} < {size}"));
            }
            let (source, sink) = (names.join(", "), sink.join(", "));
            let conditions = conditions.join(" and ");
            relations.push(format!(
                "S[t, {source}] -> S[t + 1, {sink}] : 0 <= t < T - 1 and {conditions}"
            ));
        }
    }
    let domain = format!("S[t, {}] : 0 <= t < T and {}", names.join(", "), bounds.join(" and "));
    let relation = format!("[T, N, M] -> {{ {} }}", relations.join("; "));
    let context = "[T, N, M] -> { : T >= 1 and N >= 3 and M >= 3 }";
    let kinds = ["validity", "proximity", "coincidence"];
    let text = kinds.map(|kind| format!("{kind}: \"{relation}\"\n")).concat();
    (dims, format!("domain: \"[T, N, M] -> {{ {domain} }}\"\ncontext: \"{context}\"\n{text}"))
}

#[test]
fn random_periodic_stencils_are_legal_and_tilable() {
    let mut n_cut = 0;
    for seed in seeds(0, 60) {
        let (dims, text) = periodic_stencil(&mut Choices::from_seed(seed));
        let constraints = ScheduleConstraints::parse(&text).expect("constraints");
        let found = scheduled(&constraints, true);
        let band = outer_band(&found.tree);
        assert!(
            band.permutable && band.n_members() == 1 + dims,
            "seed {seed}:\n{text}\n{}",
            found.tree
        );
        n_cut += usize::from(!found.cut.is_empty());
        support::check(&constraints, &found.tree, &[("T", 3), ("N", 3), ("M", 4)], 12);
    }
    assert!(n_cut >= 25, "only {n_cut} are cut");
}
