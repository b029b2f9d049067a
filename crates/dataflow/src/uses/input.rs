//! Pairs of reads of one value.
use crate::{Dependence, Engine, ProgramOrder, Reference};
use loopwright_presburger::{Budget, Result};
use loopwright_scop::Scop;

/// The input dependences: from each read to the later reads that see the same value of the element,
/// because no sure write and no kill is between them. They say nothing about legality, only that
/// the two reads had better be close to each other.
///
/// *Exactness.* Exact unless the budget runs out: then there may be too many. *Cost.* Quadratic in
/// the number of reads of an array.
///
/// ```
/// use loopwright_dataflow::input_dependences;
/// use loopwright_presburger::{Budget, Map};
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s = A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assignment.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(1_000_000);
/// let input = input_dependences(&scop, &budget)?;
/// let expected = Map::parse("{ S0[i] -> S0[j] : 0 <= i < j < 9 }")?;
/// assert!(input[0].relation.is_equal(&expected, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of [`Scop::check`] and of the operations on relations.
pub fn input_dependences(scop: &Scop, budget: &Budget) -> Result<Vec<Dependence>> {
    scop.check()?;
    let order = ProgramOrder::new(scop, &scop.schedule.flatten_on_whole_spaces()?);
    let references = Reference::all(scop);
    let reads: Vec<&Reference> = references.iter().filter(|r| r.is_read()).collect();
    let cuts: Vec<&Reference> = references.iter().filter(|r| r.cuts()).collect();
    Ok(Engine::new(&order, budget).value_based(&reads, &cuts, &reads)?.dependences)
}
