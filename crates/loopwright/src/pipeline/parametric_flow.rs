//! Dataflow through conditions on data as a bound of dependences (`--dataflow parametric`).
//!
//! A region is read twice: in the model that is compiled conditions on data are parts of statements, in the
//! finer one they are filters. The flow of the finer model, whatever its parameters are, is put in terms of
//! the statements of the other one: accesses at one place of the text are the same accesses, and the outer
//! loops around them the same loops. What does not correspond has no bound. `docs/dataflow.md` has the
//! argument.
use crate::pipeline::run::stage_budget_by;
use crate::settings::options::{CompileOptions, DataflowBy};
use loopwright_cfront::{Region, SourceFile};
use loopwright_dataflow::{Origin, ParametricFlow, PossibleFlow, ReadFlow, with_reads_after};
use loopwright_presburger::{Budget, DimKind, Error, Map, Result, Set, Tuple};
use loopwright_scop::{Access, AccessKind, ReferenceId, Scop, Statement, StatementId};

/// A reference of a statement.
type Key = (StatementId, ReferenceId);

/// An access with those of the finer model at its place, and relations from their instances to its own.
type Counterparts<'a> = (&'a Statement, &'a Access, Vec<(Key, Map)>);

/// Gives regions their finer models, where the options ask for them; remarks say why some have none.
pub(crate) fn with_finer_models(
    source: &SourceFile,
    regions: &mut [Region],
    options: &CompileOptions,
) {
    if options.dataflow != DataflowBy::Parametric {
        return;
    }
    let found = source.clone().with_filters().extract_each().unwrap_or_default();
    for region in regions {
        let is_same = |finer: &&Region| {
            finer.bytes == region.bytes
                && finer.function == region.function
                && finer.used_names == region.used_names
        };
        let refused = found.iter().filter_map(|finer| finer.as_ref().err());
        match found.iter().flatten().find(is_same) {
            Some(finer) => region.finer = Some(Box::new(finer.clone())),
            None => {
                let mut refused = refused.filter(|finer| finer.first_line == region.first_line);
                let why = refused.next().and_then(|refused| refused.diagnostics.first());
                let why = why.map_or("it is read in another way", |why| &*why.message);
                region.remarks.push(format!("dataflow is that of accesses: {why}"));
            }
        }
    }
}

/// The flow that the finer model of a region says to be possible; why there is none.
///
/// # Errors
/// [`Error::Exceeded`] if the budget is used up.
pub(crate) fn possible_flow(
    region: &Region,
    options: &CompileOptions,
) -> Result<std::result::Result<PossibleFlow, String>> {
    let budget = stage_budget_by(options);
    let Some(finer) = &region.finer else { return Ok(Err("there is no finer model".into())) };
    if let Some(reason) = why_not(region, finer) {
        return Ok(Err(reason));
    }
    let found = with_reads_after(&finer.filtered_scop()).and_then(|(filtered, after)| {
        let flow = ParametricFlow::of_filtered_scop(&filtered, &budget)?;
        Translation { region, finer, filtered: &filtered.scop, budget: &budget }.of(&flow, after)
    });
    match found {
        Err(Error::Exceeded { operation, .. }) => {
            Ok(Err(format!("a limit was reached ({operation})")))
        }
        found => found.map(Ok),
    }
}

/// Why the finer model of a region says nothing about the other one.
fn why_not(region: &Region, finer: &Region) -> Option<String> {
    let known = region.condition_texts();
    if let Some(more) = finer.condition_texts().iter().find(|text| !known.contains(text)) {
        return Some(format!("with conditions apart it needs `{more}`"));
    }
    let known = &region.scop.assumptions;
    if let Some(more) = finer.scop.assumptions.iter().find(|text| !known.contains(text)) {
        return Some(format!("with conditions apart it is assumed that {more}"));
    }
    let meaning = |name: &str, scop: &Scop| {
        let own = scop.parameters.iter().find(|parameter| *parameter.name == *name);
        own.map(|parameter| (parameter.c_type.clone(), parameter.value.clone()))
    };
    let differs = finer.scop.parameters.iter().find(|parameter| {
        let other = meaning(&parameter.name, &region.scop);
        other.is_some() && other != meaning(&parameter.name, &finer.scop)
    });
    if let Some(parameter) = differs {
        return Some(format!("`{}` is something else with conditions apart", parameter.name));
    }
    let is_unknown = |statement: &Statement| {
        let places = finer.places.get(statement.id.0 as usize);
        let n = places.map_or(0, |places| places.accesses.len());
        !statement.is_kill && n != statement.accesses.len()
    };
    let unknown = finer.scop.statements.iter().find(|statement| is_unknown(statement));
    unknown.map(|statement| {
        format!("the accesses of line {} are put together", statement.location.line)
    })
}

/// From the finer model of a region to the other one.
struct Translation<'a> {
    region: &'a Region,
    finer: &'a Region,
    /// The finer model with reads behind it.
    filtered: &'a Scop,
    budget: &'a Budget,
}

impl Translation<'_> {
    fn of(&self, flow: &ParametricFlow, after: StatementId) -> Result<PossibleFlow> {
        let mut possible = PossibleFlow::default();
        let (reads, writes) = (self.accesses(&[AccessKind::Read]), self.writes());
        for (statement, access, finer) in &reads {
            let sink = (statement.id, access.reference);
            let mut from_before = Set::empty(statement.domain.space().clone());
            let mut sources: Vec<(Key, Map)> = Vec::new();
            for (key, to_here) in finer {
                let own = flow.reads.iter().filter(|read| (read.statement, read.reference) == *key);
                for read in own {
                    self.add_read(read, to_here, &mut sources, &mut from_before)?;
                }
            }
            possible.bound_live_in(sink, from_before)?;
            let of_array = writes.iter().filter(|write| write.1.array == access.array);
            for (writer, write, finer) in of_array {
                let space = writer.domain.space().map_to(statement.domain.space());
                let mut relation = Map::empty(space);
                for (key, to_writer) in finer {
                    for (_, pairs) in sources.iter().filter(|(source, _)| source == key) {
                        let here = to_writer.reverse().apply_range_within(pairs, self.budget)?;
                        relation = relation.union(&here)?;
                    }
                }
                possible.bound_flow((writer.id, write.reference), sink, relation)?;
            }
        }
        self.add_live_out(flow, after, &writes, &mut possible)?;
        Ok(possible)
    }

    /// Adds what a read of the finer model sees: from finer writes to reads of the other model, and what
    /// comes from before the region.
    fn add_read(
        &self,
        read: &ReadFlow,
        to_here: &Map,
        sources: &mut Vec<(Key, Map)>,
        from_before: &mut Set,
    ) -> Result<()> {
        let to_instances = self.to_instances(read)?;
        for disjunct in read.projected(self.budget)? {
            let Some(relation) = disjunct.relation else {
                let instances = match &to_instances {
                    Some(to_instances) => disjunct.reads.apply(to_instances)?,
                    None => disjunct.reads,
                };
                let here = self.in_parameters(instances.apply(to_here)?.as_map());
                *from_before = from_before.union(&Set::from_map(here))?;
                continue;
            };
            let (Origin::Write(statement, write) | Origin::Undefined(statement, write)) =
                disjunct.origin
            else {
                continue;
            };
            let relation = match &to_instances {
                Some(to_instances) => to_instances.reverse().apply_range(&relation)?,
                None => relation,
            };
            let pairs = relation.reverse().apply_range_within(to_here, self.budget)?;
            sources.push(((statement, write), self.in_parameters(&pairs)));
        }
        Ok(())
    }

    /// The writes whose values are read behind the finer model.
    fn add_live_out(
        &self,
        flow: &ParametricFlow,
        after: StatementId,
        writes: &[Counterparts<'_>],
        possible: &mut PossibleFlow,
    ) -> Result<()> {
        let mut last: Vec<(Key, Set)> = Vec::new();
        for read in flow.reads.iter().filter(|read| read.statement == after) {
            for disjunct in read.projected(self.budget)? {
                if let (Origin::Write(statement, write), Some(relation)) =
                    (disjunct.origin, disjunct.relation)
                {
                    last.push(((statement, write), relation.range()));
                }
            }
        }
        for (writer, write, finer) in writes {
            let mut instances = Set::empty(writer.domain.space().clone());
            for (key, to_writer) in finer {
                for (_, own) in last.iter().filter(|(source, _)| source == key) {
                    let here = self.in_parameters(own.apply(to_writer)?.as_map());
                    instances = instances.union(&Set::from_map(here))?;
                }
            }
            possible.bound_live_out((writer.id, write.reference), instances)?;
        }
        Ok(())
    }

    /// From the reads of a flow to their instances, if these are others.
    fn to_instances(&self, read: &ReadFlow) -> Result<Option<Map>> {
        let statement = self.filtered.statement(read.statement);
        let name = read.reads.space().output().and_then(Tuple::name);
        if name == Some(&statement.name) {
            return Ok(None);
        }
        let access = statement.accesses.iter().find(|own| own.reference == read.reference);
        Ok(access.map(|access| access.relation.domain_map()))
    }

    /// A relation whatever the symbolic constants are that only the finer model has.
    fn in_parameters(&self, map: &Map) -> Map {
        let is_known =
            |name: &str| self.region.scop.parameters.iter().any(|own| *own.name == *name);
        let names = map.space().param_names().to_vec();
        names.iter().filter(|name| !is_known(name)).fold(map.clone(), |map, name| {
            match map.find_param(name) {
                Some(position) => map.project_out(DimKind::Param, position, 1),
                None => map,
            }
        })
    }

    fn writes(&self) -> Vec<Counterparts<'_>> {
        let mut writes = self.accesses(&[AccessKind::MustWrite, AccessKind::MayWrite]);
        // Every instance of the finer model is a part of one of the other model.
        writes.retain(|(statement, _, finer)| {
            finer.iter().all(|(_, map)| map.n(DimKind::In) >= statement.domain.n_dims())
        });
        writes
    }

    /// The accesses of the model that have counterparts in the finer one, with these, from finer instances to
    /// instances.
    fn accesses(&self, kinds: &[AccessKind]) -> Vec<Counterparts<'_>> {
        let mut found = Vec::new();
        for statement in &self.region.scop.statements {
            for (position, access) in statement.accesses.iter().enumerate() {
                if kinds.contains(&access.kind)
                    && let Some(finer) = self.counterparts(statement, position, kinds)
                {
                    found.push((statement, access, finer));
                }
            }
        }
        found
    }

    /// The accesses of the finer model at the place of an access; none if there are none, or if loops differ.
    fn counterparts(
        &self,
        statement: &Statement,
        position: usize,
        kinds: &[AccessKind],
    ) -> Option<Vec<(Key, Map)>> {
        let places = self.region.places.get(statement.id.0 as usize)?;
        let at = places.accesses.get(position)?;
        let array = self.region.scop.array(statement.accesses[position].array);
        let mut found = Vec::new();
        for finer in &self.finer.scop.statements {
            let own = self.finer.places.get(finer.id.0 as usize)?;
            for (access, own_at) in finer.accesses.iter().zip(&own.accesses) {
                let name = &self.finer.scop.array(access.array).name;
                if own_at != at || *name != array.name || !kinds.contains(&access.kind) {
                    continue;
                }
                let n_common = own.loops.len().min(places.loops.len());
                if own.loops[..n_common] != places.loops[..n_common] {
                    return None;
                }
                let space = finer.domain.space().map_to(statement.domain.space());
                let same = (0..n_common).fold(Map::universe(space), |map, dim| {
                    map.equate(DimKind::In, dim, DimKind::Out, dim)
                });
                found.push(((finer.id, access.reference), same));
            }
        }
        (!found.is_empty()).then_some(found)
    }
}
