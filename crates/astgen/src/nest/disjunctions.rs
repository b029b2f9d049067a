//! Conditions without disjunctions.
use crate::nest::guard::{block, under};
use crate::nest::tree::Nest;
use loopwright_presburger::{Budget, Error, Local, Result, Set};

/// The nest with every condition that has several alternatives replaced by one condition for each,
/// and code for each: in `else` branches, or, if there are to be none, under conditions that exclude
/// each other.
///
/// A condition whose alternatives cannot be made exclusive within the budget stays.
pub(crate) fn without_disjunctions(nest: Nest, allow_else: bool, budget: &Budget) -> Result<Nest> {
    let nest = nest.map_children(&mut |child| without_disjunctions(child, allow_else, budget))?;
    match nest {
        Nest::If { condition, then, otherwise } if allow_else => {
            Ok(chain(alternatives(&condition, budget)?, &then, otherwise))
        }
        Nest::If { condition, then, .. } => row(&condition, then, budget),
        other => Ok(other),
    }
}

/// The alternatives of a condition, with floors in place of existentials.
fn alternatives(condition: &Set, budget: &Budget) -> Result<Vec<Set>> {
    let unknown = |local: &Local| matches!(local, Local::Unknown);
    let pieces = condition.as_map().basic_maps();
    let explicit = match pieces.iter().any(|basic| basic.locals().iter().any(unknown)) {
        true => condition.make_locals_explicit(budget)?,
        false => condition.clone(),
    };
    Ok(explicit.basic_sets().into_iter().map(Set::from_basic_set).collect())
}

/// `if (a) then else if (b) then else otherwise`.
fn chain(alternatives: Vec<Set>, then: &Nest, otherwise: Option<Box<Nest>>) -> Nest {
    let mut rest = otherwise;
    for condition in alternatives.into_iter().rev() {
        let then = Box::new(then.clone());
        rest = Some(Box::new(Nest::If { condition, then, otherwise: rest }));
    }
    rest.map_or(Nest::Block(Vec::new()), |nest| *nest)
}

/// `if (a) then; if (b and not a) then`.
fn row(condition: &Set, then: Box<Nest>, budget: &Budget) -> Result<Nest> {
    if condition.as_map().basic_maps().len() <= 1 && alternatives(condition, budget)?.len() <= 1 {
        return Ok(under(condition.clone(), *then));
    }
    let exclusive = match condition.make_disjoint(budget) {
        Ok(exclusive) => alternatives(&exclusive, budget)?,
        Err(Error::Exceeded { .. }) => vec![condition.clone()],
        Err(other) => return Err(other),
    };
    let conditions = exclusive.into_iter().map(|condition| under(condition, (*then).clone()));
    Ok(block(conditions.collect()))
}
