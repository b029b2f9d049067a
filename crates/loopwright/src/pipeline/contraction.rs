//! Contraction of arrays in a compilation: fewer cells than elements, where that is proved for the schedule that was chosen.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::loops::generated;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::print::printed;
use crate::pipeline::prove::{prove_contractions, prove_order};
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget};
use crate::pipeline::schedule_choice::choose_schedule;
use crate::settings::options::Storage;
use loopwright_cfront::Region;
use loopwright_presburger::{Budget, Int, Result as SetResult, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::{
    Contraction, accessed_elements, contractible_arrays, left_elements, proposed_moduli,
    statement_values,
};
use loopwright_verify::{ContractedProgram, Proof};

/// Steps for a number of cells: less than a second.
const COUNTING_STEPS: u64 = 2_000_000;

/// The largest modulus that is looked for.
const MOST_CELLS: u32 = 64;

/// A region with contracted arrays, or its schedule without.
pub(crate) enum Contracted {
    Taken(Box<RegionResult>),
    Not(Box<ScheduleChoice>),
}

/// The region with contracted arrays in the loops of `chosen`, if that is asked for and some of its arrays need fewer cells.
///
/// Moduli are tried that the occupancy vectors of the schedule propose, dimension by dimension, and those kept for which it is proved that
/// each value stays until its last use, and that the schedule respects the dependences of the program with cells. Where there are none, or a
/// limit is reached, `chosen` gets a note. If no modulus is right in the chosen loops, those that are right in the program's order are taken, and the
/// program with cells gets a schedule of its own.
pub(crate) fn with_contracted_arrays(
    original: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> Contracted {
    if run.options.storage != Storage::Contract {
        return Contracted::Not(Box::new(chosen));
    }
    match contracted(original, &chosen, run) {
        Ok(Some(result)) => Contracted::Taken(Box::new(result)),
        Ok(None) => {
            chosen.notes.push("storage: no array needs fewer cells than it has elements".into());
            Contracted::Not(Box::new(chosen))
        }
        Err(reason) => {
            chosen.notes.push(format!("storage: arrays are not contracted ({reason})"));
            Contracted::Not(Box::new(chosen))
        }
    }
}

fn contracted(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Option<RegionResult>, String> {
    let scop = &original.region.scop;
    let of_loops = |loops| {
        let mut search = Search { original, chosen, run, loops, taken: Vec::new(), built: None };
        let tree = if loops == Loops::Chosen { &chosen.found } else { &scop.schedule };
        search.all_arrays(tree)?;
        Ok::<_, String>(search.built.map(|built| (built, search.taken)))
    };
    let found = match of_loops(Loops::Chosen)? {
        None => of_loops(Loops::Again)?,
        found => found,
    };
    let Some((Built { analysed, own, proof }, taken)) = found else { return Ok(None) };
    let mut own = match own {
        Some(own) => own,
        None => {
            let mut own = choose_schedule(&analysed, run).map_err(in_words)?;
            own.notes.push("storage: scheduled again for fewer cells".to_string());
            own
        }
    };
    let cells = &analysed.region.scop;
    own.notes.extend(taken.iter().map(|contraction| note(scop, cells, contraction)));
    let (own, mut built) = generated(&analysed, own, run).map_err(in_words)?;
    built.proofs.extend(proof);
    // What is only not proved within its limit is reported, as for any program.
    let is_refuted = |(_, proof): &&(_, Proof)| matches!(proof, Proof::Refuted(_));
    if let Some((claim, _)) = built.proofs.iter().find(is_refuted) {
        return Err(format!("not true: {claim}"));
    }
    let mut result = printed(&analysed, own, built, run).map_err(in_words)?;
    result.region = original.region.clone();
    result.dependences = original.dependences.clone();
    result.has_cells = true;
    Ok(Some(result))
}

/// Which subscripts have moduli, and how many elements and cells there are as functions of the sizes.
fn note(original: &Scop, contracted: &Scop, contraction: &Contraction) -> String {
    let cell = |modulus: &Option<Int>| match modulus {
        Some(modulus) => format!("[mod {modulus}]"),
        None => "[..]".to_string(),
    };
    let cells: String = contraction.moduli.iter().map(cell).collect();
    let name = &original.array(contraction.array).name;
    let mut note = format!("storage: elements of `{name}` share cells: {name}{cells}");
    let count = |scop| number_of_elements(scop, contraction.array);
    if let (Some(cells), Some(elements)) = (count(contracted), count(original)) {
        note += &format!("; {cells} in place of {elements} (for sizes that are not small)");
    }
    if contraction.copied_out.is_some() {
        note += "; what is used afterwards is copied out";
    }
    note
}

/// The number of elements of an array that a program accesses, if no symbolic constant is small; none beyond a limit.
pub(crate) fn number_of_elements(scop: &Scop, array: ArrayId) -> Option<String> {
    let budget = Budget::steps(COUNTING_STEPS);
    let count = || -> SetResult<Option<String>> {
        let Some(elements) = accessed_elements(scop, array, &budget)? else { return Ok(None) };
        let names = scop.context.space().param_names();
        let list = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let large = names.iter().map(|name| format!("{name} >= {MOST_CELLS}"));
        let large = large.collect::<Vec<_>>().join(" and ");
        let colon = if names.is_empty() { "" } else { " : " };
        let large = Set::parse(&format!("[{list}] -> {{ {colon}{large} }}"))?;
        let elements = elements.intersect_params_within(&large, &budget)?;
        let all = elements.card(&budget)?.to_string();
        // One piece, as most often: without its condition.
        let value = all.split_once("{ (").and_then(|(_, rest)| rest.split_once(") : "));
        Ok(Some(value.filter(|_| !all.contains("; ")).map_or(all.clone(), |(v, _)| v.to_string())))
    };
    count().ok().flatten()
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// Which loops a program with cells has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    /// Those that were chosen for the program as it was.
    Chosen,
    /// Those that are found for it.
    Again,
}

/// The program with cells, and the loops that are proved for it, if they are those that were chosen.
struct Built {
    analysed: Analysed,
    own: Option<ScheduleChoice>,
    proof: Proofs,
}

/// The moduli that are proved so far.
struct Search<'a> {
    original: &'a Analysed,
    chosen: &'a ScheduleChoice,
    run: Run<'a>,
    loops: Loops,
    taken: Vec<Contraction>,
    built: Option<Built>,
}

impl Search<'_> {
    /// Tries the moduli that the vectors of a schedule propose.
    fn all_arrays(&mut self, tree: &ScheduleTree) -> Result<(), String> {
        let Analysed { region, dependences, .. } = self.original;
        let (scop, budget) = (&region.scop, stage_budget());
        let found = self.run.time(Stage::Transform, || {
            let arrays = contractible_arrays(scop, dependences, &region.used_after, &budget)?;
            if arrays.is_empty() {
                return Ok((arrays, Vec::new()));
            }
            Ok((arrays, statement_values(scop, dependences, tree, &budget)?))
        });
        let (arrays, values) = found.map_err(|e: loopwright_presburger::Error| in_words(e))?;
        for array in arrays {
            let proposed = proposed_moduli(scop, &values, array, MOST_CELLS, &budget);
            for (dimension, modulus) in proposed.map_err(in_words)? {
                // Other statements may write the elements between.
                let longer = &modulus + &Int::ONE;
                for modulus in [modulus, longer] {
                    if self.attempt(array, dimension, modulus)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether one more modulus is right; then it is taken.
    fn attempt(&mut self, array: ArrayId, dimension: usize, modulus: Int) -> Result<bool, String> {
        let scop = &self.original.region.scop;
        let n_dims = scop.array(array).extents.len();
        let mut contractions = self.taken.clone();
        if !contractions.iter().any(|contraction| contraction.array == array) {
            let copied_out = self.copied_out(array).map_err(in_words)?;
            contractions.push(Contraction { array, moduli: vec![None; n_dims], copied_out });
        }
        let own = contractions.iter_mut().find(|contraction| contraction.array == array);
        if let Some(place) = own.and_then(|own| own.moduli.get_mut(dimension)) {
            *place = Some(modulus);
        }
        let built = self.built(&contractions)?;
        let is_taken = built.is_some();
        if is_taken {
            (self.taken, self.built) = (contractions, built);
        }
        Ok(is_taken)
    }

    /// What has to be copied out of the cells of an array.
    fn copied_out(&self, array: ArrayId) -> SetResult<Option<Set>> {
        let Analysed { region, dependences, .. } = self.original;
        let Some(Some(used)) = region.used_after.get(array.0 as usize) else { return Ok(None) };
        let left = left_elements(&region.scop, array, dependences, used, &stage_budget())?;
        Ok((!left.is_empty(&stage_budget())?).then_some(left))
    }

    /// The program with cells under the chosen schedule; none if something is not proved.
    fn built(&self, contractions: &[Contraction]) -> Result<Option<Built>, String> {
        let Search { original, chosen, run, loops, .. } = *self;
        let is_copied = contractions.iter().any(|contraction| contraction.copied_out.is_some());
        if is_copied && loops == Loops::Chosen {
            // The chosen loops have no place for copies.
            return Ok(None);
        }
        let mut scop = original.region.scop.clone();
        for contraction in contractions {
            scop = contraction.apply(&scop).map_err(in_words)?;
        }
        let region = Region { scop, ..original.region.clone() };
        let analysed =
            run.time(Stage::Dependences, || analysed(region, run.options)).map_err(in_words)?;
        let program = ContractedProgram {
            original: &original.region.scop,
            dependences: &original.dependences,
            contracted: &analysed.region.scop,
            contracted_dependences: &analysed.dependences,
            contractions,
            used_after: &original.region.used_after,
        };
        let proof = run.time(Stage::Verify, || prove_contractions(program)).map_err(in_words)?;
        if !proof.1.is_proved() {
            return Ok(None);
        }
        if loops == Loops::Again {
            return Ok(Some(Built { analysed, own: None, proof: vec![proof] }));
        }
        let Analysed { region, dependences, .. } = &analysed;
        let tree = with_private_scalars(&region.scop, dependences, &chosen.tree, &stage_budget())
            .map_err(in_words)?;
        let order = run.time(Stage::Verify, || prove_order(&region.scop, dependences, &tree));
        let is_proved =
            |proofs: &Proofs| proofs.iter().all(|(_, proof): &(_, Proof)| proof.is_proved());
        if !is_proved(&order.map_err(in_words)?) {
            return Ok(None);
        }
        let own = Some(ScheduleChoice { tree, ..chosen.clone() });
        Ok(Some(Built { analysed, own, proof: vec![proof] }))
    }
}
