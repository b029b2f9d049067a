//! Affine relations through points.
use loopwright_presburger::{BasicMap, Constraint, DimKind, Int, Map, Row, Space};

/// Symbolic constants, a point, and the one that it leads to.
pub(crate) type Sample = [Vec<i64>; 3];

/// The affine function that all samples satisfy so far: equations of which each has one coordinate of the
/// first points, or a constant, that no other one has.
pub(crate) struct AffineFit {
    n_features: usize,
    pivots: Vec<(usize, Row)>,
}

impl AffineFit {
    /// For points of a space, before there are samples.
    pub(crate) fn new(from: &Space) -> Self {
        let n_features = from.n(DimKind::Out) + 1 + from.n(DimKind::Param);
        AffineFit { n_features, pivots: Vec::new() }
    }

    /// Adds a sample (symbolic constants, point, image): whether there still is an affine function of points
    /// and symbolic constants.
    ///
    /// *Cost.* Quadratic in the dimensions.
    pub(crate) fn add(&mut self, [parameters, point, image]: &Sample) -> bool {
        let mut row: Vec<i64> = point.iter().rev().copied().collect();
        row.push(1);
        row.extend(parameters);
        row.extend(image);
        let mut row = Row::from_i64s(&row);
        for (column, pivot) in &self.pivots {
            row.eliminate(*column, pivot);
        }
        match row.first_nonzero(0..self.n_features) {
            Some(column) => {
                self.pivots.iter_mut().for_each(|(_, own)| own.eliminate(column, &row));
                self.pivots.push((column, row));
                true
            }
            None => row.is_zero(),
        }
    }

    /// The relation from points of `from` to points of `to` that has all samples, in which each coordinate of
    /// the second point is an affine function of the first and the symbolic constants.
    ///
    /// Where several functions fit, the last coordinates come first, then constants, then symbolic constants:
    /// so loops over tiles, of which small samples only show one, have no part in it.
    pub(crate) fn relation(&self, from: &Space, to: &Space) -> Map {
        let (n, m) = (from.n(DimKind::Out), to.n(DimKind::Out));
        let n_params = from.n(DimKind::Param);
        let place = |column: usize| match column {
            _ if column < n => 1 + n_params + (n - 1 - column),
            _ if column == n => 0,
            _ => 1 + (column - n - 1),
        };
        let coordinate = |at: usize| {
            // factor * coordinate = sum of numerators * features.
            let image = self.n_features + at;
            let used = || self.pivots.iter().filter(|(_, pivot)| !pivot.is_zero_at(image));
            let product =
                |factor: Int, (column, pivot): &(usize, Row)| &factor * &pivot.get(*column);
            let factor = used().fold(Int::from(1), product);
            let mut row = Row::zeros(1 + n_params + n + m);
            for (column, pivot) in used() {
                let scale = factor.div_exact(&pivot.get(*column));
                row.set(place(*column), &scale * &pivot.get(image));
            }
            row.set(1 + n_params + n + at, -factor);
            row.reduce();
            Constraint::equality(row)
        };
        let constraints = (0..m).map(coordinate).collect();
        Map::from_basic_map(BasicMap::from_constraints(from.map_to(to), Vec::new(), constraints))
    }
}

/// The relation that has all samples ([`AffineFit::relation`]), if there is one.
///
/// *Cost.* Linear in the samples, cubic in the dimensions.
pub(crate) fn affine_fit(from: &Space, to: &Space, samples: &[Sample]) -> Option<Map> {
    let mut fit = AffineFit::new(from);
    samples.iter().all(|sample| fit.add(sample)).then(|| fit.relation(from, to))
}

#[cfg(test)]
mod tests {
    use super::affine_fit;
    use loopwright_presburger::{Budget, Map, Space, Tuple};

    #[test]
    fn skewed_tiles_are_found_without_their_tiles() {
        let from = Space::set(&["n".into()], Tuple::named("S", 3));
        let to = Space::set(&["n".into()], Tuple::named("T", 2));
        let mut samples = Vec::new();
        for n in 2..5i64 {
            for (t, i) in (0..n).flat_map(|t| (0..n).map(move |i| (t, i))) {
                samples.push([vec![n], vec![0, t, 2 * t - i + n - 1], vec![t, i]]);
            }
        }
        let found = affine_fit(&from, &to, &samples).unwrap();
        let expected = Map::parse("[n] -> { S[a, b, c] -> T[b, 2b - c + n - 1] }").unwrap();
        assert!(found.is_equal(&expected, &Budget::unlimited()).unwrap(), "{found}");
        samples.push([vec![9], vec![0, 0, 0], vec![1, 1]]);
        assert!(affine_fit(&from, &to, &samples).is_none());
    }
}
