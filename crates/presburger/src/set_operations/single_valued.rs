//! Whether relations are functions.
//!
//! # Method
//! A piece whose equalities determine every output dimension is a function, which is visible
//! without solving anything. Otherwise the differences of two images of a domain element, together
//! with the differences of the locals, are looked at. By the equalities they are a lattice. Two
//! opposite inequalities with the same function of the domain element are a window: they limit an
//! affine form of the difference, `|v| <= w`. If all values of the form on the lattice are multiples
//! of a number greater than `w`, it is zero, which makes the lattice smaller, until it is zero in
//! all output dimensions or no window helps.
//!
//! What that does not decide, and pairs of pieces, are decided with the relation `y -> y'` between
//! the images of a common domain element: it is compared with the identity.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::floor_inequalities;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::rows::is_parallel;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::core::tuple::Tuple;
use loopwright_exact::{Int, Matrix, Row};

/// Whether every output dimension is a function of the input by the equalities alone.
fn is_plainly_single_valued(basic: &BasicMap) -> bool {
    let outputs = basic.offset(DimKind::Out)..basic.offset(DimKind::Local);
    let mut known: Vec<bool> = (0..basic.n_columns()).map(|c| c < outputs.start).collect();
    loop {
        let mut changed = false;
        for (index, local) in basic.locals().iter().enumerate() {
            let column = outputs.end + index;
            if let Local::Floor { numerator, .. } = local
                && !known[column]
                && (1..numerator.len()).all(|c| known[c] || numerator.is_zero_at(c))
            {
                known[column] = true;
                changed = true;
            }
        }
        for row in basic.equalities() {
            let mut open = (1..row.len()).filter(|&c| !known[c] && !row.is_zero_at(c));
            if let (Some(column), None) = (open.next(), open.next()) {
                known[column] = true;
                changed = true;
            }
        }
        if !changed {
            return outputs.into_iter().all(|column| known[column]);
        }
    }
}

/// Linear forms of the output dimensions and locals whose values at two images of a domain element
/// differ by no more than a width.
fn windows(basic: &BasicMap) -> Vec<(Row, Int)> {
    let mut rows = basic.inequalities().to_vec();
    rows.extend(floor_inequalities(&basic.inner));
    let first = basic.offset(DimKind::Out);
    let mut windows = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if row.first_nonzero(first..row.len()).is_none() {
            continue;
        }
        for other in rows[index + 1..].iter().filter(|other| is_parallel(row, other, -1)) {
            windows.push((row.slice(first..row.len()), row.get(0) + other.get(0)));
        }
    }
    windows
}

/// Whether equalities and windows leave no difference between images of a domain element.
fn is_determined_by_windows(basic: &BasicMap) -> bool {
    let first = basic.offset(DimKind::Out);
    let (n_outputs, width) = (basic.n(DimKind::Out), basic.n_columns() - first);
    let equalities = basic.equalities().iter().map(|row| row.slice(first..row.len()));
    let mut equalities = Matrix::new(equalities.collect(), width);
    let mut windows = windows(basic);
    loop {
        let lattice = match equalities.n_rows() {
            0 => Matrix::identity(width),
            _ => equalities.nullspace(),
        };
        if lattice.rows().iter().all(|row| row.first_nonzero(0..n_outputs).is_none()) {
            return true;
        }
        let step = |form: &Row| lattice.right_mul(form).gcd(0..lattice.n_rows());
        let n_open = windows.len();
        windows.retain(|(form, limit)| {
            let is_zero = step(form) > *limit;
            if is_zero {
                equalities.push_row(form.clone());
            }
            !is_zero
        });
        if windows.len() == n_open {
            return false;
        }
    }
}

/// Whether the images of common domain elements agree.
fn agree(a: &BasicMap, b: &BasicMap, budget: &Budget) -> Result<bool> {
    let (a, b) = (Map::from_basic_map(a.clone()), Map::from_basic_map(b.clone()));
    let images = match a.space().is_map() {
        true => a.reverse().apply_range_within(&b, budget)?,
        false => Map::from_domain_and_range(&Set(a.clone()), &Set(b))?,
    };
    images.is_subset(&Map::identity(&a.space().range()), budget)
}

impl Map {
    /// Whether every element of the domain has one image.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 1 }")?.is_single_valued(budget)?);
    /// assert!(!Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 2 }")?.is_single_valued(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> {
        if self.n(DimKind::Out) == 0 {
            return Ok(true);
        }
        for (index, basic) in self.basics.iter().enumerate() {
            for other in &self.basics[index + 1..] {
                if !agree(basic, other, budget).during("is_single_valued")? {
                    return Ok(false);
                }
            }
            let is_plain = is_plainly_single_valued(basic) || is_determined_by_windows(basic);
            if !is_plain && !agree(basic, basic, budget).during("is_single_valued")? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every element of the range has one origin.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i] -> [2i] }")?.is_injective(budget)?);
    /// assert!(!Map::parse("{ [i] -> [floor(i/2)] }")?.is_injective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> {
        if self.n(DimKind::In) == 0 {
            return Ok(true);
        }
        self.reverse().is_single_valued(budget).during("is_injective")
    }

    /// Both.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i, j] -> [j, i] }")?.is_bijective(budget)?);
    /// assert!(!Map::parse("{ [i, j] -> [i + j] }")?.is_bijective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> {
        Ok(self.is_single_valued(budget).during("is_bijective")?
            && self.is_injective(budget).during("is_bijective")?)
    }
}

impl Set {
    /// Whether there is at most one point for every value of the parameters.
    ///
    /// *Method.* A set is a relation from the parameters to its points; it has this property if
    /// that relation is single-valued.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// assert!(Set::parse("[n] -> { [i] : 4i <= n < 4i + 4 }")?.is_singleton(budget)?);
    /// assert!(!Set::parse("[n] -> { [i] : 4i <= n <= 4i + 4 }")?.is_singleton(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_singleton(&self, budget: &Budget) -> Result<bool> {
        let Some(tuple) = self.space().output() else { return Ok(true) };
        if self.0.n(DimKind::Out) == 0 {
            return Ok(true);
        }
        let space = self.space().with_tuples(Some(Tuple::anonymous(0)), Some(tuple.clone()));
        self.0.with_space(space).is_single_valued(budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;

    /// Random relations from one to two dimensions with congruences and windows: what windows
    /// determine is a function, which the relation between images confirms.
    #[test]
    fn windows_agree_with_the_relation_between_images() {
        let mut generator = Generator::new(41);
        let budget = Budget::unlimited();
        let (mut n_determined, mut n_functions) = (0, 0);
        for _ in 0..300 {
            let mut number = |below: i64, least: i64| least + generator.below(below);
            let text = format!(
                "{{ [i] -> [j, k] : ({}i + {}j + {}k) mod {} = {} and 0 <= j + {}i <= {} and \
                 {}j <= k <= {}j + {} }}",
                number(5, -2),
                number(3, 0),
                number(5, -2),
                number(6, 2),
                number(2, 0),
                number(3, -1),
                number(4, 0),
                number(2, 0),
                number(2, 0),
                number(3, 0),
            );
            let map = Map::parse(&text).unwrap();
            for basic in &map.basics {
                let expected = agree(basic, basic, &budget).unwrap();
                let determined = is_determined_by_windows(basic);
                assert!(expected || !determined, "{text}");
                n_determined += usize::from(determined);
                n_functions += usize::from(expected);
            }
        }
        assert!(n_determined > 20 && n_functions > n_determined, "{n_determined} {n_functions}");
    }
}
