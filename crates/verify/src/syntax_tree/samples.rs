//! A syntax tree against its schedule for some values of the parameters.
use crate::Violation;
use crate::syntax_tree::execution::{Instance, Stopped, Values, execute};
use loopwright_astgen::AstNode;
use loopwright_presburger::{Budget, DimKind, Error, Int, Name, Result, Set, UnionMap};
use loopwright_schedule::UnorderedLevel;
use std::collections::{BTreeMap, BTreeSet};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// The number of parameter values.
    pub samples: usize,
    /// The most instances for one of them; samples with more are left out.
    pub instances: usize,
    /// The steps for enumerating the instances of one.
    pub steps: u64,
    /// The most iterations of loops for one of them.
    pub iterations: usize,
}

impl SampleLimits {
    /// Some tenths of a second; some seconds for code with many statements.
    pub const STANDARD: SampleLimits =
        SampleLimits { samples: 12, instances: 1_000, steps: 2_000_000, iterations: 2_000_000 };
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The number of parameter values for which the tree was run.
    pub checked: usize,
    /// Whether that is all there is to run: there are no parameters, and all pairs of instances
    /// were compared. Without violations the tree is then proved to be right.
    pub is_complete: bool,
    /// The number of parameter values for which the run was given up at the limit on iterations, and for
    /// which nothing is said. The tree may have an end or not.
    pub unfinished: usize,
    /// What was wrong; at most one entry per parameter value.
    pub violations: Vec<Violation>,
}

/// Runs a tree for some values of the parameters in `context`, and compares the instances, how often
/// each is executed, and their order with a flat schedule.
///
/// The schedule may give one instance several times, at each of which it is to be executed.
/// `unordered` are dimensions at which the named instances may come in any order.
///
/// *Exactness.* Exact for the values that are tried, which are small and always the same; nothing
/// is said about others.
///
/// *Cost.* Linear in the instances of all samples, which [`SampleLimits`] bound.
///
/// # Errors
/// If a set operation fails for another reason than its limit.
pub fn check_ast_on_samples(
    ast: &AstNode,
    schedule: &UnionMap,
    unordered: &[UnorderedLevel],
    context: &Set,
    limits: &SampleLimits,
) -> Result<Samples> {
    let mut result = Samples::default();
    let samples = parameter_values(schedule, context, limits)?;
    let is_closed = samples.first().is_some_and(Values::is_empty);
    for values in samples {
        let expected = match expected(schedule, &values, limits) {
            Ok(Some(expected)) => expected,
            Ok(None) | Err(Error::Exceeded { .. } | Error::Invalid { .. }) => continue,
            Err(other) => return Err(other),
        };
        result.is_complete = is_closed && (unordered.is_empty() || have_one_time(&expected));
        let most = limits.iterations.max(2 * limits.instances);
        let message = match execute(ast, &values, most) {
            Ok(trace) => difference(&trace, expected, unordered),
            Err(Stopped::TooLong) => {
                result.is_complete = false;
                result.unfinished += 1;
                // The next ones would hardly take less time.
                break;
            }
            Err(Stopped::Overflow) => {
                result.is_complete = false;
                continue;
            }
            Err(Stopped::NoValue(name)) => Some(format!("`{name}` has no value")),
        };
        result.checked += 1;
        if let Some(message) = message {
            let values: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            let message = format!("{message}, with {}", values.join(", "));
            result.violations.push(Violation { message, example: None });
        }
    }
    Ok(result)
}

/// An instance that is to be executed, after its time.
type Timed = (Vec<i64>, Instance);

/// Values of all parameters in the context: small ones in every combination that chance gives.
fn parameter_values(
    schedule: &UnionMap,
    context: &Set,
    limits: &SampleLimits,
) -> Result<Vec<Values>> {
    const CANDIDATES: [i64; 14] = [0, 1, 2, 3, 5, 8, 13, 4, 7, -1, 21, 10, -4, 34];
    let mut names: Vec<Name> = schedule.param_names();
    for name in context.space().param_names() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let budget = Budget::steps(limits.steps);
    let mut found: Vec<Values> = Vec::new();
    let mut state = 7usize;
    for round in 0..8 * limits.samples {
        let mut values = Values::new();
        for name in &names {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            let range = (4 + round / 4).min(CANDIDATES.len());
            values.insert(name.clone(), CANDIDATES[(state >> 8) % range]);
        }
        if !found.contains(&values) && admits(context, &values, &budget)? {
            found.push(values);
        }
        if found.len() == limits.samples || (names.is_empty() && !found.is_empty()) {
            break;
        }
    }
    if found.is_empty()
        && let Some(point) = context.sample_point(&budget)?
    {
        let known = context.space().param_names().iter().zip(point);
        let mut values: Values = names.iter().map(|name| (name.clone(), 1)).collect();
        values.extend(known.filter_map(|(name, value)| Some((name.clone(), value.to_i64()?))));
        found.push(values);
    }
    Ok(found)
}

fn admits(context: &Set, values: &Values, budget: &Budget) -> Result<bool> {
    Ok(!at(context, values).is_empty(budget)?)
}

/// A set for values of its parameters.
fn at(set: &Set, values: &Values) -> Set {
    let names = set.space().param_names().to_vec();
    names.iter().enumerate().fold(set.clone(), |set, (position, name)| {
        let value = values.get(name).copied().unwrap_or(0);
        set.fix(DimKind::Param, position, &Int::from(value))
    })
}

/// What is to be executed, in order; none if that is too much.
fn expected(
    schedule: &UnionMap,
    values: &Values,
    limits: &SampleLimits,
) -> Result<Option<Vec<Timed>>> {
    let budget = Budget::steps(limits.steps);
    let mut result: Vec<Timed> = Vec::new();
    for map in schedule.maps() {
        let name = map.space().input().and_then(|tuple| tuple.name());
        let name = name.map_or(String::new(), |name| name.to_string());
        let n_coordinates = map.n(DimKind::In);
        let set = at(&map.wrap(), values);
        let set = set.project_out(DimKind::Param, 0, set.n(DimKind::Param));
        let left = limits.instances - result.len();
        for point in set.points(left + 1, &budget)? {
            let numbers: Option<Vec<i64>> = point.iter().map(Int::to_i64).collect();
            let Some(numbers) = numbers else { return Ok(None) };
            let (instance, time) = numbers.split_at(n_coordinates);
            result.push((time.to_vec(), (name.clone(), instance.to_vec())));
        }
        if result.len() > limits.instances {
            return Ok(None);
        }
    }
    result.sort();
    Ok(Some(result))
}

/// Whether no instance is to be executed at several times.
fn have_one_time(expected: &[Timed]) -> bool {
    let mut instances = BTreeSet::new();
    expected.iter().all(|(_, instance)| instances.insert(instance))
}

/// What is wrong with a trace.
fn difference(
    trace: &[Instance],
    expected: Vec<Timed>,
    unordered: &[UnorderedLevel],
) -> Option<String> {
    let mut balance: BTreeMap<&Instance, i64> = BTreeMap::new();
    for instance in trace {
        *balance.entry(instance).or_default() += 1;
    }
    for (_, instance) in &expected {
        *balance.entry(instance).or_default() -= 1;
    }
    if let Some((instance, difference)) = balance.into_iter().find(|(_, n)| *n != 0) {
        let text = text(instance);
        return Some(match difference > 0 {
            true => format!("{text} is executed {difference} times too often"),
            false => format!("{text} is executed {} times too few", -difference),
        });
    }
    match unordered.is_empty() {
        true => wrong_group(trace, &expected),
        false => wrong_pair(trace, &expected, unordered),
    }
}

fn text((name, coordinates): &Instance) -> String {
    let coordinates: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    format!("{name}[{}]", coordinates.join(", "))
}

/// The first instance that is not among those of its time.
fn wrong_group(trace: &[Instance], expected: &[Timed]) -> Option<String> {
    let mut start = 0;
    for group in expected.chunk_by(|a, b| a.0 == b.0) {
        let mut executed = trace[start..start + group.len()].to_vec();
        executed.sort();
        for (executed, (_, expected)) in executed.iter().zip(group) {
            if executed != expected {
                return Some(format!("{} is executed out of order", text(executed)));
            }
        }
        start += group.len();
    }
    None
}

/// A pair of instances in the wrong order; instances with several times are left out.
fn wrong_pair(
    trace: &[Instance],
    expected: &[Timed],
    unordered: &[UnorderedLevel],
) -> Option<String> {
    let mut times: BTreeMap<&Instance, Vec<&Vec<i64>>> = BTreeMap::new();
    for (time, instance) in expected {
        times.entry(instance).or_default().push(time);
    }
    let reaches = |level: &UnorderedLevel, (name, _): &Instance| {
        let name_of = |set: &Set| {
            let tuple = set.space().output().and_then(|tuple| tuple.name().cloned());
            tuple.map_or(String::new(), |name| name.to_string())
        };
        level.instances.sets().iter().any(|set| name_of(set) == *name)
    };
    for (position, later) in trace.iter().enumerate() {
        for earlier in &trace[..position] {
            let ([a], [b]) = (&times[earlier][..], &times[later][..]) else { continue };
            let Some(level) = (0..a.len()).find(|&level| a[level] != b[level]) else { continue };
            let free =
                |u: &UnorderedLevel| u.level == level && reaches(u, earlier) && reaches(u, later);
            if a[level] > b[level] && !unordered.iter().any(free) {
                return Some(format!("{} is executed before {}", text(earlier), text(later)));
            }
        }
    }
    None
}
