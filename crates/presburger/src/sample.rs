//! Integer points of basic sets: emptiness, samples, optima.
//!
//! # Method
//! A system of affine constraints is made smaller as long as that is cheap and exact; every step
//! is recorded, so that a point of the smaller system leads back to a point of the original one:
//!
//! 1. Coefficients are divided by their greatest common divisor; the constant of an inequality is
//!    rounded down, an equality whose constant is not divisible has no solution. Of parallel
//!    inequalities the tighter one stays; two opposite ones contradict each other or, if they
//!    leave one value, are an equality.
//! 2. An equality with a unit coefficient replaces that variable. Other equalities are solved by
//!    the Hermite normal form: `x = particular + basis * t`.
//! 3. A variable without lower or without upper bounds can always satisfy its constraints, which
//!    are dropped. A variable whose lower (or upper) bounds all have unit coefficients is
//!    eliminated exactly by Fourier and Motzkin's method if that does not add rows: if
//!    `x >= -alpha` is an integer bound, then `-alpha` lies below every upper bound iff some
//!    integer does.
//! 4. What remains is searched: a rational point that is integral or can be rounded, implicit
//!    equalities (which lead back to 2), cutting planes ([`crate::cutting_planes`]), a few nodes of
//!    branch and bound.
//! 5. The complete fallback cuts the set into slices along a thin direction (`slices.rs`).
use crate::basic_map::BasicData;
use crate::cutting_planes;
use crate::simplex::floor_inequalities;
use crate::{
    BasicMap, Budget, DimKind, Int, Map, Matrix, Optimum, RationalOptimum, Result, Row, Tableau,
};

/// Nodes of branch and bound before slices are searched.
const BRANCH_NODES: usize = 24;

/// Affine constraints over the columns `[constant | variables]`.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) width: usize,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

/// How the value of an eliminated variable is found from those of the others.
enum Elimination {
    /// The equality, in which the variable has the coefficient 1 or -1.
    Equality { variable: usize, row: Row },
    /// The bounds on one side (lower ones if there are any).
    Bounds { variable: usize, rows: Vec<Row> },
}

/// A system without solution.
pub(crate) struct Contradiction;

impl System {
    /// The system of the given rows of `width` columns.
    pub(crate) fn new(width: usize, equalities: Vec<Row>, inequalities: Vec<Row>) -> Self {
        System { width, equalities, inequalities }
    }

    /// All constraints of a basic relation, including those that define its floors.
    pub(crate) fn from_basic_map(map: &BasicMap) -> Self {
        System::from_data(&map.inner)
    }

    /// All constraints of a system, including those that define its floors.
    pub(crate) fn from_data(data: &BasicData) -> Self {
        let floors = floor_inequalities(data);
        let mut inequalities = Vec::with_capacity(data.inequalities.len() + floors.len() + 2);
        inequalities.extend(data.inequalities.iter().cloned());
        inequalities.extend(floors);
        System::new(data.n_columns(), data.equalities.clone(), inequalities)
    }

    /// An integer point as a row `[1 | values]`, or none if there is none.
    pub(crate) fn find_point(mut self, budget: &Budget) -> Result<Option<Row>> {
        let mut eliminations = Vec::new();
        if self.simplify(&mut eliminations, budget)?.is_err() {
            return Ok(None);
        }
        let live = self.live_columns();
        let mut point = Row::zeros(self.width);
        point.set(0, Int::ONE);
        if !live.is_empty() {
            let small = self.restrict(&live);
            let found = if small.equalities.is_empty() {
                small.search(budget)?
            } else {
                small.solve_equalities(budget)?
            };
            let Some(found) = found else { return Ok(None) };
            for (i, &column) in live.iter().enumerate() {
                point.set(column, found.get(i + 1));
            }
        }
        for elimination in eliminations.iter().rev() {
            elimination.complete(&mut point);
        }
        Ok(Some(point))
    }

    /// Steps 1 to 3 of the module's description as long as they apply.
    ///
    /// The inequalities that a step does not change stay normalized; `keys` holds their direction
    /// keys. The search for the next variable goes on behind the last one.
    fn simplify(
        &mut self,
        eliminations: &mut Vec<Elimination>,
        budget: &Budget,
    ) -> Result<std::result::Result<(), Contradiction>> {
        let mut keys: Vec<i64> = Vec::with_capacity(self.inequalities.len());
        if self.normalize_equalities().is_err() {
            return Ok(Err(Contradiction));
        }
        let mut changed = std::mem::take(&mut self.inequalities);
        let mut last = 0;
        loop {
            let n_rows = self.equalities.len() + self.inequalities.len() + changed.len();
            budget.spend(n_rows as u64 + 1, "integer emptiness")?;
            if self.insert_all(changed, &mut keys).is_err() {
                return Ok(Err(Contradiction));
            }
            let elimination;
            if !self.equalities.is_empty() {
                let Some((row, variable)) = self.take_unit() else { return Ok(Ok(())) };
                let Ok(substituted) = self.substitute(variable, &row, &mut keys) else {
                    return Ok(Err(Contradiction));
                };
                changed = substituted;
                elimination = Elimination::Equality { variable, row };
            } else {
                let Some(variable) = self.exact_variable(last) else { return Ok(Ok(())) };
                last = variable;
                let bounds = self.take_involving(variable, &mut keys);
                (elimination, changed) = combined_bounds(variable, bounds);
            }
            eliminations.push(elimination);
        }
    }

    /// Removes the inequalities that involve a variable, and their keys.
    fn take_involving(&mut self, variable: usize, keys: &mut Vec<i64>) -> Vec<Row> {
        let mut position = 0..;
        let rows = &self.inequalities;
        keys.retain(|_| rows[position.next().unwrap_or_default()].is_zero_at(variable));
        self.inequalities.extract_if(.., |row| !row.is_zero_at(variable)).collect()
    }

    /// The variables that constraints involve.
    pub(crate) fn live_columns(&self) -> Vec<usize> {
        (1..self.width).filter(|&column| self.involves(column)).collect()
    }

    fn involves(&self, column: usize) -> bool {
        let mut rows = self.equalities.iter().chain(&self.inequalities);
        rows.any(|row| !row.is_zero_at(column))
    }

    /// The system over some of the columns; the others are zero in all rows.
    pub(crate) fn restrict(&self, columns: &[usize]) -> System {
        let restrict = |row: &Row| -> Row {
            std::iter::once(0).chain(columns.iter().copied()).map(|c| row.get(c)).collect()
        };
        System {
            width: columns.len() + 1,
            equalities: self.equalities.iter().map(restrict).collect(),
            inequalities: self.inequalities.iter().map(restrict).collect(),
        }
    }

    /// Removes a variable that has a unit coefficient in the equality `row`; the inequalities that
    /// change are returned.
    fn substitute(
        &mut self,
        variable: usize,
        row: &Row,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<Vec<Row>, Contradiction> {
        let mut changed = self.take_involving(variable, keys);
        changed.iter_mut().for_each(|other| other.eliminate(variable, row));
        let mut contradiction = false;
        self.equalities.retain_mut(|other| {
            if other.is_zero_at(variable) {
                return true;
            }
            other.eliminate(variable, row);
            normalize_equality(other).unwrap_or_else(|Contradiction| {
                contradiction = true;
                false
            })
        });
        if contradiction { Err(Contradiction) } else { Ok(changed) }
    }

    fn normalize_equalities(&mut self) -> std::result::Result<(), Contradiction> {
        let mut contradiction = false;
        self.equalities.retain_mut(|row| match normalize_equality(row) {
            Ok(useful) => useful,
            Err(Contradiction) => {
                contradiction = true;
                false
            }
        });
        if contradiction { Err(Contradiction) } else { Ok(()) }
    }

    /// Adds inequalities: tightens them and resolves parallel ones.
    fn insert_all(
        &mut self,
        rows: Vec<Row>,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<(), Contradiction> {
        rows.into_iter().try_for_each(|row| self.insert(row, keys))
    }

    fn insert(
        &mut self,
        mut row: Row,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<(), Contradiction> {
        if !tighten(&mut row)? {
            return Ok(());
        }
        let key = direction_key(&row);
        let mut keep = true;
        let mut i = 0;
        while i < keys.len() {
            let other = &self.inequalities[i];
            if keys[i] == key && is_parallel(&row, other, 1) {
                if row.get(0) < other.get(0) {
                    keys.swap_remove(i);
                    self.inequalities.swap_remove(i);
                    continue;
                }
                keep = false;
            } else if keys[i] == key.wrapping_neg() && is_parallel(&row, other, -1) {
                match (row.get(0) + other.get(0)).signum() {
                    -1 => return Err(Contradiction),
                    0 => {
                        self.equalities.push(row.clone());
                        keys.swap_remove(i);
                        self.inequalities.swap_remove(i);
                        keep = false;
                        continue;
                    }
                    _ => {}
                }
            }
            i += 1;
        }
        if keep {
            keys.push(key);
            self.inequalities.push(row);
        }
        Ok(())
    }

    /// Removes variables that have a unit coefficient in an equality. The equalities that opposite
    /// inequalities turn out to be on the way are appended to `found`.
    pub(crate) fn solve_units(
        &mut self,
        found: &mut Vec<Row>,
    ) -> std::result::Result<(), Contradiction> {
        let mut keys = Vec::with_capacity(self.inequalities.len());
        self.normalize_equalities()?;
        let mut changed = std::mem::take(&mut self.inequalities);
        loop {
            let n_known = self.equalities.len();
            self.insert_all(changed, &mut keys)?;
            found.extend_from_slice(&self.equalities[n_known..]);
            let Some((row, variable)) = self.take_unit() else { return Ok(()) };
            changed = self.substitute(variable, &row, &mut keys)?;
        }
    }

    /// Takes an equality out that has a variable with a unit coefficient.
    fn take_unit(&mut self) -> Option<(Row, usize)> {
        let (position, variable) = self
            .equalities
            .iter()
            .enumerate()
            .find_map(|(i, row)| row.last_unit(1..self.width).map(|column| (i, column)))?;
        Some((self.equalities.swap_remove(position), variable))
    }

    /// The numbers of lower and upper bounds of a variable, and whether either are all unit.
    fn bounds(&self, variable: usize) -> (usize, usize, bool) {
        let (mut lower, mut upper) = (0, 0);
        let (mut unit_lower, mut unit_upper) = (true, true);
        for row in &self.inequalities {
            match row.sign(variable) {
                1 => {
                    lower += 1;
                    unit_lower &= row.get(variable).is_one();
                }
                -1 => {
                    upper += 1;
                    unit_upper &= row.get(variable) == Int::MINUS_ONE;
                }
                _ => {}
            }
        }
        (lower, upper, unit_lower || unit_upper)
    }

    /// Step 3: the next variable after `last` whose elimination is exact and adds no rows.
    fn exact_variable(&self, last: usize) -> Option<usize> {
        (last + 1..self.width).chain(1..=last).find(|&variable| {
            let (lower, upper, exact) = self.bounds(variable);
            let cheap = lower * upper <= lower + upper && exact;
            lower + upper > 0 && (lower == 0 || upper == 0 || cheap)
        })
    }

    /// Step 2 for equalities without unit coefficients.
    fn solve_equalities(self, budget: &Budget) -> Result<Option<Row>> {
        budget.spend((self.equalities.len() * self.width) as u64, "integer emptiness")?;
        let Some(change) = integer_solutions(&self.equalities, self.width) else {
            return Ok(None);
        };
        let inner = self.change(&change);
        Ok(inner.find_point(budget)?.map(|t| change.left_mul(&t)))
    }

    /// The inequalities in terms of `t`, where `[1 | x] = [1 | t] * change`.
    pub(crate) fn change(&self, change: &Matrix) -> System {
        let rows = self.inequalities.iter().map(|row| change.right_mul(row)).collect();
        System::new(change.n_rows(), Vec::new(), rows)
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The inequalities.
    pub(crate) fn inequalities(&self) -> &[Row] {
        &self.inequalities
    }

    /// The tableau of all constraints.
    pub(crate) fn tableau(&self, budget: &Budget) -> Result<Tableau> {
        let mut tableau = Tableau::new(self.width - 1);
        for row in &self.equalities {
            tableau.add_equality(row, budget)?;
        }
        for row in &self.inequalities {
            tableau.add_inequality(row, budget)?;
        }
        Ok(tableau)
    }

    /// The system with one more equality.
    pub(crate) fn with_equality(&self, row: Row) -> System {
        let mut system = self.clone();
        system.equalities.push(row);
        system
    }

    /// The system with one more inequality.
    pub(crate) fn with_inequality(&self, row: Row) -> System {
        let mut system = self.clone();
        system.inequalities.push(row);
        system
    }

    /// Steps 4 and 5, for a system of inequalities.
    fn search(self, budget: &Budget) -> Result<Option<Row>> {
        let mut tableau = Tableau::new(self.width - 1);
        let mut ids = Vec::with_capacity(self.inequalities.len());
        for row in &self.inequalities {
            ids.push(tableau.add_inequality(row, budget)?);
            if tableau.is_empty() {
                return Ok(None);
            }
        }
        if let Some(point) = self.nearby_point(&tableau) {
            return Ok(Some(point));
        }
        let mut implicit = Vec::new();
        for (id, row) in ids.iter().zip(&self.inequalities) {
            if tableau.fix_if_always_zero(*id, budget)? {
                implicit.push(row.clone());
            }
        }
        if !implicit.is_empty() {
            return System { equalities: implicit, ..self }.find_point(budget);
        }
        if let Some(answer) = cutting_planes::find_point(self.width, &self.inequalities, budget)? {
            return Ok(answer);
        }
        match self.branch(tableau, budget)? {
            Some(answer) => Ok(answer),
            None => self.search_slices(budget),
        }
    }

    /// The sample of the tableau, or its values rounded down or up, if integral and in the set.
    pub(crate) fn nearby_point(&self, tableau: &Tableau) -> Option<Row> {
        if let Some(values) = tableau.integer_sample() {
            return Some(std::iter::once(Int::ONE).chain(values).collect());
        }
        let values = tableau.sample()?;
        let floor: Row =
            std::iter::once(Int::ONE).chain(values.iter().map(|value| value.floor())).collect();
        let ceil: Row =
            std::iter::once(Int::ONE).chain(values.iter().map(|value| value.ceil())).collect();
        [floor, ceil].into_iter().find(|point| self.contains(point))
    }

    /// Whether a point `[1 | values]` satisfies all constraints.
    pub(crate) fn contains(&self, point: &Row) -> bool {
        self.equalities.iter().all(|row| row.dot(point).is_zero())
            && self.inequalities.iter().all(|row| !row.dot(point).is_negative())
    }

    /// Branch and bound on fractional values of the sample. `None` if the limit of nodes was
    /// reached before an answer.
    fn branch(&self, root: Tableau, budget: &Budget) -> Result<Option<Option<Row>>> {
        let mut stack = vec![root];
        for _ in 0..BRANCH_NODES {
            let Some(tableau) = stack.pop() else { return Ok(Some(None)) };
            if tableau.is_empty() {
                continue;
            }
            if let Some(point) = self.nearby_point(&tableau) {
                return Ok(Some(Some(point)));
            }
            let values = tableau.sample().expect("the tableau is not empty");
            let (variable, value) = values
                .iter()
                .enumerate()
                .find(|(_, value)| !value.is_integer())
                .expect("an integral sample is a nearby point");
            let mut above = Row::unit(self.width, variable + 1);
            above.set(0, -value.ceil());
            let mut below = Row::unit(self.width, variable + 1);
            below.negate();
            below.set(0, value.floor());
            let mut first = tableau.clone();
            first.add_inequality(&above, budget)?;
            stack.push(first);
            let mut second = tableau;
            second.add_inequality(&below, budget)?;
            stack.push(second);
        }
        Ok(stack.iter().all(Tableau::is_empty).then_some(None))
    }

    /// The least value of an affine form over `[constant | variables]` at integer points.
    ///
    /// If the rational optimum is attained at an integer point after rounding, one question about
    /// emptiness decides; otherwise bisection between it and the value at a known point does.
    pub(crate) fn minimum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        let mut tableau = Tableau::new(self.width - 1);
        for row in &self.equalities {
            tableau.add_equality(row, budget)?;
        }
        for row in &self.inequalities {
            tableau.add_inequality(row, budget)?;
        }
        let least = match tableau.minimum(form, budget)? {
            RationalOptimum::Empty => return Ok(Optimum::Empty),
            RationalOptimum::Unbounded => {
                let point = self.clone().find_point(budget)?;
                return Ok(point.map_or(Optimum::Empty, |_| Optimum::Unbounded));
            }
            RationalOptimum::At(value) => value.ceil(),
        };
        // After minimizing, the sample is a vertex at which the rational optimum is attained.
        if tableau.integer_sample().is_some() {
            return Ok(Optimum::At(least));
        }
        let Some(point) = self.clone().find_point(budget)? else { return Ok(Optimum::Empty) };
        let point = self.least_point(form, least, point, budget)?;
        Ok(Optimum::At(form.dot(&point)))
    }

    /// A point where an affine form is least, from a lower bound and some point.
    pub(crate) fn least_point(
        &self,
        form: &Row,
        mut least: Int,
        mut best: Row,
        budget: &Budget,
    ) -> Result<Row> {
        let two = Int::from(2);
        let mut value = form.dot(&best);
        let mut first = true;
        while least < value {
            // The optimum is most often the rounded rational one.
            let middle = if first { least.clone() } else { (&least + &value).div_floor(&two) };
            first = false;
            match self.point_between(form, &least, &middle, budget)? {
                Some(point) => {
                    value = form.dot(&point);
                    best = point;
                }
                None => least = middle + Int::ONE,
            }
        }
        Ok(best)
    }

    /// A point with `least <= form <= greatest`.
    fn point_between(
        &self,
        form: &Row,
        least: &Int,
        greatest: &Int,
        budget: &Budget,
    ) -> Result<Option<Row>> {
        let mut system = self.clone();
        let mut low = form.clone();
        low.add_at(0, &-least);
        let mut high = form.clone();
        high.negate();
        high.add_at(0, greatest);
        system.inequalities.extend([low, high]);
        system.find_point(budget)
    }
}

/// Fourier-Motzkin elimination of a variable: the combinations of its lower and upper bounds.
fn combined_bounds(variable: usize, bounds: Vec<Row>) -> (Elimination, Vec<Row>) {
    let (lower, upper): (Vec<Row>, Vec<Row>) =
        bounds.into_iter().partition(|row| row.sign(variable) > 0);
    let mut rows = Vec::with_capacity(lower.len() * upper.len());
    for low in &lower {
        for high in &upper {
            let (a, b) = (low.get(variable), -high.get(variable));
            let mut combined = low.clone();
            combined.combine(&b, &a, high);
            rows.push(combined);
        }
    }
    let rest = if lower.is_empty() { upper } else { lower };
    (Elimination::Bounds { variable, rows: rest }, rows)
}

impl Elimination {
    /// Sets the value of the eliminated variable.
    fn complete(&self, point: &mut Row) {
        let value = match self {
            Elimination::Equality { variable, row } => {
                point.set(*variable, Int::ZERO);
                // c x + rest = 0 with c = 1 or -1.
                -(row.dot(point) * row.get(*variable))
            }
            Elimination::Bounds { variable, rows } => {
                point.set(*variable, Int::ZERO);
                let limits = rows.iter().map(|row| {
                    let (coefficient, rest) = (row.get(*variable), -row.dot(point));
                    if coefficient.is_positive() {
                        rest.div_ceil(&coefficient)
                    } else {
                        rest.div_floor(&coefficient)
                    }
                });
                let lower = rows.first().is_some_and(|row| row.sign(*variable) > 0);
                if lower { limits.max() } else { limits.min() }.unwrap_or_default()
            }
        };
        let (Elimination::Equality { variable, .. } | Elimination::Bounds { variable, .. }) = self;
        point.set(*variable, value);
    }
}

/// All integer solutions of equalities over `[constant | x]`: the matrix with
/// `[1 | x] = [1 | t] * matrix` for integer `t`; none if there is no solution.
pub(crate) fn integer_solutions(equalities: &[Row], width: usize) -> Option<Matrix> {
    let right = equalities.iter().map(|row| -row.get(0)).collect();
    let coefficients = equalities.iter().map(|row| row.slice(1..width)).collect();
    let solution = Matrix::new(coefficients, width - 1).solve_integer(&right)?;
    let mut change = vec![homogeneous(Int::ONE, &solution.particular)];
    change.extend(solution.basis.rows().iter().map(|row| homogeneous(Int::ZERO, row)));
    Some(Matrix::new(change, width))
}

fn homogeneous(first: Int, rest: &Row) -> Row {
    std::iter::once(first).chain(rest.iter()).collect()
}

/// Divides an inequality by the greatest common divisor of its coefficients and rounds the
/// constant down. Whether it restricts anything.
fn tighten(row: &mut Row) -> std::result::Result<bool, Contradiction> {
    let divisor = row.gcd(1..row.len());
    if divisor.is_zero() {
        return if row.sign(0) < 0 { Err(Contradiction) } else { Ok(false) };
    }
    if !divisor.is_one() {
        let constant = row.get(0).div_floor(&divisor);
        row.set(0, Int::ZERO);
        row.div_exact(&divisor);
        row.set(0, constant);
    }
    Ok(true)
}

/// Divides an equality by the greatest common divisor of its coefficients. Whether it restricts
/// anything.
fn normalize_equality(row: &mut Row) -> std::result::Result<bool, Contradiction> {
    let divisor = row.gcd(1..row.len());
    if !row.get(0).is_divisible_by(&divisor) {
        return Err(Contradiction);
    }
    if divisor.is_zero() {
        return Ok(false);
    }
    row.div_exact(&divisor);
    Ok(true)
}

/// A key of the coefficients (without the constant) that changes its sign with them. It only
/// selects candidates, so its wrapping arithmetic cannot affect results.
pub(crate) fn direction_key(row: &Row) -> i64 {
    let Some(values) = row.as_i64s() else { return 0 };
    let mut multiplier: i64 = 0x2545_F491_4F6C_DD1D;
    values[1..].iter().fold(0, |key: i64, value| {
        multiplier = multiplier.wrapping_mul(0x5851_F42D_4C95_7F2D);
        key.wrapping_add(value.wrapping_mul(multiplier))
    })
}

/// Whether the coefficients of `row` are `sign` times those of `other`.
pub(crate) fn is_parallel(row: &Row, other: &Row, sign: i64) -> bool {
    match (row.as_i64s(), other.as_i64s()) {
        (Some(a), Some(b)) => a[1..].iter().zip(&b[1..]).all(|(x, y)| *x == sign * y),
        _ => {
            let sign = Int::from(sign);
            row.iter().zip(other.iter()).skip(1).all(|(x, y)| x == y * &sign)
        }
    }
}

impl BasicMap {
    /// Whether there is no integer point (for any value of the parameters).
    ///
    /// Exact and terminating for every set; see the method in the source of this module. Most
    /// sets of loop programs are decided without a simplex tableau.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : 2i = 4j + 1 }")?;
    /// assert!(map.is_empty(&Budget::unlimited())?);
    /// // 3i + 5j = 7 has solutions, but none with 0 <= i, j <= 1.
    /// let map = Map::parse("{ [i] -> [j] : 3i + 5j = 7 and 0 <= i <= 1 and 0 <= j <= 1 }")?;
    /// assert!(
    ///     map.basic_maps().iter().all(|basic| basic.is_empty(&Budget::unlimited()) == Ok(true))
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        Ok(self.sample_columns(budget)?.is_none())
    }

    /// Some integer point: the values of parameters, input and output dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : 3i + 5j = 14 and i >= 0 and j >= 0 }")?;
    /// let point = map.basic_maps()[0].sample_point(&Budget::unlimited())?;
    /// assert_eq!(point, Some(vec![Int::from(3), Int::from(1)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        let end = self.offset(DimKind::Local);
        Ok(self.sample_columns(budget)?.map(|point| (1..end).map(|i| point.get(i)).collect()))
    }

    /// Some integer point as a row over all columns: 1, then the values of parameters, dimensions
    /// and locals; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Set};
    /// // The columns are [1 | i | floor(i/3)].
    /// let set = Set::parse("{ [i] : 3*floor(i/3) = i - 2 and 4 <= i <= 6 }")?;
    /// let basic = set.basic_sets()[0].clone();
    /// let point = basic.as_basic_map().sample_columns(&Budget::unlimited())?;
    /// assert_eq!(point.unwrap().slice(0..2), Row::from_i64s(&[1, 5]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_columns(&self, budget: &Budget) -> Result<Option<Row>> {
        if self.plain_is_empty() {
            return Ok(None);
        }
        System::from_basic_map(self).find_point(budget)
    }

    /// The least value of an affine form (a row over all columns) at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Row};
    /// let map = Map::parse("{ [i] -> [j] : 3i >= 4 and j >= i }")?;
    /// // i + j, over [constant | i | j].
    /// let least = map.basic_maps()[0].minimum(&Row::from_i64s(&[0, 1, 1]), &Budget::unlimited())?;
    /// assert_eq!(least, Optimum::At(Int::from(4)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn minimum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        if self.plain_is_empty() {
            return Ok(Optimum::Empty);
        }
        System::from_basic_map(self).minimum(form, budget)
    }

    /// The greatest value of an affine form (a row over all columns) at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Row};
    /// let map = Map::parse("{ [i] -> [j] : 3i <= 8 and j <= i }")?;
    /// // i + j, over [constant | i | j].
    /// let greatest =
    ///     map.basic_maps()[0].maximum(&Row::from_i64s(&[0, 1, 1]), &Budget::unlimited())?;
    /// assert_eq!(greatest, Optimum::At(Int::from(4)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn maximum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        let mut negated = form.clone();
        negated.negate();
        Ok(match self.minimum(&negated, budget)? {
            Optimum::At(value) => Optimum::At(-value),
            other => other,
        })
    }

    /// The least value of an affine form (a row over all columns) at rational points; a bound on
    /// that at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Rational, RationalOptimum, Row};
    /// let budget = &Budget::unlimited();
    /// let map = Map::parse("{ [i] -> [j] : i + 2j >= 1 and i - 2j >= 0 }")?;
    /// let basic = &map.basic_maps()[0];
    /// // i, over [constant | i | j].
    /// let form = Row::from_i64s(&[0, 1, 0]);
    /// let half = Rational::new(Int::from(1), Int::from(2));
    /// assert_eq!(basic.rational_minimum(&form, budget)?, RationalOptimum::At(half));
    /// assert_eq!(basic.minimum(&form, budget)?, Optimum::At(Int::from(1)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn rational_minimum(&self, form: &Row, budget: &Budget) -> Result<RationalOptimum> {
        Tableau::from_basic_map(self, budget)?.minimum(form, budget)
    }
}

impl Map {
    /// Some integer point: values of parameters, input and output dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : i = 4 and j = 2i or false }")?;
    /// let point = map.sample_point(&Budget::unlimited())?;
    /// assert_eq!(point, Some(vec![Int::from(4), Int::from(8)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        for basic in &self.basics {
            if let Some(point) = basic.sample_point(budget)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;

    /// All integer points of `rows >= 0` in a cube, by enumeration.
    fn enumerate(width: usize, half: i64, mut accept: impl FnMut(&Row) -> bool) -> Vec<Row> {
        let side = 2 * half + 1;
        (0..side.pow(width as u32 - 1))
            .map(|mut index| {
                let mut point = vec![1];
                for _ in 1..width {
                    point.push(index % side - half);
                    index /= side;
                }
                Row::from_i64s(&point)
            })
            .filter(|point| accept(point))
            .collect()
    }

    fn boxed(width: usize, half: i64) -> Vec<Row> {
        let mut rows = Vec::new();
        for column in 1..width {
            for sign in [1, -1] {
                let mut row = vec![0; width];
                row[0] = half;
                row[column] = sign;
                rows.push(Row::from_i64s(&row));
            }
        }
        rows
    }

    fn random_system(generator: &mut Generator, width: usize, half: i64, size: i64) -> System {
        let n_equalities = generator.below(3) / 2;
        let n_inequalities = 1 + generator.below(5);
        let equalities = (0..n_equalities).map(|_| generator.row(width, size, 6)).collect();
        let mut inequalities: Vec<Row> =
            (0..n_inequalities).map(|_| generator.row(width, size, 12)).collect();
        inequalities.extend(boxed(width, half));
        System::new(width, equalities, inequalities)
    }

    #[test]
    fn emptiness_agrees_with_enumeration() {
        let mut generator = Generator::new(1);
        let mut n_empty = 0;
        for case in 0..600 {
            let width = 2 + generator.below(3) as usize;
            let size = if case % 2 == 0 { 3 } else { 9 };
            let system = random_system(&mut generator, width, 4, size);
            let expected = enumerate(width, 4, |point| system.contains(point));
            let budget = Budget::steps(10_000_000);
            let found = system.clone().find_point(&budget).unwrap();
            assert_eq!(found.is_some(), !expected.is_empty(), "{system:?}");
            n_empty += usize::from(found.is_none());
            if let Some(point) = found {
                assert!(system.contains(&point), "{point} is not in {system:?}");
            }
        }
        assert!((100..500).contains(&n_empty), "{n_empty} of 600 cases are empty");
    }

    fn has_rational_point(system: &System) -> bool {
        let budget = Budget::unlimited();
        let mut tableau = Tableau::new(system.width - 1);
        for row in &system.inequalities {
            tableau.add_inequality(row, &budget).unwrap();
        }
        !tableau.is_empty()
    }

    #[test]
    fn slices_alone_agree_with_enumeration() {
        let mut generator = Generator::new(2);
        for _ in 0..300 {
            let width = 3 + generator.below(2) as usize;
            let mut system = random_system(&mut generator, width, 3, 7);
            system.equalities.clear();
            let expected = !enumerate(width, 3, |point| system.contains(point)).is_empty();
            if !has_rational_point(&system) {
                assert!(!expected);
                continue;
            }
            let budget = Budget::steps(10_000_000);
            let found = system.clone().search_slices(&budget).unwrap();
            assert!(found.iter().all(|point| system.contains(point)));
            assert_eq!(found.is_some(), expected, "{system:?}");
        }
    }

    #[test]
    fn slices_of_unbounded_polyhedra() {
        let mut generator = Generator::new(12);
        let budget = Budget::steps(10_000_000);
        for _ in 0..300 {
            let rows = (0..3).map(|_| generator.row(4, 7, 9)).collect();
            let system = System::new(4, Vec::new(), rows);
            if !has_rational_point(&system) {
                continue;
            }
            match system.clone().search_slices(&budget).unwrap() {
                Some(point) => assert!(system.contains(&point), "{system:?}"),
                None => assert!(enumerate(4, 6, |point| system.contains(point)).is_empty()),
            }
        }
    }

    /// Between two lines of the lattice, in a direction that is no axis: however long the strip is,
    /// there are few slices.
    #[test]
    fn a_long_strip_without_integer_points() {
        let far = 10_000_000;
        let rows = [[-1, 3, -6], [2, -3, 6], [far, 1, 0], [far, -1, 0], [far, 0, 1], [far, 0, -1]];
        let rows = rows.iter().map(|row| Row::from_i64s(row)).collect();
        let budget = Budget::steps(100_000);
        assert_eq!(System::new(3, Vec::new(), rows).search_slices(&budget).unwrap(), None);
    }

    #[test]
    fn minimum_agrees_with_enumeration() {
        let mut generator = Generator::new(3);
        for _ in 0..300 {
            let width = 2 + generator.below(3) as usize;
            let system = random_system(&mut generator, width, 4, 5);
            let form = generator.row(width, 5, 5);
            let points = enumerate(width, 4, |point| system.contains(point));
            let expected = points.iter().map(|point| form.dot(point)).min();
            let expected = expected.map_or(Optimum::Empty, Optimum::At);
            let budget = Budget::steps(10_000_000);
            assert_eq!(system.minimum(&form, &budget).unwrap(), expected, "{form} on {system:?}");
        }
    }

    /// `8 <= 11 x + 13 y <= 10`, `-4 <= 7 x - 9 y <= 4` has rational points only (Pugh 1992; here
    /// with the bounds of the example that his paper gives for the dark shadow).
    #[test]
    fn flat_sets_without_integer_points() {
        let rows = [[-27, 11, 13], [45, -11, -13], [10, 7, -9], [4, -7, 9]];
        let rows = rows.iter().map(|row| Row::from_i64s(row)).collect();
        let system = System::new(3, Vec::new(), rows);
        assert!(system.find_point(&Budget::steps(100_000)).unwrap().is_none());
    }

    /// Unbounded in every direction, without integer points: `3 <= 6 x - 4 y + 10 z <= 3`.
    #[test]
    fn unbounded_sets() {
        let rows = vec![Row::from_i64s(&[-3, 6, -4, 10]), Row::from_i64s(&[3, -6, 4, -10])];
        let system = System::new(4, Vec::new(), rows);
        assert!(system.find_point(&Budget::steps(100_000)).unwrap().is_none());
        // 1 <= 6 x - 15 y + 10 z <= 1 has points far from the sample.
        let rows = vec![Row::from_i64s(&[-1, 6, -15, 10]), Row::from_i64s(&[1, -6, 15, -10])];
        let system = System::new(4, Vec::new(), rows);
        let point = system.clone().find_point(&Budget::steps(100_000)).unwrap().unwrap();
        assert!(system.contains(&point));
        let form = Row::from_i64s(&[0, 1, 0, 0]);
        assert_eq!(system.minimum(&form, &Budget::unlimited()).unwrap(), Optimum::Unbounded);
    }
}
