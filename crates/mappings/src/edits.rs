//! Edits of single loops and of nests of loops: unimodular transformations, scaling, shifting.
use crate::error::EditError;
use crate::expressions::expression;
use crate::mapping::{Component, MappedPiece, Mapping};
use loopwright_presburger::{Aff, Budget, Int, Set};

/// A list of labels of pieces, as [`Script`](crate::Script) has them.
type Labels<'a> = &'a [String];

impl Mapping {
    /// Multiplies the components `first`, `first + 1`, ... by a unimodular matrix.
    ///
    /// Positions are counted from 0. All these components must be loops, and the selected pieces
    /// must share them.
    ///
    /// # Errors
    /// If the matrix has a determinant other than 1 and -1, or the components do not fit.
    pub fn unimodular(
        &self,
        labels: Labels<'_>,
        first: usize,
        matrix: &[Vec<Int>],
    ) -> Result<Mapping, EditError> {
        if !is_unimodular(matrix) {
            return Err(EditError::refused(
                "the matrix is not square with a determinant of 1 or -1",
            ));
        }
        let selected = self.select(labels)?;
        self.expect_common(&selected, first + matrix.len())?;
        self.edited(&selected, |piece| {
            let old: Vec<&Component> = (first..first + matrix.len())
                .map(|position| piece.loop_component(position))
                .collect::<Result<_, _>>()?;
            let mut components = piece.components.clone();
            for (offset, row) in matrix.iter().enumerate() {
                let mut sum = piece.constant(0);
                for (factor, component) in row.iter().zip(&old) {
                    sum = sum.add(&component.value.scale(factor))?;
                }
                components[first + offset] = Component::new(sum);
            }
            Ok(components)
        })
    }

    /// Exchanges two loops.
    ///
    /// # Errors
    /// If one of the components is not a loop, or is not shared by the selected pieces.
    pub fn interchange(
        &self,
        labels: Labels<'_>,
        first: usize,
        second: usize,
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.expect_common(&selected, first.max(second) + 1)?;
        self.edited(&selected, |piece| {
            piece.loop_component(first)?;
            piece.loop_component(second)?;
            let mut components = piece.components.clone();
            components.swap(first, second);
            Ok(components)
        })
    }

    /// Runs a loop backwards.
    ///
    /// # Errors
    /// If the component is not a loop, or is not shared by the selected pieces.
    pub fn reverse(&self, labels: Labels<'_>, level: usize) -> Result<Mapping, EditError> {
        self.each_loop(labels, level, |component| Ok(component.value.neg()))
    }

    /// Adds a multiple of another loop, inside or outside, to a loop.
    ///
    /// # Errors
    /// If one of the components is not a loop, or is not shared by the selected pieces.
    pub fn skew(
        &self,
        labels: Labels<'_>,
        level: usize,
        by: usize,
        factor: &Int,
    ) -> Result<Mapping, EditError> {
        if level == by {
            return Err(EditError::refused("a loop cannot be skewed by itself"));
        }
        let selected = self.select(labels)?;
        self.expect_common(&selected, level.max(by) + 1)?;
        self.edited(&selected, |piece| {
            let added = piece.loop_component(by)?.value.scale(factor);
            let mut components = piece.components.clone();
            components[level].value = piece.loop_component(level)?.value.add(&added)?;
            Ok(components)
        })
    }

    /// Multiplies a loop by a positive number.
    ///
    /// # Errors
    /// If the factor is not positive, or the component is not a loop.
    pub fn scale(
        &self,
        labels: Labels<'_>,
        level: usize,
        factor: &Int,
    ) -> Result<Mapping, EditError> {
        if !factor.is_positive() {
            return Err(EditError::refused("the factor must be positive"));
        }
        self.each_loop(labels, level, |component| Ok(component.value.scale(factor)))
    }

    /// Adds an expression, in isl's notation over the iterators and parameters, to a component.
    ///
    /// # Errors
    /// If the text is no quasi-affine expression, or there is no such component.
    pub fn shift(
        &self,
        labels: Labels<'_>,
        level: usize,
        text: &str,
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.edited(&selected, |piece| {
            let amount = expression(piece, text)?;
            let mut components = piece.components.clone();
            components[level].value = piece.component(level)?.value.add(&amount)?;
            Ok(components)
        })
    }

    /// Replaces all components by expressions in isl's notation.
    ///
    /// # Errors
    /// If a text is no quasi-affine expression.
    pub fn with_components(
        &self,
        labels: Labels<'_>,
        texts: &[&str],
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.edited(&selected, |piece| {
            let components = texts.iter().map(|text| Ok(Component::new(expression(piece, text)?)));
            components.collect()
        })
    }

    /// Asks for parallel execution of a loop.
    ///
    /// # Errors
    /// If the component is not a loop.
    pub fn parallel(&self, labels: Labels<'_>, level: usize) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.edited(&selected, |piece| {
            piece.loop_component(level)?;
            let mut components = piece.components.clone();
            components[level].parallel = true;
            Ok(components)
        })
    }

    /// Splits the selected pieces by a condition over their iterators and the parameters, in isl's
    /// notation. The instances for which it holds get the label with `.1`, the others `.2`.
    ///
    /// The order stays as it is: other edits give the pieces different mappings.
    ///
    /// # Errors
    /// If the text is no condition, or it holds for all instances of a piece or for none.
    pub fn split(
        &self,
        labels: Labels<'_>,
        condition: &str,
        budget: &Budget,
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        let mut pieces = Vec::new();
        for (position, piece) in self.pieces().iter().enumerate() {
            if !selected.contains(&position) {
                pieces.push(piece.clone());
                continue;
            }
            let holds = crate::expressions::condition(piece, condition)?;
            let inside = piece.domain.intersect(&holds)?;
            let outside = piece.domain.subtract(&holds, budget)?;
            if inside.is_empty(budget)? || outside.is_empty(budget)? {
                return Err(EditError::refused(format!(
                    "`{condition}` does not split {}: it holds for all its instances or for none",
                    piece.label
                )));
            }
            let part = |domain: Set, number: usize| MappedPiece {
                label: format!("{}.{number}", piece.label),
                domain,
                ..piece.clone()
            };
            pieces.push(part(inside, 1));
            pieces.push(part(outside, 2));
        }
        Ok(Mapping::padded(pieces))
    }

    /// Changes the values of a loop that the selected pieces share.
    fn each_loop(
        &self,
        labels: Labels<'_>,
        level: usize,
        change: impl Fn(&Component) -> Result<Aff, EditError>,
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.expect_common(&selected, level + 1)?;
        self.edited(&selected, |piece| {
            let mut components = piece.components.clone();
            components[level].value = change(piece.loop_component(level)?)?;
            Ok(components)
        })
    }

    /// Checks that all pairs of the selected pieces share their first `count` components.
    pub(crate) fn expect_common(&self, selected: &[usize], count: usize) -> Result<(), EditError> {
        for (position, &first) in selected.iter().enumerate() {
            for &second in &selected[position + 1..] {
                let common = self.common_level(first, second);
                if common < count {
                    return Err(EditError::refused(format!(
                        "{} and {} do not share component {count}: they are in different loops \
                         from component {} on",
                        self.pieces()[first].label,
                        self.pieces()[second].label,
                        common + 1
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Whether a matrix is square and has determinant 1 or -1.
fn is_unimodular(matrix: &[Vec<Int>]) -> bool {
    let n = matrix.len();
    n > 0 && matrix.iter().all(|row| row.len() == n) && determinant(matrix).abs().is_one()
}

/// The determinant by expansion along the first row; the matrices are tiny.
fn determinant(matrix: &[Vec<Int>]) -> Int {
    if matrix.is_empty() {
        return Int::ONE;
    }
    let mut sum = Int::ZERO;
    for (column, entry) in matrix[0].iter().enumerate() {
        if entry.is_zero() {
            continue;
        }
        let minor: Vec<Vec<Int>> = matrix[1..]
            .iter()
            .map(|row| {
                let rest = row.iter().enumerate().filter(|(at, _)| *at != column);
                rest.map(|(_, value)| value.clone()).collect()
            })
            .collect();
        let term = entry * &determinant(&minor);
        sum = if column % 2 == 0 { &sum + &term } else { &sum - &term };
    }
    sum
}
