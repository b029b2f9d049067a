//! The values of a region under its schedule, in words.
use super::{ArrayStorage, RegionStorage, ValueStorage};
use crate::pipeline::analysis::Analysed;
use crate::pipeline::run::stage_budget_by;
use crate::report::each_region::schedule_or_own_order;
use crate::settings::options::CompileOptions;
use loopwright_presburger::{Budget, Error, Int, Result};
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::{
    AllSchedules, Bands, Consumer, RunKind, StatementValues, accessed_elements,
    contractible_arrays, is_read_before_written, proposed_moduli, shortest_vectors,
    statement_values,
};

/// Steps for a count, a search and a baseline: less than a second each.
const COUNTING_STEPS: u64 = 2_000_000;

/// The longest vector for all schedules that is looked for.
const LONGEST: u32 = 16;

/// The largest modulus that is proposed.
const MOST_CELLS: u32 = 64;

/// Looks at a region.
pub(super) fn of_region(analysed: &Analysed, options: &CompileOptions) -> Result<RegionStorage> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let mut notes = analysed.remarks.clone();
    let tree = schedule_or_own_order(analysed, options, &mut notes)?;
    let budget = stage_budget_by(options);
    let looked = || {
        let values = statement_values(scop, dependences, &tree, &budget)?;
        let contractible = contractible_arrays(scop, dependences, &region.used_after, &budget)?;
        Ok((values, contractible))
    };
    let mut arrays = Vec::new();
    match looked() {
        Err(error @ Error::Exceeded { .. }) => notes.push(error.to_string()),
        Err(error) => return Err(error),
        Ok((values, contractible)) => {
            for array in (0u32..).map(ArrayId).take(scop.arrays.len()) {
                let is_contractible = contractible.contains(&array);
                let looked = Looked { analysed, values: &values, budget: &budget };
                arrays.extend(looked.array(array, is_contractible)?);
            }
        }
    }
    let lines = (region.first_line, region.last_line);
    Ok(RegionStorage { function: region.function.clone(), lines, arrays, notes })
}

struct Looked<'a> {
    analysed: &'a Analysed,
    values: &'a [StatementValues],
    budget: &'a Budget,
}

impl Looked<'_> {
    fn scop(&self) -> &Scop {
        &self.analysed.region.scop
    }

    /// What there is to say about an array; none if no statement writes it.
    fn array(&self, id: ArrayId, is_contractible: bool) -> Result<Option<ArrayStorage>> {
        let own: Vec<&StatementValues> = self.values.iter().filter(|v| v.array == id).collect();
        if own.is_empty() {
            return Ok(None);
        }
        let moduli = match is_contractible {
            false => Vec::new(),
            true => proposed_moduli(self.scop(), self.values, id, MOST_CELLS, self.budget)?,
        };
        let values = own.iter().map(|values| self.values(values)).collect::<Result<_>>()?;
        Ok(Some(ArrayStorage {
            name: self.scop().array(id).name.to_string(),
            n_elements: self.n_elements(id)?,
            kept_because: self.kept_because(id, is_contractible)?,
            moduli: moduli.into_iter().map(|(at, modulus)| (at, modulus.to_string())).collect(),
            values,
        }))
    }

    /// The number of elements that are accessed, of those that the array has: conditions inside of
    /// expressions are not looked at.
    fn n_elements(&self, id: ArrayId) -> Result<Option<String>> {
        let all = accessed_elements(self.scop(), id, self.budget)?;
        let Some(all) = all else { return Ok(None) };
        within_limits(all.card(&Budget::steps(COUNTING_STEPS)).map(|count| count.to_string()))
    }

    fn kept_because(&self, id: ArrayId, is_contractible: bool) -> Result<Option<String>> {
        let array = self.scop().array(id);
        let dependences = &self.analysed.dependences;
        let reason = if is_contractible && !self.is_used_after(id)? {
            return Ok(None);
        } else if is_contractible {
            // Whether what is used can be copied out of cells, the compiler finds out under a schedule.
            "some of its values are used after the region"
        } else if array.extents.is_empty() {
            "it is a scalar"
        } else if array.live_out && !self.is_known_after(id) {
            "its values may be used after the region"
        } else if !self.is_known_after(id)
            && is_read_before_written(self.scop(), id, dependences, self.budget)?
        {
            "values from before the region are read"
        } else {
            "statements access it in another way than by assignments to single elements"
        };
        Ok(Some(reason.to_string()))
    }

    /// Whether it is known of some elements that they are used after the region.
    fn is_used_after(&self, id: ArrayId) -> Result<bool> {
        let used = self.analysed.region.used_after.get(id.0 as usize);
        let used = used.and_then(Option::as_ref);
        used.map_or(Ok(false), |used| Ok(!used.is_empty(&Budget::steps(COUNTING_STEPS))?))
    }

    /// Whether it is known which elements are used after the region.
    fn is_known_after(&self, id: ArrayId) -> bool {
        let used = self.analysed.region.used_after.get(id.0 as usize);
        used.is_some_and(Option::is_some)
    }

    fn values(&self, values: &StatementValues) -> Result<ValueStorage> {
        let statement = self.scop().statement(values.statement);
        let budget = || Budget::steps(COUNTING_STEPS);
        let consumers: Vec<&Consumer> = match &values.uses {
            Ok(uses) => uses.iter().map(|bounded| &bounded.consumer).collect(),
            Err(_) => Vec::new(),
        };
        let mut vectors = Vec::new();
        for vector in &values.vectors {
            let cells = within_limits(values.n_cells(vector, &budget()))?.flatten();
            vectors.push((words(vector), cells.map(|cells| cells.to_string())));
        }
        let moduli = within_limits(values.successive_moduli(&budget()))?.unwrap_or_default();
        let modulus = |modulus: &Option<_>| modulus.as_ref().map(ToString::to_string);
        let mut known: Vec<(Vec<String>, bool)> =
            consumers.iter().map(|c| (words(&c.distance), c.is_behind)).collect();
        known.sort();
        known.dedup();
        Ok(ValueStorage {
            statement: statement.name.to_string(),
            line: statement.location.line,
            loops: loops_text(&values.bands),
            n_values: values.n_values.to_string(),
            consumers: known,
            reason: values.uses.as_ref().err().cloned(),
            vectors,
            universal: universal(&consumers, &values.bands)?.map(|vector| words(&vector)),
            successive_moduli: moduli.iter().map(modulus).collect(),
        })
    }
}

/// The shortest vector for all schedules, if all uses are in all loops and none is behind.
fn universal(consumers: &[&Consumer], bands: &Bands) -> Result<Option<Vec<Int>>> {
    let n = bands.n_dims();
    if consumers.is_empty() || consumers.iter().any(|c| c.is_behind || c.distance.len() != n) {
        return Ok(None);
    }
    let consumers: Vec<Consumer> = consumers.iter().map(|consumer| (*consumer).clone()).collect();
    let dependences = consumers.iter().map(|consumer| consumer.distance.clone()).collect();
    let (all, budget) = (AllSchedules { dependences }, Budget::steps(COUNTING_STEPS));
    let found = within_limits(shortest_vectors(n, &consumers, &all, LONGEST, &budget))?;
    Ok(found.and_then(|vectors| vectors.into_iter().next()))
}

/// The value; none if a limit was reached.
fn within_limits<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(Error::Exceeded { .. }) => Ok(None),
        found => found.map(Some),
    }
}

fn words(vector: &[Int]) -> Vec<String> {
    vector.iter().map(ToString::to_string).collect()
}

/// `sequential(1) tilable(2)`.
fn loops_text(bands: &Bands) -> String {
    let run = |run: &loopwright_storage::Run| match run.kind {
        RunKind::Tilable => format!("tilable({})", run.n_dims),
        RunKind::Sequential => format!("sequential({})", run.n_dims),
    };
    bands.runs.iter().map(run).collect::<Vec<_>>().join(" ")
}
