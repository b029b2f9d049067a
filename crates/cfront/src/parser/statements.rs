//! Statements.
use super::lexer::Class;
use super::{Parser, Step};

impl Parser<'_> {
    /// A declaration, function or statement.
    pub(super) fn item(&mut self) -> Step {
        self.nested(|this| {
            let is_label = this.is_class(Class::Identifier) && this.token(1).kind == ":";
            let is_declaration = !is_label && (this.begins_declaration() || this.begins_function());
            match is_declaration {
                true => this.declaration(),
                false => this.statement_here(true),
            }
        })
    }

    /// Whether a function without a type for its results is defined next, outside of others.
    fn begins_function(&self) -> bool {
        let is_outside = self.depth <= 1;
        if !is_outside || self.class() != Class::Identifier || self.token(1).kind != "(" {
            return false;
        }
        let mut depth = 0usize;
        let close = (1..64).find(|offset| {
            match self.token(*offset).kind {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        close.is_some_and(|close| {
            let next = self.token(close + 1);
            next.kind == "{" || next.is_word() && self.begins_declaration_at(close + 1)
        })
    }

    /// A statement as part of another one.
    fn statement(&mut self) -> Step {
        self.nested(|this| this.statement_here(false))
    }

    /// A statement; the labels of a `switch` directly in its block take the statements up to the next.
    fn statement_here(&mut self, is_in_block: bool) -> Step {
        let mark = self.builder.mark();
        let kind = match self.kind() {
            "{" => return self.compound(),
            "if" => return self.if_statement(),
            "for" => return self.for_statement(),
            "do" => return self.do_statement(),
            "case" | "default" => return self.case(is_in_block),
            "while" => {
                self.with_condition("body")?;
                "while_statement"
            }
            "switch" => {
                self.with_condition("body")?;
                "switch_statement"
            }
            "return" => {
                self.take();
                if !self.is(";") {
                    self.expression()?;
                }
                self.expect_semicolon()?;
                "return_statement"
            }
            "break" => self.jump("break_statement")?,
            "continue" => self.jump("continue_statement")?,
            "goto" => {
                self.take();
                self.expect_name("statement_identifier")?;
                self.builder.field("label");
                self.expect_semicolon()?;
                "goto_statement"
            }
            "identifier" if self.token(1).kind == ":" => return self.labeled(),
            "[" if self.is_attribute_declaration() => {
                self.attribute_declarations()?;
                self.statement()?;
                "attributed_statement"
            }
            _ => return self.expression_statement(),
        };
        self.finish(mark, kind);
        Ok(())
    }

    /// A keyword as a statement of a kind.
    fn jump(&mut self, kind: &'static str) -> Step<&'static str> {
        self.take();
        self.expect_semicolon()?;
        Ok(kind)
    }

    /// An expression as a statement, or none.
    fn expression_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        if !self.is(";") {
            self.expression()?;
        }
        self.expect_semicolon()?;
        self.finish(mark, "expression_statement");
        Ok(())
    }

    /// Statements and declarations in braces.
    pub(super) fn compound(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect("{")?;
        let scope = self.names.open();
        while !self.is("}") && !self.is_class(Class::End) {
            self.recovering(Self::item);
        }
        self.names.close(scope);
        match self.is("}") {
            true => self.take(),
            false => {
                let at = self.token(0).start;
                self.expectations.push((at, "}"));
                self.builder.missing("}", at);
            }
        }
        self.finish(mark, "compound_statement");
        Ok(())
    }

    /// A keyword, a condition in parentheses and a body.
    fn with_condition(&mut self, body: &'static str) -> Step {
        self.take();
        self.parenthesized()?;
        self.builder.field("condition");
        self.statement()?;
        self.builder.field(body);
        Ok(())
    }

    fn if_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.with_condition("consequence")?;
        if self.is("else") {
            let clause = self.builder.mark();
            self.take();
            self.statement()?;
            self.finish(clause, "else_clause");
            self.builder.field("alternative");
        }
        self.finish(mark, "if_statement");
        Ok(())
    }

    fn do_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.statement()?;
        self.builder.field("body");
        self.expect("while")?;
        self.parenthesized()?;
        self.builder.field("condition");
        self.expect_semicolon()?;
        self.finish(mark, "do_statement");
        Ok(())
    }

    fn for_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect("(")?;
        let scope = self.names.open();
        if self.begins_declaration() {
            self.declaration()?;
            self.builder.field("initializer");
        } else {
            if !self.is(";") {
                self.expression()?;
                self.builder.field("initializer");
            }
            self.expect(";")?;
        }
        if !self.is(";") {
            self.expression()?;
            self.builder.field("condition");
        }
        self.expect(";")?;
        if !self.is(")") {
            self.expression()?;
            self.builder.field("update");
        }
        self.expect(")")?;
        self.statement()?;
        self.builder.field("body");
        self.names.close(scope);
        self.finish(mark, "for_statement");
        Ok(())
    }

    fn case(&mut self, is_in_block: bool) -> Step {
        let mark = self.builder.mark();
        if self.is("case") {
            self.take();
            self.case_values()?;
        } else {
            self.take();
        }
        self.expect(":")?;
        if !is_in_block {
            self.statement()?;
        }
        while is_in_block && !matches!(self.kind(), "}" | "case" | "default" | "end") {
            self.recovering(Self::item);
        }
        self.finish(mark, "case_statement");
        Ok(())
    }

    /// The value of a `case`, or the first and the last of several (an extension of GNU C).
    fn case_values(&mut self) -> Step {
        let mark = self.builder.mark();
        self.assignment()?;
        if self.is("...") {
            self.take();
            self.assignment()?;
            self.finish(mark, "range_expression");
        }
        self.builder.field("value");
        Ok(())
    }

    fn labeled(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take_as("statement_identifier");
        self.builder.field("label");
        self.take();
        match self.begins_declaration() {
            true => self.nested(Self::declaration)?,
            false => self.statement()?,
        }
        self.finish(mark, "labeled_statement");
        Ok(())
    }
}
