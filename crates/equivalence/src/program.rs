//! A program part as values that flow: definitions, reads, where each read has its value from, and the
//! results.
//!
//! The results are reads by instances that run behind all others, one for each element of each array: so one
//! run of exact dataflow analysis tells which write each element of a result comes from.
use crate::access_functions::AffineFunction;
use crate::accumulation::{Accumulation, accumulations};
use crate::body::{Execution, Values};
use crate::extrema::replace_extrema;
use crate::implied::without_implied;
use crate::laws::Laws;
use crate::loop_nest::LoopNest;
use crate::uninterpreted::{Part, parts};
use crate::value::{Definition, Function, Node, NodeId, NodeKind, Read, ReadId};
use loopwright_dataflow::{Engine, ProgramOrder, Reference};
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Name, Set, Space, Tuple, UnionMap};
use loopwright_scop::{
    AccessKind, Array, ArrayId, Body, ReferenceId, Scop, Statement, StatementId,
};

/// Why a program part cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unmodelled {
    /// The line of what cannot be modelled; none if it is about all of it.
    pub line: Option<u32>,
    /// Why, in words.
    pub cause: String,
}

/// Where the values of a read come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    /// From reads to the writes that they see.
    pub(crate) definitions: Vec<(usize, Map)>,
    /// From reads to elements that hold what they held before the region.
    pub(crate) before: Option<Map>,
    /// Reads of variables that have no value.
    pub(crate) undefined: Option<Set>,
}

/// A program part as values that flow.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) arrays: Vec<Array>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) reads: Vec<Read>,
    pub(crate) definitions: Vec<Definition>,
    /// Those of the definitions that accumulate, by their positions, if there are laws for their operators.
    pub(crate) accumulations: Vec<Option<Accumulation>>,
    pub(crate) sources: Vec<Sources>,
    /// `S[i] -> [t]` for each statement.
    pub(crate) times: Vec<Option<Map>>,
    /// What reads and definitions access and when instances run, where these are affine functions.
    pub(crate) read_functions: Vec<Option<AffineFunction>>,
    pub(crate) definition_functions: Vec<Option<AffineFunction>>,
    pub(crate) time_functions: Vec<Option<AffineFunction>>,
    /// The domains of statements as loops, with all bounds that the program has.
    pub(crate) nests: Vec<Option<LoopNest>>,
    /// The read of the final value of each array, if it is a result.
    pub(crate) results: Vec<(ArrayId, NodeId)>,
    pub(crate) context: Set,
    /// The first statement that is a function of what it reads, and why it is no tree.
    pub(crate) uninterpreted: Option<Unmodelled>,
    /// Symbolic constants for which such a statement has no elements to choose from: no execution of these is
    /// a witness.
    pub(crate) senseless: Set,
    /// The model with statements that read the results, and when its instances run.
    model: Scop,
    schedule: UnionMap,
}

impl Unmodelled {
    pub(crate) fn somewhere(cause: impl Into<String>) -> Self {
        Unmodelled { line: None, cause: cause.into() }
    }
}

impl From<Error> for Unmodelled {
    fn from(error: Error) -> Self {
        Unmodelled::somewhere(format!("dataflow analysis: {error}"))
    }
}

impl Program {
    /// The values of a program part with the final values of `results`, over the parameters of `space`. Where
    /// reads have their values from is not known yet.
    pub(crate) fn new(
        scop: &Scop,
        results: &[ArrayId],
        space: &Space,
    ) -> Result<Program, Unmodelled> {
        scop.check()?;
        let given: Vec<Set> =
            scop.statements.iter().map(|own| own.domain.align_params(space)).collect();
        let mut scop = with_parameters(scop, space);
        let mut values = Values::default();
        let (mut divided, mut uninterpreted) = (Vec::new(), None);
        let mut senseless = Set::empty(scop.context.space().clone());
        for position in 0..scop.statements.len() {
            let statement = &scop.statements[position];
            if is_plain_empty(statement) {
                continue;
            }
            let sizes = values.sizes();
            let run = Execution::new(&scop, statement, position, &mut values).run();
            let Err(cause) = run else { continue };
            values.take_back(sizes);
            let line = Some(statement.location.line);
            let own = parts(&scop, position, &mut values);
            let own = own.map_err(|why| Unmodelled { line, cause: both_causes(&cause, &why) })?;
            uninterpreted.get_or_insert(Unmodelled { line, cause });
            if let Some(own) = own.senseless {
                senseless = senseless.union(&own)?;
            }
            scop.arrays.push(own.memory);
            scop.statements.extend(own.parts.iter().map(|part| part.statement.clone()));
            divided.push(own.parts);
        }
        let mut finals = Vec::new();
        for array in results {
            let statement = final_statement(&scop, *array);
            let position = scop.statements.len();
            let relation = final_relation(&statement, &scop.arrays[array.0 as usize])?;
            let read = Read { statement: position, array: *array, relation };
            finals.push((*array, values.read(read)));
            scop.statements.push(statement);
        }
        let schedule = with_finals(&scop, &divided, finals.len())?;
        let times = scop.statements.iter().map(|s| time_of(&schedule, &s.name).cloned());
        let times: Vec<Option<Map>> = times.collect();
        let function = |relation: &Map, statement: usize| {
            AffineFunction::of(relation, &scop.statements[statement].domain)
        };
        let reads = values.reads.iter().map(|own| function(&own.relation, own.statement));
        let definitions = values.definitions.iter();
        let definitions = definitions.map(|own| function(&own.relation, own.statement));
        let own_time = |(at, time): (usize, &Option<Map>)| function(time.as_ref()?, at);
        let (read_functions, definition_functions) = (reads.collect(), definitions.collect());
        let added = scop.statements.iter().skip(given.len()).map(|own| &own.domain);
        let nests = given.iter().chain(added).map(LoopNest::of).collect();
        let time_functions = times.iter().enumerate().map(own_time).collect();
        Ok(Program {
            arrays: scop.arrays.clone(),
            statements: scop.statements.clone(),
            nodes: values.nodes,
            reads: values.reads,
            definitions: values.definitions,
            accumulations: Vec::new(),
            sources: Vec::new(),
            times,
            read_functions,
            definition_functions,
            time_functions,
            nests,
            results: finals,
            context: scop.context.clone(),
            uninterpreted,
            senseless,
            model: scop,
            schedule,
        })
    }

    /// Finds out where all reads have their values from.
    ///
    /// # Errors
    /// If dataflow analysis reaches its limit.
    pub(crate) fn find_sources(&mut self, budget: &Budget) -> Result<(), Unmodelled> {
        let order = ProgramOrder::new(&self.model, &self.schedule);
        self.sources = sources(self, &order, budget)?;
        Ok(())
    }

    /// Where a read would have its values from if definitions that are passed over wrote nothing; none if
    /// dataflow analysis reaches its limit.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn sources_past(
        &self,
        read: ReadId,
        passes_over: &dyn Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<Option<Sources>, Error> {
        let order = ProgramOrder::new(&self.model, &self.schedule);
        References::of(self).sources(self, read, passes_over, (&order, budget))
    }

    /// From instances of a statement to the last one before of a definition that wrote the element which a
    /// relation leads to, whatever others have written since; instances for which the element has begun or
    /// ended since have none. None if dataflow analysis reaches its limit.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn last_of(
        &self,
        definition: usize,
        (statement, relation): (usize, &Map),
        budget: &Budget,
    ) -> Result<Option<Map>, Error> {
        let order = ProgramOrder::new(&self.model, &self.schedule);
        References::of(self).last_of(self, definition, (statement, relation), (&order, budget))
    }

    /// The pairs of instances of two statements of which the second runs before the first; none if it is not
    /// known when they run.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn earlier(
        &self,
        (statement, other): (usize, usize),
        pairs: &Map,
        budget: &Budget,
    ) -> Result<Option<Map>, Error> {
        let (Some(time), Some(others)) = (&self.times[statement], &self.times[other]) else {
            return Ok(None);
        };
        let order = Map::lex_gt(&time.space().range());
        let earlier = time.apply_range_within(&order, budget)?;
        let earlier = earlier.apply_range_within(&others.reverse(), budget)?;
        Ok(Some(pairs.intersect_within(&earlier, budget)?))
    }

    /// Finds the definitions that accumulate, by operators and by minima and maxima.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn find_accumulations(&mut self, laws: &Laws, budget: &Budget) -> Result<(), Error> {
        replace_extrema(self, laws);
        self.accumulations = accumulations(self, laws, budget)?;
        Ok(())
    }

    /// What a definition adds to what its element holds, if that is what it does.
    pub(crate) fn accumulation(&self, definition: usize) -> Option<&Accumulation> {
        self.accumulations.get(definition)?.as_ref()
    }

    /// The functions that are only known by the texts of statements, in order.
    pub(crate) fn uninterpreted_functions(&self) -> Vec<(&str, &str)> {
        let functions = self.nodes.iter().filter_map(|node| match &node.kind {
            NodeKind::Operation(operator, _) => match &operator.function {
                Function::Uninterpreted { text, types } => Some((&**text, &**types)),
                _ => None,
            },
            _ => None,
        });
        let mut functions: Vec<(&str, &str)> = functions.collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    pub(crate) fn kind(&self, node: NodeId) -> &NodeKind {
        &self.nodes[node.0].kind
    }

    pub(crate) fn domain(&self, node: NodeId) -> &Set {
        &self.statements[self.nodes[node.0].statement].domain
    }

    pub(crate) fn line(&self, node: NodeId) -> u32 {
        self.statements[self.nodes[node.0].statement].location.line
    }

    pub(crate) fn sources_of(&self, read: ReadId) -> &Sources {
        &self.sources[read.0]
    }
}

fn both_causes(cause: &str, other: &str) -> String {
    match cause == other {
        true => cause.to_string(),
        false => format!("{cause}; {other}"),
    }
}

fn is_plain_empty(statement: &Statement) -> bool {
    statement.domain.plain_is_empty()
}

/// The same model over the parameters of a space.
fn with_parameters(scop: &Scop, space: &Space) -> Scop {
    let mut scop = scop.clone();
    scop.context = scop.context.align_params(space);
    for statement in &mut scop.statements {
        statement.domain = statement.domain.align_params(space);
        statement.domain = without_implied(&statement.domain).unwrap_or(statement.domain.clone());
        for access in &mut statement.accesses {
            access.relation = access.relation.align_params(space);
        }
        let aligned = statement.body.with_forms(&mut |form| Ok(form.align_params(space)));
        if let Ok(body) = aligned {
            statement.body = body;
        }
    }
    scop
}

/// The statement whose instances read all elements of an array at the end.
fn final_statement(scop: &Scop, array: ArrayId) -> Statement {
    let of = &scop.arrays[array.0 as usize];
    let name: Name = format!("final_{}", of.tuple_name).into();
    let tuple = Tuple::named(&name, of.extents.len());
    let space = Space::set(scop.context.space().param_names(), tuple);
    Statement {
        id: StatementId(scop.statements.len() as u32),
        name,
        domain: Set::universe(space),
        iterators: (0..of.extents.len()).map(|at| format!("x{at}").into()).collect(),
        iterator_types: vec!["long".to_string(); of.extents.len()],
        accesses: Vec::new(),
        body: Body::default(),
        is_kill: false,
        location: Default::default(),
    }
}

fn final_relation(statement: &Statement, array: &Array) -> Result<Map, Error> {
    let own = statement.domain.space();
    let tuple = Tuple::named(&array.tuple_name, array.extents.len());
    let from = own.output().cloned().unwrap_or_default();
    let params = own.param_names();
    let identity = Map::identity(own);
    identity.with_space_tuples(&Space::map(params, from, tuple))
}

/// The flat schedule in which parts of statements run behind these, and the last `n` statements behind all
/// others.
fn with_finals(scop: &Scop, divided: &[Vec<Part>], n: usize) -> Result<UnionMap, Error> {
    let own = scop.schedule.flatten_on_whole_spaces()?.align_params(scop.context.space());
    let n_out = own.maps().iter().map(|map| map.n(DimKind::Out)).max().unwrap_or(0);
    let parts = || divided.iter().flatten();
    let inner = |part: &Part| part.whole.n(DimKind::In) - part.whole.n(DimKind::Out);
    // Of parts: which one it is, and the elements.
    let n_inner = parts().map(|part| 1 + inner(part)).max().unwrap_or(0);
    let zeros = |map: &Map, from: usize, to: usize| {
        (from..to).fold(map.clone(), |map, at| map.fix(DimKind::Out, at, &Int::ZERO))
    };
    let mut maps: Vec<Map> = Vec::new();
    for map in own.maps() {
        let longer = map.insert_dims(DimKind::Out, n_out, n_inner);
        let longer = zeros(&longer, n_out, n_out + n_inner);
        maps.push(zeros(&longer.insert_dims(DimKind::Out, 0, 1), 0, 1));
    }
    for parts in divided {
        for (at, part) in parts.iter().enumerate() {
            let n_own = part.whole.n(DimKind::Out);
            let name = part.whole.space().output().and_then(Tuple::name).cloned();
            let whole = name.and_then(|name| time_of(&own, &name));
            let Some(whole) = whole else { continue };
            let time = part.whole.apply_range(whole)?;
            let mut time = time.insert_dims(DimKind::Out, n_out, n_inner);
            time = time.fix(DimKind::Out, n_out, &Int::from(1 + at as i64));
            for level in 0..inner(part) {
                time = time.equate(DimKind::In, n_own + level, DimKind::Out, n_out + 1 + level);
            }
            time = zeros(&time, n_out + 1 + inner(part), n_out + n_inner);
            maps.push(zeros(&time.insert_dims(DimKind::Out, 0, 1), 0, 1));
        }
    }
    let first = scop.statements.len() - n;
    for (position, statement) in scop.statements[first..].iter().enumerate() {
        let params = scop.context.space().param_names();
        let range = Space::set(params, Tuple::anonymous(1 + n_out + n_inner));
        let mut time = Set::universe(range).fix(DimKind::Out, 0, &Int::from(position as i64 + 1));
        for level in 1..=n_out + n_inner {
            time = time.fix(DimKind::Out, level, &Int::ZERO);
        }
        maps.push(Map::from_domain_and_range(&statement.domain, &time)?);
    }
    Ok(UnionMap::from_maps(scop.context.space(), maps))
}

fn time_of<'a>(schedule: &'a UnionMap, name: &str) -> Option<&'a Map> {
    let is_it =
        |map: &&Map| map.space().input().and_then(|t| t.name()).is_some_and(|n| **n == *name);
    schedule.maps().iter().find(is_it)
}

/// What definitions, reads and kills access, as dataflow analysis takes it.
struct References {
    definitions: Vec<Reference>,
    reads: Vec<Reference>,
    kills: Vec<Reference>,
}

impl References {
    fn of(values: &Program) -> References {
        let of_values = |statement: usize, array, kind, relation: &Map, number: usize| Reference {
            statement: StatementId(statement as u32),
            reference: ReferenceId(number as u32),
            array,
            kind,
            relation: relation.clone(),
            is_single_valued: true,
        };
        let n_definitions = values.definitions.len();
        let definitions = values.definitions.iter().enumerate().map(|(at, own)| {
            of_values(own.statement, own.array, AccessKind::MustWrite, &own.relation, at)
        });
        let definitions: Vec<Reference> = definitions.collect();
        let reads = values.reads.iter().enumerate().map(|(at, own)| {
            of_values(own.statement, own.array, AccessKind::Read, &own.relation, n_definitions + at)
        });
        let reads: Vec<Reference> = reads.collect();
        let kills = Reference::all(&values.model);
        let kills = kills.into_iter().filter(|r| r.kind == AccessKind::Kill);
        let first_kill = (n_definitions + reads.len()) as u32;
        let renumbered = kills.map(|kill| Reference {
            reference: ReferenceId(first_kill + kill.reference.0),
            ..kill
        });
        let kills = renumbered.collect();
        References { definitions, reads, kills }
    }

    /// The last instance of one definition that wrote what instances access; none if a limit is reached.
    fn last_of(
        &self,
        values: &Program,
        definition: usize,
        (statement, relation): (usize, &Map),
        (order, budget): (&ProgramOrder, &Budget),
    ) -> Result<Option<Map>, Error> {
        let access = Reference {
            statement: StatementId(statement as u32),
            reference: ReferenceId(u32::MAX),
            array: self.definitions[definition].array,
            kind: AccessKind::Read,
            relation: relation.clone(),
            is_single_valued: true,
        };
        let own = &self.definitions[definition];
        // Instances may have been left out since the model was made.
        let domain = &values.statements[own.statement.0 as usize].domain;
        let written = own.relation.intersect_domain_within(domain, budget)?;
        let write = &Reference { relation: written, ..own.clone() };
        let cuts: Vec<&Reference> = [write].into_iter().chain(&self.kills).collect();
        let flow = Engine::new(order, budget).limiting_compositions();
        let flow = flow.value_based(&[write], &cuts, &[&access])?;
        if !flow.is_exact {
            return Ok(None);
        }
        let loads = self.definitions[definition].relation.space().domain();
        let space = relation.space().domain().map_to(&loads);
        flow.dependences.iter().try_fold(Some(Map::empty(space)), |all, own| {
            all.map(|all| all.union(&own.relation.reverse())).transpose()
        })
    }

    /// Where a read has its values from, if definitions that are passed over write nothing; none if a limit
    /// is reached.
    fn sources(
        &self,
        values: &Program,
        read: ReadId,
        passes_over: &dyn Fn(usize) -> bool,
        (order, budget): (&ProgramOrder, &Budget),
    ) -> Result<Option<Sources>, Error> {
        let definitions = self.definitions.iter().enumerate();
        let definitions = definitions.filter(|(at, _)| !passes_over(*at));
        let writes: Vec<&Reference> = definitions.map(|(_, own)| own).collect();
        let cuts: Vec<&Reference> = writes.iter().copied().chain(&self.kills).collect();
        let flow = Engine::new(order, budget).limiting_compositions().value_based(
            &writes,
            &cuts,
            &[&self.reads[read.0]],
        )?;
        if !flow.is_exact {
            return Ok(None);
        }
        let mut found = Sources::default();
        for dependence in &flow.dependences {
            let definition = dependence.source.1.0 as usize;
            found.definitions.push((definition, dependence.relation.reverse()));
        }
        let own = &values.reads[read.0];
        for (_, instances) in &flow.no_source {
            match values.model.array(own.array).declared_in_scop {
                true => found.undefined = Some(instances.clone()),
                false => found.before = Some(own.relation.intersect_domain(instances)?),
            }
        }
        add_killed(own, &mut found, budget)?;
        Ok(Some(found))
    }
}

/// Where all reads have their values from.
fn sources(
    values: &Program,
    order: &ProgramOrder,
    budget: &Budget,
) -> Result<Vec<Sources>, Unmodelled> {
    let references = References::of(values);
    // One read after the other: where the budget ends, the others are not looked at.
    let own = |read: usize| {
        let found = references.sources(values, ReadId(read), &|_| false, (order, budget))?;
        found.ok_or_else(|| Unmodelled::somewhere("dataflow analysis reached its limit"))
    };
    (0..values.reads.len()).map(own).collect()
}

/// Reads that see the beginning or the end of a variable's life have no value.
fn add_killed(read: &Read, sources: &mut Sources, budget: &Budget) -> Result<(), Error> {
    let mut rest = read.relation.domain();
    for (_, relation) in &sources.definitions {
        rest = rest.subtract(&relation.domain(), budget)?;
    }
    for known in sources.before.iter().map(Map::domain).chain(sources.undefined.clone()) {
        rest = rest.subtract(&known, budget)?;
    }
    if !rest.is_empty(budget)? {
        sources.undefined = match sources.undefined.take() {
            Some(known) => Some(known.union(&rest)?),
            None => Some(rest),
        };
    }
    Ok(())
}
