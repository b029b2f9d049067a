//! Transitive closures: all pairs that are connected by one or more steps of a relation.
//!
//! # Method
//! After Verdoolaege, Cohen and Beletska, "Transitive closures of affine integer tuple relations and
//! their overapproximations" (SAS 2011), and Kelly, Pugh, Rosser and Shpeisman, "Transitive
//! closure of infinite graphs and its applications" (1996). For a relation `R` in one space, the
//! first that succeeds of
//!
//! 1. `R` itself, if two steps are one step already (`R . R` within `R`);
//! 2. the composition of the closures of the strongly connected components of its pieces;
//! 3. the paths by offsets ([`crate::closures::paths`]) from the domain to the range, if that is exact, see
//!    below; also after replacing the first and the last step by steps of `R`;
//! 4. elimination of a piece `A` whose closure is exact: the closure is `A+` together with that
//!    of `A* . B . A*` for the other pieces `B`;
//! 5. the union of a few powers, if the next one adds nothing.
//!
//! Otherwise what 3. gives is an over-approximation, and reported as such.
//!
//! Over several spaces, spaces are eliminated one after the other like states of an automaton
//! (Kleene; Floyd and Warshall): `R_pq` becomes `R_pq + R_pv . R_vv* . R_vq`.
//!
//! # Exactness
//! Let `T` contain the closure of `R`, and `T` be contained in `R + R . T`: every pair of `T` is a
//! step, or a step and a pair of `T` again. If this descent is finite, then `T` is the
//! closure. It is finite if some affine form increases by one or more in every step of `R`
//! and in every pair of `T`. If there is no such form, the length of the path serves as one: `T`
//! then relates to pairs of an element and a length.
use crate::closures::closure::{Closure, SIMPLIFY, check_square, compose, explicit, few_pieces};
use crate::closures::paths::{Lengths, increasing_form, paths};
use crate::closures::power::has_exact_lengths;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::has_unknown_locals;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::union_map::UnionMap;
use loopwright_exact::{Int, Row};

/// Limits of single attempts at an exact answer: whether two steps are one, ...
const STEP: u64 = 500_000;
/// ... whether the paths by offsets are exact, ...
const OFFSETS: u64 = 500_000;
/// ... the union of a few powers, ...
const POWERS: u64 = 60_000;
/// ... the elimination of pieces, ...
const ELIMINATION: u64 = 120_000;
/// Powers beyond this are not formed in search of one that adds nothing.
const MAX_POWERS: usize = 6;

/// Unions of more pieces are not composed any further in search of an exact answer.
const MAX_PIECES: usize = 24;

/// Domains and ranges of more pieces are replaced by their simple hull.
const MAX_END_PIECES: usize = 4;

/// Eliminations of pieces within each other.
const MAX_DEPTH: usize = 4;

/// Whether two steps are one step already.
fn is_transitive(map: &Map, budget: &Budget) -> Result<bool> {
    map.apply_range_within(map, budget)?.is_subset(map, budget)
}

/// The pieces as relations of their own.
fn pieces(map: &Map) -> Vec<Map> {
    map.basics.iter().cloned().map(Map::from_basic_map).collect()
}

/// The closure of a relation within one space.
fn closure(map: &Map, depth: usize, budget: &Budget) -> Result<Closure<Map>> {
    if map.basics.is_empty() || budget.attempt(STEP, |b| is_transitive(map, b))? == Some(true) {
        return Ok(Closure::exact(map.clone()));
    }
    let components = components(map, budget)?;
    if components.len() > 1 {
        return by_components(&components, depth, budget);
    }
    let mut best: Option<Offsets<'_>> = None;
    for by_offset in candidates(map, budget)? {
        let mut offsets = Offsets::new(map, by_offset, budget)?;
        if budget.attempt(OFFSETS, |b| offsets.descend(b))? == Some(true) {
            return Ok(Closure::exact(offsets.containing));
        }
        best = Some(offsets);
    }
    let Some(mut offsets) = best else { return Ok(Closure::exact(map.clone())) };
    if depth < MAX_DEPTH {
        let powers: (u64, Attempt) = (POWERS, by_powers);
        let elimination: (u64, Attempt) = (ELIMINATION, by_elimination);
        let mut methods = [elimination, powers];
        if !offsets.is_increasing {
            methods.reverse();
        }
        for (limit, method) in methods {
            if let Some(Some(exact)) = budget.attempt(limit, |b| method(map, depth, b))? {
                return Ok(Closure::exact(exact));
            }
        }
    }
    let is_exact = budget.attempt(OFFSETS, |b| offsets.refine(b))? == Some(true);
    Ok(Closure { relation: offsets.containing, is_exact })
}

/// A way to an exact closure: relation and depth.
type Attempt = fn(&Map, usize, &Budget) -> Result<Option<Map>>;

/// The pairs that may be connected by offsets, as a polyhedron and exactly, if that differs.
fn candidates(map: &Map, budget: &Budget) -> Result<Vec<Map>> {
    let exactly = Map::from_basic_map(paths(map, Lengths::Forgotten, budget)?);
    let is_explicit = |basic: &BasicMap| !has_unknown_locals(&basic.inner);
    if exactly.basics.iter().all(is_explicit) {
        return Ok(vec![exactly]);
    }
    Ok(vec![exactly.remove_unknown_locals(), exactly])
}

/// The strongly connected components of the pieces, in an order such that steps only lead on to
/// the same or later components.
fn components(map: &Map, budget: &Budget) -> Result<Vec<Map>> {
    let pieces = pieces(map);
    let n = pieces.len();
    if n == 1 {
        return Ok(pieces);
    }
    let mut leads_to = vec![vec![false; n]; n];
    for (i, a) in pieces.iter().enumerate() {
        let range = a.range();
        for (j, b) in pieces.iter().enumerate() {
            leads_to[i][j] = i == j || !range.is_disjoint(&b.domain(), budget)?;
        }
    }
    for middle in 0..n {
        for i in 0..n {
            for j in 0..n {
                leads_to[i][j] |= leads_to[i][middle] && leads_to[middle][j];
            }
        }
    }
    // The more pieces it reaches, the earlier a component comes.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(leads_to[i].iter().filter(|&&to| to).count()));
    let mut found: Vec<(usize, Map)> = Vec::new();
    for i in order {
        match found.iter_mut().find(|(first, _)| leads_to[i][*first] && leads_to[*first][i]) {
            Some((_, component)) => component.basics.push(pieces[i].basics[0].clone()),
            None => found.push((i, pieces[i].clone())),
        }
    }
    Ok(found.into_iter().map(|(_, component)| component).collect())
}

/// The closure from those of components in order.
fn by_components(components: &[Map], depth: usize, budget: &Budget) -> Result<Closure<Map>> {
    let mut total = Closure::exact(Map::empty(components[0].space.clone()));
    for component in components {
        let own = closure(component, depth, budget)?;
        let crossing = compose(&total.relation, &own.relation, budget)?;
        total.is_exact &= own.is_exact;
        total.relation.absorb(own.relation);
        total.relation.absorb(crossing);
    }
    total.relation = few_pieces(total.relation, budget)?;
    Ok(total)
}

/// The paths of a relation by offsets.
struct Offsets<'a> {
    map: &'a Map,
    /// A relation that contains the closure.
    containing: Map,
    /// A step followed by a pair of that relation, or a step alone; none if not known.
    continued: Option<Map>,
    /// Whether some form increases in every step and in every pair.
    is_increasing: bool,
}

impl<'a> Offsets<'a> {
    fn new(map: &'a Map, by_offset: Map, budget: &Budget) -> Result<Self> {
        let (domain, range) = ends(map, budget)?;
        let mut containing = by_offset
            .intersect_domain_within(&domain, budget)?
            .intersect_range_within(&range, budget)?;
        let form = increasing_form(map, budget)?;
        if let Some(form) = &form {
            let increases = |basic: &BasicMap| basic.add_inequality(increase(basic, form));
            containing = containing.map_basics(map.space.clone(), increases);
        }
        containing = explicit(&containing, budget)?;
        Ok(Offsets { map, containing, continued: None, is_increasing: form.is_some() })
    }

    /// Whether every pair of the containing relation is a step or begins with one.
    fn descend(&mut self, budget: &Budget) -> Result<bool> {
        if !self.is_increasing {
            return Ok(false);
        }
        let continued = self.map.union(&compose(self.map, &self.containing, budget)?)?;
        let is_exact = self.containing.is_subset(&continued, budget)?;
        self.continued = Some(continued);
        Ok(is_exact)
    }

    /// Replaces the first and the last step; whether that makes the relation exact.
    fn refine(&mut self, budget: &Budget) -> Result<bool> {
        if !self.is_increasing {
            let (domain, range) = ends(self.map, budget)?;
            return has_exact_lengths(self.map, &domain, &range, budget);
        }
        let Some(continued) = self.continued.take() else { return Ok(false) };
        if continued.basics.len() > MAX_PIECES {
            return Ok(false);
        }
        let both_steps = compose(&continued, self.map, budget)?;
        self.containing = self.map.union(&both_steps)?.coalesce(budget)?;
        self.descend(budget)
    }
}

/// The domain and the range of a relation, over-approximated if they have many pieces.
fn ends(map: &Map, budget: &Budget) -> Result<(Set, Set)> {
    let few = |set: Set| {
        let set = Set(few_pieces(set.0, budget)?);
        if set.0.basics.len() <= MAX_END_PIECES {
            return Ok(set);
        }
        let hull = budget.attempt(SIMPLIFY, |b| set.simple_hull(b))?;
        Ok(hull.map_or_else(|| Set::universe(set.space().clone()), Set::from_basic_set))
    };
    Ok((few(map.domain())?, few(map.range())?))
}

/// The inequality that a form increases from input to output.
fn increase(basic: &BasicMap, form: &Row) -> Row {
    let (x, y) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let mut row = Row::zeros(basic.n_columns());
    row.set(0, Int::MINUS_ONE);
    for (i, coefficient) in form.iter().enumerate() {
        row.set(x + i, -&coefficient);
        row.set(y + i, coefficient);
    }
    row
}

/// The closure by eliminating a piece, if it turns out exact.
fn by_elimination(map: &Map, depth: usize, budget: &Budget) -> Result<Option<Map>> {
    let pieces = pieces(map);
    if pieces.len() < 2 || pieces.len() > MAX_PIECES {
        return Ok(None);
    }
    for (index, piece) in pieces.iter().enumerate() {
        let own = closure(piece, MAX_DEPTH, budget)?;
        if !own.is_exact {
            continue;
        }
        let others = pieces.iter().enumerate().filter(|(other, _)| *other != index);
        let others = Map::collect(map.space.clone(), others.flat_map(|(_, m)| m.basics.clone()));
        let mut around = others.union(&compose(&own.relation, &others, budget)?)?;
        around = around.union(&compose(&around, &own.relation, budget)?)?.coalesce(budget)?;
        if around.basics.len() > MAX_PIECES {
            continue;
        }
        let rest = closure(&around, depth + 1, budget)?;
        if rest.is_exact {
            return own.relation.union(&rest.relation)?.coalesce(budget).map(Some);
        }
    }
    Ok(None)
}

/// The union of powers up to one that adds nothing, if that comes early.
fn by_powers(map: &Map, _depth: usize, budget: &Budget) -> Result<Option<Map>> {
    let (mut total, mut power) = (map.clone(), map.clone());
    for _ in 1..MAX_POWERS {
        power = compose(&power, map, budget)?;
        if power.is_subset(&total, budget)? {
            return Ok(Some(total));
        }
        total = total.union(&power)?.coalesce(budget)?;
        if total.basics.len() > MAX_PIECES {
            break;
        }
    }
    Ok(None)
}

impl Map {
    /// The transitive closure: the pairs that one or more steps connect. It may be contained in the
    /// result only, which [`Closure::is_exact`] tells.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let budget = Budget::unlimited();
    /// let step = Map::parse("[n] -> { [i] -> [i + 2] : 0 <= i < n }")?;
    /// let closure = step.transitive_closure(&budget)?;
    /// let expected = Map::parse(
    ///     "[n] -> { [i] -> [j] : 0 <= i < n and i < j <= n + 1 and (j - i) mod 2 = 0 }")?;
    /// assert!(closure.is_exact && closure.relation.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Method.* See the source of this module. *Cost.* Attempts at an exact result have limits of
    /// their own, within the budget.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if domain and range are not the same space,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn transitive_closure(&self, budget: &Budget) -> Result<Closure<Map>> {
        check_square(self, "transitive_closure")?;
        closure(&few_pieces(self.clone(), budget).during("transitive_closure")?, 0, budget)
            .during("transitive_closure")
    }
}

/// The closure over several spaces by eliminating one after the other.
fn by_spaces(map: &UnionMap, budget: &Budget) -> Result<Closure<UnionMap>> {
    let mut total = Closure::exact(map.clone());
    let spaces: Vec<Space> = {
        let domain = map.domain();
        let through = |map: &Map| domain.0.find(&map.space.range()).map(|_| map.space.range());
        let mut spaces: Vec<Space> = map.maps.iter().filter_map(through).collect();
        spaces.dedup_by(|a, b| a == b);
        spaces
    };
    let mut done: Vec<Space> = Vec::new();
    for space in spaces {
        if done.contains(&space) {
            continue;
        }
        let tuple = space.output().cloned();
        let select = |keep: &dyn Fn(&Space) -> bool| {
            let chosen = total.relation.maps.iter().filter(|map| keep(&map.space)).cloned();
            UnionMap::collect(map.params.clone(), chosen)
        };
        let into = select(&|s| s.output() == tuple.as_ref() && s.input() != tuple.as_ref());
        let out_of = select(&|s| s.input() == tuple.as_ref() && s.output() != tuple.as_ref());
        let looping = select(&|s| s.input() == tuple.as_ref() && s.output() == tuple.as_ref());
        let mut crossing = into.clone();
        let mut loops = UnionMap::collect(map.params.clone(), []);
        if let [cycle] = looping.maps.as_slice() {
            let closed = cycle.transitive_closure(budget)?;
            total.is_exact &= closed.is_exact;
            loops = UnionMap::collect(map.params.clone(), [closed.relation]);
            crossing = crossing.union(&into.apply_range_within(&loops, budget)?)?;
        }
        let leaving = out_of.union(&loops.apply_range_within(&out_of, budget)?)?;
        let through = crossing.apply_range_within(&out_of, budget)?;
        let others = select(&|s| s.input() != tuple.as_ref() || s.output() != tuple.as_ref());
        let parts = [loops, crossing, leaving, through];
        let mut relation = others;
        for part in parts {
            relation = relation.union(&part)?;
        }
        total.relation = relation.try_each(|map| few_pieces(map.clone(), budget))?;
        done.push(space);
    }
    Ok(total)
}

impl UnionMap {
    /// The transitive closure over all spaces: the pairs that one or more steps connect, see
    /// [`Map::transitive_closure`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let step = UnionMap::parse("{ A[i] -> B[i]; B[i] -> A[i + 1] }")?;
    /// let closure = step.transitive_closure(budget)?;
    /// let expected = UnionMap::parse(
    ///     "{ A[i] -> A[j] : j > i; A[i] -> B[j] : j >= i; B[i] -> A[j] : j > i; B[i] -> B[j] : j > i }",
    /// )?;
    /// assert!(closure.is_exact && closure.relation.is_equal(&expected, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn transitive_closure(&self, budget: &Budget) -> Result<Closure<UnionMap>> {
        let is_closed = |b: &Budget| {
            self.apply_range_within(self, b).during("transitive_closure")?.is_subset(self, b)
        };
        if budget.attempt(STEP, is_closed)? == Some(true) {
            return Ok(Closure::exact(self.clone()));
        }
        by_spaces(self, budget).during("transitive_closure")
    }
}
