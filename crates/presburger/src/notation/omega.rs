//! The notation of the Omega calculator.
//!
//! A union of relations `{ [i] -> [o0] : condition }` joined by `union`; the language has neither
//! names of tuples nor floors, which become existentials.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::map::Map;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::notation::print_set::plain_text;

/// The text of a relation or set.
pub(super) fn text(map: &Map) -> String {
    let flat = |tuple: Option<&Tuple>| tuple.map(Tuple::flatten);
    let from = map.space();
    let output = flat(from.output()).unwrap_or_else(|| Tuple::anonymous(0));
    let space = from.with_tuples(flat(from.input()), Some(output));
    match map.basic_maps() {
        [] => plain_text(&BasicMap::empty(space)),
        basics => {
            let parts: Vec<String> =
                basics.iter().map(|basic| plain_text(&without_floors(basic, &space))).collect();
            parts.join(" union ")
        }
    }
}

/// The same points in a space with the same dimensions, floors replaced by unknowns.
fn without_floors(basic: &BasicMap, space: &Space) -> BasicMap {
    let (constraints, n_locals) = super::polylib::with_bounded_floors(basic);
    let mut data = BasicRelation::new(space.clone(), vec![Local::Unknown; n_locals]);
    if basic.plain_is_empty() {
        data.set_empty();
        return BasicMap::from_normal_data(data);
    }
    for constraint in constraints {
        let rows =
            if constraint.is_equality { &mut data.equalities } else { &mut data.inequalities };
        rows.push(constraint.row);
    }
    // The normal form would find the floors again.
    BasicMap::from_normal_data(data)
}
