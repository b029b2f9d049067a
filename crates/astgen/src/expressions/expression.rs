//! Expressions of syntax trees.
use loopwright_presburger::{Int, Name};

/// An expression. Divisors are positive constants.
///
/// Unless their description says otherwise operators are eager: every operand may be evaluated,
/// and none traps.
#[derive(Clone, Debug, PartialEq)]
pub enum AstExpr {
    /// A constant.
    Int(Int),
    /// An iterator or a parameter.
    Id(Name),
    /// Negation.
    Neg(Box<AstExpr>),
    /// Sum.
    Add(Box<AstExpr>, Box<AstExpr>),
    /// Difference.
    Sub(Box<AstExpr>, Box<AstExpr>),
    /// Product.
    Mul(Box<AstExpr>, Box<AstExpr>),
    /// Division known to be exact.
    DivExact(Box<AstExpr>, Box<AstExpr>),
    /// Division of a dividend known not to be negative.
    DivNonneg(Box<AstExpr>, Box<AstExpr>),
    /// Division rounded towards minus infinity.
    DivFloor(Box<AstExpr>, Box<AstExpr>),
    /// Remainder of a dividend known not to be negative.
    RemNonneg(Box<AstExpr>, Box<AstExpr>),
    /// Remainder that is only compared with zero.
    RemZero(Box<AstExpr>, Box<AstExpr>),
    /// The least of two or more.
    Min(Vec<AstExpr>),
    /// The greatest of two or more.
    Max(Vec<AstExpr>),
    /// `condition ? a : b`.
    Select(Box<AstExpr>, Box<AstExpr>, Box<AstExpr>),
    /// `condition ? a : b` that evaluates only the operand that is chosen.
    Cond(Box<AstExpr>, Box<AstExpr>, Box<AstExpr>),
    /// All hold (eager).
    And(Vec<AstExpr>),
    /// One holds (eager).
    Or(Vec<AstExpr>),
    /// All hold; what follows a false operand is not evaluated.
    AndThen(Vec<AstExpr>),
    /// One holds; what follows a true operand is not evaluated.
    OrElse(Vec<AstExpr>),
    /// Equal.
    Eq(Box<AstExpr>, Box<AstExpr>),
    /// Less or equal.
    Le(Box<AstExpr>, Box<AstExpr>),
    /// Less.
    Lt(Box<AstExpr>, Box<AstExpr>),
    /// Greater or equal.
    Ge(Box<AstExpr>, Box<AstExpr>),
    /// Greater.
    Gt(Box<AstExpr>, Box<AstExpr>),
    /// A call (of a statement or a function) with arguments.
    Call(Name, Vec<AstExpr>),
    /// An array element: the array and its subscripts.
    Access(Box<AstExpr>, Vec<AstExpr>),
    /// A member of a structure.
    Member(Box<AstExpr>, Name),
    /// The address of an element.
    AddressOf(Box<AstExpr>),
}

impl AstExpr {
    /// A comparison with another left operand; other expressions stay as they are.
    pub fn with_left_side(&self, left: &AstExpr) -> AstExpr {
        use AstExpr::*;
        let left = Box::new(left.clone());
        match self {
            Lt(_, right) => Lt(left, right.clone()),
            Le(_, right) => Le(left, right.clone()),
            Gt(_, right) => Gt(left, right.clone()),
            Ge(_, right) => Ge(left, right.clone()),
            Eq(_, right) => Eq(left, right.clone()),
            other => other.clone(),
        }
    }

    /// Whether the name appears in the expression.
    pub fn mentions(&self, name: &Name) -> bool {
        match self {
            AstExpr::Id(id) => id == name,
            _ => self.operands().iter().any(|operand| operand.mentions(name)),
        }
    }

    /// The name of the outermost operator; integers and identifiers are operators without operands.
    pub fn operator_name(&self) -> &'static str {
        use AstExpr::*;
        match self {
            Int(_) => "int",
            Id(_) => "id",
            Neg(_) => "neg",
            Add(..) => "add",
            Sub(..) => "sub",
            Mul(..) => "mul",
            DivExact(..) => "div_exact",
            DivNonneg(..) => "div_nonneg",
            DivFloor(..) => "div_floor",
            RemNonneg(..) => "rem_nonneg",
            RemZero(..) => "rem_zero",
            Min(_) => "min",
            Max(_) => "max",
            Select(..) => "select",
            Cond(..) => "cond",
            And(_) => "and",
            Or(_) => "or",
            AndThen(_) => "and_then",
            OrElse(_) => "or_else",
            Eq(..) => "eq",
            Le(..) => "le",
            Lt(..) => "lt",
            Ge(..) => "ge",
            Gt(..) => "gt",
            Call(..) => "call",
            Access(..) => "access",
            Member(..) => "member",
            AddressOf(_) => "address_of",
        }
    }

    /// The operands of the outermost operator, in order.
    pub fn operands(&self) -> Vec<&AstExpr> {
        use AstExpr::*;
        match self {
            Int(_) | Id(_) => Vec::new(),
            Neg(a) | Member(a, _) | AddressOf(a) => vec![a],
            Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | DivExact(a, b)
            | DivNonneg(a, b)
            | DivFloor(a, b)
            | RemNonneg(a, b)
            | RemZero(a, b)
            | Eq(a, b)
            | Le(a, b)
            | Lt(a, b)
            | Ge(a, b)
            | Gt(a, b) => vec![a, b],
            Select(a, b, c) | Cond(a, b, c) => vec![a, b, c],
            Min(list)
            | Max(list)
            | And(list)
            | Or(list)
            | AndThen(list)
            | OrElse(list)
            | Call(_, list) => list.iter().collect(),
            Access(array, list) => std::iter::once(&**array).chain(list).collect(),
        }
    }

    /// The same operator applied to changed operands, which are visited in order.
    pub fn map_operands(&self, change: &mut dyn FnMut(&AstExpr) -> AstExpr) -> AstExpr {
        use AstExpr::*;
        let mut boxed = |e: &AstExpr| Box::new(change(e));
        match self {
            Int(_) | Id(_) => self.clone(),
            Neg(a) => Neg(boxed(a)),
            Member(a, name) => Member(boxed(a), name.clone()),
            AddressOf(a) => AddressOf(boxed(a)),
            Add(a, b) => Add(boxed(a), boxed(b)),
            Sub(a, b) => Sub(boxed(a), boxed(b)),
            Mul(a, b) => Mul(boxed(a), boxed(b)),
            DivExact(a, b) => DivExact(boxed(a), boxed(b)),
            DivNonneg(a, b) => DivNonneg(boxed(a), boxed(b)),
            DivFloor(a, b) => DivFloor(boxed(a), boxed(b)),
            RemNonneg(a, b) => RemNonneg(boxed(a), boxed(b)),
            RemZero(a, b) => RemZero(boxed(a), boxed(b)),
            Eq(a, b) => Eq(boxed(a), boxed(b)),
            Le(a, b) => Le(boxed(a), boxed(b)),
            Lt(a, b) => Lt(boxed(a), boxed(b)),
            Ge(a, b) => Ge(boxed(a), boxed(b)),
            Gt(a, b) => Gt(boxed(a), boxed(b)),
            Select(a, b, c) => Select(boxed(a), boxed(b), boxed(c)),
            Cond(a, b, c) => Cond(boxed(a), boxed(b), boxed(c)),
            Min(list) => Min(list.iter().map(change).collect()),
            Max(list) => Max(list.iter().map(change).collect()),
            And(list) => And(list.iter().map(change).collect()),
            Or(list) => Or(list.iter().map(change).collect()),
            AndThen(list) => AndThen(list.iter().map(change).collect()),
            OrElse(list) => OrElse(list.iter().map(change).collect()),
            Call(name, list) => Call(name.clone(), list.iter().map(change).collect()),
            Access(array, list) => {
                let array = boxed(array);
                Access(array, list.iter().map(change).collect())
            }
        }
    }

    /// The constant `value`.
    pub fn int(value: i64) -> Self {
        AstExpr::Int(Int::from(value))
    }

    /// The value, if the expression is a constant.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            AstExpr::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The conjunction; no operand means true, which is the constant 1.
    pub fn and(mut operands: Vec<AstExpr>) -> Self {
        match operands.len() {
            0 => Self::int(1),
            1 => operands.remove(0),
            _ => AstExpr::And(operands),
        }
    }

    /// The disjunction; no operand means false, which is the constant 0.
    pub fn or(mut operands: Vec<AstExpr>) -> Self {
        match operands.len() {
            0 => Self::int(0),
            1 => operands.remove(0),
            _ => AstExpr::Or(operands),
        }
    }

    /// The least of one or more operands.
    pub fn min(mut operands: Vec<AstExpr>) -> Self {
        if operands.len() == 1 { operands.remove(0) } else { AstExpr::Min(operands) }
    }

    /// The greatest of one or more operands.
    pub fn max(mut operands: Vec<AstExpr>) -> Self {
        if operands.len() == 1 { operands.remove(0) } else { AstExpr::Max(operands) }
    }
}
