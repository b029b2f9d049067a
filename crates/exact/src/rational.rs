//! Exact fractions.
use crate::Int;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A fraction in lowest terms with a positive denominator.
///
/// ```
/// use loopwright_exact::{Int, Rational};
/// let half = Rational::new(Int::from(3), Int::from(-6));
/// assert_eq!(half.to_string(), "-1/2");
/// assert_eq!(half.floor(), Int::from(-1));
/// assert_eq!(half.ceil(), Int::ZERO);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    /// Above the bar.
    pub numerator: Int,
    /// Below the bar, positive.
    pub denominator: Int,
}

impl Rational {
    /// `numerator / denominator`, reduced.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// let value = Rational::new(Int::from(6), Int::from(-4));
    /// assert_eq!(value.to_string(), "-3/2");
    /// assert_eq!(value.denominator, Int::from(2));
    /// ```
    ///
    /// # Panics
    /// If the denominator is zero.
    pub fn new(numerator: Int, denominator: Int) -> Self {
        assert!(!denominator.is_zero(), "a fraction needs a denominator other than zero");
        let mut divisor = numerator.gcd(&denominator);
        if denominator.is_negative() {
            divisor = -divisor;
        }
        if divisor.is_one() {
            return Rational { numerator, denominator };
        }
        Rational {
            numerator: numerator.div_exact(&divisor),
            denominator: denominator.div_exact(&divisor),
        }
    }

    /// The number 0.
    ///
    /// ```
    /// # use loopwright_exact::Rational;
    /// assert_eq!(Rational::zero().to_string(), "0");
    /// assert_eq!(Rational::zero(), Rational::default());
    /// ```
    pub fn zero() -> Self {
        Rational::from(Int::ZERO)
    }

    /// The number 1.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// let half = Rational::new(Int::from(1), Int::from(2));
    /// assert_eq!(&half + &half, Rational::one());
    /// ```
    pub fn one() -> Self {
        Rational::from(Int::ONE)
    }

    /// Whether it is an integer.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert!(Rational::new(Int::from(6), Int::from(3)).is_integer());
    /// assert!(!Rational::new(Int::from(6), Int::from(4)).is_integer());
    /// ```
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// Whether it is 0.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// let third = Rational::new(Int::from(1), Int::from(3));
    /// assert!((&third - &third).is_zero());
    /// assert!(!third.is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The integer that it is, if it is one.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert_eq!(Rational::new(Int::from(6), Int::from(3)).to_int(), Some(Int::from(2)));
    /// assert_eq!(Rational::new(Int::from(6), Int::from(4)).to_int(), None);
    /// ```
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.numerator.clone())
    }

    /// -1, 0 or 1.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert_eq!(Rational::new(Int::from(1), Int::from(-3)).signum(), -1);
    /// assert_eq!(Rational::zero().signum(), 0);
    /// ```
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }

    /// The greatest integer not above it.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert_eq!(Rational::new(Int::from(-3), Int::from(2)).floor(), Int::from(-2));
    /// assert_eq!(Rational::from(4).floor(), Int::from(4));
    /// ```
    pub fn floor(&self) -> Int {
        if self.is_integer() {
            self.numerator.clone()
        } else {
            self.numerator.div_floor(&self.denominator)
        }
    }

    /// The least integer not below it.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert_eq!(Rational::new(Int::from(-3), Int::from(2)).ceil(), Int::from(-1));
    /// assert_eq!(Rational::from(4).ceil(), Int::from(4));
    /// ```
    pub fn ceil(&self) -> Int {
        if self.is_integer() {
            self.numerator.clone()
        } else {
            self.numerator.div_ceil(&self.denominator)
        }
    }

    /// The absolute value.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Rational};
    /// assert_eq!(Rational::new(Int::from(-3), Int::from(2)).abs().to_string(), "3/2");
    /// ```
    pub fn abs(&self) -> Self {
        Rational { numerator: self.numerator.abs(), denominator: self.denominator.clone() }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::zero()
    }
}

impl From<Int> for Rational {
    fn from(value: Int) -> Self {
        Rational { numerator: value, denominator: Int::ONE }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Rational::from(Int::from(value))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational { numerator: -self.numerator, denominator: self.denominator }
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -self.clone()
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        let numerator = &self.numerator * &other.denominator + &other.numerator * &self.denominator;
        Rational::new(numerator, &self.denominator * &other.denominator)
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        Rational::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

/// # Panics
/// If the divisor is zero.
impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        Rational::new(&self.numerator * &other.denominator, &self.denominator * &other.numerator)
    }
}

macro_rules! by_value {
    ($($Op:ident $op:ident),*) => {$(
        impl $Op<Rational> for Rational {
            type Output = Rational;
            fn $op(self, other: Rational) -> Rational {
                (&self).$op(&other)
            }
        }
        impl $Op<&Rational> for Rational {
            type Output = Rational;
            fn $op(self, other: &Rational) -> Rational {
                (&self).$op(other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);
