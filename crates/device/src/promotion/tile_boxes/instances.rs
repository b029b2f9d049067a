//! Which instances a tile may have, by constraints without floors.
use loopwright_exact::{Int, Row};
use loopwright_presburger::{Aff, BasicMap, Budget, DimKind, Map, Result, Set, Space, Tuple};
use loopwright_schedule::{Piece, Reaching};

/// A linear form: of a constant, parameters and coordinates of instances, and of floors by their numbers.
#[derive(Clone, PartialEq)]
struct Linear {
    plain: Row,
    floors: Vec<(usize, Int)>,
}

/// Values of loops as linear forms of floors, each of which is there once.
struct Values {
    values: Vec<Linear>,
    /// What is divided, and by what.
    floors: Vec<(Linear, Int)>,
}

impl Values {
    /// None if a value is divided by something.
    fn of(values: &[Aff]) -> Option<Values> {
        let mut all = Values { values: Vec::new(), floors: Vec::new() };
        for value in values {
            if !value.denominator().is_one() {
                return None;
            }
            let first = value.row().len() - value.locals().len();
            let mut numbers = Vec::new();
            for local in value.locals() {
                let loopwright_presburger::Local::Floor { denominator, .. } = local else {
                    return None;
                };
                let own = linear(local.numerator()?, first, &numbers);
                let own = (own, denominator.clone());
                let known = all.floors.iter().position(|known| *known == own);
                numbers.push(known.unwrap_or(all.floors.len()));
                if known.is_none() {
                    all.floors.push(own);
                }
            }
            all.values.push(linear(value.row(), first, &numbers));
        }
        Some(all)
    }

    /// From the values and floors to the instances that have them.
    fn to_instances(&self, space: &Space) -> BasicMap {
        let n_values = self.values.len();
        let from = Space::set(space.param_names(), Tuple::anonymous(n_values + self.floors.len()));
        let all = BasicMap::universe(from.map_to(space));
        let (first_in, first_out) = (all.offset(DimKind::In), all.offset(DimKind::Out));
        let n_columns = all.n_columns();
        // The row of a form, times a factor.
        let row = |form: &Linear, factor: &Int| {
            let mut row = Row::zeros(n_columns);
            for at in 0..form.plain.len() {
                let column = if at < first_in { at } else { first_out + at - first_in };
                row.set(column, &form.plain.get(at) * factor);
            }
            for (floor, own) in &form.floors {
                let column = first_in + n_values + floor;
                row.set(column, &row.get(column) + &(own * factor));
            }
            row
        };
        let minus = -&Int::ONE;
        let mut all = all;
        for (at, value) in self.values.iter().enumerate() {
            let mut equal = row(value, &minus);
            let column = first_in + at;
            equal.set(column, &equal.get(column) + &Int::ONE);
            all = all.add_equality(equal);
        }
        for (at, (divided, by)) in self.floors.iter().enumerate() {
            let column = first_in + n_values + at;
            let mut least = row(divided, &Int::ONE);
            least.set(column, &least.get(column) - by);
            let mut most = row(divided, &minus);
            most.set(column, &most.get(column) + by);
            most.set(0, &most.get(0) + &(by - &Int::ONE));
            all = all.add_inequality(least).add_inequality(most);
        }
        all
    }
}

/// The columns up to the locals, and the locals by their numbers.
fn linear(row: &Row, first: usize, numbers: &[usize]) -> Linear {
    let floors = numbers.iter().zip(first..).filter(|(_, column)| *column < row.len());
    let floors = floors.map(|(number, column)| (*number, row.get(column)));
    let floors = floors.filter(|(_, factor)| !factor.is_zero()).collect();
    Linear { plain: row.slice(0..first), floors }
}

/// From tiles to the instances that reach a loop below that of tiles, or more of them: those by its value, if
/// that is an affine function of the tile, as where hexagons have halves in one band of time each. Conditions
/// on instances are left out then, and floors are known by the tile where they can be, so that rational
/// bounds are those of integers.
pub(super) fn in_tiles(inside: Reaching, n_tile: usize, budget: &Budget) -> Result<Vec<Map>> {
    inside.pieces.into_iter().map(|piece| in_tile(&piece, n_tile, budget)).collect()
}

/// The tiles of some instances, or more of them, without floors: the coordinates that rational points between
/// the bounds of instances have, if floors may be anything between theirs. None if coordinates are divided by
/// something.
pub(super) fn tiles_or_more(tile: &[Aff], domain: &Set, budget: &Budget) -> Result<Option<Set>> {
    let space = tile
        .iter()
        .fold(domain.space().clone(), |all, value| all.merge_params(value.domain_space()));
    let tile: Vec<Aff> = tile.iter().map(|value| value.align_params(&space)).collect();
    let Some(values) = Values::of(&tile) else { return Ok(None) };
    let all = Map::from_basic_map(values.to_instances(&space));
    let all = all.intersect_range(&domain.align_params(&space))?.domain();
    let tiles = all.project_out(DimKind::Out, tile.len(), values.floors.len()).remove_locals();
    Ok(Some(tiles.remove_redundancies(budget)?))
}

fn in_tile(piece: &Piece, n_tile: usize, budget: &Budget) -> Result<Map> {
    let n_known = piece.schedule.len().min(n_tile + 1);
    let of = |values: &[Aff]| -> Result<Map> {
        let tuple = Tuple::anonymous(values.len());
        Ok(super::tree::function(piece.domain.space(), tuple, values)?.to_map())
    };
    let (tile, last) = piece.schedule[..n_known].split_at(n_tile.min(n_known));
    let own = of(tile)?.intersect_domain(&piece.domain)?.reverse();
    let space = piece.schedule[..n_known]
        .iter()
        .fold(piece.domain.space().clone(), |all, value| all.merge_params(value.domain_space()));
    let aligned: Vec<Aff> =
        piece.schedule[..n_known].iter().map(|value| value.align_params(&space)).collect();
    let Some(values) = Values::of(&aligned).filter(|_| !last.is_empty()) else { return Ok(own) };
    let hull = own.apply_range(&of(last)?)?.affine_hull(budget)?;
    let hull = Map::from_basic_map(hull).align_params(&space);
    let mut all = values.to_instances(&space);
    let mut is_known = false;
    for hull in hull.basic_maps() {
        let n_columns = hull.offset(DimKind::Out) + 1;
        for equality in hull.equalities() {
            if (n_columns..equality.len()).all(|local| equality.is_zero_at(local)) {
                // The values come first among the inputs here, as the tile and the last one do there.
                let mut row = Row::zeros(all.n_columns());
                (0..n_columns).for_each(|column| row.set(column, equality.get(column)));
                all = all.add_equality(row);
                is_known = true;
            }
        }
    }
    if !is_known {
        return Ok(own);
    }
    let n_floors = values.floors.len();
    Ok(Map::from_basic_map(all).project_out(DimKind::In, n_tile, n_floors + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_instances_have_bounds_without_floors() {
        let domain = Set::parse("[n] -> { S[t, i] : 0 <= t < 8 and 0 <= i < n }").unwrap();
        let of = |value: &str| Aff::parse(&format!("[n] -> {{ S[t, i] -> [({value})] }}")).unwrap();
        let tile = [of("floor((2t + i)/8) + floor((7 + 2t - i)/8)"), of("floor(t/2)")];
        let budget = Budget::steps(100_000);
        let found = tiles_or_more(&tile, &domain, &budget).unwrap().expect("nothing is divided");
        assert!(found.basic_sets().iter().all(|basic| basic.locals().is_empty()), "{found}");
        let exact = super::super::tree::function(domain.space(), Tuple::anonymous(2), &tile);
        let exact = exact.unwrap().to_map().intersect_domain(&domain).unwrap().range();
        assert!(exact.is_subset(&found, &budget).unwrap(), "{found}");
        let near =
            Set::parse("[n] -> { [r, p] : n >= 1 and 0 <= p <= 3 and -1 <= r <= 4 }").unwrap();
        assert!(found.is_subset(&near, &budget).unwrap(), "{found}");
        let half = Aff::parse("[n] -> { S[t, i] -> [(t/2)] }").unwrap();
        assert!(tiles_or_more(&[half], &domain, &budget).unwrap().is_none());
    }
}
