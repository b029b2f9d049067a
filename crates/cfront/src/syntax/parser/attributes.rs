//! Attributes, assembly code and alignment.
use super::token_class::Class;
use super::{Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

impl Parser<'_> {
    /// `__attribute__((…))`, any number of them.
    pub(super) fn attribute_specifiers(&mut self) -> Step {
        while self.is_class(Class::Attribute) {
            let mark = self.builder.mark();
            self.take();
            self.expect(token!("("))?;
            self.attribute_list()?;
            self.expect(token!(")"))?;
            self.finish(mark, Kind::AttributeSpecifier);
        }
        Ok(())
    }

    fn attribute_list(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect(token!("("))?;
        while !self.is(token!(")")) {
            if self.is(token!(",")) {
                self.take();
                continue;
            }
            let attribute = self.builder.mark();
            if !self.token(0).is_word() {
                return Err(Unexpected { expected: "an attribute" });
            }
            self.take_as(Kind::Identifier);
            self.attribute_arguments(attribute)?;
            if !matches!(self.kind(), token!(",") | token!(")")) {
                return Err(Unexpected { expected: "," });
            }
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::ArgumentList);
        Ok(())
    }

    fn attribute_arguments(&mut self, attribute: super::Mark) -> Step {
        if self.is(token!("(")) {
            self.builder.field(Field::Function);
            self.arguments()?;
            self.builder.field(Field::Arguments);
            self.finish(attribute, Kind::CallExpression);
        }
        Ok(())
    }

    /// Whether `[[` is next.
    pub(super) fn is_attribute_declaration(&self) -> bool {
        let (first, second) = (self.token(0), self.token(1));
        first.kind == token!("[") && second.kind == token!("[") && first.end == second.start
    }

    /// `[[…]]`, any number of them.
    pub(super) fn attribute_declarations(&mut self) -> Step {
        while self.is_attribute_declaration() {
            let mark = self.builder.mark();
            self.take();
            self.take();
            loop {
                let attribute = self.builder.mark();
                if !self.token(0).is_word() {
                    return Err(Unexpected { expected: "an attribute" });
                }
                self.take_as(Kind::Identifier);
                if self.is(token!(":")) && self.token(1).kind == token!(":") {
                    self.builder.field(Field::Prefix);
                    self.take();
                    self.take();
                    self.take_as(Kind::Identifier);
                }
                self.builder.field(Field::Name);
                if self.is(token!("(")) {
                    self.arguments()?;
                }
                self.finish(attribute, Kind::Attribute);
                if !self.is(token!(",")) {
                    break;
                }
                self.take();
            }
            self.expect(token!("]"))?;
            self.expect(token!("]"))?;
            self.finish(mark, Kind::AttributeDeclaration);
        }
        Ok(())
    }

    /// Assembly code, of which only the words are kept.
    pub(super) fn assembly(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        while self.token(0).is_word() {
            self.take();
        }
        self.expect(token!("("))?;
        let mut depth = 1;
        while depth > 0 {
            match self.kind() {
                token!("(") => depth += 1,
                token!(")") => depth -= 1,
                token!(";") | token!("{") | token!("}") | Kind::End => {
                    return Err(Unexpected { expected: ")" });
                }
                _ => {}
            }
            self.take();
        }
        self.finish(mark, Kind::GnuAsmExpression);
        Ok(())
    }

    /// `_Alignas(…)`.
    pub(super) fn alignment(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect(token!("("))?;
        match self.begins_type(0) {
            true => self.type_descriptor()?,
            false => self.assignment()?,
        }
        self.expect(token!(")"))?;
        self.finish(mark, Kind::AlignasQualifier);
        self.finish(mark, Kind::TypeQualifier);
        Ok(())
    }
}
