//! The order of a multifor statement as one tuple for each instance.
use crate::multifor::{Level, Multifor, Phase};
use loopwright_presburger::{Aff, Budget, Map, PwAff, Result, Space};

/// A component of the tuple of an instance.
#[derive(Clone, Debug)]
enum Component {
    Place(PwAff),
    Constant(i64),
}

/// For each body a map from its instances to tuples of one length, whose lexicographic order is that of
/// execution: at each level the place in the referential domain, then the phase; last the turn among the
/// bodies of a phase.
///
/// # Errors
/// Those of operations on sets.
pub(crate) fn execution_order(multifor: &Multifor, budget: &Budget) -> Result<Vec<Map>> {
    let mut components = vec![Vec::new(); multifor.bodies.len()];
    collect(multifor, &multifor.root, &[], &mut components);
    let length = components.iter().map(Vec::len).max().unwrap_or(0);
    let of_body = |(body, mut own): (usize, Vec<Component>)| {
        own.resize(length, Component::Constant(0));
        tuple_map(multifor.bodies[body].domain.space(), &own, budget)?
            .intersect_domain_within(&multifor.bodies[body].domain, budget)
    };
    components.into_iter().enumerate().map(of_body).collect()
}

/// The zero-based turn of a body at a point: phases and turns, from the outermost level in. Of two bodies,
/// the first difference decides.
pub(crate) fn turns(multifor: &Multifor, body: usize) -> Vec<(usize, usize)> {
    fn find(level: &Level, body: usize, found: &mut Vec<(usize, usize)>) -> bool {
        for (number, phase) in level.phases.iter().enumerate() {
            match phase {
                Phase::Bodies(bodies) => {
                    if let Some(turn) = bodies.iter().position(|other| *other == body) {
                        found.push((number, turn));
                        return true;
                    }
                }
                Phase::Inner(inner) => {
                    found.push((number, 0));
                    if find(inner, body, found) {
                        return true;
                    }
                    found.pop();
                }
            }
        }
        false
    }
    let mut found = Vec::new();
    find(&multifor.root, body, &mut found);
    found
}

fn collect(
    multifor: &Multifor,
    level: &Level,
    around: &[(usize, i64)],
    components: &mut [Vec<Component>],
) {
    for (number, phase) in level.phases.iter().enumerate() {
        let own = [around, &[(level.depth, number as i64)]].concat();
        match phase {
            Phase::Inner(inner) => collect(multifor, inner, &own, components),
            Phase::Bodies(bodies) => {
                for (turn, body) in bodies.iter().enumerate() {
                    let places = multifor.bodies[*body].positions();
                    let of_level = |(depth, phase): &(usize, i64)| {
                        [Component::Place(places[*depth].clone()), Component::Constant(*phase)]
                    };
                    let mut all: Vec<Component> = own.iter().flat_map(of_level).collect();
                    all.push(Component::Constant(turn as i64));
                    components[*body] = all;
                }
            }
        }
    }
}

fn tuple_map(space: &Space, components: &[Component], budget: &Budget) -> Result<Map> {
    let of = |component: &Component| match component {
        Component::Place(place) => place.to_map(),
        Component::Constant(value) => constant_map(space, *value),
    };
    let mut maps = components.iter().map(of);
    let Some(first) = maps.next() else { return Ok(constant_map(space, 0)) };
    maps.try_fold(first, |all, next| all.flat_range_product_within(&next, budget))
}

/// The map from everything in a space to a number.
pub(crate) fn constant_map(space: &Space, value: i64) -> Map {
    PwAff::everywhere(Aff::constant(space, &value.into())).to_map()
}
