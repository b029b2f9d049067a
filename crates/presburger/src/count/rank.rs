//! Ranks of elements in an order, and elements by their ranks.
//!
//! # Method
//! The elements before `x` fall into disjoint parts by the first dimension in which they differ: for every
//! `k` those with `y_1 = x_1, ..., y_{k-1} = x_{k-1}` and `y_k < x_k`. All parts are counted over the
//! elements of the set (Clauss and Meister, "Automatic memory layout transformations to optimize spatial
//! locality in parameterized loop nests", 2000), over which sums up to just below a value need no case
//! distinction.
//!
//! The way back goes from the first dimension to the last: `x_k` is the greatest value with no more elements
//! before it than the rank that is left, found by bisection (Clauss, Altıntaş and Kuhn, "Automatic collapsing
//! of non-rectangular loops", IPDPS 2017, have closed forms in place of the search).
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::core::union_map::UnionMap;
use crate::count::pieces::merged;
use crate::count::sum::{added, one, sum_over_images};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use crate::solve::optimum::Optimum;
use loopwright_exact::Int;

const RANK: &str = "rank";
const UNRANK: &str = "unrank";

/// The number of images in a relation of disjoint pieces with known floors, zero elsewhere on `domain`.
fn counted_on(domain: &Set, images: &Map, budget: &Budget) -> Result<PwQPolynomial> {
    let start = budget.used();
    let counted = sum_over_images(images, &one(images.space()), domain.space(), budget)?;
    let rest = domain.subtract(&counted.domain(), budget)?.coalesce(budget)?;
    let counted = match rest.is_empty(budget)? {
        true => counted,
        false => {
            let zero = PwQPolynomial::on_domain(rest, QPolynomial::zero(domain.space()));
            counted.union_disjoint(&zero)?
        }
    };
    let PwQPolynomial { space, pieces } = merged(counted, budget.used() - start, budget)?;
    let short =
        |(domain, rank): (Set, QPolynomial)| Ok((domain.remove_redundancies(budget)?, rank));
    Ok(PwQPolynomial { space, pieces: pieces.into_iter().map(short).collect::<Result<_>>()? })
}

/// The pieces of a relation or set, disjoint and with known floors.
fn separated(map: &Map, budget: &Budget) -> Result<Map> {
    map.coalesce(budget)?.make_disjoint(budget)?.make_locals_explicit(budget)
}

impl Set {
    /// The number of elements before each element in lexicographic order: 0 for the first one.
    ///
    /// The result is defined on the elements of the set; it is infinite where infinitely many come before.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let triangle = Set::parse("[n] -> { S[i, j] : 0 <= j <= i < n }")?;
    /// let rank = triangle.rank(budget)?;
    /// assert_eq!(rank.to_string(), "[n] -> { S[i, j] -> (1/2*i^2 + 1/2*i + j) : i < n and 0 <= j <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`]: there are as many counts as dimensions, each as hard as that of the set.
    pub fn rank(&self, budget: &Budget) -> Result<PwQPolynomial> {
        let elements = separated(&self.0, budget).during(RANK)?;
        let elements = Set(elements);
        let pairs = Map::from_domain_and_range_within(&elements, &elements, budget).during(RANK)?;
        let before = pairs.intersect_within(&Map::lex_gt(self.space()), budget).during(RANK)?;
        counted_on(&elements, &before, budget).during(RANK)
    }
}

impl UnionMap {
    /// The number of elements that a schedule executes before each element of its domain.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let schedule = UnionMap::parse("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }")?;
    /// let rank = schedule.rank(&Budget::unlimited())?;
    /// assert_eq!(
    ///     rank.to_string(),
    ///     "[n] -> { S[i] -> (2*i) : 0 <= i < n; T[i] -> (2*i + 1) : 0 <= i < n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the times are tuples of different spaces, or if two elements have the same time
    /// or one has two; [`Error::Exceeded`].
    pub fn rank(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        let invalid =
            |reason: &str| Err(Error::Invalid { operation: RANK, reason: reason.to_owned() });
        let Some(first) = self.maps().first() else { return Ok(UnionPwQPolynomial::empty()) };
        let times = first.space().range();
        if self.maps().iter().any(|map| map.space().output() != times.output()) {
            return invalid("the times are in different spaces");
        }
        if !self.is_bijective(budget).during(RANK)? {
            return invalid("an element and a time belong together in several ways");
        }
        let order = Map::lex_gt(&times);
        let mut ranks = Vec::new();
        for map in self.maps() {
            let later = map.apply_range_within(&order, budget).during(RANK)?;
            let domain = Set(separated(&map.domain().0, budget).during(RANK)?);
            for other in self.maps() {
                let before = later.apply_range_within(&other.reverse(), budget).during(RANK)?;
                let before = separated(&before, budget).during(RANK)?;
                ranks.push(counted_on(&domain, &before, budget));
            }
        }
        added(ranks.into_iter(), budget).during(RANK)
    }
}

/// The elements of a set in lexicographic order, by their ranks.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, Ranking, Set};
/// let budget = &Budget::unlimited();
/// let triangle = Set::parse("[n] -> { [i, j] : 0 <= j <= i < n }")?;
/// let ranking = Ranking::new(&triangle, budget)?;
/// let n = [Int::from(1_000_000)];
/// let found = ranking.element(&Int::from(500), &n, budget)?;
/// assert_eq!(found, Some(vec![Int::from(31), Int::from(4)]));
/// assert_eq!(ranking.element(&Int::from(-1), &n, budget)?, None);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranking {
    set: Set,
    /// For each dimension, the number of elements with the same values of the dimensions before it
    /// and a smaller value there: a function of these dimensions, of any integer in the last one.
    before: Vec<PwQPolynomial>,
}

impl Ranking {
    /// Counts what is needed to find elements by their ranks.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Ranking, Set};
    /// let interval = Set::parse("[n] -> { [i] : 3 <= i < n }")?;
    /// let ranking = Ranking::new(&interval, &Budget::unlimited())?;
    /// assert_eq!(ranking.before().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn new(set: &Set, budget: &Budget) -> Result<Self> {
        let set = Set(separated(&set.0, budget).during(UNRANK)?);
        let smaller = |dimension| smaller(&set, dimension, budget).during(UNRANK);
        let before = (0..set.n_dims()).map(smaller).collect::<Result<_>>()?;
        Ok(Ranking { set, before })
    }

    /// For each dimension, the number of elements that agree with the values of the dimensions before it and
    /// have a smaller value there, as a function of the dimensions up to it; their sum is the rank.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Ranking, Set};
    /// let square = Set::parse("{ [i, j] : 0 <= i, j < 10 }")?;
    /// let ranking = Ranking::new(&square, &Budget::unlimited())?;
    /// let expected = "{ [i0] -> (100) : i0 >= 11; [i0] -> (10*i0) : 0 < i0 <= 10 }";
    /// assert_eq!(ranking.before()[0].to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn before(&self) -> &[PwQPolynomial] {
        &self.before
    }

    /// The element of a rank, for values of the parameters; none if there are not so many elements.
    ///
    /// *Cost.* An integer bisection per dimension: the logarithm of its extent, in evaluations.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Ranking, Set};
    /// let budget = &Budget::unlimited();
    /// let even = Set::parse("{ [i] : 0 <= i < 10 and i mod 2 = 0 }")?;
    /// let ranking = Ranking::new(&even, budget)?;
    /// assert_eq!(ranking.element(&Int::from(3), &[], budget)?, Some(vec![Int::from(6)]));
    /// assert_eq!(ranking.element(&Int::from(5), &[], budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the number of parameters is another one or infinitely many elements agree up to
    /// some dimension, [`Error::Exceeded`].
    pub fn element(
        &self,
        rank: &Int,
        parameters: &[Int],
        budget: &Budget,
    ) -> Result<Option<Vec<Int>>> {
        if parameters.len() != self.set.n(DimKind::Param) {
            let reason = format!("{} parameters", parameters.len());
            return Err(Error::Invalid { operation: UNRANK, reason });
        }
        if rank.signum() < 0 {
            return Ok(None);
        }
        let mut rest = rank.clone();
        let mut point = parameters.to_vec();
        let fixed = |set: Set, (index, value)| set.fix(DimKind::Param, index, value);
        let mut slice = parameters.iter().enumerate().fold(self.set.clone(), fixed);
        for (dimension, before) in self.before.iter().enumerate() {
            let least = slice.dim_min_val(DimKind::Out, dimension, budget).during(UNRANK)?;
            let most = slice.dim_max_val(DimKind::Out, dimension, budget).during(UNRANK)?;
            let (Optimum::At(least), Optimum::At(most)) = (&least, &most) else {
                return match least {
                    Optimum::Empty => Ok(None),
                    _ => Err(infinite()),
                };
            };
            let count = |value: &Int| count_below(before, &point, value, budget);
            let Some((value, earlier)) = greatest(least, most, &rest, count)? else {
                return Ok(None);
            };
            rest -= &earlier;
            slice = slice.fix(DimKind::Out, dimension, &value);
            point.push(value);
        }
        let is_found = rest.is_zero() && !slice.is_empty(budget).during(UNRANK)?;
        Ok(is_found.then(|| point.split_off(parameters.len())))
    }
}

fn infinite() -> Error {
    let reason = "infinitely many elements agree in the dimensions before one".to_owned();
    Error::Invalid { operation: UNRANK, reason }
}

/// The number of elements with the dimensions of `prefix` and a smaller value in the next one.
fn count_below(
    before: &PwQPolynomial,
    prefix: &[Int],
    value: &Int,
    budget: &Budget,
) -> Result<Int> {
    let point = [prefix, std::slice::from_ref(value)].concat();
    before.eval(&point, budget).during(UNRANK)?.to_int().ok_or_else(infinite)
}

/// The greatest value from `least` to `most` with at most `rank` elements before it, and their number; none
/// if there are no more elements.
fn greatest(
    least: &Int,
    most: &Int,
    rank: &Int,
    count: impl Fn(&Int) -> Result<Int>,
) -> Result<Option<(Int, Int)>> {
    let end = most + &Int::ONE;
    if count(&end)? <= *rank {
        return Ok(None);
    }
    let (mut low, mut high, mut found) = (least.clone(), end, Int::ZERO);
    while &high - &low > Int::ONE {
        let middle = (&low + &high).div_floor(&Int::from(2));
        let earlier = count(&middle)?;
        match earlier <= *rank {
            true => (low, found) = (middle, earlier),
            false => high = middle,
        }
    }
    Ok(Some((low, found)))
}

/// `{ [x_1, ..., x_k] : number of elements y with y_i = x_i for i < k and y_k < x_k }`.
fn smaller(set: &Set, dimension: usize, budget: &Budget) -> Result<PwQPolynomial> {
    let prefix = Space::set(set.space().param_names(), Tuple::anonymous(dimension + 1));
    let mut pairs = Map::universe(prefix.map_to(set.space()));
    for equal in 0..dimension {
        pairs = pairs.equate(DimKind::In, equal, DimKind::Out, equal);
    }
    let pairs = pairs.order_lt(DimKind::Out, dimension, DimKind::In, dimension);
    let pairs = pairs.intersect_range_within(set, budget)?;
    let start = budget.used();
    let sum = sum_over_images(&pairs, &one(pairs.space()), &prefix, budget)?;
    merged(sum, budget.used() - start, budget)
}
