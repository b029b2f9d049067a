//! From candidates to disjuncts: the last candidate that ran, by parameters where that is not known.
//!
//! A source with unknown candidates has the parameter "a candidate has run" and one for each coordinate of
//! the last one that has, except for coordinates that follow from the read and the coordinates before. Of the
//! sources that have run, the one whose last candidate is the latest is the source of the read.
use crate::parametric::candidates::{Candidates, Search, Source};
use crate::parametric::flow::{Disjunct, Origin, SourceParameters};
use loopwright_presburger::{DimKind, Int, Map, Name, Result, Set, Space};

/// Work limit for finding out whether a coordinate is determined.
const DETERMINED_STEPS: u64 = 200_000;

/// Puts the disjuncts of a sink together.
pub(crate) struct Assembly<'a> {
    pub(crate) search: &'a Search<'a>,
    pub(crate) candidates: &'a Candidates,
    /// The name of a source, which the names of its parameters contain.
    pub(crate) source_name: &'a dyn Fn(&Source) -> String,
    /// The names of the coordinates of a source.
    pub(crate) coordinate_names: &'a dyn Fn(&Source) -> Vec<Name>,
    /// Whether a source is the start of a life of the variable, at which it has no value.
    pub(crate) is_undefined: &'a dyn Fn(&Source) -> bool,
}

impl Assembly<'_> {
    /// The parameters of each source with unknown candidates.
    pub(crate) fn parameters(&self) -> Result<Vec<Option<SourceParameters>>> {
        let taken = self.candidates.unwritten.space().param_names().to_vec();
        let free = |mut name: String| {
            while taken.iter().any(|other| **other == *name) {
                name.push('_');
            }
            Name::from(name)
        };
        let mut all: Vec<Option<SourceParameters>> = Vec::new();
        for (index, source) in self.candidates.sources.iter().enumerate() {
            if source.unknown.plain_is_empty() {
                all.push(None);
                continue;
            }
            let own = (self.source_name)(source);
            let mut last = Vec::new();
            for (position, coordinate) in (self.coordinate_names)(source).iter().enumerate() {
                let is_open = !self.is_determined(&source.unknown, position)?;
                last.push(is_open.then(|| free(format!("last_{own}_{coordinate}"))));
            }
            let complement = match last.iter().all(Option::is_none) {
                true => self.complement(index, &all)?,
                false => None,
            };
            let (ran, ran_value) = complement.unwrap_or_else(|| (free(format!("ran_{own}")), true));
            all.push(Some(SourceParameters {
                statement: source.statement,
                reference: source.reference,
                ran,
                ran_value,
                last,
                candidates: source.unknown.clone(),
            }));
        }
        Ok(all)
    }

    /// The parameter of an earlier source that has run exactly if this one has not, and its value then.
    fn complement(
        &self,
        index: usize,
        earlier: &[Option<SourceParameters>],
    ) -> Result<Option<(Name, bool)>> {
        let source = &self.candidates.sources[index];
        for (other, parameters) in self.candidates.sources.iter().zip(earlier) {
            let Some(parameters) = parameters else { continue };
            let is_single = parameters.last.iter().all(Option::is_none);
            if is_single && self.search.are_complements(other, source)? {
                return Ok(Some((parameters.ran.clone(), !parameters.ran_value)));
            }
        }
        Ok(None)
    }

    /// Whether a coordinate of the candidates follows from the read and the coordinates before.
    fn is_determined(&self, candidates: &Map, position: usize) -> Result<bool> {
        let later = candidates.n(DimKind::Out) - position - 1;
        let map = candidates.project_out(DimKind::Out, position + 1, later);
        let n = map.n(DimKind::In);
        let function = map.move_dims(DimKind::In, n, DimKind::Out, 0, position);
        let steps = DETERMINED_STEPS;
        let found =
            self.search.budget.attempt(steps, |budget| function.is_single_valued(budget))?;
        Ok(found.unwrap_or(false))
    }

    /// The disjuncts; exactly one holds for each read.
    pub(crate) fn disjuncts(
        &self,
        parameters: &[Option<SourceParameters>],
    ) -> Result<Vec<Disjunct>> {
        let sources = &self.candidates.sources;
        let space = with_parameters(self.candidates.unwritten.space(), parameters);
        let lasts: Vec<Option<Map>> = sources
            .iter()
            .zip(parameters)
            .map(|(_, parameters)| parameters.as_ref().map(|own| last_candidate(own, &space)))
            .collect();
        let mut disjuncts = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let sure = self.unless_any_ran(source.sure.align_params(&space), parameters)?;
            let last = match &lasts[index] {
                Some(last) => self.unless_later(index, last.clone(), &lasts, parameters)?,
                None => Map::empty(sure.space().clone()),
            };
            let relation = sure.union(&last)?.coalesce(self.search.budget)?;
            if !relation.is_empty(self.search.budget)? {
                let write = (source.statement, source.reference);
                let origin = match (self.is_undefined)(source) {
                    true => Origin::Undefined(write.0, write.1),
                    false => Origin::Write(write.0, write.1),
                };
                let reads = relation.domain();
                disjuncts.push(Disjunct { origin, reads, relation: Some(relation) });
            }
        }
        let reads = self.candidates.unwritten.align_params(&space);
        let reads = Set::from_map(self.unless_any_ran(reads.as_map().clone(), parameters)?);
        if !reads.is_empty(self.search.budget)? {
            disjuncts.push(Disjunct { origin: Origin::Before, reads, relation: None });
        }
        Ok(disjuncts)
    }

    /// The part of a relation from reads, or of a set of reads, for which no unknown candidate has run.
    fn unless_any_ran(&self, mut map: Map, parameters: &[Option<SourceParameters>]) -> Result<Map> {
        for own in parameters.iter().flatten() {
            if map.plain_is_empty() {
                break;
            }
            let (with, without) = self.split(&map, &own.candidates.domain())?;
            map = without.union(&absent(&with, own))?;
        }
        map.coalesce(self.search.budget)
    }

    /// The part of a source's last candidates after which no candidate of another source has run.
    fn unless_later(
        &self,
        index: usize,
        mut map: Map,
        lasts: &[Option<Map>],
        parameters: &[Option<SourceParameters>],
    ) -> Result<Map> {
        let sources = &self.candidates.sources;
        for (other, (last, own)) in lasts.iter().zip(parameters).enumerate() {
            let (Some(last), Some(own)) = (last, own) else { continue };
            if other == index || map.plain_is_empty() {
                continue;
            }
            let (with, without) = self.split(&map, &own.candidates.domain())?;
            let mut kept = without.union(&absent(&with, own))?;
            if let Some(before) = self.search.before(&sources[other], &sources[index])? {
                let earlier = last.apply_range_within(&before, self.search.budget)?;
                kept = kept.union(&with.intersect_within(&earlier, self.search.budget)?)?;
            }
            map = kept.coalesce(self.search.budget)?;
        }
        Ok(map)
    }

    /// The parts of a relation from reads, or of a set of reads, within some reads and outside of them.
    fn split(&self, map: &Map, reads: &Set) -> Result<(Map, Map)> {
        let budget = self.search.budget;
        if map.space().is_set() {
            let set = Set::from_map(map.clone());
            let (with, without) =
                (set.intersect_within(reads, budget)?, set.subtract(reads, budget)?);
            return Ok((with.as_map().clone(), without.as_map().clone()));
        }
        Ok((map.intersect_domain_within(reads, budget)?, map.subtract_domain(reads, budget)?))
    }
}

/// A space with the parameters of some sources.
fn with_parameters(space: &Space, parameters: &[Option<SourceParameters>]) -> Space {
    let mut names = space.param_names().to_vec();
    for own in parameters.iter().flatten() {
        let new = std::iter::once(&own.ran).chain(own.last.iter().flatten());
        for name in new {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    space.with_params(&names)
}

/// The part in which no candidate of a source has run.
fn absent(map: &Map, own: &SourceParameters) -> Map {
    fixed(map, &own.ran, !own.ran_value)
}

/// The part in which a parameter has a value.
fn fixed(map: &Map, parameter: &str, value: bool) -> Map {
    match map.find_param(parameter) {
        Some(position) => map.fix(DimKind::Param, position, &Int::from(i64::from(value))),
        None => map.clone(),
    }
}

/// From reads to the last candidate of a source that has run, where one has.
fn last_candidate(own: &SourceParameters, space: &Space) -> Map {
    let ran = fixed(&own.candidates.align_params(space), &own.ran, own.ran_value);
    own.last.iter().enumerate().fold(ran, |map, (position, name)| {
        let parameter = name.as_ref().and_then(|name| map.find_param(name));
        parameter.map_or(map.clone(), |p| map.equate(DimKind::Param, p, DimKind::Out, position))
    })
}
