//! A band where it is in a tree, with all that is known about it.
//!
//! Every choice about a band is a function of its site, and of choices made before. The site is made once
//! for each band and never changes.
pub mod marks;
pub mod outer_loops;

use crate::cost::nest::Nest;
use crate::cost::profitability::{parallel_may_pay, parallel_pays};
use crate::cost::trip_counts::Nominal;
use crate::legality::independence::Independence;
use crate::settings::Options;
use loopwright_machine::Machine;
use loopwright_presburger::{Name, Result, UnionPwAff};
use loopwright_schedule::{Band, Node, Reaching};
use loopwright_scop::Scop;

/// What is the same for all bands of a tree.
#[derive(Debug)]
pub struct TreeFacts<'a> {
    /// The program.
    pub scop: &'a Scop,
    /// Its dependences, and tests on them.
    pub independence: Independence<'a>,
    /// The assumed values of its parameters.
    pub nominal: Nominal,
}

/// A band where it is in a tree.
#[derive(Debug)]
pub struct BandSite<'a> {
    /// The band.
    pub band: &'a Band,
    /// What is below it.
    pub child: &'a Node,
    /// What reaches the band.
    pub reaching: &'a Reaching,
    /// What reaches `child`.
    pub below: &'a Reaching,
    /// The statements below, as cost models see them.
    pub nest: Nest<'a>,
    /// The program.
    pub scop: &'a Scop,
    /// Exact tests on the dependences.
    pub independence: &'a Independence<'a>,
    /// What is wanted for this band.
    pub options: &'a Options,
    /// Whether a loop of the band may be marked as parallel: that is wanted, and no loop around it is.
    pub may_be_parallel: bool,
    /// Whether rows of the band may run together if it is not tiled.
    pub may_run_rows_together: bool,
}

impl<'a> BandSite<'a> {
    /// The site of a band with everything allowed that the options allow; see the fields.
    pub fn new(
        facts: &'a TreeFacts<'a>,
        (band, child): (&'a Band, &'a Node),
        (reaching, below): (&'a Reaching, &'a Reaching),
        options: &'a Options,
    ) -> Self {
        BandSite {
            band,
            child,
            reaching,
            below,
            nest: Nest::new(facts.scop, below, band.n_members(), &facts.nominal),
            scop: facts.scop,
            independence: &facts.independence,
            options,
            may_be_parallel: options.parallel,
            may_run_rows_together: options.register_tiles,
        }
    }

    /// The number of members of the band.
    pub fn n_members(&self) -> usize {
        self.band.n_members()
    }

    /// The members of the band.
    pub fn members(&self) -> &'a [UnionPwAff] {
        self.band.schedule.members()
    }

    /// The members in another order.
    pub fn members_in(&self, order: &[usize]) -> Vec<UnionPwAff> {
        order.iter().map(|&member| self.members()[member].clone()).collect()
    }

    /// The machine that the code is for.
    pub fn machine(&self) -> &'a Machine {
        &self.options.machine
    }

    /// The scalars of which every iteration of the last of `loops`, nested inside the others and outside of
    /// everything else in the band, needs its own copy to make the iterations independent; see
    /// [`Independence::private_scalars`].
    ///
    /// # Errors
    /// For malformed trees.
    pub fn private_scalars(&self, loops: &[UnionPwAff]) -> Result<Option<Vec<Name>>> {
        self.independence.private_scalars(self.reaching, loops)
    }

    /// The same for a loop whose iterations run on several threads; see
    /// [`Independence::private_variables`].
    ///
    /// # Errors
    /// For malformed trees.
    pub fn private_variables(&self, loops: &[UnionPwAff]) -> Result<Option<Vec<Name>>> {
        self.independence.private_variables(self.reaching, loops)
    }

    /// The loops outside of the band, as [`Nest::work_per_entry`] wants them.
    pub fn outside(&self) -> Vec<(usize, i64)> {
        (0..self.nest.first).map(|dimension| (dimension, 1)).collect()
    }

    /// The same with some members of the band outside.
    fn inside_of(&self, members: &[usize]) -> Vec<(usize, i64)> {
        let own = members.iter().map(|&member| (self.nest.first + member, 1));
        self.outside().into_iter().chain(own).collect()
    }

    /// Whether a parallel loop inside the loops over some `members` of the band has enough work.
    pub fn parallel_pays_inside(&self, members: &[usize]) -> bool {
        parallel_pays(&self.nest, &self.inside_of(members))
            || members.is_empty() && parallel_may_pay(&self.nest, self.scop)
    }
}
