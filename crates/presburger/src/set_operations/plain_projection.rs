//! Projecting out dimensions that occur nowhere, or that one equality determines.
//!
//! If a dimension `x` occurs in a single constraint, and that is an equality `e + x = 0` or
//! `e - x = 0`, then there is exactly one integer `x` for all values of the others: the projection
//! drops the equality. In a normal form this is so for the values of affine functions. What
//! remains is in normal form already.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::space::Space;
use loopwright_exact::Row;
use std::ops::Range;

/// Where a column occurs.
enum Occurrence {
    Nowhere,
    /// With coefficient 1 or -1 in the equality at this position and nowhere else.
    Determined(usize),
    Elsewhere,
}

impl BasicRelation {
    /// The equalities that the projection of `columns` drops, and whether none of the other
    /// constraints uses the columns.
    pub(crate) fn determining_equalities(&self, columns: &Range<usize>) -> (Vec<bool>, bool) {
        let mut dropped = vec![false; self.equalities.len()];
        let mut open: Vec<usize> = columns.clone().collect();
        let mut has_changed = true;
        while has_changed && !open.is_empty() {
            has_changed = false;
            open.retain(|&column| match self.occurrence(column, &dropped) {
                Occurrence::Nowhere => false,
                Occurrence::Determined(position) => {
                    dropped[position] = true;
                    has_changed = true;
                    false
                }
                Occurrence::Elsewhere => true,
            });
        }
        (dropped, open.is_empty())
    }

    fn occurrence(&self, column: usize, dropped: &[bool]) -> Occurrence {
        let is_used = |row: &Row| !row.is_zero_at(column);
        let mut numerators = self.locals.iter().filter_map(Local::numerator);
        if self.inequalities.iter().any(is_used) || numerators.any(is_used) {
            return Occurrence::Elsewhere;
        }
        let equalities = self.equalities.iter().enumerate();
        let mut users = equalities.filter(|(at, row)| !dropped[*at] && is_used(row));
        match (users.next(), users.next()) {
            (None, _) => Occurrence::Nowhere,
            (Some((position, row)), None) if row.last_unit(column..column + 1).is_some() => {
                Occurrence::Determined(position)
            }
            _ => Occurrence::Elsewhere,
        }
    }

    /// The system in `space` without the equalities `dropped` and without the columns, which the
    /// other constraints do not use; in normal form if this one is.
    pub(crate) fn without_columns(
        &self,
        space: Space,
        columns: &Range<usize>,
        dropped: &[bool],
    ) -> BasicRelation {
        let rest = |row: &Row| row.without(columns.clone());
        let locals = self.locals.iter().map(|local| match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: rest(numerator), denominator: denominator.clone() }
            }
        });
        let kept = self.equalities.iter().zip(dropped).filter(|(_, dropped)| !**dropped);
        let mut system = BasicRelation {
            space,
            locals: locals.collect(),
            equalities: kept.map(|(row, _)| rest(row)).collect(),
            inequalities: self.inequalities.iter().map(rest).collect(),
            empty: self.empty,
        };
        if !system.locals.is_empty() && dropped.contains(&true) {
            system.drop_unused_locals();
        }
        system
    }
}
