//! Lexicographic order of tuples.
//!
//! x is smaller than y if at some level `l` the first `l` components agree and `x_l < y_l`. The
//! levels exclude each other, so n dimensions give n disjoint pieces.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

/// Which pairs of a lexicographic order are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The pieces of an order in a map space between two copies of a tuple.
fn lex_order(space: Space, order: Order) -> Map {
    let n = space.n(DimKind::In);
    let start = 1 + space.n(DimKind::Param);
    let with_equal_prefix = |level: usize| {
        let mut data = BasicRelation::new(space.clone(), Vec::new());
        for i in 0..level {
            data.push_equal_columns(start + i, start + n + i);
        }
        data
    };
    let mut basics: Vec<BasicMap> = (0..n)
        .map(|level| {
            let mut data = with_equal_prefix(level);
            let (x, y) = (start + level, start + n + level);
            let row = match order {
                Order::Less | Order::LessOrEqual => data.difference_row(x, y, -1),
                Order::Greater | Order::GreaterOrEqual => data.difference_row(y, x, -1),
            };
            data.inequalities.push(row);
            BasicMap::from_data(data)
        })
        .collect();
    if matches!(order, Order::LessOrEqual | Order::GreaterOrEqual) {
        basics.push(BasicMap::from_data(with_equal_prefix(n)));
    }
    Map::collect(space, basics)
}

impl Map {
    /// { x -> y : x lexicographically smaller than y } on a set space.
    ///
    /// ```
    /// use loopwright_presburger::{Map, Space, Tuple};
    /// let order = Map::lex_lt(&Space::set(&[], Tuple::named("S", 3)));
    /// assert_eq!(order.basic_maps().len(), 3);
    /// ```
    pub fn lex_lt(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::Less)
    }

    /// { x -> y : x lexicographically smaller or equal }.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let order = Map::lex_le(&Space::set(&[], Tuple::named("S", 1)));
    /// assert_eq!(order.to_string(), "{ S[i0] -> S[o0] : o0 > i0; S[i0] -> S[i0] }");
    /// ```
    pub fn lex_le(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::LessOrEqual)
    }

    /// { x -> y : x lexicographically greater }.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let order = Map::lex_gt(&Space::set(&[], Tuple::anonymous(2)));
    /// assert_eq!(
    ///     order.to_string(),
    ///     "{ [i0, i1] -> [o0, o1] : o0 < i0; [i0, i1] -> [i0, o1] : o1 < i1 }"
    /// );
    /// ```
    pub fn lex_gt(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::Greater)
    }

    /// { x -> y : x lexicographically greater or equal }.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Space, Tuple};
    /// let order = Map::lex_ge(&Space::set(&[], Tuple::anonymous(1)));
    /// let expected = Map::parse("{ [i] -> [j] : j <= i }")?;
    /// assert!(order.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn lex_ge(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::GreaterOrEqual)
    }

    /// { x -> y : self(x) = other(y) } for equal ranges.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let write = Map::parse("{ S[i] -> A[2i] }")?;
    /// let read = Map::parse("{ T[j] -> A[j + 1] }")?;
    /// assert_eq!(write.eq_at_map(&read)?.to_string(), "{ S[i] -> T[j = -1 + 2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the ranges differ.
    pub fn eq_at_map(&self, other: &Self) -> Result<Self> {
        if self.space.output() != other.space.output() || !other.space.is_map() {
            return self.space.mismatch(&other.space, "eq_at_map");
        }
        self.apply_range(&other.reverse())
    }
}

impl Map {
    /// The pairs x -> y with self(x) and other(y) in an order.
    fn lex_map(&self, other: &Self, order: Order, operation: &'static str) -> Result<Self> {
        if self.space.output() != other.space.output() || !other.space.is_map() {
            return self.space.mismatch(&other.space, operation);
        }
        let order = lex_order(self.space.range().map_from_set(), order);
        self.apply_range(&order)?.apply_range(&other.reverse())
    }
}

impl Set {
    /// The pairs x -> y of an order with x in self and y in other.
    fn lex_set(&self, other: &Self, order: Order, operation: &'static str) -> Result<Map> {
        if self.space().output() != other.space().output() || self.space().is_params() {
            return self.space().mismatch(other.space(), operation);
        }
        let order = lex_order(self.space().map_from_set(), order);
        order.intersect_domain(self)?.intersect_range(other)
    }
}

/// One comparison on every type: of elements, of sets, and of the images of relations.
macro_rules! comparisons {
    ($($order:ident, $symbol:literal, $map:ident, $set:ident, $union_map:ident, $union_set:ident;)*) => {
        impl Map {$(
            #[doc = concat!("{ x -> y : self(x) ", $symbol, " other(y) lexicographically } for equal ranges.")]
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, Map};
            /// let first = Map::parse("{ S[i] -> [0, i] }")?;
            /// let second = Map::parse("{ T[j] -> [0, 2j] }")?;
            #[doc = concat!("let pairs = first.", stringify!($map), "(&second)?;")]
            #[doc = concat!("let expected = \"{ S[i] -> T[j] : i ", $symbol, " 2j }\";")]
            /// assert!(pairs.is_equal(&Map::parse(expected)?, &Budget::unlimited())?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ.
            pub fn $map(&self, other: &Self) -> Result<Self> {
                self.lex_map(other, Order::$order, stringify!($map))
            }
        )*}

        impl Set {$(
            #[doc = concat!("{ x -> y : x in self, y in other, x ", $symbol, " y lexicographically }.")]
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, Map, Set};
            /// let small = Set::parse("{ [i] : i <= 5 }")?;
            /// let large = Set::parse("{ [i] : i > 3 }")?;
            #[doc = concat!("let pairs = small.", stringify!($set), "(&large)?;")]
            #[doc = concat!("let order = Map::parse(\"{ [i] -> [j] : i ", $symbol, " j }\")?;")]
            /// let expected = order.intersect_domain(&small)?.intersect_range(&large)?;
            /// assert!(pairs.is_equal(&expected, &Budget::unlimited())?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ or are missing.
            pub fn $set(&self, other: &Self) -> Result<Map> {
                self.lex_set(other, Order::$order, stringify!($set))
            }
        )*}

        impl UnionMap {$(
            #[doc = concat!("{ x -> y : self(x) ", $symbol, " other(y) lexicographically } for images in equal spaces.")]
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, UnionMap};
            /// let schedule = UnionMap::parse("{ S[i] -> [i]; T[] -> A[] }")?;
            /// let other = UnionMap::parse("{ U[] -> [5]; V[] -> B[] }")?;
            #[doc = concat!("let pairs = schedule.", stringify!($union_map), "(&other)?;")]
            #[doc = concat!("let expected = \"{ S[i] -> U[] : i ", $symbol, " 5 }\";")]
            /// assert!(pairs.is_equal(&UnionMap::parse(expected)?, &Budget::unlimited())?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            #[doc = concat!("As for [`Map::", stringify!($map), "`].")]
            pub fn $union_map(&self, other: &Self) -> Result<Self> {
                self.with_all(other, |a, b| a.output() == b.output(), Map::$map)
            }
        )*}

        impl UnionSet {$(
            #[doc = concat!("{ x -> y : x in self, y in other, x ", $symbol, " y lexicographically } for equal spaces.")]
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
            /// let some = UnionSet::parse("{ A[i]; B[7] }")?;
            /// let others = UnionSet::parse("{ A[3]; C[i] }")?;
            #[doc = concat!("let pairs = some.", stringify!($union_set), "(&others)?;")]
            #[doc = concat!("let expected = \"{ A[i] -> A[3] : i ", $symbol, " 3 }\";")]
            /// assert!(pairs.is_equal(&UnionMap::parse(expected)?, &Budget::unlimited())?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            #[doc = concat!("As for [`Set::", stringify!($set), "`].")]
            pub fn $union_set(&self, other: &Self) -> Result<UnionMap> {
                let comparable = |a: &Space, b: &Space| a.output() == b.output() && !a.is_params();
                let compare = |a: &Map, b: &Map| Set(a.clone()).$set(&Set(b.clone()));
                self.0.with_all(&other.0, comparable, compare)
            }
        )*}
    };
}

comparisons! {
    Less, "<", lex_lt_map, lex_lt_set, lex_lt_union_map, lex_lt_union_set;
    LessOrEqual, "<=", lex_le_map, lex_le_set, lex_le_union_map, lex_le_union_set;
    Greater, ">", lex_gt_map, lex_gt_set, lex_gt_union_map, lex_gt_union_set;
    GreaterOrEqual, ">=", lex_ge_map, lex_ge_set, lex_ge_union_map, lex_ge_union_set;
}
