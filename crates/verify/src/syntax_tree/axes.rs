//! Loops along the axes of blocks and threads run over the values that the schedule tree has there.
//!
//! A syntax tree may count the multiples of a factor one by one, or values that are moved by a constant: that
//! changes no order. But which block or thread an iteration is on depends on its value, and equal values of
//! two loops along one axis are on one block or thread. So what is proved about the schedule tree holds for
//! the text only if iterators are these values.
use crate::syntax_tree::expression::ProgramPoint;
use crate::syntax_tree::loops::{called, inside};
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_astgen::{AstExpr, AstNode, Place};
use loopwright_presburger::{Aff, Budget, DimKind, Map, PwAff, Result, Set, Space, Tuple};
use loopwright_schedule::{LoopKind, LoopMark, Node, Reaching, ScheduleTree};

/// Checks that each loop of `ast` below a mark of blocks or threads, and each single value where there is no
/// loop, has the value of the marked member of the tree's band, for parameters in `context`.
///
/// *Exactness.* Exact. *Cost.* A subtraction for each call, axis and statement piece of the tree.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
///
/// # Examples
/// ```
/// use loopwright_astgen::{Options, generate};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_verify::check_axes;
///
/// let tree = ScheduleTree::parse(
///     "{ domain: '[n] -> { B[j] : 0 <= j < n }', child: { mark: 'thread(x)', \
///        child: { schedule: '[{ B[j] -> [32 j] }]' } } }",
/// )?;
/// let (context, budget) = (Set::parse("[n] -> { : }")?, Budget::steps(1_000_000));
/// // Threads are multiples of 32 in the tree: a loop that counts them is another one.
/// for scale_strides in [false, true] {
///     let options = Options { scale_strides, ..Options::STANDARD };
///     let ast = generate(&tree, &context, &options, &budget)?;
///     let proof = check_axes(&ast, &tree, &context, &budget)?;
///     assert_eq!(proof.is_proved(), !scale_strides);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_axes(
    ast: &AstNode,
    tree: &ScheduleTree,
    context: &Set,
    budget: &Budget,
) -> Result<Proof> {
    let mut members = Vec::new();
    collect(&tree.root, &Reaching::root(tree), &mut members)?;
    let mut check = Check { members, axes: Vec::new(), violations: Vec::new(), budget };
    let result = check.node(ast, &ProgramPoint::outermost(context), None);
    Proof::from_violations(result.map(|()| check.violations))
}

/// The value of a marked member for some instances of a statement.
struct Member {
    kind: LoopKind,
    domain: Set,
    value: Aff,
}

/// The marked members below a node.
fn collect(node: &Node, reaching: &Reaching, members: &mut Vec<Member>) -> Result<()> {
    let all_below = reaching.below(node)?;
    if let Node::Mark(name, child) = node
        && let Some(mark) = LoopMark::parse(name).filter(|mark| mark.kind.is_of_kernel())
    {
        let depth = reaching.depth();
        for piece in reaching.below(child)?.into_iter().flat_map(|below| below.pieces) {
            if let Some(value) = piece.schedule.get(depth) {
                let value = value.clone();
                members.push(Member { kind: mark.kind, domain: piece.domain, value });
            }
        }
    }
    for (child, below) in node.children().iter().zip(&all_below) {
        collect(child, below, members)?;
    }
    Ok(())
}

struct Check<'a> {
    members: Vec<Member>,
    /// The axes of the marks around, with what the text has as their values.
    axes: Vec<(LoopKind, AstExpr)>,
    violations: Vec<Violation>,
    budget: &'a Budget,
}

impl Check<'_> {
    /// A node, directly below a mark of an axis and the dimension of its loops, if it is.
    fn node(
        &mut self,
        node: &AstNode,
        place: &ProgramPoint,
        marked: Option<(LoopKind, usize)>,
    ) -> Result<()> {
        match (node, marked) {
            (AstNode::Block(children), _) => {
                children.iter().try_for_each(|child| self.node(child, place, marked))
            }
            (AstNode::If { condition, then, otherwise }, _) => {
                let holds = place.condition(condition, self.budget)?;
                self.node(then, &place.restricted(&holds, self.budget)?, marked)?;
                let Some(otherwise) = otherwise else { return Ok(()) };
                let domain = place.domain.subtract(&holds, self.budget)?;
                let place = ProgramPoint { domain, iterators: place.iterators.clone() };
                self.node(otherwise, &place, marked)
            }
            (_, Some((kind, dimension))) => {
                let value = match node {
                    AstNode::For(each) if each.dimension == dimension => {
                        Some(AstExpr::Id(each.iterator.clone()))
                    }
                    other => only_value(other, dimension)?,
                };
                let outside = self.axes.len();
                self.axes.extend(value.map(|value| (kind, value)));
                self.node(node, place, None)?;
                self.axes.truncate(outside);
                Ok(())
            }
            (AstNode::For(each), None) => {
                self.node(&each.body, &inside(each, place, self.budget)?, None)
            }
            (AstNode::Mark { name, dimension, child }, None) => {
                let mark = LoopMark::parse(name).filter(|mark| mark.kind.is_of_kernel());
                self.node(child, place, mark.map(|mark| (mark.kind, *dimension)))
            }
            (AstNode::User { statement, arguments, .. }, None) => {
                self.call(statement, arguments, place)
            }
        }
    }

    fn call(
        &mut self,
        statement: &Space,
        arguments: &[AstExpr],
        place: &ProgramPoint,
    ) -> Result<()> {
        if self.axes.is_empty() {
            return Ok(());
        }
        let tuple = statement.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        let called = called(place, &tuple, arguments, self.budget)?;
        let name = tuple.name().map_or("", |name| name).to_string();
        // Instances without a member: most axes have members for the same ones.
        let mut known: Vec<(Vec<&Set>, Map)> = Vec::new();
        for (kind, value) in &self.axes {
            let own = place.value(value, self.budget)?.to_map();
            let mut domains = Vec::new();
            for member in self.members.iter().filter(|member| member.kind == *kind) {
                if member.domain.space().output() != called.space().output() {
                    continue;
                }
                let value = PwAff::from_aff(member.value.clone()).to_map();
                let value = value.intersect_domain(&member.domain)?;
                let wrong =
                    called.apply_range_within(&value, self.budget)?.subtract(&own, self.budget)?;
                let message = || {
                    format!("{name} has another value along the axis {kind:?} than in the schedule")
                };
                self.violations.extend(violation_if_any(&wrong, message, self.budget)?);
                domains.push(&member.domain);
            }
            let is_same = |(others, _): &&(Vec<&Set>, Map)| {
                let mut pairs = others.iter().zip(&domains);
                others.len() == domains.len()
                    && pairs.all(|(one, other)| one.as_map().plain_is_equal(other.as_map()))
            };
            let left = match known.iter().find(is_same) {
                Some((_, left)) => left.clone(),
                None => {
                    let mut left = called.clone();
                    for domain in &domains {
                        left = left.subtract_range(domain, self.budget)?;
                    }
                    known.push((domains, left.clone()));
                    left
                }
            };
            let message = || format!("{name} is along the axis {kind:?} in the text alone");
            self.violations.extend(violation_if_any(&left, message, self.budget)?);
        }
        Ok(())
    }
}

/// What the syntax tree has as the only value of a dimension for the statements below a node; none if there
/// are none.
pub(crate) fn only_value(node: &AstNode, dimension: usize) -> Result<Option<AstExpr>> {
    let Some(place) = any_place(node) else { return Ok(None) };
    let names = place.known().space().param_names();
    let space = Space::set(names, Tuple::anonymous(dimension + 1));
    let value = PwAff::from_aff(Aff::variable(&space, DimKind::Out, dimension));
    Ok(Some(place.build().expression(&value)?))
}

/// The place of a statement below a node.
fn any_place(node: &AstNode) -> Option<&Place> {
    match node {
        AstNode::User { place, .. } => Some(place),
        AstNode::For(each) => any_place(&each.body),
        AstNode::Mark { child, .. } => any_place(child),
        AstNode::Block(children) => children.iter().find_map(any_place),
        AstNode::If { then, otherwise, .. } => {
            any_place(then).or_else(|| any_place(otherwise.as_deref()?))
        }
    }
}
