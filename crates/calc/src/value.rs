//! What expressions evaluate to.
use loopwright_presburger::{
    Budget, Error, Format, GeneratingFunction, Int, Result, Set, UnionMap, UnionPwMultiAff,
    UnionPwQPolynomial, UnionPwQPolynomialFold, UnionSet,
};
use loopwright_schedule::ScheduleTree;
use std::fmt;

/// A value of the calculator.
#[derive(Clone, Debug)]
pub enum Value {
    /// A set, over one or several spaces.
    Set(UnionSet),
    /// A relation, over one or several spaces.
    Map(UnionMap),
    /// A quasi-polynomial on each piece of a domain.
    Polynomial(UnionPwQPolynomial),
    /// The minimum or maximum of quasi-polynomials on each piece of a domain.
    Fold(UnionPwQPolynomialFold),
    /// A tuple of affine expressions on each piece of a domain.
    Function(UnionPwMultiAff),
    /// A generating function.
    Series(Box<GeneratingFunction>),
    /// An integer.
    Integer(Int),
    /// A truth value.
    Boolean(bool),
    /// A text.
    Text(String),
    /// Generated code.
    Code(String),
    /// A schedule tree.
    Schedule(Box<ScheduleTree>),
    /// Several values.
    List(Vec<Value>),
}

/// The length of the longest values.
const LENGTH_LIMIT: u64 = 1 << 20;

impl Value {
    /// The name of the type, as `typeof` gives it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Polynomial(_) => "piecewise quasi-polynomial",
            Value::Fold(_) => "piecewise quasi-polynomial fold",
            Value::Function(_) => "function",
            Value::Series(_) => "generating function",
            Value::Integer(_) => "integer",
            Value::Boolean(_) => "boolean",
            Value::Text(_) => "string",
            Value::Code(_) => "code",
            Value::Schedule(_) => "schedule",
            Value::List(_) => "list",
        }
    }

    /// The type in a sentence: `a set`, `an integer`.
    pub(super) fn noun(&self) -> String {
        let name = self.type_name();
        let article = if name.starts_with(['a', 'i']) { "an" } else { "a" };
        format!("{article} {name}")
    }

    /// The value as text in a format.
    ///
    /// # Errors
    /// If the format has no text for the value.
    pub fn to_text(&self, format: Format, budget: &Budget) -> Result<String> {
        Ok(match self {
            Value::Set(set) => set.to_text(format, budget)?,
            Value::Map(map) => map.to_text(format, budget)?,
            Value::Polynomial(_) | Value::Fold(_) | Value::Function(_) if format != Format::Isl => {
                let reason = format!("the format has no text for {}", self.noun());
                return Err(Error::Invalid { operation: "print", reason });
            }
            Value::Polynomial(function) => function.to_string(),
            Value::Fold(function) => function.to_string(),
            Value::Function(function) => function.to_string(),
            Value::Series(function) => function.to_string(),
            Value::List(values) => {
                let texts = values.iter().map(|value| value.to_text(format, budget));
                format!("({})", texts.collect::<Result<Vec<_>>>()?.join(", "))
            }
            Value::Code(code) => code.trim_end().to_owned(),
            Value::Schedule(tree) => tree.to_string().trim_end().to_owned(),
            Value::Integer(value) => value.to_string(),
            Value::Boolean(value) => (if *value { "True" } else { "False" }).to_owned(),
            Value::Text(text) => format!("\"{text}\""),
        })
    }

    /// The text that `+` joins to a string: strings without their quotes.
    pub(super) fn spliced(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The value, unless it has become longer than what anybody reads: numbers of a million
    /// bits, texts of as many bytes, lists of as many members (those of their members included).
    ///
    /// # Errors
    /// [`Error::Exceeded`] for longer ones.
    pub(super) fn checked(self) -> Result<Self> {
        let length = self.length();
        if length > LENGTH_LIMIT { Err(Error::too_large("a value")) } else { Ok(self) }
    }

    fn length(&self) -> u64 {
        match self {
            Value::Integer(value) => value.word_bits(),
            Value::Text(text) => text.len() as u64,
            Value::List(values) => values.iter().map(|value| 1 + value.length()).sum(),
            _ => 0,
        }
    }

    /// The first of two values: what stands for a pair where no list is expected.
    pub(super) fn first_of_pair(&self) -> Option<&Value> {
        match self {
            Value::List(values) if values.len() == 2 => values.first(),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_text(Format::Isl, &Budget::unlimited());
        f.write_str(&text.unwrap_or_else(|error| error.to_string()))
    }
}

impl From<UnionSet> for Value {
    fn from(set: UnionSet) -> Self {
        Value::Set(set)
    }
}

impl From<Set> for Value {
    fn from(set: Set) -> Self {
        Value::Set(UnionSet::from_set(set))
    }
}

impl From<UnionMap> for Value {
    fn from(map: UnionMap) -> Self {
        Value::Map(map)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}
