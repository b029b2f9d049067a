//! Lexicographic order of tuples.
//!
//! x is smaller than y if at some level `l` the first `l` components agree and `x_l < y_l`. The
//! levels exclude each other, so n dimensions give n disjoint pieces.
use crate::basic_map::BasicData;
use crate::*;

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
        let mut data = BasicData::new(space.clone(), Vec::new());
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
    pub fn lex_le(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::LessOrEqual)
    }

    /// { x -> y : x lexicographically greater }.
    pub fn lex_gt(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::Greater)
    }

    /// { x -> y : x lexicographically greater or equal }.
    pub fn lex_ge(space: &Space) -> Self {
        lex_order(space.map_from_set(), Order::GreaterOrEqual)
    }

    /// { x -> y : self(x) lexicographically smaller than other(y) } for equal ranges.
    ///
    /// # Errors
    /// If the ranges differ.
    pub fn lex_lt_map(&self, other: &Self) -> Result<Self> {
        if self.space.output() != other.space.output() || !other.space.is_map() {
            return self.space.mismatch(&other.space, "lex_lt_map");
        }
        let order = Map::lex_lt(&self.space.range());
        self.apply_range(&order)?.apply_range(&other.reverse())
    }

    /// { x -> y : self(x) = other(y) } for equal ranges.
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

impl Set {
    /// { x -> y : x in self, y in other, x < y lexicographically } for equal spaces.
    ///
    /// # Errors
    /// If the spaces differ.
    pub fn lex_lt_set(&self, other: &Self) -> Result<Map> {
        if self.space().output() != other.space().output() {
            return self.space().mismatch(other.space(), "lex_lt_set");
        }
        Map::lex_lt(self.space()).intersect_domain(self)?.intersect_range(other)
    }
}
