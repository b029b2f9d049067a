//! Declarations, definitions of types and functions, members of structures.
use super::declarators::{Declared, Style};
use super::specifiers::Specifiers;
use super::token_class::Class;
use super::{Mark, Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

impl<'s> Parser<'s> {
    /// A declaration or the definition of a function or type.
    pub(super) fn declaration(&mut self) -> Step {
        let mark = self.builder.mark();
        let found = self.specifiers(false)?;
        if self.is(token!(";")) && found.has_type && !found.has_modifiers {
            // The type alone, directly in what is around.
            self.builder.field(Field::None);
            self.take();
            return Ok(());
        }
        let style = if found.is_typedef { Style::Type } else { Style::Variable };
        let mut is_first = true;
        let mut goes_on = !self.is(token!(";"));
        while goes_on {
            let declarator = self.builder.mark();
            let declared = self.declarator(style)?;
            let is_defined = declared.is_old_style || self.is(token!("{"));
            if is_first && declared.parameters.is_some() && is_defined {
                return self.function(mark, declared);
            }
            self.after_declarator(declarator, &declared, found)?;
            is_first = false;
            goes_on = self.takes_comma();
        }
        self.expect_semicolon()?;
        self.finish(mark, if found.is_typedef { Kind::TypeDefinition } else { Kind::Declaration });
        Ok(())
    }

    /// The value of a variable and what else is said about it.
    fn after_declarator(&mut self, mark: Mark, declared: &Declared<'s>, found: Specifiers) -> Step {
        if let Some(name) = declared.name {
            self.names.declare(name, found.is_typedef);
        }
        if !found.has_type && declared.parameters.is_none() && !found.has_modifiers {
            return Err(Unexpected { expected: "a type" });
        }
        self.builder.field(Field::Declarator);
        if self.is_class(Class::Assembly) {
            self.assembly()?;
        }
        if self.is(token!("=")) {
            self.take();
            self.initializer()?;
            self.builder.field(Field::Value);
            self.finish(mark, Kind::InitDeclarator);
            self.builder.field(Field::Declarator);
        }
        Ok(())
    }

    /// What follows the declarator of a function that is defined.
    fn function(&mut self, mark: Mark, declared: Declared<'s>) -> Step {
        self.builder.field(Field::Declarator);
        if let Some(name) = declared.name {
            self.names.declare(name, false);
        }
        let scope = self.names.open();
        for name in declared.parameters.into_iter().flatten() {
            self.names.declare(name, false);
        }
        while declared.is_old_style && !self.is(token!("{")) {
            self.nested(Self::declaration)?;
        }
        self.compound()?;
        self.builder.field(Field::Body);
        self.names.close(scope);
        self.finish(mark, Kind::FunctionDefinition);
        Ok(())
    }

    /// Takes a comma if it is the next token.
    fn takes_comma(&mut self) -> bool {
        let is_comma = self.is(token!(","));
        if is_comma {
            self.take();
        }
        is_comma
    }

    /// The members of a structure that one declaration declares.
    pub(super) fn member(&mut self) -> Step {
        let mark = self.builder.mark();
        if !self.specifiers(false)?.has_type {
            return Err(Unexpected { expected: "a type" });
        }
        let mut goes_on = !self.is(token!(";"));
        while goes_on {
            if !self.is(token!(":")) {
                self.declarator(Style::Member)?;
                self.builder.field(Field::Declarator);
            }
            if self.is(token!(":")) {
                let width = self.builder.mark();
                self.take();
                self.assignment()?;
                self.finish(width, Kind::BitfieldClause);
            }
            self.attribute_specifiers()?;
            goes_on = self.takes_comma();
        }
        self.expect_semicolon()?;
        self.finish(mark, Kind::FieldDeclaration);
        Ok(())
    }
}
