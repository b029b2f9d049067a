//! The parameters of functions.
use super::declarators::Style;
use super::token_class::Class;
use super::{Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

impl<'s> Parser<'s> {
    /// The parameters of a function with their types; returns their names.
    pub(super) fn parameter_list(&mut self) -> Step<Vec<&'s str>> {
        let mark = self.builder.mark();
        let scope = self.names.open();
        self.expect(token!("("))?;
        let mut names = Vec::new();
        while !self.is(token!(")")) {
            match self.is(token!("...")) {
                true => self.wrapped(Kind::VariadicParameter),
                false => {
                    if let Some(name) = self.parameter()? {
                        names.push(name);
                        self.names.declare(name, false);
                    }
                }
            }
            match self.kind() {
                token!(",") if self.token(1).kind != token!(")") => self.take(),
                token!(")") => {}
                _ => return Err(Unexpected { expected: ")" }),
            }
        }
        self.take();
        self.names.close(scope);
        self.finish(mark, Kind::ParameterList);
        Ok(names)
    }

    fn parameter(&mut self) -> Step<Option<&'s str>> {
        let mark = self.builder.mark();
        if !self.specifiers(true)?.has_type {
            return Err(Unexpected { expected: "a type" });
        }
        let declared = self.declarator(Style::Parameter)?;
        if declared.is_present {
            self.builder.field(Field::Declarator);
        }
        self.attribute_specifiers()?;
        self.finish(mark, Kind::ParameterDeclaration);
        Ok(declared.name)
    }

    /// The names of parameters that get their types after the list.
    pub(super) fn names_of_parameters(&mut self) -> Step<Vec<&'s str>> {
        let mark = self.builder.mark();
        self.expect(token!("("))?;
        let mut names = vec![self.text(0)];
        self.expect_name(Kind::Identifier)?;
        while self.is(token!(",")) {
            self.take();
            names.push(self.text(0));
            self.expect_name(Kind::Identifier)?;
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::ParameterList);
        Ok(names)
    }

    /// Whether only names stand in the parentheses that begin here, and declarations or a body follow: a
    /// definition whose parameters get their types after the list.
    pub(super) fn is_old_style_list(&self) -> bool {
        let mut offset = 1;
        while self.token(offset).class == Class::Identifier
            && self.is_type_name(offset) != Some(true)
        {
            match self.token(offset + 1).kind {
                token!(",") => offset += 2,
                token!(")") => {
                    let next = self.token(offset + 2);
                    let declares =
                        next.class != Class::Attribute && self.begins_declaration_at(offset + 2);
                    return declares || next.kind == token!("{");
                }
                _ => return false,
            }
        }
        false
    }
}
