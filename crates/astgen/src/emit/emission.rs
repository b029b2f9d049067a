//! The second pass: constraints become expressions.
//!
//! The walk goes from the root to the leaves with exactly those constraints that the code around
//! enforces, so a division is printed in its cheap form only where that is right.
use crate::ast::node::{AstNode, ForLoop};
use crate::ast::visitor::{Leaf, Visitor};
use crate::emit::iterator_names::IteratorNames;
use crate::emit::loop_bound::Bound;
use crate::expressions::expression::AstExpr;
use crate::expressions::scope::Scope;
use crate::level::bounds::lower_bound;
use crate::level::degenerate_dimensions::value_constraint;
use crate::level::half_space::{half_space, negation};
use crate::nest::tree::{Loop, Nest};
use crate::options::choices::Options;
use crate::places::build::Build;
use crate::places::entry::Entry;
use crate::places::place::Place;
use loopwright_presburger::*;
use std::result::Result;
use std::sync::Arc;

/// The second pass.
pub(crate) struct Emission<'a, V> {
    pub(crate) options: &'a Options,
    /// Names for the iterators.
    pub(crate) names: IteratorNames,
    /// Takes part.
    pub(crate) visitor: &'a mut V,
}

impl<V: Visitor> Emission<'_, V> {
    /// The code of a nest at a place.
    pub(crate) fn node(&mut self, nest: &Nest, scope: &Scope) -> Result<AstNode, V::Error> {
        match nest {
            Nest::For(each) => self.for_loop(each, scope),
            Nest::Value { level, value, body } => {
                let inside = value_constraint(value, *level);
                let scope = scope.deeper(*level, self.names.of_dimension(*level), &inside)?;
                self.node(body, &scope.with_value(*level, value)?)
            }
            Nest::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise, scope)
            }
            Nest::Block(children) => {
                let children = children.iter().map(|child| self.node(child, scope));
                Ok(AstNode::Block(children.collect::<Result<_, _>>()?))
            }
            Nest::Known { condition, body } => self.node(body, &scope.knowing(condition)?),
            Nest::Mark { name, dimension, child } => {
                let build = Build { scope: scope.clone() };
                self.visitor.before_mark(name, &build)?;
                let (name, dimension) = (name.clone(), *dimension);
                let child = Box::new(self.node(child, scope)?);
                self.visitor.after_mark(AstNode::Mark { name, dimension, child }, &build)
            }
            Nest::User { statement, instance } => {
                let build = Build { scope: scope.clone() };
                let place = Arc::new(Place::new(build, instance.clone()));
                let (arguments, statement) = (place.arguments()?, statement.clone());
                let node = AstNode::User { statement, arguments, place: place.clone() };
                self.visitor.user(node, &place)
            }
            Nest::Leaf { schedule, otherwise } => {
                let build = Build { scope: scope.clone() };
                match self.visitor.leaf(&Leaf::new(build, schedule.clone()))? {
                    Some(node) => Ok(node),
                    None => self.node(otherwise, scope),
                }
            }
        }
    }

    fn for_loop(&mut self, each: &Loop, scope: &Scope) -> Result<AstNode, V::Error> {
        let head = self.head(each, scope)?;
        let mut inner = scope.deeper(each.level, head.iterator.clone(), &each.constraints()?)?;
        inner.loops += 1;
        let build = Build { scope: inner.with_stride(each.stride.as_ref()) };
        let annotation = self.visitor.before_for(&head, &build)?;
        let body = Box::new(self.node(&each.body, &build.scope)?);
        let each = ForLoop { body, annotation, ..head };
        self.visitor.after_for(each, &Build { scope: scope.clone() })
    }

    fn condition(
        &mut self,
        condition: &Set,
        then: &Nest,
        otherwise: &Option<Box<Nest>>,
        scope: &Scope,
    ) -> Result<AstNode, V::Error> {
        let inside = scope.knowing(condition)?;
        let expression = scope.condition(condition)?;
        if expression.as_int().is_some_and(Int::is_one) {
            return self.node(then, scope);
        }
        let Some(otherwise) = otherwise else {
            let then = Box::new(self.node(then, &inside)?);
            return Ok(AstNode::If { condition: expression, then, otherwise: None });
        };
        let outside = match complement(condition) {
            Some(complement) => scope.knowing(&complement)?,
            None => scope.clone(),
        };
        let mut branches = Branches {
            nests: parts(then),
            then: self.nodes(parts(then), &inside)?,
            otherwise: self.nodes(parts(otherwise), &outside)?,
        };
        let (before, after) = self.shared(&mut branches, scope)?;
        let Branches { then, otherwise, .. } = branches;
        let otherwise = (!otherwise.is_empty()).then(|| Box::new(in_a_row(otherwise)));
        let mut nodes = before;
        if !then.is_empty() {
            let then = Box::new(in_a_row(then));
            nodes.push(AstNode::If { condition: expression, then, otherwise });
        }
        nodes.extend(after);
        Ok(in_a_row(nodes))
    }

    fn nodes(&mut self, nests: &[Nest], scope: &Scope) -> Result<Vec<AstNode>, V::Error> {
        nests.iter().map(|nest| self.node(nest, scope)).collect()
    }

    /// Takes the code from the ends of two branches that is the same in both, and does not depend on
    /// which of them it is in: what comes first, and what comes last.
    fn shared(
        &mut self,
        branches: &mut Branches<'_>,
        scope: &Scope,
    ) -> Result<(Vec<AstNode>, Vec<AstNode>), V::Error> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        while let Some(node) = self.shared_end(branches, branches.ends_last(), scope)? {
            after.insert(0, node);
            branches.then.pop();
            branches.otherwise.pop();
            branches.nests = &branches.nests[..branches.then.len()];
        }
        while let Some(node) = self.shared_end(branches, branches.ends_first(), scope)? {
            before.push(node);
            branches.then.remove(0);
            branches.otherwise.remove(0);
            branches.nests = &branches.nests[1..];
        }
        Ok((before, after))
    }

    /// The code at an end of two branches as it is outside of them, if it is the same everywhere, and
    /// if the first branch does not become empty alone.
    fn shared_end(
        &mut self,
        branches: &Branches<'_>,
        end: Option<(usize, usize)>,
        scope: &Scope,
    ) -> Result<Option<AstNode>, V::Error> {
        let Some((first, second)) = end.filter(|_| self.visitor.is_passive()) else {
            return Ok(None);
        };
        let (node, other) = (&branches.then[first], &branches.otherwise[second]);
        if (branches.then.len() == 1 && branches.otherwise.len() > 1) || !same_code(node, other) {
            return Ok(None);
        }
        let outside = self.node(&branches.nests[first], scope)?;
        Ok(same_code(&outside, node).then_some(outside))
    }

    /// The loop without its body.
    fn head(&self, each: &Loop, scope: &Scope) -> Result<ForLoop, Error> {
        let iterator = self.names.of_loop(each.level, scope.loops);
        let LoopBounds { lower, upper } = loop_bounds(each, scope)?;
        if lower.is_empty() {
            return Err(Error::Invalid {
                operation: "loop generation",
                reason: format!("the values of dimension {} have no lower bound", each.level),
            });
        }
        Ok(ForLoop {
            init: AstExpr::max(
                lower.into_iter().map(|bound| bound.into_expr(&Int::ZERO)).collect(),
            ),
            condition: upper_condition(&iterator, upper, self.options.atomic_upper_bound),
            increment: each.stride.as_ref().map_or(Int::ONE, |stride| stride.modulus.clone()),
            multiples_of: None,
            body: Box::new(AstNode::Block(Vec::new())),
            degenerate: false,
            coincident: each.coincident,
            dimension: each.level,
            entry: Entry::new(scope, each),
            annotation: None,
            iterator,
        })
    }
}

/// The bounds of a loop, those of the outermost iterators first.
struct LoopBounds {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
}

fn loop_bounds(each: &Loop, scope: &Scope) -> Result<LoopBounds, Error> {
    let Loop { level, bounds, piecewise, stride, .. } = each;
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let first = |bound: &Aff| match stride {
        Some(stride) => scope.at_least(stride, bound),
        None => Ok(bound.clone()),
    };
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in map.inequalities() {
        let bound = lower_bound(map, row, *level);
        match row.sign(column) {
            1 => lower.push(Bound::Sum(scope.affine_sum(&first(&bound)?)?)),
            -1 => upper.push(Bound::Sum(scope.affine_sum(&bound)?)),
            _ => {}
        }
    }
    if let Some(bound) = &piecewise.lower {
        lower.push(Bound::of_pieces(bound, first, false, scope)?);
    }
    if let Some(bound) = &piecewise.upper {
        upper.push(Bound::of_pieces(bound, |bound| Ok(bound.clone()), true, scope)?);
    }
    lower.sort_by_key(Bound::depth);
    upper.sort_by_key(Bound::depth);
    Ok(LoopBounds { lower, upper })
}

/// The branches of a condition, and where the code of the first comes from.
struct Branches<'a> {
    nests: &'a [Nest],
    then: Vec<AstNode>,
    otherwise: Vec<AstNode>,
}

impl Branches<'_> {
    /// The positions of the first parts, if both branches have some.
    fn ends_first(&self) -> Option<(usize, usize)> {
        (!self.then.is_empty() && !self.otherwise.is_empty()).then_some((0, 0))
    }

    /// The positions of the last parts.
    fn ends_last(&self) -> Option<(usize, usize)> {
        Some((self.then.len().checked_sub(1)?, self.otherwise.len().checked_sub(1)?))
    }
}

/// What is executed in a row.
fn parts(nest: &Nest) -> &[Nest] {
    match nest {
        Nest::Block(children) => children,
        other => std::slice::from_ref(other),
    }
}

fn in_a_row(mut nodes: Vec<AstNode>) -> AstNode {
    if nodes.len() == 1 { nodes.remove(0) } else { AstNode::Block(nodes) }
}

/// Where a condition of a single inequality does not hold.
fn complement(condition: &Set) -> Option<Set> {
    let [basic] = condition.as_map().basic_maps() else { return None };
    match (basic.equalities(), basic.inequalities()) {
        ([], [row]) => Some(half_space(basic, negation(row))),
        _ => None,
    }
}

/// Whether two trees read the same.
fn same_code(a: &AstNode, b: &AstNode) -> bool {
    match (a, b) {
        (AstNode::For(a), AstNode::For(b)) => {
            (&a.iterator, &a.init, &a.condition, &a.increment)
                == (&b.iterator, &b.init, &b.condition, &b.increment)
                && (a.degenerate, a.coincident, a.dimension)
                    == (b.degenerate, b.coincident, b.dimension)
                && same_code(&a.body, &b.body)
        }
        (
            AstNode::If { condition: c, then: t, otherwise: o },
            AstNode::If { condition, then, otherwise },
        ) => {
            c == condition
                && same_code(t, then)
                && match (o, otherwise) {
                    (Some(o), Some(otherwise)) => same_code(o, otherwise),
                    (o, otherwise) => o.is_none() && otherwise.is_none(),
                }
        }
        (AstNode::Block(a), AstNode::Block(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_code(a, b))
        }
        (
            AstNode::Mark { name: n, dimension: d, child: c },
            AstNode::Mark { name, dimension, child },
        ) => (n, d) == (name, dimension) && same_code(c, child),
        (
            AstNode::User { statement: s, arguments: a, .. },
            AstNode::User { statement, arguments, .. },
        ) => s.has_equal_tuples(statement) && a == arguments,
        _ => false,
    }
}

/// `iterator <= min(bounds)`, or `<` where that makes more of the constants vanish.
///
/// No bound at all means a loop without end.
fn upper_condition(iterator: &Name, bounds: Vec<Bound>, atomic: bool) -> AstExpr {
    if !atomic && bounds.len() > 1 {
        let each = bounds.into_iter().map(|bound| upper_condition(iterator, vec![bound], true));
        return AstExpr::And(each.collect());
    }
    if bounds.is_empty() {
        return AstExpr::int(1);
    }
    let least = |offset: i64| {
        let zero = -Int::from(offset);
        bounds.iter().flat_map(Bound::sums).filter(|bound| *bound.constant_part() != zero).count()
    };
    let is_constant =
        |bound: &Bound| matches!(bound, Bound::Sum(sum) if sum.as_constant().is_some());
    let strict = least(1) < least(0) && !(bounds.len() == 1 && is_constant(&bounds[0]));
    let more = if strict { Int::ONE } else { Int::ZERO };
    let operand = |bound: Bound| bound.into_expr(&more);
    let left = Box::new(AstExpr::Id(iterator.clone()));
    let right = Box::new(AstExpr::min(bounds.into_iter().map(operand).collect()));
    if strict { AstExpr::Lt(left, right) } else { AstExpr::Le(left, right) }
}
