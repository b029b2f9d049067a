//! Chains of statements that are scheduled as one: which statements make one, and that schedules of groups
//! are legal schedules of their members, by brute force and by the exact check.
use crate::support;

use crate::support::exact::violations;
use loopwright_presburger::{Budget, DimKind, Map, Set, Space, Tuple, UnionMap};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::{
    Fuse, Grouping, Options, ScheduleConstraints, schedule_in_groups, split_index_sets,
};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds_by;

fn same_relation(domain: &str, relation: &str) -> ScheduleConstraints {
    let text = format!(
        "domain: \"{domain}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\n\
         coincidence: \"{relation}\"\n"
    );
    ScheduleConstraints::parse(&text).expect("constraints")
}

/// A loop over `i` around a sequence of statements with the given filters.
fn body(constraints: &ScheduleConstraints, row: &str, filters: &[&str]) -> ScheduleTree {
    let filters: String =
        filters.iter().map(|f| format!("    - filter: \"{{ {f} }}\"\n")).collect();
    let text = format!(
        "domain: \"{}\"\nchild:\n  schedule: \"[{{ {row} }}]\"\n  child:\n    sequence:\n{filters}",
        constraints.domain
    );
    ScheduleTree::parse(&text).expect("a tree")
}

fn chains(original: &ScheduleTree, constraints: &ScheduleConstraints) -> Grouping {
    Grouping::of_chains(original, constraints, &Budget::unlimited()).expect("small")
}

/// The schedule of the groups and that of their members, which is checked.
fn scheduled(
    constraints: &ScheduleConstraints,
    grouping: &Grouping,
    options: &Options,
) -> (ScheduleTree, ScheduleTree) {
    let budget = Budget::unlimited();
    let found = schedule_in_groups(constraints, grouping, options, &budget).expect("a schedule");
    let members = found.tree.without_expansions().expect("the same without expansions");
    assert!(members.domain.is_equal(&constraints.domain, &budget).expect("small"), "{members}");
    assert!(members.check(&budget).expect("small").is_empty(), "{members}");
    let wrong = violations(constraints, &members);
    assert!(wrong.is_empty(), "{grouping}: {wrong:?}\n{constraints}{options:?}\n{members}");
    (found.tree, members)
}

fn n_expansions(tree: &ScheduleTree) -> usize {
    let mut n = 0;
    tree.root.for_each(&mut |node| n += usize::from(matches!(node, Node::Expansion { .. })));
    n
}

/// `for (i) { A; B; C; D; }`: a value goes from A to B and D, another from C to D.
#[test]
fn chains_grow_over_unrelated_neighbours() {
    let domain =
        "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n; C[i] : 0 <= i < n; D[i] : 0 <= i < n }";
    let relation = |pairs: &str| format!("[n] -> {{ {pairs} }}");
    let row = "A[i] -> [(-i)]; B[i] -> [(-i)]; C[i] -> [(-i)]; D[i] -> [(-i)]";
    let order = ["A[i]", "B[i]", "C[i]", "D[i]"];
    let chains_of = |pairs: &str| {
        let constraints = same_relation(domain, &relation(pairs));
        chains(&body(&constraints, row, &order), &constraints).to_string()
    };
    let all = |a: &str, b: &str| format!("{a}[i] -> {b}[i] : 0 <= i < n");
    let (ab, cd, ad) = (all("A", "B"), all("C", "D"), all("A", "D"));
    assert_eq!(chains_of(&format!("{ab}; {cd}; {ad}")), "A_chain: A, B, C, D");
    assert_eq!(chains_of(&format!("{ab}; {cd}")), "A_chain: A, B; C_chain: C, D");
    assert_eq!(chains_of(&ad), "");
    // B has no neighbour yet when C and D become a group.
    assert_eq!(chains_of(&format!("{cd}; {}", all("B", "D"))), "B_chain: B, C, D");
    // Not all instances, other iterations, several iterations.
    assert_eq!(chains_of("A[i] -> B[i] : 0 < i < n"), "");
    assert_eq!(chains_of("A[i] -> B[i - 1] : 0 < i < n"), "");
    assert_eq!(chains_of("A[i] -> B[j] : 0 <= j <= i < n"), "");
}

/// Statements behind conditions stay out (T-19), and so do those that run at another depth.
#[test]
fn t_19_statements_behind_conditions_stay_out() {
    let domain = "{ A[i] : 0 <= i < 128; B[i] : i = 127; C[i] : i = 0; D[i] : 0 <= i < 128; \
                  E[i] : 0 <= i < 128; F[i, j] : 0 <= i < 128 and 0 <= j < 3 }";
    let relation = "{ A[i] -> B[i] : i = 127; A[i] -> C[i] : i = 0; A[i] -> D[i] : 0 <= i < 128; \
                    B[i] -> D[i] : i = 127; C[i] -> D[i] : i = 0; D[i] -> E[i] : 0 <= i < 128; \
                    E[i] -> F[i, j] : 0 <= i < 128 and 0 <= j < 3 }";
    let constraints = same_relation(domain, relation);
    let row = "A[i] -> [(i)]; B[i] -> [(i)]; C[i] -> [(i)]; D[i] -> [(i)]; E[i] -> [(i)]; F[i, j] -> [(i)]";
    let order = ["A[i]", "B[i]", "C[i]", "D[i]", "E[i]", "F[i, j]"];
    let grouping = chains(&body(&constraints, row, &order), &constraints);
    assert_eq!(grouping.to_string(), "D_chain: D, E");
    scheduled(&constraints, &grouping, &Options::outer_parallel());
}

/// A tag keeps its statement, so that only ends of one access are next to each other.
#[test]
fn tags_keep_their_statements() {
    let text = "domain: \"{ A[i] : 0 <= i < 9; B[i] : 0 <= i < 9; C[i] : 0 <= i < 9 }\"\n\
        validity: \"{ A[i] -> B[i] : 0 <= i < 9 }\"\nproximity: \"{ A[i] -> B[i] : 0 <= i < 9 }\"\n\
        condition: \"{ [A[i] -> R0[]] -> [B[i] -> R0[]] : 0 <= i < 9; [A[i] -> R1[]] -> C[i] : 0 <= i < 9 }\"\n\
        conditional_validity: \"{ [B[i] -> R0[]] -> [A[i + 1] -> R0[]] : 0 <= i < 8; \
        C[i] -> A[i + 1] : 0 <= i < 8; [A[i] -> R0[]] -> [B[i] -> R0[]] : 0 <= i < 9 }\"\n";
    let constraints = ScheduleConstraints::parse(text).expect("constraints");
    let row = "A[i] -> [(i)]; B[i] -> [(i)]; C[i] -> [(i)]";
    let grouping = chains(&body(&constraints, row, &["A[i]", "B[i]", "C[i]"]), &constraints);
    assert_eq!(grouping.to_string(), "A_chain: A, B");
    let budget = Budget::unlimited();
    let contracted = grouping.contract(&constraints, &budget).expect("small");
    let condition = "{ [A_chain[i] -> [A[] -> R1[]]] -> C[i] : 0 <= i < 9 }";
    let conditional = "{ [A_chain[i] -> [B[] -> R0[]]] -> [A_chain[i + 1] -> [A[] -> R0[]]] : 0 <= i < 8; \
                       C[i] -> [A_chain[i + 1] -> A[]] : 0 <= i < 8 }";
    for (found, expected) in
        [(&contracted.condition, condition), (&contracted.conditional_validity, conditional)]
    {
        let expected = UnionMap::parse(expected).expect("a relation");
        assert!(found.is_equal(&expected, &budget).expect("small"), "{found}");
    }
    assert!(contracted.validity.plain_is_empty() && contracted.proximity.plain_is_empty());
    let again = ScheduleConstraints::parse(&contracted.to_string()).expect("constraints");
    assert_eq!(again.to_string(), contracted.to_string());
}

/// Pairs that an outer schedule separates make no chain.
#[test]
fn a_prefix_comes_first() {
    let domain = "{ A[i] : 0 <= i < 9; B[i] : 0 <= i < 9; C[i] : 0 <= i < 9 }";
    let relation = "{ A[i] -> B[i] : 0 <= i < 9; B[i] -> C[i] : 0 <= i < 9 }";
    let mut constraints = same_relation(domain, relation);
    let row = "A[i] -> [(i)]; B[i] -> [(i)]; C[i] -> [(i)]";
    let original = body(&constraints, row, &["A[i]", "B[i]", "C[i]"]);
    let prefix = "[{ A[i] -> [(0)]; B[i] -> [(1)]; C[i] -> [(1)] }]";
    constraints.prefix =
        Some(loopwright_presburger::MultiUnionPwAff::parse(prefix).expect("a prefix"));
    assert_eq!(chains(&original, &constraints).to_string(), "B_chain: B, C");
    let contracted = chains(&original, &constraints)
        .contract(&constraints, &Budget::unlimited())
        .expect("small");
    assert!(contracted.validity.plain_is_empty(), "{contracted}");
}

const NUSSINOV: &str = "[n] -> { A[i, j] : 0 <= i < j < n; B[i, j] : 0 <= i < j < n; \
    C[i, j] : i >= 0 and 2 + i <= j < n; E[i, j, k] : i >= 0 and j < n and i < k < j; \
    D[i, j] : j = 1 + i and 0 <= i <= -2 + n }";

/// The constraints of nussinov with the statements one by one.
fn nussinov() -> ScheduleConstraints {
    let relation = [
        "A[i, j] -> B[i, j] : 0 <= i < j < n",
        "B[i, j] -> C[i, j] : i >= 0 and 2 + i <= j < n",
        "B[i, j] -> D[i, j] : i >= 0 and j = 1 + i and j < n",
        "C[i, j] -> E[i, j, i + 1] : i >= 0 and 2 + i <= j < n",
        "E[i, j, k] -> E[i, j, k + 1] : i >= 0 and i < k and k + 1 < j < n",
        "E[i, j, j - 1] -> A[i, j + 1] : i >= 0 and 2 + i <= j and j + 1 < n",
        "D[i, j] -> A[i, j + 1] : i >= 0 and j = i + 1 and j + 1 < n",
        "E[i, j, j - 1] -> B[i - 1, j] : i >= 1 and 2 + i <= j < n",
        "D[i, j] -> B[i - 1, j] : i >= 1 and j = i + 1 and j < n",
        "E[i, j, j - 1] -> C[i - 1, j + 1] : i >= 1 and 2 + i <= j and j + 1 < n",
        "D[i, j] -> C[i - 1, j + 1] : i >= 1 and j = i + 1 and j + 1 < n",
        "E[i, k, k - 1] -> E[i, j, k] : i >= 0 and 2 + i <= k < j < n",
        "D[i, k] -> E[i, j, k] : i >= 0 and k = i + 1 and k < j < n",
        "E[k, j, j - 1] -> E[i, j, k - 1] : 0 <= i < k - 1 and 2 + k <= j < n",
        "D[k, j] -> E[i, j, k - 1] : 0 <= i < k - 1 and j = k + 1 and j < n",
    ];
    same_relation(NUSSINOV, &format!("[n] -> {{ {} }}", relation.join("; ")))
}

/// The original order: `i` from the last row to the first, `j`, and the splits by `k`.
fn original_nussinov() -> ScheduleTree {
    let text = format!(
        "domain: \"{NUSSINOV}\"\nchild:\n  schedule: \"[{{ A[i, j] -> [(-i)]; B[i, j] -> [(-i)]; \
         C[i, j] -> [(-i)]; D[i, j] -> [(-i)]; E[i, j, k] -> [(-i)] }}, {{ A[i, j] -> [(j)]; \
         B[i, j] -> [(j)]; C[i, j] -> [(j)]; D[i, j] -> [(j)]; E[i, j, k] -> [(j)] }}]\"\n  child:\n    \
         sequence:\n    - filter: \"{{ A[i, j] }}\"\n    - filter: \"{{ B[i, j] }}\"\n    \
         - filter: \"{{ C[i, j] }}\"\n    - filter: \"{{ D[i, j] }}\"\n    - filter: \"{{ E[i, j, k] }}\"\n      \
         child:\n        schedule: \"[{{ E[i, j, k] -> [(k)] }}]\"\n"
    );
    ScheduleTree::parse(&text).expect("a tree")
}

/// The published tree with expansion nodes, with our name of the group in the place of `G_0`.
const EXPANDED_NUSSINOV: &str = r#"
domain: "[n] -> { C[i, j] : i >= 0 and 2 + i <= j < n; E[i, j, k] : i >= 0 and j < n and i < k < j; D[i, j = 1 + i] : 0 <= i <= -2 + n; A_chain[i0, i1] : i0 <= 0 and -i0 < i1 < n }"
child:
  schedule: "[n] -> [{ D[i, j] -> [(1)]; C[i, j] -> [(-i + j)]; E[i, j, k] -> [(-i + j)]; A_chain[i0, i1] -> [(i0 + i1)] }]"
  child:
    schedule: "[n] -> [{ D[i, j] -> [(j)]; C[i, j] -> [(j)]; E[i, j, k] -> [(j)]; A_chain[i0, i1] -> [(i1)] }, { D[i, j] -> [(0)]; C[i, j] -> [(0)]; E[i, j, k] -> [(k)]; A_chain[i0, i1] -> [(0)] }]"
    permutable: 1
    coincident: [ 1, 0 ]
    child:
      sequence:
      - filter: "[n] -> { A_chain[i0, i1] }"
        child:
          contraction: "[n] -> { B[i, j] -> A_chain[(-i), (j)]; A[i, j] -> A_chain[(-i), (j)] }"
          expansion: "[n] -> { A_chain[i0, i1] -> B[i = -i0, j = i1]; A_chain[i0, i1] -> A[i = -i0, j = i1] }"
          child:
            sequence:
            - filter: "[n] -> { A[i, j] }"
            - filter: "[n] -> { B[i, j] }"
      - filter: "[n] -> { D[i, j] }"
      - filter: "[n] -> { E[i, j, k] }"
      - filter: "[n] -> { C[i, j] }"
"#;

/// Section 7.2, listings 25 to 27 (T-18): the group counts its rows downwards as the original loop does, and
/// only the group is expanded.
#[test]
fn t_18_nussinov_in_groups() {
    let budget = Budget::unlimited();
    let (constraints, published) =
        (nussinov(), ScheduleTree::parse(EXPANDED_NUSSINOV).expect("a tree"));
    let grouping = chains(&original_nussinov(), &constraints);
    assert_eq!(grouping.to_string(), "A_chain: A, B");
    let contracted = grouping.contract(&constraints, &budget).expect("small");
    assert!(contracted.domain.is_equal(&published.domain, &budget).expect("small"));
    // Rows of the group count down and those of other statements up: no reason to cut them.
    assert!(split_index_sets(&contracted, &budget).expect("small").is_none());
    let options = Options { fuse: Fuse::Max, ..Options::outer_parallel() };
    let (groups, members) = scheduled(&constraints, &grouping, &options);
    assert_eq!(n_expansions(&groups), 1, "{groups}");
    assert!(groups.domain.is_equal(&published.domain, &budget).expect("small"));
    let published_members = published.without_expansions().expect("no expansions");
    let wrong = violations(&constraints, &published_members);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(members.has_equal_order(&published_members, &budget).expect("small"), "{members}");
}

/// A periodic stencil of two statements: the group is cut in the middle, and with it its members.
#[test]
fn groups_are_cut_in_halves() {
    let domain =
        "[T, N] -> { A[t, i] : 0 <= t < T and 0 <= i < 2N; B[t, i] : 0 <= t < T and 0 <= i < 2N }";
    let relation = "[T, N] -> { A[t, i] -> B[t, i] : 0 <= t < T and 0 <= i < 2N; \
        B[t, i] -> A[t + 1, i + 1] : 0 <= t < T - 1 and 0 <= i < 2N - 1; \
        B[t, i] -> A[t + 1, i - 1] : 0 <= t < T - 1 and 0 < i < 2N; \
        B[t, 2N - 1] -> A[t + 1, 0] : 0 <= t < T - 1 and N >= 1; \
        B[t, 0] -> A[t + 1, 2N - 1] : 0 <= t < T - 1 and N >= 1 }";
    let constraints = same_relation(domain, relation);
    let row = "A[t, i] -> [(t)]; B[t, i] -> [(t)] }, { A[t, i] -> [(i)]; B[t, i] -> [(i)]";
    let grouping = chains(&body(&constraints, row, &["A[t, i]", "B[t, i]"]), &constraints);
    assert_eq!(grouping.to_string(), "A_chain: A, B");
    let options = Options { split_index_sets: true, ..Options::tiling() };
    let budget = Budget::unlimited();
    let found = schedule_in_groups(&constraints, &grouping, &options, &budget).expect("a schedule");
    assert_eq!(found.cut, ["A", "B"]);
    let (_, members) = scheduled(&constraints, &grouping, &options);
    let Node::Band(band, _) = &members.root else { panic!("{members}") };
    assert!(band.permutable && band.n_members() == 2, "{members}");
}

/// A random program: one or two nests of loops, each around some statements.
struct Program {
    statements: Vec<Statement>,
    tree: ScheduleTree,
}

/// A statement: the number of its loops and its instances.
struct Statement {
    dims: usize,
    bounds: String,
}

const COORDINATES: [&str; 2] = ["i", "j"];

fn instance(number: usize, dims: usize, prime: &str) -> String {
    let coordinates: Vec<String> =
        COORDINATES[..dims].iter().map(|name| format!("{name}{prime}")).collect();
    format!("S{number}[{}]", coordinates.join(", "))
}

impl Program {
    fn new(choices: &mut Choices) -> Self {
        let (mut statements, mut nests) = (Vec::new(), Vec::new());
        for _ in 0..1 + choices.below(2) {
            nests.push(nest(choices, &mut statements));
        }
        let pieces = statements.iter().enumerate();
        let pieces: Vec<String> = pieces
            .map(|(k, s): (usize, &Statement)| {
                format!("{} : {}", instance(k, s.dims, ""), s.bounds)
            })
            .collect();
        let text = format!(
            "{{ domain: '[N] -> {{ {} }}', child: {{ sequence: [ {} ] }} }}",
            pieces.join("; "),
            nests.join(", ")
        );
        Program { statements, tree: ScheduleTree::parse(&text).expect("a tree") }
    }

    /// Random pairs in the order of the program: mostly of neighbours at the same iteration.
    fn pairs(&self, choices: &mut Choices, n: usize) -> UnionMap {
        let budget = Budget::unlimited();
        let time = self.tree.flatten().expect("small");
        let mut pairs = UnionMap::empty();
        for _ in 0..n {
            let (a, b) =
                (choices.below(self.statements.len()), choices.below(self.statements.len()));
            let b = if choices.percent(60) { (a + 1) % self.statements.len() } else { b };
            let (from, to) = (self.statements[a].dims, self.statements[b].dims);
            let mut conditions = vec!["N >= 1".to_string()];
            for name in &COORDINATES[..from.min(to)] {
                let distance = if choices.percent(75) { 0 } else { choices.between(-1, 1) };
                conditions.push(format!("{name}' = {name} + {distance}"));
            }
            let (x, y) = (instance(a, from, ""), instance(b, to, "'"));
            let text = format!("[N] -> {{ {x} -> {y} : {} }}", conditions.join(" and "));
            pairs = pairs.union(&UnionMap::parse(&text).expect("a relation")).expect("small");
        }
        let inside = |pairs: UnionMap| pairs.intersect_domain(&self.tree.domain);
        let pairs = inside(pairs).and_then(|p| p.intersect_range(&self.tree.domain));
        let n_levels = time.maps()[0].space().n(DimKind::Out);
        let later = UnionMap::from_map(Map::lex_lt(&Space::set(&[], Tuple::anonymous(n_levels))));
        let before = time.apply_range(&later).and_then(|t| t.apply_range(&time.reverse()));
        let ordered = pairs.and_then(|pairs| pairs.intersect(&before?));
        ordered.and_then(|pairs| pairs.coalesce(&budget)).expect("small")
    }

    fn constraints(&self, choices: &mut Choices) -> ScheduleConstraints {
        let context = Set::parse("[N] -> { : N >= 1 }").expect("a context");
        let n = 2 + choices.below(2 * self.statements.len());
        let validity = self.pairs(choices, n);
        let mut constraints = ScheduleConstraints {
            proximity: validity.clone(),
            coincidence: validity.clone(),
            validity,
            ..ScheduleConstraints::on_domain(self.tree.domain.clone(), context)
        };
        if choices.percent(40) {
            constraints.condition = self.pairs(choices, 3);
            constraints.conditional_validity = self.pairs(choices, 3);
        }
        constraints
    }
}

/// The child of the sequence of nests for one of them.
fn nest(choices: &mut Choices, statements: &mut Vec<Statement>) -> String {
    let dims = choices.below(3);
    let first = statements.len();
    for _ in 0..1 + choices.below(5) {
        let mut bounds = vec!["N >= 1".to_string()];
        bounds.extend(COORDINATES[..dims].iter().map(|name| format!("0 <= {name} < N")));
        if dims > 0 && choices.percent(15) {
            bounds.push("i <= 1".to_string());
        }
        statements.push(Statement { dims, bounds: bounds.join(" and ") });
    }
    let names: Vec<String> =
        (first..statements.len()).map(|number| instance(number, dims, "")).collect();
    let filters: Vec<String> = names.iter().map(|s| format!("{{ filter: '{{ {s} }}' }}")).collect();
    let mut below = format!("sequence: [ {} ]", filters.join(", "));
    for name in COORDINATES[..dims].iter().rev() {
        let sign = if choices.percent(20) { "-" } else { "" };
        let rows: Vec<String> = names.iter().map(|s| format!("{s} -> [({sign}{name})]")).collect();
        below = format!("schedule: '[{{ {} }}]', child: {{ {below} }}", rows.join("; "));
    }
    format!("{{ filter: '{{ {} }}', child: {{ {below} }} }}", names.join("; "))
}

/// The check of the schedule knows nothing of groups.
#[test]
fn schedules_of_random_groups_are_legal_for_their_members() {
    let (mut n_groups, mut n_large) = (0, 0);
    for seed in seeds_by("LOOPWRIGHT_RANDOM_CONSTRAINTS", 0, 150) {
        let choices = &mut Choices::from_seed(seed);
        let program = Program::new(choices);
        let constraints = program.constraints(choices);
        let grouping = chains(&program.tree, &constraints);
        let options = match choices.below(4) {
            0 => Options { fuse: Fuse::Max, ..Options::tiling() },
            1 => Options { fuse: Fuse::Min, ..Options::tiling() },
            2 => Options::outer_parallel(),
            _ => Options { separate_components: true, ..Options::tiling() },
        };
        let (_, members) = scheduled(&constraints, &grouping, &options);
        for group in grouping.groups() {
            n_groups += 1;
            n_large += usize::from(group.members.len() > 2);
        }
        if seed % 5 == 0 {
            support::check(&constraints, &members, &[("N", 3)], 4);
        }
    }
    assert!(n_groups > 50 && n_large > 10, "{n_groups} groups, {n_large} of them large");
}
