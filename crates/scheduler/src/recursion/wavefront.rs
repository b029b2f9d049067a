//! Bands without coincident members as wavefronts.
//!
//! The sum of permutable members carries whatever any of them carries. Hence all but one of
//! the members are coincident below it, as far as coincidence follows from validity
//! ("Scheduling for PPCG", section 6.3). The price are large coefficients.
use crate::algebra::vectors::Vector;
use crate::graph::subgraph::Subgraph;
use crate::pluto::BandMember;
use crate::problem::constraint_kinds::ConstraintKinds;
use crate::scheduler::Scheduler;
use loopwright_presburger::{Error, Result};
use loopwright_schedule::Node;

impl Scheduler<'_> {
    /// The sum of the members of a band, over all but the first of them.
    pub(crate) fn wavefront(&mut self, part: Subgraph, members: &[BandMember]) -> Result<Node> {
        let sum = BandMember { rows: sum(members)?, coincident: false };
        let statements = part.statements.clone();
        let below = self.below(part, std::slice::from_ref(&sum))?;
        let n_params = self.graph.n_params;
        let coincidence =
            || below.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::COINCIDENCE));
        let inner: Vec<BandMember> = members[1..]
            .iter()
            .map(|member| {
                let coincident = coincidence().all(|d| d.is_local(&member.rows, n_params));
                BandMember { rows: member.rows.clone(), coincident }
            })
            .collect();
        let child = self.attach(below, &inner, true)?;
        Ok(crate::recursion::tree::band(self.graph, &statements, &[sum], false, child))
    }
}

/// The sum of the rows of members, by statement.
fn sum(members: &[BandMember]) -> Result<Vec<Vector>> {
    let mut rows = members[0].rows.clone();
    let too_large = || Error::too_large("the coefficients of a wavefront");
    for member in &members[1..] {
        for (row, more) in rows.iter_mut().zip(&member.rows) {
            for (entry, &value) in row.iter_mut().zip(more) {
                *entry = entry.checked_add(value).ok_or_else(too_large)?;
            }
        }
    }
    Ok(rows)
}
