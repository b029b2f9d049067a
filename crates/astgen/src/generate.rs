//! The generator's entry points.
use crate::ast::node::AstNode;
use crate::ast::visitor::NoVisitor;
use crate::generator::Generator;
use crate::options::choices::Options;
use loopwright_presburger::*;
use loopwright_schedule::ScheduleTree;

/// The code that executes the instances of a schedule tree in its order.
///
/// `context` is what is known about the parameters (a parameter set, or a set without dimensions).
///
/// ```
/// use loopwright_astgen::{Options, generate};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse(
///     r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
///          schedule: "[{ S[i] -> [32*floor(i/32)] }, { S[i] -> [i] }]" } }"#,
/// )?;
/// let context = Set::parse("{ : }")?;
/// let ast = generate(&tree, &context, &Options::STANDARD, &Budget::steps(1_000_000))?;
/// let expected = "\
/// for (int c0 = 0; c0 < n; c0 += 32)
///   for (int c1 = c0; c1 < min(n, c0 + 32); c1 += 1)
///     S(c1);
/// ";
/// assert_eq!(ast.to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* A few emptiness tests and simplifications for each loop and statement in it; where statements
/// share a loop also for each pair of them, and exponential in their number where it is cut into disjoint
/// pieces. All of it is taken from `budget`.
///
/// # Errors
/// [`Error::Exceeded`] if `budget` is used up; [`Error::Invalid`] if a dimension has no lower
/// bound.
pub fn generate(
    tree: &ScheduleTree,
    context: &Set,
    options: &Options,
    budget: &Budget,
) -> Result<AstNode> {
    Generator::new(options, budget).tree(tree, context, &mut NoVisitor)
}

/// The code that executes the domain of a flat schedule in lexicographic order of its images.
///
/// `schedule` is a relation from instances to one anonymous tuple; it need not be single-valued.
/// `settings` are isl's options of a flat schedule, `{ [i, j] -> unroll[0] : i < 4 }` and the like
/// with `atomic` and `separate`; other ranges are ignored.
///
/// *Cost.* As [`generate`].
///
/// # Errors
/// As [`generate`]; and if the images are not in one space.
pub fn generate_from_map(
    schedule: &UnionMap,
    context: &Set,
    settings: &UnionMap,
    options: &Options,
    budget: &Budget,
) -> Result<AstNode> {
    Generator::new(options, budget).map(schedule, context, settings, &mut NoVisitor)
}
