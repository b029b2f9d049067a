//! What the recursion that builds the tree works with: the graph, the options, what may be spent; and the
//! search for one band.
use crate::algebra::echelon::Echelon;
use crate::algebra::vectors::Vector;
use crate::graph::Graph;
use crate::graph::subgraph::Subgraph;
use crate::options::Options;
use crate::pluto::{BandMember, PlutoBand, pluto_band};
use crate::problem::band_problem::BandProblem;
use crate::scheduled::Note;
use loopwright_presburger::{Budget, Error, Result, Tuple};
use std::cell::Cell;

/// The number of parts that the work that is left is cut into.
pub(crate) const WHOLE: u64 = 8;

pub(crate) struct Scheduler<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    pub(crate) notes: Vec<Note>,
    /// See [`crate::Scheduled::keeps_apart`].
    pub(crate) keeps_apart: Cell<bool>,
}

impl<'a> Scheduler<'a> {
    pub(crate) fn new(graph: &'a Graph, options: &'a Options, budget: &'a Budget) -> Self {
        Scheduler { graph, options, budget, notes: Vec::new(), keeps_apart: Cell::new(false) }
    }
}

impl Scheduler<'_> {
    /// Whether the outer members already distinguish all instances of each statement.
    pub(crate) fn is_complete(&self, part: &Subgraph) -> Result<bool> {
        for (&statement, earlier) in part.statements.iter().zip(&part.earlier) {
            let rank = Echelon::of(earlier)?.rank();
            if rank < self.graph.statements[statement].dim() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The problem of finding members for a part.
    pub(crate) fn problem(&self, part: &Subgraph) -> Result<BandProblem> {
        let Subgraph { statements, dependences, earlier } = part;
        self.graph.band_problem(statements, dependences, earlier, self.options)
    }

    /// The band of all statements of a part. Without budget for it: no members.
    pub(crate) fn pluto(&mut self, part: &Subgraph) -> Result<PlutoBand> {
        self.pluto_with(part, self.options)
    }

    pub(crate) fn pluto_with(&mut self, part: &Subgraph, options: &Options) -> Result<PlutoBand> {
        let problem = self.problem(part)?;
        let limit = self.budget.part(self.budget.remaining() / 2);
        let band = pluto_band(&problem, options, &limit);
        self.budget.charge(&limit);
        match band {
            Ok(mut band) => {
                for member in &mut band.members {
                    member.rows =
                        self.by_statement(&part.statements, std::mem::take(&mut member.rows));
                }
                Ok(band)
            }
            Err(Error::Exceeded { .. }) => {
                self.note(
                    &part.statements,
                    "no tilable loops were looked for: the work limit was reached",
                );
                Ok(PlutoBand { members: Vec::new(), complete: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Rows per node as rows per statement of the graph (empty for statements without).
    pub(crate) fn by_statement(&self, statements: &[usize], rows: Vec<Vector>) -> Vec<Vector> {
        let mut all = vec![Vector::new(); self.graph.statements.len()];
        for (&statement, row) in statements.iter().zip(rows) {
            all[statement] = row;
        }
        all
    }

    /// What is left below a band: dependences that it does not carry.
    ///
    /// Conditional constraints next to a condition that the band separates hold from here on.
    pub(crate) fn below(&self, mut part: Subgraph, members: &[BandMember]) -> Result<Subgraph> {
        let rows: Vec<Vec<Vector>> = members.iter().map(|m| m.rows.clone()).collect();
        part.promote_next_to(|condition| {
            rows.iter().any(|member| !condition.is_local(member, self.graph.n_params))
        });
        let mut rest = Vec::with_capacity(part.dependences.len());
        for dependence in std::mem::take(&mut part.dependences) {
            let (statements, n_params) = (&self.graph.statements, self.graph.n_params);
            rest.extend(dependence.uncarried(&rows, statements, n_params, self.budget)?);
        }
        part.dependences = rest;
        let head = 1 + self.graph.n_params;
        for (&statement, earlier) in part.statements.iter().zip(&mut part.earlier) {
            earlier.extend(rows.iter().map(|member| member[statement][head..].to_vec()));
        }
        Ok(part)
    }

    pub(crate) fn note(&mut self, statements: &[usize], message: &str) {
        let name = |&s: &usize| {
            let tuple = self.graph.statements[s].space.output();
            tuple.and_then(Tuple::name).map_or_else(String::new, |name| name.to_string())
        };
        let statements = statements.iter().map(name).collect();
        self.notes.push(Note { statements, message: message.to_string() });
    }
}
