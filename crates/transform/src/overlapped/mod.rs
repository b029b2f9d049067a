//! Overlapped tiling: tiles that compute for themselves whatever they need of their neighbours.
//!
//! In a stencil a tile of several time steps needs values that its neighbours compute in the same steps, so
//! that rectangular tiles wait for each other. *Overlapped* tiles do not: the time steps are cut into bands
//! of `tau` steps, the data into blocks, and each tile starts from the state before its band and computes its
//! block at the end of the band, with everything in between that this takes. What lies near the border of a
//! block is computed by several tiles.
//!
//! ```text
//!                                        for (b)                       // bands of 8 steps
//! for (t)                                  parallel for (c) {          // blocks of 32 elements
//!   for (i)                                  double A_tile[2][50];
//!     A[t%2][i] = f(A[(t-1)%2][i-1],         A_tile = what c needs of the state before band b
//!                   A[(t-1)%2][i],     ⟶     for (8 steps)
//!                   A[(t-1)%2][i+1]);          for (i in c, and 7, 6, .. more on both sides)
//!                                                A_tile[t%2][i - ..] = f(A_tile[(t-1)%2][i-1 - ..], ..);
//!                                            A or A_next = block c of A_tile
//!                                          }
//! ```
//!
//! All tiles of a band are independent, so that the number of times that all threads wait for each other is
//! the number of bands, whatever the size of the data (Wonnacott and Strout, "On the scalability of loop
//! tiling techniques", IMPACT 2013, section 4). The price is work that is done more than once
//! ([`Growth::redundancy`]).
//!
//! # What becomes of the program
//! Each statement gets the coordinates of a tile in front ([`Recomputation`]); its instances access arrays
//! that each tile has for itself. Statements that copy elements bring values into a tile and out of it
//! (`exchange`). An array of which a tile may read elements that another one writes in the same band has a
//! second buffer ([`Recomputation::buffers`]), and bands read one and write the other in turn.
//!
//! # Legality
//! The same operations run on the same values. Nothing here is trusted: `loopwright_verify` compares, for
//! every read, the instance whose value is found with that whose value the program reads.
mod cells;
mod copies;
mod default_sizes;
mod equal_depths;
mod exchange;
mod growth;
mod program;
mod prospect;
mod second_buffer;
mod site;
mod slices;
mod tree;
mod vector_loops;

pub use equal_depths::with_equal_depths;
pub use growth::{Growth, Side};
pub use prospect::{Prospect, prospect};
pub use vector_loops::with_vector_loops;

use crate::overlapped::default_sizes::{LONGEST, cheapest_sizes};
use crate::overlapped::site::{Site, Stop};
use crate::{BandReport, Decision, Report};
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Error, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Recomputation, Scop};
use std::collections::BTreeSet;

/// A program in overlapped tiles.
#[derive(Clone, Debug)]
pub struct Overlapped {
    /// The program: the given one with statements in tiles, and copies.
    pub scop: Scop,
    /// Its order, with tiles that threads share and local arrays.
    pub tree: ScheduleTree,
    /// How it stands for the given one. Its buffers have to be declared in front of the program, without
    /// values.
    pub recomputation: Recomputation,
    /// How much tiles grow from step to step.
    pub growth: Growth,
    /// What was done.
    pub report: Report,
}

/// What came of overlapped tiling.
#[derive(Clone, Debug)]
pub enum Overlapping {
    /// The program in tiles.
    Tiled(Box<Overlapped>),
    /// It has none, for this reason: a clause.
    Refused(String),
}

/// Puts a program into overlapped tiles of `sizes`: the number of time steps, then the extents of blocks, the
/// last one repeated as often as needed; none for sizes of our choice. `tree` is the program's own order,
/// `taken` are names that the program uses.
///
/// The program has to be one loop over time, outermost, with statements of equally many loops inside.
///
/// *Cost.* Some integer optima per flow dependence, and projections of sets with twice the dimensions of the
/// program's.
///
/// # Errors
/// For malformed trees. A limit that is reached is a reason for refusal.
pub fn overlap(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    sizes: &[i64],
    (machine, taken): (&Machine, &BTreeSet<String>),
    budget: &Budget,
) -> Result<Overlapping> {
    let tiled = || {
        let site_of = |sizes: &[i64]| Site::new(tree, scop, dependences, sizes, budget);
        let site = match sizes {
            [] => site_of(&cheapest_sizes(&site_of(&LONGEST)?, machine)?)?,
            given => site_of(given)?,
        };
        let growth = Growth::of(&site)?;
        program::in_tiles(&site, growth, machine, taken)
    };
    match tiled() {
        Ok(overlapped) => Ok(Overlapping::Tiled(Box::new(overlapped))),
        Err(Stop::Refused(reason)) => Ok(Overlapping::Refused(reason)),
        Err(Stop::Error(Error::Exceeded { operation, .. })) => {
            Ok(Overlapping::Refused(format!("a limit was reached ({operation})")))
        }
        Err(Stop::Error(error)) => Err(error),
    }
}

/// What is reported of the band.
fn report(site: &Site<'_>, growth: &Growth) -> Report {
    let name = |id| site.scop.statement(id).name.to_string();
    let sizes: Vec<i64> = std::iter::once(site.steps).chain(site.sizes.iter().copied()).collect();
    let n = sizes.len();
    let band = BandReport {
        statements: site.statements.iter().map(|id| name(*id)).collect(),
        coincident: vec![false; n],
        order: (0..n).collect(),
        tile_sizes: sizes.clone(),
        decisions: vec![Decision::Overlapped { sizes, redundancy: growth.redundancy() }],
        ..BandReport::default()
    };
    Report { bands: vec![band] }
}
