//! Products of relations and sets, their factors, and the nesting of tuples.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::columns::{Part, conjoin_data, places};
use crate::core::error::{During, Result};
use crate::core::map::{Map, align_maps, first_dim};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::set_operations::nesting::{nest, tuples};

/// Two tuples side by side as one.
type Join = fn(&Tuple, &Tuple) -> Tuple;

impl Map {
    /// x -> [y -> z] for x -> y here and x -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let read = Map::parse("{ S[i] -> A[i] }")?;
    /// let write = Map::parse("{ S[i] -> B[2i] }")?;
    /// assert_eq!(read.range_product(&write)?.to_string(), "{ S[i] -> [A[i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let read = Map::parse("{ S[i] -> A[i]; S[i] -> A[i + 1] }")?;
    /// let write = Map::parse("{ S[i] -> B[2i] }")?;
    /// let both = read.range_product_within(&write, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [A[i] -> B[2i]]; S[i] -> [A[1 + i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_ranges(other, nest, "range_product", budget)
    }

    /// Like [`Map::range_product`], with a flat result.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let outer = Map::parse("{ S[i] -> [i] }")?;
    /// let inner = Map::parse("{ S[i] -> [0, 2i] }")?;
    /// assert_eq!(outer.flat_range_product(&inner)?.to_string(), "{ S[i] -> [i, 0, 2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        self.flat_range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::flat_range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let outer = Map::parse("{ S[i] -> [i] : i >= 0; S[i] -> [0] : i < 0 }")?;
    /// let inner = Map::parse("{ S[i] -> [2i] }")?;
    /// let both = outer.flat_range_product_within(&inner, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [i, 2i] : i >= 0; S[i] -> [0, 2i] : i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::flat_range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_ranges(other, Tuple::flat_concat, "flat_range_product", budget)
    }

    fn join_ranges(
        &self,
        other: &Self,
        join: Join,
        operation: &'static str,
        budget: &Budget,
    ) -> Result<Self> {
        let (input, left) = tuples(self, operation)?;
        let (other_input, right) = tuples(other, operation)?;
        if input != other_input {
            return self.space.mismatch(&other.space, operation);
        }
        let (a, b) = align_maps(self, other);
        let space = a.space.with_tuples(Some(input.clone()), Some(join(left, right)));
        let start = first_dim(&a);
        let common = start..start + input.n_dims();
        let first = common.end..common.end + left.n_dims();
        let second = first.end..first.end + right.n_dims();
        let n_params = a.n(DimKind::Param);
        let place = places(n_params, common.clone(), first);
        let other_place = places(n_params, common, second);
        a.conjoin_all(&b, &space, 0, [&place, &other_place], budget).during(operation)
    }

    /// [x -> y] -> z for x -> z here and y -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ T[j] -> A[j + 1] }")?;
    /// assert_eq!(a.domain_product(&b)?.to_string(), "{ [S[i] -> T[j = -1 + i]] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn domain_product(&self, other: &Self) -> Result<Self> {
        self.domain_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::domain_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[0]; S[i] -> A[1] }")?;
    /// let b = Map::parse("{ T[] -> A[0]; T[] -> A[1] }")?;
    /// let both = a.domain_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ [S[i] -> T[]] -> A[0]; [S[i] -> T[]] -> A[1] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::domain_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn domain_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_domains(other, nest, "domain_product", budget)
    }

    fn join_domains(
        &self,
        other: &Self,
        join: Join,
        operation: &'static str,
        budget: &Budget,
    ) -> Result<Self> {
        let (left, output) = tuples(self, operation)?;
        let (right, other_output) = tuples(other, operation)?;
        if output != other_output {
            return self.space.mismatch(&other.space, operation);
        }
        let (a, b) = align_maps(self, other);
        let space = a.space.with_tuples(Some(join(left, right)), Some(output.clone()));
        let start = first_dim(&a);
        let first = start..start + left.n_dims();
        let second = first.end..first.end + right.n_dims();
        let common = second.end..second.end + output.n_dims();
        let n_params = a.n(DimKind::Param);
        let place = places(n_params, first, common.clone());
        let other_place = places(n_params, second, common);
        a.conjoin_all(&b, &space, 0, [&place, &other_place], budget).during(operation)
    }

    /// Like [`Map::domain_product`], with a flat result.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ T[j] -> A[j + 1] }")?;
    /// assert_eq!(a.flat_domain_product(&b)?.to_string(), "{ [i, j = -1 + i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_domain_product(&self, other: &Self) -> Result<Self> {
        self.flat_domain_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::flat_domain_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ T[j] -> A[0]; T[j] -> A[j] }")?;
    /// let both = a.flat_domain_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ [i = 0, j] -> A[0]; [i, j = i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::flat_domain_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_domain_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_domains(other, Tuple::flat_concat, "flat_domain_product", budget)
    }

    /// [a -> b] -> [c -> d] from a -> c and b -> d.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ T[j] -> B[2j] }")?;
    /// assert_eq!(a.product(&b)?.to_string(), "{ [S[i] -> T[j]] -> [A[i] -> B[2j]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if one of them is a set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[i]; S[i] -> A[0] }")?;
    /// let b = Map::parse("{ T[] -> B[] }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(
    ///     pairs.to_string(),
    ///     "{ [S[i] -> T[]] -> [A[i] -> B[]]; [S[i] -> T[]] -> [A[0] -> B[]] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_both(other, nest, "product", budget)
    }

    /// Like [`Map::product`], with flat tuples.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ T[j] -> B[2j] }")?;
    /// assert_eq!(a.flat_product(&b)?.to_string(), "{ [i, j] -> [i, 2j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if one of them is a set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_product(&self, other: &Self) -> Result<Self> {
        self.flat_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::flat_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[i]; S[i] -> A[0] }")?;
    /// let b = Map::parse("{ T[j] -> B[2j] }")?;
    /// let pairs = a.flat_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.to_string(), "{ [i, j] -> [i, 2j]; [i, j] -> [0, 2j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::flat_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.join_both(other, Tuple::flat_concat, "flat_product", budget)
    }

    fn join_both(
        &self,
        other: &Self,
        join: Join,
        operation: &'static str,
        budget: &Budget,
    ) -> Result<Self> {
        let (a_in, a_out) = tuples(self, operation)?;
        let (b_in, b_out) = tuples(other, operation)?;
        let (a, b) = align_maps(self, other);
        let space = a.space.with_tuples(Some(join(a_in, b_in)), Some(join(a_out, b_out)));
        let start = first_dim(&a);
        let input_a = start..start + a_in.n_dims();
        let input_b = input_a.end..input_a.end + b_in.n_dims();
        let output_a = input_b.end..input_b.end + a_out.n_dims();
        let output_b = output_a.end..output_a.end + b_out.n_dims();
        let n_params = a.n(DimKind::Param);
        let place = places(n_params, input_a, output_a);
        let other_place = places(n_params, input_b, output_b);
        a.conjoin_all(&b, &space, 0, [&place, &other_place], budget).during(operation)
    }

    /// All pairs of `domain` and `range`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let domain = Set::parse("{ S[i] : i > 0 }")?;
    /// let range = Set::parse("{ A[0]; A[1] }")?;
    /// let pairs = Map::from_domain_and_range(&domain, &range)?;
    /// assert_eq!(pairs.to_string(), "{ S[i] -> A[0] : i > 0; S[i] -> A[1] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If one of them is a parameter set.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Result<Self> {
        Map::from_domain_and_range_within(domain, range, &Budget::for_one_call())
    }

    /// The same as [`Map::from_domain_and_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let domain = Set::parse("{ S[i] : i > 5 or i < 0 }")?;
    /// let range = Set::parse("{ A[0]; A[1] }")?;
    /// let pairs = Map::from_domain_and_range_within(&domain, &range, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.basic_maps().len(), 4);
    /// assert!(Map::from_domain_and_range_within(&domain, &range, &Budget::steps(1)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::from_domain_and_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn from_domain_and_range_within(
        domain: &Set,
        range: &Set,
        budget: &Budget,
    ) -> Result<Self> {
        let (a, b) = align_maps(&domain.0, &range.0);
        let (Some(input), Some(output)) = (a.space.output(), b.space.output()) else {
            return a.space.mismatch(&b.space, "from_domain_and_range");
        };
        let space = a.space.with_tuples(Some(input.clone()), Some(output.clone()));
        let start = first_dim(&a);
        let middle = start + input.n_dims();
        let n_params = a.n(DimKind::Param);
        let place = places(n_params, 0..0, start..middle);
        let other_place = places(n_params, 0..0, middle..middle + output.n_dims());
        a.conjoin_all(&b, &space, 0, [&place, &other_place], budget)
    }

    /// The identity on a set space.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 2));
    /// assert_eq!(Map::identity(&space).to_string(), "{ S[i0, i1] -> S[i0, i1] }");
    /// ```
    pub fn identity(space: &Space) -> Self {
        Map::identity_on(&Set::universe(space.clone()))
    }

    /// The pairs x -> x for x in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let set = Set::parse("{ S[i] : i > 0 }")?;
    /// assert_eq!(Map::identity_on(&set).to_string(), "{ S[i] -> S[i' = i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn identity_on(set: &Set) -> Self {
        let map = &set.0;
        let space = map.space.map_from_set();
        let place: Vec<usize> = (0..=map.space.n_all()).collect();
        let start = first_dim(map);
        let n = map.n(DimKind::Out);
        map.map_basics(space.clone(), |basic| {
            let part = Part { system: &basic.inner, place: &place };
            let mut data = conjoin_data(space.clone(), 0, &[part]);
            if !data.empty {
                for i in 0..n {
                    data.push_equal_columns(start + i, start + n + i);
                }
            }
            BasicMap::from_data(data)
        })
    }
}

impl Set {
    /// The cartesian product as wrapped pairs.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let a = Set::parse("{ S[i] : i > 0 }")?;
    /// let b = Set::parse("{ A[x] : x < 9 }")?;
    /// assert_eq!(a.product(&b)?.to_string(), "{ [S[i] -> A[x]] : i > 0 and x <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if one of them is a parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Set::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let a = Set::parse("{ S[0]; S[1] }")?;
    /// let b = Set::parse("{ A[x] : x > 0 }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.to_string(), "{ [S[0] -> A[x]] : x > 0; [S[1] -> A[x]] : x > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(Map::from_domain_and_range_within(self, other, budget).during("product")?.wrap())
    }

    /// The flat cartesian product.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let a = Set::parse("{ S[i] : i > 0 }")?;
    /// let b = Set::parse("{ A[x] : x < 9 }")?;
    /// assert_eq!(a.flat_product(&b)?.to_string(), "{ [i, x] : i > 0 and x <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if one of them is a parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_product(&self, other: &Self) -> Result<Self> {
        self.flat_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`Set::flat_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let a = Set::parse("{ S[0]; S[1] }")?;
    /// let b = Set::parse("{ A[x] : x > 0 }")?;
    /// let pairs = a.flat_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.to_string(), "{ [0, x] : x > 0; [1, x] : x > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::flat_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(self.product_within(other, budget).during("flat_product")?.flatten())
    }
}
