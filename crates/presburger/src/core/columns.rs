//! Placing the columns of one system into another.
//!
//! Every structural operation (intersection, composition, products, projection, alignment of parameters,
//! reversal) is the same act: the columns of one or two systems are placed into the columns of a new one, and
//! the dimensions of the old systems that have no place in the new space become unknown locals. The normal
//! form ([`crate::core::normal_form::simplify`]) then removes the unknowns.
//!
//! The layout of the new system is `[constant | parameters | in | out | unknowns | locals of the
//! first part | locals of the second part]`, so a floor still only uses earlier locals.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::space::Space;
use loopwright_exact::{Int, Row};
use std::ops::Range;

/// A system and the places of its columns (before its locals) in a new system.
///
/// Places from `1 + space.n_all()` on are unknown locals of the new system.
pub(crate) struct Part<'a> {
    pub(crate) system: &'a BasicRelation,
    pub(crate) place: &'a [usize],
}

/// The places `[constant | parameters | input | output]` when constant and parameters stay.
pub(crate) fn places(n_params: usize, input: Range<usize>, output: Range<usize>) -> Vec<usize> {
    (0..=n_params).chain(input).chain(output).collect()
}

/// The conjunction of `parts` in `space` with `n_unknown` more unknown locals, not normalized.
pub(crate) fn conjoin_data(space: Space, n_unknown: usize, parts: &[Part<'_>]) -> BasicRelation {
    let n_locals: usize = parts.iter().map(|part| part.system.locals.len()).sum();
    let mut locals = Vec::with_capacity(n_unknown + n_locals);
    locals.resize(n_unknown, Local::Unknown);
    let first_local = 1 + space.n_all();
    let width = first_local + n_unknown + n_locals;
    let mut target = BasicRelation::new(space, Vec::new());
    target.equalities.reserve_exact(parts.iter().map(|part| part.system.equalities.len()).sum());
    target
        .inequalities
        .reserve_exact(parts.iter().map(|part| part.system.inequalities.len()).sum());
    for part in parts {
        if part.system.empty {
            target.set_empty();
            return target;
        }
        let mut place = part.place.to_vec();
        let own_locals = first_local + locals.len();
        place.extend(own_locals..own_locals + part.system.locals.len());
        let stays = place.iter().enumerate().all(|(old, &new)| old == new);
        let placed = |row: &Row| match stays {
            true => row.widened(width),
            false => row.placed(&place, width),
        };
        target.equalities.extend(part.system.equalities.iter().map(placed));
        target.inequalities.extend(part.system.inequalities.iter().map(placed));
        locals.extend(part.system.locals.iter().map(|local| match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: placed(numerator), denominator: denominator.clone() }
            }
        }));
    }
    target.locals = locals;
    target
}

/// The columns that equalities `x = c` fix, by their places in ascending order, and `-c`.
pub(crate) type Fixed = Vec<(usize, Int)>;

/// What every piece fixes.
pub(crate) fn fixed_columns(pieces: &[BasicMap], place: &[usize]) -> Vec<Fixed> {
    let fixed_by = |row: &Row| {
        let column = row.last_unit(1..row.len()).filter(|&column| column < place.len())?;
        let is_alone = row.first_nonzero(1..column).is_none()
            && row.first_nonzero(column + 1..row.len()).is_none();
        let constant = || if row.sign(column) > 0 { row.get(0) } else { -row.get(0) };
        is_alone.then(|| (place[column], constant()))
    };
    let fixed = pieces.iter().map(|piece| {
        let mut fixed: Fixed = piece.inner.equalities.iter().filter_map(fixed_by).collect();
        fixed.sort_unstable_by_key(|(column, _)| *column);
        fixed
    });
    fixed.collect()
}

/// Whether a column has different values in both.
pub(crate) fn differ(a: &Fixed, b: &Fixed) -> bool {
    let mut rest = b.iter().peekable();
    a.iter().any(|(column, constant)| {
        while rest.next_if(|(other, _)| other < column).is_some() {}
        rest.next_if(|(other, _)| other == column).is_some_and(|(_, other)| other != constant)
    })
}

/// The conjunction of `parts` in `space` with `n_unknown` more unknown locals.
pub(crate) fn conjoin(space: Space, n_unknown: usize, parts: &[Part<'_>]) -> BasicMap {
    BasicMap::from_data(conjoin_data(space, n_unknown, parts))
}

/// The system with its columns permuted into `space`; the normal form is kept up to order.
pub(crate) fn permute(space: Space, part: Part<'_>) -> BasicMap {
    BasicMap::from_normal_data(conjoin_data(space, 0, &[part]))
}
