//! Integers without bound, with a one-word fast path.
//!
//! Almost every coefficient of a polyhedral computation fits into one machine word, a few do not.
//! [`Int`] therefore keeps a word inline and moves to the heap only beyond it. The form is
//! canonical (a value that fits is always inline), so equality and hashing are structural. The
//! word never holds `i64::MIN`: negation, absolute value and division by -1 of an inline value
//! cannot overflow.
use dashu_int::IBig;
use dashu_int::ops::{Abs, DivEuclid, Gcd, RemEuclid};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// An exact integer: inline while it fits into an `i64`, on the heap beyond.
///
/// ```
/// use loopwright_exact::Int;
/// let a = Int::from(i64::MAX);
/// let b = &a + &Int::ONE;
/// assert_eq!(b.to_string(), "9223372036854775808");
/// assert_eq!(b - Int::ONE, a);
/// assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// A value that fits (never `i64::MIN`).
    Small(i64),
    /// A value that does not fit into `Small`.
    Large(Box<IBig>),
}

impl Int {
    /// The number 0.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(5) + Int::ZERO, Int::from(5));
    /// ```
    pub const ZERO: Int = Int::Small(0);
    /// The number 1.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(5) * Int::ONE, Int::from(5));
    /// ```
    pub const ONE: Int = Int::Small(1);
    /// The number -1.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(5) * Int::MINUS_ONE, Int::from(-5));
    /// ```
    pub const MINUS_ONE: Int = Int::Small(-1);

    /// The length of the magnitude in bits, in whole words.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-5).word_bits(), 64);
    /// let square = Int::from(i64::MAX) * Int::from(i64::MAX);
    /// assert_eq!(square.word_bits(), 128);
    /// ```
    pub fn word_bits(&self) -> u64 {
        match self {
            Int::Small(_) => 64,
            Int::Large(value) => 64 * value.as_sign_words().1.len() as u64,
        }
    }

    /// The canonical form of a big integer.
    #[cold]
    #[inline(never)]
    fn from_big(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(word) if word != i64::MIN => Int::Small(word),
            _ => Int::Large(Box::new(value)),
        }
    }

    #[cold]
    #[inline(never)]
    fn to_big(&self) -> IBig {
        match self {
            Int::Small(value) => IBig::from(*value),
            Int::Large(value) => (**value).clone(),
        }
    }

    /// Both as words, if both are.
    #[inline]
    fn words(&self, other: &Int) -> Option<(i64, i64)> {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => Some((*a, *b)),
            _ => None,
        }
    }

    /// The value as a word if it fits (and is not `i64::MIN`).
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// let most = Int::from(i64::MAX);
    /// assert_eq!(most.to_i64(), Some(i64::MAX));
    /// assert_eq!((most + Int::ONE).to_i64(), None);
    /// assert_eq!(Int::from(i64::MIN).to_i64(), None);
    /// ```
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(value) => Some(*value),
            Int::Large(_) => None,
        }
    }

    /// -1, 0 or 1.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-7).signum(), -1);
    /// assert_eq!(Int::from(10).pow(30).signum(), 1);
    /// ```
    #[inline]
    pub fn signum(&self) -> i32 {
        match self {
            Int::Small(value) => value.signum() as i32,
            Int::Large(value) if **value > IBig::ZERO => 1,
            Int::Large(_) => -1,
        }
    }

    /// Whether it is 0.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert!(Int::ZERO.is_zero());
    /// assert!(!Int::MINUS_ONE.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    /// Whether it is 1.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert!(Int::ONE.is_one());
    /// assert!(!Int::MINUS_ONE.is_one());
    /// ```
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self, Int::Small(1))
    }

    /// Whether it is less than 0.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert!(Int::from(-3).is_negative());
    /// assert!(!Int::ZERO.is_negative());
    /// ```
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether it is greater than 0.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert!(Int::from(3).is_positive());
    /// assert!(!Int::ZERO.is_positive());
    /// ```
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The absolute value.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-3).abs(), Int::from(3));
    /// // The magnitude of the least word is no word.
    /// assert_eq!(Int::from(i64::MIN).abs().to_string(), "9223372036854775808");
    /// ```
    #[inline]
    pub fn abs(&self) -> Int {
        match self {
            Int::Small(value) => Int::Small(value.abs()),
            Int::Large(value) => Int::from_big((**value).clone().abs()),
        }
    }

    /// The greatest integer not greater than `self / divisor`.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(7).div_floor(&Int::from(2)), Int::from(3));
    /// assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
    /// assert_eq!(Int::from(7).div_floor(&Int::from(-2)), Int::from(-4));
    /// ```
    ///
    /// # Panics
    /// If `divisor` is zero, as all divisions here.
    #[inline]
    pub fn div_floor(&self, divisor: &Int) -> Int {
        if let Some((a, b)) = self.words(divisor) {
            let (quotient, remainder) = (a / b, a % b);
            let below = remainder != 0 && (remainder < 0) != (b < 0);
            return Int::Small(quotient - i64::from(below));
        }
        let (a, b) = (self.to_big(), divisor.to_big());
        Int::from_big(if divisor.is_negative() { (-a).div_euclid(-b) } else { a.div_euclid(b) })
    }

    /// The least integer not less than `self / divisor`.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(7).div_ceil(&Int::from(2)), Int::from(4));
    /// assert_eq!(Int::from(-7).div_ceil(&Int::from(2)), Int::from(-3));
    /// ```
    #[inline]
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        -(-self).div_floor(divisor)
    }

    /// The remainder in `0..|divisor|`.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-7).rem_euclid(&Int::from(4)), Int::from(1));
    /// assert_eq!(Int::from(-7).rem_euclid(&Int::from(-4)), Int::from(1));
    /// ```
    #[inline]
    pub fn rem_euclid(&self, divisor: &Int) -> Int {
        match self.words(divisor) {
            Some((a, b)) => Int::Small(a.rem_euclid(b)),
            None => Int::from_big(IBig::from(self.to_big().rem_euclid(divisor.to_big()))),
        }
    }

    /// The remainder of the division that rounds down; it has the sign of the divisor.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-7).mod_floor(&Int::from(4)), Int::from(1));
    /// // -7 = 1 * -4 - 3, with the quotient rounded down.
    /// assert_eq!(Int::from(-7).mod_floor(&Int::from(-4)), Int::from(-3));
    /// ```
    #[inline]
    pub fn mod_floor(&self, divisor: &Int) -> Int {
        let remainder = self.rem_euclid(divisor);
        if divisor.is_negative() && !remainder.is_zero() { remainder + divisor } else { remainder }
    }

    /// The quotient, which the caller knows to be an integer.
    ///
    /// Faster than the other divisions on large values. What comes out where the division leaves a
    /// remainder is not specified.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-12).div_exact(&Int::from(4)), Int::from(-3));
    /// ```
    #[inline]
    pub fn div_exact(&self, divisor: &Int) -> Int {
        match self.words(divisor) {
            Some((a, b)) => {
                debug_assert!(a % b == 0, "division of {a} by {b} is not exact");
                Int::Small(a / b)
            }
            None => Int::from_big(self.to_big() / divisor.to_big()),
        }
    }

    /// Whether `divisor` divides it (zero divides only zero).
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert!(Int::from(12).is_divisible_by(&Int::from(-4)));
    /// assert!(!Int::from(12).is_divisible_by(&Int::from(5)));
    /// assert!(Int::ZERO.is_divisible_by(&Int::ZERO));
    /// ```
    #[inline]
    pub fn is_divisible_by(&self, divisor: &Int) -> bool {
        if divisor.is_zero() { self.is_zero() } else { self.rem_euclid(divisor).is_zero() }
    }

    /// The greatest common divisor, not negative; `gcd(0, 0) = 0`.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-12).gcd(&Int::from(18)), Int::from(6));
    /// assert_eq!(Int::ZERO.gcd(&Int::from(-5)), Int::from(5));
    /// ```
    #[inline]
    pub fn gcd(&self, other: &Int) -> Int {
        if let Some((a, b)) = self.words(other) {
            // Both are at most i64::MAX in magnitude, and so is the divisor.
            return Int::Small(gcd_u64(a.unsigned_abs(), b.unsigned_abs()) as i64);
        }
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other.abs(),
            (_, true) => self.abs(),
            _ => Int::from_big(IBig::from(self.to_big().gcd(other.to_big()))),
        }
    }

    /// The least common multiple, not negative; zero if an operand is zero.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(4).lcm(&Int::from(-6)), Int::from(12));
    /// assert_eq!(Int::from(4).lcm(&Int::ZERO), Int::ZERO);
    /// ```
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_exact(&self.gcd(other)) * other).abs()
    }

    /// `(g, x, y)` with `g = gcd(self, other) = x * self + y * other`.
    ///
    /// Euclid's algorithm: a number of divisions linear in the number of digits.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// let (g, x, y) = Int::from(12).extended_gcd(&Int::from(42));
    /// assert_eq!(g, Int::from(6));
    /// assert_eq!(x * Int::from(12) + y * Int::from(42), g);
    /// ```
    pub fn extended_gcd(&self, other: &Int) -> (Int, Int, Int) {
        let (mut r0, mut r1) = (self.clone(), other.clone());
        let (mut x0, mut x1) = (Int::ONE, Int::ZERO);
        let (mut y0, mut y1) = (Int::ZERO, Int::ONE);
        while !r1.is_zero() {
            let quotient = r0.div_floor(&r1);
            (r0, r1) = (r1.clone(), r0 - &quotient * &r1);
            (x0, x1) = (x1.clone(), x0 - &quotient * &x1);
            (y0, y1) = (y1.clone(), y0 - quotient * y1);
        }
        if r0.is_negative() { (-r0, -x0, -y0) } else { (r0, x0, y0) }
    }

    /// `self` to the power of `exponent`.
    ///
    /// ```
    /// # use loopwright_exact::Int;
    /// assert_eq!(Int::from(-2).pow(3), Int::from(-8));
    /// assert_eq!(Int::from(10).pow(20).to_string(), "100000000000000000000");
    /// assert_eq!(Int::ZERO.pow(0), Int::ONE);
    /// ```
    pub fn pow(&self, exponent: u32) -> Int {
        match self.to_i64().and_then(|value| value.checked_pow(exponent)) {
            Some(power) => Int::from(power),
            None => Int::from_big(self.to_big().pow(exponent as usize)),
        }
    }
}

/// The greatest common divisor by Stein's binary algorithm.
#[inline]
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a <= 1 || b <= 1 {
        return if a == 0 || b == 0 { a | b } else { 1 };
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

/// The greatest common divisor of double words; falls to [`gcd_u64`] as soon as both fit.
pub(crate) fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Default for Int {
    fn default() -> Self {
        Int::ZERO
    }
}

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Self {
        if value == i64::MIN { Int::from_big(IBig::from(value)) } else { Int::Small(value) }
    }
}

impl From<i128> for Int {
    #[inline]
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(word) => Int::from(word),
            Err(_) => Int::from_big(IBig::from(value)),
        }
    }
}

macro_rules! from_primitive {
    ($($small:ty),*) => {$(
        impl From<$small> for Int {
            #[inline]
            fn from(value: $small) -> Self {
                // Every type listed here fits into an i128.
                Int::from(value as i128)
            }
        }
    )*};
}
from_primitive!(i8, i16, i32, u8, u16, u32, u64, usize, isize);

impl From<&Int> for Int {
    fn from(value: &Int) -> Self {
        value.clone()
    }
}

impl PartialEq<i64> for Int {
    fn eq(&self, other: &i64) -> bool {
        self.to_i64() == Some(*other)
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Large(a), Int::Large(b)) => a.cmp(b),
            // A value beyond one word lies on the far side of every word.
            (Int::Small(_), Int::Large(_)) => 0.cmp(&other.signum()),
            (Int::Large(_), Int::Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(value) => value.fmt(f),
            Int::Large(value) => value.fmt(f),
        }
    }
}

/// A text that is not a decimal integer.
///
/// ```
/// # use loopwright_exact::{Int, ParseIntError};
/// assert_eq!("12".parse::<Int>(), Ok(Int::from(12)));
/// assert_eq!("1.5".parse::<Int>(), Err(ParseIntError));
/// assert_eq!(ParseIntError.to_string(), "not a decimal integer");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for ParseIntError {}

impl FromStr for Int {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        match text.parse::<i64>() {
            Ok(value) => Ok(Int::from(value)),
            Err(_) => {
                let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(ParseIntError);
                }
                text.parse::<IBig>().map(Int::from_big).map_err(|_| ParseIntError)
            }
        }
    }
}

impl Neg for Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match self {
            Int::Small(value) => Int::Small(-value),
            Int::Large(value) => Int::from_big(-*value),
        }
    }
}

impl Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match self {
            Int::Small(value) => Int::Small(-value),
            Int::Large(value) => Int::from_big(-(**value).clone()),
        }
    }
}

macro_rules! operator {
    ($Op:ident, $op:ident, $Assign:ident, $assign:ident, $checked:ident, $symbol:tt) => {
        impl $Op<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: &Int) -> Int {
                if let Some((a, b)) = self.words(other)
                    && let Some(value) = a.$checked(b)
                    && value != i64::MIN
                {
                    return Int::Small(value);
                }
                Int::from_big(self.to_big() $symbol other.to_big())
            }
        }
        impl $Op<Int> for Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: Int) -> Int {
                &self $symbol &other
            }
        }
        impl $Op<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: &Int) -> Int {
                &self $symbol other
            }
        }
        impl $Op<Int> for &Int {
            type Output = Int;
            #[inline]
            fn $op(self, other: Int) -> Int {
                self $symbol &other
            }
        }
        impl $Assign<&Int> for Int {
            #[inline]
            fn $assign(&mut self, other: &Int) {
                *self = &*self $symbol other;
            }
        }
        impl $Assign<Int> for Int {
            #[inline]
            fn $assign(&mut self, other: Int) {
                *self = &*self $symbol &other;
            }
        }
    };
}
operator!(Add, add, AddAssign, add_assign, checked_add, +);
operator!(Sub, sub, SubAssign, sub_assign, checked_sub, -);
operator!(Mul, mul, MulAssign, mul_assign, checked_mul, *);

impl std::iter::Sum for Int {
    fn sum<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |sum, value| sum + value)
    }
}
