//! Reading files.
use crate::model::{
    all_parameters, list, located, parameters, position_of, problem_of_times, required,
    too_many_dimensions,
};
use crate::order::tree_from_map;
use crate::statement_call::statement_call;
use crate::unknown_array::unknown_array;
use crate::{Foreign, Place};
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, Map, Name, PwAff, Result, Set, Space, UnionMap,
};
use loopwright_schedule::ScheduleTree;
use loopwright_schedule::yaml::Value;
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, ElementKind, Location, ReferenceId, Scop, Statement,
    StatementId,
};

/// Reads the region of a file.
///
/// The syntax is checked as JSON; the places of values come from reading the same text as YAML, of
/// which JSON is a part.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Foreign> {
    let json: serde_json::Result<serde_json::Value> = serde_json::from_str(text);
    json.map_err(|error| {
        let lines = text.lines().take(error.line().saturating_sub(1));
        let position = lines.map(|line| line.len() + 1).sum::<usize>() + error.column();
        Error::Parse { position: position.min(text.len()), message: format!("not JSON: {error}") }
    })?;
    let value = Value::parse(text)?;
    value.entries()?;
    let mut arrays: Vec<Array> = Vec::new();
    for item in list(&value, "arrays")? {
        let array = array(item)?;
        if arrays.iter().any(|known| known.tuple_name == array.tuple_name) {
            return Err(item.error(format_args!("a second array `{}`", array.name)));
        }
        arrays.push(array);
    }
    let context = match value.get("context") {
        Some(context) => context.read(Set::parse)?,
        None => Set::universe(Space::params(&[])),
    };
    if !context.space().is_params() {
        return Err(required(&value, "context")?.error("expected a set of parameter values"));
    }
    let mut statements: Vec<Statement> = Vec::new();
    let mut times = Vec::new();
    for (position, item) in required(&value, "statements")?.items()?.iter().enumerate() {
        let statement = located(item, statement(position, item, &mut arrays))?;
        if let Some(problem) = too_many_dimensions(&statement) {
            return Err(item.error(problem));
        }
        if statements.iter().any(|known| known.name == statement.name) {
            return Err(item.error(format_args!("a second statement `{}`", statement.name)));
        }
        times.push(located(item, time(item, &statement, &context, budget))?);
        statements.push(statement);
    }
    let params = all_parameters(&context, &statements);
    let mut scop = Scop {
        context: context.align_params(&params),
        parameters: parameters(&params, &value)?,
        arrays,
        statements,
        schedule: ScheduleTree::from_domain(loopwright_presburger::UnionSet::empty()),
        assumptions: Vec::new(),
    };
    scop.schedule = tree_from_map(&UnionMap::from_maps(&params, times), budget)?;
    let name = value.get("name").map_or(String::new(), |name| name.text().to_string());
    let remarks =
        vec!["JSCoP has no text of statements: they are printed as calls `NAME(...)`".to_string()];
    Ok(Foreign { scop, name, place: Place::default(), remarks })
}

fn array(value: &Value<'_>) -> Result<Array> {
    let name = required(value, "name")?.text().to_string();
    let sizes = list(value, "sizes")?;
    let mut array = unknown_array(&name, sizes.len());
    for (dimension, size) in sizes.iter().enumerate() {
        if let Ok(size) = size.text().trim().parse::<Int>() {
            let space = Space::params(&[]);
            let extent = Aff::constant(&space, &size);
            array.extents[dimension] = Some(PwAff::from_aff(extent));
            array.extent_texts[dimension] = size.to_string();
        }
    }
    let known = value.get("type").and_then(|c_type| c_type_of(c_type.text()));
    if let Some((c_type, bytes, kind)) = known {
        array.element_type = c_type.to_string();
        array.element_bytes = Some(bytes);
        array.element_kind = kind;
    }
    Ok(array)
}

/// The C type, size and kind of a type of LLVM.
fn c_type_of(name: &str) -> Option<(&'static str, u64, ElementKind)> {
    Some(match name.trim() {
        "double" => ("double", 8, ElementKind::Floating),
        "float" => ("float", 4, ElementKind::Floating),
        "i64" => ("long", 8, ElementKind::Signed),
        "i32" => ("int", 4, ElementKind::Signed),
        "i16" => ("short", 2, ElementKind::Signed),
        "i8" => ("signed char", 1, ElementKind::Signed),
        _ => return None,
    })
}

fn statement(position: usize, value: &Value<'_>, arrays: &mut Vec<Array>) -> Result<Statement> {
    let name = Name::from(required(value, "name")?.text());
    let key = required(value, "domain")?;
    let domain = key.read(Set::parse)?;
    if domain.space().output().and_then(|tuple| tuple.name()) != Some(&name) {
        return Err(key.error(format_args!("expected a set of instances `{name}[...]`")));
    }
    let mut accesses = Vec::new();
    for (reference, item) in list(value, "accesses")?.iter().enumerate() {
        accesses.push(access(reference, item, &domain, arrays)?);
    }
    let n_dims = domain.n_dims();
    Ok(Statement {
        id: StatementId(u32::try_from(position).unwrap_or(u32::MAX)),
        body: statement_call(&name, &domain),
        name,
        iterators: (0..n_dims).map(|dimension| Name::from(format!("i{dimension}"))).collect(),
        iterator_types: vec!["int".to_string(); n_dims],
        accesses,
        domain,
        is_kill: false,
        location: Location { line: u32::try_from(value.line()).unwrap_or(0), column: 1 },
    })
}

fn access(
    position: usize,
    value: &Value<'_>,
    domain: &Set,
    arrays: &mut Vec<Array>,
) -> Result<Access> {
    let key = required(value, "kind")?;
    let word: String = key.text().chars().filter(|c| c.is_ascii_alphabetic()).collect();
    let kind = match word.to_ascii_lowercase().as_str() {
        "read" => AccessKind::Read,
        "write" | "mustwrite" => AccessKind::MustWrite,
        "maywrite" => AccessKind::MayWrite,
        _ => return Err(key.error("expected `read`, `write` or `may write`")),
    };
    let key = required(value, "relation")?;
    let relation = key.read(Map::parse)?;
    if !relation.space().domain().has_equal_tuples(domain.space()) {
        return Err(key.error("expected a relation from the instances of the statement"));
    }
    let Some(array) = relation.space().output().and_then(|tuple| tuple.name()).cloned() else {
        return Err(key.error("expected a relation to elements `ARRAY[...]`"));
    };
    let n_dims = relation.n(DimKind::Out);
    let array = position_of(arrays, &array, n_dims, || unknown_array(&array, n_dims))
        .map_err(|message| key.error(message))?;
    Ok(Access {
        reference: ReferenceId(u32::try_from(position).unwrap_or(u32::MAX)),
        array: ArrayId(u32::try_from(array).unwrap_or(u32::MAX)),
        kind,
        relation: relation.intersect_domain(domain)?,
    })
}

/// The times of the instances.
fn time(value: &Value<'_>, statement: &Statement, context: &Set, budget: &Budget) -> Result<Map> {
    let key = required(value, "schedule")?;
    let times = key.read(Map::parse)?;
    if !times.space().domain().has_equal_tuples(statement.domain.space()) {
        return Err(key.error("expected a relation from the instances of the statement"));
    }
    let times = times.intersect_domain(&statement.domain)?;
    let instances = statement.domain.intersect_params(context)?;
    match problem_of_times(&instances, &times, budget)? {
        Some(problem) => Err(key.error(problem)),
        None => Ok(times),
    }
}
