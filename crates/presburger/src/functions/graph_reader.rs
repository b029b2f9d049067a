//! Values that are read off a basic relation, each in terms of what is known already.
use crate::core::basic_map::BasicMap;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use loopwright_exact::{Int, Row};

/// Reads the values of the columns after the input of a basic relation.
pub(crate) struct GraphReader<'a> {
    basic: &'a BasicMap,
    domain: Space,
    first_output: usize,
    /// The value per column from the first output on, where known.
    values: Vec<Option<Aff>>,
}

impl<'a> GraphReader<'a> {
    fn new(basic: &'a BasicMap) -> Self {
        let first_output = basic.offset(DimKind::Out);
        let values = vec![None; basic.n_columns() - first_output];
        GraphReader { basic, domain: basic.space().domain(), first_output, values }
    }

    /// The expressions of all outputs, if every one can be read off.
    fn outputs(mut self) -> Option<Vec<Aff>> {
        let n_outputs = self.basic.n(DimKind::Out);
        loop {
            if self.values[..n_outputs].iter().all(Option::is_some) {
                self.values.truncate(n_outputs);
                return self.values.into_iter().collect();
            }
            if !(self.floors() | self.equalities()) && !self.pairs() && !self.strides() {
                return None;
            }
        }
    }

    fn is_known(&self, column: usize) -> bool {
        column < self.first_output || self.values[column - self.first_output].is_some()
    }

    /// The only unknown column of a row; none if there are several or none.
    fn open_column(&self, row: &Row) -> Option<usize> {
        let is_open = |&c: &usize| !row.is_zero_at(c) && !self.is_known(c);
        let mut open = (self.first_output..row.len()).filter(is_open);
        let column = open.next()?;
        open.next().is_none().then_some(column)
    }

    /// The value of a row without its element in `except`.
    fn value(&self, row: &Row, except: usize) -> Aff {
        let head = row.slice(0..self.first_output);
        let mut sum = Aff { row: head, ..Aff::zero(&self.domain) };
        for column in (self.first_output..row.len()).filter(|&c| c != except) {
            if let Some(value) = &self.values[column - self.first_output]
                && !row.is_zero_at(column)
            {
                sum = sum.plus(&row.get(column), value);
            }
        }
        sum
    }

    fn floors(&mut self) -> bool {
        let mut changed = false;
        for (index, local) in self.basic.locals().iter().enumerate() {
            let column = self.basic.offset(DimKind::Local) + index;
            if let Local::Floor { numerator, denominator } = local
                && !self.is_known(column)
                && (self.first_output..numerator.len())
                    .all(|c| numerator.is_zero_at(c) || self.is_known(c))
            {
                let quotient = self.value(numerator, column).scale_down(denominator);
                self.values[column - self.first_output] = Some(quotient.floor());
                changed = true;
            }
        }
        changed
    }

    fn equalities(&mut self) -> bool {
        let mut changed = false;
        for row in self.basic.equalities() {
            if let Some(column) = self.open_column(row) {
                let value = self.value(row, column).scale_down(&-row.get(column));
                self.values[column - self.first_output] = Some(value);
                changed = true;
            }
        }
        changed
    }

    /// Finds a pair of inequalities that leaves one integer.
    fn pairs(&mut self) -> bool {
        let rows = self.basic.inequalities();
        for lower in rows {
            let Some(column) = self.open_column(lower).filter(|&c| lower.sign(c) > 0) else {
                continue;
            };
            let coefficient = lower.get(column);
            let closes = |upper: &&Row| gap(lower, upper).is_some_and(|gap| gap < coefficient);
            if let Some(upper) = rows.iter().find(closes) {
                let value = self.value(upper, column).scale_down(&coefficient).floor();
                self.values[column - self.first_output] = Some(value);
                return true;
            }
        }
        false
    }
}

impl GraphReader<'_> {
    /// Finds a congruence and a pair of inequalities that leave one integer.
    fn strides(&mut self) -> bool {
        for equality in self.basic.equalities() {
            let open = self.open_columns(equality);
            for (x, q) in open.iter().flat_map(|&x| open.iter().map(move |&q| (x, q))) {
                if open.len() == 2 && x != q && q >= self.basic.offset(DimKind::Local) {
                    let mut row = equality.clone();
                    if row.sign(x) < 0 {
                        row.negate();
                    }
                    if let Some((x_value, q_value)) = self.stride(&row, x, q) {
                        self.values[x - self.first_output] = Some(x_value);
                        self.values[q - self.first_output] = Some(q_value);
                        return true;
                    }
                }
            }
        }
        false
    }

    fn open_columns(&self, row: &Row) -> Vec<usize> {
        let is_open = |&c: &usize| !row.is_zero_at(c) && !self.is_known(c);
        (self.first_output..row.len()).filter(is_open).collect()
    }

    /// The values of `x` and `q` by the equality `a x + f - m q = 0` with a positive `a`.
    fn stride(&self, equality: &Row, x: usize, q: usize) -> Option<(Aff, Aff)> {
        let (a, m) = (equality.get(x), equality.get(q).abs());
        let f = self.value(equality, x);
        let bounds = |row: &&Row| self.open_column(row) == Some(x);
        for lower in self.basic.inequalities().iter().filter(bounds) {
            let c = lower.get(x);
            let closes = |upper: &&Row| {
                c.is_positive() && gap(lower, upper).is_some_and(|gap| &gap * &a < &c * &m)
            };
            if let Some(upper) = self.basic.inequalities().iter().find(closes) {
                let greatest = f.scale(&c).plus(&a, &self.value(upper, x));
                let quotient = greatest.scale_down(&(&c * &m)).floor();
                let value = quotient.scale(&m).plus(&Int::MINUS_ONE, &f).scale_down(&a);
                let is_negated = equality.sign(q) > 0;
                return Some((value, if is_negated { quotient.neg() } else { quotient }));
            }
        }
        None
    }
}

/// The constant sum of two opposite rows, if it is not negative.
pub(crate) fn gap(lower: &Row, upper: &Row) -> Option<Int> {
    let mut sum = upper.clone();
    sum.add_scaled(&Int::ONE, lower);
    let is_constant = sum.first_nonzero(1..sum.len()).is_none();
    Some(sum.get(0)).filter(|gap| is_constant && !gap.is_negative())
}

/// The domain of one basic relation.
pub(crate) fn domain_of(basic: &BasicMap) -> Set {
    let map = Map::from_basic_map(basic.clone());
    if map.space().is_map() { map.domain() } else { map.params() }
}

/// The piece of one basic relation, if its outputs can be read off.
pub(crate) fn explicit_piece(basic: &BasicMap) -> Result<Option<(Set, MultiAff)>> {
    match GraphReader::new(basic).outputs() {
        Some(affs) => Ok(Some((domain_of(basic), MultiAff::new(basic.space().clone(), affs)?))),
        None => Ok(None),
    }
}
