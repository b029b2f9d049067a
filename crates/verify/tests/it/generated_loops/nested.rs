//! Code generated inside of generated code, against one schedule for the whole.
use super::trace::check_code;
use loopwright_astgen::*;
use loopwright_presburger::{Budget, Error, Set, UnionMap};
use loopwright_schedule::ScheduleTree;
use std::sync::Arc;

fn map(text: &str) -> UnionMap {
    UnionMap::parse(text).expect("a relation")
}

fn set(text: &str) -> Set {
    Set::parse(text).expect("a set")
}

/// Replaces every call by code for a tree.
struct Inside<'a> {
    generator: Generator<'a>,
    instances: UnionMap,
    tree: ScheduleTree,
    /// What is known about parameters inside.
    range: Set,
}

impl Visitor for Inside<'_> {
    type Error = Error;

    fn user(&mut self, _: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
        let place = place.restricted(&self.range)?;
        self.generator.nested_tree(&place, &self.instances, &self.tree, &mut NoVisitor)
    }
}

/// The code for a flat schedule of kernels, with a tree inside of each.
fn with_kernels(outer: &str, instances: &str, tree: &str, range: &str, names: &[&str]) -> AstNode {
    let (options, budget) = (Options::STANDARD, Budget::unlimited());
    let generator = Generator::new(&options, &budget).with_iterators(names.iter().copied());
    let tree = ScheduleTree::parse(tree).expect("a tree");
    let inner = generator.clone();
    let mut inside =
        Inside { generator: inner, instances: map(instances), tree, range: set(range) };
    let code = generator.map(&map(outer), &set("{ : }"), &UnionMap::empty(), &mut inside);
    code.expect("code")
}

const TILES: &str = "{ K[k] -> S[i] : 8k <= i < 8k + 8 }";

#[test]
fn threads_of_a_context_node_share_the_elements_of_a_tile() {
    let tree = r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
        context: "[t] -> { [] : 0 <= t < 4 }", child: {
          filter: "[t] -> { S[i] : i mod 4 = t }", child: {
            schedule: "[{ S[i] -> [i] }]" } } } }"#;
    let outer = "[n] -> { K[k] -> [k] : 0 <= 8k < n }";
    let ast = with_kernels(outer, TILES, tree, "{ : }", &[]);
    let whole = map("[n, t] -> { S[i] -> [floor(i/8), i] : 0 <= i < n and i mod 4 = t }");
    check_code(&ast, &whole, &set("[t, n] -> { : 0 <= t < 4 }"), -1..21);
    let text = ast.to_string();
    assert!(!text.contains("if") && text.contains("c1 += 4"), "{text}");
}

#[test]
fn ranges_of_new_parameters_come_from_the_place() {
    let tree = r#"{ domain: "[n, t] -> { S[i] : 0 <= i < n and i mod 4 = t }", child: {
        schedule: "[{ S[i] -> [-i] }]" } }"#;
    let outer = "[n] -> { K[k] -> [2k] : 0 <= 8k < n }";
    let ast = with_kernels(outer, TILES, tree, "[t] -> { : 0 <= t < 4 }", &[]);
    let whole = map("[n, t] -> { S[i] -> [floor(i/8), -i] : 0 <= i < n and i mod 4 = t }");
    check_code(&ast, &whole, &set("[t, n] -> { : 0 <= t < 4 }"), -1..21);
}

#[test]
fn inner_bands_have_types_and_isolated_parts_of_their_own() {
    let tree = r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
        schedule: "[{ S[i] -> [floor(i/4)] }, { S[i] -> [i] }]",
        options: "[n] -> { isolate[[] -> [a, b]] : 0 <= 4a and 4a + 4 <= n; \
                  [isolate[] -> unroll[1]] }" } }"#;
    let outer = "[n] -> { K[k] -> [k, 0] : 0 <= 8k < n }";
    let ast = with_kernels(outer, TILES, tree, "{ : }", &[]);
    let whole = map("[n] -> { S[i] -> [floor(i/8), floor(i/4), i] : 0 <= i < n }");
    check_code(&ast, &whole, &set("{ : }"), -1..21);
    assert!(ast.to_string().matches("S(").count() >= 5, "{ast}");
}

#[test]
fn names_inside_are_those_that_are_left() {
    let tree = r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
        schedule: "[{ S[i] -> [i] }]" } }"#;
    let outer = "[n] -> { K[k] -> [k] : 0 <= 8k < n }";
    let text = with_kernels(outer, TILES, tree, "{ : }", &["i", "j"]).to_string();
    assert!(text.contains("for (int i = ") && text.contains("  for (int i_1 = "), "{text}");
    let tree = tree.replace("[n] ->", "[n, c1] ->").replace("i < n", "i < n and i < c1");
    let text = with_kernels(outer, TILES, &tree, "{ : }", &[]).to_string();
    assert!(text.contains("for (int c_1 = "), "{text}");
}

/// Appends further dimensions at every leaf.
struct Further<'a> {
    generator: Generator<'a>,
    further: UnionMap,
    settings: UnionMap,
}

impl Visitor for Further<'_> {
    type Error = Error;

    fn creates_leaves(&self) -> bool {
        true
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Option<AstNode>, Error> {
        let schedule = leaf.schedule().flat_range_product(&self.further)?;
        let (build, settings) = (leaf.build(), &self.settings);
        self.generator.nested_map(build, &schedule, settings, &mut NoVisitor).map(Some)
    }
}

/// The code of a flat schedule with further dimensions at its leaves.
fn extended(outer: &str, further: &str, settings: &str) -> AstNode {
    let (options, budget) = (Options::STANDARD, Budget::unlimited());
    let generator = Generator::new(&options, &budget);
    let mut visitor =
        Further { generator: generator.clone(), further: map(further), settings: map(settings) };
    let code = generator.map(&map(outer), &set("{ : }"), &UnionMap::empty(), &mut visitor);
    code.expect("code")
}

#[test]
fn dimensions_appended_at_leaves() {
    let outer = "[n] -> { A[i, j] -> [i] : 0 <= j <= i < n; B[i] -> [i] : 2 <= i < n }";
    let further = "{ A[i, j] -> [0, -j]; B[i] -> [1, 0] }";
    let ast = extended(outer, further, "{ }");
    let whole =
        "[n] -> { A[i, j] -> [i, 0, -j] : 0 <= j <= i < n; B[i] -> [i, 1, 0] : 2 <= i < n }";
    check_code(&ast, &map(whole), &set("{ : }"), -1..7);
}

#[test]
fn scaled_and_shifted_dimensions_outside() {
    let outer =
        "[n] -> { A[i, j] -> [2i] : 0 <= j < 3 and 0 <= i < n; B[i] -> [2i + 1] : 0 <= i < n }";
    let further = "{ A[i, j] -> [j]; B[i] -> [0] }";
    let ast = extended(outer, further, "{ }");
    let whole = "[n] -> { A[i, j] -> [2i, j] : 0 <= j < 3 and 0 <= i < n; \
                 B[i] -> [2i + 1, 0] : 0 <= i < n }";
    check_code(&ast, &map(whole), &set("{ : }"), -1..7);
}

#[test]
fn appended_dimensions_can_be_unrolled() {
    let outer = "[n] -> { A[i, j] -> [i] : 0 <= j < 3 and j <= i < n }";
    let ast = extended(outer, "{ A[i, j] -> [j] }", "{ [a, b] -> unroll[1] }");
    let whole = "[n] -> { A[i, j] -> [i, j] : 0 <= j < 3 and j <= i < n }";
    check_code(&ast, &map(whole), &set("{ : }"), -1..7);
    assert_eq!(ast.to_string().matches("A(").count(), 3, "{ast}");
}

#[test]
fn a_schedule_with_fewer_dimensions_than_are_outside_is_refused() {
    struct Short<'a>(Generator<'a>);
    impl Visitor for Short<'_> {
        type Error = Error;
        fn user(&mut self, _: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
            let none = UnionMap::empty();
            self.0.nested_map(place.build(), &map("{ S[i] -> [] }"), &none, &mut NoVisitor)
        }
    }
    let (options, budget) = (Options::STANDARD, Budget::unlimited());
    let generator = Generator::new(&options, &budget);
    let outer = map("{ S[i] -> [i] : 0 <= i < 5 }");
    let code =
        generator.map(&outer, &set("{ : }"), &UnionMap::empty(), &mut Short(generator.clone()));
    assert!(matches!(code, Err(Error::Invalid { .. })));
}
