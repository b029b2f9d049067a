//! Dependences of a program to which statements that copy have been added, from those of the program.
use crate::{Dependences, Engine, ProgramOrder, Reference};
use loopwright_presburger::{Budget, Result};
use loopwright_scop::Scop;

impl Dependences {
    /// The dependences of `copying`, which is `program` with further statements that copy, in the order of
    /// its own schedule. Statements of the program may access other elements than in the program, if two of
    /// them access the same one where, and only where, they do so in the program.
    ///
    /// Between statements of the program they are those of the program. With statements that copy they are
    /// all pairs of accesses in order to one element, one of them a write, whatever is between: more than is
    /// needed. What is live stays that of the program.
    ///
    /// *Cost.* A composition for each pair of references to one array, one of a statement that copies, and
    /// level of the order.
    ///
    /// # Errors
    /// Those of [`Scop::check`], and of operations on relations.
    pub fn beside_copies(
        &self,
        (program, copying): (&Scop, &Scop),
        budget: &Budget,
    ) -> Result<Dependences> {
        copying.check()?;
        let order = ProgramOrder::new(copying, &copying.schedule.flatten_on_whole_spaces()?);
        let engine = Engine::new(&order, budget);
        let all = Reference::all(copying);
        let of = |of_copies: bool, kinds: [bool; 2]| -> Vec<&Reference> {
            let is_copy = |own: &Reference| own.statement.0 as usize >= program.statements.len();
            let is_meant = |own: &&Reference| {
                is_copy(own) == of_copies && kinds[usize::from(own.is_may_write())]
            };
            all.iter().filter(is_meant).collect()
        };
        let [reads, writes, any] = [[true, false], [false, true], [true, true]];
        let (mut flow, mut forced) = (self.flow.clone(), self.forced.clone());
        for (first, last) in [(true, true), (true, false), (false, true)] {
            flow.extend(engine.memory_based(&of(first, writes), &of(last, reads))?);
            forced.extend(engine.memory_based(&of(first, any), &of(last, writes))?);
        }
        Ok(Dependences { flow, forced, false_nearest: Vec::new(), ..self.clone() })
    }
}
