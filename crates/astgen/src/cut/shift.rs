//! Loops shared by statements that run at different phases of a period.
//!
//! If statement `b` has values `t ≡ r_b (mod m)` of a dimension, with different residues `r_b`, a
//! loop over `t` would have to ask at every value whose turn it is. A new dimension `t' = t - r_b`
//! before `t` takes common values in steps of `m` (or `t' = (t - r_b)/m`, which has no steps,
//! if the schedule multiplies by `m`); inside of it `t = t' + r_b` has one value per statement and
//! needs no loop. Grosser, Verdoolaege, Cohen, section 5.6; the multiplication is taken out also of
//! statements at the same phase.
use crate::level::bounds::involving;
use crate::level::plain_sets::plain_equal;
use crate::level::stride::{Stride, difference_of, every_piece_has_a_value, stride_or_value};
use crate::model::statement::{Statement, shift_row};
use loopwright_presburger::*;
use loopwright_schedule::Node;
use std::collections::HashMap;

/// The new dimension `(t - residue) / divisor` of every statement.
pub(crate) struct Shift {
    pub(crate) divisor: Int,
    pub(crate) residues: Vec<Int>,
}

impl Shift {
    /// Whether the new dimension is the same function of the old one for all statements.
    pub(crate) fn is_uniform(&self) -> bool {
        self.residues.iter().all(|residue| *residue == self.residues[0])
    }

    /// The values of the old dimensions in `set`, with the new dimension before `level`, if the
    /// shift is uniform.
    pub(crate) fn applied(&self, set: &Set, level: usize) -> Set {
        let set = set.insert_dims(DimKind::Out, level, 1);
        let basics = set.basic_sets().into_iter().map(|basic| {
            let map = basic.as_basic_map();
            let column = map.offset(DimKind::Out) + level;
            let row = shift_row(map.n_columns(), column, &self.divisor, &self.residues[0]);
            BasicSet::from_basic_map(map.add_equality(row))
        });
        Set::from_basic_sets(set.space().clone(), basics.collect())
    }
}

/// The shift of dimension `level` that makes the statements share their values; none if they do.
/// Common factors are taken out only if `scale_strides`.
pub(crate) fn common_shift(
    statements: &[&Statement],
    level: usize,
    scale_strides: bool,
) -> Result<Option<Shift>> {
    let Some(Phases { modulus, mut residues, first }) = phases(statements, level)? else {
        return Ok(None);
    };
    let is_multiple = |statement: &&Statement| multiplies(&statement.executed, level, &modulus);
    let offset = constant_residue(&first.offset, &modulus);
    if let Some(offset) = &offset
        && scale_strides
        && statements.iter().all(is_multiple)
    {
        for residue in &mut residues {
            *residue = (&*residue + offset).rem_euclid(&modulus);
        }
        let dimension = Dimension { level, modulus: &modulus, divisor: &modulus, phase: None };
        let residues = dimension.best_residues(statements, residues)?;
        return Ok(Some(Shift { divisor: modulus, residues }));
    }
    if residues.iter().all(Int::is_zero) {
        return Ok(None);
    }
    let phase = offset.map(|residue| Phase { modulus: modulus.clone(), residue });
    let divisor = &Int::ONE;
    let dimension = Dimension { level, modulus: &modulus, divisor, phase };
    let residues = dimension.best_residues(statements, residues)?;
    Ok(Some(Shift { divisor: Int::ONE, residues }))
}

/// What statements have in common that run at phases of a period.
struct Phases {
    modulus: Int,
    /// The values of each statement modulo `modulus`, as far as they differ from those of the first.
    residues: Vec<Int>,
    /// The congruence of the first statement.
    first: Stride,
}

/// The phases of the values of dimension `level`; none if there is no common period, or if all
/// statements have fixed values.
fn phases(statements: &[&Statement], level: usize) -> Result<Option<Phases>> {
    let mut fixed = true;
    for statement in statements {
        fixed = fixed && every_piece_has_a_value(statement.domain(level), level)?;
    }
    if fixed {
        return Ok(None);
    }
    let mut strides = Vec::with_capacity(statements.len());
    for statement in statements {
        match stride_or_value(std::slice::from_ref(statement.domain(level)), level)? {
            Some(stride) => strides.push(stride),
            None => return Ok(None),
        }
    }
    let first = strides.remove(0);
    let mut modulus = first.modulus.clone();
    let mut residues = vec![Int::ZERO];
    for stride in &strides {
        let Some((variable, constant)) = difference_of(stride, &first)? else {
            return Ok(None);
        };
        modulus = modulus.gcd(&stride.modulus).gcd(&variable);
        residues.push(constant);
    }
    if modulus.is_zero() || modulus.is_one() {
        return Ok(None);
    }
    for residue in &mut residues {
        *residue = residue.rem_euclid(&modulus);
    }
    Ok(Some(Phases { modulus, residues, first }))
}

/// The form modulo `modulus`, if that is a constant.
fn constant_residue(form: &Aff, modulus: &Int) -> Option<Int> {
    let row = form.row();
    let constant = form.denominator().is_one() && row.gcd(1..row.len()).is_divisible_by(modulus);
    constant.then(|| row.get(0).rem_euclid(modulus))
}

/// Whether dimension `level` is stated to be a sum of multiples of `modulus`, up to a constant: of
/// the instance, or of it and other dimensions, as `t = 2 i - 2 c0`.
fn multiplies(executed: &Map, level: usize, modulus: &Int) -> bool {
    executed.basic_maps().iter().all(|basic| {
        let locals = basic.offset(DimKind::Local);
        let column = basic.offset(DimKind::In) + level;
        basic.equalities().iter().any(|row| {
            row.get(column).abs().is_one()
                && row.first_nonzero(locals..row.len()).is_none()
                && row.gcd(1..column).is_divisible_by(modulus)
                && row.gcd(column + 1..locals).is_divisible_by(modulus)
        })
    })
}

/// The most statements for which the choice of the first phase is optimized.
const MOST_COMPARED: usize = 16;

/// A new dimension `(t - residue) / divisor` before dimension `level`, whose values `t` are known
/// modulo `modulus`.
struct Dimension<'a> {
    level: usize,
    modulus: &'a Int,
    divisor: &'a Int,
    /// What is known of the values of the new dimension.
    phase: Option<Phase>,
}

impl Dimension<'_> {
    /// The residues, to which a multiple of the modulus may be added so that some phase is the first:
    /// the one for which the statements have most values, or else bounds, of the new dimension in
    /// common, or else the bounds that are closest to each other.
    fn best_residues(&self, statements: &[&Statement], residues: Vec<Int>) -> Result<Vec<Int>> {
        let modulus = self.modulus;
        let mut starts = residues.clone();
        starts.sort();
        starts.dedup();
        if starts.len() == 1 || statements.len() > MOST_COMPARED {
            return Ok(residues);
        }
        let mut best: Option<((usize, usize, Int), Vec<Int>)> = None;
        for start in starts {
            let rotated: Vec<Int> = residues
                .iter()
                .map(|residue| if *residue < start { residue + modulus } else { residue.clone() })
                .collect();
            let distinct = self.distinct_values(statements, &rotated);
            let (n_different, distance) = self.different_bounds(&distinct);
            let found = (distinct.len(), n_different, distance);
            if best.as_ref().is_none_or(|(least, _)| found < *least) {
                best = Some((found, rotated));
            }
        }
        let mut residues = best.map_or(residues, |(_, residues)| residues);
        if residues.iter().any(|residue| residue >= modulus) {
            residues.iter_mut().for_each(|residue| *residue = &*residue - modulus);
        }
        Ok(residues)
    }

    /// What the statements say of the values of the new dimension, without repetitions.
    fn distinct_values(&self, statements: &[&Statement], residues: &[Int]) -> Vec<BasicSet> {
        let mut distinct: Vec<BasicSet> = Vec::new();
        for (statement, residue) in statements.iter().zip(residues) {
            let domain = statement.domain(self.level);
            let values = shifted_values(domain, self.level, self.divisor, residue);
            for basic in values.basic_sets() {
                let basic = involving(&basic, self.level, true);
                let same =
                    |other: &BasicSet| plain_equal(other.as_basic_map(), basic.as_basic_map());
                if !distinct.iter().any(same) {
                    distinct.push(basic);
                }
            }
        }
        distinct
    }

    /// How many different inequalities there are, apart from those with floors, and how far those are from
    /// each other that differ by a constant: the sum of the distances of the outermost ones.
    fn different_bounds(&self, sets: &[BasicSet]) -> (usize, Int) {
        let mut different: Vec<Row> = Vec::new();
        for map in sets.iter().map(BasicSet::as_basic_map) {
            let (column, first) =
                (map.offset(DimKind::Out) + self.level, map.offset(DimKind::Local));
            for row in map.inequalities() {
                let mut bound = row.slice(0..first);
                if let Some(phase) = &self.phase {
                    phase.tighten(&mut bound, column);
                }
                if row.first_nonzero(first..row.len()).is_none() && !different.contains(&bound) {
                    different.push(bound);
                }
            }
        }
        let mut ranges: HashMap<Row, (Int, Int)> = HashMap::new();
        for bound in &different {
            let mut form = bound.clone();
            form.set(0, Int::ZERO);
            let constant = bound.get(0);
            let range = ranges.entry(form).or_insert((constant.clone(), constant.clone()));
            range.0 = range.0.clone().min(constant.clone());
            range.1 = range.1.clone().max(constant);
        }
        let distances = ranges.values().map(|(least, greatest)| greatest - least);
        (different.len(), distances.fold(Int::ZERO, |sum, distance| sum + distance))
    }
}

/// The congruence `t ≡ residue (mod modulus)`.
struct Phase {
    modulus: Int,
    residue: Int,
}

impl Phase {
    /// Moves the constant of a bound `± t + c >= 0` to where values are.
    fn tighten(&self, bound: &mut Row, column: usize) {
        let mut rest = bound.clone();
        rest.set(column, Int::ZERO);
        if bound.get(column).abs().is_one()
            && rest.gcd(1..rest.len()).is_divisible_by(&self.modulus)
        {
            let offset = &self.residue * &bound.get(column);
            let multiple = (bound.get(0) + &offset).div_floor(&self.modulus) * &self.modulus;
            bound.set(0, multiple - offset);
        }
    }
}

/// The values `(t - residue) / divisor` for the values `t` of the last dimension.
fn shifted_values(values: &Set, level: usize, divisor: &Int, residue: &Int) -> Set {
    let with_both = values.insert_dims(DimKind::Out, level, 1);
    let n_params = with_both.n(DimKind::Param);
    let row = shift_row(1 + with_both.space().n_all(), 1 + n_params + level, divisor, residue);
    let equal = Constraint { is_equality: true, row };
    let pieces = with_both.basic_sets().into_iter().map(|basic| {
        let map = basic.as_basic_map();
        let mut constraints = map.constraints();
        let mut row = equal.row.clone();
        row.insert_zeros(row.len(), map.locals().len());
        constraints.push(Constraint { is_equality: true, row });
        let locals = map.locals().to_vec();
        let map = BasicMap::from_constraints(map.space().clone(), locals, constraints);
        BasicSet::from_basic_map(map)
    });
    Set::from_basic_sets(with_both.space().clone(), pieces.collect()).project_out(
        DimKind::Out,
        level + 1,
        1,
    )
}

/// Whether something in the tree speaks about the dimensions outside of it, so that they must be
/// those of the schedule.
pub(crate) fn refers_to_outer_dimensions(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| {
        found |= match node {
            Node::Context(set, _) | Node::Guard(set, _) => set.n(DimKind::Out) > 0,
            Node::Extension(map, _) => map.maps().iter().any(|map| map.n(DimKind::In) > 0),
            Node::Band(band, _) => band.isolate.is_some(),
            _ => false,
        }
    });
    found
}
