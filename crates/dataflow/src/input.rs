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
/// let scop = Scop::parse(
///     r#"
/// context: "{ : }"
/// arrays:
/// - { name: s, tuple: s, type: int, kind: signed, live_out: 1 }
/// - { name: A, tuple: A, type: int, kind: signed, extents: ["{ [(9)] }"], extent_texts: ["9"], live_out: 0 }
/// statements:
/// - name: S0
///   domain: "{ S0[i] : 0 <= i < 9 }"
///   line: 1
///   column: 1
///   iterators: [ i ]
///   iterator_types: [ int ]
///   accesses:
///   - { array: s, kind: write, relation: "{ S0[i] -> s[] : 0 <= i < 9 }" }
///   - { array: A, kind: read, relation: "{ S0[i] -> A[0] : 0 <= i < 9 }" }
///   body:
///   - { element: s, array: s }
///   - { text: " = A[0]" }
/// schedule: { domain: "{ S0[i] : 0 <= i < 9 }", child: { schedule: "[{ S0[i] -> [(i)] }]" } }
/// "#,
/// )?;
/// let budget = Budget::steps(1_000_000);
/// let input = input_dependences(&scop, &budget)?;
/// let expected = Map::parse("{ S0[i] -> S0[j] : 0 <= i < j < 9 }")?;
/// assert!(input[0].relation.is_equal(&expected, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of the operations on relations.
pub fn input_dependences(scop: &Scop, budget: &Budget) -> Result<Vec<Dependence>> {
    let order = ProgramOrder::new(scop, &scop.schedule.flatten_on_whole_spaces()?);
    let references = Reference::all(scop);
    let reads: Vec<&Reference> = references.iter().filter(|r| r.is_read()).collect();
    let cuts: Vec<&Reference> = references.iter().filter(|r| r.cuts()).collect();
    Ok(Engine::new(&order, budget).value_based(&reads, &cuts, &reads)?.dependences)
}
