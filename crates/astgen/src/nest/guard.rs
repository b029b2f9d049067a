//! Conditions: where they are checked, and which need not be.
use crate::level::degenerate_dimensions::value_constraint;
use crate::level::half_space::{half_space, negation};
use crate::level::plain_sets::is_universe;
use crate::nest::tree::{Graft, Loop, Nest};
use loopwright_presburger::*;

/// Splits a condition at depth `level + 1` into a part at depth `level`, which can be checked
/// outside of the loop over dimension `level`, and the rest.
///
/// Of a condition with several alternatives, the constraints that all alternatives share can move.
pub(crate) fn hoisted(guard: &Set, level: usize, budget: &Budget) -> Result<(Set, Set)> {
    let drop_level = |set: &Set| set.project_out(DimKind::Out, level, 1);
    if is_universe(guard) || !guard.involves_dims(DimKind::Out, level, 1) {
        return Ok((drop_level(guard), Set::universe(guard.space().clone())));
    }
    let shared = match guard.as_map().basic_maps() {
        [_] => guard.clone(),
        _ => Set::from_basic_set(guard.unshifted_simple_hull(budget)?),
    };
    let outer = shared.drop_constraints_involving_dims(DimKind::Out, level, 1);
    if is_universe(&outer) {
        return Ok((drop_level(&outer), guard.clone()));
    }
    let inner = guard.gist(&outer, budget)?;
    Ok((drop_level(&outer), inner))
}

/// The condition common to all grafts, and the grafts without it.
pub(crate) fn common_guard(
    mut grafts: Vec<Graft>,
    space: &Space,
    budget: &Budget,
) -> Result<(Set, Vec<Graft>)> {
    let universe = Set::universe(space.clone());
    let Some((first, rest)) = grafts.split_first() else {
        return Ok((universe, grafts));
    };
    if grafts.iter().any(|graft| is_universe(&graft.guard)) {
        return Ok((universe, grafts));
    }
    if all_equal(&first.guard, rest, budget)? {
        let guard = first.guard.clone();
        for graft in &mut grafts {
            graft.guard = universe.clone();
        }
        return Ok((guard, grafts));
    }
    let mut union = first.guard.clone();
    for graft in rest {
        union = union.union(&graft.guard)?;
    }
    let shared = Set::from_basic_set(union.unshifted_simple_hull(budget)?);
    if is_universe(&shared) {
        return Ok((universe, grafts));
    }
    for graft in &mut grafts {
        graft.guard = graft.guard.gist(&shared, budget)?;
    }
    Ok((shared, grafts))
}

fn all_equal(guard: &Set, rest: &[Graft], budget: &Budget) -> Result<bool> {
    for graft in rest {
        if !same(guard, &graft.guard, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two conditions are the same, syntactically if possible.
pub(crate) fn same(a: &Set, b: &Set, budget: &Budget) -> Result<bool> {
    if is_universe(a) || is_universe(b) {
        return Ok(is_universe(a) && is_universe(b));
    }
    match a.is_equal(b, budget) {
        Err(Error::Exceeded { .. }) => Ok(false),
        other => other,
    }
}

/// The nest under a condition, which may be trivial.
pub(crate) fn under(condition: Set, nest: Nest) -> Nest {
    if is_universe(&condition) {
        return nest;
    }
    Nest::If { condition, then: Box::new(nest), otherwise: None }
}

/// The nests one after the other.
pub(crate) fn block(mut nests: Vec<Nest>) -> Nest {
    if nests.len() == 1 { nests.remove(0) } else { Nest::Block(nests) }
}

/// Removes from `pending`, a condition around `nest`, the constraints without which `nest`
/// executes nothing anyway because the bounds of its loops exclude it.
///
/// `known` is known without `pending`.
pub(crate) fn without_enforced(
    pending: &Set,
    nest: &Nest,
    known: &Set,
    budget: &Budget,
) -> Result<Set> {
    let [basic] = pending.as_map().basic_maps() else {
        return Ok(pending.clone());
    };
    let mut kept = Vec::new();
    for constraint in basic.constraints() {
        let mut enforced = true;
        for violation in violations(basic, &constraint) {
            enforced = enforced && excludes(nest, &known.intersect(&violation)?, budget)?;
        }
        if !enforced {
            kept.push(constraint);
        }
    }
    let locals = basic.locals().to_vec();
    let rest = BasicMap::from_constraints(basic.space().clone(), locals, kept);
    Ok(Set::from_basic_set(BasicSet::from_basic_map(rest)))
}

/// The points that violate a constraint: one set, or two for an equality.
fn violations(basic: &BasicMap, constraint: &Constraint) -> Vec<Set> {
    let mut violations = vec![half_space(basic, negation(&constraint.row))];
    if constraint.is_equality {
        let mut above = constraint.row.clone();
        above.add_at(0, &Int::MINUS_ONE);
        violations.push(half_space(basic, above));
    }
    violations
}

/// Whether the nest executes nothing at the points of `state`, by the bounds of its loops.
///
/// A value or the offset of a stride that is a fraction does not count: it is right only where it
/// is an integer, which nobody checks at run time unless a condition does.
fn excludes(nest: &Nest, state: &Set, budget: &Budget) -> Result<bool> {
    match nest {
        Nest::For(each) => {
            let Loop { level, bounds, stride, body, .. } = &**each;
            let mut inner = state
                .insert_dims(DimKind::Out, *level, 1)
                .intersect(&Set::from_basic_set(bounds.clone()))?;
            if inner.is_empty(budget)? {
                return Ok(true);
            }
            if let Some(stride) = stride
                && stride.offset.denominator().is_one()
            {
                inner = inner.intersect(&stride.constraint(*level))?;
            }
            excludes(body, &inner, budget)
        }
        Nest::Value { level, value, body } => {
            let mut inner = state.insert_dims(DimKind::Out, *level, 1);
            if value.denominator().is_one() {
                inner = inner.intersect(&value_constraint(value, *level))?;
            }
            excludes(body, &inner, budget)
        }
        Nest::If { condition, then, otherwise: None } => {
            let inner = state.intersect(condition)?;
            Ok(inner.is_empty(budget)? || excludes(then, &inner, budget)?)
        }
        Nest::If { .. } | Nest::User { .. } | Nest::Leaf { .. } => Ok(false),
        Nest::Block(children) => {
            for child in children {
                if !excludes(child, state, budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Nest::Known { condition, body } => excludes(body, &state.intersect(condition)?, budget),
        Nest::Mark { child, .. } => excludes(child, state, budget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 5.7 of the paper: what all conditions share is checked once, outside of what differs.
    #[test]
    fn shared_constraints_leave_the_guards() {
        let budget = Budget::unlimited();
        let set = |text| Set::parse(text).expect("a set");
        let space = set("{ [t] }").space().clone();
        let user = || Nest::User {
            statement: Space::set(&[], Tuple::named("S", 0)),
            instance: PwMultiAff::from_multi_aff(
                MultiAff::new(space.map_to(&Space::set(&[], Tuple::named("S", 0))), Vec::new())
                    .expect("no coordinates"),
            ),
        };
        let guards = ["{ [t] : 2 <= t <= 6 }", "{ [t] : t >= 2 }", "{ [t] : 2 <= t <= 8 }"];
        let grafts = guards.iter().map(|text| Graft { guard: set(text), nest: user() }).collect();
        let (common, rest) = common_guard(grafts, &space, &budget).expect("no limit");
        let same = |a: &Set, b: &Set| a.is_equal(b, &budget).expect("no limit");
        assert!(same(&common, &set("{ [t] : t >= 2 }")), "{common}");
        let left = ["{ [t] : t <= 6 }", "{ [t] }", "{ [t] : t <= 8 }"];
        for (graft, left) in rest.iter().zip(left) {
            assert!(same(&graft.guard, &set(left)), "{}", graft.guard);
        }
    }
}
