//! The best images among several functions.
//!
//! # Method
//! Every piece of a function `x -> y` is compared once with every piece `x -> y'` of the others, as
//! one system over `x`, `y` and `y'`. Most pairs have no common `x`. For the others the components
//! are compared one by one, as long as they may be equal: this tells at which levels one piece is
//! better than the other, and often that one is better wherever both are defined. What a piece
//! loses to others is subtracted from it. Of equal images the first one stays.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::columns::{Part, conjoin_data, places};
use crate::core::error::Result;
use crate::core::map::{Map, first_dim};
use crate::core::space::{DimKind, Space};
use crate::lexmin::lexmin_problem::Direction;
use crate::solve::point_search::PointSearch;
use loopwright_exact::{Int, Row};

/// The columns of two relations side by side: `x`, `y`, and `y'` as unknown locals.
struct Layout {
    space: Space,
    n_images: usize,
    /// The places of `x -> y`.
    first: Vec<usize>,
    /// The places of `x -> y'`.
    second: Vec<usize>,
    direction: Direction,
}

/// Where images are compared: up to the level the components are equal.
#[derive(Clone, Copy)]
enum Level {
    /// The second image is better at this component.
    Better(usize),
    /// All components are equal.
    Equal,
}

/// Where one piece loses to another one.
enum Loss {
    /// Wherever both are defined.
    Everywhere,
    /// At some levels.
    At(Vec<Level>),
}

impl Layout {
    fn new(map: &Map, direction: Direction) -> Self {
        let (n_in, n_images) = (map.n(DimKind::In), map.n(DimKind::Out));
        let start = first_dim(map);
        let input = start..start + n_in;
        let images = input.end..input.end + n_images;
        let others = images.end..images.end + n_images;
        let n_params = map.n(DimKind::Param);
        Layout {
            space: map.space.clone(),
            n_images,
            first: places(n_params, input.clone(), images),
            second: places(n_params, input, others),
            direction,
        }
    }

    fn part<'a>(&self, basic: &'a BasicMap, place: &'a [usize]) -> Part<'a> {
        Part { system: &basic.inner, place }
    }

    /// The row that is positive where component `index` of the second image is better.
    fn advantage(&self, data: &BasicRelation, index: usize) -> Row {
        let (y, other) = (self.column(index), self.column(self.n_images + index));
        match self.direction {
            Direction::Least => data.difference_row(other, y, 0),
            Direction::Greatest => data.difference_row(y, other, 0),
        }
    }

    /// The column of a component of `y`, or of `y'` after those.
    fn column(&self, index: usize) -> usize {
        1 + self.space.n(DimKind::Param) + self.space.n(DimKind::In) + index
    }

    /// Where two pieces lose to each other; the first one wins where they agree.
    fn compare(&self, a: &BasicMap, b: &BasicMap, budget: &Budget) -> Result<[Loss; 2]> {
        let parts = [self.part(a, &self.first), self.part(b, &self.second)];
        let both = conjoin_data(self.space.clone(), self.n_images, &parts);
        let mut search = PointSearch::new(&both);
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        let mut may_agree = !both.empty && !search.is_empty(budget)?;
        for index in 0..self.n_images {
            if !may_agree {
                break;
            }
            let row = self.advantage(&both, index);
            let (better, worse) = (above_zero(&row), below_zero(&row));
            let has_better = search.is_possible(&better, budget)?;
            let has_worse = search.is_possible(&worse, budget)?;
            if has_better {
                of_a.push(Level::Better(index));
            }
            if has_worse {
                of_b.push(Level::Better(index));
            }
            if has_better || has_worse {
                search.add_equality(row, budget)?;
                may_agree = !search.is_empty(budget)?;
            }
        }
        if may_agree {
            of_b.push(Level::Equal);
        }
        Ok(match (of_a.is_empty(), of_b.is_empty()) {
            (false, true) => [Loss::Everywhere, Loss::At(of_b)],
            (true, false) => [Loss::At(of_a), Loss::Everywhere],
            _ => [Loss::At(of_a), Loss::At(of_b)],
        })
    }

    /// The parts of the space `x -> y` where `y` loses to the image of `winner`.
    fn lost(&self, winner: &BasicMap, loss: &Loss) -> Vec<BasicMap> {
        let at = |level: Option<&Level>| {
            let mut data =
                conjoin_data(self.space.clone(), self.n_images, &[self.part(winner, &self.second)]);
            let n_equal = match level {
                None => 0,
                Some(Level::Better(index)) => *index,
                Some(Level::Equal) => self.n_images,
            };
            for index in 0..n_equal {
                let row = self.advantage(&data, index);
                data.equalities.push(row);
            }
            if let Some(&Level::Better(index)) = level {
                let row = self.advantage(&data, index);
                data.inequalities.push(above_zero(&row));
            }
            BasicMap::from_data(data)
        };
        match loss {
            Loss::Everywhere => vec![at(None)],
            Loss::At(levels) => levels.iter().map(|level| at(Some(level))).collect(),
        }
    }
}

fn above_zero(row: &Row) -> Row {
    let mut row = row.clone();
    row.add_at(0, &Int::MINUS_ONE);
    row
}

fn below_zero(row: &Row) -> Row {
    let mut row = row.clone();
    row.negate();
    above_zero(&row)
}

/// The best images among several single-valued relations in one space, the pieces of each of which
/// have disjoint domains.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded).
pub(crate) fn best_of_groups(groups: &[Map], direction: Direction, budget: &Budget) -> Result<Map> {
    let layout = Layout::new(&groups[0], direction);
    let of_group = |(index, group)| Map::basic_maps(group).iter().map(move |piece| (index, piece));
    let pieces: Vec<(usize, &BasicMap)> = groups.iter().enumerate().flat_map(of_group).collect();
    let mut lost: Vec<Vec<BasicMap>> = vec![Vec::new(); pieces.len()];
    for (i, (group, a)) in pieces.iter().enumerate() {
        for (j, (other_group, b)) in pieces.iter().enumerate().skip(i + 1) {
            if group != other_group {
                let [of_a, of_b] = layout.compare(a, b, budget)?;
                lost[i].extend(layout.lost(b, &of_a));
                lost[j].extend(layout.lost(a, &of_b));
            }
        }
    }
    let mut best = Map::empty(layout.space.clone());
    for ((_, piece), lost) in pieces.into_iter().zip(lost) {
        let lost = Map::collect(layout.space.clone(), lost);
        best.absorb(Map::from_basic_map(piece.clone()).subtract(&lost, budget)?);
    }
    Ok(best)
}
