//! The analysis of a model: names of values first, then the sources of all reads.
use crate::engine::order::ProgramOrder;
use crate::engine::reference::Reference;
use crate::parametric::candidates::{Search, Sink, Source};
use crate::parametric::disjuncts::Assembly;
use crate::parametric::elements::{NamedFilter, ValueKind, ValueNames, own_kind};
use crate::parametric::flow::{Origin, ParametricFlow, ReadFlow};
use loopwright_presburger::{Budget, Map, Name, Result, Set};
use loopwright_scop::{
    AccessKind, FilterAccess, FilterValue, FilteredScop, ReferenceId, StatementId,
};
use rustc_hash::FxHashMap;

/// What is known about the names of the values that a reference of an evaluation has read.
enum Naming {
    /// Their sources are being looked for.
    Open,
    Known(ValueNames),
}

impl ParametricFlow {
    /// The sources of all reads of a model.
    ///
    /// *Method.* For each read: candidates by refutation, disjuncts by comparison of the last candidates; see
    /// `docs/dataflow.md`. *Cost.* Polynomial in the number of references of one variable, with limits for
    /// each question; what is not found out in time makes more parameters.
    ///
    /// ```
    /// use loopwright_cfront::SourceFile;
    /// use loopwright_dataflow::ParametricFlow;
    /// use loopwright_presburger::Budget;
    /// let text = "void f(int n) {\n  int x, c[9];\n#pragma scop\n  x = 0;\n  for (int i = 0; i < n; i++)\n    if (c[i])\n      x = i;\n  c[0] = x;\n#pragma endscop\n}\n";
    /// let regions = SourceFile::from_text("f.c", text).with_filters().extract().unwrap();
    /// let flow = ParametricFlow::of_filtered_scop(&regions[0].filtered_scop(), &Budget::unlimited())?;
    /// let read = flow.reads.last().unwrap();
    /// let names: Vec<String> = read.parameter_names().iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["last_S2_i", "ran_S2"]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`loopwright_scop::Scop::check`]; [`loopwright_presburger::Error::Exceeded`] if the budget is
    /// used up.
    pub fn of_filtered_scop(filtered: &FilteredScop, budget: &Budget) -> Result<ParametricFlow> {
        filtered.scop.check()?;
        let schedule = filtered.scop.schedule.flatten_on_whole_spaces()?;
        let mut analysis = Analysis {
            filtered,
            references: Reference::all(&filtered.scop),
            order: ProgramOrder::new(&filtered.scop, &schedule),
            names: FxHashMap::default(),
            filters: FxHashMap::default(),
            budget,
        };
        analysis.name_values()?;
        let reading: Vec<usize> = (0..analysis.references.len())
            .filter(|index| analysis.references[*index].is_read())
            .collect();
        let reads = reading.into_iter().map(|index| analysis.read_flow(index));
        Ok(ParametricFlow { reads: reads.collect::<Result<_>>()? })
    }
}

struct Analysis<'a> {
    filtered: &'a FilteredScop,
    references: Vec<Reference>,
    order: ProgramOrder,
    names: FxHashMap<(StatementId, ReferenceId), Naming>,
    /// The filters of statements, once all values have names.
    filters: FxHashMap<StatementId, Vec<NamedFilter>>,
    budget: &'a Budget,
}

impl Analysis<'_> {
    /// Finds the names of all values that filters look at, and keeps the filters with them.
    fn name_values(&mut self) -> Result<()> {
        let mut filters = FxHashMap::default();
        for statement in &self.filtered.scop.statements {
            filters.insert(statement.id, self.named_filters(statement.id)?);
        }
        self.filters = filters;
        Ok(())
    }

    fn named_filters(&mut self, statement: StatementId) -> Result<Vec<NamedFilter>> {
        if let Some(known) = self.filters.get(&statement) {
            return Ok(known.clone());
        }
        let (filtered, budget) = (self.filtered, self.budget);
        let named = |filter| {
            NamedFilter::new(
                filter,
                |access| Ok((self.names_of(access)?, bounds(filtered, access))),
                budget,
            )
        };
        filtered.filters_of(statement).iter().map(named).collect()
    }

    /// The names of the values of an access, from evaluations.
    fn names_of(&mut self, access: &FilterAccess) -> Result<ValueNames> {
        let own = |this: &Self| {
            let evaluation = this.filtered.scop.statement(access.evaluation);
            vec![(own_kind(access), Map::identity(evaluation.domain.space()))]
        };
        let FilterValue::Read(reference) = access.value else { return Ok(own(self)) };
        let key = (access.evaluation, reference);
        match self.names.get(&key) {
            Some(Naming::Open) => return Ok(own(self)),
            Some(Naming::Known(names)) => return Ok(names.clone()),
            None => {}
        }
        self.names.insert(key, Naming::Open);
        let index = self.references.iter().position(|other| other.key() == key);
        let names = match index {
            Some(index) => self.names_by_flow(index)?.unwrap_or_else(|| own(self)),
            None => own(self),
        };
        self.names.insert(key, Naming::Known(names.clone()));
        Ok(names)
    }

    /// Names after the sources of a reference, if they need no parameters.
    fn names_by_flow(&mut self, index: usize) -> Result<Option<ValueNames>> {
        if !self.references[index].is_single_valued {
            return Ok(None);
        }
        let flow = self.read_flow(index)?;
        if !flow.parameters.is_empty() {
            return Ok(None);
        }
        let reference = &self.references[index];
        let mut names = Vec::with_capacity(flow.disjuncts.len());
        for disjunct in flow.disjuncts {
            let own = ValueKind::Read(reference.statement, reference.reference);
            let by_itself = (own, Map::identity_on(&disjunct.reads));
            names.push(match (disjunct.origin, disjunct.relation) {
                (Origin::Write(statement, write), Some(relation))
                    if self.writes_one_value((statement, write)) =>
                {
                    (ValueKind::Written(statement, write), relation)
                }
                (Origin::Before, _) => {
                    let elements = reference.relation.intersect_domain(&disjunct.reads)?;
                    (ValueKind::Initial(reference.array), elements)
                }
                _ => by_itself,
            });
        }
        Ok(Some(names))
    }

    fn writes_one_value(&self, key: (StatementId, ReferenceId)) -> bool {
        let is_it = |reference: &&Reference| reference.key() == key;
        self.references.iter().find(is_it).is_some_and(|r| r.is_must_write() && r.is_single_valued)
    }

    /// The sources of the reads of a reference.
    fn read_flow(&mut self, index: usize) -> Result<ReadFlow> {
        let reference = self.references[index].clone();
        let (sink, to_elements, to_instances) = self.sink(&reference)?;
        let sources = self.sources(&reference, &to_elements, to_instances.as_ref())?;
        let search = Search { sink: &sink, order: &self.order, budget: self.budget };
        let candidates = search.candidates(sources)?;
        let scop = &self.filtered.scop;
        let source_name = |source: &Source| self.source_name(source);
        let coordinate_names =
            |source: &Source| -> Vec<Name> { scop.statement(source.statement).iterators.clone() };
        let is_undefined = |source: &Source| scop.statement(source.statement).is_kill;
        let assembly = Assembly {
            search: &search,
            candidates: &candidates,
            source_name: &source_name,
            coordinate_names: &coordinate_names,
            is_undefined: &is_undefined,
        };
        let parameters = assembly.parameters()?;
        let disjuncts = assembly.disjuncts(&parameters)?;
        Ok(ReadFlow {
            statement: reference.statement,
            reference: reference.reference,
            array: reference.array,
            reads: sink.reads,
            disjuncts,
            parameters: parameters.into_iter().flatten().collect(),
        })
    }

    /// The reads of a reference that may take place, their elements, and their instances if these are others.
    fn sink(&mut self, reference: &Reference) -> Result<(Sink, Map, Option<Map>)> {
        let filters = self.named_filters(reference.statement)?;
        if reference.is_single_valued {
            let reads = self.possible(reference.relation.domain(), &filters)?;
            let to_elements = reference.relation.intersect_domain(&reads)?;
            return Ok((Sink { reads, filters }, to_elements, None));
        }
        let to_instances = reference.relation.domain_map();
        let back = |filter: &NamedFilter| filter.pulled_back(&to_instances);
        let filters = filters.iter().map(back).collect::<Result<Vec<NamedFilter>>>()?;
        let reads = self.possible(reference.relation.wrap(), &filters)?;
        let to_elements = reference.relation.range_map().intersect_domain(&reads)?;
        Ok((Sink { reads, filters }, to_elements, Some(to_instances)))
    }

    /// The reads that none of their filters excludes alone.
    fn possible(&self, reads: Set, filters: &[NamedFilter]) -> Result<Set> {
        let excluding = filters.iter().map(|filter| &filter.never[0]);
        excluding.filter(|never| !never.plain_is_empty()).try_fold(reads, |reads, never| {
            reads.subtract(never, self.budget)?.coalesce(self.budget)
        })
    }

    /// The writes before the reads of a reference, with all of their pairs.
    fn sources(
        &mut self,
        sink: &Reference,
        to_elements: &Map,
        to_instances: Option<&Map>,
    ) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = Vec::new();
        let is_source = |other: &&Reference| {
            other.array == sink.array && (other.is_may_write() || other.cuts())
        };
        let writes: Vec<Reference> = self.references.iter().filter(is_source).cloned().collect();
        for write in writes {
            let same = to_elements.apply_range_within(&write.relation.reverse(), self.budget)?;
            let mut pairs = Map::empty(same.space().clone());
            for level in self.order.levels(write.statement, sink.statement) {
                let before = self.order.before_at(write.statement, sink.statement, level)?;
                let Some(before) = before else { continue };
                let back = match to_instances {
                    Some(to_instances) => to_instances.apply_range(&before.reverse())?,
                    None => before.reverse(),
                };
                pairs = pairs.union(&same.intersect_within(&back, self.budget)?)?;
            }
            let pairs = pairs.coalesce(self.budget)?;
            if pairs.is_empty(self.budget)? {
                continue;
            }
            // What is written twice by an instance is written last.
            let is_definite = write.kind != AccessKind::MayWrite;
            sources.retain(|other| {
                !is_definite
                    || other.statement != write.statement
                    || !other.unknown.plain_is_equal(&pairs)
            });
            sources.push(Source {
                statement: write.statement,
                reference: write.reference,
                is_definite,
                filters: self.named_filters(write.statement)?,
                sure: Map::empty(pairs.space().clone()),
                unknown: pairs,
            });
        }
        Ok(sources)
    }

    /// The name of a source's statement, with the reference where the statement writes the variable twice.
    fn source_name(&self, source: &Source) -> String {
        let name = &self.filtered.scop.statement(source.statement).name;
        let array = |key| self.references.iter().find(|r| r.key() == key).map(|r| r.array);
        let own = array((source.statement, source.reference));
        let writes = self.references.iter().filter(|reference| {
            reference.statement == source.statement
                && Some(reference.array) == own
                && !reference.is_read()
        });
        match writes.count() {
            0 | 1 => name.to_string(),
            _ => format!("{name}_{}", source.reference),
        }
    }
}

/// The bounds of the values of an access.
fn bounds(filtered: &FilteredScop, access: &FilterAccess) -> Option<(i64, i64)> {
    let FilterValue::Read(reference) = access.value else { return Some((0, 1)) };
    let evaluation = filtered.scop.statement(access.evaluation);
    let read = evaluation.accesses.iter().find(|other| other.reference == reference)?;
    let known = filtered.value_bounds.iter().filter(|bounds| bounds.array == read.array);
    let all = known.map(|bounds| (bounds.least, bounds.greatest));
    all.reduce(|own, other| (own.0.max(other.0), own.1.min(other.1)))
}
