//! What a text says before it is turned into constraints: expressions, formulas, items.
//!
//! Names are resolved while parsing.
use crate::core::tuple::Tuple;
use loopwright_exact::Int;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// A parameter or a dimension: the parameters come first, then the dimensions of the item's
    /// tuples in order.
    Dimension(usize),
    /// A variable bound by a quantifier, each number used once per item.
    Bound(usize),
}

/// A piecewise quasi-affine expression.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    /// A constant.
    Number(Int),
    /// The value of a variable.
    Variable(Variable),
    /// A sum.
    Sum(Box<Expression>, Box<Expression>),
    /// The opposite.
    Negative(Box<Expression>),
    /// A product, one of whose factors is constant.
    Product(Box<Expression>, Box<Expression>),
    /// A power with a constant exponent.
    Power(Box<Expression>, u32),
    /// An exact quotient by a constant.
    Quotient(Box<Expression>, Box<Expression>),
    /// Rounded down.
    Floor(Box<Expression>),
    /// Rounded up.
    Ceiling(Box<Expression>),
    /// The remainder of the division that rounds down, by a positive constant.
    Modulo(Box<Expression>, Box<Expression>),
    /// The smallest.
    Minimum(Vec<Expression>),
    /// The greatest.
    Maximum(Vec<Expression>),
    /// One or the other.
    Choice(Box<Formula>, Box<Expression>, Box<Expression>),
    /// The value of the first piece whose condition holds, and none where no condition holds.
    Piecewise(Vec<(Formula, Expression)>),
    /// Not a number.
    NotANumber,
    /// Greater than every number.
    Infinity,
    /// An operation that is refused for some operands, and the byte at which it starts.
    At(usize, Box<Expression>),
}

impl Expression {
    /// The same with the place where it stands.
    pub(super) fn at(self, position: usize) -> Self {
        Expression::At(position, Box::new(self))
    }
}

/// How two sides compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

impl Relation {
    /// The relation that holds exactly where this one does not.
    pub(super) fn negated(self) -> Self {
        match self {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::GreaterEqual => Relation::Less,
            Relation::Greater => Relation::LessEqual,
        }
    }
}

/// A Presburger formula.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    /// A truth value.
    Constant(bool),
    /// A comparison.
    Compare(Expression, Relation, Expression),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// Negation.
    Not(Box<Formula>),
    /// There are integers for the bound variables, some with a given value, such that the body holds.
    Exists(Vec<(usize, Option<Expression>)>, Box<Formula>),
}

/// One position of a tuple.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// A dimension without a constraint.
    Free,
    /// A dimension with a value.
    Value(Expression),
    /// A dimension between two values, as far as they are given.
    Between(Option<Expression>, Option<Expression>),
}

/// A tuple and what its positions say, nested tuples flattened.
#[derive(Clone, Debug)]
pub(crate) struct TupleSyntax {
    pub(crate) tuple: Tuple,
    pub(crate) elements: Vec<Element>,
}

/// One of the parts between semicolons.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) position: usize,
    pub(crate) input: Option<TupleSyntax>,
    pub(crate) output: Option<TupleSyntax>,
    pub(crate) condition: Formula,
    /// The number of bound variables.
    pub(crate) n_bound: usize,
}
