//! Operands and results of recorded operations.
use super::record::Quality;
use loopwright_presburger::{
    Aff, BasicMap, BasicSet, Closure, Int, Map, MultiAff, Optimum, PwAff, PwMultiAff,
    PwQPolynomial, Set, UnionMap, UnionSet,
};
use std::fmt;

/// An operand or a result. Basic sets and relations are unions of one piece.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A truth value.
    Bool(bool),
    /// The result of an optimization.
    Number(Extended),
    /// A set.
    Set(Set),
    /// A relation.
    Map(Map),
    /// A union of sets.
    UnionSet(UnionSet),
    /// A union of relations.
    UnionMap(UnionMap),
    /// A quasi-affine expression.
    Aff(Aff),
    /// A tuple of quasi-affine expressions.
    MultiAff(MultiAff),
    /// A piecewise quasi-affine expression.
    PwAff(PwAff),
    /// A piecewise tuple of quasi-affine expressions.
    PwMultiAff(PwMultiAff),
    /// A piecewise quasi-polynomial.
    PwQPolynomial(PwQPolynomial),
    /// A set of one element, or none.
    Point(Option<BasicSet>),
    /// A partial optimum, and the set without one.
    Partial(Box<Value>, Set),
    /// A transitive closure, and whether it is exact.
    Closure(Box<Value>, bool),
}

/// An integer or one that is not finite.
#[derive(Clone, Debug)]
pub(crate) enum Extended {
    /// A number.
    Finite(Int),
    /// Above all numbers.
    PositiveInfinity,
    /// Below all numbers.
    NegativeInfinity,
    /// The optimum of nothing.
    NotANumber,
}

impl Extended {
    /// A minimum.
    pub(crate) fn minimum(optimum: Optimum) -> Self {
        Extended::new(optimum, Extended::NegativeInfinity)
    }

    /// A maximum.
    pub(crate) fn maximum(optimum: Optimum) -> Self {
        Extended::new(optimum, Extended::PositiveInfinity)
    }

    fn new(optimum: Optimum, unbounded: Extended) -> Self {
        match optimum {
            Optimum::Empty => Extended::NotANumber,
            Optimum::Unbounded => unbounded,
            Optimum::At(value) => Extended::Finite(value),
        }
    }
}

impl fmt::Display for Extended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extended::Finite(value) => write!(f, "{value}"),
            Extended::PositiveInfinity => f.write_str("infty"),
            Extended::NegativeInfinity => f.write_str("-infty"),
            Extended::NotANumber => f.write_str("NaN"),
        }
    }
}

impl Value {
    /// Reads a text of a kind: `set`, `bmap`, `uset`, `pma` and so on; none for an unknown kind.
    pub(crate) fn parse(kind: &str, text: &str) -> Option<loopwright_presburger::Result<Self>> {
        Some(match kind {
            "set" | "bset" => Set::parse(text).map(Value::Set),
            "map" | "bmap" => Map::parse(text).map(Value::Map),
            "uset" => UnionSet::parse(text).map(Value::UnionSet),
            "umap" => UnionMap::parse(text).map(Value::UnionMap),
            "aff" => Aff::parse(text).map(Value::Aff),
            "maff" => MultiAff::parse(text).map(Value::MultiAff),
            "pa" => PwAff::parse(text).map(Value::PwAff),
            "pma" => PwMultiAff::parse(text).map(Value::PwMultiAff),
            _ => return None,
        })
    }

    /// How large it is.
    pub(crate) fn quality(&self) -> Quality {
        match self {
            Value::Set(set) => of_maps([set.as_map()]),
            Value::Map(map) => of_maps([map]),
            Value::UnionSet(union) => of_maps(union.sets().iter().map(Set::as_map)),
            Value::UnionMap(union) => of_maps(union.maps()),
            Value::PwAff(function) => of_pieces(function.pieces().len()),
            Value::PwMultiAff(function) => of_pieces(function.pieces().len()),
            Value::PwQPolynomial(function) => of_pieces(function.pieces().len()),
            Value::Partial(optimum, _) => optimum.quality(),
            Value::Closure(closure, _) => closure.quality(),
            _ => Quality::default(),
        }
    }
}

fn of_pieces(pieces: usize) -> Quality {
    Quality { pieces, ..Quality::default() }
}

fn of_maps<'a>(maps: impl IntoIterator<Item = &'a Map>) -> Quality {
    let mut quality = Quality::default();
    for basic in maps.into_iter().flat_map(Map::basic_maps) {
        quality.pieces += 1;
        quality.constraints += basic.equalities().len() + basic.inequalities().len();
        quality.locals += basic.locals().len();
    }
    quality
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(value) => write!(f, "{value}"),
            Value::Set(value) => write!(f, "{value}"),
            Value::Map(value) => write!(f, "{value}"),
            Value::UnionSet(value) => write!(f, "{value}"),
            Value::UnionMap(value) => write!(f, "{value}"),
            Value::Aff(value) => write!(f, "{value}"),
            Value::MultiAff(value) => write!(f, "{value}"),
            Value::PwAff(value) => write!(f, "{value}"),
            Value::PwMultiAff(value) => write!(f, "{value}"),
            Value::PwQPolynomial(value) => write!(f, "{value}"),
            Value::Point(None) => f.write_str("void"),
            Value::Point(Some(point)) => write!(f, "{point}"),
            Value::Partial(optimum, without) => write!(f, "{optimum} ;; {without}"),
            Value::Closure(closure, true) => write!(f, "{closure} ;; exact"),
            Value::Closure(closure, false) => write!(f, "{closure} ;; approx"),
        }
    }
}

macro_rules! conversions {
    ($($variant:ident),*) => { $(
        impl From<$variant> for Value {
            fn from(value: $variant) -> Self {
                Value::$variant(value)
            }
        }

        impl<'a> TryFrom<&'a Value> for &'a $variant {
            type Error = ();
            fn try_from(value: &'a Value) -> Result<Self, ()> {
                match value {
                    Value::$variant(value) => Ok(value),
                    _ => Err(()),
                }
            }
        }
    )* };
}

conversions!(Set, Map, UnionSet, UnionMap, Aff, MultiAff, PwAff, PwMultiAff, PwQPolynomial);

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<Extended> for Value {
    fn from(value: Extended) -> Self {
        Value::Number(value)
    }
}

impl From<BasicSet> for Value {
    fn from(value: BasicSet) -> Self {
        Value::Set(Set::from_basic_set(value))
    }
}

impl From<BasicMap> for Value {
    fn from(value: BasicMap) -> Self {
        Value::Map(Map::from_basic_map(value))
    }
}

impl From<(Map, Set)> for Value {
    fn from((optimum, without): (Map, Set)) -> Self {
        Value::Partial(Box::new(optimum.into()), without)
    }
}

impl From<(Set, Set)> for Value {
    fn from((optimum, without): (Set, Set)) -> Self {
        Value::Partial(Box::new(optimum.into()), without)
    }
}

impl<T: Into<Value>> From<Closure<T>> for Value {
    fn from(Closure { relation, is_exact }: Closure<T>) -> Self {
        Value::Closure(Box::new(relation.into()), is_exact)
    }
}
