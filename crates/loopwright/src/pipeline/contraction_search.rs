//! The search for moduli of arrays: in the loops of a schedule, in the program's order, and in orders by the
//! elements that it writes.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::{prove_contractions, prove_order};
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::without_kills::executable_part;
use loopwright_cfront::Region;
use loopwright_presburger::{Int, Result as SetResult, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::{
    Contraction, contractible_arrays, left_elements, order_by_elements, proposed_moduli,
    statement_values,
};
use loopwright_verify::{ContractedProgram, Proof};

/// The largest modulus that is looked for.
const MOST_CELLS: u32 = 64;

/// Moduli with the program that they are proved for.
pub(crate) struct Found {
    pub(crate) built: Built,
    pub(crate) taken: Vec<Contraction>,
    /// Whether the cells are those of the program in another order.
    pub(crate) is_reordered: bool,
}

impl Found {
    /// The program with cells.
    pub(crate) fn scop(&self) -> &Scop {
        &self.built.analysed.region.scop
    }
}

/// The moduli that are right in some loops, if there are any.
///
/// # Errors
/// In words: those of analyses, and limits.
pub(crate) fn found_in(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
    loops: Loops,
) -> Result<Option<Found>, String> {
    let mut search = Search { original, chosen, run, loops, taken: Vec::new(), built: None };
    let own = &original.region.scop.schedule;
    search.all_arrays(if loops == Loops::Chosen { &chosen.found } else { own })?;
    let Search { taken, built, .. } = search;
    Ok(built.map(|built| Found { built, taken, is_reordered: false }))
}

/// What is found first in a legal order of the program by subscripts of the elements that it writes
/// ([`loopwright_storage::order_by_elements`]), for the arrays and dimensions that are wanted.
///
/// # Errors
/// As [`found_in`].
pub(crate) fn in_other_orders(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
    is_wanted: &mut dyn FnMut(ArrayId, usize) -> bool,
) -> Result<Option<Found>, String> {
    let Analysed { region, dependences, .. } = original;
    let scop = &region.scop;
    let arrays =
        contractible_arrays(scop, dependences, &region.used_after, &stage_budget_by(run.options));
    for array in arrays.map_err(in_words)? {
        let dimensions = 0..scop.array(array).extents.len();
        for dimension in dimensions.filter(|&dimension| is_wanted(array, dimension)) {
            let order = order_by_elements(scop, array, dimension).map_err(in_words)?;
            let Some(reordered) = order.map(|tree| reordered(original, tree, run)).transpose()?
            else {
                continue;
            };
            let Some(Reordered { analysed, proof }) = reordered else { continue };
            if let Some(mut found) = found_in(&analysed, chosen, run, Loops::Again)? {
                found.built.proof.insert(0, proof);
                return Ok(Some(Found { is_reordered: true, ..found }));
            }
        }
    }
    Ok(None)
}

/// A program in another order, with the proof that it is legal.
struct Reordered {
    analysed: Analysed,
    proof: (&'static str, Proof),
}

/// The program in another order; none if that is not proved to be legal.
fn reordered(
    original: &Analysed,
    tree: ScheduleTree,
    run: Run<'_>,
) -> Result<Option<Reordered>, String> {
    let Analysed { region, dependences, .. } = original;
    let executed = executable_part(&region.scop, &tree).map_err(in_words)?;
    let order =
        run.time(Stage::Verify, || prove_order(&region.scop, dependences, &executed, run.effort()));
    let order = order.map_err(in_words)?;
    let Some((_, proof)) = order.into_iter().next().filter(|(_, proof)| proof.is_proved()) else {
        return Ok(None);
    };
    let mut region = region.clone();
    region.scop.schedule = tree;
    let reordered = run.time(Stage::Dependences, || analysed(region, run.options));
    let proof = ("the order by elements respects every dependence", proof);
    Ok(Some(Reordered { analysed: reordered.map_err(in_words)?, proof }))
}

pub(crate) fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// Which loops a program with cells has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loops {
    /// Those that were chosen for the program as it was.
    Chosen,
    /// Those that are found for it.
    Again,
}

/// The program with cells, and the loops that are proved for it, if they are those that were chosen.
pub(crate) struct Built {
    pub(crate) analysed: Analysed,
    pub(crate) own: Option<ScheduleChoice>,
    pub(crate) proof: Proofs,
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
        let (scop, budget) = (&region.scop, stage_budget_by(self.run.options));
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
        let left = left_elements(
            &region.scop,
            array,
            dependences,
            used,
            &stage_budget_by(self.run.options),
        )?;
        Ok((!left.is_empty(&stage_budget_by(self.run.options))?).then_some(left))
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
        let proof = run
            .time(Stage::Verify, || prove_contractions(program, run.effort()))
            .map_err(in_words)?;
        if !proof.1.is_proved() {
            return Ok(None);
        }
        if loops == Loops::Again {
            return Ok(Some(Built { analysed, own: None, proof: vec![proof] }));
        }
        let Analysed { region, dependences, .. } = &analysed;
        let tree = with_private_scalars(
            &region.scop,
            dependences,
            &chosen.tree,
            &stage_budget_by(run.options),
        )
        .map_err(in_words)?;
        let order =
            run.time(Stage::Verify, || prove_order(&region.scop, dependences, &tree, run.effort()));
        let is_proved =
            |proofs: &Proofs| proofs.iter().all(|(_, proof): &(_, Proof)| proof.is_proved());
        if !is_proved(&order.map_err(in_words)?) {
            return Ok(None);
        }
        let own = Some(ScheduleChoice { tree, ..chosen.clone() });
        Ok(Some(Built { analysed, own, proof: vec![proof] }))
    }
}
