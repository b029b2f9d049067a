//! The second pass: constraints become expressions.
//!
//! The walk goes from the root to the leaves with exactly those constraints that the code around
//! enforces, so a division is printed in its cheap form only where that is right.
use crate::guard::{loop_constraints, value_constraint};
use crate::iterator_names::IteratorNames;
use crate::nest::{Nest, Stride};
use crate::scope::Scope;
use crate::sum::Sum;
use crate::value::lower_bound;
use crate::visitor::{Leaf, Visitor};
use crate::{AstExpr, AstNode, Build, ForLoop, Options, Place};
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
            Nest::For { level, bounds, stride, coincident, body } => {
                let head = self.head(*level, bounds, stride.as_ref(), scope)?;
                let head = ForLoop { coincident: *coincident, ..head };
                let inside = loop_constraints(bounds, stride.as_ref(), *level)?;
                let mut inner = scope.deeper(*level, head.iterator.clone(), &inside)?;
                inner.loops += 1;
                let build = Build { scope: inner };
                let annotation = self.visitor.before_for(&head, &build)?;
                let body = Box::new(self.node(body, &build.scope)?);
                let each = ForLoop { body, annotation, ..head };
                self.visitor.after_for(each, &Build { scope: scope.clone() })
            }
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

    fn condition(
        &mut self,
        condition: &Set,
        then: &Nest,
        otherwise: &Option<Box<Nest>>,
        scope: &Scope,
    ) -> Result<AstNode, V::Error> {
        let then = self.node(then, &scope.knowing(condition)?)?;
        let otherwise = match otherwise {
            Some(nest) => Some(Box::new(self.node(nest, scope)?)),
            None => None,
        };
        let condition = scope.condition(condition)?;
        Ok(AstNode::If { condition, then: Box::new(then), otherwise })
    }

    /// The loop without its body.
    fn head(
        &self,
        level: usize,
        bounds: &BasicSet,
        stride: Option<&Stride>,
        scope: &Scope,
    ) -> Result<ForLoop, Error> {
        let iterator = self.names.of_loop(level, scope.loops);
        let map = bounds.as_basic_map();
        let column = map.offset(DimKind::Out) + level;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for row in map.inequalities() {
            let bound = lower_bound(map, row, level);
            match (row.sign(column), stride) {
                (1, Some(stride)) => lower.push(scope.affine_sum(&stride.at_least(&bound)?)?),
                (1, None) => lower.push(scope.affine_sum(&bound)?),
                (-1, _) => upper.push(scope.affine_sum(&bound)?),
                _ => {}
            }
        }
        if lower.is_empty() {
            return Err(Error::Invalid {
                operation: "loop generation",
                reason: format!("the values of dimension {level} have no lower bound"),
            });
        }
        lower.sort_by_key(Sum::depth);
        upper.sort_by_key(Sum::depth);
        Ok(ForLoop {
            init: AstExpr::max(lower.into_iter().map(Sum::into_expr).collect()),
            condition: upper_condition(&iterator, upper, self.options.atomic_upper_bound),
            increment: stride.map_or(Int::ONE, |stride| stride.modulus.clone()),
            body: Box::new(AstNode::Block(Vec::new())),
            degenerate: false,
            coincident: false,
            dimension: level,
            annotation: None,
            iterator,
        })
    }
}

/// `iterator <= min(bounds)`, or `<` where that makes more of the constants vanish.
///
/// No bound at all means a loop without end.
fn upper_condition(iterator: &Name, bounds: Vec<Sum>, atomic: bool) -> AstExpr {
    if !atomic && bounds.len() > 1 {
        let each = bounds.into_iter().map(|bound| upper_condition(iterator, vec![bound], true));
        return AstExpr::And(each.collect());
    }
    if bounds.is_empty() {
        return AstExpr::int(1);
    }
    let least = |offset: i64| {
        let zero = -Int::from(offset);
        bounds.iter().filter(|bound| *bound.constant_part() != zero).count()
    };
    let strict = least(1) < least(0) && !(bounds.len() == 1 && bounds[0].as_constant().is_some());
    let operand = |mut bound: Sum| {
        if strict {
            bound.add_constant(&Int::ONE);
        }
        bound.into_expr()
    };
    let left = Box::new(AstExpr::Id(iterator.clone()));
    let right = Box::new(AstExpr::min(bounds.into_iter().map(operand).collect()));
    if strict { AstExpr::Lt(left, right) } else { AstExpr::Le(left, right) }
}
