//! The table of directives and clauses: what each means to a region.
use super::meaning::{Answer, ClauseMeaning, ClauseRow, Meaning, Position, Reach, Row};
use super::read::{Clause, Directive};
use super::{openacc, openmp, others};

/// Whose directive it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// OpenMP, `#pragma omp`.
    OpenMp,
    /// OpenACC, `#pragma acc`.
    OpenAcc,
    /// GCC's own, `#pragma GCC`.
    Gcc,
    /// Clang's own, `#pragma clang`.
    Clang,
    /// The C standard's, `#pragma STDC`.
    Stdc,
    /// PENCIL's and this program's own: `#pragma pencil`, `#pragma scop`.
    Own,
    /// All others.
    Other,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 7] = [
        Family::OpenMp,
        Family::OpenAcc,
        Family::Gcc,
        Family::Clang,
        Family::Stdc,
        Family::Own,
        Family::Other,
    ];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Family::OpenMp => "OpenMP 5.2",
            Family::OpenAcc => "OpenACC 3.3",
            Family::Gcc => "GCC",
            Family::Clang => "Clang",
            Family::Stdc => "The C standard",
            Family::Own => "PENCIL and Loopwright",
            Family::Other => "Other compilers, and pragmas without a prefix",
        }
    }

    /// Its rows of the table.
    pub fn rows(self) -> &'static [Row] {
        match self {
            Family::OpenMp => openmp::ROWS,
            Family::OpenAcc => openacc::ROWS,
            Family::Gcc => others::GCC,
            Family::Clang => others::CLANG,
            Family::Stdc => others::STDC,
            Family::Own => others::OWN,
            Family::Other => others::OTHER,
        }
    }

    /// The rows of its clauses.
    pub fn clauses(self) -> &'static [ClauseRow] {
        match self {
            Family::OpenMp => openmp::CLAUSES,
            Family::OpenAcc => openacc::CLAUSES,
            _ => &[],
        }
    }

    /// The row of a directive.
    pub fn row(self, name: &str) -> Option<&'static Row> {
        self.rows().iter().find(|row| row.name == name)
    }
}

/// What is known of directives that the table does not have.
const UNKNOWN: Row = Row {
    name: "",
    meaning: Meaning::Obstacle,
    reach: Reach::Statement,
    why: "is not known here, so what it asks for is not known either",
};

/// The row of a directive; that of unknown directives if there is none.
pub(super) fn row_of(family: Family, name: &str) -> &'static Row {
    family.row(name).unwrap_or(&UNKNOWN)
}

impl Directive {
    /// What it means to a region.
    pub fn meaning(&self) -> Meaning {
        self.row().meaning
    }

    /// What follows for a region, but for its clauses.
    pub fn answer(&self, position: Position) -> Answer {
        self.row().meaning.answer(self.row().reach, position)
    }

    /// What one of its clauses means, and why; clauses that the table does not have are obstacles.
    pub fn clause(&self, clause: &Clause) -> (ClauseMeaning, &'static str) {
        let row = self.family.clauses().iter().find(|row| row.name == clause.name);
        row.map_or((ClauseMeaning::Obstacle, "is not known here"), |row| (row.meaning, row.why))
    }
}
