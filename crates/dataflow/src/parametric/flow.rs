//! What the analysis answers.
use loopwright_presburger::{Budget, DimKind, Map, Name, Result, Set};
use loopwright_scop::{ArrayId, ReferenceId, StatementId};
use std::collections::BTreeSet;

/// Where the value of a read comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A write.
    Write(StatementId, ReferenceId),
    /// Nothing has written the variable since it began to live there.
    Undefined(StatementId, ReferenceId),
    /// From before the region.
    Before,
}

/// The reads whose values have one origin.
#[derive(Clone, Debug)]
pub struct Disjunct {
    /// The origin.
    pub origin: Origin,
    /// The reads, under conditions on the parameters of the sources.
    pub reads: Set,
    /// From the reads to the writing instances; none for values from before the region.
    pub relation: Option<Map>,
}

/// The parameters of a source of a read: whether one of its candidates has run, and which one was the last.
///
/// They are functions of the read; reads do not interact, so a name stands for its value at one read.
#[derive(Clone, Debug)]
pub struct SourceParameters {
    /// The statement that writes.
    pub statement: StatementId,
    /// Its reference.
    pub reference: ReferenceId,
    /// The parameter that says whether one of the candidates has run and written what is read.
    pub ran: Name,
    /// Its value if one has. Two sources of which exactly one runs share a parameter.
    pub ran_value: bool,
    /// The parameters that are the coordinates of the last one; none where the coordinate follows from
    /// the read and the coordinates before. They mean nothing where no candidate has run.
    pub last: Vec<Option<Name>>,
    /// The candidates, which the parameters are about: from reads to writing instances.
    pub candidates: Map,
}

/// The sources of the reads of one reference.
#[derive(Clone, Debug)]
pub struct ReadFlow {
    /// The statement that reads.
    pub statement: StatementId,
    /// Its reference.
    pub reference: ReferenceId,
    /// The variable.
    pub array: ArrayId,
    /// The reads: instances `S[k]`, or `S[k] -> A[e]` where an instance may read several elements.
    pub reads: Set,
    /// Of these exactly one holds for each read that takes place.
    pub disjuncts: Vec<Disjunct>,
    /// The parameters that the disjuncts use.
    pub parameters: Vec<SourceParameters>,
}

/// The dataflow of a model with filters, for reads that take place.
#[derive(Clone, Debug, Default)]
pub struct ParametricFlow {
    /// One entry per reading reference.
    pub reads: Vec<ReadFlow>,
}

impl ReadFlow {
    /// The names of the parameters.
    pub fn parameter_names(&self) -> BTreeSet<Name> {
        let names = |own: &SourceParameters| {
            std::iter::once(own.ran.clone())
                .chain(own.last.iter().flatten().cloned())
                .collect::<Vec<_>>()
        };
        self.parameters.iter().flat_map(names).collect()
    }

    /// The disjuncts whatever the parameters are: the writes that may be sources.
    ///
    /// # Errors
    /// [`loopwright_presburger::Error::Exceeded`] if the budget is used up.
    pub fn projected(&self, budget: &Budget) -> Result<Vec<Disjunct>> {
        let names = self.parameter_names();
        let without = |map: &Map| {
            names.iter().fold(map.clone(), |map, name| match map.find_param(name) {
                Some(position) => map.project_out(DimKind::Param, position, 1),
                None => map,
            })
        };
        let project = |disjunct: &Disjunct| {
            let relation = disjunct.relation.as_ref().map(|r| without(r).coalesce(budget));
            let reads = without(disjunct.reads.as_map()).coalesce(budget)?;
            let relation = relation.transpose()?;
            Ok(Disjunct { origin: disjunct.origin, reads: Set::from_map(reads), relation })
        };
        self.disjuncts.iter().map(project).collect()
    }
}

impl ParametricFlow {
    /// The number of parameters of all reads together.
    pub fn n_parameters(&self) -> usize {
        self.reads.iter().map(|read| read.parameter_names().len()).sum()
    }

    /// The number of basic relations of all disjuncts.
    pub fn n_disjuncts(&self) -> usize {
        let pieces = |disjunct: &Disjunct| match &disjunct.relation {
            Some(relation) => relation.basic_maps().len(),
            None => disjunct.reads.basic_sets().len(),
        };
        self.reads.iter().flat_map(|read| &read.disjuncts).map(pieces).sum()
    }
}
