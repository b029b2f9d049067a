//! Paths of a relation between elements of one space, over-approximated by their offsets.
//!
//! A path of `k_i` steps from each piece `R_i` leads from `x` to `x + sum of d_i`, where `d_i` is
//! the sum of `k_i` offsets of `R_i`. The sum of `k` solutions of `a z + c >= 0` satisfies
//! `a z + k c >= 0`; if the constant involves parameters it is replaced by its greatest value. This
//! is the description of Verdoolaege, Cohen and Beletska, "Transitive closures of affine integer
//! tuple relations and their overapproximations" (SAS 2011), section 4, with the existentials of
//! the offsets summed up like the offsets themselves, so that congruences are kept.
use crate::closures::closure::explicit;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_inequalities};
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::solve::simplex::{RationalOptimum, Tableau};
use loopwright_exact::{Int, Rational, Row};

/// A constraint on the sum `z` of `k` offsets (and of their existentials): `a z + c k >= 0`.
struct SumConstraint {
    is_equality: bool,
    /// `[c | a]`.
    row: Row,
}

/// What is known of the sums of offsets of one piece.
struct Steps {
    constraints: Vec<SumConstraint>,
    /// Constraints `c + b p + a z >= 0` that hold for one and for several steps.
    parametric: Vec<Row>,
    n_locals: usize,
}

/// The constant part of a row with parameters: its greatest value in the set, if there is one that
/// is an integer multiple of the other coefficients' unit.
fn greatest_constant(
    tableau: &mut Tableau,
    row: &Row,
    parameters: std::ops::Range<usize>,
    budget: &Budget,
) -> Result<Option<Rational>> {
    let mut constant = Row::zeros(row.len());
    constant.set(0, row.get(0));
    for column in parameters {
        constant.set(column, row.get(column));
    }
    Ok(match tableau.maximum(&constant, budget)? {
        RationalOptimum::At(value) => Some(value),
        _ => None,
    })
}

impl Steps {
    /// The steps of a piece whose offsets are `offsets`.
    fn new(offsets: &BasicMap, budget: &Budget) -> Result<Self> {
        let first = offsets.offset(DimKind::Out);
        let mut tableau = Tableau::from_basic_map(offsets, budget)?;
        let n_locals = offsets.locals().len();
        let mut steps = Steps { constraints: Vec::new(), parametric: Vec::new(), n_locals };
        let mut halves = offsets.inequalities().to_vec();
        halves.extend(floor_inequalities(&offsets.inner));
        for row in offsets.equalities() {
            if row.first_nonzero(1..first).is_none() {
                steps.push(row, true, row.get(0), &Int::ONE, first);
            } else {
                let mut opposite = row.clone();
                opposite.negate();
                halves.extend([row.clone(), opposite]);
            }
        }
        for row in &halves {
            if row.first_nonzero(first..row.len()).is_none() {
                continue;
            }
            if row.first_nonzero(1..first).is_none() {
                steps.push(row, false, row.get(0), &Int::ONE, first);
                continue;
            }
            let Some(greatest) = greatest_constant(&mut tableau, row, 1..first, budget)? else {
                continue;
            };
            steps.push(row, false, greatest.numerator.clone(), &greatest.denominator, first);
            if greatest.signum() <= 0 {
                steps.parametric.push(row.clone());
            }
        }
        Ok(steps)
    }

    /// Adds `scale * a z + constant * k`, with `a` the part of the row from `first` on.
    fn push(&mut self, row: &Row, is_equality: bool, constant: Int, scale: &Int, first: usize) {
        let mut sum = row.slice(first - 1..row.len());
        sum.scale(scale);
        sum.set(0, constant);
        self.constraints.push(SumConstraint { is_equality, row: sum });
    }
}

/// Which description of paths is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// Pairs `x -> y`.
    Forgotten,
    /// `x -> [y, k]` with the length `k` of the path.
    Kept,
}

/// The space of paths of a relation.
pub(crate) fn path_space(map: &Map, lengths: Lengths) -> Space {
    match lengths {
        Lengths::Forgotten => map.space.clone(),
        Lengths::Kept => {
            let output = Tuple::anonymous(map.n(DimKind::Out) + 1);
            map.space.with_tuples(map.space.input().cloned(), Some(output))
        }
    }
}

/// All pairs that may be connected by one or more steps, by their offsets alone; with the lengths of
/// the paths if wanted.
pub(crate) fn paths(map: &Map, lengths: Lengths, budget: &Budget) -> Result<BasicMap> {
    let offsets = explicit(map.deltas()?.as_map(), budget)?;
    let pieces = &offsets.basics;
    let steps: Vec<Steps> =
        pieces.iter().map(|piece| Steps::new(piece, budget)).collect::<Result<_>>()?;
    let space = path_space(map, lengths);
    let n = map.n(DimKind::In);
    // The locals: for each piece the number of its steps, the sums of offsets and existentials.
    let n_locals = steps.iter().map(|steps| 1 + n + steps.n_locals).sum();
    let mut data = BasicRelation::new(space, vec![Local::Unknown; n_locals]);
    let width = data.n_columns();
    let (x, y) = (data.offset(DimKind::In), data.offset(DimKind::Out));
    let mut at_least_one = Row::zeros(width);
    at_least_one.set(0, Int::MINUS_ONE);
    let mut offset_rows: Vec<Row> = (0..n).map(|i| data.difference_row(y + i, x + i, 0)).collect();
    let mut count = data.offset(DimKind::Local);
    for step in &steps {
        at_least_one.set(count, Int::ONE);
        data.inequalities.push(Row::unit(width, count));
        for (i, row) in offset_rows.iter_mut().enumerate() {
            row.set(count + 1 + i, Int::ONE);
        }
        for constraint in &step.constraints {
            let mut row = constraint.row.clone();
            row.insert_zeros(0, count);
            row.insert_zeros(row.len(), width - row.len());
            if constraint.is_equality {
                data.equalities.push(row);
            } else {
                data.inequalities.push(row);
            }
        }
        if let [_] = steps.as_slice() {
            data.inequalities.extend(step.parametric.iter().map(|row| {
                let mut wide = row.slice(0..x);
                wide.insert_zeros(x, count + 1 - x);
                row.iter().skip(x).for_each(|value| wide.push(value));
                wide
            }));
        }
        count += 1 + n + step.n_locals;
    }
    data.equalities.append(&mut offset_rows);
    if lengths == Lengths::Kept {
        let mut length = at_least_one.clone();
        length.set(0, Int::ZERO);
        length.set(y + n, Int::MINUS_ONE);
        data.equalities.push(length);
    }
    data.inequalities.push(at_least_one);
    Ok(BasicMap::from_data(data))
}

/// Integer coefficients `c` with `c d >= 1` for all offsets `d`, if there are any.
///
/// *Method.* By Farkas' lemma `c d - 1` is a non-negative combination of the constraints of each
/// piece; coefficients and multipliers are the unknowns of one linear problem.
pub(crate) fn increasing_form(map: &Map, budget: &Budget) -> Result<Option<Row>> {
    let offsets = map.deltas()?;
    let n = offsets.n(DimKind::Out);
    let mut constraints = Vec::new();
    for piece in &offsets.0.basics {
        let mut rows = piece.inequalities().to_vec();
        rows.extend(floor_inequalities(&piece.inner));
        constraints.push((piece, rows));
    }
    let n_multipliers: usize =
        constraints.iter().map(|(piece, rows)| piece.equalities().len() + rows.len() + 1).sum();
    let mut tableau = Tableau::new(n + n_multipliers);
    let width = 1 + n + n_multipliers;
    let mut first = 1 + n;
    for (piece, inequalities) in &constraints {
        let start = piece.offset(DimKind::Out);
        let rows: Vec<&Row> = piece.equalities().iter().chain(inequalities).collect();
        let slack = first + rows.len();
        for column in 0..piece.n_columns() {
            // c (and -1 for the constant) minus the combination of the rows.
            let mut balance = Row::zeros(width);
            if column == 0 {
                balance.set(0, Int::MINUS_ONE);
                balance.set(slack, Int::MINUS_ONE);
            } else if (start..start + n).contains(&column) {
                balance.set(1 + column - start, Int::ONE);
            }
            for (i, row) in rows.iter().enumerate() {
                balance.set(first + i, -row.get(column));
            }
            tableau.add_equality(&balance, budget)?;
        }
        for multiplier in first + piece.equalities().len()..=slack {
            tableau.add_inequality(&Row::unit(width, multiplier), budget)?;
        }
        first = slack + 1;
    }
    let Some(sample) = tableau.sample() else { return Ok(None) };
    let common = sample[..n].iter().fold(Int::ONE, |lcm, value| lcm.lcm(&value.denominator));
    let integer = |value: &Rational| &value.numerator * common.div_exact(&value.denominator);
    Ok(Some(sample[..n].iter().map(integer).collect()))
}
