//! The schedule of a statement from the root to a node, as affine forms of its instances.
//!
//! An executed relation is built from all forms at once rather than member by member: with
//! `c0 = ⌊k/32⌋ + ⌊i/32⌋` alone one of the floors can be eliminated, and a later `c1 = ⌊i/32⌋` would
//! not be recognized as the same floor any more. Together the two determine both floors.
use loopwright_presburger::*;

/// Instances of a statement, and one form per schedule dimension.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    /// The instances.
    pub(crate) instances: Set,
    schedule: Vec<Aff>,
}

impl Prefix {
    /// No schedule dimensions yet.
    pub(crate) fn root(instances: Set) -> Self {
        Prefix { instances, schedule: Vec::new() }
    }

    /// Appends the members of a band; none if the statement's part is not a single form each.
    pub(crate) fn extended(&self, schedule: &MultiUnionPwAff) -> Option<Self> {
        let mut result = self.clone();
        let space = self.instances.space();
        for member in schedule.members() {
            let part = member.parts().iter().find(|p| p.domain_space().has_equal_tuples(space))?;
            let [(_, aff)] = part.pieces() else { return None };
            result.schedule.push(aff.align_params(space));
        }
        Some(result)
    }

    /// The same with `(t - residue) / divisor` before dimension `level`, whose form is `t`.
    pub(crate) fn shifted(&self, level: usize, divisor: &Int, residue: &Int) -> Self {
        let mut result = self.clone();
        let value = self.schedule[level].add_constant(&-residue).scale_down(divisor);
        result.schedule.insert(level, value);
        result
    }

    /// The relation from schedule dimensions to instances.
    pub(crate) fn executed(&self) -> Map {
        let instances = self.instances.space();
        let depth = self.schedule.len();
        let space = Space::set(instances.param_names(), Tuple::anonymous(depth)).map_to(instances);
        let basics = self.instances.as_map().basic_maps().iter();
        let basics = basics.map(|basic| self.basic(&space, basic)).collect();
        Map::from_basic_maps(space, basics)
    }

    fn basic(&self, space: &Space, instances: &BasicMap) -> BasicMap {
        let own = instances.locals().len();
        let most = own + self.schedule.iter().map(|aff| aff.locals().len()).sum::<usize>();
        let mut widened = Widened {
            schedule: instances.offset(DimKind::Out),
            depth: self.schedule.len(),
            first_local: 1 + space.n_all(),
            width: 1 + space.n_all() + most,
            locals: Vec::new(),
        };
        let numbers: Vec<usize> = (0..own).collect();
        for local in instances.locals() {
            let local = widened.local(local, &numbers);
            widened.locals.push(local);
        }
        let mut constraints = Vec::new();
        for Constraint { is_equality, row } in instances.constraints() {
            constraints.push(Constraint { is_equality, row: widened.row(&row, &numbers) });
        }
        for (level, aff) in self.schedule.iter().enumerate() {
            let numbers = widened.add_locals(aff.locals());
            let mut row = widened.row(aff.row(), &numbers);
            row.negate();
            row.set(widened.schedule + level, aff.denominator().clone());
            constraints.push(Constraint { is_equality: true, row });
        }
        widened.build(space, constraints)
    }
}

/// Rows with columns for the schedule dimensions and for the locals of several forms.
struct Widened {
    /// The first column of the schedule dimensions.
    schedule: usize,
    depth: usize,
    first_local: usize,
    width: usize,
    locals: Vec<Local>,
}

impl Widened {
    /// A row over `[constant | parameters | instance | locals]`, whose locals get new numbers.
    fn row(&self, row: &Row, numbers: &[usize]) -> Row {
        let old_first = self.first_local - self.depth;
        let mut result = row.slice(0..old_first);
        result.insert_zeros(self.schedule, self.depth);
        result.insert_zeros(result.len(), self.width - result.len());
        for (old, &new) in numbers.iter().enumerate() {
            if old_first + old < row.len() {
                result.set(self.first_local + new, row.get(old_first + old));
            }
        }
        result
    }

    fn local(&self, local: &Local, numbers: &[usize]) -> Local {
        match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => Local::Floor {
                numerator: self.row(numerator, numbers),
                denominator: denominator.clone(),
            },
        }
    }

    /// Adds the floors of a form, unless they are there; their numbers.
    fn add_locals(&mut self, locals: &[Local]) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(locals.len());
        for local in locals {
            let local = self.local(local, &numbers);
            let number = self.locals.iter().position(|other| *other == local);
            numbers.push(number.unwrap_or(self.locals.len()));
            if number.is_none() {
                self.locals.push(local);
            }
        }
        numbers
    }

    /// Drops the columns that stayed unused.
    fn build(mut self, space: &Space, mut constraints: Vec<Constraint>) -> BasicMap {
        let unused = self.first_local + self.locals.len()..self.width;
        for constraint in &mut constraints {
            constraint.row.remove(unused.clone());
        }
        for local in &mut self.locals {
            if let Local::Floor { numerator, .. } = local {
                numerator.remove(unused.clone());
            }
        }
        BasicMap::from_constraints(space.clone(), self.locals, constraints)
    }
}
