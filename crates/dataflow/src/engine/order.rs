//! The order of statement instances, level by level.
use loopwright_presburger::BasicMap;
use loopwright_presburger::{
    Budget, Constraint, DimKind, Int, Map, Result, Row, Set, Space, Tuple, UnionMap,
};
use loopwright_scop::{Scop, StatementId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A schedule taken apart by statement: which instances run before which, and at which level.
///
/// The schedule maps every statement to time vectors of one common length. Two instances are
/// ordered *at level k* if their times agree on the first k dimensions and differ at dimension k.
pub struct ProgramOrder {
    /// Per statement, `S[i] -> [t]`; nothing for statements without instances.
    times: Vec<Option<Map>>,
    n_levels: usize,
    /// Per statement and level, the constant time if there is one.
    constants: Vec<Vec<Option<Int>>>,
    /// Per statement, which levels have constant times, and the times at the other levels.
    varying: Vec<Option<(Vec<bool>, Map)>>,
    /// Levels at which some instances are not ordered among each other.
    unordered: Vec<Unordered>,
    cache: RefCell<FxHashMap<(StatementId, StatementId, usize), Option<Map>>>,
}

/// Instances of one statement that a level leaves unordered among those of other branches.
pub(crate) struct Unordered {
    pub(crate) statement: StatementId,
    pub(crate) level: usize,
    pub(crate) instances: Set,
    /// The other instances.
    pub(crate) others: Set,
}

impl ProgramOrder {
    /// The order of the scop's statements under `schedule`, a map to one flat tuple.
    pub fn new(scop: &Scop, schedule: &UnionMap) -> Self {
        Self::from_times(times_of(scop, schedule), Vec::new())
    }

    /// The order by one relation `S[i] -> [t]` per statement, all with times of one length.
    pub(crate) fn from_times(times: Vec<Option<Map>>, unordered: Vec<Unordered>) -> Self {
        let n_levels = times.iter().flatten().map(|t| t.n(DimKind::Out)).max().unwrap_or(0);
        let constants = times.iter().map(|time| constants_of(time.as_ref(), n_levels)).collect();
        let varying = times.iter().map(|time| time.as_ref().map(varying_times)).collect();
        ProgramOrder { times, n_levels, constants, varying, unordered, cache: RefCell::default() }
    }

    /// The length of the time vectors.
    pub fn n_levels(&self) -> usize {
        self.n_levels
    }

    /// The constant time of a statement at a level.
    pub fn constant(&self, statement: StatementId, level: usize) -> Option<&Int> {
        self.constants[statement.0 as usize][level].as_ref()
    }

    /// Which levels of a statement have constant times, and its times at the other levels.
    pub(crate) fn varying(&self, statement: StatementId) -> Option<(&[bool], &Map)> {
        let (is_constant, times) = self.varying[statement.0 as usize].as_ref()?;
        Some((is_constant, times))
    }

    /// Whether the relations of [`Self::before_at`] between two statements follow from
    /// [`Self::levels`] and [`Self::varying`]: they are constant at the same levels.
    pub(crate) fn is_by_form(&self, first: StatementId, second: StatementId) -> bool {
        match (self.varying(first), self.varying(second)) {
            (Some((a, _)), Some((b, _))) => a == b && self.unordered_at(first).next().is_none(),
            _ => false,
        }
    }

    /// The levels at which some instance of `first` may run before some instance of `second`:
    /// stops at the first level where both times are constant and differ.
    pub fn levels(&self, first: StatementId, second: StatementId) -> Vec<usize> {
        let mut levels = Vec::new();
        for level in 0..self.n_levels {
            match (self.constant(first, level), self.constant(second, level)) {
                (Some(a), Some(b)) if a == b => {}
                (Some(a), Some(b)) => {
                    if a < b {
                        levels.push(level);
                    }
                    return levels;
                }
                _ => levels.push(level),
            }
        }
        levels
    }

    /// `{ a -> b : a runs before b at this level }`, or none if that is plainly empty.
    pub fn before_at(
        &self,
        first: StatementId,
        second: StatementId,
        level: usize,
    ) -> Result<Option<Map>> {
        if let Some(known) = self.cache.borrow().get(&(first, second, level)) {
            return Ok(known.clone());
        }
        let result = self.compute_before_at(first, second, level)?;
        self.cache.borrow_mut().insert((first, second, level), result.clone());
        Ok(result)
    }

    fn compute_before_at(
        &self,
        first: StatementId,
        second: StatementId,
        level: usize,
    ) -> Result<Option<Map>> {
        let (Some(a), Some(b)) = (&self.times[first.0 as usize], &self.times[second.0 as usize])
        else {
            return Ok(None);
        };
        let order = Map::from_basic_map(later_at(self.n_levels, level));
        let mut before = a.apply_range(&order)?.apply_range(&b.reverse())?;
        for here in self.unordered_at(first).filter(|here| here.level == level) {
            before = before.intersect_domain(&here.others)?;
        }
        Ok((!before.plain_is_empty()).then_some(before))
    }

    fn unordered_at(&self, statement: StatementId) -> impl Iterator<Item = &Unordered> {
        self.unordered.iter().filter(move |here| here.statement == statement)
    }

    /// `{ a -> b : neither runs before the other }`, every instance with itself if the statements
    /// are the same; none if that is plainly empty.
    pub(crate) fn unordered(&self, first: StatementId, second: StatementId) -> Result<Option<Map>> {
        let (Some(a), Some(b)) = (&self.times[first.0 as usize], &self.times[second.0 as usize])
        else {
            return Ok(None);
        };
        let mut unordered = a.apply_range(&b.reverse())?;
        for here in self.unordered_at(first) {
            let later = Map::from_basic_map(later_at(self.n_levels, here.level));
            for differ in [&later, &later.reverse()] {
                let apart = a.intersect_domain(&here.instances)?.apply_range(differ)?;
                unordered = unordered.union(&apart.apply_range(&b.reverse())?)?;
            }
        }
        Ok((!unordered.plain_is_empty()).then_some(unordered))
    }
}

/// The parts of a schedule that give the times of the statements.
pub(crate) fn times_of(scop: &Scop, schedule: &UnionMap) -> Vec<Option<Map>> {
    let mut by_name: FxHashMap<&str, &Map> = FxHashMap::default();
    for map in schedule.maps() {
        if let Some(name) = map.space().input().and_then(|tuple| tuple.name()) {
            by_name.entry(name).or_insert(map);
        }
    }
    let time = |name: &str| by_name.get(name).map(|&map| map.clone());
    scop.statements.iter().map(|statement| time(&statement.name)).collect()
}

/// The constant times of a statement.
fn constants_of(time: Option<&Map>, n_levels: usize) -> Vec<Option<Int>> {
    let constant = |level| time.and_then(|t| t.plain_get_val_if_fixed(DimKind::Out, level));
    (0..n_levels).map(constant).collect()
}

/// Which levels of a time have constants, and the time without them.
fn varying_times(time: &Map) -> (Vec<bool>, Map) {
    let levels = 0..time.n(DimKind::Out);
    let is_constant: Vec<bool> =
        levels.map(|l| time.plain_get_val_if_fixed(DimKind::Out, l).is_some()).collect();
    let constant = (0..is_constant.len()).rev().filter(|&level| is_constant[level]);
    let varying = constant.fold(time.clone(), |time, l| time.project_out(DimKind::Out, l, 1));
    (is_constant, varying)
}

/// `{ [t] -> [u] : t_0 = u_0, ..., t_(k-1) = u_(k-1), t_k < u_k }`.
fn later_at(n: usize, level: usize) -> BasicMap {
    let space = Space::map(&[], Tuple::anonymous(n), Tuple::anonymous(n));
    let difference = |dim: usize, constant: i64| {
        let mut row = Row::zeros(1 + 2 * n);
        row.set(0, Int::from(constant));
        row.set(1 + dim, Int::from(-1));
        row.set(1 + n + dim, Int::from(1));
        row
    };
    let equal = (0..level).map(|dim| Constraint { is_equality: true, row: difference(dim, 0) });
    let later = Constraint { is_equality: false, row: difference(level, -1) };
    BasicMap::from_constraints(space, Vec::new(), equal.chain([later]).collect())
}

/// Whether a relation has no points, treating an exhausted budget as "perhaps not".
pub(crate) fn surely_empty(map: &Map, budget: &Budget) -> bool {
    map.plain_is_empty() || map.is_empty(budget).unwrap_or(false)
}
