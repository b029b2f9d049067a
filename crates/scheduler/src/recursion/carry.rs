//! What is put outside where no tilable band exists.
use crate::algebra::echelon::Echelon;
use crate::algebra::vectors::Vector;
use crate::feautrier::{cannot_carry, feautrier_member};
use crate::graph::subgraph::Subgraph;
use crate::pluto::BandMember;
use crate::problem::band_problem::{BandEdge, Group};
use crate::problem::constraint_kinds::ConstraintKinds;
use crate::problem::lineality::Lineality;
use crate::scheduler::Scheduler;
use crate::{Algorithm, Fallback, Options};
use loopwright_presburger::Result;
use loopwright_schedule::Node;
use rustc_hash::FxHashSet;

impl Scheduler<'_> {
    /// A single member outside, as the options want it: one that carries as much as possible, or
    /// the first of a band.
    pub(crate) fn carry(&mut self, part: Subgraph) -> Result<Node> {
        if self.options.fallback == Fallback::Original
            && self.options.algorithm == Algorithm::Pluto
            && let Some(member) = self.original_member(&part)?
        {
            return self.attach(part, &[member], false);
        }
        if let Some(member) = self.alternative_member(&part)? {
            return self.attach(part, &[member], false);
        }
        let Some(rows) = self.carrying_rows(&part)? else { return self.without_preferences(part) };
        let rows = self.by_statement(&part.statements, rows);
        self.attach(part, &[BandMember { rows, coincident: false }], false)
    }

    /// The outermost dimension of the statements that tells more of their instances apart, as a member; none
    /// if it does not respect validity ("Scheduling for PPCG", section 6.7). New parallel loops do not come
    /// from it, but what is inside is scheduled anew.
    fn original_member(&self, part: &Subgraph) -> Result<Option<BandMember>> {
        let dims = part.statements.iter().map(|&statement| self.graph.statements[statement].dim());
        for dim in 0..dims.max().unwrap_or(0) {
            let member = self.dimension(part, dim)?;
            if self.tells_apart(part, &member)? {
                return Ok(Some(member).filter(|member| self.respects_validity(part, member)));
            }
        }
        Ok(None)
    }

    /// Whether a member distinguishes instances of a statement that the outer members do not.
    fn tells_apart(&self, part: &Subgraph, member: &BandMember) -> Result<bool> {
        let head = 1 + self.graph.n_params;
        for (&statement, earlier) in part.statements.iter().zip(&part.earlier) {
            let mut rows = earlier.clone();
            rows.push(member.rows[statement][head..].to_vec());
            if Echelon::of(&rows)?.rank() > Echelon::of(earlier)?.rank() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first member of a band in which coincidence is not asked for, if the options prefer one to
    /// a Feautrier step ("Scheduling for PPCG", section 6.7).
    fn alternative_member(&mut self, part: &Subgraph) -> Result<Option<BandMember>> {
        let wanted = match self.options.fallback {
            _ if self.options.algorithm == Algorithm::Feautrier => return Ok(None),
            _ if !self.options.outer_coincidence => return Ok(None),
            Fallback::Feautrier | Fallback::Original => return Ok(None),
            Fallback::FirstMember => ConstraintKinds::ALL,
            Fallback::Validity => ConstraintKinds::ORDER.and(ConstraintKinds::CONDITION),
        };
        let options = Options { outer_coincidence: false, ..*self.options };
        let relaxed = part.with_kinds(wanted);
        let band = self.pluto_with(&relaxed, &options)?;
        let first = band.members.into_iter().next();
        Ok(first.map(|member| BandMember { coincident: false, ..member }))
    }

    /// A member that carries as much as possible, one row per statement of the part; coincidence
    /// pairs are among what is to be carried where the outermost member should be coincident.
    fn carrying_rows(&self, part: &Subgraph) -> Result<Option<Vec<Vector>>> {
        if self.options.algorithm == Algorithm::Pluto && self.options.outer_coincidence {
            let member = self
                .carrying_member(part, ConstraintKinds::ORDER.and(ConstraintKinds::COINCIDENCE))?;
            if member.is_some() {
                return Ok(member);
            }
        }
        self.carrying_member(part, ConstraintKinds::ORDER)
    }

    /// The band of a part in which nothing can be carried, as long as validity allows one:
    /// coincidence is not insisted on, and proximity is given up if there is no bound on distances.
    /// Otherwise a sequence that keeps the ends of all conditions together: then no conditional
    /// constraint has to hold between its children.
    fn without_preferences(&mut self, part: Subgraph) -> Result<Node> {
        let options = Options { outer_coincidence: false, ..*self.options };
        for kinds in
            [ConstraintKinds::ALL, ConstraintKinds::ALL.without(ConstraintKinds::PROXIMITY)]
        {
            let band = self.pluto_with(&part.with_kinds(kinds), &options)?;
            if !band.members.is_empty() {
                return self.attach(part, &band.members, true);
            }
        }
        let together = part.components_with_conditions();
        if together.len() > 1 {
            return self.children(part, together, true);
        }
        Err(cannot_carry())
    }

    fn carrying_member(
        &self,
        part: &Subgraph,
        kinds: ConstraintKinds,
    ) -> Result<Option<Vec<Vector>>> {
        let problem = self.problem(part)?;
        let edges = problem.edges.iter().filter(|edge| edge.kinds.any(kinds));
        let group = |edge: &BandEdge| -> Result<Group> {
            let generators = problem.relaxed(edge, self.budget)?;
            Ok(Group { source: edge.source, sink: edge.sink, generators })
        };
        let mut groups: Vec<Group> = edges.map(group).collect::<Result<_>>()?;
        if self.options.lineality {
            let lineality = Lineality::of(&problem, &groups)?;
            for group in &mut groups {
                lineality.apply(group)?;
            }
        }
        if self.options.deduplicate {
            let mut known = FxHashSet::default();
            groups.retain(|group| known.insert(group.clone()));
        }
        feautrier_member(&problem, &groups, self.options, self.budget)
    }
}
