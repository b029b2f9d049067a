//! Random constraint systems: every schedule is legal, its flags are true, and it is the same every
//! time.
//!
//! The constraints follow some random order of the instances, so that there is a legal schedule.
//! `LOOPWRIGHT_RANDOM_CONSTRAINTS` sets the number of systems (300 by default).
use crate::support;

use crate::support::exact::violations;
use loopwright_presburger::{Budget, Map, Set, Space, Tuple, UnionMap, UnionSet};
use loopwright_scheduler::{Algorithm, Fallback, Fuse, Options, ScheduleConstraints, schedule};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds_by;

/// A statement: its dimensions and its place in the order that the constraints follow.
struct Statement {
    dims: usize,
    domain: String,
    time: String,
}

fn coordinates(prime: &str, dims: usize) -> Vec<String> {
    ["i", "j", "k"][..dims].iter().map(|name| format!("{name}{prime}")).collect()
}

fn statement(choices: &mut Choices, number: usize) -> Statement {
    let dims = choices.below(4).min(1 + choices.below(3));
    let names = coordinates("", dims);
    let mut bounds = vec!["N >= 1".to_string()];
    let mut time = Vec::new();
    for (d, name) in names.iter().enumerate() {
        let upper = match choices.below(4) {
            0 => format!("{}", choices.between(1, 5)),
            1 if d > 0 => names[d - 1].clone(),
            _ => "N".to_string(),
        };
        bounds.push(format!("0 <= {name} < {upper}"));
        time.push(choices.below(2).to_string());
        let sign = if choices.percent(15) { "-" } else { "" };
        time.push(format!("{sign}{name}"));
    }
    time.push(choices.below(3).to_string());
    time.resize(7, "0".to_string());
    time.push(number.to_string());
    Statement { dims, domain: bounds.join(" and "), time: time.join(", ") }
}

struct System {
    statements: Vec<Statement>,
    domain: UnionSet,
    before: UnionMap,
}

impl System {
    fn new(choices: &mut Choices) -> Self {
        let n = 1 + choices.below(4);
        let statements: Vec<Statement> = (0..n).map(|k| statement(choices, k)).collect();
        let pieces = statements
            .iter()
            .enumerate()
            .map(|(k, s)| format!("S{k}[{}] : {}", coordinates("", s.dims).join(", "), s.domain));
        let text = format!("[N] -> {{ {} }}", pieces.collect::<Vec<_>>().join("; "));
        let domain = UnionSet::parse(&text).expect("a domain");
        let times = statements
            .iter()
            .enumerate()
            .map(|(k, s)| format!("S{k}[{}] -> [{}]", coordinates("", s.dims).join(", "), s.time));
        let text = format!("{{ {} }}", times.collect::<Vec<_>>().join("; "));
        let time = UnionMap::parse(&text).expect("a schedule");
        let later = Map::lex_lt(&Space::set(&[], Tuple::anonymous(8)));
        let before = time
            .apply_range(&UnionMap::from_map(later))
            .and_then(|t| t.apply_range(&time.reverse()))
            .expect("small");
        System { statements, domain, before }
    }

    /// Random pairs, without regard of their order.
    fn pairs(&self, choices: &mut Choices, n: usize) -> UnionMap {
        let mut union = UnionMap::empty();
        for _ in 0..n {
            let (a, b) =
                (choices.below(self.statements.len()), choices.below(self.statements.len()));
            let (from, to) = (&self.statements[a], &self.statements[b]);
            let (x, y) = (coordinates("", from.dims), coordinates("'", to.dims));
            let mut conditions = vec!["N >= 1".to_string()];
            for (d, name) in y.iter().enumerate() {
                let of = |choices: &mut Choices| x.get(d.min(choices.below(3))).cloned();
                match choices.below(10) {
                    0 => conditions.push(format!("{name} = {}", choices.below(3))),
                    1 => conditions.push(format!("{name} = N - 1")),
                    2 | 3 => {}
                    4 => conditions.extend(of(choices).map(|x| format!("{name} >= {x}"))),
                    5 => conditions.extend(of(choices).map(|x| format!("{name} = N - 1 - {x}"))),
                    _ => {
                        let offset = choices.between(-1, 2);
                        conditions.extend(x.get(d).map(|x| format!("{name} = {x} + {offset}")));
                    }
                }
            }
            let text = format!(
                "[N] -> {{ S{a}[{}] -> S{b}[{}] : {} }}",
                x.join(", "),
                y.join(", "),
                conditions.join(" and ")
            );
            union = union.union(&UnionMap::parse(&text).expect("a relation")).expect("small");
        }
        let inside = union.intersect_domain(&self.domain).expect("small");
        inside.intersect_range(&self.domain).expect("small")
    }

    fn ordered_pairs(&self, choices: &mut Choices, n: usize) -> UnionMap {
        self.pairs(choices, n).intersect(&self.before).expect("small")
    }

    fn constraints(&self, choices: &mut Choices) -> ScheduleConstraints {
        let context = Set::parse("[N] -> { : N >= 1 }").expect("a context");
        let mut constraints = ScheduleConstraints::on_domain(self.domain.clone(), context);
        let n = 1 + choices.below(5);
        constraints.validity = self.ordered_pairs(choices, n);
        constraints.proximity = match choices.below(3) {
            0 => self.pairs(choices, 2),
            _ => constraints.validity.clone(),
        };
        constraints.coincidence = match choices.below(4) {
            0 => self.pairs(choices, 1),
            _ => constraints.validity.clone(),
        };
        if choices.percent(30) {
            constraints.condition = self.ordered_pairs(choices, 2);
            constraints.conditional_validity = self.ordered_pairs(choices, 2);
        }
        if choices.percent(50) {
            constraints.condition = tagged(&constraints.condition, choices);
            constraints.conditional_validity = tagged(&constraints.conditional_validity, choices);
        }
        constraints
    }
}

/// The pairs between references of the instances: one or two of each.
fn tagged(relation: &UnionMap, choices: &mut Choices) -> UnionMap {
    let mut all = UnionMap::empty();
    for map in relation.maps() {
        let pairs = UnionMap::from_map(map.clone());
        for _ in 0..=choices.below(2) {
            let (first, second) = (choices.below(2), choices.below(2));
            let from = with_reference(&pairs.domain(), first);
            let to = with_reference(&pairs.range(), second);
            let part = from.reverse().apply_range(&pairs).and_then(|p| p.apply_range(&to));
            all = all.union(&part.expect("small")).expect("small");
        }
    }
    all
}

/// From instances to themselves with a reference.
fn with_reference(instances: &UnionSet, reference: usize) -> UnionMap {
    let tag = UnionSet::parse(&format!("{{ R{reference}[] }}")).expect("a reference");
    UnionMap::from_domain_and_range(instances, &tag).expect("small").domain_map().reverse()
}

fn options(choices: &mut Choices) -> Options {
    let fusions = [Fuse::Smart, Fuse::Max, Fuse::Min, Fuse::Typed];
    let fallbacks =
        [Fallback::Feautrier, Fallback::FirstMember, Fallback::Validity, Fallback::Original];
    let mut flag = |likely: u16| choices.percent(likely);
    let mut options = Options {
        outer_coincidence: flag(40),
        wavefront: flag(20),
        maximize_band_depth: flag(70),
        maximize_coincidence: flag(70),
        merge_complete: flag(50),
        separate_components: flag(50),
        treat_coalescing: flag(80),
        carry_self_first: flag(70),
        split_scaled: flag(80),
        integer_carry: flag(80),
        deduplicate: flag(80),
        drop_bounds: flag(80),
        lineality: flag(80),
        negative_coefficients: flag(80),
        parametric: flag(80),
        split_index_sets: flag(80),
        ..Options::tiling()
    };
    options.fuse = fusions[choices.below(4)];
    options.fallback = fallbacks[choices.below(3)];
    if choices.percent(20) {
        options.algorithm = Algorithm::Feautrier;
    }
    if choices.percent(20) {
        options.max_coefficient = Some(choices.between(1, 4));
    }
    if choices.percent(20) {
        options.max_constant_term = Some(choices.between(0, 9));
    }
    options
}

#[test]
fn schedules_of_random_constraints_are_legal_and_deterministic() {
    for seed in seeds_by("LOOPWRIGHT_RANDOM_CONSTRAINTS", 0, 300) {
        let choices = &mut Choices::from_seed(seed);
        let constraints = System::new(choices).constraints(choices);
        let options = options(choices);
        let found = schedule(&constraints, &options, &Budget::steps(100_000_000));
        let again = schedule(&constraints, &options, &Budget::steps(100_000_000));
        let scheduled =
            found.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{constraints}\n{options:?}"));
        let text = scheduled.tree.to_string();
        let same = again.expect("the same answer").tree.to_string();
        assert_eq!(text, same, "seed {seed}: another schedule");
        let wrong = violations(&constraints, &scheduled.tree);
        assert!(wrong.is_empty(), "seed {seed}: {wrong:?}\n{constraints}\n{options:?}\n{text}");
        let problems = scheduled.tree.check(&Budget::unlimited()).expect("small");
        assert!(problems.is_empty(), "seed {seed}: {problems:?}\n{text}");
        if seed % 4 == 0 && !support::instances(&constraints.domain, &[("N", 3)], 5).is_empty() {
            support::check(&constraints, &scheduled.tree, &[("N", 3)], 5);
        }
    }
}

/// A scalar that is written and read in every iteration, and another one read in the same
/// instances: only the order of live ranges next to the flow of their own scalar matters.
#[test]
fn the_check_compares_tags() {
    let text = |order: &str| {
        format!(
            "domain: \"{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}\"\n\
             condition: \"{{ [S[i] -> W[]] -> [T[i] -> R[]] : 0 <= i < 9 }}\"\n\
             conditional_validity: \"{{ [T[i] -> {order}[]] -> [S[j] -> {order}[]] : 0 <= i < j < 9 \
             }}\"\n"
        )
    };
    let found = |order: &str, rows: &str, sequence: &str| {
        let constraints = ScheduleConstraints::parse(&text(order)).expect("constraints");
        let tree = format!(
            "domain: \"{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}\"\nchild:\n  \
             schedule: \"[{{ {rows} }}]\"\n  permutable: 1\n{sequence}"
        );
        let tree = loopwright_schedule::ScheduleTree::parse(&tree).expect("a tree");
        violations(&constraints, &tree).len()
    };
    let sequence =
        "  child:\n    sequence:\n    - filter: \"{ S[i] }\"\n    - filter: \"{ T[i] }\"\n";
    // Backwards, with the live ranges whole: all conditions are local.
    let reversed = "S[i] -> [(-i)]; T[i] -> [(-i)]";
    assert_eq!(found("R", reversed, sequence), 0);
    // With the live ranges apart, order matters for their own reference only.
    let apart = "S[i] -> [(-i)]; T[i] -> [(9 - i)]";
    assert_eq!(found("Q", apart, sequence), 0);
    assert!(found("R", apart, sequence) > 0);
}

#[test]
fn the_check_notices_wrong_schedules() {
    let text = "domain: \"{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }\"\n\
                validity: \"{ S[i] -> T[i - 1] : 0 < i < 9 }\"\n\
                coincidence: \"{ S[i] -> T[i - 1] : 0 < i < 9 }\"\n\
                condition: \"{ S[i] -> T[i] : 0 <= i < 9 }\"\n\
                conditional_validity: \"{ T[i] -> S[i + 1] : 0 <= i < 8 }\"\n";
    let constraints = ScheduleConstraints::parse(text).expect("constraints");
    let band = |rows: &str, flags: &str, order: [&str; 2]| {
        let tree = format!(
            "domain: \"{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}\"\nchild:\n  schedule: \"[{{ {rows} }}]\"\n  \
             {flags}\n  child:\n    sequence:\n    - filter: \"{{ {} }}\"\n    - filter: \"{{ {} }}\"\n",
            order[0], order[1]
        );
        let tree = loopwright_schedule::ScheduleTree::parse(&tree).expect("a tree");
        violations(&constraints, &tree).len()
    };
    let order = ["S[i]", "T[i]"];
    assert_eq!(band("S[i] -> [(i)]; T[i] -> [(1 + i)]", "coincident: [ 1 ]", order), 1);
    assert_eq!(band("S[i] -> [(i)]; T[i] -> [(i)]", "permutable: 1", order), 1);
    assert_eq!(band("S[i] -> [(i)]; T[i] -> [(2 + i)]", "permutable: 1", order), 1);
    assert_eq!(band("S[i] -> [(i)]; T[i] -> [(2 + i)]", "coincident: [ 1 ]", order), 2);
    assert_eq!(band("S[i] -> [(0)]; T[i] -> [(0)]", "permutable: 1", order), 1);
    assert_eq!(band("S[i] -> [(0)]; T[i] -> [(0)]", "permutable: 1", ["T[i]", "S[i]"]), 1);
    let (unconditional, _) = text.split_once("condition").expect("a condition");
    let constraints = ScheduleConstraints::parse(unconditional).expect("constraints");
    let tree = "domain: \"{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }\"\nchild:\n  sequence:\n  \
                - filter: \"{ S[i] }\"\n  - filter: \"{ T[i] }\"\n";
    let tree = loopwright_schedule::ScheduleTree::parse(tree).expect("a tree");
    assert!(violations(&constraints, &tree).is_empty());
}
