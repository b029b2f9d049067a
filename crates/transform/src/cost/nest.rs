//! The statements under a band, in the form in which the cost models look at them.
use crate::cost::drift::drift;
use crate::cost::inner_loops::iterations_inside;
use crate::cost::point_counts::{points_unless_box, values};
use crate::cost::subscripts::subscripts;
use crate::cost::trip_counts::Nominal;
use loopwright_exact::{Matrix, Row};
use loopwright_presburger::{Aff, DimKind, Set, Space};
use loopwright_schedule::Reaching;
use loopwright_scop::{AccessKind, Scop, Statement};

/// Everything below a band: its statements and their schedules down to its last member.
#[derive(Clone, Debug)]
pub struct Nest<'a> {
    /// The number of schedule dimensions outside the band.
    pub first: usize,
    /// The number of members of the band.
    pub n_members: usize,
    /// The statements.
    pub statements: Vec<NestStatement<'a>>,
    /// Whether this is about tiles in which nothing is written that a statement reads, besides the results
    /// that it accumulates ([`crate::tile::trailing_update`]).
    pub(crate) is_update: bool,
}

/// One statement (one piece of its schedule) under a band.
#[derive(Clone, Debug)]
pub struct NestStatement<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// Linear parts over the instance's coordinates of all schedule dimensions from the root to the
    /// last member; none where floors occur.
    pub rows: Vec<Option<Row>>,
    /// The number of values of each of these dimensions, nominally.
    pub extents: Vec<i64>,
    /// The number of instances, nominally (of their bounding box, where counting them would take long).
    pub instances: i64,
    /// The iterations of a loop in the statement's text, nominally; one if there is none.
    iterations_inside: i64,
    /// What there is to count, where it is no box.
    uneven: Option<Uneven>,
    /// Linear parts of the subscripts of each access (in the order of the statement's accesses,
    /// kills left out); none where they are not affine.
    pub accesses: Vec<NestAccess>,
}

/// Instances at nominal parameters, and their schedule.
#[derive(Clone, Debug)]
struct Uneven {
    instances: Set,
    schedule: Vec<Aff>,
}

/// An access of a statement.
#[derive(Clone, Debug)]
pub struct NestAccess {
    /// Whether it writes.
    pub is_write: bool,
    /// The position of the array in the scop.
    pub array: usize,
    /// The linear part of each subscript; none if there is an unknown one.
    pub subscripts: Option<Vec<Row>>,
    /// The same with zeros for subscripts that take a few values in turn (`cost::drift`).
    pub drift: Option<Vec<Row>>,
}

impl<'a> Nest<'a> {
    /// The nest of a band of `n_members`, where `below` reaches the band's child.
    ///
    /// Statements that the scop does not know (and kill statements) are left out.
    pub fn new(scop: &'a Scop, below: &Reaching, n_members: usize, nominal: &Nominal) -> Self {
        let statements = below.pieces.iter().filter_map(|piece| {
            let name = piece.domain.space().output()?.name()?;
            let statement = scop.statement_named(name).filter(|s| !s.is_kill)?;
            let fixed = nominal.fix(&piece.domain);
            let space = fixed.space();
            let in_box = || {
                let dims = 0..space.n(DimKind::Out);
                let ranges = dims.map(|dim| nominal.extent(&fixed, &coordinate(space, dim)));
                ranges.fold(1i64, i64::saturating_mul)
            };
            let counted = points_unless_box(&fixed).map(|number| number.max(1));
            let schedule = &piece.schedule;
            let uneven =
                counted.map(|_| Uneven { instances: fixed.clone(), schedule: schedule.clone() });
            Some(NestStatement {
                statement,
                rows: schedule.iter().map(linear_part).collect(),
                extents: schedule.iter().map(|aff| nominal.extent(&fixed, aff)).collect(),
                instances: counted.unwrap_or_else(in_box),
                iterations_inside: match nominal.counts_loops_inside {
                    true => iterations_inside(statement, nominal),
                    false => 1,
                },
                uneven,
                accesses: accesses(statement),
            })
        });
        let first = below.depth().saturating_sub(n_members);
        Nest { first, n_members, statements: statements.collect(), is_update: false }
    }

    /// The nest of the statement `name` in its tiles as an update.
    pub(crate) fn update(&self, name: &str) -> Nest<'a> {
        let own = self.statements.iter().filter(|s| &*s.statement.name == name);
        Nest { statements: own.cloned().collect(), is_update: true, ..*self }
    }

    /// Whether a statement writes what the access reads, or writes, at the same time.
    pub(crate) fn is_result(&self, access: &NestAccess) -> bool {
        let mut accesses = self.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|a| a.is_write && a.array == access.array && a.subscripts == access.subscripts)
    }

    /// The greatest nominal number of values of a member over all statements.
    pub fn extent(&self, member: usize) -> i64 {
        self.values(self.first + member)
    }

    /// The same for a schedule dimension, counted from the root.
    pub fn values(&self, dimension: usize) -> i64 {
        self.statements.iter().map(|s| s.extents[dimension]).max().unwrap_or(1)
    }

    /// The nominal work below one combination of values of the `outer` dimensions, in operations: one per
    /// access and iteration of a loop in a statement. Each is given by its position from the root and the
    /// number of its values that one value of the loop stands for (the tile size, 1 if not tiled).
    pub fn work_per_entry(&self, outer: &[(usize, i64)]) -> i64 {
        let work = |s: &NestStatement| {
            let operations = (s.accesses.len().max(1) as i64).saturating_mul(s.iterations_inside);
            (s.instances / s.entries(outer)).max(1).saturating_mul(operations)
        };
        self.statements.iter().map(work).fold(0, i64::saturating_add)
    }
}

impl NestStatement<'_> {
    /// Whether its instances count as a box.
    pub(crate) fn is_even(&self) -> bool {
        self.uneven.is_none()
    }

    /// The combinations of values of the `outer` dimensions (as in [`Nest::work_per_entry`]) for which there
    /// are instances, nominally; those of the box around them, where counting them would take long.
    pub(crate) fn entries(&self, outer: &[(usize, i64)]) -> i64 {
        let in_box = |&(dim, size): &(usize, i64)| (self.extents[dim] / size.max(1)).max(1);
        let in_box = outer.iter().map(in_box).fold(1i64, i64::saturating_mul);
        let several = || outer.iter().map(|&(dim, _)| dim).filter(|&dim| self.extents[dim] > 1);
        let (Some(uneven), 2..) = (&self.uneven, several().count()) else { return in_box };
        let expressions: Vec<Aff> = several().map(|dim| uneven.schedule[dim].clone()).collect();
        let Some(counted) = values(&uneven.instances, &expressions) else { return in_box };
        let all: f64 = several().map(|dim| self.extents[dim] as f64).product();
        (in_box as f64 * counted as f64 / all).max(1.0) as i64
    }

    /// The step in the instance space that advances schedule dimension `dimension` by one and keeps
    /// the others: zero if the statement does not move with it, none if there is no such step.
    pub fn direction(&self, dimension: usize) -> Option<Row> {
        let n = self.statement.iterators.len();
        let own = self.rows[dimension].as_ref()?;
        let mut independent = Matrix::new(Vec::new(), n);
        for (position, row) in self.rows.iter().enumerate() {
            let Some(row) = row else { continue };
            if position == dimension {
                continue;
            }
            push_if_independent(&mut independent, row);
        }
        if !push_if_independent(&mut independent, own) {
            return Some(Row::zeros(n));
        }
        let n_rows = independent.n_rows();
        let solution = independent.solve_integer(&Row::unit(n_rows, n_rows - 1))?;
        Some(solution.particular)
    }
}

/// Whether a statement counts: those with far fewer instances than the largest one do not.
pub(crate) fn is_heavy(nest: &Nest, statement: &NestStatement) -> bool {
    let most = nest.statements.iter().map(|s| s.instances).max().unwrap_or(1);
    statement.instances > most / 16
}

fn push_if_independent(matrix: &mut Matrix, row: &Row) -> bool {
    let mut extended = matrix.clone();
    extended.push_row(row.clone());
    let independent = extended.rank() == extended.n_rows();
    if independent {
        *matrix = extended;
    }
    independent
}

fn coordinate(space: &Space, dim: usize) -> Aff {
    Aff::variable(space, DimKind::Out, dim)
}

pub(crate) fn linear_part(aff: &Aff) -> Option<Row> {
    let space = aff.domain_space();
    let first = 1 + space.n(DimKind::Param);
    let end = first + space.n(DimKind::Out);
    let row = aff.row();
    let affine = aff.denominator().is_one() && row.first_nonzero(end..row.len()).is_none();
    affine.then(|| row.slice(first..end))
}

fn accesses(statement: &Statement) -> Vec<NestAccess> {
    let executed = statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill);
    executed
        .map(|access| NestAccess {
            is_write: access.kind != AccessKind::Read,
            array: access.array.0 as usize,
            subscripts: subscripts(&access.relation),
            drift: drift(&access.relation),
        })
        .collect()
}
