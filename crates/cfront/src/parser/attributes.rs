//! Attributes, assembly code and alignment.
use super::lexer::Class;
use super::{Parser, Step, Unexpected};

impl Parser<'_> {
    /// `__attribute__((…))`, any number of them.
    pub(super) fn attribute_specifiers(&mut self) -> Step {
        while self.is_class(Class::Attribute) {
            let mark = self.builder.mark();
            self.take();
            self.expect("(")?;
            self.attribute_list()?;
            self.expect(")")?;
            self.finish(mark, "attribute_specifier");
        }
        Ok(())
    }

    fn attribute_list(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect("(")?;
        while !self.is(")") {
            if self.is(",") {
                self.take();
                continue;
            }
            let attribute = self.builder.mark();
            if !self.token(0).is_word() {
                return Err(Unexpected { expected: "an attribute" });
            }
            self.take_as("identifier");
            self.attribute_arguments(attribute)?;
            if !matches!(self.kind(), "," | ")") {
                return Err(Unexpected { expected: "," });
            }
        }
        self.expect(")")?;
        self.finish(mark, "argument_list");
        Ok(())
    }

    fn attribute_arguments(&mut self, attribute: super::Mark) -> Step {
        if self.is("(") {
            self.builder.field("function");
            self.arguments()?;
            self.builder.field("arguments");
            self.finish(attribute, "call_expression");
        }
        Ok(())
    }

    /// Whether `[[` is next.
    pub(super) fn is_attribute_declaration(&self) -> bool {
        let (first, second) = (self.token(0), self.token(1));
        first.kind == "[" && second.kind == "[" && first.end == second.start
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
                self.take_as("identifier");
                if self.is(":") && self.token(1).kind == ":" {
                    self.builder.field("prefix");
                    self.take();
                    self.take();
                    self.take_as("identifier");
                }
                self.builder.field("name");
                if self.is("(") {
                    self.arguments()?;
                }
                self.finish(attribute, "attribute");
                if !self.is(",") {
                    break;
                }
                self.take();
            }
            self.expect("]")?;
            self.expect("]")?;
            self.finish(mark, "attribute_declaration");
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
        self.expect("(")?;
        let mut depth = 1;
        while depth > 0 {
            match self.kind() {
                "(" => depth += 1,
                ")" => depth -= 1,
                ";" | "{" | "}" | "end" => return Err(Unexpected { expected: ")" }),
                _ => {}
            }
            self.take();
        }
        self.finish(mark, "gnu_asm_expression");
        Ok(())
    }

    /// `_Alignas(…)`.
    pub(super) fn alignment(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect("(")?;
        match self.begins_type(0) {
            true => self.type_descriptor()?,
            false => self.assignment()?,
        }
        self.expect(")")?;
        self.finish(mark, "alignas_qualifier");
        self.finish(mark, "type_qualifier");
        Ok(())
    }
}
