//! What all formats with sets in isl's notation have in common.
use loopwright_presburger::{Budget, Error, Map, Name, Result, Set, Space};
use loopwright_schedule::yaml::Value;
use loopwright_scop::{Array, Parameter, Statement};

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

/// Parameters of which only the names are known.
pub(crate) fn int_parameters(space: &Space) -> Vec<Parameter> {
    let parameter =
        |name: &Name| Parameter { name: name.clone(), c_type: "int".to_string(), value: None };
    space.param_names().iter().map(parameter).collect()
}

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
