//! Iterators whose last values are used after their loops: `for (i = 0; i < n; i++) ..; return i;`.
//!
//! The iterators of the loops that are printed are others. Where a value from after a loop is used, in the
//! region or behind it, and has an affine form (`start + step * iterations`), the variable is followed
//! (`symbolic_values.rs`): the value is known after the loop, and a statement there assigns it, which is left
//! out where nobody reads it. In a nest that is the value of the last execution, and none if there was none.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::is_left_early;
use crate::facts::integer_type::IntegerType;
use crate::model::conditions::Disjunction;
use crate::model::pieces::Pieces;
use crate::model::raw_model::Ending;
use crate::syntax::kind::Field;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;

impl<'s, 't> Extractor<'s, 't> {
    /// Whether the last value of a loop over a variable is kept.
    pub(crate) fn is_kept(&self, variable: u32) -> bool {
        self.facts.kept_iterators.contains(&*self.variable(variable).name)
            && self.is_followed(variable)
    }

    /// The value of the iterator after a loop, if it is kept; the loop has been opened.
    ///
    /// # Errors
    /// If it has no affine form.
    pub(crate) fn kept_value(
        &mut self,
        node: Node<'t>,
        index: u32,
        outside: &Disjunction,
        values: &Disjunction,
    ) -> Result<Option<Pieces>, Refusal> {
        let variable = self.out.loops[index as usize].variable;
        if !self.is_kept(variable) {
            return Ok(None);
        }
        let is_left = node.field(Field::Body).is_some_and(is_left_early);
        match self.last_value(index, outside, values).filter(|_| !is_left) {
            Some(last) => Ok(Some(last)),
            None => {
                let name = &self.variable(variable).name;
                let message = format!("the iterator `{name}` is used after its loop");
                Err(self
                    .refuse(Code::Iterator, node, message)
                    .with_reason("its value there has no affine form: the loop needs one start, one bound, and no jumps")
                    .with_hint("assign it again before it is used"))
            }
        }
    }

    fn last_value(
        &mut self,
        index: u32,
        outside: &Disjunction,
        values: &Disjunction,
    ) -> Option<Pieces> {
        let of = &self.out.loops[index as usize];
        let (start, step) = (of.start.clone()?, of.step);
        let integer_type = IntegerType::of(&self.variable(of.variable).declared.scalar);
        if of.ending != Ending::Plain && !(integer_type.signed && integer_type.bytes >= 4) {
            // The last change may have left the type.
            return None;
        }
        let trip = self.trip(index, (outside, values), 0)?;
        trip.flat_map(|times| Ok(Pieces::single(start.add_scaled(step, times)?))).ok()
    }

    /// The statement after a loop that assigns the value of its iterator.
    pub(crate) fn store_kept_value(
        &mut self,
        node: Node<'t>,
        variable: u32,
        last: Pieces,
    ) -> Result<(), Refusal> {
        let mut emission = Emission::new(self.at.nest.len());
        self.write_guards(&mut emission)?;
        self.write_update(&mut emission, node, variable, &last);
        self.add_emission(emission, node.start_byte());
        if let Some(statement) = self.out.statements.last_mut() {
            statement.is_update = true;
        }
        self.set_known(variable, Some(last));
        Ok(())
    }
}
