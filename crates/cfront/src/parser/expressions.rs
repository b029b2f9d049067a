//! Expressions by precedence: commas, assignments, conditions, operators with two operands and with one.
use super::lexer::{Class, Token};
use super::{Mark, Parser, Step, Unexpected};

/// What can stand on the left of an assignment.
const ASSIGNABLE: [&str; 6] = [
    "identifier",
    "call_expression",
    "field_expression",
    "pointer_expression",
    "subscript_expression",
    "parenthesized_expression",
];

impl Parser<'_> {
    /// Expressions with commas between them.
    pub(super) fn expression(&mut self) -> Step {
        let mut marks = vec![self.builder.mark()];
        self.assignment()?;
        while self.is(",") {
            self.take();
            marks.push(self.builder.mark());
            self.assignment()?;
        }
        marks.pop();
        for mark in marks.into_iter().rev() {
            self.builder.field_at(mark, "left");
            self.builder.field("right");
            self.finish(mark, "comma_expression");
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
            "=" | "*=" | "/=" | "%=" | "+=" | "-=" | "<<=" | ">>=" | "&=" | "^=" | "|="
        );
        if is_assignment && ASSIGNABLE.contains(&self.builder.last_kind()) {
            self.builder.field("left");
            self.take();
            self.builder.field("operator");
            self.assignment()?;
            self.builder.field("right");
            self.finish(mark, "assignment_expression");
        }
        Ok(())
    }

    fn conditional(&mut self) -> Step {
        let mark = self.builder.mark();
        self.binary(1)?;
        if self.is("?") {
            self.builder.field("condition");
            self.take();
            if !self.is(":") {
                self.expression()?;
                self.builder.field("consequence");
            }
            self.expect(":")?;
            self.assignment()?;
            self.builder.field("alternative");
            self.finish(mark, "conditional_expression");
        }
        Ok(())
    }

    /// How strongly the next token binds as an operator with two operands; 0 if it is none.
    fn precedence(&self) -> u8 {
        match self.kind() {
            "||" => 1,
            "&&" => 2,
            "|" => 3,
            "^" => 4,
            "&" => 5,
            "==" | "!=" => 6,
            "<" | ">" | "<=" | ">=" => 7,
            "<<" | ">>" => 8,
            "+" | "-" => 9,
            "*" | "/" | "%" => 10,
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
            self.builder.field("left");
            self.take();
            self.builder.field("operator");
            self.binary(precedence + 1)?;
            self.builder.field("right");
            self.finish(mark, "binary_expression");
        }
    }

    /// An operand with the operators in front of it.
    pub(super) fn unary(&mut self) -> Step {
        let mark = self.builder.mark();
        match (self.kind(), self.class()) {
            ("+" | "-", _) if self.is_signed_number() => {
                self.take_signed_number();
                self.postfix(mark)
            }
            ("+" | "-" | "!" | "~", _) => self.prefix("unary_expression"),
            ("__real__" | "__real" | "__imag__" | "__imag", _) => self.prefix("unary_expression"),
            ("*" | "&", _) => self.prefix("pointer_expression"),
            ("++" | "--", _) => self.prefix("update_expression"),
            ("sizeof", _) => self.size_of(),
            ("__extension__", _) => {
                self.take();
                self.nested(Self::unary)?;
                self.finish(mark, "extension_expression");
                Ok(())
            }
            (_, Class::AlignOf) => {
                self.take();
                self.type_in_parentheses()?;
                self.finish(mark, "alignof_expression");
                Ok(())
            }
            ("(", _) if self.begins_type(1) => self.cast(),
            _ => self.primary(),
        }
    }

    fn prefix(&mut self, kind: &'static str) -> Step {
        let mark = self.builder.mark();
        self.take();
        self.builder.field("operator");
        self.nested(Self::unary)?;
        self.builder.field("argument");
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
        self.expect("(")?;
        self.type_descriptor()?;
        self.builder.field("type");
        self.expect(")")
    }

    fn size_of(&mut self) -> Step {
        let mark = self.builder.mark();
        self.take();
        let operand = self.builder.mark();
        if self.is("(") && self.begins_type(1) {
            self.type_in_parentheses()?;
            if self.is("{") {
                self.compound_literal(operand)?;
                self.builder.field("value");
            }
        } else {
            self.nested(Self::unary)?;
            self.builder.field("value");
        }
        self.finish(mark, "sizeof_expression");
        Ok(())
    }

    /// `(type) value` or `(type) { … }`.
    fn cast(&mut self) -> Step {
        let mark = self.builder.mark();
        self.type_in_parentheses()?;
        if self.is("{") {
            return self.compound_literal(mark);
        }
        self.nested(Self::unary)?;
        self.builder.field("value");
        self.finish(mark, "cast_expression");
        Ok(())
    }

    /// What follows the type of a compound literal.
    fn compound_literal(&mut self, mark: Mark) -> Step {
        self.initializer_list()?;
        self.builder.field("value");
        self.finish(mark, "compound_literal_expression");
        self.postfix(mark)
    }

    /// Subscripts, arguments, members and operators after an operand.
    pub(super) fn postfix(&mut self, mark: Mark) -> Step {
        loop {
            match self.kind() {
                "[" => {
                    self.builder.field("argument");
                    self.take();
                    self.assignment()?;
                    self.builder.field("index");
                    self.expect("]")?;
                    self.finish(mark, "subscript_expression");
                }
                "(" => {
                    self.builder.field("function");
                    self.arguments()?;
                    self.builder.field("arguments");
                    self.finish(mark, "call_expression");
                }
                "." | "->" => {
                    self.builder.field("argument");
                    self.take();
                    self.builder.field("operator");
                    self.expect_name("field_identifier")?;
                    self.builder.field("field");
                    self.finish(mark, "field_expression");
                }
                "++" | "--" => {
                    self.builder.field("argument");
                    self.take();
                    self.builder.field("operator");
                    self.finish(mark, "update_expression");
                }
                _ => return Ok(()),
            }
        }
    }

    /// The arguments of a call; some built-in functions take types.
    pub(super) fn arguments(&mut self) -> Step {
        let mark = self.builder.mark();
        self.expect("(")?;
        while !self.is(")") {
            match self.begins_type(0) && self.token(1).kind != "(" {
                true => self.type_descriptor()?,
                false => self.assignment()?,
            }
            match self.kind() {
                "," if self.token(1).kind != ")" => self.take(),
                ")" => {}
                _ => return Err(Unexpected { expected: ")" }),
            }
        }
        self.take();
        self.finish(mark, "argument_list");
        Ok(())
    }
}
