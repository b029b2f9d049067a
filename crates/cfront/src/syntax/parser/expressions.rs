//! Expressions by precedence: commas, assignments, conditions, operators with two operands and with one.
use super::lexer::Token;
use super::token_class::Class;
use super::{Mark, Parser, Step, Unexpected};
use crate::syntax::kind::{Field, Kind};

/// What can stand on the left of an assignment.
const ASSIGNABLE: [Kind; 6] = [
    Kind::Identifier,
    Kind::CallExpression,
    Kind::FieldExpression,
    Kind::PointerExpression,
    Kind::SubscriptExpression,
    Kind::ParenthesizedExpression,
];

impl Parser<'_> {
    /// Expressions with commas between them.
    pub(super) fn expression(&mut self) -> Step {
        let mut marks = vec![self.builder.mark()];
        self.assignment()?;
        while self.is(token!(",")) {
            self.take();
            marks.push(self.builder.mark());
            self.assignment()?;
        }
        marks.pop();
        for mark in marks.into_iter().rev() {
            self.builder.field_at(mark, Field::Left);
            self.builder.field(Field::Right);
            self.finish(mark, Kind::CommaExpression);
        }
        Ok(())
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Step {
        self.nested(Self::assignment_here)
    }

    fn assignment_here(&mut self) -> Step {
        let mark = self.builder.mark();
        self.conditional()?;
        let is_assignment = matches!(
            self.kind(),
            token!("=")
                | token!("*=")
                | token!("/=")
                | token!("%=")
                | token!("+=")
                | token!("-=")
                | token!("<<=")
                | token!(">>=")
                | token!("&=")
                | token!("^=")
                | token!("|=")
        );
        if is_assignment && self.builder.last_kind().is_some_and(|kind| ASSIGNABLE.contains(&kind))
        {
            self.builder.field(Field::Left);
            self.take();
            self.builder.field(Field::Operator);
            self.assignment()?;
            self.builder.field(Field::Right);
            self.finish(mark, Kind::AssignmentExpression);
        }
        Ok(())
    }

    fn conditional(&mut self) -> Step {
        let mark = self.builder.mark();
        self.binary(1)?;
        if self.is(token!("?")) {
            self.builder.field(Field::Condition);
            self.take();
            if !self.is(token!(":")) {
                self.expression()?;
                self.builder.field(Field::Consequence);
            }
            self.expect(token!(":"))?;
            self.assignment()?;
            self.builder.field(Field::Alternative);
            self.finish(mark, Kind::ConditionalExpression);
        }
        Ok(())
    }

    /// How strongly the next token binds as an operator with two operands; 0 if it is none.
    fn precedence(&self) -> u8 {
        match self.kind() {
            token!("||") => 1,
            token!("&&") => 2,
            token!("|") => 3,
            token!("^") => 4,
            token!("&") => 5,
            token!("==") | token!("!=") => 6,
            token!("<") | token!(">") | token!("<=") | token!(">=") => 7,
            token!("<<") | token!(">>") => 8,
            token!("+") | token!("-") => 9,
            token!("*") | token!("/") | token!("%") => 10,
            _ => 0,
        }
    }

    /// Operators that bind at least so strongly, with their operands.
    fn binary(&mut self, least: u8) -> Step {
        let mark = self.builder.mark();
        self.unary()?;
        loop {
            let precedence = self.precedence();
            if precedence < least {
                return Ok(());
            }
            self.builder.field(Field::Left);
            self.take();
            self.builder.field(Field::Operator);
            self.binary(precedence + 1)?;
            self.builder.field(Field::Right);
            self.finish(mark, Kind::BinaryExpression);
        }
    }

    /// An operand with the operators in front of it.
    pub(super) fn unary(&mut self) -> Step {
        let mark = self.builder.mark();
        match (self.kind(), self.class()) {
            (token!("+") | token!("-"), _) if self.is_signed_number() => {
                self.take_signed_number();
                self.postfix(mark)
            }
            (token!("+") | token!("-") | token!("!") | token!("~"), _) => {
                self.prefix(Kind::UnaryExpression)
            }
            (token!("__real__") | token!("__real") | token!("__imag__") | token!("__imag"), _) => {
                self.prefix(Kind::UnaryExpression)
            }
            (token!("*") | token!("&"), _) => self.prefix(Kind::PointerExpression),
            (token!("++") | token!("--"), _) => self.prefix(Kind::UpdateExpression),
            (token!("sizeof"), _) => self.size_of(),
            (token!("__extension__"), _) => {
                self.take();
                self.nested(Self::unary)?;
                self.finish(mark, Kind::ExtensionExpression);
                Ok(())
            }
            (_, Class::AlignOf) => {
                self.take();
                self.type_in_parentheses()?;
                self.finish(mark, Kind::AlignofExpression);
                Ok(())
            }
            (token!("("), _) if self.begins_type(1) => self.cast(),
            _ => self.primary(),
        }
    }

    fn prefix(&mut self, kind: Kind) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.builder.field(Field::Operator);
        self.nested(Self::unary)?;
        self.builder.field(Field::Argument);
        self.finish(mark, kind);
        Ok(())
    }

    /// Whether a sign stands directly in front of a number.
    fn is_signed_number(&self) -> bool {
        self.token(1).class == Class::Number && self.token(0).end == self.token(1).start
    }

    /// A sign and a number as one literal.
    fn take_signed_number(&mut self) {
        let (sign, number) = (self.token(0), self.token(1));
        self.builder.leaf(number.kind, Token { start: sign.start, ..number });
        self.at += 2;
    }

    fn type_in_parentheses(&mut self) -> Step {
        self.expect(token!("("))?;
        self.type_descriptor()?;
        self.builder.field(Field::Type);
        self.expect(token!(")"))
    }

    fn size_of(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        let operand = self.builder.mark();
        if self.is(token!("(")) && self.begins_type(1) {
            self.type_in_parentheses()?;
            if self.is(token!("{")) {
                self.compound_literal(operand)?;
                self.builder.field(Field::Value);
            }
        } else {
            self.nested(Self::unary)?;
            self.builder.field(Field::Value);
        }
        self.finish(mark, Kind::SizeofExpression);
        Ok(())
    }

    /// `(type) value` or `(type) { … }`.
    fn cast(&mut self) -> Step {
        let mark = self.builder.mark();
        self.type_in_parentheses()?;
        if self.is(token!("{")) {
            return self.compound_literal(mark);
        }
        self.nested(Self::unary)?;
        self.builder.field(Field::Value);
        self.finish(mark, Kind::CastExpression);
        Ok(())
    }

    /// What follows the type of a compound literal.
    fn compound_literal(&mut self, mark: Mark) -> Step {
        self.initializer_list()?;
        self.builder.field(Field::Value);
        self.finish(mark, Kind::CompoundLiteralExpression);
        self.postfix(mark)
    }

    /// Subscripts, arguments, members and operators after an operand.
    pub(super) fn postfix(&mut self, mark: Mark) -> Step {
        loop {
            match self.kind() {
                token!("[") => {
                    self.builder.field(Field::Argument);
                    self.take();
                    self.assignment()?;
                    self.builder.field(Field::Index);
                    self.expect(token!("]"))?;
                    self.finish(mark, Kind::SubscriptExpression);
                }
                token!("(") => {
                    self.builder.field(Field::Function);
                    self.arguments()?;
                    self.builder.field(Field::Arguments);
                    self.finish(mark, Kind::CallExpression);
                }
                token!(".") | token!("->") => {
                    self.builder.field(Field::Argument);
                    self.take();
                    self.builder.field(Field::Operator);
                    self.expect_name(Kind::FieldIdentifier)?;
                    self.builder.field(Field::MemberName);
                    self.finish(mark, Kind::FieldExpression);
                }
                token!("++") | token!("--") => {
                    self.builder.field(Field::Argument);
                    self.take();
                    self.builder.field(Field::Operator);
                    self.finish(mark, Kind::UpdateExpression);
                }
                _ => return Ok(()),
            }
        }
    }

    /// The arguments of a call; some built-in functions take types.
    pub(super) fn arguments(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect(token!("("))?;
        while !self.is(token!(")")) {
            match self.begins_type(0) && self.token(1).kind != token!("(") {
                true => self.type_descriptor()?,
                false => self.assignment()?,
            }
            match self.kind() {
                token!(",") if self.token(1).kind != token!(")") => self.take(),
                token!(")") => {}
                _ => return Err(Unexpected { expected: ")" }),
            }
        }
        self.take();
        self.finish(mark, Kind::ArgumentList);
        Ok(())
    }
}
