//! Relations: finite unions of basic relations in one space.
//!
//! The operations live in files named after what they do: [`crate::set_operations::compose`],
//! [`crate::set_operations::product`], [`crate::set_operations::project`],
//! [`crate::set_operations::lex_order`] and so on. Here are the constructors, the accessors and the Boolean
//! operations that need no case distinction.
use crate::core::align_parameters::param_places;
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::columns::{Part, conjoin, differ, fixed_columns, permute};
use crate::core::error::{During, Result};
use crate::core::space::{DimKind, Space};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::collections::HashMap;

/// With more pairs of pieces than this, equal pieces are looked up instead of compared with all others.
const MAX_COMPARISONS: usize = 1000;

/// The pieces of a union; most unions have one or two, which stand in the union itself.
pub(crate) type Pieces = SmallVec<[BasicMap; 2]>;

/// A finite union of basic relations in one space.
///
/// No piece is known to be empty, and all have the same parameters in the same order.
///
/// *Cost.* Intersections, products and compositions conjoin every pair of pieces; differences may
/// take longer, see [`Map::subtract`].
///
/// ```
/// # use loopwright_presburger::Map;
/// let access = Map::parse("[n] -> { S[i] -> A[2i + 1] : 0 <= i < n }")?;
/// assert_eq!(access.domain().to_string(), "[n] -> { S[i] : 0 <= i < n }");
/// assert_eq!(
///     access.reverse().to_string(),
///     "[n] -> { A[i0] -> S[i] : 2i = -1 + i0 and 0 <= i < n }"
/// );
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Map {
    pub(crate) space: Space,
    pub(crate) basics: Pieces,
}

impl Map {
    /// All of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 1));
    /// assert_eq!(Map::universe(space).to_string(), "{ S[i0] -> A[o0] }");
    /// ```
    pub fn universe(space: Space) -> Self {
        Map { basics: smallvec![BasicMap::universe(space.clone())], space }
    }

    /// Nothing of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 1));
    /// assert!(Map::empty(space).plain_is_empty());
    /// ```
    pub fn empty(space: Space) -> Self {
        Map { space, basics: Pieces::new() }
    }

    /// The single piece as a union.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let basic = Map::parse("{ S[i] -> A[x] : x >= i }")?.basic_maps()[0].clone();
    /// assert_eq!(Map::from_basic_map(basic).to_string(), "{ S[i] -> A[x] : x >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_basic_map(basic: BasicMap) -> Self {
        Map::collect(basic.space().clone(), [basic])
    }

    /// The union of pieces in one space.
    ///
    /// The parameters of every piece are aligned to those of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : x > i or x < i }")?;
    /// let first = Map::from_basic_maps(map.space().clone(), map.basic_maps()[..1].to_vec());
    /// assert_eq!(first.to_string(), "{ S[i] -> A[x] : x > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_basic_maps(space: Space, basics: Vec<BasicMap>) -> Self {
        let aligned = basics.into_iter().map(|basic| basic.align_params(&space));
        Map::collect(space.clone(), aligned)
    }

    /// The union of pieces that are in `space` already; known empty ones are left out.
    pub(crate) fn collect(space: Space, basics: impl IntoIterator<Item = BasicMap>) -> Self {
        let basics = basics.into_iter().filter(|basic| !basic.plain_is_empty()).collect();
        Map { space, basics }
    }

    /// Every piece changed in the same way; the results are in `space`.
    pub(crate) fn map_basics(
        &self,
        space: Space,
        change: impl FnMut(&BasicMap) -> BasicMap,
    ) -> Self {
        Map::collect(space, self.basics.iter().map(change))
    }

    /// The same points without pieces all of whose constraints another piece has, or stricter ones.
    /// Pieces that differ in dimensions only become such when these are projected out.
    pub(crate) fn without_plainly_contained(mut self) -> Self {
        let n = self.basics.len();
        if n < 2 || n.saturating_mul(n) > MAX_COMPARISONS {
            return self;
        }
        let mut kept = Pieces::new();
        for basic in std::mem::take(&mut self.basics) {
            if kept.iter().any(|known| known.plainly_contains(&basic)) {
                continue;
            }
            kept.retain(|known| !basic.plainly_contains(known));
            kept.push(basic);
        }
        Map { basics: kept, ..self }
    }

    /// The conjunction of every piece here with every piece of `other` in `space`.
    ///
    /// The parameters agree; the places say where the columns of the pieces go. Pairs that fix a
    /// column at different values are passed over. A piece that
    /// plainly lies in a piece of the other side is kept as it is, and only once: its conjunctions
    /// with further pieces are parts of it. Repeated restrictions to the same union therefore do
    /// not multiply the pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) if the budget does not suffice for all pairs of pieces.
    pub(crate) fn conjoin_all(
        &self,
        other: &Self,
        space: &Space,
        n_unknown: usize,
        [place, other_place]: [&[usize]; 2],
        budget: &Budget,
    ) -> Result<Self> {
        const OPERATION: &str = "a conjunction of unions";
        let n_pairs = self.basics.len().saturating_mul(other.basics.len());
        let absorbs = n_pairs > 1 && n_unknown == 0;
        let is_whole = |both: &BasicMap, piece: &BasicMap, place: &[usize]| {
            absorbs && both.is_placed(piece, space, place)
        };
        let fixed = (n_pairs > 1).then(|| {
            (fixed_columns(&self.basics, place), fixed_columns(&other.basics, other_place))
        });
        let mut is_kept = vec![false; other.basics.len()];
        let (mut basics, mut n_words) = (Pieces::new(), 0);
        for (at, a) in self.basics.iter().enumerate() {
            let first = basics.len();
            for (other_at, b) in other.basics.iter().enumerate() {
                if is_kept[other_at] {
                    continue;
                }
                budget.spend_on([&*a.inner, &*b.inner], OPERATION).during_part(
                    OPERATION,
                    at,
                    self.basics.len(),
                )?;
                if fixed.as_ref().is_some_and(|(own, others)| differ(&own[at], &others[other_at])) {
                    continue;
                }
                let parts = [
                    Part { system: &a.inner, place },
                    Part { system: &b.inner, place: other_place },
                ];
                let both = conjoin(space.clone(), n_unknown, &parts);
                if is_whole(&both, a, place) {
                    basics.truncate(first);
                    basics.push(both);
                    break;
                }
                is_kept[other_at] = is_whole(&both, b, other_place);
                if !both.plain_is_empty() {
                    n_words += both.inner.words();
                    budget.keep(n_words, OPERATION)?;
                    basics.push(both);
                }
            }
        }
        Ok(Map { space: space.clone(), basics })
    }

    /// The pieces.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : x > i or x < i }")?;
    /// assert_eq!(map.basic_maps().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn basic_maps(&self) -> &[BasicMap] {
        &self.basics
    }

    /// Whether both are written down in the same way: the same pieces, with the same conditions, in the same
    /// order. Maps of which that does not hold may be equal.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : x > i or x < i }")?;
    /// assert!(map.plain_is_equal(&map.clone()));
    /// assert!(!map.plain_is_equal(&Map::parse("{ S[i] -> A[x] : x > i }")?));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        let (own, others) = (self.basic_maps(), other.basic_maps());
        own.len() == others.len() && own.iter().zip(others).all(|(a, b)| a.plain_is_equal(b))
    }

    /// The space.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// assert_eq!(map.space().to_string(), "[n] -> { S[i] -> A[i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// assert!(Map::parse("{ S[i] -> A[i] : i > 0 and i < 0 }")?.plain_is_empty());
    /// assert!(!Map::parse("{ S[i] -> A[i] }")?.plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.basics.iter().all(BasicMap::plain_is_empty)
    }

    /// Whether some piece obviously has no constraint.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// assert!(Map::parse("{ S[i] -> A[x] }")?.plain_is_universe());
    /// assert!(!Map::parse("{ S[i] -> A[i] }")?.plain_is_universe());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_universe(&self) -> bool {
        self.basics.iter().any(BasicMap::plain_is_universe)
    }

    /// The number of dimensions of a kind (0 for locals, which belong to the pieces).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("[n] -> { S[i] -> A[i, i + n] }")?;
    /// assert_eq!([DimKind::Param, DimKind::In, DimKind::Out].map(|kind| map.n(kind)), [1, 1, 2]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n(&self, kind: DimKind) -> usize {
        self.space.n(kind)
    }

    /// The position of a parameter, or none.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n, m] -> { S[i] -> A[i + m] }")?;
    /// assert_eq!((map.find_param("m"), map.find_param("i")), (Some(1), None));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.space.find_param(name)
    }

    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[x] : x >= i }")?;
    /// let b = Map::parse("[n] -> { S[i] -> A[x] : x <= i + n }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "[n] -> { S[i] -> A[x] : i <= x <= n + i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[x] : x > i or x < i }")?;
    /// let b = Map::parse("{ S[i] -> A[x] : x > 5 or x < 0 }")?;
    /// let both = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.basic_maps().len(), 4);
    /// assert!(a.intersect_within(&b, &Budget::steps(1)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        if !self.space.has_equal_tuples(&other.space) {
            return self.space.mismatch(&other.space, "intersect");
        }
        let (a, b) = align_maps(self, other);
        if b.plain_is_universe() {
            return Ok(a.into_owned());
        }
        if a.plain_is_universe() {
            return Ok(b.into_owned());
        }
        let place: Vec<usize> = (0..=a.space.n_all()).collect();
        a.conjoin_all(&b, &a.space, 0, [&place, &place], budget).during("intersect")
    }

    /// The union (pieces may overlap); a piece that is here already is not repeated.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[i] }")?;
    /// let b = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// assert_eq!(a.union(&b)?.to_string(), "{ S[i] -> A[i]; S[i] -> A[1 + i] }");
    /// assert_eq!(a.union(&a)?.to_string(), "{ S[i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ.
    pub fn union(&self, other: &Self) -> Result<Self> {
        if !self.space.has_equal_tuples(&other.space) {
            return self.space.mismatch(&other.space, "union");
        }
        let (a, b) = align_maps(self, other);
        let mut result = a.into_owned();
        result.absorb(b.into_owned());
        Ok(result)
    }

    /// Adds the pieces of a relation in the same space with the same parameters.
    pub(crate) fn absorb(&mut self, other: Map) {
        if self.basics.len().saturating_mul(other.basics.len()) > MAX_COMPARISONS {
            return self.absorb_by_hash(other);
        }
        for basic in other.basics {
            if !self.basics.iter().any(|known| known.plain_is_equal(&basic)) {
                self.basics.push(basic);
            }
        }
    }

    /// The same in linear time.
    fn absorb_by_hash(&mut self, other: Map) {
        let mut seen: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, basic) in self.basics.iter().enumerate() {
            seen.entry(basic.plain_hash()).or_default().push(at);
        }
        for basic in other.basics {
            let alike = seen.entry(basic.plain_hash()).or_default();
            if !alike.iter().any(|&at| self.basics[at].plain_is_equal(&basic)) {
                alike.push(self.basics.len());
                self.basics.push(basic);
            }
        }
    }

    /// Replaces the tuple names and structure (same numbers of dimensions).
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, Tuple};
    /// let map = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let space = Space::map(&[], Tuple::named("T", 1), Tuple::named("B", 1));
    /// assert_eq!(map.with_space_tuples(&space)?.to_string(), "{ T[i0] -> B[1 + i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the numbers of dimensions differ.
    pub fn with_space_tuples(&self, space: &Space) -> Result<Self> {
        let kinds = [DimKind::In, DimKind::Out];
        let same_shape = self.space.is_map() == space.is_map()
            && self.space.is_params() == space.is_params()
            && kinds.iter().all(|&kind| self.n(kind) == space.n(kind));
        if !same_shape {
            return self.space.mismatch(space, "with_space_tuples");
        }
        Ok(self.with_space(space.with_params(self.space.param_names())))
    }

    /// The same rows in another space with the same numbers of columns.
    pub(crate) fn with_space(&self, space: Space) -> Self {
        let basics = self.basics.iter().map(|basic| basic.with_space(space.clone())).collect();
        Map { space, basics }
    }
}

impl BasicMap {
    /// Whether this is plainly the piece with its columns placed into `space`.
    fn is_placed(&self, piece: &BasicMap, space: &Space, place: &[usize]) -> bool {
        let (mine, theirs) = (&self.inner, &piece.inner);
        mine.locals.len() == theirs.locals.len()
            && mine.equalities.len() == theirs.equalities.len()
            && mine.inequalities.len() == theirs.inequalities.len()
            && {
                let part = Part { system: theirs, place };
                // The normal form depends on the order of the columns alone.
                let placed = match place.is_sorted() {
                    true => permute(space.clone(), part),
                    false => conjoin(space.clone(), 0, &[part]),
                };
                self.plain_is_equal(&placed)
            }
    }

    /// The same rows in another space with the same numbers of columns.
    pub(crate) fn with_space(&self, space: Space) -> Self {
        let mut data = (*self.inner).clone();
        data.space = space;
        BasicMap::from_normal_data(data)
    }
}

impl From<BasicMap> for Map {
    fn from(basic: BasicMap) -> Self {
        Map::from_basic_map(basic)
    }
}

impl Map {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space};
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let aligned = map.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] -> A[n + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let params = space.to_params().merge_params(self.space());
        if params.has_equal_params(self.space()) {
            return self.clone();
        }
        let target = self.space.with_params(params.param_names());
        let place = param_places(&self.space, &target);
        let aligned = |basic: &BasicMap| {
            permute(target.clone(), Part { system: &basic.inner, place: &place })
        };
        Map { basics: self.basics.iter().map(aligned).collect(), space: target }
    }
}

/// Both with the same parameters in the same order; nothing is copied if they agree already.
pub(crate) fn align_maps<'a>(a: &'a Map, b: &'a Map) -> (Cow<'a, Map>, Cow<'a, Map>) {
    if a.space.has_equal_params(&b.space) {
        return (Cow::Borrowed(a), Cow::Borrowed(b));
    }
    let a = a.align_params(&a.space.merge_params(&b.space));
    let b = b.align_params(&a.space);
    (Cow::Owned(a), Cow::Owned(b))
}

/// What two operands have in common once their parameters are aligned: where the tuples start.
pub(crate) fn first_dim(map: &Map) -> usize {
    1 + map.n(DimKind::Param)
}
