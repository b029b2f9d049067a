//! Which instance of a sequential program an instance of a multifor statement stands for.
//!
//! Statements match where their bodies are the same operations on the same variables, whatever the names of
//! indices; instances match where all subscripts and integer expressions have the same values. So the loops
//! of a multifor statement may divide those of the program in any way. Each instance has to have exactly one
//! partner.
use crate::error::MultiforError;
use crate::legality::program_order;
use crate::model::Model;
use crate::multifor::Multifor;
use loopwright_cfront::{Code, Region};
use loopwright_presburger::{Budget, Error, Map, PwAff, Result};
use loopwright_scop::{Scop, Statement, StatementId, Term, TermKind};
use std::collections::BTreeMap;

/// For each statement of the model the order of its instances in another region.
///
/// # Errors
/// Instances without a partner, or with several; limits.
pub(crate) fn order_in_region(
    multifor: &Multifor,
    model: &Model,
    original: &Region,
    budget: &Budget,
) -> std::result::Result<BTreeMap<StatementId, Map>, MultiforError> {
    let start = multifor.syntax.start;
    let of_sets = |error: Error| MultiforError::of_sets(start, &error);
    let times = program_order(&original.scop, budget).map_err(of_sets)?;
    let mut found: BTreeMap<StatementId, Map> = BTreeMap::new();
    let mut images: BTreeMap<StatementId, loopwright_presburger::Set> = BTreeMap::new();
    for (statement, body) in model.statements() {
        let mut covered = loopwright_presburger::Set::empty(statement.domain.space().clone());
        for other in original.scop.statements.iter().filter(|other| !other.is_kill) {
            let partners = partners(&model.region.scop, statement, &original.scop, other, budget)
                .map_err(of_sets)?;
            let Some(partners) = partners else { continue };
            let make = || -> Result<_> {
                let time = partners.apply_range_within(&times[&other.id], budget)?;
                let image = partners.range();
                let before = images.get(&other.id);
                let is_new = match before {
                    Some(before) => before.is_disjoint(&image, budget)?,
                    None => true,
                };
                let image = before.map_or(Ok(image.clone()), |before| before.union(&image))?;
                let is_one = partners.is_bijective(budget)?
                    && covered.is_disjoint(&partners.domain(), budget)?;
                Ok((time, partners.domain(), image, is_new && is_one))
            };
            let (time, domain, image, is_one) = make().map_err(of_sets)?;
            if !is_one {
                return Err(unmatched(multifor, body, "has several partners in"));
            }
            covered = covered.union(&domain).map_err(of_sets)?;
            images.insert(other.id, image);
            let all = match found.remove(&statement.id) {
                Some(all) => all.union(&time).map_err(of_sets)?,
                None => time,
            };
            found.insert(statement.id, all);
        }
        if !statement.domain.is_subset(&covered, budget).map_err(of_sets)? {
            return Err(unmatched(multifor, body, "has no partner in"));
        }
    }
    for other in original.scop.statements.iter().filter(|other| !other.is_kill) {
        let is_covered = match images.get(&other.id) {
            Some(image) => other.domain.is_subset(image, budget).map_err(of_sets)?,
            None => other.domain.is_empty(budget).map_err(of_sets)?,
        };
        if !is_covered {
            let message = format!(
                "the multifor statement does not execute all instances of the statement at line {} of the sequential program",
                other.location.line
            );
            return Err(MultiforError::new(Code::UnsupportedStatement, start, message));
        }
    }
    Ok(found)
}

fn unmatched(multifor: &Multifor, body: usize, what: &str) -> MultiforError {
    let body = &multifor.bodies[body];
    let message = format!(
        "an instance of the statement at line {} of loop {} {what} the sequential program",
        body.statement.line, body.nest
    );
    MultiforError::new(Code::UnsupportedStatement, body.statement.start, message)
}

/// The pairs of instances of two statements that do the same; none if the bodies are different.
fn partners(
    scop: &Scop,
    statement: &Statement,
    other_scop: &Scop,
    other: &Statement,
    budget: &Budget,
) -> Result<Option<Map>> {
    let (Some(a), Some(b)) = (statement.body.root(), other.body.root()) else { return Ok(None) };
    let mut pairs = Vec::new();
    if !is_same(scop, a, other_scop, b, &mut pairs) {
        return Ok(None);
    }
    let other_space = other.domain.space();
    let space = statement.domain.space().map_to(other_space);
    let mut all = Map::universe(space);
    for (one, other) in pairs {
        let equal = one.eq_map(other)?;
        all = all.intersect_within(&equal, budget)?;
    }
    let all = all
        .intersect_domain_within(&statement.domain, budget)?
        .intersect_range_within(&other.domain, budget)?;
    Ok(if all.is_empty(budget)? { None } else { Some(all) })
}

/// Whether two terms are the same operations on the same variables; collects the expressions that have to be
/// equal.
fn is_same<'a>(
    scop: &Scop,
    a: &'a Term,
    other_scop: &Scop,
    b: &'a Term,
    pairs: &mut Vec<(&'a PwAff, &'a PwAff)>,
) -> bool {
    let (a, b) = (a.without_parentheses(), b.without_parentheses());
    match (a.kind(), b.kind()) {
        (TermKind::Affine(x), TermKind::Affine(y)) => {
            pairs.push((&x.0, &y.0));
            true
        }
        (TermKind::Element(x), TermKind::Element(y)) => {
            pairs.extend(x.subscripts.iter().zip(&y.subscripts));
            scop.array(x.array).name == other_scop.array(y.array).name
                && x.base == y.base
                && x.subscripts.len() == y.subscripts.len()
        }
        (x, y) => {
            let words = |term: &Term| -> Vec<String> {
                let texts = term.texts().iter().flat_map(|text| text.split_whitespace());
                texts.map(str::to_string).collect()
            };
            x == y
                && words(a) == words(b)
                && a.children().len() == b.children().len()
                && a.children()
                    .iter()
                    .zip(b.children())
                    .all(|(a, b)| is_same(scop, a, other_scop, b, pairs))
        }
    }
}
