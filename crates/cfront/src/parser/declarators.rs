//! Declarators, from the outside in: pointers, names, dimensions and parameters.
use super::lexer::Class;
use super::{Mark, Parser, Step, Unexpected};

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
            match this.is("*") {
                true => this.pointer(mark, style),
                false => this.direct_declarator(style),
            }
        })
    }

    fn pointer(&mut self, mark: Mark, style: Style) -> Step<Declared<'s>> {
        self.take();
        while self.is_class(Class::Qualifier) {
            self.wrapped("type_qualifier");
        }
        let mut inner = self.declarator(style)?;
        if inner.is_present {
            self.builder.field("declarator");
        }
        self.finish(mark, kind(&inner, "pointer_declarator", "abstract_pointer_declarator"));
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
                Style::Type if self.is_class(Class::Primitive) => "primitive_type",
                Style::Type => "type_identifier",
                Style::Member => "field_identifier",
                _ => "identifier",
            });
        } else if self.is("(") && self.is_nested_declarator(style) {
            self.take();
            declared = self.declarator(style)?;
            self.expect(")")?;
            let kind =
                kind(&declared, "parenthesized_declarator", "abstract_parenthesized_declarator");
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
                _ => matches!(self.token(1).kind, "*" | "(" | "["),
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
                self.finish(mark, "attributed_declarator");
            } else if self.is("[") {
                if declared.is_present {
                    self.builder.field("declarator");
                }
                self.dimension()?;
                self.finish(mark, kind(declared, "array_declarator", "abstract_array_declarator"));
            } else if self.is("(") {
                if declared.is_present {
                    self.builder.field("declarator");
                }
                self.function_suffix(style, declared)?;
                let kind = kind(declared, "function_declarator", "abstract_function_declarator");
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
                Class::Qualifier => self.wrapped("type_qualifier"),
                Class::Storage if self.is("static") => self.take(),
                _ => break,
            }
        }
        if self.is("*") && self.token(1).kind == "]" {
            self.take();
            self.builder.field("size");
        } else if !self.is("]") {
            self.assignment()?;
            self.builder.field("size");
        }
        self.expect("]")
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
        self.builder.field("parameters");
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
                this.builder.field("declarator");
            }
            this.finish(mark, "type_descriptor");
            Ok(())
        })
    }
}

/// A declarator's kind, which tells whether it has a name.
fn kind(declared: &Declared<'_>, named: &'static str, nameless: &'static str) -> &'static str {
    match declared.name {
        Some(_) => named,
        None => nameless,
    }
}
