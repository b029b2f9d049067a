//! Statements.
use super::token_class::Class;
use super::{Parser, Step};
use crate::syntax::kind::{Field, Kind};

impl Parser<'_> {
    /// A declaration, function or statement.
    pub(super) fn item(&mut self) -> Step {
        self.nested(|this| {
            let is_label = this.is_class(Class::Identifier) && this.token(1).kind == token!(":");
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
        if !is_outside || self.class() != Class::Identifier || self.token(1).kind != token!("(") {
            return false;
        }
        let mut depth = 0usize;
        let close = (1..64).find(|offset| {
            match self.token(*offset).kind {
                token!("(") => depth += 1,
                token!(")") => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        close.is_some_and(|close| {
            let next = self.token(close + 1);
            next.kind == token!("{") || next.is_word() && self.begins_declaration_at(close + 1)
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
            token!("{") => return self.compound(),
            token!("if") => return self.if_statement(),
            token!("for") => return self.for_statement(),
            token!("do") => return self.do_statement(),
            token!("case") | token!("default") => return self.case(is_in_block),
            token!("while") => {
                self.with_condition(Field::Body)?;
                Kind::WhileStatement
            }
            token!("switch") => {
                self.with_condition(Field::Body)?;
                Kind::SwitchStatement
            }
            token!("return") => {
                self.take();
                if !self.is(token!(";")) {
                    self.expression()?;
                }
                self.expect_semicolon()?;
                Kind::ReturnStatement
            }
            token!("break") => self.jump(Kind::BreakStatement)?,
            token!("continue") => self.jump(Kind::ContinueStatement)?,
            token!("goto") => {
                self.take();
                self.expect_name(Kind::StatementIdentifier)?;
                self.builder.field(Field::Label);
                self.expect_semicolon()?;
                Kind::GotoStatement
            }
            Kind::Identifier if self.token(1).kind == token!(":") => return self.labeled(),
            token!("[") if self.is_attribute_declaration() => {
                self.attribute_declarations()?;
                self.statement()?;
                Kind::AttributedStatement
            }
            _ => return self.expression_statement(),
        };
        self.finish(mark, kind);
        Ok(())
    }

    /// A keyword as a statement of a kind.
    fn jump(&mut self, kind: Kind) -> Step<Kind> {
        self.take();
        self.expect_semicolon()?;
        Ok(kind)
    }

    /// An expression as a statement, or none.
    fn expression_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        if !self.is(token!(";")) {
            self.expression()?;
        }
        self.expect_semicolon()?;
        self.finish(mark, Kind::ExpressionStatement);
        Ok(())
    }

    /// Statements and declarations in braces.
    pub(super) fn compound(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect(token!("{"))?;
        let scope = self.names.open();
        while !self.is(token!("}")) && !self.is_class(Class::End) {
            self.recovering(Self::item);
        }
        self.names.close(scope);
        match self.is(token!("}")) {
            true => self.take(),
            false => {
                let at = self.token(0).start;
                self.expectations.push((at, "}"));
                self.builder.missing(token!("}"), at);
            }
        }
        self.finish(mark, Kind::CompoundStatement);
        Ok(())
    }

    /// A keyword, a condition in parentheses and a body.
    fn with_condition(&mut self, body: Field) -> Step {
        self.take();
        self.parenthesized()?;
        self.builder.field(Field::Condition);
        self.statement()?;
        self.builder.field(body);
        Ok(())
    }

    fn if_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.with_condition(Field::Consequence)?;
        if self.is(token!("else")) {
            let clause = self.builder.mark();
            self.take();
            self.statement()?;
            self.finish(clause, Kind::ElseClause);
            self.builder.field(Field::Alternative);
        }
        self.finish(mark, Kind::IfStatement);
        Ok(())
    }

    fn do_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.statement()?;
        self.builder.field(Field::Body);
        self.expect(token!("while"))?;
        self.parenthesized()?;
        self.builder.field(Field::Condition);
        self.expect_semicolon()?;
        self.finish(mark, Kind::DoStatement);
        Ok(())
    }

    fn for_statement(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.expect(token!("("))?;
        let scope = self.names.open();
        if self.begins_declaration() {
            self.declaration()?;
            self.builder.field(Field::Initializer);
        } else {
            if !self.is(token!(";")) {
                self.expression()?;
                self.builder.field(Field::Initializer);
            }
            self.expect(token!(";"))?;
        }
        if !self.is(token!(";")) {
            self.expression()?;
            self.builder.field(Field::Condition);
        }
        self.expect(token!(";"))?;
        if !self.is(token!(")")) {
            self.expression()?;
            self.builder.field(Field::Update);
        }
        self.expect(token!(")"))?;
        self.statement()?;
        self.builder.field(Field::Body);
        self.names.close(scope);
        self.finish(mark, Kind::ForStatement);
        Ok(())
    }

    fn case(&mut self, is_in_block: bool) -> Step {
        let mark = self.builder.mark();
        if self.is(token!("case")) {
            self.take();
            self.case_values()?;
        } else {
            self.take();
        }
        self.expect(token!(":"))?;
        if !is_in_block {
            self.statement()?;
        }
        while is_in_block
            && !matches!(self.kind(), token!("}") | token!("case") | token!("default") | Kind::End)
        {
            self.recovering(Self::item);
        }
        self.finish(mark, Kind::CaseStatement);
        Ok(())
    }

    /// The value of a `case`, or the first and the last of several (an extension of GNU C).
    fn case_values(&mut self) -> Step {
        let mark = self.builder.mark();
        self.assignment()?;
        if self.is(token!("...")) {
            self.take();
            self.assignment()?;
            self.finish(mark, Kind::RangeExpression);
        }
        self.builder.field(Field::Value);
        Ok(())
    }

    fn labeled(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take_as(Kind::StatementIdentifier);
        self.builder.field(Field::Label);
        self.take();
        match self.begins_declaration() {
            true => self.nested(Self::declaration)?,
            false => self.statement()?,
        }
        self.finish(mark, Kind::LabeledStatement);
        Ok(())
    }
}
