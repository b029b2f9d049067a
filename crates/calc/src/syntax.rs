//! Statements and expressions.
use super::functions::Function;
use super::operators::Operator;
use super::value::Value;

/// An expression and where it starts (for operators, where the operator stands).
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) position: usize,
    pub(super) kind: Kind,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Value(Value),
    Variable(String),
    List(Vec<Expression>),
    Call(&'static Function, Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `relation(argument)`.
    Apply(Box<Expression>, Box<Expression>),
    /// `list[index]`.
    Index(Box<Expression>, Box<Expression>),
    /// `relation^exponent`; none for the closure `^+`.
    Power(Box<Expression>, Option<i64>),
    /// `[any may] [last must] before sinks under schedule`.
    Dependences(Box<Dependences>),
    /// `codegen what [using options]`.
    Codegen(Box<Expression>, Option<Box<Expression>>),
    /// `schedule domain [respecting validity] [minimizing proximity]`.
    Schedule(Box<Expression>, Option<Box<Expression>>, Option<Box<Expression>>),
    /// `read "file"`.
    Read(Box<Expression>),
    /// `parse_file "file"`.
    ParseFile(Box<Expression>),
}

/// The operands of a dependence analysis.
#[derive(Clone, Debug)]
pub(super) struct Dependences {
    /// All of these sources ..
    pub(super) any: Option<Expression>,
    /// .. the last one of these ..
    pub(super) last: Option<Expression>,
    /// .. before these sinks ..
    pub(super) sinks: Expression,
    /// .. under this schedule.
    pub(super) schedule: Expression,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Empty,
    Assign(String, Expression),
    /// An expression whose value is printed.
    Print(Expression),
    Assert(Expression),
    Write(Expression, Expression),
    Source(Expression),
    Help,
}
