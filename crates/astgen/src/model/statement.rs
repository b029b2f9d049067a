//! The executed relation: from the values of the schedule dimensions to statement instances.
//!
//! One [`Statement`] per statement holds `{ [c0, .., c(d-1)] -> S[..] }`, where `d` is the depth
//! at the end of the current band, and the projections of its domain onto every prefix of the
//! dimensions. A restriction `B` on the first dimensions commutes with these projections:
//! projecting `D ∩ B` onto a prefix that contains the dimensions of `B` is the same as intersecting
//! the projection of `D` with `B`. So each projection is computed once per band, however the
//! descent cuts the outer dimensions into pieces.
use crate::model::prefix::Prefix;
use loopwright_presburger::*;

/// A statement on the way through a band.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Schedule dimensions to instances.
    pub(crate) executed: Map,
    /// Where the relation comes from, if that is simple.
    pub(crate) prefix: Option<Prefix>,
    /// The projections of the domain; entry `k - first` is at depth `k + 1`.
    levels: Vec<Set>,
    first: usize,
}

impl Statement {
    /// Prepares a relation for the levels from `first` on.
    pub(crate) fn new(executed: Map, prefix: Option<Prefix>, first: usize) -> Self {
        let depth = executed.n(DimKind::In);
        let mut levels = Vec::with_capacity(depth - first);
        if first < depth {
            levels.push(pin_floors(&executed).domain());
        }
        for level in (first + 1..depth).rev() {
            let inner = &levels[levels.len() - 1];
            levels.push(inner.project_out(DimKind::Out, level, 1));
        }
        levels.reverse();
        Statement { executed, prefix, levels, first }
    }

    /// The statement with a new dimension `(t - residue) / divisor` before dimension `level`,
    /// whose values are `t`; levels count from `level` on.
    pub(crate) fn shifted(&self, level: usize, divisor: &Int, residue: &Int) -> Self {
        if let Some(prefix) = &self.prefix {
            let prefix = prefix.shifted(level, divisor, residue);
            return Statement::new(prefix.executed(), Some(prefix), level);
        }
        let executed = self.executed.insert_dims(DimKind::In, level, 1);
        let basics = executed.basic_maps().iter().map(|basic| {
            let column = basic.offset(DimKind::In) + level;
            basic.add_equality(shift_row(basic.n_columns(), column, divisor, residue))
        });
        let executed = Map::from_basic_maps(executed.space().clone(), basics.collect());
        Statement::new(executed, None, level)
    }

    /// The part of the statement inside a set at depth `level + 1`; levels count from `level` on.
    pub(crate) fn restricted(&self, level: usize, part: &Set) -> Result<Self> {
        let mut levels = Vec::with_capacity(self.depth() - level);
        for (at, domain) in self.levels.iter().enumerate().skip(level - self.first) {
            let inner = self.first + at - level;
            levels.push(domain.intersect(&part.insert_dims(DimKind::Out, level + 1, inner))?);
        }
        let deepest = part.insert_dims(DimKind::Out, level + 1, self.depth() - level - 1);
        let executed = self.executed.intersect_domain(&deepest)?;
        Ok(Statement { executed, prefix: None, levels, first: level })
    }

    /// The values of the dimensions up to and including `level`.
    pub(crate) fn domain(&self, level: usize) -> &Set {
        &self.levels[level - self.first]
    }

    /// The values of all dimensions; the statement must have some from the first level on.
    pub(crate) fn deepest_domain(&self) -> &Set {
        &self.levels[self.levels.len() - 1]
    }

    /// The number of schedule dimensions.
    pub(crate) fn depth(&self) -> usize {
        self.first + self.levels.len()
    }

    /// What the relation states directly, or by equalities, about the dimensions up to and including
    /// `level`, without regard to bounds of instances that lie further inside.
    pub(crate) fn explicit_domain(&self, level: usize) -> Set {
        let pieces = self.executed.basic_maps().iter();
        let pieces = pieces.map(|basic| explicit_constraints(basic, level + 1)).collect();
        let map = Map::from_basic_maps(self.executed.space().clone(), pieces);
        let depth = map.n(DimKind::In);
        map.domain().project_out(DimKind::Out, level + 1, depth - level - 1)
    }

    /// The space of the instances.
    pub(crate) fn space(&self) -> Space {
        self.executed.space().range()
    }
}

/// Appends the dimensions of a partial schedule `S[..] -> [..]` to an executed relation.
pub(crate) fn extended(executed: &Map, schedule: &Map) -> Result<Map> {
    Ok(executed.reverse().flat_range_product(schedule)?.reverse())
}

/// The most work for the hull of one piece, or for merging pieces.
const HULL_STEPS: u64 = 100_000;

/// With the equalities that hold at all integer points of pieces with congruences or floors: of
/// `0 <= i - t <= 31` and `i - t` a multiple of 32 it is `i = t`.
pub(crate) fn with_plain_equalities(map: &Map, budget: &Budget) -> Result<Map> {
    // What the pieces have in common is said once.
    let map = &map.coalesce_up_to(HULL_STEPS, budget)?;
    if map.basic_maps().iter().all(|basic| basic.locals().is_empty()) {
        return Ok(map.clone());
    }
    let mut basics = Vec::with_capacity(map.basic_maps().len());
    for basic in map.basic_maps() {
        let mut basic = basic.clone();
        let part = budget.part(HULL_STEPS);
        let hull = match basic.locals().is_empty() {
            true => None,
            false => basic.affine_hull(&part).ok(),
        };
        budget.charge(&part);
        for row in hull.iter().flat_map(|hull| hull.equalities()) {
            let locals = basic.offset(DimKind::Local);
            if row.first_nonzero(locals..row.len()).is_none() {
                let mut row = row.slice(0..locals);
                row.insert_zeros(locals, basic.n_columns() - locals);
                if !basic.equalities().contains(&row) {
                    basic = basic.add_equality(row);
                }
            }
        }
        basics.push(basic);
    }
    Ok(Map::from_basic_maps(map.space().clone(), basics))
}

/// Redefines floors that an equality determines in terms of the other dimensions.
///
/// A schedule `t = ⌊i/32⌋` gives an executed relation with the local `q = ⌊i/32⌋` and the equality `t = q`.
/// Its floor is in terms of the instance, which is about to be projected out. The equality `a q = r` says
/// `q = r/a`, so the definition `0 <= e - m q <= m - 1` of `q = ⌊e/m⌋` becomes two ordinary constraints, and
/// the local itself vanishes (`a = 1`) or becomes `⌊r/a⌋`. Multiples `f q` of it with `a | f` elsewhere
/// become `(f/a) r`. For tile loops this leaves `32 t <= i <= 32 t + 31`.
pub(crate) fn pin_floors(map: &Map) -> Map {
    if map.basic_maps().iter().all(|basic| pinning(basic).is_none()) {
        return map.clone();
    }
    let basics = map.basic_maps().iter().map(|basic| {
        let mut current = basic.clone();
        while let Some((local, equality)) = pinning(&current) {
            current = pinned(&current, local, equality);
        }
        current
    });
    Map::from_basic_maps(map.space().clone(), basics.collect())
}

/// A floor over instance dimensions, and an equality that determines it without them.
fn pinning(basic: &BasicMap) -> Option<(usize, usize)> {
    let instance = basic.offset(DimKind::Out)..basic.offset(DimKind::Local);
    let first = basic.offset(DimKind::Local);
    for (position, local) in basic.locals().iter().enumerate().rev() {
        let Local::Floor { numerator, .. } = local else { continue };
        if numerator.first_nonzero(instance.clone()).is_none() {
            continue;
        }
        let determines = |row: &Row| {
            !row.is_zero_at(first + position)
                && row.first_nonzero(instance.clone()).is_none()
                && row.first_nonzero(first..first + position).is_none()
                && row.first_nonzero(first + position + 1..row.len()).is_none()
        };
        if let Some(equality) = basic.equalities().iter().position(determines) {
            return Some((position, equality));
        }
    }
    None
}

/// Replaces the definition of a local by two inequalities and redefines it by an equality.
fn pinned(basic: &BasicMap, position: usize, equality: usize) -> BasicMap {
    let column = basic.offset(DimKind::Local) + position;
    let mut locals = basic.locals().to_vec();
    let Local::Floor { numerator, denominator } = &basic.locals()[position] else {
        return basic.clone();
    };
    let mut constraints = basic.constraints();
    let mut lower = numerator.clone();
    lower.set(column, -denominator);
    let mut upper = lower.clone();
    upper.negate();
    upper.set(0, upper.get(0) + denominator - Int::ONE);
    for row in [lower, upper] {
        constraints.push(Constraint { is_equality: false, row });
    }
    let mut dividend = basic.equalities()[equality].clone();
    let coefficient = dividend.get(column);
    dividend.set(column, Int::ZERO);
    if coefficient.is_positive() {
        dividend.negate();
    }
    for constraint in &mut constraints {
        let factor = constraint.row.get(column);
        if factor.is_divisible_by(&coefficient) && constraint.row != basic.equalities()[equality] {
            let sign = if coefficient.is_positive() { Int::ONE } else { -&Int::ONE };
            constraint.row.set(column, Int::ZERO);
            constraint.row.add_scaled(&(sign * factor.div_exact(&coefficient)), &dividend);
        }
    }
    locals[position] = Local::Floor { numerator: dividend, denominator: coefficient.abs() };
    BasicMap::from_constraints(basic.space().clone(), locals, constraints)
}

/// The constraints that involve only parameters, the first `depth` dimensions and locals, once
/// equalities have been solved for the other dimensions.
///
/// An equality `2 j = c1 - c0` puts bounds on `c1 - c0` as well, `2 <= c1 - c0 <= 2 n` for `1 <= j <= n`:
/// what mentions `j` is multiplied by its coefficient first.
fn explicit_constraints(basic: &BasicMap, depth: usize) -> BasicMap {
    let inner = basic.offset(DimKind::In) + depth..basic.offset(DimKind::Local);
    let mut constraints = basic.constraints();
    let mut locals = basic.locals().to_vec();
    let first = basic.offset(DimKind::Local);
    for column in inner.clone().rev() {
        let solving = constraints.iter().enumerate();
        let solving = solving.filter(|(_, c)| c.is_equality && !c.row.is_zero_at(column));
        let simplest = solving.min_by_key(|(_, c)| c.row.get(column).abs());
        let Some(position) = simplest.map(|(position, _)| position) else { continue };
        let Constraint { row: mut solved, .. } = constraints.remove(position);
        if solved.get(column).is_positive() {
            solved.negate();
        }
        let multiple = -&solved.get(column);
        for constraint in constraints.iter_mut().filter(|c| !c.row.is_zero_at(column)) {
            let factor = constraint.row.get(column);
            constraint.row.scale(&multiple);
            constraint.row.add_scaled(&factor, &solved);
        }
        // A floor in terms of other floors, perhaps of itself, would be left out below.
        let has_floors = solved.first_nonzero(first..solved.len()).is_some();
        for local in &mut locals {
            if let Local::Floor { numerator, denominator } = local
                && !has_floors
                && !numerator.is_zero_at(column)
            {
                let factor = numerator.get(column);
                numerator.scale(&multiple);
                numerator.add_scaled(&factor, &solved);
                *denominator = &*denominator * &multiple;
            }
        }
    }
    let is_inner = |position: usize| match &locals[position] {
        Local::Floor { numerator, .. } => {
            numerator.first_nonzero(inner.clone()).is_some()
                || numerator.first_nonzero(first..numerator.len()).is_some()
        }
        Local::Unknown => false,
    };
    constraints.retain(|c| {
        let mut used = (0..locals.len()).filter(|&l| !c.row.is_zero_at(first + l));
        c.row.first_nonzero(inner.clone()).is_none() && !used.any(is_inner)
    });
    BasicMap::from_constraints(basic.space().clone(), locals, constraints)
}

/// `divisor t' + residue - t`, where `t` is in the column after that of `t'`.
pub(crate) fn shift_row(width: usize, column: usize, divisor: &Int, residue: &Int) -> Row {
    let mut row = Row::zeros(width);
    row.set(0, residue.clone());
    row.set(column, divisor.clone());
    row.set(column + 1, -&Int::ONE);
    row
}
