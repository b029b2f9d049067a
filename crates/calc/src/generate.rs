//! Code for sets, flat schedules and schedule trees; schedules for dependences.
use super::value::Value;
use loopwright_astgen::{Options, generate, generate_from_map};
use loopwright_presburger::{
    Budget, DimKind, Error, Int, Map, Result, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_scheduler::{Options as Goals, ScheduleConstraints, schedule};

fn anything() -> Set {
    Set::universe(Space::params(&[]))
}

/// The C text for a set, a flat schedule or a schedule tree.
pub(super) fn code(what: &Value, options: Option<&UnionMap>, budget: &Budget) -> Result<Value> {
    let schedule = match (what, what.first_of_pair()) {
        (Value::Schedule(tree), _) => {
            if options.is_some() {
                let reason = "the options of a schedule tree stand in the tree".to_owned();
                return Err(Error::Invalid { operation: "codegen", reason });
            }
            let ast = generate(tree, &anything(), &Options::STANDARD, budget)?;
            return Ok(Value::Code(ast.to_string()));
        }
        (Value::Set(set), _) => one_after_the_other(set)?,
        (Value::Map(map), _) => flat(map)?,
        (_, Some(first)) => return code(first, options, budget),
        _ => {
            let reason = format!("it is not defined for {}", what.noun());
            return Err(Error::Invalid { operation: "codegen", reason });
        }
    };
    let options = options.cloned().unwrap_or_else(UnionMap::empty);
    let ast = generate_from_map(&schedule, &anything(), &options, &Options::STANDARD, budget)?;
    Ok(Value::Code(ast.to_string()))
}

/// The schedule with times in anonymous tuples.
fn flat(schedule: &UnionMap) -> Result<UnionMap> {
    let flatten = |map: &Map| {
        let space = map.space();
        let output = space.output().map(Tuple::flatten);
        map.with_space_tuples(&space.with_tuples(space.input().cloned(), output))
    };
    let maps = schedule.maps().iter().map(flatten).collect::<Result<Vec<_>>>()?;
    Ok(UnionMap::from_maps(schedule.params_space(), maps))
}

/// Each set in lexicographic order, one set after the other.
fn one_after_the_other(domain: &UnionSet) -> Result<UnionMap> {
    let sets = domain.sets();
    let depth = sets.iter().map(Set::n_dims).max().unwrap_or(0);
    let needs_position = sets.len() > 1;
    let mut maps = Vec::new();
    for (position, set) in sets.iter().enumerate() {
        let mut times = flat(&UnionMap::identity_on(&UnionSet::from_set(set.clone())))?;
        let Some(map) = times.maps().first() else { continue };
        let missing = depth - set.n_dims();
        let mut map = map.insert_dims(DimKind::Out, set.n_dims(), missing);
        for dim in set.n_dims()..depth {
            map = map.fix(DimKind::Out, dim, &Int::ZERO);
        }
        if needs_position {
            map = map.insert_dims(DimKind::Out, 0, 1);
            map = map.fix(DimKind::Out, 0, &Int::from(i64::try_from(position).unwrap_or(i64::MAX)));
        }
        times = UnionMap::from_map(map);
        maps.extend(times.maps().to_vec());
    }
    Ok(UnionMap::from_maps(domain.params_space(), maps))
}

/// A schedule of the domain that respects some pairs and brings others close together.
pub(super) fn find_schedule(
    domain: &UnionSet,
    validity: &UnionMap,
    proximity: &UnionMap,
    budget: &Budget,
) -> Result<Value> {
    let mut constraints = ScheduleConstraints::on_domain(domain.clone(), anything());
    constraints.validity = validity.clone();
    constraints.coincidence = validity.clone();
    constraints.proximity = proximity.clone();
    let scheduled = schedule(&constraints, &Goals::tiling(), budget)?;
    Ok(Value::Schedule(Box::new(scheduled.tree)))
}
