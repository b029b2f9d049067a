//! Variables that no condition connects.
//!
//! The number of points of a product is the product of the numbers. Outer columns connect nothing: the
//! components are those of the graph in which two variables are joined by a condition, a definition or a term
//! of the weight. At most one component has a part in the weight.
use crate::count::summand::Summand;
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Rational, Row};

/// Sets of numbers that grow together.
struct Groups(Vec<usize>);

impl Groups {
    fn find(&self, mut member: usize) -> usize {
        while self.0[member] != member {
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, members: impl IntoIterator<Item = usize>) {
        let mut members = members.into_iter();
        let Some(first) = members.next() else { return };
        for member in members {
            let (a, b) = (self.find(first), self.find(member));
            self.0[a.max(b)] = a.min(b);
        }
    }
}

impl Summand {
    /// The factors of the sum: each has some of the variables, and all conditions on outer columns; one of
    /// them has the weight.
    pub(super) fn components(self) -> Vec<Summand> {
        let group_of = self.groups();
        let mut groups = group_of.clone();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() <= 1 {
            return vec![self];
        }
        let first = self.first_variable();
        let weighted = (first..self.width()).find(|&column| self.weight.involves(column));
        let weighted = weighted.map_or(groups[0], |column| group_of[column - first]);
        let component = |&group: &usize| self.component(&group_of, group, group == weighted);
        groups.iter().map(component).collect()
    }

    /// The group of each variable.
    fn groups(&self) -> Vec<usize> {
        let first = self.first_variable();
        let n = self.variables.len();
        let mut groups = Groups((0..n).collect());
        let involved = |row: &Row| -> Vec<usize> {
            (0..n).filter(|index| !row.is_zero_at(first + index)).collect()
        };
        for row in self.equalities.iter().chain(&self.inequalities) {
            groups.join(involved(row));
        }
        for (index, variable) in self.variables.iter().enumerate() {
            if let Some(floor) = variable {
                groups.join(involved(&floor.numerator).into_iter().chain([index]));
            }
        }
        groups.join((0..n).filter(|index| self.weight.involves(first + index)));
        (0..n).map(|index| groups.find(index)).collect()
    }

    /// The part with the variables of a group.
    fn component(&self, group_of: &[usize], group: usize, is_weighted: bool) -> Summand {
        let first = self.first_variable();
        let mut part = self.clone();
        let is_own = |row: &Row| {
            (0..group_of.len()).all(|at| row.is_zero_at(first + at) || group_of[at] == group)
        };
        part.equalities.retain(is_own);
        part.inequalities.retain(is_own);
        if !is_weighted {
            part.weight = Polynomial::constant(Rational::one());
        }
        let foreign = (0..group_of.len()).rev().filter(|&at| group_of[at] != group);
        foreign.for_each(|at| {
            part.forget(first + at);
            part.remove_variable(first + at);
        });
        part
    }
}
