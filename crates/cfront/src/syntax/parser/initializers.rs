//! Lists of values.
use super::token_class::Class;
use super::{Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

impl Parser<'_> {
    /// A value of a variable, or a list of values.
    pub(super) fn initializer(&mut self) -> Step {
        match self.is(token!("{")) {
            true => self.initializer_list(),
            false => self.assignment(),
        }
    }

    /// Values in braces.
    pub(super) fn initializer_list(&mut self) -> Step {
        self.nested(|this| {
            let mark = this.builder.mark();
            this.expect(token!("{"))?;
            while !this.is(token!("}")) {
                this.initializer_item()?;
                match this.kind() {
                    token!(",") => this.take(),
                    token!("}") => {}
                    _ => return Err(Unexpected { expected: "}" }),
                }
            }
            this.take();
            this.finish(mark, Kind::InitializerList);
            Ok(())
        })
    }

    fn initializer_item(&mut self) -> Step {
        let mark = self.builder.mark();
        if self.is_class(Class::Identifier) && self.token(1).kind == token!(":") {
            self.take_as(Kind::FieldIdentifier);
            self.builder.field(Field::Designator);
            self.take();
        } else if matches!(self.kind(), token!(".") | token!("[")) {
            while matches!(self.kind(), token!(".") | token!("[")) {
                self.designator()?;
                self.builder.field(Field::Designator);
            }
            self.expect(token!("="))?;
        } else {
            return self.initializer();
        }
        self.initializer()?;
        self.builder.field(Field::Value);
        self.finish(mark, Kind::InitializerPair);
        Ok(())
    }

    /// `.member`, `[index]` or `[first ... last]`.
    fn designator(&mut self) -> Step {
        let mark = self.builder.mark();
        if self.is(token!(".")) {
            self.take();
            self.expect_name(Kind::FieldIdentifier)?;
            self.finish(mark, Kind::FieldDesignator);
            return Ok(());
        }
        self.expect(token!("["))?;
        let start = self.builder.mark();
        self.assignment()?;
        let is_range = self.is(token!("..."));
        if is_range {
            self.builder.field_at(start, Field::Start);
            self.take();
            self.assignment()?;
            self.builder.field(Field::End);
        }
        self.expect(token!("]"))?;
        self.finish(
            mark,
            if is_range { Kind::SubscriptRangeDesignator } else { Kind::SubscriptDesignator },
        );
        Ok(())
    }
}
