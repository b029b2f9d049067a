//! The operators of C's expressions.

/// An operator that computes a number from two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    And,
    /// `^`
    ExclusiveOr,
    /// `|`
    Or,
}

/// An operator that compares two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
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

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// Arithmetic, bits and shifts.
    Arithmetic(ArithmeticOperator),
    /// A comparison.
    Comparison(ComparisonOperator),
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
    /// `,`
    Comma,
}

/// An operator that assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignmentOperator {
    /// `=`
    Set,
    /// `+=` and its like: the target is combined with the value.
    Update(ArithmeticOperator),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// `&`
    AddressOf,
    /// `*`
    Dereference,
    /// `++`
    Increment,
    /// `--`
    Decrement,
}

/// An operator after its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostfixOperator {
    /// `++`
    Increment,
    /// `--`
    Decrement,
}

impl ArithmeticOperator {
    const ALL: [ArithmeticOperator; 10] = [
        ArithmeticOperator::Add,
        ArithmeticOperator::Subtract,
        ArithmeticOperator::Multiply,
        ArithmeticOperator::Divide,
        ArithmeticOperator::Remainder,
        ArithmeticOperator::ShiftLeft,
        ArithmeticOperator::ShiftRight,
        ArithmeticOperator::And,
        ArithmeticOperator::ExclusiveOr,
        ArithmeticOperator::Or,
    ];

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            ArithmeticOperator::Add => "+",
            ArithmeticOperator::Subtract => "-",
            ArithmeticOperator::Multiply => "*",
            ArithmeticOperator::Divide => "/",
            ArithmeticOperator::Remainder => "%",
            ArithmeticOperator::ShiftLeft => "<<",
            ArithmeticOperator::ShiftRight => ">>",
            ArithmeticOperator::And => "&",
            ArithmeticOperator::ExclusiveOr => "^",
            ArithmeticOperator::Or => "|",
        }
    }
}

impl ComparisonOperator {
    const ALL: [ComparisonOperator; 6] = [
        ComparisonOperator::Less,
        ComparisonOperator::LessOrEqual,
        ComparisonOperator::Greater,
        ComparisonOperator::GreaterOrEqual,
        ComparisonOperator::Equal,
        ComparisonOperator::NotEqual,
    ];

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessOrEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterOrEqual => ">=",
            ComparisonOperator::Equal => "==",
            ComparisonOperator::NotEqual => "!=",
        }
    }
}

impl BinaryOperator {
    /// The operator that C writes like this.
    ///
    /// ```
    /// use loopwright_scop::{ArithmeticOperator, BinaryOperator};
    /// let plus = BinaryOperator::Arithmetic(ArithmeticOperator::Add);
    /// assert_eq!(BinaryOperator::of_symbol("+"), Some(plus));
    /// assert_eq!(BinaryOperator::of_symbol("+="), None);
    /// ```
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        let arithmetic = ArithmeticOperator::ALL.map(BinaryOperator::Arithmetic);
        let comparisons = ComparisonOperator::ALL.map(BinaryOperator::Comparison);
        let others = [BinaryOperator::LogicalAnd, BinaryOperator::LogicalOr, BinaryOperator::Comma];
        let mut all = arithmetic.into_iter().chain(comparisons).chain(others);
        all.find(|operator| operator.symbol() == symbol)
    }

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Arithmetic(operator) => operator.symbol(),
            BinaryOperator::Comparison(operator) => operator.symbol(),
            BinaryOperator::LogicalAnd => "&&",
            BinaryOperator::LogicalOr => "||",
            BinaryOperator::Comma => ",",
        }
    }

    /// How strongly C lets it bind: operators of a greater number bind their operands first.
    pub fn precedence(self) -> u8 {
        use ArithmeticOperator as A;
        match self {
            BinaryOperator::Comma => 0,
            BinaryOperator::LogicalOr => 1,
            BinaryOperator::LogicalAnd => 2,
            BinaryOperator::Arithmetic(A::Or) => 3,
            BinaryOperator::Arithmetic(A::ExclusiveOr) => 4,
            BinaryOperator::Arithmetic(A::And) => 5,
            BinaryOperator::Comparison(
                ComparisonOperator::Equal | ComparisonOperator::NotEqual,
            ) => 6,
            BinaryOperator::Comparison(_) => 7,
            BinaryOperator::Arithmetic(A::ShiftLeft | A::ShiftRight) => 8,
            BinaryOperator::Arithmetic(A::Add | A::Subtract) => 9,
            BinaryOperator::Arithmetic(A::Multiply | A::Divide | A::Remainder) => 10,
        }
    }
}

impl AssignmentOperator {
    /// The operator that C writes like this.
    ///
    /// ```
    /// use loopwright_scop::{ArithmeticOperator, AssignmentOperator};
    /// let add = AssignmentOperator::Update(ArithmeticOperator::Add);
    /// assert_eq!(AssignmentOperator::of_symbol("+="), Some(add));
    /// assert_eq!(AssignmentOperator::of_symbol("=="), None);
    /// ```
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        if symbol == "=" {
            return Some(AssignmentOperator::Set);
        }
        let operator = symbol.strip_suffix('=')?;
        let found = ArithmeticOperator::ALL.into_iter().find(|known| known.symbol() == operator)?;
        Some(AssignmentOperator::Update(found))
    }

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            AssignmentOperator::Set => "=",
            AssignmentOperator::Update(ArithmeticOperator::Add) => "+=",
            AssignmentOperator::Update(ArithmeticOperator::Subtract) => "-=",
            AssignmentOperator::Update(ArithmeticOperator::Multiply) => "*=",
            AssignmentOperator::Update(ArithmeticOperator::Divide) => "/=",
            AssignmentOperator::Update(ArithmeticOperator::Remainder) => "%=",
            AssignmentOperator::Update(ArithmeticOperator::ShiftLeft) => "<<=",
            AssignmentOperator::Update(ArithmeticOperator::ShiftRight) => ">>=",
            AssignmentOperator::Update(ArithmeticOperator::And) => "&=",
            AssignmentOperator::Update(ArithmeticOperator::ExclusiveOr) => "^=",
            AssignmentOperator::Update(ArithmeticOperator::Or) => "|=",
        }
    }
}

impl UnaryOperator {
    const ALL: [UnaryOperator; 8] = [
        UnaryOperator::Negate,
        UnaryOperator::Plus,
        UnaryOperator::Not,
        UnaryOperator::Complement,
        UnaryOperator::AddressOf,
        UnaryOperator::Dereference,
        UnaryOperator::Increment,
        UnaryOperator::Decrement,
    ];

    /// The operator that C writes like this.
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        UnaryOperator::ALL.into_iter().find(|operator| operator.symbol() == symbol)
    }

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Negate => "-",
            UnaryOperator::Plus => "+",
            UnaryOperator::Not => "!",
            UnaryOperator::Complement => "~",
            UnaryOperator::AddressOf => "&",
            UnaryOperator::Dereference => "*",
            UnaryOperator::Increment => "++",
            UnaryOperator::Decrement => "--",
        }
    }
}

impl PostfixOperator {
    /// The operator that C writes like this.
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        match symbol {
            "++" => Some(PostfixOperator::Increment),
            "--" => Some(PostfixOperator::Decrement),
            _ => None,
        }
    }

    /// How C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            PostfixOperator::Increment => "++",
            PostfixOperator::Decrement => "--",
        }
    }
}
