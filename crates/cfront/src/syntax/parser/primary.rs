//! The smallest parts of expressions.
use super::token_class::Class;
use super::{Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

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
                self.take_as(Kind::Identifier)
            }
            (Class::Constant, _) => self.take(),
            (Class::Text, _) => self.strings()?,
            (Class::Assembly, _) => self.assembly()?,
            (_, token!("(")) => self.parenthesized()?,
            (_, token!("_Generic")) => self.selection()?,
            _ => return Err(Unexpected { expected: "an expression" }),
        }
        self.postfix(mark)
    }

    /// An expression, or statements with a value, in parentheses.
    pub(super) fn parenthesized(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect(token!("("))?;
        match self.is(token!("{")) {
            true => self.nested(Self::compound)?,
            false => self.expression()?,
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::ParenthesizedExpression);
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
        self.finish(mark, Kind::ConcatenatedString);
        Ok(())
    }

    fn offset_of(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take_as(token!("offsetof"));
        self.expect(token!("("))?;
        self.type_descriptor()?;
        self.builder.field(Field::Type);
        self.expect(token!(","))?;
        self.expect_name(Kind::FieldIdentifier)?;
        self.builder.field(Field::Member);
        self.expect(token!(")"))?;
        self.finish(mark, Kind::OffsetofExpression);
        Ok(())
    }

    /// `_Generic(…)`.
    fn selection(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect(token!("("))?;
        self.assignment()?;
        while self.is(token!(",")) {
            self.take();
            match self.is(token!("default")) {
                true => self.take(),
                false => self.type_descriptor()?,
            }
            self.expect(token!(":"))?;
            self.assignment()?;
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::GenericExpression);
        Ok(())
    }
}
