//! Lists of values.
use super::lexer::Class;
use super::{Parser, Step, Unexpected};

impl Parser<'_> {
    /// A value of a variable, or a list of values.
    pub(super) fn initializer(&mut self) -> Step {
        match self.is("{") {
            true => self.initializer_list(),
            false => self.assignment(),
        }
    }

    /// Values in braces.
    pub(super) fn initializer_list(&mut self) -> Step {
        self.nested(|this| {
            let mark = this.builder.mark();
            this.expect("{")?;
            while !this.is("}") {
                this.initializer_item()?;
                match this.kind() {
                    "," => this.take(),
                    "}" => {}
                    _ => return Err(Unexpected { expected: "}" }),
                }
            }
            this.take();
            this.finish(mark, "initializer_list");
            Ok(())
        })
    }

    fn initializer_item(&mut self) -> Step {
        let mark = self.builder.mark();
        if self.is_class(Class::Identifier) && self.token(1).kind == ":" {
            self.take_as("field_identifier");
            self.builder.field("designator");
            self.take();
        } else if matches!(self.kind(), "." | "[") {
            while matches!(self.kind(), "." | "[") {
                self.designator()?;
                self.builder.field("designator");
            }
            self.expect("=")?;
        } else {
            return self.initializer();
        }
        self.initializer()?;
        self.builder.field("value");
        self.finish(mark, "initializer_pair");
        Ok(())
    }

    /// `.member`, `[index]` or `[first ... last]`.
    fn designator(&mut self) -> Step {
        let mark = self.builder.mark();
        if self.is(".") {
            self.take();
            self.expect_name("field_identifier")?;
            self.finish(mark, "field_designator");
            return Ok(());
        }
        self.expect("[")?;
        let start = self.builder.mark();
        self.assignment()?;
        let is_range = self.is("...");
        if is_range {
            self.builder.field_at(start, "start");
            self.take();
            self.assignment()?;
            self.builder.field("end");
        }
        self.expect("]")?;
        self.finish(
            mark,
            if is_range { "subscript_range_designator" } else { "subscript_designator" },
        );
        Ok(())
    }
}
