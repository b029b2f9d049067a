//! A basic relation as plain data, on its way to the normal form and from it.
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::rows::{is_parallel, tightened};
use crate::core::space::{DimKind, Space};
use loopwright_exact::{Int, Row};

pub(crate) const FROM_ROWS: &str = "from_constraints";

#[derive(Clone, Debug)]
pub(crate) struct BasicRelation {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
    /// Known to be empty (then there are no constraints).
    pub(crate) empty: bool,
}

impl BasicRelation {
    /// No constraints over `space` and `locals`.
    pub(crate) fn new(space: Space, locals: Vec<Local>) -> Self {
        BasicRelation {
            space,
            locals,
            equalities: Vec::new(),
            inequalities: Vec::new(),
            empty: false,
        }
    }

    /// The first column of the dimensions of a kind.
    pub(crate) fn offset(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => 1,
            DimKind::In => 1 + self.space.n(DimKind::Param),
            DimKind::Out => 1 + self.space.n(DimKind::Param) + self.space.n(DimKind::In),
            DimKind::Local => 1 + self.space.n_all(),
        }
    }

    /// The width of the rows.
    pub(crate) fn n_columns(&self) -> usize {
        1 + self.space.n_all() + self.locals.len()
    }

    /// The steps (see [`Budget`]) for going through all of it once: to place it into other columns, to
    /// copy it or to bring it into normal form.
    pub(crate) fn work(&self) -> u64 {
        let n_rows = self.equalities.len() + self.inequalities.len() + self.locals.len();
        4 + (n_rows * (8 + self.n_columns())) as u64 / 8
    }

    /// Whether a row has the right length.
    pub(crate) fn check_row(&self, row: &Row) -> Result<()> {
        let (length, width) = (row.len(), self.n_columns());
        if length == width {
            return Ok(());
        }
        let space = &self.space;
        let reason = format!("a row of {length} columns over {space}, which takes {width}");
        Err(Error::Invalid { operation: FROM_ROWS, reason })
    }

    pub(crate) fn expect_row(&self, row: &Row) {
        assert_eq!(row.len(), self.n_columns(), "the columns of a row over {}", self.space);
    }

    /// Adds constraints of the right length.
    pub(crate) fn push_constraints(&mut self, constraints: impl IntoIterator<Item = Constraint>) {
        for constraint in constraints {
            self.expect_row(&constraint.row);
            if constraint.is_equality {
                self.equalities.push(constraint.row);
            } else {
                self.inequalities.push(constraint.row);
            }
        }
    }

    /// About how many machine words it takes.
    pub(crate) fn words(&self) -> usize {
        let n_rows = self.equalities.len() + self.inequalities.len() + self.locals.len();
        32 + n_rows * (18 + self.n_columns())
    }

    /// Forgets everything except the space and remembers that there is no point.
    pub(crate) fn set_empty(&mut self) {
        self.locals.clear();
        self.equalities.clear();
        self.inequalities.clear();
        self.empty = true;
    }

    /// Adds the equality of two columns.
    pub(crate) fn push_equal_columns(&mut self, a: usize, b: usize) {
        let row = self.difference_row(a, b, 0);
        self.equalities.push(row);
    }

    /// The row `column b - column a + constant`.
    pub(crate) fn difference_row(&self, a: usize, b: usize, constant: i64) -> Row {
        let mut row = Row::zeros(self.n_columns());
        row.set(0, Int::from(constant));
        row.add_at(a, &Int::from(-1));
        row.add_at(b, &Int::from(1));
        row
    }

    /// All rows: equalities, inequalities and the numerators of floors.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let numerators = self.locals.iter_mut().filter_map(|local| match local {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        });
        self.equalities.iter_mut().chain(&mut self.inequalities).chain(numerators)
    }
}

/// Whether a single constraint of the system shows that `row >= 0`.
pub(crate) fn plainly_implies(data: &BasicRelation, row: &Row) -> bool {
    let tight = tightened(row);
    let columns = 1..tight.len();
    if tight.first_nonzero(columns).is_none() {
        return tight.sign(0) >= 0;
    }
    let parallel = |known: &Row| is_parallel(known, &tight, 1) && known.get(0) <= tight.get(0);
    let opposite = |known: &Row| {
        is_parallel(known, &tight, -1) && !(&known.get(0) + &tight.get(0)).is_negative()
    };
    data.inequalities.iter().any(parallel)
        || data.equalities.iter().any(|known| parallel(known) || opposite(known))
}

/// The two inequalities `0 <= numerator - denominator * local < denominator` of every floor.
pub(crate) fn floor_inequalities(data: &BasicRelation) -> Vec<Row> {
    let first = data.offset(DimKind::Local);
    let mut rows = Vec::new();
    for (i, local) in data.locals.iter().enumerate() {
        let Local::Floor { numerator, denominator } = local else { continue };
        let mut lower = numerator.clone();
        lower.add_at(first + i, &-denominator);
        let mut upper = lower.clone();
        upper.negate();
        upper.add_at(0, &(denominator - Int::ONE));
        rows.extend([lower, upper]);
    }
    rows
}

/// The inequalities that make `column` the floor of `numerator / denominator`.
pub(crate) fn floor_bounds(numerator: &Row, denominator: &Int, column: usize) -> [Row; 2] {
    let mut lower = numerator.clone();
    lower.set(column, &lower.get(column) - denominator);
    let mut upper = lower.clone();
    upper.negate();
    upper.set(0, &(&upper.get(0) + denominator) - &Int::ONE);
    [lower, upper]
}

/// Whether any local is an unknown existential.
pub(crate) fn has_unknown_locals(data: &BasicRelation) -> bool {
    data.locals.iter().any(|local| matches!(local, Local::Unknown))
}

impl Budget {
    /// Spends what handling each of some systems once takes.
    pub(crate) fn spend_on<'a>(
        &self,
        systems: impl IntoIterator<Item = &'a BasicRelation>,
        operation: &'static str,
    ) -> Result<()> {
        self.spend(systems.into_iter().map(BasicRelation::work).sum(), operation)
    }
}
