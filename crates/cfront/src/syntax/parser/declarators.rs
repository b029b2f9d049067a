//! Declarators, from the outside in: pointers, names, dimensions and parameters.
use super::token_class::Class;
use super::{Mark, Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

/// What a declarator declares, which is what its name is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Variable,
    Type,
    Member,
    /// Its name may be left out.
    Parameter,
    /// It has no name.
    Descriptor,
}

/// What a declarator turned out to be.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared<'s> {
    pub(super) name: Option<&'s str>,
    /// Whether it has any text.
    pub(super) is_present: bool,
    /// The names of the parameters, of a function.
    pub(super) parameters: Option<Vec<&'s str>>,
    /// Whether declarations of the parameters follow, of a function that is defined.
    pub(super) is_old_style: bool,
}

impl<'s> Parser<'s> {
    /// A declarator; it may be empty if it needs no name.
    pub(super) fn declarator(&mut self, style: Style) -> Step<Declared<'s>> {
        self.nested(|this| {
            let mark = this.builder.mark();
            match this.is(token!("*")) {
                true => this.pointer(mark, style),
                false => this.direct_declarator(style),
            }
        })
    }

    fn pointer(&mut self, mark: Mark, style: Style) -> Step<Declared<'s>> {
        self.take();
        while self.is_class(Class::Qualifier) {
            self.wrapped(Kind::TypeQualifier);
        }
        let mut inner = self.declarator(style)?;
        if inner.is_present {
            self.builder.field(Field::Declarator);
        }
        self.finish(mark, kind(&inner, Kind::PointerDeclarator, Kind::AbstractPointerDeclarator));
        inner.is_present = true;
        Ok(inner)
    }

    fn direct_declarator(&mut self, style: Style) -> Step<Declared<'s>> {
        let mark = self.builder.mark();
        let mut declared = Declared::default();
        if self.is_declared_name(style) {
            declared.name = Some(self.text(0));
            declared.is_present = true;
            self.take_as(match style {
                Style::Type if self.is_class(Class::Primitive) => Kind::PrimitiveType,
                Style::Type => Kind::TypeIdentifier,
                Style::Member => Kind::FieldIdentifier,
                _ => Kind::Identifier,
            });
        } else if self.is(token!("(")) && self.is_nested_declarator(style) {
            self.take();
            declared = self.declarator(style)?;
            self.expect(token!(")"))?;
            let kind = kind(
                &declared,
                Kind::ParenthesizedDeclarator,
                Kind::AbstractParenthesizedDeclarator,
            );
            self.finish(mark, kind);
            declared.is_present = true;
        } else if !matches!(style, Style::Parameter | Style::Descriptor) {
            return Err(Unexpected { expected: "a name" });
        }
        self.declarator_suffixes(mark, style, &mut declared)?;
        Ok(declared)
    }

    fn is_declared_name(&self, style: Style) -> bool {
        match self.class() {
            Class::Identifier => style != Style::Descriptor,
            Class::Primitive => style == Style::Type,
            Class::Constant => style != Style::Descriptor && self.is_name_or_constant(),
            _ => false,
        }
    }

    /// Whether a parenthesis holds a declarator, not parameters.
    fn is_nested_declarator(&self, style: Style) -> bool {
        match style {
            Style::Variable | Style::Type | Style::Member => true,
            _ => match self.token(1).class {
                Class::Identifier => {
                    style == Style::Parameter && self.is_type_name(1) != Some(true)
                }
                _ => matches!(self.token(1).kind, token!("*") | token!("(") | token!("[")),
            },
        }
    }

    /// Dimensions and parameters after a name or parenthesis.
    fn declarator_suffixes(
        &mut self,
        mark: Mark,
        style: Style,
        declared: &mut Declared<'s>,
    ) -> Step {
        loop {
            if self.is_attribute_declaration() {
                self.attribute_declarations()?;
                self.finish(mark, Kind::AttributedDeclarator);
            } else if self.is(token!("[")) {
                if declared.is_present {
                    self.builder.field(Field::Declarator);
                }
                self.dimension()?;
                self.finish(
                    mark,
                    kind(declared, Kind::ArrayDeclarator, Kind::AbstractArrayDeclarator),
                );
            } else if self.is(token!("(")) {
                if declared.is_present {
                    self.builder.field(Field::Declarator);
                }
                self.function_suffix(style, declared)?;
                let kind =
                    kind(declared, Kind::FunctionDeclarator, Kind::AbstractFunctionDeclarator);
                self.finish(mark, kind);
            } else {
                return Ok(());
            }
            declared.is_present = true;
        }
    }

    /// `[static n]` and the like.
    fn dimension(&mut self) -> Step {
        self.take();
        loop {
            match self.class() {
                Class::Qualifier => self.wrapped(Kind::TypeQualifier),
                Class::Storage if self.is(token!("static")) => self.take(),
                _ => break,
            }
        }
        if self.is(token!("*")) && self.token(1).kind == token!("]") {
            self.take();
            self.builder.field(Field::Size);
        } else if !self.is(token!("]")) {
            self.assignment()?;
            self.builder.field(Field::Size);
        }
        self.expect(token!("]"))
    }

    /// Parameters, and what is said about the function after them.
    fn function_suffix(&mut self, style: Style, declared: &mut Declared<'s>) -> Step {
        let is_first = declared.parameters.is_none();
        let is_old_style = is_first && style == Style::Variable && self.is_old_style_list();
        declared.is_old_style |= is_old_style;
        let parameters = match is_old_style {
            true => self.names_of_parameters()?,
            false => self.parameter_list()?,
        };
        self.builder.field(Field::Parameters);
        declared.parameters.get_or_insert(parameters);
        if style == Style::Variable || style == Style::Parameter {
            if self.is_class(Class::Assembly) {
                self.assembly()?;
            }
            self.attribute_specifiers()?;
        }
        Ok(())
    }

    /// A type in parentheses or in a list.
    pub(super) fn type_descriptor(&mut self) -> Step {
        self.nested(|this| {
            let mark = this.builder.mark();
            let found = this.specifiers(true)?;
            if !found.has_type {
                return Err(Unexpected { expected: "a type" });
            }
            if this.declarator(Style::Descriptor)?.is_present {
                this.builder.field(Field::Declarator);
            }
            this.finish(mark, Kind::TypeDescriptor);
            Ok(())
        })
    }
}

/// A declarator's kind, which tells whether it has a name.
fn kind(declared: &Declared<'_>, named: Kind, nameless: Kind) -> Kind {
    match declared.name {
        Some(_) => named,
        None => nameless,
    }
}
