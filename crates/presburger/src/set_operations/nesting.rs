//! Nested tuples: relations as sets of pairs and back, their factors, and tuples without nesting.
use crate::core::basic_map::BasicMap;
use crate::core::columns::{Part, conjoin_data};
use crate::core::error::{Error, Result};
use crate::core::map::{Map, first_dim};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::set_operations::project::dim_columns;
use std::ops::Range;

impl Map {
    /// The set of wrapped pairs.
    ///
    /// A set stays as it is.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[i + 1] : i > 0 }")?;
    /// assert_eq!(map.wrap().to_string(), "{ [S[i] -> A[1 + i]] : i > 0 }");
    /// assert_eq!(map.wrap().unwrap()?.to_string(), map.to_string());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn wrap(&self) -> Set {
        if !self.space.is_map() {
            return Set(self.clone());
        }
        Set(self.with_space(self.space.wrap()))
    }

    /// The relation [x -> y] -> x for the pairs x -> y.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : x > i }")?;
    /// assert_eq!(map.domain_map().to_string(), "{ [S[i] -> A[x]] -> S[i' = i] : x > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_map(&self) -> Self {
        let columns = first_dim(self)..first_dim(self) + self.n(DimKind::In);
        self.pair_to_columns(self.space.input().cloned(), columns)
    }

    /// The relation [x -> y] -> y for the pairs x -> y.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : x > i }")?;
    /// assert_eq!(map.range_map().to_string(), "{ [S[i] -> A[x]] -> A[x' = x] : x > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range_map(&self) -> Self {
        let start = first_dim(self) + self.n(DimKind::In);
        let columns = start..start + self.n(DimKind::Out);
        self.pair_to_columns(self.space.output().cloned(), columns)
    }

    /// The relation from the wrapped pairs to a copy of some of their dimensions.
    fn pair_to_columns(&self, output: Option<Tuple>, columns: Range<usize>) -> Self {
        let wrapped = self.space.wrap();
        let space = wrapped.with_tuples(wrapped.output().cloned(), output);
        let place: Vec<usize> = (0..=self.space.n_all()).collect();
        let first_output = place.len();
        self.map_basics(space.clone(), |basic| {
            let part = Part { system: &basic.inner, place: &place };
            let mut data = conjoin_data(space.clone(), 0, &[part]);
            if !data.empty {
                for (i, column) in columns.clone().enumerate() {
                    data.push_equal_columns(column, first_output + i);
                }
            }
            BasicMap::from_data(data)
        })
    }

    /// ((x->y)->z) from (x->(y->z)).
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> [A[i] -> B[2i]] }")?;
    /// assert_eq!(map.uncurry()?.to_string(), "{ [S[i] -> A[i]] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the range is not a wrapped relation.
    pub fn uncurry(&self) -> Result<Self> {
        let (input, output) = tuples(self, "uncurry")?;
        let Some((y, z)) = output.as_nested() else {
            return not_nested("uncurry", &self.space);
        };
        let space = self.space.with_tuples(Some(nest(input, y)), Some(z.clone()));
        Ok(self.with_space(space))
    }

    /// (x->(y->z)) from ((x->y)->z).
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [S[i] -> A[x]] -> B[i + x] }")?;
    /// assert_eq!(map.curry()?.to_string(), "{ S[i] -> [A[x] -> B[i + x]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the domain is not a wrapped relation.
    pub fn curry(&self) -> Result<Self> {
        let (input, output) = tuples(self, "curry")?;
        let Some((x, y)) = input.as_nested() else {
            return not_nested("curry", &self.space);
        };
        let space = self.space.with_tuples(Some(x.clone()), Some(nest(y, output)));
        Ok(self.with_space(space))
    }

    /// From x->y pairs with wrapped domain [a->b] -> c: a -> c.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [S[i] -> A[x]] -> B[i] : x > 0 }")?;
    /// assert_eq!(map.domain_factor_domain()?.to_string(), "{ S[i] -> B[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the domain is not a wrapped relation.
    pub fn domain_factor_domain(&self) -> Result<Self> {
        self.factor(DimKind::In, true, "domain_factor_domain")
    }

    /// From [a->b] -> c: b -> c.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [S[i] -> A[x]] -> B[x] : 0 <= i <= x }")?;
    /// assert_eq!(map.domain_factor_range()?.to_string(), "{ A[x] -> B[x] : x >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the domain is not a wrapped relation.
    pub fn domain_factor_range(&self) -> Result<Self> {
        self.factor(DimKind::In, false, "domain_factor_range")
    }

    /// From x -> [a->b]: x -> a.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> [A[i] -> B[2i]] }")?;
    /// assert_eq!(map.range_factor_domain()?.to_string(), "{ S[i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the range is not a wrapped relation.
    pub fn range_factor_domain(&self) -> Result<Self> {
        self.factor(DimKind::Out, true, "range_factor_domain")
    }

    /// From x -> [a->b]: x -> b.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> [A[i] -> B[2i]] }")?;
    /// assert_eq!(map.range_factor_range()?.to_string(), "{ S[i] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the range is not a wrapped relation.
    pub fn range_factor_range(&self) -> Result<Self> {
        self.factor(DimKind::Out, false, "range_factor_range")
    }

    /// Keeps the first or the second half of a nested tuple.
    fn factor(&self, kind: DimKind, keep_first: bool, operation: &'static str) -> Result<Self> {
        let (input, output) = tuples(self, operation)?;
        let nested = if kind == DimKind::In { input } else { output };
        let Some((a, b)) = nested.as_nested() else {
            return not_nested(operation, &self.space);
        };
        let (kept, first, count) =
            if keep_first { (a, a.n_dims(), b.n_dims()) } else { (b, 0, a.n_dims()) };
        let space = match kind {
            DimKind::In => self.space.with_tuples(Some(kept.clone()), Some(output.clone())),
            _ => self.space.with_tuples(Some(input.clone()), Some(kept.clone())),
        };
        let columns = dim_columns(&self.space, kind, first, count);
        Ok(self.project_columns(space, columns))
    }

    /// Nested tuples flattened.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [S[i] -> A[x]] -> B[i + x] }")?;
    /// assert_eq!(map.flatten().to_string(), "{ [i, x] -> [i + x] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn flatten(&self) -> Self {
        let flat = |tuple: Option<&Tuple>| tuple.map(Tuple::flatten);
        let space = self.space.with_tuples(flat(self.space.input()), flat(self.space.output()));
        self.with_space(space)
    }
}

impl Set {
    /// The relation inside a set of wrapped pairs.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let pairs = Set::parse("{ [S[i] -> A[x]] : x > i }")?;
    /// assert_eq!(pairs.unwrap()?.to_string(), "{ S[i] -> A[x] : x > i }");
    /// assert!(Set::parse("{ S[i] }")?.unwrap().is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tuple is not a wrapped relation.
    pub fn unwrap(&self) -> Result<Map> {
        Ok(self.0.with_space(self.0.space.unwrap()?))
    }

    /// Nested tuples flattened.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ [S[i] -> A[x]] : x > i }")?;
    /// assert_eq!(set.flatten().to_string(), "{ [i, x] : x > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn flatten(&self) -> Self {
        Set(self.0.flatten())
    }
}

/// The error for a space without the tuples that an operation takes apart.
pub(crate) fn not_nested<T>(operation: &'static str, space: &Space) -> Result<T> {
    let reason = format!("{space} has not the nested tuples for this");
    Err(Error::Invalid { operation, reason })
}

pub(crate) fn nest(a: &Tuple, b: &Tuple) -> Tuple {
    Tuple::nested(a.clone(), b.clone())
}

pub(crate) fn tuples<'a>(map: &'a Map, operation: &'static str) -> Result<(&'a Tuple, &'a Tuple)> {
    match (map.space.input(), map.space.output()) {
        (Some(input), Some(output)) => Ok((input, output)),
        _ => Err(Error::Invalid { operation, reason: format!("{} is no relation", map.space) }),
    }
}
