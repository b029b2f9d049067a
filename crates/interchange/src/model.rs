//! What all formats with sets in isl's notation have in common.
use loopwright_presburger::{Budget, Error, Name, Result, Set, Space, UnionMap};
use loopwright_scop::{Array, Parameter, Scop, Statement};
use loopwright_schedule::yaml::Value;

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
    let parameter = |name: &Name| Parameter { name: name.clone(), c_type: "int".to_string() };
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

/// Whether every instance has a time and only one; else what is wrong, one sentence.
pub(crate) fn check_times(scop: &Scop, times: &UnionMap, budget: &Budget) -> Result<()> {
    let instances = crate::executed(scop)?.intersect_params(&scop.context)?;
    if !instances.is_subset(&times.domain(), budget)? {
        let missing = instances.subtract(&times.domain(), budget)?;
        let message = format!("some instances have no time: {missing}");
        return Err(Error::Parse { position: 0, message });
    }
    match times.is_single_valued(budget)? {
        true => Ok(()),
        false => {
            let message = "some instances have several times".to_string();
            Err(Error::Parse { position: 0, message })
        }
    }
}
