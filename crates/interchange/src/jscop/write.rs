//! Writing files.
use crate::model::special_parameters;
use crate::{Foreign, executed};
use loopwright_presburger::{Aff, Budget, Map, MultiAff, PwMultiAff, Result, Tuple};
use loopwright_scop::{AccessKind, Array, Parameter, Scop, Statement};
use serde_json::{Value, json};

/// Writes a region. Kill statements are left out: Polly would run them.
pub(crate) fn write(region: &Foreign, _budget: &Budget) -> Result<String> {
    let scop = &region.scop;
    let times = times(scop)?;
    let statements = scop.statements.iter().filter(|statement| !statement.is_kill);
    let statements: Vec<Value> =
        statements.map(|statement| statement_json(statement, &times)).collect();
    let name = if region.name.is_empty() { "region" } else { &region.name };
    let mut whole = json!({
        "name": name,
        "context": scop.context.to_string(),
        "arrays": scop.arrays.iter().map(array_json).collect::<Vec<Value>>(),
        "statements": statements,
    });
    let parameters: Vec<Value> = special_parameters(scop).into_iter().map(parameter_json).collect();
    if !parameters.is_empty() {
        whole["parameters"] = parameters.into();
    }
    Ok(format!("{whole:#}\n"))
}

/// What a member of our own says about a parameter.
fn parameter_json(parameter: &Parameter) -> Value {
    let mut about = json!({ "name": &*parameter.name, "type": parameter.c_type });
    if let Some(value) = &parameter.value {
        about["value"] = json!(value);
    }
    about
}

/// The order as one relation per statement, without the instances.
fn times(scop: &Scop) -> Result<Vec<Map>> {
    let order = scop.schedule.intersect_domain(&executed(scop)?)?;
    let pieces = order.flat_pieces()?;
    let flat = order.flatten()?;
    let mut times = Vec::new();
    for map in flat.maps() {
        let mut own = pieces
            .iter()
            .filter(|piece| piece.domain.space().has_equal_tuples(&map.space().domain()));
        let simple = match (own.next(), own.next()) {
            (Some(single), None) => {
                let space = single.domain.space();
                let time = Tuple::anonymous(single.schedule.len());
                let space = space.to_params().with_tuples(space.output().cloned(), Some(time));
                let values: Vec<Aff> = single.schedule.clone();
                Some(PwMultiAff::from_multi_aff(MultiAff::new(space, values)?).to_map())
            }
            _ => None,
        };
        times.push(simple.unwrap_or_else(|| map.clone()));
    }
    Ok(times)
}

fn statement_json(statement: &Statement, times: &[Map]) -> Value {
    let is_own = |map: &&Map| map.space().domain().has_equal_tuples(statement.domain.space());
    let time = times.iter().find(is_own).map_or(String::new(), Map::to_string);
    let accesses = statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill);
    let accesses: Vec<Value> = accesses
        .map(|access| {
            let kind = match access.kind {
                AccessKind::Read => "read",
                AccessKind::MayWrite => "may write",
                AccessKind::MustWrite | AccessKind::Kill => "write",
            };
            json!({ "kind": kind, "relation": access.relation.to_string() })
        })
        .collect();
    json!({
        "name": &*statement.name,
        "domain": statement.domain.to_string(),
        "schedule": time,
        "accesses": accesses,
    })
}

fn array_json(array: &Array) -> Value {
    let sizes: Vec<String> = array
        .extents
        .iter()
        .map(|extent| {
            let constant = extent.as_ref().and_then(|extent| extent.as_aff()?.constant_value());
            constant.map_or("*".to_string(), |size| size.to_string())
        })
        .collect();
    json!({ "name": &*array.tuple_name, "sizes": sizes, "type": array_type(array) })
}

/// The type as LLVM calls it; the C type where that is not known.
fn array_type(array: &Array) -> String {
    use loopwright_scop::ElementKind::{Signed, Unsigned};
    match (array.element_kind, array.element_bytes) {
        (Signed | Unsigned, Some(bytes @ 1..=8)) => format!("i{}", bytes * 8),
        _ => array.element_type.clone(),
    }
}
