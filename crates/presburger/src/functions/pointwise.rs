//! Arithmetic of one function, value by value: written once for all functions that are made of quasi-affine
//! expressions.
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::multi::{Member, Multi};
use crate::functions::multi_union_pw_aff::MultiUnionPwAff;
use crate::functions::piecewise::Piecewise;
use crate::functions::union_piecewise::UnionPiecewise;
use loopwright_exact::Int;

/// Functions that are made of quasi-affine expressions: in pieces, in tuples, over several spaces.
///
/// ```
/// # use loopwright_presburger::{Aff, AffineValues, MultiPwAff};
/// let f = MultiPwAff::parse("{ [i] -> A[((i) : i > 0), (2)] }")?;
/// let doubled = f.map_affs(&|aff: &Aff| aff.scale(&2.into()));
/// assert_eq!(doubled.to_string(), f.scale(&2.into()).to_string());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub trait AffineValues: Sized {
    /// The same function with every expression changed; its domain and its space stay.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, AffineValues, PwAff};
    /// let f = PwAff::parse("{ [i] -> [(i)] : i > 0 }")?;
    /// assert_eq!(f.map_affs(&Aff::neg).to_string(), "{ [i] -> [(-i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self;
}

impl AffineValues for Aff {
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self {
        change(self)
    }
}

impl<E: AffineValues + Member> AffineValues for Multi<E> {
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self {
        self.mapped(|member| member.map_affs(change))
    }
}

impl<E: AffineValues + Expression> AffineValues for Piecewise<E> {
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self {
        self.mapped(|value| value.map_affs(change))
    }
}

impl<E: AffineValues + Expression> AffineValues for UnionPiecewise<E> {
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self {
        self.mapped(|part| part.map_affs(change))
    }
}

impl AffineValues for MultiUnionPwAff {
    fn map_affs<F: Fn(&Aff) -> Aff>(&self, change: &F) -> Self {
        self.mapped(|member| member.map_affs(change))
    }
}

/// Arithmetic value by value. The example is a function with integer values.
macro_rules! pointwise {
    ([$($header:tt)*], $example:literal, $text:literal) => {
        $($header)* {
            /// The negated values.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::", $example, ";")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// assert_eq!(f.neg().neg().to_string(), f.to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn neg(&self) -> Self {
                self.map_affs(&Aff::neg)
            }

            /// The product with an integer.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::{Int, ", $example, "};")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// assert_eq!(f.scale(&Int::from(-1)).to_string(), f.neg().to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn scale(&self, factor: &Int) -> Self {
                self.map_affs(&|aff: &Aff| aff.scale(factor))
            }

            /// The quotient by an integer, not rounded.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::{Int, ", $example, "};")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// let three = &Int::from(3);
            /// assert_eq!(f.scale(three).scale_down(three).to_string(), f.to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn scale_down(&self, divisor: &Int) -> Self {
                self.map_affs(&|aff: &Aff| aff.scale_down(divisor))
            }

            /// Rounded down.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::", $example, ";")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// assert_eq!(f.floor().to_string(), f.to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn floor(&self) -> Self {
                self.map_affs(&Aff::floor)
            }

            /// Rounded up.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::", $example, ";")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// assert_eq!(f.ceil().to_string(), f.to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn ceil(&self) -> Self {
                self.map_affs(&Aff::ceil)
            }

            /// The remainder in `0..divisor`.
            ///
            /// ```
            #[doc = concat!("# use loopwright_presburger::{Int, ", $example, "};")]
            #[doc = concat!("let f = ", $example, "::parse(\"", $text, "\")?;")]
            /// assert_eq!(f.modulo(&Int::from(1)).to_string(), f.scale(&Int::from(0)).to_string());
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            pub fn modulo(&self, divisor: &Int) -> Self {
                self.map_affs(&|aff: &Aff| aff.modulo(divisor))
            }
        }
    };
}

pointwise!([impl<E: AffineValues + Member> Multi<E>], "MultiAff", "{ S[i] -> A[(i), (7)] }");
pointwise!(
    [impl<E: AffineValues + Expression> Piecewise<E>],
    "PwAff",
    "{ S[i] -> [(i)] : i > 0; S[i] -> [(7)] : i < 0 }"
);
pointwise!(
    [impl<E: AffineValues + Expression> UnionPiecewise<E>],
    "UnionPwAff",
    "{ S[i] -> [(i)]; T[] -> [(7)] }"
);
pointwise!([impl MultiUnionPwAff], "MultiUnionPwAff", "[{ S[i] -> [(i)]; T[] -> [(7)] }]");
