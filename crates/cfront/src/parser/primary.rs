//! The smallest parts of expressions.
use super::lexer::Class;
use super::{Parser, Step, Unexpected};

impl Parser<'_> {
    /// A name, literal or parenthesis with what follows it.
    pub(super) fn primary(&mut self) -> Step {
        let mark = self.builder.mark();
        match (self.class(), self.kind()) {
            (Class::Identifier, _)
                if self.text(0) == "__builtin_offsetof" || self.text(0) == "offsetof" =>
            {
                self.offset_of()?;
            }
            (Class::Identifier, _) if self.token(1).class == Class::Text => self.strings()?,
            (Class::Identifier | Class::Number | Class::Character, _) => self.take(),
            (Class::Constant, _) if self.names.is_declared(self.text(0)) => {
                self.take_as("identifier")
            }
            (Class::Constant, _) => self.take(),
            (Class::Text, _) => self.strings()?,
            (Class::Assembly, _) => self.assembly()?,
            (_, "(") => self.parenthesized()?,
            (_, "_Generic") => self.selection()?,
            _ => return Err(Unexpected { expected: "an expression" }),
        }
        self.postfix(mark)
    }

    /// An expression, or statements with a value, in parentheses.
    pub(super) fn parenthesized(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect("(")?;
        match self.is("{") {
            true => self.nested(Self::compound)?,
            false => self.expression()?,
        }
        self.expect(")")?;
        self.finish(mark, "parenthesized_expression");
        Ok(())
    }

    /// Texts next to each other.
    fn strings(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        if !self.is_class(Class::Text) {
            return Ok(());
        }
        while self.is_class(Class::Text) {
            self.take();
        }
        self.finish(mark, "concatenated_string");
        Ok(())
    }

    fn offset_of(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take_as("offsetof");
        self.expect("(")?;
        self.type_descriptor()?;
        self.builder.field("type");
        self.expect(",")?;
        self.expect_name("field_identifier")?;
        self.builder.field("member");
        self.expect(")")?;
        self.finish(mark, "offsetof_expression");
        Ok(())
    }

    /// `_Generic(…)`.
    fn selection(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect("(")?;
        self.assignment()?;
        while self.is(",") {
            self.take();
            match self.is("default") {
                true => self.take(),
                false => self.type_descriptor()?,
            }
            self.expect(":")?;
            self.assignment()?;
        }
        self.expect(")")?;
        self.finish(mark, "generic_expression");
        Ok(())
    }
}
