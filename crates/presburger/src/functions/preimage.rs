//! Preimages of sets and relations under functions.
//!
//! # Method
//! Every row of a basic relation is composed with the expressions: the column of a dimension is
//! replaced by its value as a row. A fraction `x / d` enters as the integer `⌊x / d⌋` together with
//! the equality `x = d ⌊x / d⌋`, since only integers are in a set.
use crate::core::basic_map::BasicMap;
use crate::core::basic_set::BasicSet;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::aff::{Aff, numerator_of};
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::PwMultiAff;
use crate::functions::union_piecewise::UnionPwMultiAff;
use loopwright_exact::Row;

/// The columns of a relation in which a tuple of a kind is replaced by a function of a new tuple.
struct Substitution {
    space: Space,
    /// The floors of the expressions.
    locals: Vec<Local>,
    /// Where fractions are integers.
    equalities: Vec<Row>,
    /// The value of each column before the locals, as a row over `width` columns.
    values: Vec<Row>,
    width: usize,
}

impl Substitution {
    /// For relations in `old` with the same parameters as `inner`.
    fn new(space: Space, old: &Space, kind: DimKind, inner: &MultiAff) -> Self {
        let n_params = space.n(DimKind::Param);
        let n_inner: usize = inner.members.iter().map(|aff| aff.locals.len()).sum();
        let n_fractions = inner.members.iter().filter(|aff| !aff.denominator.is_one()).count();
        let width = 1 + space.n_all() + n_inner + n_fractions;
        let first = match kind {
            DimKind::In => 1 + n_params,
            _ => 1 + n_params + space.n(DimKind::In),
        };
        let count = inner.space.domain().n(DimKind::Out);
        let mut substitution = Substitution {
            space,
            locals: Vec::new(),
            equalities: Vec::new(),
            values: Vec::new(),
            width,
        };
        let first_old = match kind {
            DimKind::In => 1 + n_params,
            _ => 1 + n_params + old.n(DimKind::In),
        };
        substitution.values.extend((0..first_old).map(|column| Row::unit(width, column)));
        for aff in &inner.members {
            substitution.push_value(aff, n_params, first, count);
        }
        let rest = 1 + old.n_all() - first_old - inner.members.len();
        let after = first + count;
        substitution.values.extend((after..after + rest).map(|column| Row::unit(width, column)));
        substitution
    }

    /// Appends the value of an expression whose dimensions are `count` columns from `first` on.
    fn push_value(&mut self, aff: &Aff, n_params: usize, first: usize, count: usize) {
        let first_local = 1 + self.space.n_all();
        let own = first_local + self.locals.len();
        let place: Vec<usize> =
            (0..=n_params).chain(first..first + count).chain(own..own + aff.locals.len()).collect();
        for local in &aff.locals {
            if let Local::Floor { denominator, .. } = local {
                let numerator = numerator_of(local).placed(&place, self.width);
                self.locals.push(Local::Floor { numerator, denominator: denominator.clone() });
            }
        }
        let numerator = aff.row.placed(&place, self.width);
        if aff.denominator.is_one() {
            return self.values.push(numerator);
        }
        let value = Row::unit(self.width, first_local + self.locals.len());
        let mut exact = numerator.clone();
        exact.add_scaled(&-&aff.denominator, &value);
        self.locals.push(Local::Floor { numerator, denominator: aff.denominator.clone() });
        self.equalities.push(exact);
        self.values.push(value);
    }

    /// A basic relation with the columns replaced.
    fn apply(&self, basic: &BasicMap) -> BasicMap {
        if basic.plain_is_empty() {
            return BasicMap::empty(self.space.clone());
        }
        let width = self.width + basic.locals().len();
        let first_own = self.width;
        let composed = |row: &Row| {
            let mut sum = Row::zeros(width);
            for (column, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                match self.values.get(column) {
                    Some(value) => sum.add_scaled(&coefficient, &widened(value, width)),
                    None => sum.set(first_own + column - self.values.len(), coefficient),
                }
            }
            sum
        };
        let floors = self.locals.iter().map(|local| match local {
            Local::Floor { numerator, denominator } => Local::Floor {
                numerator: widened(numerator, width),
                denominator: denominator.clone(),
            },
            Local::Unknown => Local::Unknown,
        });
        let own = basic.locals().iter().map(|local| match local {
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: composed(numerator), denominator: denominator.clone() }
            }
            Local::Unknown => Local::Unknown,
        });
        let exact = self.equalities.iter().map(|row| Constraint::equality(widened(row, width)));
        let equalities = basic.equalities().iter().map(|row| Constraint::equality(composed(row)));
        let inequalities = basic.inequalities().iter().map(|r| Constraint::inequality(composed(r)));
        let constraints = exact.chain(equalities).chain(inequalities).collect();
        BasicMap::from_constraints(self.space.clone(), floors.chain(own).collect(), constraints)
    }
}

/// The row with zeros for further columns.
fn widened(row: &Row, width: usize) -> Row {
    let mut row = row.clone();
    row.insert_zeros(row.len(), width - row.len());
    row
}

impl Map {
    /// The space with the tuple of a kind replaced by the domain of a function to it.
    fn preimage_space(&self, kind: DimKind, inner: &Space) -> Result<Space> {
        let has_tuple = inner.is_map() || !self.space.is_map();
        if self.space.tuple(kind) != inner.output() || !has_tuple {
            return Err(mismatch("a preimage", &self.space, inner));
        }
        let params = inner.merge_params(&self.space);
        let tuple = inner.input().cloned();
        Ok(match kind {
            DimKind::In => params.with_tuples(tuple, self.space.output().cloned()),
            _ => params.with_tuples(self.space.input().cloned(), tuple),
        })
    }

    /// The relation whose tuple of a kind is replaced by the domain of `inner`.
    fn preimage(&self, kind: DimKind, inner: &MultiAff) -> Result<Self> {
        let space = self.preimage_space(kind, &inner.space)?;
        if inner.members.iter().any(|aff| aff.nan) {
            return Ok(Map::empty(space));
        }
        let (map, inner) = (self.align_params(&space), inner.align_params(&space));
        let substitution = Substitution::new(space.clone(), &map.space, kind, &inner);
        Ok(map.map_basics(space, |basic| substitution.apply(basic)))
    }

    /// The union of the preimages under the pieces of a function.
    fn preimage_of_pieces(
        &self,
        kind: DimKind,
        inner: &PwMultiAff,
        restrict: impl Fn(&Map, &Set) -> Result<Map>,
    ) -> Result<Self> {
        let mut found = Map::empty(self.preimage_space(kind, &inner.space)?);
        for (domain, aff) in &inner.pieces {
            found = found.union(&restrict(&self.preimage(kind, aff)?, domain)?)?;
        }
        Ok(found)
    }

    /// The pairs (x, z) with (f(x), z) here.
    ///
    /// ```
    /// use loopwright_presburger::{Map, MultiAff};
    /// let map = Map::parse("{ A[i] -> B[j] : 0 <= i < j }")?;
    /// let double = MultiAff::parse("{ C[k] -> A[(2k)] }")?;
    /// let pulled = map.preimage_domain_multi_aff(&double)?;
    /// assert_eq!(pulled.to_string(), "{ C[k] -> B[j] : k >= 0 and j > 2k }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of the function is not the domain.
    pub fn preimage_domain_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        self.preimage(DimKind::In, inner)
    }

    /// The pairs (x, y) with (x, f(y)) here.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, MultiAff};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let layout = MultiAff::parse("{ B[k] -> A[(2k + 1)] }")?;
    /// assert_eq!(
    ///     map.preimage_range_multi_aff(&layout)?.to_string(),
    ///     "{ S[i] -> B[k] : k >= 0 and 2k < i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ.
    pub fn preimage_range_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        self.preimage(DimKind::Out, inner)
    }

    /// The pairs (x, z) with (f(x), z) here.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, PwMultiAff};
    /// let map = Map::parse("{ A[x] -> B[y] : 0 <= x < y }")?;
    /// let inner = PwMultiAff::parse("{ S[i] -> A[(2i)] : i < 9 }")?;
    /// assert_eq!(
    ///     map.preimage_domain_pw_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> B[y] : 0 <= i <= 8 and y > 2i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range of the function is not the domain.
    pub fn preimage_domain_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        self.preimage_of_pieces(DimKind::In, inner, Map::intersect_domain)
    }

    /// The pairs (x, y) with (x, f(y)) here.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, PwMultiAff};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let inner = PwMultiAff::parse("{ B[k] -> A[(2k)] : k < 9 }")?;
    /// assert_eq!(
    ///     map.preimage_range_pw_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> B[k] : 0 <= k <= 8 and 2k <= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ.
    pub fn preimage_range_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        self.preimage_of_pieces(DimKind::Out, inner, Map::intersect_range)
    }
}

impl Set {
    /// The points whose value is in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Set};
    /// let set = Set::parse("{ A[x] : 0 <= x <= 9 }")?;
    /// let access = MultiAff::parse("{ S[i] -> A[(2i)] }")?;
    /// assert_eq!(set.preimage_multi_aff(&access)?.to_string(), "{ S[i] : 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the range.
    pub fn preimage_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        self.0.preimage(DimKind::Out, inner).map(Set)
    }

    /// The points whose value is defined and in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{PwMultiAff, Set};
    /// let set = Set::parse("{ A[x] : 0 <= x <= 9 }")?;
    /// let access = PwMultiAff::parse("{ S[i] -> A[(2i)] : i > 1; S[i] -> A[(0)] : i < -7 }")?;
    /// assert_eq!(
    ///     set.preimage_pw_multi_aff(&access)?.to_string(),
    ///     "{ S[i] : 2 <= i <= 4 or i <= -8 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the range.
    pub fn preimage_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        let restrict = |map: &Map, domain: &Set| map.intersect(&domain.0);
        self.0.preimage_of_pieces(DimKind::Out, inner, restrict).map(Set)
    }
}

impl BasicSet {
    /// The points whose value is in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Set};
    /// let set = Set::parse("{ A[x] : 0 <= x <= 9 }")?;
    /// let access = MultiAff::parse("{ S[i] -> A[(2i)] }")?;
    /// let inside = set.basic_sets()[0].preimage_multi_aff(&access)?;
    /// assert_eq!(Set::from_basic_set(inside).to_string(), "{ S[i] : 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the range.
    pub fn preimage_multi_aff(&self, inner: &MultiAff) -> Result<Self> {
        let preimage = Map::from_basic_map(self.0.clone()).preimage(DimKind::Out, inner)?;
        let basic = preimage.basics.into_iter().next();
        Ok(BasicSet(basic.unwrap_or_else(|| BasicMap::empty(preimage.space))))
    }
}

impl MultiAff {
    /// The points whose value is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Set};
    /// let access = MultiAff::parse("{ S[i, j] -> A[(i + j)] }")?;
    /// let touched = Set::parse("{ A[x] : 0 <= x <= 9 }")?;
    /// assert_eq!(access.preimage(&touched)?.to_string(), "{ S[i, j] : -i <= j <= 9 - i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the range.
    pub fn preimage(&self, set: &Set) -> Result<Set> {
        set.preimage_multi_aff(self)
    }
}

impl UnionSet {
    /// The points whose value is defined and in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionPwMultiAff, UnionSet};
    /// let set = UnionSet::parse("{ A[x] : x > 5; B[x] }")?;
    /// let accesses =
    ///     UnionPwMultiAff::parse("{ S[i] -> A[(i + 1)]; T[] -> A[(0)]; T[] -> B[(0)] }")?;
    /// assert_eq!(
    ///     set.preimage_union_pw_multi_aff(&accesses)?.to_string(),
    ///     "{ S[i] : i >= 5; T[] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn preimage_union_pw_multi_aff(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let fits = |set: &Set, part: &PwMultiAff| set.space().output() == part.space.output();
        let mut found = UnionSet::empty();
        for set in self.sets() {
            for part in inner.parts.iter().filter(|part| fits(&set, part)) {
                let preimage = set.preimage_pw_multi_aff(part)?;
                found = found.union(&UnionSet::from_set(preimage))?;
            }
        }
        Ok(found)
    }
}

impl UnionMap {
    fn preimage(
        &self,
        kind: DimKind,
        inner: &UnionPwMultiAff,
        one: fn(&Map, &PwMultiAff) -> Result<Map>,
    ) -> Result<Self> {
        let mut found = Vec::new();
        for map in &self.maps {
            let fits =
                |p: &&PwMultiAff| p.space.is_map() && p.space.output() == map.space.tuple(kind);
            for part in inner.parts.iter().filter(fits) {
                found.push(one(map, part)?);
            }
        }
        Ok(UnionMap::collect(self.params.clone(), found))
    }

    /// The pairs (x, z) with (f(x), z) here.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionPwMultiAff};
    /// let map = UnionMap::parse("{ A[x] -> B[y] : 0 <= x < y; C[] -> B[0] }")?;
    /// let inner = UnionPwMultiAff::parse("{ S[i] -> A[(2i)] }")?;
    /// assert_eq!(
    ///     map.preimage_domain_union_pw_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> B[y] : i >= 0 and y > 2i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn preimage_domain_union_pw_multi_aff(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        self.preimage(DimKind::In, inner, Map::preimage_domain_pw_multi_aff)
    }

    /// The pairs (x, y) with (x, f(y)) here.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionPwMultiAff};
    /// let map = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> B[] }")?;
    /// let inner = UnionPwMultiAff::parse("{ C[k] -> A[(2k)] }")?;
    /// assert_eq!(
    ///     map.preimage_range_union_pw_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> C[k] : 2k = 1 + i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn preimage_range_union_pw_multi_aff(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        self.preimage(DimKind::Out, inner, Map::preimage_range_pw_multi_aff)
    }
}
