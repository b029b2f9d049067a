//! What users do during a generation: annotations, replaced nodes, leaves of their own, errors.
use loopwright_astgen::*;
use loopwright_presburger::{Budget, Error, Name, PwMultiAff, Set, Space, Tuple, UnionMap};
use loopwright_schedule::ScheduleTree;
use std::sync::Arc;

/// Code for a flat schedule with a visitor.
fn visited<V: Visitor>(
    schedule: &str,
    options: &Options,
    visitor: &mut V,
) -> Result<AstNode, V::Error> {
    let schedule = UnionMap::parse(schedule).expect("a schedule");
    let (context, none) = (Set::parse("{ : }").expect("a context"), UnionMap::empty());
    let budget = Budget::unlimited();
    Generator::new(options, &budget).map(&schedule, &context, &none, visitor)
}

/// Writes down what it is called with.
#[derive(Default)]
struct Diary(Vec<String>);

impl Visitor for Diary {
    type Error = Error;

    fn before_for(&mut self, head: &ForLoop, inside: &Build) -> Result<Option<Annotation>, Error> {
        self.0.push(format!("before {} {:?}", head.iterator, inside.iterators()));
        Ok(Some(Annotation::named("seen")))
    }

    fn after_for(&mut self, each: ForLoop, outside: &Build) -> Result<AstNode, Error> {
        assert_eq!(&*each.annotation.as_ref().expect("an annotation").name, "seen");
        self.0.push(format!("after {} {:?}", each.iterator, outside.iterators()));
        Ok(AstNode::For(each))
    }

    fn user(&mut self, node: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
        self.0.push(format!("user {} {}", node.to_string().trim(), place.iterators().len()));
        Ok(node)
    }

    fn before_mark(&mut self, name: &Name, build: &Build) -> Result<(), Error> {
        self.0.push(format!("before mark {name} {}", build.depth()));
        Ok(())
    }

    fn after_mark(&mut self, node: AstNode, build: &Build) -> Result<AstNode, Error> {
        self.0.push(format!("after mark {}", build.depth()));
        Ok(node)
    }
}

#[test]
fn calls_come_in_the_order_of_execution() {
    let tree = ScheduleTree::parse(
        r#"{ domain: "[n] -> { A[i] : 0 <= i < n; B[i, j] : 0 <= i, j < n }", child: {
             schedule: "[{ A[i] -> [i]; B[i, j] -> [i] }]", child: { sequence: [
               { filter: "{ A[i] }" },
               { filter: "{ B[i, j] }", child: { mark: "inner", child: {
                   schedule: "[{ B[i, j] -> [j] }]" } } } ] } } }"#,
    )
    .expect("a tree");
    let mut diary = Diary::default();
    let (options, budget) = (Options::STANDARD, Budget::unlimited());
    let context = Set::parse("{ : }").expect("a context");
    let ast = Generator::new(&options, &budget).tree(&tree, &context, &mut diary).expect("code");
    let expected = [
        "before c0 [\"c0\"]",
        "user A(c0); 1",
        "before mark inner 1",
        "before c1 [\"c0\", \"c1\"]",
        "user B(c0, c1); 2",
        "after c1 [\"c0\"]",
        "after mark 1",
        "after c0 []",
    ];
    assert_eq!(diary.0, expected);
    assert!(outline(&ast).contains(" annotated seen"), "{}", outline(&ast));
    assert!(json(&ast).contains("\"annotation\": \"seen\""), "{}", json(&ast));
}

/// An error of the user's own.
#[derive(Debug)]
enum Trouble {
    Own(usize),
    Generator(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Generator(error)
    }
}

/// Fails at the n-th call.
struct Failing(usize);

impl Visitor for Failing {
    type Error = Trouble;

    fn user(&mut self, node: AstNode, _: &Arc<Place>) -> Result<AstNode, Trouble> {
        self.0 = self.0.checked_sub(1).ok_or(Trouble::Own(7))?;
        Ok(node)
    }
}

#[test]
fn errors_of_users_and_of_the_generator_pass_through() {
    let schedule = "{ A[i] -> [0, i] : 0 <= i < 3; B[i] -> [1, i] : 0 <= i < 3 }";
    let code = |calls| visited(schedule, &Options::STANDARD, &mut Failing(calls));
    assert!(matches!(code(1), Err(Trouble::Own(7))));
    assert!(code(2).is_ok());
    let endless = visited("{ A[i] -> [i] : i <= 0 }", &Options::STANDARD, &mut Failing(9));
    assert!(matches!(endless, Err(Trouble::Generator(Error::Invalid { .. }))));
}

/// Puts a call of `sync` after every loop, and an access in front of every call.
struct Rewriting;

impl Visitor for Rewriting {
    type Error = Error;

    fn after_for(&mut self, each: ForLoop, outside: &Build) -> Result<AstNode, Error> {
        let form = PwMultiAff::parse("{ sync[] }")?;
        let AstExpr::Call(_, arguments) = outside.call(&form)? else { panic!("a call") };
        let mut found = None;
        place_of(&each.body, &mut found);
        let statement = Space::set(&[], Tuple::named("sync", 0));
        let place = found.expect("a call inside");
        let sync = AstNode::User { statement, arguments, place };
        Ok(AstNode::Block(vec![AstNode::For(each), sync]))
    }

    fn user(&mut self, node: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
        let AstNode::User { statement, place: own, .. } = node else { panic!("a user node") };
        let element = PwMultiAff::parse("{ S[i] -> A[(i - 1)] : i > 3; S[i] -> A[(0)] : i <= 3 }")?;
        let arguments = vec![AstExpr::AddressOf(Box::new(place.access(&element)?))];
        Ok(AstNode::User { statement, arguments, place: own })
    }
}

fn place_of(node: &AstNode, found: &mut Option<Arc<Place>>) {
    match node {
        AstNode::User { place, .. } => *found = Some(place.clone()),
        AstNode::For(each) => place_of(&each.body, found),
        _ => {}
    }
}

#[test]
fn nodes_can_be_replaced() {
    let schedule = "[n] -> { S[i] -> [i] : 5 <= i < n }";
    let ast = visited(schedule, &Options::STANDARD, &mut Rewriting).expect("code");
    let expected = "\
{
  for (int c0 = 5; c0 < n; c0 += 1)
    S(&A[c0 - 1]);
  sync();
}
";
    assert_eq!(ast.to_string(), expected);
}

/// Counts leaves and the statements at each.
#[derive(Default)]
struct Leaves(Vec<usize>);

impl Visitor for Leaves {
    type Error = Error;

    fn creates_leaves(&self) -> bool {
        true
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Option<AstNode>, Error> {
        assert_eq!(leaf.build().depth(), 2);
        self.0.push(leaf.schedule().maps().len());
        Ok(None)
    }
}

#[test]
fn coscheduled_statements_share_a_leaf_if_asked_to() {
    let schedule = "[n] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 0] : 0 <= i < n }";
    let mut leaves = Leaves::default();
    let alone = visited(schedule, &Options::STANDARD, &mut leaves).expect("code");
    assert_eq!(leaves.0, [1, 1]);
    let grouped = Options { group_coscheduled: true, ..Options::STANDARD };
    let mut leaves = Leaves::default();
    let together = visited(schedule, &grouped, &mut leaves).expect("code");
    assert_eq!(leaves.0, [2]);
    assert_eq!(alone.to_string(), together.to_string());
}

#[test]
fn leaves_that_are_left_to_the_generator_are_its_own() {
    let schedule = "[n] -> { A[i, j] -> [i, 0] : 0 <= j < i < n; B[i] -> [i, 1] : 3 <= i < n }";
    let own = visited(schedule, &Options::STANDARD, &mut NoVisitor).expect("code");
    let visited = visited(schedule, &Options::STANDARD, &mut Leaves::default()).expect("code");
    assert_eq!(own.to_string(), visited.to_string());
}
