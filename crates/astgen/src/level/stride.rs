//! Congruences that the values of a dimension satisfy.
//!
//! An equality `v i + h + Σ s_j α_j = 0`, where `i` is the dimension, `h` is over outer dimensions
//! and parameters, and the `α_j` are locals, says `v i ≡ -h (mod s)` with `s = gcd(s_j)`. With
//! `g = gcd(v, s)` and `a (v/g) ≡ 1 (mod s/g)` this is `i ≡ -a h/g (mod s/g)`, where `g` divides
//! `h`. Grosser, Verdoolaege, Cohen, section 5.2, equations (15) to (20).
//!
//! Two congruences modulo `s1` and `s2` have common values only if their offsets differ by a multiple of
//! `gcd(s1, s2)`. That is a condition on the outer dimensions, which goes with the combined congruence, so
//! that it is checked once outside of the loop instead of in each iteration.
use loopwright_presburger::*;

/// The congruence `iterator ≡ offset (mod modulus)` that all values of a loop satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Stride {
    /// The distance between possible values, greater than one.
    pub(crate) modulus: Int,
    /// One of the values, as a function of the outer dimensions.
    pub(crate) offset: Aff,
    /// What has to hold outside for there to be any value, beside an integer offset.
    pub(crate) conditions: Vec<Divisibility>,
}

/// A form of the outer dimensions that is a multiple of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divisibility {
    /// The form, over the constant, the parameters and the outer dimensions.
    pub(crate) row: Row,
    /// The number, greater than one.
    pub(crate) modulus: Int,
}

/// The congruence of dimension `level` that holds on all of `sets`, which are at depth `level + 1`.
///
/// A fixed value counts as a congruence modulo zero on the way. Only what the equalities say directly
/// is found; conditions that the congruence leaves out surface as guards.
pub(crate) fn common_stride(sets: &[Set], level: usize) -> Result<Option<Stride>> {
    let common = stride_or_value(sets, level)?;
    Ok(common.filter(|stride| !stride.modulus.is_zero()))
}

/// The congruence of dimension `level` that holds on all of `sets`, or its value as one modulo zero.
pub(crate) fn stride_or_value(sets: &[Set], level: usize) -> Result<Option<Stride>> {
    let mut common: Option<Stride> = None;
    for basic in sets.iter().flat_map(|set| set.as_map().basic_maps()) {
        let Some(stride) = basic_stride(basic, level)? else {
            return Ok(None);
        };
        common = match common {
            None => Some(stride),
            Some(other) => union_of(other, stride)?,
        };
        if common.is_none() {
            return Ok(None);
        }
    }
    Ok(common)
}

/// Whether in every piece of a set an equality gives dimension `level` a value.
pub(crate) fn every_piece_has_a_value(set: &Set, level: usize) -> Result<bool> {
    for basic in set.as_map().basic_maps() {
        if !basic_stride(basic, level)?.is_some_and(|stride| stride.modulus.is_zero()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The difference of the offsets as the greatest common divisor of the coefficients of its
/// variables and a constant; none if the difference is a fraction or has floors.
pub(crate) fn difference_of(first: &Stride, second: &Stride) -> Result<Option<(Int, Int)>> {
    let difference = first.offset.sub(&second.offset)?;
    if !difference.denominator().is_one() || !difference.locals().is_empty() {
        return Ok(None);
    }
    let row = difference.row();
    Ok(Some((row.gcd(1..row.len()), row.get(0))))
}

/// The congruence of dimension `level` in a basic set.
fn basic_stride(basic: &BasicMap, level: usize) -> Result<Option<Stride>> {
    let mut result: Option<Stride> = None;
    for row in basic.equalities() {
        let Some(stride) = equality_stride(basic, row, level) else { continue };
        result = Some(match result {
            None => stride,
            Some(other) => intersection_of(other, stride)?,
        });
    }
    Ok(result)
}

fn equality_stride(basic: &BasicMap, row: &Row, level: usize) -> Option<Stride> {
    let column = basic.offset(DimKind::Out) + level;
    let first_local = basic.offset(DimKind::Local);
    let coefficient = row.get(column);
    let spacing = row.gcd(first_local..row.len());
    if coefficient.is_zero() || (spacing.is_zero() && !coefficient.abs().is_one()) {
        return None;
    }
    let (divisor, inverse, _) = coefficient.extended_gcd(&spacing);
    let modulus = spacing.div_exact(&divisor);
    if modulus.is_one() {
        return None;
    }
    let mut offset = row.clone();
    offset.remove(column..row.len());
    offset.scale(&-&inverse);
    reduce(&mut offset, &(&modulus * &divisor));
    let space = depth_space(basic.space(), level);
    let offset = Aff::from_row(&space, Vec::new(), offset, divisor);
    Some(Stride { modulus, offset, conditions: Vec::new() })
}

/// The space of a given depth with the parameters of `space`.
fn depth_space(space: &Space, depth: usize) -> Space {
    Space::set(space.param_names(), Tuple::anonymous(depth))
}

/// Reduces the entries modulo `modulus` to the least magnitude.
fn reduce(row: &mut Row, modulus: &Int) {
    if modulus.is_zero() {
        return;
    }
    for column in 0..row.len() {
        let rest = row.get(column).rem_euclid(modulus);
        row.set(column, if &rest + &rest > *modulus { rest - modulus } else { rest });
    }
}

/// The congruence of values that satisfy both: equations (18) to (20), with `g = gcd(s1, s2)` and
/// `c s1 + d s2 = g`: `i ≡ (d s2/g) o1 + (c s1/g) o2 (mod s1 s2 / g)`.
///
/// There are such values where both offsets are integers whose difference is a multiple of `g`.
fn intersection_of(first: Stride, second: Stride) -> Result<Stride> {
    if first.modulus.is_zero() {
        return Ok(first);
    }
    if second.modulus.is_zero() {
        return Ok(second);
    }
    let (gcd, c, d) = first.modulus.extended_gcd(&second.modulus);
    let weight_first = d * second.modulus.div_exact(&gcd);
    let weight_second = c * first.modulus.div_exact(&gcd);
    let offset = first.offset.scale(&weight_first).add(&second.offset.scale(&weight_second))?;
    let mut conditions = first.conditions;
    conditions.extend(second.conditions);
    let difference = first.offset.sub(&second.offset)?;
    for (form, multiple) in
        [(&first.offset, Int::ONE), (&second.offset, Int::ONE), (&difference, gcd)]
    {
        if let Some(condition) = Divisibility::of(form, &multiple)
            && !conditions.contains(&condition)
        {
            conditions.push(condition);
        }
    }
    Ok(Stride { modulus: first.modulus.lcm(&second.modulus), offset, conditions })
}

/// The congruence of values that satisfy one or the other: both moduli and the difference of the
/// offsets are multiples of the common modulus. What only one of them asks for is not asked for.
fn union_of(first: Stride, second: Stride) -> Result<Option<Stride>> {
    let difference = first.offset.sub(&second.offset)?;
    if !difference.denominator().is_one() {
        return Ok(None);
    }
    let row = difference.row();
    let modulus = row.gcd(0..row.len()).gcd(&first.modulus).gcd(&second.modulus);
    let mut conditions = first.conditions;
    conditions.retain(|condition| second.conditions.contains(condition));
    Ok((!modulus.is_one()).then_some(Stride { modulus, offset: first.offset, conditions }))
}

impl Divisibility {
    /// The condition that a form without floors is an integer multiple of `multiple`, in a form that is the
    /// same for conditions that are obviously the same; none if it holds everywhere.
    fn of(form: &Aff, multiple: &Int) -> Option<Divisibility> {
        let modulus = form.denominator() * multiple;
        let mut row = form.row().slice(0..1 + form.domain_space().n_all());
        reduce(&mut row, &modulus);
        let common = row.gcd(0..row.len()).gcd(&modulus);
        if common == modulus {
            return None;
        }
        let first = row.first_nonzero(1..row.len()).unwrap_or(0);
        let sign = if row.get(first).is_negative() { -Int::ONE } else { Int::ONE };
        for column in 0..row.len() {
            row.set(column, &sign * row.get(column).div_exact(&common));
        }
        let modulus = modulus.div_exact(&common);
        row.set(0, row.get(0).rem_euclid(&modulus));
        Some(Divisibility { row, modulus })
    }

    /// The points at which it holds.
    fn set(&self, space: &Space) -> Set {
        divisible(space, self.row.clone(), &self.modulus)
    }
}

impl Stride {
    /// The modulus and the residue, if that is a constant.
    pub(crate) fn constant_residue(&self) -> Option<(Int, Int)> {
        let row = self.offset.row();
        let constant =
            self.offset.denominator().is_one() && row.first_nonzero(1..row.len()).is_none();
        constant.then(|| (self.modulus.clone(), row.get(0)))
    }

    /// The congruence as a set at depth `level + 1`.
    pub(crate) fn constraint(&self, level: usize) -> Set {
        let space = depth_space(self.offset.domain_space(), level + 1);
        let outer = 1 + self.offset.domain_space().n_all();
        let mut value = self.offset.row().slice(0..outer);
        value.negate();
        value.push(self.offset.denominator().clone());
        divisible(&space, value, &(self.offset.denominator() * &self.modulus))
    }

    /// What the existence of a value asks of the outer dimensions: the offset is an integer, and congruences
    /// that were combined have common values.
    pub(crate) fn condition(&self, level: usize) -> Result<Set> {
        let space = depth_space(self.offset.domain_space(), level);
        let mut result = Set::universe(space.clone());
        for condition in &self.conditions {
            result = result.intersect(&condition.set(&space))?;
        }
        if self.offset.denominator().is_one() {
            return Ok(result);
        }
        let outer = 1 + space.n_all();
        let row = self.offset.row().slice(0..outer);
        result.intersect(&divisible(&space, row, self.offset.denominator()))
    }

    /// The least value of the congruence that is not less than `bound`.
    pub(crate) fn at_least(&self, bound: &Aff) -> Result<Aff> {
        let distance = bound.sub(&self.offset)?;
        let row = distance.row();
        let integral = distance.denominator().is_one();
        if integral && row.gcd(1..row.len()).is_divisible_by(&self.modulus) {
            let step = (-&row.get(0)).rem_euclid(&self.modulus);
            return Ok(bound.add_constant(&step));
        }
        distance.scale_down(&self.modulus).ceil().scale(&self.modulus).add(&self.offset)
    }
}

/// The step from values `x` to the next multiple of `modulus`, if it is the same for all; `residues` are
/// the congruences of the dimensions.
pub(crate) fn step_to_multiple(
    values: &Aff,
    modulus: &Int,
    residues: &[Option<(Int, Int)>],
) -> Option<Int> {
    let (row, denominator) = (values.row(), values.denominator());
    let first = 1 + values.domain_space().n(DimKind::Param);
    let (mut constant, period) = (row.get(0), denominator * modulus);
    for column in 1..row.len() {
        let coefficient = row.get(column);
        let known = column.checked_sub(first).and_then(|dim| residues.get(dim)?.as_ref());
        let step = match known {
            Some((modulus, residue)) => {
                constant += &coefficient * residue;
                &coefficient * modulus
            }
            None => coefficient,
        };
        if !step.is_divisible_by(&period) {
            return None;
        }
    }
    let whole = constant.is_divisible_by(denominator);
    whole.then(|| (-&constant.div_exact(denominator)).rem_euclid(modulus))
}

/// The points at which `row`, over the columns of `space`, is divisible by `modulus`.
fn divisible(space: &Space, mut row: Row, modulus: &Int) -> Set {
    row.push(Int::ZERO);
    let local = Local::Floor { numerator: row.clone(), denominator: modulus.clone() };
    let last = row.len() - 1;
    row.set(last, -modulus);
    let constraint = Constraint { is_equality: true, row };
    let basic = BasicMap::from_constraints(space.clone(), vec![local], vec![constraint]);
    Set::from_basic_set(BasicSet::from_basic_map(basic))
}

/// What the loop over dimension `level` guarantees inside, with the conditions of its congruence that are
/// checked outside.
pub(crate) fn loop_constraints(
    bounds: &BasicSet,
    stride: Option<&Stride>,
    level: usize,
) -> Result<Set> {
    let bounds = Set::from_basic_set(bounds.clone());
    match stride {
        Some(stride) => {
            let inside = bounds.intersect(&stride.constraint(level))?;
            match stride.conditions.is_empty() {
                true => Ok(inside),
                false => {
                    let outside = stride.condition(level)?.insert_dims(DimKind::Out, level, 1);
                    inside.intersect(&outside)
                }
            }
        }
        None => Ok(bounds),
    }
}
