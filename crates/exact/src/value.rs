//! Fractions with two infinities and a value that is not a number.
use crate::{Int, ParseIntError, Rational};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;

/// A fraction, an infinity, or not a number: what an optimum, a bound or an undefined quotient is.
///
/// The operations are those of the extended line: what has no limit (`∞ - ∞`, `0 · ∞`, `∞ / ∞`, a
/// quotient by 0) is not a number, and so is everything made of it. What is not a number is equal to
/// itself, so that values can be compared structurally, and is neither below nor above a number.
///
/// ```
/// use loopwright_exact::Value;
/// let half: Value = "1/2".parse()?;
/// assert_eq!((&half + &Value::Infinity).to_string(), "infty");
/// assert_eq!((&Value::Infinity - &Value::Infinity).to_string(), "NaN");
/// assert_eq!((&half / &Value::NegativeInfinity), Value::from(0));
/// assert!(Value::NegativeInfinity < half);
/// # Ok::<(), loopwright_exact::ParseIntError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Undefined.
    NotANumber,
    /// Less than every fraction.
    NegativeInfinity,
    /// A fraction.
    Finite(Rational),
    /// Greater than every fraction.
    Infinity,
}

impl Value {
    /// Whether it is not a number.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert!((&Value::from(1) / &Value::from(0)).is_nan());
    /// assert!(!Value::Infinity.is_nan());
    /// ```
    pub fn is_nan(&self) -> bool {
        matches!(self, Value::NotANumber)
    }

    /// Whether it is one of the infinities.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert!((&Value::Infinity + &Value::from(-5)).is_infinite());
    /// assert!(!Value::NotANumber.is_infinite());
    /// ```
    pub fn is_infinite(&self) -> bool {
        matches!(self, Value::Infinity | Value::NegativeInfinity)
    }

    /// The fraction, if it is one.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational, Value};
    /// let half = Rational::new(Int::from(1), Int::from(2));
    /// assert_eq!(Value::from(half.clone()).as_rational(), Some(&half));
    /// assert_eq!(Value::Infinity.as_rational(), None);
    /// ```
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Value::Finite(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, if it is one.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Value};
    /// assert_eq!("6/3".parse::<Value>()?.to_int(), Some(Int::from(2)));
    /// assert_eq!("7/3".parse::<Value>()?.to_int(), None);
    /// assert_eq!(Value::Infinity.to_int(), None);
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn to_int(&self) -> Option<Int> {
        self.as_rational().and_then(Rational::to_int)
    }

    /// -1, 0 or 1; 0 for what is not a number.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!(Value::NegativeInfinity.signum(), -1);
    /// assert_eq!(Value::NotANumber.signum(), 0);
    /// ```
    pub fn signum(&self) -> i32 {
        match self {
            Value::NotANumber => 0,
            Value::NegativeInfinity => -1,
            Value::Finite(value) => value.signum(),
            Value::Infinity => 1,
        }
    }

    /// The infinity of a sign; not a number for 0.
    fn infinity_of(sign: i32) -> Value {
        match sign.cmp(&0) {
            Ordering::Less => Value::NegativeInfinity,
            Ordering::Equal => Value::NotANumber,
            Ordering::Greater => Value::Infinity,
        }
    }

    /// The fraction changed; everything else as it is.
    fn mapped(&self, change: impl Fn(&Rational) -> Rational) -> Value {
        match self {
            Value::Finite(value) => Value::Finite(change(value)),
            other => other.clone(),
        }
    }

    /// The greatest integer not above it.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!("-7/3".parse::<Value>()?.floor(), Value::from(-3));
    /// assert_eq!(Value::Infinity.floor(), Value::Infinity);
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn floor(&self) -> Value {
        self.mapped(|value| value.floor().into())
    }

    /// The least integer not below it.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!("-7/3".parse::<Value>()?.ceil(), Value::from(-2));
    /// assert_eq!(Value::NegativeInfinity.ceil(), Value::NegativeInfinity);
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn ceil(&self) -> Value {
        self.mapped(|value| value.ceil().into())
    }

    /// Rounded towards 0.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!("-7/3".parse::<Value>()?.trunc(), Value::from(-2));
    /// assert_eq!("7/3".parse::<Value>()?.trunc(), Value::from(2));
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn trunc(&self) -> Value {
        if self.signum() < 0 { self.ceil() } else { self.floor() }
    }

    /// The absolute value.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!("-7/3".parse::<Value>()?.abs().to_string(), "7/3");
    /// assert_eq!(Value::NegativeInfinity.abs(), Value::Infinity);
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn abs(&self) -> Value {
        if self.signum() < 0 { -self } else { self.clone() }
    }

    /// `1 / self`; not a number for 0.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!("-2/3".parse::<Value>()?.inverse().to_string(), "-3/2");
    /// assert_eq!(Value::Infinity.inverse(), Value::from(0));
    /// assert_eq!(Value::from(0).inverse(), Value::NotANumber);
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn inverse(&self) -> Value {
        &Value::from(1) / self
    }

    /// The remainder `self - divisor * floor(self / divisor)`.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!(Value::from(-7).modulo(&Value::from(3)), Value::from(2));
    /// assert_eq!("7/2".parse::<Value>()?.modulo(&Value::from(2)).to_string(), "3/2");
    /// # Ok::<(), loopwright_exact::ParseIntError>(())
    /// ```
    pub fn modulo(&self, divisor: &Value) -> Value {
        self - &(divisor * &(self / divisor).floor())
    }

    /// The smaller one; not a number if one of them is not.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!(Value::from(3).min(&Value::NegativeInfinity), Value::NegativeInfinity);
    /// assert_eq!(Value::from(3).min(&Value::NotANumber), Value::NotANumber);
    /// ```
    pub fn min(&self, other: &Value) -> Value {
        match self.partial_cmp(other) {
            None => Value::NotANumber,
            Some(Ordering::Greater) => other.clone(),
            Some(_) => self.clone(),
        }
    }

    /// The greater one; not a number if one of them is not.
    ///
    /// ```
    /// # use loopwright_exact::Value;
    /// assert_eq!(Value::from(3).max(&Value::NegativeInfinity), Value::from(3));
    /// assert_eq!(Value::from(3).max(&Value::NotANumber), Value::NotANumber);
    /// ```
    pub fn max(&self, other: &Value) -> Value {
        -&(-self).min(&-other)
    }
}

impl From<Rational> for Value {
    fn from(value: Rational) -> Self {
        Value::Finite(value)
    }
}

impl From<Int> for Value {
    fn from(value: Int) -> Self {
        Value::Finite(value.into())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Finite(value.into())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let rank = |value: &Value| match value {
            Value::NotANumber => None,
            Value::NegativeInfinity => Some(-1),
            Value::Finite(_) => Some(0),
            Value::Infinity => Some(1),
        };
        match (self, other) {
            (Value::Finite(a), Value::Finite(b)) => Some(a.cmp(b)),
            (Value::NotANumber, Value::NotANumber) => Some(Ordering::Equal),
            _ => Some(rank(self)?.cmp(&rank(other)?)),
        }
    }
}

impl Neg for &Value {
    type Output = Value;
    fn neg(self) -> Value {
        match self {
            Value::NotANumber => Value::NotANumber,
            Value::NegativeInfinity => Value::Infinity,
            Value::Finite(value) => Value::Finite(-value),
            Value::Infinity => Value::NegativeInfinity,
        }
    }
}

impl Add for &Value {
    type Output = Value;
    fn add(self, other: &Value) -> Value {
        match (self, other) {
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a + b),
            (Value::NotANumber, _) | (_, Value::NotANumber) => Value::NotANumber,
            (Value::Finite(_), infinite) | (infinite, Value::Finite(_)) => infinite.clone(),
            (a, b) if a == b => a.clone(),
            _ => Value::NotANumber,
        }
    }
}

impl Sub for &Value {
    type Output = Value;
    fn sub(self, other: &Value) -> Value {
        self + &-other
    }
}

impl Mul for &Value {
    type Output = Value;
    fn mul(self, other: &Value) -> Value {
        match (self, other) {
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a * b),
            _ => Value::infinity_of(self.signum() * other.signum()),
        }
    }
}

impl Div for &Value {
    type Output = Value;
    fn div(self, other: &Value) -> Value {
        match (self, other) {
            (_, Value::Finite(b)) if b.is_zero() => Value::NotANumber,
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a / b),
            (Value::Finite(_), infinite) if infinite.is_infinite() => Value::from(0),
            (infinite, Value::Finite(b)) => Value::infinity_of(infinite.signum() * b.signum()),
            _ => Value::NotANumber,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::NotANumber => f.write_str("NaN"),
            Value::NegativeInfinity => f.write_str("-infty"),
            Value::Finite(value) => value.fmt(f),
            Value::Infinity => f.write_str("infty"),
        }
    }
}

/// Reads `3`, `-1/2`, `infty`, `-infty` or `NaN`; a denominator of 0 gives `NaN`.
impl FromStr for Value {
    type Err = ParseIntError;
    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        match text.trim() {
            "NaN" => Ok(Value::NotANumber),
            "infty" => Ok(Value::Infinity),
            "-infty" => Ok(Value::NegativeInfinity),
            text => {
                let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
                let part = |text: &str| text.trim().parse::<Int>().map(Value::from);
                Ok(&part(numerator)? / &part(denominator)?)
            }
        }
    }
}
