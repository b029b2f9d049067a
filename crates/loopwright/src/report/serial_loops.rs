//! Why loops of a region run one after the other, in terms of its variables, and the way out.
use crate::pipeline::outcome::plural;
use crate::pipeline::region_result::RegionResult;
use crate::report::explained_dependences::{between_iterations, distances, kind, private_arrays};
use crate::report::explained_schedule::{ScheduledLoop, loops_around};
use loopwright_dataflow::{Dependence, Reduction, ReductionOperator, reductions};
use loopwright_presburger::{Budget, Int, Result};
use loopwright_schedule::LoopKind;
use loopwright_scop::{ReferenceId, Scop, Statement, StatementId};
use std::collections::BTreeMap;

/// Steps for all questions about a region; loops that are left then have no reason of their own.
const STEPS: u64 = 1_000_000;

/// So many loops of a region, and variables of a loop, are named.
const MOST_LOOPS: usize = 8;
const MOST_VARIABLES: usize = 3;

/// Nothing is said of regions with more statements: finding their loops takes a walk over the schedule for
/// each.
const MOST_STATEMENTS: usize = 400;

/// A sentence for each outermost loop of a region as it is written of which nothing runs on several threads
/// although its iterations were to be shared: which variables keep them in order; with the line of its first
/// statement.
pub(crate) fn serial_loops(result: &RegionResult, reassociates: bool) -> Vec<(u32, String)> {
    let budget = Budget::steps(STEPS);
    let scop = &result.region.scop;
    if scop.statements.len() > MOST_STATEMENTS {
        return Vec::new();
    }
    let updates = reductions(scop, &budget).unwrap_or_default();
    let of = Region { result, scop, updates, reassociates, budget };
    let serial = of.outermost().into_iter().filter(|statements| of.is_serial(statements));
    serial.take(MOST_LOOPS).filter_map(|statements| of.sentence(&statements).ok()?).collect()
}

/// A region while its loops are asked about.
struct Region<'a> {
    result: &'a RegionResult,
    scop: &'a Scop,
    updates: Vec<Reduction>,
    /// Whether updates may be in any order already.
    reassociates: bool,
    budget: Budget,
}

/// What keeps the iterations of a loop in order by one variable.
struct Obstacle {
    text: String,
    way_out: Option<&'static str>,
}

const ANY_ORDER: &str = "--reassociate makes it parallel";
const INDEPENDENT: &str =
    "`#pragma pencil independent` in front of the loop says that they are different ones";

impl Region<'_> {
    /// The statements of each outermost loop.
    fn outermost(&self) -> Vec<Vec<StatementId>> {
        let mut found: BTreeMap<(Vec<usize>, usize), Vec<StatementId>> = BTreeMap::new();
        let is_in_loop = |s: &&Statement| !s.is_kill && !s.iterators.is_empty();
        for statement in self.scop.statements.iter().filter(is_in_loop) {
            let chains = loops_around(&self.scop.schedule, statement);
            let first = chains.first().and_then(|chain| chain.first());
            if let Some(place) = first.map(|first: &ScheduledLoop| first.place.clone()) {
                found.entry(place).or_default().push(statement.id);
            }
        }
        let mut found: Vec<Vec<StatementId>> = found.into_values().collect();
        found.sort();
        found
    }

    /// Whether nothing of a loop runs on several threads.
    fn is_serial(&self, statements: &[StatementId]) -> bool {
        let threads = |of: &ScheduledLoop| of.kind.is_some_and(LoopKind::is_threaded);
        let of = |id: &StatementId| loops_around(&self.result.tree, self.scop.statement(*id));
        self.result.left.is_some() || !statements.iter().flat_map(of).flatten().any(|l| threads(&l))
    }

    /// Why a loop is serial; none if its iterations do not depend on each other.
    fn sentence(&self, statements: &[StatementId]) -> Result<Option<(u32, String)>> {
        let dependences = &self.result.dependences;
        let all = dependences.flow.iter().chain(&dependences.order).chain(&dependences.forced);
        let mut private = None;
        let mut carried: Vec<Vec<&Dependence>> = Vec::new();
        for dependence in all {
            if ![dependence.source.0, dependence.sink.0].iter().all(|s| statements.contains(s)) {
                continue;
            }
            let relation = between_iterations(&dependence.relation, 0)?;
            let relation = relation.intersect_params(&self.scop.context)?;
            if relation.is_empty(&self.budget)? {
                continue;
            }
            let private = private.get_or_insert_with(|| {
                private_arrays(self.scop, dependences, 0, statements).unwrap_or_default()
            });
            if private.contains(&dependence.array) {
                continue;
            }
            match carried.iter_mut().find(|group| group[0].array == dependence.array) {
                Some(group) => group.push(dependence),
                None => carried.push(vec![dependence]),
            }
        }
        if carried.is_empty() {
            return Ok(None);
        }
        let obstacles: Result<Vec<Obstacle>> =
            carried.iter().take(MOST_VARIABLES).map(|group| self.obstacle(group)).collect();
        let obstacles = obstacles?;
        let line = self.scop.statement(statements[0]).location.line;
        let texts: Vec<&str> = obstacles.iter().map(|obstacle| &*obstacle.text).collect();
        let mut text = format!("the loop around line {line} is not parallel: {}", texts.join(", "));
        let more = carried.len() - obstacles.len();
        if more > 0 {
            text += &format!(", and {more} more variable{} likewise", plural(more));
        }
        // One way out that leaves other obstacles is none.
        if let [first, others @ ..] = &obstacles[..]
            && let Some(way_out) = first.way_out
            && more == 0
            && others.iter().all(|other| other.way_out == first.way_out)
        {
            text += &format!("; {way_out}");
        }
        Ok(Some((line, text)))
    }

    /// What the dependences by one variable are about.
    fn obstacle(&self, group: &[&Dependence]) -> Result<Obstacle> {
        let is_read = |dependence: &&&Dependence| kind(self.scop, dependence) == "flow";
        let dependence = group.iter().find(is_read).unwrap_or(&group[0]);
        let array = self.scop.array(dependence.array);
        let name = &array.name;
        let (first, second) = (self.line(dependence.source.0), self.line(dependence.sink.0));
        if name.trim_end_matches('_') == "order_of_calls" {
            let text = format!("calls stay in order (lines {first} and {second})");
            return Ok(Obstacle { text, way_out: None });
        }
        for end in [dependence.sink, dependence.source] {
            if !self.is_known(end)? {
                let line = self.line(end.0);
                let text = format!(
                    "which elements of `{name}` line {line} uses is not known before it runs, so that iterations may meet"
                );
                return Ok(Obstacle { text, way_out: Some(INDEPENDENT) });
            }
        }
        if let Some(update) = self.update_of_all(group) {
            let what = match update.operator {
                ReductionOperator::Sum => "a sum",
                ReductionOperator::Product => "a product",
                ReductionOperator::Minimum => "a minimum",
                ReductionOperator::Maximum => "a maximum",
                ReductionOperator::And | ReductionOperator::Or | ReductionOperator::ExclusiveOr => {
                    "a combination of bits"
                }
            };
            let way_out = (!self.reassociates).then_some(ANY_ORDER);
            return Ok(Obstacle { text: format!("`{name}` is {what} (line {first})"), way_out });
        }
        let what = match kind(self.scop, dependence) {
            "flow" => format!("line {second} reads what line {first} has written"),
            "anti" => format!("line {second} overwrites what line {first} has read"),
            _ => format!("line {second} overwrites what line {first} has written"),
        };
        let relation = between_iterations(&dependence.relation, 0)?;
        let when = match distances(&relation, 1).first() {
            // Falling iterators have negative distances.
            Some((Some(a), Some(b))) if a == b => match a.abs() {
                one if one == Int::from(1) => "in the iteration before".to_string(),
                distance => format!("{distance} iterations before"),
            },
            _ => "in another iteration".to_string(),
        };
        Ok(Obstacle { text: format!("`{name}`: {what} {when}"), way_out: None })
    }

    fn line(&self, statement: StatementId) -> u32 {
        self.scop.statement(statement).location.line
    }

    /// The update that all dependences are about.
    fn update_of_all(&self, group: &[&Dependence]) -> Option<&Reduction> {
        let update = |dependence: &Dependence| {
            self.updates.iter().find(|update| {
                let of = (update.statement, update.array);
                of == (dependence.source.0, dependence.array)
                    && of == (dependence.sink.0, dependence.array)
            })
        };
        let first = update(group[0])?;
        group.iter().all(|dependence| update(dependence).is_some()).then_some(first)
    }

    /// Whether an instance has one element that a reference is about.
    fn is_known(&self, (statement, reference): (StatementId, ReferenceId)) -> Result<bool> {
        let mut accesses = self.scop.statement(statement).accesses.iter();
        match accesses.find(|access| access.reference == reference) {
            Some(access) => access.relation.is_single_valued(&self.budget),
            None => Ok(true),
        }
    }
}
