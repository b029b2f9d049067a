//! Writing files.
use super::expression_text::ExpressionText;
use crate::Foreign;
use crate::model::special_parameters;
use loopwright_presburger::{Budget, DimKind, Result, Set, Space, Tuple, UnionMap};
use loopwright_schedule::yaml::quote;
use loopwright_scop::{Access, AccessKind, Array, Element, Scop, Statement};

/// Writes a region.
pub(crate) fn write(region: &Foreign, budget: &Budget) -> Result<String> {
    let (scop, place) = (&region.scop, &region.place);
    let mut text = format!("start: {}\nend: {}\n", place.bytes.0, place.bytes.1);
    text.push_str(&format!("indent: {}\n", text_scalar(&place.indentation)));
    text.push_str(&format!("context: {}\n", quote(&scop.context.to_string())));
    text.push_str(&parameters_text(scop));
    text.push_str(&format!("schedule: {}\n", text_scalar(&scop.schedule.to_string())));
    text.push_str(if scop.arrays.is_empty() { "arrays: []\n" } else { "arrays:\n" });
    for array in &scop.arrays {
        text.push_str(&array_text(scop, array)?);
    }
    text.push_str(if scop.statements.is_empty() { "statements: []\n" } else { "statements:\n" });
    let mut next_reference = 0;
    for statement in &scop.statements {
        text.push_str(&statement_text(scop, statement, &mut next_reference, budget)?);
    }
    Ok(text)
}

/// A list of our own, if there is anything to say about parameters.
fn parameters_text(scop: &Scop) -> String {
    let special = special_parameters(scop);
    let mut text = String::from(if special.is_empty() { "" } else { "parameters:\n" });
    for parameter in special {
        let (name, c_type) = (quote(&parameter.name), quote(&parameter.c_type));
        text.push_str(&format!("- name: {name}\n  type: {c_type}\n"));
        if let Some(value) = &parameter.value {
            text.push_str(&format!("  value: {}\n", quote(value)));
        }
    }
    text
}

/// A text in quotes with its line breaks.
fn text_scalar(text: &str) -> String {
    quote(text.trim_end_matches('\n')).replace('\n', "\\n").replace('\t', "\\t")
}

fn array_text(scop: &Scop, array: &Array) -> Result<String> {
    let params = scop.context.space().to_params();
    let tuple = Tuple::named(&array.tuple_name, array.extents.len());
    let space = params.with_tuples(None, Some(tuple));
    let mut extent = Set::universe(space);
    for (dimension, size) in array.extents.iter().enumerate() {
        extent = extent.lower_bound(DimKind::Out, dimension, &0.into());
        if let Some(size) = size {
            extent = extent.intersect(&below(&extent, dimension, size)?)?;
        }
    }
    let mut text = format!(
        "- context: \"{{  :  }}\"\n  extent: {}\n  element_type: {}\n  element_size: {}\n",
        quote(&extent.to_string()),
        quote(&array.element_type),
        array.element_bytes.unwrap_or(0)
    );
    if array.name != array.tuple_name {
        text.push_str(&format!("  name: {}\n", quote(&array.name)));
    }
    if array.is_member {
        text.push_str("  member: 1\n");
    }
    if array.declared_in_scop {
        text.push_str("  declared: 1\n");
    }
    match (array.declared_in_scop, array.live_out) {
        (true, true) => text.push_str("  exposed: 1\n"),
        (false, false) => text.push_str("  live_out: 0\n"),
        _ => {}
    }
    Ok(text)
}

/// The elements whose coordinate along a dimension is less than `size`, an expression over the
/// parameters.
fn below(elements: &Set, dimension: usize, size: &loopwright_presburger::PwAff) -> Result<Set> {
    use loopwright_presburger::{Aff, PwAff};
    let coordinate = Aff::variable(elements.space(), DimKind::Out, dimension);
    let tuple = elements.space().output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let size = size.insert_domain(&tuple)?;
    PwAff::from_aff(coordinate).lt_set(&size)
}

fn statement_text(
    scop: &Scop,
    statement: &Statement,
    next_reference: &mut usize,
    budget: &Budget,
) -> Result<String> {
    let line = if statement.is_kill { -1 } else { i64::from(statement.location.line) };
    let mut text = format!(
        "- line: {line}\n  domain: {}\n  body:\n    type: expression\n    expr:\n",
        quote(&statement.domain.to_string())
    );
    if statement.is_kill {
        text.push_str(&kill_text(statement, next_reference)?);
        return Ok(text);
    }
    let first_reference = *next_reference;
    let mut writer = ExpressionText { scop, statement, next_reference, lines: Vec::new() };
    let has_form = match statement.body.root() {
        Some(root) if statement.body.hidden().is_empty() => writer.write(root, 6)?.is_some(),
        _ => false,
    };
    let lines = writer.lines;
    let shown = format!("{text}{}\n", lines.join("\n"));
    let is_shown = has_form && shows_accesses(statement, &shown, budget)?;
    if is_shown && has_plain_elements(scop, statement) {
        return Ok(shown);
    }
    if !is_shown {
        *next_reference = first_reference;
        text.push_str(&accesses_text(statement, next_reference)?);
    } else {
        text = shown;
    }
    text.push_str(&format!("  text:\n{}", scop.body_to_yaml(statement)));
    Ok(text)
}

/// Whether all elements of a body are written as the tuples of their arrays.
fn has_plain_elements(scop: &Scop, statement: &Statement) -> bool {
    let tuple_name = |element: &Element| &scop.array(element.array).tuple_name;
    statement.body.elements().into_iter().all(|element| element.base.is_named(tuple_name(element)))
}

/// A call with all accesses as arguments, for a body that is no expression.
fn accesses_text(statement: &Statement, next_reference: &mut usize) -> Result<String> {
    let mut text = format!("      type: call\n      name: {}\n", quote(&statement.name));
    let accesses = statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill);
    for (position, access) in accesses.enumerate() {
        if position == 0 {
            text.push_str("      arguments:\n");
        }
        let key = match access.kind {
            AccessKind::MustWrite => "must_write",
            AccessKind::MayWrite => "may_write",
            AccessKind::Read | AccessKind::Kill => "may_read",
        };
        let reads = u8::from(access.kind == AccessKind::Read);
        text.push_str(&whole_access_text(access, key, next_reference)?);
        text.push_str(&format!("        read: {reads}\n        write: {}\n", 1 - reads));
    }
    Ok(text)
}

/// An argument that is a whole variable, with the elements that are accessed under a key.
fn whole_access_text(access: &Access, key: &str, next_reference: &mut usize) -> Result<String> {
    let space = access.relation.space();
    let n_dims = space.n(DimKind::Out);
    let name = space.output().and_then(|tuple| tuple.name()).cloned();
    let whole = Tuple::anonymous(0).with_name(name);
    let index = space.with_tuples(space.input().cloned(), Some(whole));
    let index = loopwright_presburger::MultiAff::new(index, Vec::new())?;
    let text = format!(
        "      - type: access\n        {key}: {}\n        index: {}\n        depth: {n_dims}\n        \
         reference: __pet_ref_{next_reference}\n",
        quote(&access.relation.to_string()),
        quote(&index.to_string())
    );
    *next_reference += 1;
    Ok(text)
}

fn kill_text(statement: &Statement, next_reference: &mut usize) -> Result<String> {
    let mut text = String::from("      type: op\n      operation: kill\n");
    let kills = statement.accesses.iter().filter(|access| access.kind == AccessKind::Kill);
    let kills: Vec<&Access> = kills.collect();
    if !kills.is_empty() {
        text.push_str("      arguments:\n");
    }
    for access in kills {
        text.push_str(&whole_access_text(access, "killed", next_reference)?);
        text.push_str("        kill: 1\n");
    }
    Ok(text)
}

/// Whether the accesses that an expression shows are those of the model.
fn shows_accesses(statement: &Statement, text: &str, budget: &Budget) -> Result<bool> {
    let value = loopwright_schedule::yaml::Value::parse(text)?;
    let mut found = Vec::new();
    super::expression::accesses(&value, &mut found)?;
    let domain = &statement.domain;
    for kind in [AccessKind::Read, AccessKind::MustWrite, AccessKind::MayWrite] {
        let own = statement.accesses.iter().filter(|a| a.kind == kind).map(|a| a.relation.clone());
        let shown = found.iter().filter(|access| access.kind == kind);
        let shown: Result<Vec<_>> =
            shown.map(|access| access.relation.intersect_domain(domain)).collect();
        let params = Space::params(&[]);
        let own = union(&params, own)?;
        if !own.is_equal(&union(&params, shown?)?, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn union(
    params: &Space,
    maps: impl IntoIterator<Item = loopwright_presburger::Map>,
) -> Result<UnionMap> {
    let empty = UnionMap::from_maps(params, []);
    maps.into_iter().try_fold(empty, |all, map| all.union(&UnionMap::from_map(map)))
}
