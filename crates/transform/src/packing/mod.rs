//! Packing of panels into contiguous buffers.
//!
//! In a tile of a nest like a matrix product a part of the statement is evaluated for the same
//! operands again and again: `A[j][k]` in `C[i][j] += alpha * A[i][k] * A[j][k]` depends on two of
//! the three loops. It is computed once per tile, into a local array in which the innermost loop finds
//! consecutive values next to each other:
//!
//! ```text
//! for (ii, jj, kk: tiles)                 for (ii, jj, kk: tiles) {
//!   for (i, k, j: points)                   double A_panel[32][264];
//!     C[i][j] += alpha                      for (k, j: points) A_panel[k - kk][j - jj] = A[j][k];
//!              * A[i][k] * A[j][k];   ⟶     for (i, k, j: points)
//!                                             C[i][j] += alpha * A[i][k] * A_panel[k - kk][j - jj];
//!                                         }
//! ```
//!
//! The same operations run on the same values, so results do not change by a bit.
//!
//! # Which
//! Parts of bodies that are plain assignments ([`loopwright_scop::PlainAssignment`]), found by how they
//! move, not by name (`reader`):
//!
//! * parts with an operand that is strided along the innermost loop, which without a panel cannot be loaded
//!   as vectors;
//! * in tiles for registers ([`crate::tile::register_tile`]) vectors that all rows use and that are in
//!   another row of their array, mostly on another page, at each step of the sum: the panel has them on few
//!   pages (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 2008);
//! * there also operations on what is the same for all columns: `alpha * A[i][k]`; and such values if they
//!   are next to each other for the rows, but on another page at each step of the sum: `A[k][i]`.
//!
//! The panel is filled below the outermost tile loops at which its extents are constants and it fits a
//! share of the second level cache, if each value is used often enough there (`place`).
//!
//! # Legality
//! No statement below that place writes an operand. The statement that fills the panel is a
//! statement like others: the proofs of the schedule and of the loops cover it, and
//! `loopwright_verify` proves in addition that every read finds the value that it stands for.
mod divide;
mod insert;
mod outlook;
mod packed;
mod place;
mod reader;
mod spot;

pub use outlook::may_pack;
pub use packed::Packed;

use crate::cost::trip_counts::Nominal;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Scop, StatementId};
use reader::PanelReader;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// More panels than this for one statement are not tried.
const MOST_PER_STATEMENT: usize = 4;

/// Packs parts of statements where that pays; `taken` are names that the program uses.
///
/// *Cost.* A few integer optimizations per part of a statement and loop around it.
///
/// # Errors
/// For malformed trees. Where the budget runs out, what has been packed until then is returned.
///
/// ```
/// use loopwright_machine::Machine;
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// use loopwright_transform::packing::pack;
/// let scop = Scop::parse("{ context: '{ : }', parameters: [], arrays: [], statements: [], \
///     schedule: { domain: '{ }' }, assumptions: [] }")?;
/// let names = Default::default();
/// let packed = pack(&scop.schedule, &scop, &Machine::generic(), &names, &Budget::steps(1000))?;
/// assert!(packed.panels.is_empty());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn pack(
    tree: &ScheduleTree,
    scop: &Scop,
    machine: &Machine,
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Packed> {
    let mut packed = Packed {
        tree: tree.clone(),
        scop: scop.clone(),
        divisions: Vec::new(),
        panels: Vec::new(),
        decisions: Vec::new(),
    };
    let mut taken = taken.clone();
    let bytes = i64::try_from(machine.l2_bytes / 2).unwrap_or(i64::MAX);
    let mut used: Vec<(StatementId, i64)> = Vec::new();
    let mut nominal = OnceCell::new();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        for _ in 0..MOST_PER_STATEMENT {
            let bytes_left = |packed: &Packed, reader: StatementId| {
                let name = |id| &packed.scop.statement(id).name;
                let beside = used.iter().filter(|(other, _)| {
                    reader::share_a_loop(&packed.tree, name(reader), name(*other))
                });
                bytes - beside.map(|(_, bytes)| bytes).sum::<i64>()
            };
            match pack_one(
                (&packed, &nominal),
                statement.id,
                machine,
                bytes_left,
                &mut taken,
                budget,
            ) {
                Ok(Some((next, reader, bytes))) => {
                    packed = next;
                    nominal = OnceCell::new();
                    used.push((reader, bytes));
                }
                Ok(None) => break,
                Err(loopwright_presburger::Error::Exceeded { .. }) => return Ok(packed),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(packed)
}

/// One more panel for a statement, or for a part of it, with its reader and its size in bytes. Sizes that
/// stand for those of the program are found once for all statements.
fn pack_one(
    (packed, nominal): (&Packed, &OnceCell<Nominal>),
    statement: StatementId,
    machine: &Machine,
    bytes_left: impl Fn(&Packed, StatementId) -> i64,
    taken: &mut BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<(Packed, StatementId, i64)>> {
    let known = packed.divisions.iter().find(|division| division.of == statement);
    let (packed, id) = match known {
        Some(division) => (Cow::Borrowed(packed), division.part),
        None => match divide::divide(packed, statement, budget)? {
            Some((divided, division)) => (Cow::Owned(divided), division.part),
            None => (Cow::Borrowed(packed), statement),
        },
    };
    let own = OnceCell::new();
    let nominal = if matches!(packed, Cow::Owned(_)) { &own } else { nominal };
    let Some(reader) = PanelReader::new(&packed, id, nominal)? else { return Ok(None) };
    let bytes_left = bytes_left(&packed, id);
    for candidate in reader.candidates() {
        let found = place::find(&packed, &reader, &candidate, machine, bytes_left, budget)?;
        let Some(spot) = found else { continue };
        if let Some(next) = insert::insert(&packed, &reader, &candidate, &spot, taken, budget)? {
            return Ok(Some((next, id, spot.bytes)));
        }
    }
    Ok(None)
}
