//! What overlapped tiling knows of a program: its loop over time, its data, and the sizes of tiles.
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Error, Int, MultiAff, Name, Set, Space, Tuple};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::{AccessKind, ArrayId, Scop, Statement, StatementId};

/// Why there are no overlapped tiles.
pub(super) enum Stop {
    /// The program is none for them, for this reason.
    Refused(String),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

pub(super) type Tiled<T> = std::result::Result<T, Stop>;

pub(super) fn refused<T>(reason: impl Into<String>) -> Tiled<T> {
    Err(Stop::Refused(reason.into()))
}

/// A program with a loop over time.
pub(super) struct Site<'a> {
    pub(super) tree: &'a ScheduleTree,
    pub(super) scop: &'a Scop,
    pub(super) dependences: &'a Dependences,
    pub(super) budget: &'a Budget,
    /// The executed statements. The first coordinate of each is the time step, the others are its place.
    pub(super) statements: Vec<StatementId>,
    /// The arrays that they write.
    pub(super) written: Vec<ArrayId>,
    /// The first time step, over the parameters.
    pub(super) first: Aff,
    /// Time steps of a tile.
    pub(super) steps: i64,
    /// Extents of its block.
    pub(super) sizes: Vec<i64>,
}

impl<'a> Site<'a> {
    pub(super) fn new(
        tree: &'a ScheduleTree,
        scop: &'a Scop,
        dependences: &'a Dependences,
        sizes: &[i64],
        budget: &'a Budget,
    ) -> Tiled<Self> {
        if !dependences.is_exact || !dependences.reassociated().is_empty() {
            return refused("its dependences are not known exactly");
        }
        let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
        let statements: Vec<&Statement> = executed.collect();
        let Some(most) = statements.iter().map(|s| s.iterators.len()).max().filter(|n| *n > 1)
        else {
            return refused("there is no loop over data inside of a loop over time");
        };
        if let Some(other) = statements.iter().find(|s| s.iterators.len() != most) {
            return refused(format!(
                "{} has fewer loops around it than other statements",
                other.name
            ));
        }
        is_time_loop(tree, &statements)?;
        let (steps, sizes) = tile_sizes(sizes, most - 1)?;
        let mut site = Site {
            tree,
            scop,
            dependences,
            budget,
            statements: statements.iter().map(|statement| statement.id).collect(),
            written: written(&statements, scop)?,
            first: Aff::zero(&Space::params(&[])),
            steps,
            sizes,
        };
        site.first = site.first_step()?;
        Ok(site)
    }

    /// The number of coordinates of a tile: its band, and those of its block.
    pub(super) fn n_tile(&self) -> usize {
        1 + self.sizes.len()
    }

    /// A space of sets with all parameters of the program.
    pub(super) fn space(&self, tuple: Tuple) -> Space {
        let names: Vec<Name> = self.scop.parameters.iter().map(|p| p.name.clone()).collect();
        Space::set(&names, tuple)
    }

    /// The first time step as a form over another space.
    pub(super) fn first_in(&self, space: &Space) -> Tiled<Aff> {
        of_parameters(&self.first, space)
    }

    /// The first step of the band that is the first coordinate of a space.
    pub(super) fn start_of_band(&self, space: &Space) -> Tiled<Aff> {
        let band = Aff::variable(space, DimKind::Out, 0);
        Ok(band.scale(&Int::from(self.steps)).add(&self.first_in(space)?)?)
    }

    fn first_step(&self) -> Tiled<Aff> {
        let mut all = Set::empty(self.space(Tuple::anonymous(1)));
        for id in &self.statements {
            let domain = self.domain(*id)?;
            let steps = domain.project_out(DimKind::Out, 1, domain.n(DimKind::Out) - 1);
            all = all.union(&steps.with_space_tuples(&self.space(Tuple::anonymous(1)))?)?;
        }
        let least = all.coalesce(self.budget)?.dim_min(0, self.budget)?;
        match least.as_aff() {
            Some(first) => {
                // It has to have the form of sums.
                of_parameters(&first, &self.space(Tuple::anonymous(0))).map(|_| first)
            }
            None => refused("the first time step is not one expression in symbolic constants"),
        }
    }

    /// The instances of a statement, for parameters in the context.
    pub(super) fn domain(&self, id: StatementId) -> Tiled<Set> {
        let domain = &self.scop.statement(id).domain;
        let space = self.space(domain.space().output().cloned().unwrap_or(Tuple::anonymous(0)));
        Ok(domain.intersect_params(&self.scop.context)?.align_params(&space))
    }

    /// `{ S[t, x] -> [t, x] }`.
    pub(super) fn coordinates(&self, id: StatementId) -> Tiled<MultiAff> {
        let space = self.domain(id)?.space().clone();
        let n = space.n(DimKind::Out);
        let affs = (0..n).map(|position| Aff::variable(&space, DimKind::Out, position)).collect();
        Ok(MultiAff::new(space.map_to(&self.space(Tuple::anonymous(n))), affs)?)
    }
}

/// A form over parameters as one over another space with them.
fn of_parameters(form: &Aff, space: &Space) -> Tiled<Aff> {
    let is_plain = form.locals().is_empty() && form.denominator().is_one();
    let constant = form.constant_term().to_int().filter(|_| is_plain);
    let Some(constant) = constant else {
        return refused("the first time step is a quotient");
    };
    let mut sum = Aff::constant(space, &constant);
    for (position, name) in form.domain_space().param_names().iter().enumerate() {
        let factor = form.coefficient(DimKind::Param, position).to_int().unwrap_or(Int::ZERO);
        if let Some(own) = space.find_param(name).filter(|_| !factor.is_zero()) {
            sum = sum.add(&Aff::variable(space, DimKind::Param, own).scale(&factor))?;
        }
    }
    Ok(sum)
}

/// Whether the outermost loop is that of the first coordinate of each statement.
fn is_time_loop(tree: &ScheduleTree, statements: &[&Statement]) -> Tiled<()> {
    let none = "there is no single loop over time around all statements";
    let Node::Band(band, _) = &tree.root else { return refused(none) };
    let Some(member) = band.schedule.members().first() else { return refused(none) };
    for statement in statements {
        let space = statement.domain.space();
        let form = member.part(space).and_then(|part| part.as_aff());
        let time = Aff::variable(space, DimKind::Out, 0);
        if !form.is_some_and(|form| form.align_params(space).plain_is_equal(&time)) {
            return refused(none);
        }
    }
    Ok(())
}

/// The arrays that statements write, each for sure and in text with subscripts of the model.
fn written(statements: &[&Statement], scop: &Scop) -> Tiled<Vec<ArrayId>> {
    let accesses = statements.iter().flat_map(|statement| &statement.accesses);
    let writes = accesses.filter(|access| access.kind != AccessKind::Read);
    let mut written: Vec<ArrayId> = Vec::new();
    for access in writes {
        let array = scop.array(access.array);
        if access.kind != AccessKind::MustWrite {
            return refused(format!("`{}` is perhaps not written", array.name));
        }
        if !written.contains(&access.array) {
            written.push(access.array);
        }
    }
    for statement in statements {
        if let Some(hidden) = statement.body.hidden().iter().find(|id| written.contains(id)) {
            let name = &scop.array(*hidden).name;
            return refused(format!("`{name}` is used by text that is copied as it is"));
        }
        for element in statement.body.elements() {
            let array = scop.array(element.array);
            let is_written = written.contains(&element.array);
            if is_written && element.subscripts.len() != array.extents.len() {
                return refused(format!("a subscript of `{}` depends on data", array.name));
            }
        }
    }
    Ok(written)
}

/// The time steps and the extents of a block.
fn tile_sizes(given: &[i64], n_space: usize) -> Tiled<(i64, Vec<i64>)> {
    let size = |position: usize| given.get(position).or(given.last()).copied().unwrap_or(1);
    let all: Vec<i64> = (0..=n_space).map(size).collect();
    if all.iter().any(|size| !(1..=1 << 20).contains(size)) {
        return refused("tile sizes have to be positive, and not above a million");
    }
    Ok((all[0], all[1..].to_vec()))
}
