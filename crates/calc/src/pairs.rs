//! Functions that rearrange pairs: `lift` and `zip`.
use super::value::Value;
use loopwright_presburger::{
    BasicSet, Constraint, DimKind, Int, Local, Map, Result, Row, Set, Space, Tuple, UnionSet,
};

/// The locals of every basic set become dimensions of a second tuple.
pub(super) fn lift(set: &UnionSet) -> Result<Value> {
    let mut lifted = Vec::new();
    for part in set.sets() {
        for basic in part.basic_sets() {
            lifted.push(Set::from_basic_set(lift_basic(&basic)));
        }
    }
    Ok(UnionSet::from_sets(set.params_space(), lifted).into())
}

fn lift_basic(basic: &BasicSet) -> BasicSet {
    let space = basic.space();
    let own = space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let tuple = Tuple::nested(own, Tuple::anonymous(basic.locals().len()));
    let space = Space::set(space.param_names(), tuple);
    if basic.plain_is_empty() {
        return BasicSet::from_constraints(space, Vec::new(), vec![never(basic.n_columns())]);
    }
    // The columns of the locals are those of the new dimensions.
    let mut constraints = basic.constraints();
    let first = basic.offset(DimKind::Local);
    for (local, definition) in basic.locals().iter().enumerate() {
        if let Local::Floor { numerator, denominator } = definition {
            let mut below = numerator.clone();
            below.add_at(first + local, &-denominator);
            let mut above = below.clone();
            above.negate();
            above.add_at(0, &(denominator - &Int::ONE));
            constraints.extend([below, above].map(Constraint::inequality));
        }
    }
    BasicSet::from_constraints(space, Vec::new(), constraints)
}

/// The constraint `-1 >= 0`.
fn never(n_columns: usize) -> Constraint {
    let mut row = Row::zeros(n_columns);
    row.set(0, Int::MINUS_ONE);
    Constraint::inequality(row)
}

/// The relation with the two middle tuples exchanged; empty for relations of another form.
pub(super) fn zip(map: &Map) -> Result<Map> {
    let nested = |tuple: Option<&Tuple>| {
        tuple.and_then(|tuple| tuple.as_nested().map(|(a, b)| (a.clone(), b.clone())))
    };
    let (Some((w, x)), Some((y, z))) = (nested(map.space().input()), nested(map.space().output()))
    else {
        return Ok(Map::empty(map.space().clone()));
    };
    let (n_w, n_x, n_y) = (w.n_dims(), x.n_dims(), y.n_dims());
    let space = map.space().with_tuples(Some(Tuple::nested(w, y)), Some(Tuple::nested(x, z)));
    let moved = map.flatten().move_dims(DimKind::Out, 0, DimKind::In, n_w, n_x);
    let moved = moved.move_dims(DimKind::In, n_w, DimKind::Out, n_x, n_y);
    moved.with_space_tuples(&space)
}
