//! The tree as C text, in the layout of isl's printer.
//!
//! Parentheses are printed where C's precedence needs them, around a conjunction inside a
//! disjunction (compilers warn about its absence), and around every conditional expression.
//! `floord`, `min` and `max` are calls of functions or macros of two arguments, which whoever
//! compiles the text provides, or [`c_program`](crate::c_program).
use crate::ast::node::{AstNode, ForLoop};
use crate::expressions::expression::AstExpr;
use crate::print::options::{CText, PrintOptions, Printer};
use std::fmt::{self, Display, Formatter, Write};

/// C's binding strengths, the tighter the greater.
mod precedence {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const EQUALITY: u8 = 3;
    pub(super) const RELATION: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const UNARY: u8 = 7;
    pub(super) const PRIMARY: u8 = 8;
}
use precedence::*;

impl AstExpr {
    /// How tightly the outermost operator binds.
    fn precedence(&self) -> u8 {
        match self {
            AstExpr::Int(value) if value.is_negative() => UNARY,
            AstExpr::Neg(_) | AstExpr::AddressOf(_) => UNARY,
            AstExpr::Add(..) | AstExpr::Sub(..) => SUM,
            AstExpr::Mul(..)
            | AstExpr::DivExact(..)
            | AstExpr::DivNonneg(..)
            | AstExpr::RemNonneg(..)
            | AstExpr::RemZero(..) => PRODUCT,
            AstExpr::And(_) | AstExpr::AndThen(_) => AND,
            AstExpr::Or(_) | AstExpr::OrElse(_) => OR,
            AstExpr::Eq(..) => EQUALITY,
            AstExpr::Le(..) | AstExpr::Lt(..) | AstExpr::Ge(..) | AstExpr::Gt(..) => RELATION,
            _ => PRIMARY,
        }
    }

    /// Prints the expression, in parentheses if it binds less tightly than `least`.
    fn print_at(&self, f: &mut Formatter<'_>, least: u8) -> fmt::Result {
        if self.precedence() >= least {
            return self.print(f);
        }
        f.write_char('(')?;
        self.print(f)?;
        f.write_char(')')
    }

    fn print(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            AstExpr::Int(value) => write!(f, "{value}"),
            AstExpr::Id(name) => f.write_str(name),
            AstExpr::Neg(a) => {
                f.write_char('-')?;
                a.print_at(f, UNARY + 1)
            }
            AstExpr::Add(a, b) => binary(f, a, " + ", b, SUM),
            AstExpr::Sub(a, b) => binary(f, a, " - ", b, SUM),
            AstExpr::Mul(a, b) => binary(f, a, " * ", b, PRODUCT),
            AstExpr::DivExact(a, b) | AstExpr::DivNonneg(a, b) => binary(f, a, " / ", b, PRODUCT),
            AstExpr::RemNonneg(a, b) | AstExpr::RemZero(a, b) => binary(f, a, " % ", b, PRODUCT),
            AstExpr::DivFloor(a, b) => write!(f, "floord({a}, {b})"),
            AstExpr::Min(operands) => nested_calls(f, "min", operands),
            AstExpr::Max(operands) => nested_calls(f, "max", operands),
            AstExpr::Select(c, a, b) | AstExpr::Cond(c, a, b) => {
                write!(f, "({c} ? {a} : {b})")
            }
            AstExpr::And(operands) | AstExpr::AndThen(operands) => {
                separated(f, operands, " && ", EQUALITY)
            }
            AstExpr::Or(operands) | AstExpr::OrElse(operands) => {
                separated(f, operands, " || ", EQUALITY)
            }
            AstExpr::Eq(a, b) => binary(f, a, " == ", b, EQUALITY),
            AstExpr::Le(a, b) => binary(f, a, " <= ", b, RELATION),
            AstExpr::Lt(a, b) => binary(f, a, " < ", b, RELATION),
            AstExpr::Ge(a, b) => binary(f, a, " >= ", b, RELATION),
            AstExpr::Gt(a, b) => binary(f, a, " > ", b, RELATION),
            AstExpr::Call(name, arguments) => {
                write!(f, "{name}(")?;
                separated(f, arguments, ", ", 0)?;
                f.write_char(')')
            }
            AstExpr::Access(array, subscripts) => {
                array.print_at(f, PRIMARY)?;
                subscripts.iter().try_for_each(|subscript| write!(f, "[{subscript}]"))
            }
            AstExpr::Member(structure, member) => {
                structure.print_at(f, PRIMARY)?;
                write!(f, ".{member}")
            }
            AstExpr::AddressOf(element) => {
                f.write_char('&')?;
                element.print_at(f, UNARY + 1)
            }
        }
    }
}

/// Prints a left-associative binary operation.
fn binary(f: &mut Formatter<'_>, a: &AstExpr, op: &str, b: &AstExpr, level: u8) -> fmt::Result {
    a.print_at(f, level)?;
    f.write_str(op)?;
    b.print_at(f, level + 1)
}

/// Prints `name(name(a, b), c)`.
fn nested_calls(f: &mut Formatter<'_>, name: &str, operands: &[AstExpr]) -> fmt::Result {
    match operands {
        [] => Ok(()),
        [a] => a.print_at(f, 0),
        [head @ .., last] => {
            write!(f, "{name}(")?;
            nested_calls(f, name, head)?;
            write!(f, ", {last})")
        }
    }
}

/// Prints the operands with a separator between them.
fn separated(f: &mut Formatter<'_>, operands: &[AstExpr], text: &str, least: u8) -> fmt::Result {
    for (position, operand) in operands.iter().enumerate() {
        if position > 0 {
            f.write_str(text)?;
        }
        operand.print_at(f, least)?;
    }
    Ok(())
}

/// Prints the expression in C's syntax.
impl Display for AstExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.print(f)
    }
}

/// Prints the tree in C's syntax, two spaces per level of nesting.
impl Display for AstNode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        CText::new(self).fmt(f)
    }
}

impl Display for CText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Layout { options: self.options, printer: self.printer }.node(f, self.ast, 0)
    }
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "{:width$}", "", width = 2 * depth)
}

/// How nodes are laid out.
#[derive(Clone, Copy)]
struct Layout<'a> {
    options: &'a PrintOptions,
    printer: &'a dyn Printer,
}

impl Layout<'_> {
    fn node(self, f: &mut Formatter<'_>, node: &AstNode, depth: usize) -> fmt::Result {
        match node {
            AstNode::For(each) => self.for_loop(f, each, depth),
            AstNode::If { condition, then, otherwise } => {
                indent(f, depth)?;
                self.condition(f, condition, then, otherwise.as_deref(), depth)
            }
            AstNode::Block(children)
                if depth == 0
                    && children.len() != 1
                    && (self.options.print_outermost_block || children.is_empty()) =>
            {
                f.write_str("{\n")?;
                self.children(f, children, 1)?;
                f.write_str("}\n")
            }
            AstNode::Block(children) => self.children(f, children, depth),
            AstNode::Mark { name, child, .. } => {
                indent(f, depth)?;
                writeln!(f, "// {name}")?;
                self.node(f, child, depth)
            }
            AstNode::User { statement, arguments, place } => {
                indent(f, depth)?;
                if let Some(text) = self.printer.user(statement, arguments, place) {
                    return writeln!(f, "{text}");
                }
                let name = statement.output().and_then(|tuple| tuple.name());
                f.write_str(name.map_or("", |name| name))?;
                f.write_char('(')?;
                separated(f, arguments, ", ", 0)?;
                f.write_str(");\n")
            }
        }
    }

    fn children(self, f: &mut Formatter<'_>, children: &[AstNode], depth: usize) -> fmt::Result {
        children.iter().try_for_each(|child| self.node(f, child, depth))
    }

    fn for_loop(self, f: &mut Formatter<'_>, each: &ForLoop, depth: usize) -> fmt::Result {
        let ForLoop { iterator, condition, body, .. } = each;
        let init = each.first_multiple().unwrap_or_else(|| each.init.clone());
        let increment = match &each.multiples_of {
            Some(size) => size.to_string(),
            None => each.increment.to_string(),
        };
        let kind = &self.options.iterator_type;
        if let Some(line) = self.printer.before_for(each) {
            indent(f, depth)?;
            writeln!(f, "{line}")?;
        }
        indent(f, depth)?;
        if each.degenerate {
            f.write_str("{\n")?;
            indent(f, depth + 1)?;
            writeln!(f, "const {kind} {iterator} = {init};")?;
            self.node(f, body, depth + 1)?;
            indent(f, depth)?;
            return f.write_str("}\n");
        }
        match self.printer.for_head(each) {
            Some(head) => f.write_str(&head)?,
            None => write!(
                f,
                "for ({kind} {iterator} = {init}; {condition}; {iterator} += {increment})"
            )?,
        }
        self.body(f, body, depth)?;
        f.write_char('\n')
    }

    fn condition(
        self,
        f: &mut Formatter<'_>,
        condition: &AstExpr,
        then: &AstNode,
        otherwise: Option<&AstNode>,
        depth: usize,
    ) -> fmt::Result {
        write!(f, "if ({condition})")?;
        let Some(otherwise) = otherwise else {
            self.body(f, then, depth)?;
            return f.write_char('\n');
        };
        self.braced(f, then, depth)?;
        f.write_str(" else")?;
        if let AstNode::If { condition, then, otherwise } = otherwise {
            f.write_char(' ')?;
            return self.condition(f, condition, then, otherwise.as_deref(), depth);
        }
        self.braced(f, otherwise, depth)?;
        f.write_char('\n')
    }

    /// Prints the body of a loop or condition up to, not including, the final line break.
    fn body(self, f: &mut Formatter<'_>, body: &AstNode, depth: usize) -> fmt::Result {
        if self.options.always_print_block || self.needs_braces(body) {
            return self.braced(f, body, depth);
        }
        f.write_char('\n')?;
        let text = Indented { layout: self, node: body, depth: depth + 1 }.to_string();
        f.write_str(text.trim_end_matches('\n'))
    }

    /// Whether a body is more than one statement, or an `if` that a later `else` could be taken for.
    fn needs_braces(self, body: &AstNode) -> bool {
        match body {
            AstNode::Block(children) => children.len() != 1 || self.needs_braces(&children[0]),
            AstNode::Mark { .. } => true,
            AstNode::For(each) => self.printer.before_for(each).is_some(),
            AstNode::User { statement, arguments, place } => {
                self.printer.user(statement, arguments, place).is_some_and(|t| t.contains('\n'))
            }
            AstNode::If { .. } => false,
        }
    }

    fn braced(self, f: &mut Formatter<'_>, body: &AstNode, depth: usize) -> fmt::Result {
        f.write_str(" {\n")?;
        self.node(f, body, depth + 1)?;
        indent(f, depth)?;
        f.write_char('}')
    }
}

struct Indented<'a> {
    layout: Layout<'a>,
    node: &'a AstNode,
    depth: usize,
}

impl Display for Indented<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.layout.node(f, self.node, self.depth)
    }
}
