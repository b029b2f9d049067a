//! Traits that go by isl's notation: reading from text, short debug output, and, as a feature, serde.
use crate::core::basic_map::BasicMap;
use crate::core::basic_set::BasicSet;
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::multi_pw_aff::MultiPwAff;
use crate::functions::multi_union_pw_aff::MultiUnionPwAff;
use crate::functions::multi_val::MultiVal;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::functions::union_piecewise::{UnionPwAff, UnionPwMultiAff};
use crate::polynomials::fold::{PwQPolynomialFold, UnionPwQPolynomialFold};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use std::fmt;
use std::str::FromStr;

/// The traits of types that are read from text and printed as text.
macro_rules! text_traits {
    ($($name:ident),* $(,)?) => {$(
        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                $name::parse(text)
            }
        }

        impl TryFrom<&str> for $name {
            type Error = Error;

            fn try_from(text: &str) -> Result<Self> {
                $name::parse(text)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> std::result::Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                $name::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    )*};
}

text_traits!(
    Space,
    Map,
    Set,
    UnionMap,
    UnionSet,
    Aff,
    PwAff,
    MultiAff,
    PwMultiAff,
    MultiPwAff,
    MultiVal,
    UnionPwAff,
    UnionPwMultiAff,
    MultiUnionPwAff,
    PwQPolynomial,
    PwQPolynomialFold,
    UnionPwQPolynomial,
    UnionPwQPolynomialFold,
);

/// Debug output that is the type's name and its text.
macro_rules! short_debug {
    ($($name:ident),* $(,)?) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    )*};
}

short_debug!(Tuple, Space, BasicMap, BasicSet, Map, Set, UnionMap, UnionSet, Aff);
