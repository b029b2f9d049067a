//! Bringing two operands to common columns: parameters by name, floors by meaning.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::space::Space;
use loopwright_exact::Row;
use std::borrow::Cow;

/// Both relations over the same parameters; an error if their tuples differ.
pub(crate) fn aligned<'a>(
    left: &'a Map,
    right: &'a Map,
    operation: &'static str,
) -> Result<(Cow<'a, Map>, Cow<'a, Map>)> {
    if !left.space.has_equal_tuples(&right.space) {
        return Err(Error::SpaceMismatch {
            operation,
            left: left.space.to_string(),
            right: right.space.to_string(),
        });
    }
    if left.space.param_names() == right.space.param_names() {
        return Ok((Cow::Borrowed(left), Cow::Borrowed(right)));
    }
    let left = left.align_params(&right.space);
    let right = right.align_params(&left.space);
    Ok((Cow::Owned(left), Cow::Owned(right)))
}

/// The constraints of a second system over the columns of the first one.
pub(crate) struct Aligned {
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

/// Appends the locals of `other` (in the same space) to those of `base`, except for floors that are
/// there already, and expresses the constraints of `other` over them.
pub(crate) fn align_locals(base: &mut BasicRelation, other: &BasicRelation) -> Aligned {
    let first = base.n_columns() - base.locals.len();
    let final_width = base.n_columns() + other.locals.len();
    let mut place: Vec<usize> = (0..first).collect();
    let mut width = base.n_columns();
    widen(base, final_width);
    for local in &other.locals {
        let (local, known) = match local {
            Local::Unknown => (Local::Unknown, None),
            Local::Floor { numerator, denominator } => {
                let numerator = numerator.placed(&place, final_width);
                let floor = Local::Floor { numerator, denominator: denominator.clone() };
                let known = base.locals.iter().position(|known| *known == floor);
                (floor, known)
            }
        };
        let column = match known {
            Some(index) => first + index,
            None => {
                base.locals.push(local);
                width += 1;
                width - 1
            }
        };
        place.push(column);
    }
    let excess = width..final_width;
    for row in base.rows_mut() {
        row.remove(excess.clone());
    }
    let adopted = |rows: &[Row]| rows.iter().map(|row| row.placed(&place, width)).collect();
    Aligned { equalities: adopted(&other.equalities), inequalities: adopted(&other.inequalities) }
}

/// Appends zeros to every row of a system.
pub(crate) fn widen(data: &mut BasicRelation, width: usize) {
    for row in data.rows_mut() {
        row.insert_zeros(row.len(), width - row.len());
    }
}

/// Several systems over the same columns: the columns (as a system without constraints), and the
/// constraints of each.
pub(crate) fn over_common_columns(
    pieces: &[BasicMap],
    space: &Space,
) -> (BasicRelation, Vec<Aligned>) {
    let mut columns = BasicRelation::new(space.clone(), Vec::new());
    let mut adopted: Vec<Aligned> =
        pieces.iter().map(|piece| align_locals(&mut columns, &piece.inner)).collect();
    let width = columns.n_columns();
    for constraints in &mut adopted {
        for row in constraints.equalities.iter_mut().chain(&mut constraints.inequalities) {
            row.insert_zeros(row.len(), width - row.len());
        }
    }
    (columns, adopted)
}

impl Aligned {
    /// All constraints as inequalities, an equality as two opposite ones.
    pub(crate) fn halves(&self) -> Vec<Row> {
        let opposite = |row: &Row| {
            let mut row = row.clone();
            row.negate();
            row
        };
        let equalities = self.equalities.iter().flat_map(|row| [row.clone(), opposite(row)]);
        equalities.chain(self.inequalities.iter().cloned()).collect()
    }

    /// The system of these constraints over the given columns.
    pub(crate) fn system(&self, columns: &BasicRelation) -> BasicRelation {
        let mut system = columns.clone();
        system.equalities.extend(self.equalities.iter().cloned());
        system.inequalities.extend(self.inequalities.iter().cloned());
        system
    }
}
