//! Products of unions, their factors, and the nesting of tuples.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

impl UnionMap {
    /// x -> [y -> z] for x -> y here and x -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let reads = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let writes = UnionMap::parse("{ S[i] -> B[2i] }")?;
    /// assert_eq!(reads.range_product(&writes)?.to_string(), "{ S[i] -> [A[i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let reads = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let writes = UnionMap::parse("{ S[i] -> B[2i] }")?;
    /// let both = reads.range_product_within(&writes, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [A[i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.input() == b.input(),
            |a, b| a.range_product_within(b, budget),
        )
    }

    /// Like `range_product`, with a flat result.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let outer = UnionMap::parse("{ S[i] -> [0]; T[i] -> [1] }")?;
    /// let inner = UnionMap::parse("{ S[i] -> [i]; T[i] -> [2i] }")?;
    /// assert_eq!(
    ///     outer.flat_range_product(&inner)?.to_string(),
    ///     "{ S[i] -> [0, i]; T[i] -> [1, 2i] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        self.flat_range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::flat_range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let outer = UnionMap::parse("{ S[i] -> [0]; T[] -> [1] }")?;
    /// let inner = UnionMap::parse("{ S[i] -> [i]; T[] -> [0] }")?;
    /// let both = outer.flat_range_product_within(&inner, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [0, i]; T[] -> [1, 0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::flat_range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.input() == b.input(),
            |a, b| a.flat_range_product_within(b, budget),
        )
    }

    /// [x -> y] -> z for x -> z here and y -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[i] -> A[2i]; T[i] -> B[i] }")?;
    /// assert_eq!(a.domain_product(&b)?.to_string(), "{ [S[i] -> T[i']] -> A[2i'] : 2i' = i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn domain_product(&self, other: &Self) -> Result<Self> {
        self.domain_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::domain_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[] }")?;
    /// let b = UnionMap::parse("{ T[j] -> A[]; U[] -> B[] }")?;
    /// let both = a.domain_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ [S[i] -> T[j]] -> A[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::domain_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn domain_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.output() == b.output(),
            |a, b| a.domain_product_within(b, budget),
        )
    }

    /// [a -> b] -> [c -> d] from a -> c and b -> d.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[j] -> B[2j]; U[] -> B[0] }")?;
    /// assert_eq!(
    ///     a.product(&b)?.to_string(),
    ///     "{ [S[i] -> T[j]] -> [A[i] -> B[2j]]; [S[i] -> U[]] -> [A[i] -> B[0]] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[] -> B[]; U[] -> B[] }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.maps().len(), 2);
    /// assert!(a.product_within(&b, &Budget::steps(0)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |_, _| true, |a, b| a.product_within(b, budget))
    }

    /// The set of wrapped pairs.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> B[0] }")?;
    /// assert_eq!(union.wrap().to_string(), "{ [S[i] -> A[1 + i]]; [T[] -> B[0]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn wrap(&self) -> UnionSet {
        UnionSet(self.each(|map| map.wrap().0))
    }

    /// The relation [x -> y] -> x.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let expected = "{ [S[i] -> A[x]] -> S[i' = i] : 0 <= x <= i }";
    /// assert_eq!(union.domain_map().to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_map(&self) -> Self {
        self.each(Map::domain_map)
    }

    /// The relation [x -> y] -> y.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let expected = "{ [S[i] -> A[x]] -> A[x' = x] : 0 <= x <= i }";
    /// assert_eq!(union.range_map().to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range_map(&self) -> Self {
        self.each(Map::range_map)
    }

    /// The results for those relations whose tuple of a kind is nested.
    fn each_nested(&self, kind: DimKind, change: fn(&Map) -> Result<Map>) -> Result<Self> {
        let is_nested =
            |map: &&Map| map.space.tuple(kind).is_some_and(|tuple| tuple.as_nested().is_some());
        UnionMap::try_collect(&self.params, self.maps.iter().filter(is_nested).map(change))
    }

    /// ((x->y)->z) from (x->(y->z)); relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.uncurry()?.to_string(), "{ [S[i] -> A[i]] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn uncurry(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::uncurry)
    }

    /// (x->(y->z)) from ((x->y)->z); relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x]; T[] -> C[] }")?;
    /// assert_eq!(union.curry()?.to_string(), "{ S[i] -> [A[x] -> B[i + x]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn curry(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::curry)
    }

    /// From [a->b] -> c: a -> c; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x] : x >= 0; T[] -> C[] }")?;
    /// assert_eq!(union.domain_factor_domain()?.to_string(), "{ S[i] -> B[o0] : o0 >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn domain_factor_domain(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::domain_factor_domain)
    }

    /// From [a->b] -> c: b -> c; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x] : i >= 0; T[] -> C[] }")?;
    /// assert_eq!(union.domain_factor_range()?.to_string(), "{ A[x] -> B[o0] : o0 >= x }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn domain_factor_range(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::domain_factor_range)
    }

    /// From x -> [a->b]: x -> a; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.range_factor_domain()?.to_string(), "{ S[i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn range_factor_domain(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::range_factor_domain)
    }

    /// From x -> [a->b]: x -> b; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.range_factor_range()?.to_string(), "{ S[i] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn range_factor_range(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::range_factor_range)
    }

    /// x -> x for x in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let set = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let identity = UnionMap::identity_on(&set);
    /// assert_eq!(identity.to_string(), "{ S[i] -> S[i' = i] : i > 0; T[] -> T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn identity_on(set: &UnionSet) -> Self {
        set.0.each(|map| Map::identity_on(&Set(map.clone())))
    }

    /// All pairs.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let statements = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let arrays = UnionSet::parse("{ A[x] : x >= 0 }")?;
    /// let pairs = UnionMap::from_domain_and_range(&statements, &arrays)?;
    /// assert_eq!(pairs.to_string(), "{ S[i] -> A[x] : i > 0 and x >= 0; T[] -> A[x] : x >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> Result<Self> {
        UnionMap::from_domain_and_range_within(domain, range, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::from_domain_and_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let (a, b) = (UnionSet::parse("{ A[i] }")?, UnionSet::parse("{ B[j] }")?);
    /// let pairs = UnionMap::from_domain_and_range_within(&a, &b, &Budget::steps(1000))?;
    /// assert_eq!(pairs.to_string(), "{ A[i] -> B[j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::from_domain_and_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn from_domain_and_range_within(
        domain: &UnionSet,
        range: &UnionSet,
        budget: &Budget,
    ) -> Result<Self> {
        let pairs = |a: &Map, b: &Map| {
            Map::from_domain_and_range_within(&Set(a.clone()), &Set(b.clone()), budget)
        };
        domain.0.with_all(&range.0, |_, _| true, pairs)
    }
}

impl UnionSet {
    /// The relations inside the sets of wrapped pairs; other sets are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let pairs = UnionSet::parse("{ [S[i] -> A[i]] : i > 0; T[] }")?;
    /// assert_eq!(pairs.unwrap()?.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn unwrap(&self) -> Result<UnionMap> {
        let sets = self.sets().into_iter();
        let relations = sets.filter_map(|set| set.unwrap().ok());
        Ok(UnionMap::collect(self.0.params.clone(), relations))
    }

    /// [x -> y] for x here and y in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let statements = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let arrays = UnionSet::parse("{ A[0] }")?;
    /// assert_eq!(
    ///     statements.product(&arrays)?.to_string(),
    ///     "{ [S[i] -> A[0]] : i > 0; [T[] -> A[0]] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let b = UnionSet::parse("{ A[x] : x > 0; B[] }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.sets().len(), 4);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let pair = |a: &Map, b: &Map| {
            Set(a.clone()).product_within(&Set(b.clone()), budget).map(|set| set.0)
        };
        self.0.with_all(&other.0, |_, _| true, pair).map(UnionSet)
    }
}
