//! From a region to its processes and channels.
use crate::network::slice::{Flow, Parts, Slice, is_executed, text_at};
use crate::network::{CAPACITY, Channel, Network, Process, Receiver, Tokens};
use crate::pipeline::run::stage_budget_by;
use crate::report::dataflow::{ReadSources, sources};
use crate::settings::options::CompileOptions;
use loopwright_cfront::{ControlTree, Region};
use loopwright_dataflow::{Disjunct, Origin, ParametricFlow, ReadFlow, with_reads_after};
use loopwright_presburger::{Budget, Error, Map, Result as SetResult};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, FilteredScop, ReferenceId, Statement, StatementId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The network of a region of a model with filters; why there is none.
pub(super) fn network_of_region(
    region: &Region,
    options: &CompileOptions,
) -> Result<Network, String> {
    let control = region.control.as_ref().ok_or("its control flow is not known")?;
    check(region, control)?;
    let parts = Parts::new(region, control)?;
    let sources = Sources::of(region, stage_budget_by(options)).map_err(limit)?;
    let statements = region.scop.statements.iter().filter(|statement| is_executed(statement));
    let processes: Vec<Process> = statements
        .map(|statement| Process {
            statement: statement.id,
            name: statement.name.to_string(),
            line: statement.location.line,
            text: parts.text_of(statement.id).to_string(),
            is_evaluation: parts.is_evaluation(statement.id),
        })
        .collect();
    let mut network = Network {
        function: region.function.clone(),
        lines: (region.first_line, region.last_line),
        processes,
        channels: Vec::new(),
    };
    let receivers = (0..network.processes.len()).map(Receiver::Process);
    for receiver in receivers.chain([Receiver::After]) {
        add_channels(&mut network, receiver, region, control, &parts, &sources)?;
    }
    Ok(network)
}

fn limit(error: Error) -> String {
    format!("dataflow analysis: {error}")
}

/// Adds the channels that end at a process.
fn add_channels(
    network: &mut Network,
    receiver: Receiver,
    region: &Region,
    control: &ControlTree,
    parts: &Parts,
    sources: &Sources,
) -> Result<(), String> {
    let own = match receiver {
        Receiver::Process(position) => Some(network.processes[position].statement),
        Receiver::After => None,
    };
    let position = |statement: StatementId| {
        network.processes.iter().position(|process| process.statement == statement)
    };
    let mut values = Vec::new();
    let mut senders = BTreeSet::new();
    for ((writer, reference), flow) in sources.towards(own.unwrap_or(sources.after)) {
        let access = access(region, *writer, *reference);
        let array = region.scop.array(access.array);
        if own == Some(*writer) || own.is_none() && is_kept_in_place(region, access.array) {
            continue;
        }
        let at = region.places[writer.0 as usize].accesses.get(reference.0 as usize);
        let (Some(from), Some(at)) = (position(*writer), at) else { continue };
        senders.insert(*writer);
        values.push(Channel {
            from,
            to: receiver,
            tokens: Tokens::Values {
                array: access.array,
                name: array.name.to_string(),
                c_type: array.element_type.clone(),
                at: *at,
                exact: if own.is_some() { flow.exact.clone() } else { Vec::new() },
            },
            relation: own.is_some().then(|| joined(&flow.relations)),
            capacity: CAPACITY,
        });
    }
    let flow = Flow { own, senders };
    let mut outcomes = Vec::new();
    for evaluation in Slice::new(&flow, parts).outcomes(control) {
        let Some(from) = position(evaluation) else { continue };
        let relation = match own {
            Some(own) => sources.decided(evaluation, own).map_err(limit)?,
            None => None,
        };
        let relation = relation.map(|relation| relation.to_string());
        let tokens = Tokens::Outcomes;
        outcomes.push(Channel { from, to: receiver, tokens, relation, capacity: CAPACITY });
    }
    network.channels.extend(values);
    network.channels.extend(outcomes);
    Ok(())
}

fn access(region: &Region, statement: StatementId, reference: ReferenceId) -> &Access {
    &region.scop.statement(statement).accesses[reference.0 as usize]
}

/// The statements that access an array, but for kill statements.
fn users(region: &Region, array: ArrayId) -> impl Iterator<Item = &Statement> {
    let uses = move |statement: &&Statement| {
        !statement.is_kill && statement.accesses.iter().any(|access| access.array == array)
    };
    region.scop.statements.iter().filter(uses)
}

/// Whether the region writes an array.
pub(super) fn is_written(region: &Region, array: ArrayId) -> bool {
    let writes = |access: &Access| access.array == array && access.kind != AccessKind::Read;
    users(region, array).any(|statement| statement.accesses.iter().any(writes))
}

/// Whether only one process uses an array, which then stays where it is in memory.
pub(super) fn is_kept_in_place(region: &Region, array: ArrayId) -> bool {
    let declared = region.scop.array(array);
    let is_single = users(region, array).count() <= 1;
    is_single && !declared.declared_in_scop && (!is_plain(declared) || is_hidden(region, array))
}

fn is_plain(array: &Array) -> bool {
    array.extents.is_empty()
}

/// Whether functions that are called access a variable itself: it is no copy that they are given the address
/// of.
pub(super) fn is_hidden(region: &Region, array: ArrayId) -> bool {
    let Some(control) = &region.control else { return false };
    let name = &*region.scop.array(array).name;
    let is_in_file = region.shapes.get(array.0 as usize).is_none_or(|shape| shape.is_in_file);
    let is_named = |user: &Statement| {
        let place = region.places.get(user.id.0 as usize);
        let text = place.and_then(|place| text_at(control, place.at));
        text.is_some_and(|text| mentions(&text.text, name))
    };
    // What no statement names stands for the order of calls.
    let mut executed = users(region, array).filter(|user| is_executed(user));
    !executed.any(is_named)
        || users(region, array)
            .any(|user| user.body.hidden().contains(&array) && (is_in_file || !is_named(user)))
}

/// Whether a text has a name in it.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).any(|word| word == name)
}

/// Why a region is no network, as far as that is known from its variables and its control flow.
fn check(region: &Region, control: &ControlTree) -> Result<(), String> {
    let unknown = region.scop.parameters.iter().find(|parameter| {
        let is_name = |text: &String| text.chars().all(|c| c.is_alphanumeric() || c == '_');
        !parameter.value.as_ref().is_none_or(is_name)
    });
    if let Some(parameter) = unknown {
        let value = parameter.value.as_deref().unwrap_or_default();
        return Err(format!("`{value}` is a symbolic constant that is read from memory"));
    }
    if let Some(condition) = region.condition_texts().first() {
        return Err(format!("it has to be checked that `{condition}`"));
    }
    let mut names = BTreeMap::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&region.scop.arrays) {
        check_array(region, id, array)?;
        if !is_hidden(region, id) && names.insert(array.name.clone(), id).is_some() {
            return Err(format!("two variables have the name `{}`", array.name));
        }
    }
    other_part(control).map_or(Ok(()), |what| Err(format!("{what} has no form in a network")))
}

fn check_array(region: &Region, id: ArrayId, array: &Array) -> Result<(), String> {
    let is_shared = users(region, id).count() > 1;
    if array.is_member {
        return Err(format!("`{}` is a part of a structure", array.name));
    }
    if is_hidden(region, id) {
        return match is_shared {
            true => Err(format!(
                "several statements call functions that access `{}`, each in a process of its own",
                array.name
            )),
            false => Ok(()),
        };
    }
    let shape = region.shapes.get(id.0 as usize);
    let is_sized = shape.is_some_and(|shape| shape.extents.iter().all(Option::is_some));
    if is_written(region, id) && is_shared && !is_sized {
        return Err(format!(
            "the size of `{}`, of which processes have copies, is not known",
            array.name
        ));
    }
    Ok(())
}

/// What a control flow has that has no form.
fn other_part(control: &ControlTree) -> Option<String> {
    match control {
        ControlTree::Block(parts) => parts.iter().find_map(other_part),
        ControlTree::If(_, then, otherwise) => {
            other_part(then).or_else(|| otherwise.as_deref().and_then(other_part))
        }
        ControlTree::For { body, .. } | ControlTree::While(_, body) | ControlTree::Do(body, _) => {
            other_part(body)
        }
        ControlTree::Other(_, what) => Some(what.clone()),
        ControlTree::Expression(_) | ControlTree::Initial(_) | ControlTree::Jump(_) => None,
    }
}

/// Which writes may be seen by which statements, and which evaluations decide about them.
struct Sources {
    /// The statement that stands for what comes after the region.
    after: StatementId,
    filtered: FilteredScop,
    flow: BTreeMap<(StatementId, (StatementId, ReferenceId)), Seen>,
    budget: Budget,
}

/// How a statement sees what a reference writes.
#[derive(Default)]
struct Seen {
    /// From writes to reads, without parameters for what has run: for each disjunct of each read.
    relations: Vec<Map>,
    /// The same for each read, with parameters.
    exact: Vec<ReadSources>,
}

impl Sources {
    fn of(region: &Region, budget: Budget) -> SetResult<Self> {
        let filtered = reading_what_it_may_write(&region.filtered_scop());
        let (filtered, after) = with_reads_after(&filtered)?;
        let analysis = ParametricFlow::of_filtered_scop(&filtered, &budget)?;
        let mut flow: BTreeMap<_, Seen> = BTreeMap::new();
        for read in &analysis.reads {
            let of_write = |origin| match origin {
                Origin::Write(statement, write) => Some((read.statement, (statement, write))),
                Origin::Undefined(..) | Origin::Before => None,
            };
            for disjunct in read.projected(&budget)? {
                if let (Some(key), Some(relation)) = (of_write(disjunct.origin), disjunct.relation)
                {
                    flow.entry(key).or_default().relations.push(to_instances(&relation.reverse()));
                }
            }
            let mut by_write: BTreeMap<_, Vec<Disjunct>> = BTreeMap::new();
            for disjunct in &read.disjuncts {
                if let Some(key) = of_write(disjunct.origin) {
                    by_write.entry(key).or_default().push(disjunct.clone());
                }
            }
            for (key, disjuncts) in by_write {
                let exact = sources(&ReadFlow { disjuncts, ..read.clone() }, &filtered.scop);
                flow.entry(key).or_default().exact.push(exact);
            }
        }
        Ok(Sources { after, filtered, flow, budget })
    }

    /// The writes that a statement may see.
    fn towards(
        &self,
        reader: StatementId,
    ) -> impl Iterator<Item = (&(StatementId, ReferenceId), &Seen)> {
        let of_reader = move |key: &&(StatementId, (StatementId, ReferenceId))| key.0 == reader;
        self.flow.keys().filter(of_reader).map(|key| (&key.1, &self.flow[key]))
    }

    /// From evaluations of a condition to those instances of a statement that run only if their outcomes
    /// allow it, or that may read what such instances of other statements write.
    fn decided(&self, evaluation: StatementId, own: StatementId) -> SetResult<Option<Map>> {
        let mut found = self.filtering(evaluation, own)?;
        for ((writer, _), seen) in self.towards(own) {
            for filtering in self.filtering(evaluation, *writer)? {
                for relation in &seen.relations {
                    found.push(filtering.apply_range_within(relation, &self.budget)?);
                }
            }
        }
        found.retain(|map| !map.plain_is_empty());
        let mut found = found.into_iter();
        let Some(first) = found.next() else { return Ok(None) };
        let all = found.try_fold(first, |all, map| all.union(&map))?;
        Ok(Some(all.coalesce(&self.budget)?))
    }

    /// From evaluations of a condition to the instances of a statement whose filters look at them.
    fn filtering(&self, evaluation: StatementId, own: StatementId) -> SetResult<Vec<Map>> {
        let domain = &self.filtered.scop.statement(own).domain;
        let accesses = self.filtered.filters_of(own).iter().flat_map(|filter| &filter.accesses);
        accesses
            .filter(|access| access.evaluation == evaluation)
            .map(|access| Ok(access.relation.intersect_domain(domain)?.reverse()))
            .collect()
    }
}

/// Without the elements, where an instance reads many of them: `S[i] -> [T[j] -> a[k]]` becomes
/// `S[i] -> T[j]`.
fn to_instances(relation: &Map) -> Map {
    relation.range_factor_domain().unwrap_or_else(|_| relation.clone())
}

/// Relations as text, one behind the other.
fn joined(relations: &[Map]) -> String {
    let texts: Vec<String> = relations.iter().map(Map::to_string).collect();
    texts.join(" and ")
}

/// The model in which statements also read what they perhaps write: they send on what is there.
fn reading_what_it_may_write(filtered: &FilteredScop) -> FilteredScop {
    let mut reading = filtered.clone();
    for statement in &mut reading.scop.statements {
        let perhaps = statement.accesses.iter().filter(|own| own.kind == AccessKind::MayWrite);
        let perhaps: Vec<Access> = perhaps.cloned().collect();
        for access in perhaps {
            let reference = ReferenceId(statement.accesses.len() as u32);
            statement.accesses.push(Access { reference, kind: AccessKind::Read, ..access });
        }
    }
    reading
}
