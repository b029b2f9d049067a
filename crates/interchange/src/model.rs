//! What all formats with sets in isl's notation have in common.
use loopwright_presburger::{Budget, DimKind, Error, Map, Name, Result, Set, Space};
use loopwright_schedule::yaml::Value;
use loopwright_scop::{Array, Parameter, Scop, Statement};

/// The parameters of a context and of statements, those of the context first.
pub(crate) fn all_parameters<'a>(
    context: &Set,
    statements: impl IntoIterator<Item = &'a Statement>,
) -> Space {
    let mut space = context.space().to_params();
    for statement in statements {
        space = space.merge_params(&statement.domain.space().to_params());
        for access in &statement.accesses {
            space = space.merge_params(&access.relation.space().to_params());
        }
    }
    space
}

/// The parameters of a space, with what a list of our own says about them: `parameters`, of
/// `name`, `type` and, where there is no variable of that name, the expression that has the `value`.
pub(crate) fn parameters(space: &Space, value: &Value<'_>) -> Result<Vec<Parameter>> {
    let int = |name: &Name| Parameter { name: name.clone(), c_type: INT.to_string(), value: None };
    let mut parameters: Vec<Parameter> = space.param_names().iter().map(int).collect();
    for item in list(value, "parameters")? {
        let name = required(item, "name")?.text();
        let found = parameters.iter_mut().find(|parameter| *parameter.name == *name);
        let Some(parameter) = found else { continue };
        if let Some(c_type) = item.get("type") {
            parameter.c_type = c_type.text().to_string();
        }
        parameter.value = item.get("value").map(|value| value.text().to_string());
    }
    Ok(parameters)
}

/// The parameters that a reader would not know enough of: those that are no variables of type `int`.
pub(crate) fn special_parameters(scop: &Scop) -> Vec<&Parameter> {
    let is_special = |parameter: &&Parameter| parameter.c_type != INT || parameter.value.is_some();
    scop.parameters.iter().filter(is_special).collect()
}

/// The type of a parameter of which only the name is known.
const INT: &str = "int";

/// The value of a key that has to be there.
pub(crate) fn required<'v, 'a>(value: &'v Value<'a>, key: &str) -> Result<&'v Value<'a>> {
    value.get(key).ok_or_else(|| value.error(format_args!("expected `{key}`")))
}

/// The items under a key; none if the key is absent.
pub(crate) fn list<'v, 'a>(value: &'v Value<'a>, key: &str) -> Result<&'v [Value<'a>]> {
    value.get(key).map_or(Ok(&[]), Value::items)
}

/// The place of a variable, which is added if it is not known.
///
/// # Errors
/// A text if the variable has another number of dimensions.
pub(crate) fn position_of(
    arrays: &mut Vec<Array>,
    name: &str,
    n_dims: usize,
    new: impl FnOnce() -> Array,
) -> std::result::Result<usize, String> {
    match arrays.iter().position(|array| &*array.tuple_name == name) {
        Some(position) if arrays[position].extents.len() == n_dims => Ok(position),
        Some(position) => Err(format!(
            "`{name}` has {n_dims} subscripts here and {} dimensions elsewhere",
            arrays[position].extents.len()
        )),
        None => {
            arrays.push(new());
            Ok(arrays.len() - 1)
        }
    }
}

/// Dimensions of a kind beyond this are refused in all formats: they bound the size of relations, which
/// numbers in a file only announce.
pub(crate) const MOST_DIMENSIONS: usize = 256;

/// What is too large in a statement, if anything.
pub(crate) fn too_many_dimensions(statement: &Statement) -> Option<String> {
    let space = statement.domain.space();
    let kinds = [(DimKind::Param, "parameters"), (DimKind::Out, "dimensions")];
    let (_, name) = kinds.iter().find(|(kind, _)| space.n(*kind) > MOST_DIMENSIONS)?;
    Some(format!("`{}` has more than {MOST_DIMENSIONS} {name}", statement.name))
}

/// What is wrong with the times of some instances, if anything: each has one and only one.
pub(crate) fn problem_of_times(
    instances: &Set,
    times: &Map,
    budget: &Budget,
) -> Result<Option<&'static str>> {
    Ok(if !instances.is_subset(&times.domain(), budget)? {
        Some("some instances have no time")
    } else if !times.is_single_valued(budget)? {
        Some("some instances have several times")
    } else {
        None
    })
}

/// Errors of operations on sets with the line of what they are about.
pub(crate) fn located<T>(value: &Value<'_>, result: Result<T>) -> Result<T> {
    result.map_err(|error| match error {
        Error::Exceeded { .. } | Error::Parse { .. } => error,
        other => value.error(other),
    })
}
