//! Reading files.
use super::statement::statement;
use crate::affine_text::pw_aff_text;
use crate::kept_in_memory::keep_in_memory;
use crate::model::{all_parameters, list, located, parameters, required, too_many_dimensions};
use crate::unknown_array::unknown_array;
use crate::{Foreign, Place, executed};
use loopwright_presburger::{Budget, Int, Name, PwAff, Result, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_schedule::yaml::{Kind, Value};
use loopwright_scop::{Array, ElementKind, Scop, Statement};

/// Reads the region of a file.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Foreign> {
    let value = Value::parse(text)?;
    value.entries()?;
    let mut remarks = Vec::new();
    for (key, about) in [
        ("implications", "what the values of conditions imply is not used"),
        ("independences", "iterations that are said to be independent are not used"),
    ] {
        if value.get(key).is_some() {
            remarks.push(about.to_string());
        }
    }
    let mut arrays: Vec<Array> = Vec::new();
    for item in list(&value, "arrays")? {
        let array = located(item, array(item, budget))?;
        if arrays.iter().any(|known| known.tuple_name == array.tuple_name) {
            return Err(item.error(format_args!("a second array `{}`", array.name)));
        }
        arrays.push(array);
    }
    let mut statements: Vec<Statement> = Vec::new();
    for (position, item) in required(&value, "statements")?.items()?.iter().enumerate() {
        let (statement, remark) = located(item, statement(position, item, &mut arrays))?;
        if let Some(problem) = too_many_dimensions(&statement) {
            return Err(item.error(problem));
        }
        if statements.iter().any(|known| known.name == statement.name) {
            return Err(item.error(format_args!("a second statement `{}`", statement.name)));
        }
        statements.push(statement);
        remarks.extend(remark);
    }
    keep_in_memory(&mut statements, &arrays);
    let context = located(&value, context(&value))?;
    let params = all_parameters(&context, &statements);
    let schedule = required(&value, "schedule")?;
    let tree = match schedule.kind {
        Kind::Scalar(_) => schedule.read(ScheduleTree::parse)?,
        _ => located(schedule, ScheduleTree::from_yaml(schedule))?,
    };
    let scop = Scop {
        context: context.align_params(&params),
        parameters: parameters(&params, &value)?,
        arrays,
        statements,
        schedule: tree,
        assumptions: Vec::new(),
    };
    located(schedule, check_schedule(&scop, schedule, budget))?;
    Ok(Foreign { scop, name: String::new(), place: place(&value), remarks })
}

fn context(value: &Value<'_>) -> Result<Set> {
    let key = required(value, "context")?;
    let context = key.read(Set::parse)?;
    if !context.space().is_params() {
        return Err(key.error("expected a set of parameter values"));
    }
    match value.get("context_value") {
        Some(known) => context.intersect(&known.read(Set::parse)?),
        None => Ok(context),
    }
}

/// The order has to be one of all instances.
fn check_schedule(scop: &Scop, value: &Value<'_>, budget: &Budget) -> Result<()> {
    if let Some(problem) = scop.schedule.check(budget)?.first() {
        return Err(value.error(problem));
    }
    let instances = executed(scop)?.intersect_params(&scop.context)?;
    match instances.is_subset(&scop.schedule.domain, budget)? {
        true => Ok(()),
        false => Err(value.error("some instances are not in the domain of the schedule")),
    }
}

fn place(value: &Value<'_>) -> Place {
    let number = |key: &str| {
        let text = value.get(key).map(|number| number.text().trim().to_string());
        text.and_then(|text| text.parse().ok()).unwrap_or(0)
    };
    let indentation = value.get("indent").map_or(String::new(), |i| i.text().to_string());
    let is_blank = indentation.chars().all(char::is_whitespace) && indentation.len() <= 64;
    Place {
        bytes: (number("start"), number("end")),
        indentation: if is_blank { indentation } else { String::new() },
        ..Place::default()
    }
}

fn array(value: &Value<'_>, budget: &Budget) -> Result<Array> {
    let key = required(value, "extent")?;
    let extent = key.read(Set::parse)?;
    let Some(name) = extent.space().output().and_then(|tuple| tuple.name()).cloned() else {
        return Err(key.error("expected the elements of a variable"));
    };
    let flag = |key: &str| value.get(key).map_or(Ok(false), Value::flag);
    let n_dims = extent.n_dims();
    let mut array = unknown_array(&name, n_dims);
    for dimension in 0..n_dims {
        if let Some((size, text)) = size_of(&extent, dimension, budget) {
            array.extents[dimension] = Some(size);
            array.extent_texts[dimension] = text;
        }
    }
    if let Some(own) = value.get("name") {
        array.name = Name::from(own.text());
    }
    array.is_member = flag("member")?;
    if let Some(c_type) = value.get("element_type").map(Value::text)
        && !c_type.starts_with('<')
    {
        array.element_type = c_type.to_string();
        array.element_kind = kind_of(c_type);
    }
    array.element_bytes =
        value.get("element_size").and_then(|size| size.text().trim().parse().ok());
    array.declared_in_scop = flag("declared")? && !flag("exposed")?;
    array.live_out = match value.get("live_out") {
        Some(is_live) => is_live.flag()?,
        None => !array.declared_in_scop,
    };
    Ok(array)
}

/// The extent of a dimension, over the parameters, and its text.
fn size_of(extent: &Set, dimension: usize, budget: &Budget) -> Option<(PwAff, String)> {
    let largest = extent.dim_max(dimension, budget).ok()?;
    let [(_, largest)] = largest.pieces() else { return None };
    let size = PwAff::from_aff(largest.add_constant(&Int::from(1)));
    let names: Vec<String> =
        size.domain_space().param_names().iter().map(|name| name.to_string()).collect();
    let text = pw_aff_text(&size, &names, budget).ok()?;
    Some((size, text))
}

fn kind_of(c_type: &str) -> ElementKind {
    let mut words = c_type.split_whitespace();
    if words.clone().any(|word| matches!(word, "unsigned" | "_Bool" | "bool")) {
        ElementKind::Unsigned
    } else if words.clone().any(|word| matches!(word, "float" | "double")) {
        ElementKind::Floating
    } else if words.all(|word| matches!(word, "char" | "short" | "int" | "long" | "signed")) {
        ElementKind::Signed
    } else {
        ElementKind::Other
    }
}
