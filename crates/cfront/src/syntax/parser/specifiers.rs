//! What stands in front of declarators: types, qualifiers, storage classes.
use super::token_class::Class;
use super::{Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

/// What the specifiers of a declaration say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Specifiers {
    pub(super) has_type: bool,
    pub(super) is_typedef: bool,
    /// Whether there are others than a type.
    pub(super) has_modifiers: bool,
}

impl Parser<'_> {
    /// The specifiers of a declaration.
    ///
    /// In front of a parameter a name that nothing declares is its type.
    pub(super) fn specifiers(&mut self, is_parameter: bool) -> Step<Specifiers> {
        let mut found = Specifiers::default();
        loop {
            let token = self.token(0);
            match token.class {
                Class::Storage => self.wrapped(Kind::StorageClassSpecifier),
                Class::Qualifier => self.wrapped(Kind::TypeQualifier),
                Class::AlignAs => self.alignment()?,
                Class::Attribute => self.attribute_specifiers()?,
                Class::Keyword if token.kind == token!("typedef") => {
                    found.is_typedef = true;
                    self.take();
                }
                Class::Sign if self.is_attribute_declaration() => self.attribute_declarations()?,
                _ if found.has_type || !self.begins_specified_type(is_parameter) => break,
                _ => {
                    self.type_specifier()?;
                    self.builder.field(Field::Type);
                    found.has_type = true;
                    continue;
                }
            }
            found.has_modifiers = true;
        }
        Ok(found)
    }

    /// A keyword below a node of a kind.
    pub(super) fn wrapped(&mut self, kind: Kind) {
        let mark = self.builder.mark();
        self.take();
        self.finish(mark, kind);
    }

    /// Whether the next token is (the first of) the type of a declaration.
    fn begins_specified_type(&self, is_parameter: bool) -> bool {
        if self.class() != Class::Identifier {
            return matches!(
                self.class(),
                Class::Primitive | Class::Size | Class::Tag | Class::Typeof
            );
        }
        let next = self.token(1);
        let is_declared = match next.class {
            Class::Identifier => true,
            _ if next.is_word() => next.class != Class::Attribute && next.class != Class::Assembly,
            _ => {
                next.kind == token!("*")
                    || next.kind == token!("(") && self.token(2).kind == token!("*")
            }
        };
        self.is_type_name(0).unwrap_or(
            is_declared
                || is_parameter
                    && matches!(next.kind, token!(")") | token!(",") | token!("[") | token!("(")),
        )
    }

    /// A type without declarators and qualifiers.
    fn type_specifier(&mut self) -> Step {
        match self.class() {
            Class::Primitive | Class::Size => {
                self.type_words();
                Ok(())
            }
            Class::Tag if self.is(token!("enum")) => self.enumeration(),
            Class::Tag => self.nested(Self::record),
            Class::Typeof => self.type_of(),
            _ => self.expect_name(Kind::TypeIdentifier),
        }
    }

    /// Words like `unsigned long int`, in any order.
    fn type_words(&mut self) {
        let mark = self.builder.mark();
        let (mut is_sized, mut has_primitive) = (false, false);
        loop {
            match self.class() {
                Class::Size => {
                    is_sized = true;
                    self.take();
                }
                Class::Primitive if !has_primitive => {
                    has_primitive = true;
                    self.take();
                    self.builder.field(Field::Type);
                }
                Class::Qualifier if is_sized && self.is_type_word_after_qualifiers() => {
                    self.wrapped(Kind::TypeQualifier);
                }
                _ => break,
            }
        }
        if is_sized {
            self.finish(mark, Kind::SizedTypeSpecifier);
        }
    }

    fn is_type_word_after_qualifiers(&self) -> bool {
        let after = (0..8).find(|offset| self.token(*offset).class != Class::Qualifier);
        after.is_some_and(|offset| {
            matches!(self.token(offset).class, Class::Primitive | Class::Size)
        })
    }

    /// `typeof (…)`.
    fn type_of(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take_as(Kind::Identifier);
        self.builder.field(Field::Name);
        self.expect(token!("("))?;
        match self.begins_type(0) {
            true => {
                self.type_descriptor()?;
                self.builder.field(Field::Type);
            }
            false => self.expression()?,
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::MacroTypeSpecifier);
        Ok(())
    }

    /// A structure or union.
    fn record(&mut self) -> Step {
        let mark = self.builder.mark();
        let kind =
            if self.is(token!("struct")) { Kind::StructSpecifier } else { Kind::UnionSpecifier };
        self.take();
        self.attribute_specifiers()?;
        let has_tag = self.tag();
        if self.is(token!("{")) {
            self.members()?;
            self.builder.field(Field::Body);
            self.attribute_specifiers()?;
        } else if !has_tag {
            return Err(Unexpected { expected: "{" });
        }
        self.finish(mark, kind);
        Ok(())
    }

    fn tag(&mut self) -> bool {
        let has_tag = self.is_class(Class::Identifier);
        if has_tag {
            self.take_as(Kind::TypeIdentifier);
            self.builder.field(Field::Name);
        }
        has_tag
    }

    fn members(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        while !self.is(token!("}")) {
            self.member()?;
        }
        self.take();
        self.finish(mark, Kind::FieldDeclarationList);
        Ok(())
    }

    fn enumeration(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.attribute_specifiers()?;
        let has_tag = self.tag();
        if self.is(token!("{")) {
            self.enumerators()?;
            self.builder.field(Field::Body);
            self.attribute_specifiers()?;
        } else if !has_tag {
            return Err(Unexpected { expected: "{" });
        }
        self.finish(mark, Kind::EnumSpecifier);
        Ok(())
    }

    fn enumerators(&mut self) -> Step {
        let list = self.builder.mark();
        self.take();
        while !self.is(token!("}")) {
            let mark = self.builder.mark();
            let name = self.text(0);
            match self.is_name_or_constant() {
                true => self.take_as(Kind::Identifier),
                false => self.expect_name(Kind::Identifier)?,
            }
            self.builder.field(Field::Name);
            self.names.declare(name, false);
            self.attribute_specifiers()?;
            if self.is(token!("=")) {
                self.take();
                self.assignment()?;
                self.builder.field(Field::Value);
            }
            self.finish(mark, Kind::Enumerator);
            match self.kind() {
                token!(",") => self.take(),
                token!("}") => {}
                _ => return Err(Unexpected { expected: "}" }),
            }
        }
        self.take();
        self.finish(list, Kind::EnumeratorList);
        Ok(())
    }
}
