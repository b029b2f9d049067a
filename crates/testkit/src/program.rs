//! Small affine programs as data.
//!
//! The control flow of a program depends on its parameters only, so the instances that it runs can
//! be listed without running it. Iterators are named by nesting depth. All integers are small, so
//! plain arithmetic on 64 bits is exact.

/// The deepest nest.
pub const MAX_DEPTH: usize = 4;

/// The number of parameters.
pub const N_PARAMETERS: usize = 2;

/// Values of parameters and of the iterators of the loops around a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// The iterators, outermost first; those of loops that are not open are arbitrary.
    pub iterators: [i64; MAX_DEPTH],
    /// The parameters.
    pub parameters: [i64; N_PARAMETERS],
}

/// An affine form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// Coefficients of the iterators.
    pub iterators: [i64; MAX_DEPTH],
    /// Coefficients of the parameters.
    pub parameters: [i64; N_PARAMETERS],
    /// The constant term.
    pub constant: i64,
}

impl Affine {
    /// A number.
    pub fn constant(constant: i64) -> Self {
        Affine { constant, ..Affine::default() }
    }

    /// An iterator.
    pub fn iterator(depth: usize) -> Self {
        let mut result = Affine::default();
        result.iterators[depth] = 1;
        result
    }

    /// A parameter.
    pub fn parameter(index: usize) -> Self {
        let mut result = Affine::default();
        result.parameters[index] = 1;
        result
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, factor: i64, other: &Affine) -> Self {
        let mut result = self.clone();
        for (value, more) in result.iterators.iter_mut().zip(other.iterators) {
            *value += factor * more;
        }
        for (value, more) in result.parameters.iter_mut().zip(other.parameters) {
            *value += factor * more;
        }
        result.constant += factor * other.constant;
        result
    }

    /// The value at a point.
    pub fn at(&self, point: &Point) -> i64 {
        let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<i64>();
        dot(&self.iterators, &point.iterators)
            + dot(&self.parameters, &point.parameters)
            + self.constant
    }
}

/// An integer expression of subscripts, bounds and conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// An affine form.
    Affine(Affine),
    /// Division by a positive number that rounds towards zero, as in C.
    Quotient(Affine, i64),
    /// The remainder of that division.
    Remainder(Affine, i64),
    /// The first form where the condition holds, otherwise the second.
    Select(Box<Condition>, Affine, Affine),
}

impl Index {
    /// The value at a point.
    pub fn at(&self, point: &Point) -> i64 {
        match self {
            Index::Affine(affine) => affine.at(point),
            Index::Quotient(affine, divisor) => affine.at(point) / divisor,
            Index::Remainder(affine, divisor) => affine.at(point) % divisor,
            Index::Select(condition, then, otherwise) => {
                if condition.holds(point) {
                    then.at(point)
                } else {
                    otherwise.at(point)
                }
            }
        }
    }
}

/// A comparison of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 6] = [
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::Equal,
        Comparison::NotEqual,
    ];

    /// Whether it holds for two values.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
        }
    }
}

/// A condition on parameters and iterators.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // few exist at a time
pub enum Condition {
    /// A comparison.
    Compare(Index, Comparison, Index),
    /// `!`
    Not(Box<Condition>),
    /// `&&`
    And(Box<Condition>, Box<Condition>),
    /// `||`
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Whether it holds at a point.
    pub fn holds(&self, point: &Point) -> bool {
        match self {
            Condition::Compare(a, comparison, b) => comparison.holds(a.at(point), b.at(point)),
            Condition::Not(inner) => !inner.holds(point),
            Condition::And(a, b) => a.holds(point) && b.holds(point),
            Condition::Or(a, b) => a.holds(point) || b.holds(point),
        }
    }
}

/// An element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The array.
    pub array: usize,
    /// One per dimension; the array's origin is added.
    pub subscripts: Vec<Index>,
}

/// Arithmetic on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
}

/// The value of a statement's right side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number (see [`Element::constant`]).
    Constant(u32),
    /// An iterator, converted to the type of the elements.
    Iterator(usize),
    /// A parameter, converted.
    Parameter(usize),
    /// A scalar.
    Scalar(usize),
    /// An element.
    Element(Reference),
    /// Arithmetic.
    Binary(Box<Value>, Operator, Box<Value>),
    /// `a < b ? c : d`
    Select(Box<[Value; 4]>),
}

/// The left side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A scalar.
    Scalar(usize),
    /// An element.
    Element(Reference),
}

/// A statement or what surrounds statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A loop.
    Loop(Loop),
    /// A guard.
    If(Condition, Vec<Node>, Vec<Node>),
    /// An assignment; with an operator a compound one.
    Assign(Target, Option<Operator>, Value),
    /// A declaration of a local scalar with its first value.
    Declare(usize, Value),
}

/// A loop over the iterator that its depth names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The first value.
    pub start: Index,
    /// What the iterator is compared with.
    pub ends: Vec<Index>,
    /// Whether the loop runs while all comparisons hold, or while one holds.
    pub all: bool,
    /// Whether the ends themselves belong to the loop.
    pub inclusive: bool,
    /// What is added in each iteration; not 0.
    pub step: i64,
    /// What is repeated.
    pub body: Vec<Node>,
}

impl Loop {
    /// How the iterator is compared with the ends.
    pub fn comparison(&self) -> Comparison {
        match (self.step > 0, self.inclusive) {
            (true, false) => Comparison::Less,
            (true, true) => Comparison::LessOrEqual,
            (false, false) => Comparison::Greater,
            (false, true) => Comparison::GreaterOrEqual,
        }
    }

    /// Whether another iteration runs with the iterator's value at a point.
    pub fn continues(&self, value: i64, point: &Point) -> bool {
        let inside = |end: &Index| self.comparison().holds(value, end.at(point));
        if self.all { self.ends.iter().all(inside) } else { self.ends.iter().any(inside) }
    }
}

/// The type of all elements and scalars of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// `unsigned long` of 64 bits: arithmetic wraps around.
    Unsigned,
    /// `double`: every operation rounds as IEEE 754 says, so that results are reproducible as long
    /// as nothing is reassociated.
    Double,
}

/// An array with constant extents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Array {
    /// The number of elements per dimension.
    pub extents: Vec<i64>,
    /// What is added to the subscripts of every reference, so that none is negative.
    pub origins: Vec<i64>,
}

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its name; locals in different scopes may share one.
    pub name: &'static str,
    /// Whether it is declared inside the region.
    pub local: bool,
    /// Whether its value is printed at the end.
    pub live_out: bool,
}

/// A program: a function with one region, and the runs of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The type of all data.
    pub element: Element,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The scalars, those declared in the region among them.
    pub scalars: Vec<Scalar>,
    /// The region.
    pub body: Vec<Node>,
    /// Values of the parameters for each run.
    pub runs: Vec<[i64; N_PARAMETERS]>,
    /// Whether arrays are parameters of the function (otherwise variables of the file).
    pub arrays_are_arguments: bool,
    /// Whether each loop declares its iterator.
    pub loops_declare_iterators: bool,
}

/// Calls `visit` for every node, outermost first, with the number of loops around it.
pub fn visit_nodes<'a>(nodes: &'a [Node], depth: usize, visit: &mut impl FnMut(&'a Node, usize)) {
    for node in nodes {
        visit(node, depth);
        match node {
            Node::Loop(inner) => visit_nodes(&inner.body, depth + 1, visit),
            Node::If(_, then, otherwise) => {
                visit_nodes(then, depth, visit);
                visit_nodes(otherwise, depth, visit);
            }
            Node::Assign(..) | Node::Declare(..) => {}
        }
    }
}

/// Calls `visit` for every reference of a value.
pub fn visit_references<'a>(value: &'a Value, visit: &mut impl FnMut(&'a Reference)) {
    match value {
        Value::Element(reference) => visit(reference),
        Value::Binary(a, _, b) => {
            visit_references(a, visit);
            visit_references(b, visit);
        }
        Value::Select(parts) => parts.iter().for_each(|part| visit_references(part, visit)),
        Value::Constant(_) | Value::Iterator(_) | Value::Parameter(_) | Value::Scalar(_) => {}
    }
}
