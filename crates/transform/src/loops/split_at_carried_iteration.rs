//! Loops that carry dependences at a single iteration are split there.
//!
//! In `path[i][j] = min(path[i][j], path[i][k] + path[k][j])` the loop over `j` carries dependences
//! only from and to the iteration `j = k`, and the loop over `i` only from and to `i = k`. The
//! iterations before that one are independent of each other, and so are those after it: the loop is
//! split into three ranges that run one after the other, in the order that the loop had, so that
//! splitting is always legal. The iteration is found as an equality that all sources, or all
//! targets, of some carried dependence share; that the ranges are independent is tested exactly.
//! This is index-set splitting at a point (Griebl, Feautrier and Lengauer, "Index set splitting",
//! IJPP 2000), after scheduling and for the sake of one loop.
use crate::legality::independence::{Independence, times};
use loopwright_exact::{Int, Row};
use loopwright_presburger::{
    BasicSet, Budget, Constraint, DimKind, Error, Map, Name, Result, Set, Space, UnionMap,
    UnionPwAff, UnionSet,
};
use loopwright_schedule::{Node, Reaching};

/// Equalities that are tried; a loop with more special iterations gains nothing from a split.
const MOST_CANDIDATES: usize = 4;

/// A part of a split loop.
#[derive(Clone, Debug)]
pub struct Range {
    /// The instances.
    pub instances: UnionSet,
    /// The scalars of which every iteration needs its own copy, for a range of independent
    /// iterations; none for the iteration at which the loop is split.
    pub private: Option<Vec<Name>>,
}

/// The ranges of the loop that is the last of `members`, nested inside the others and inside what
/// `reaching` says: the iterations before a special one, that one, and those after it, where the
/// iterations of the first and the last range are independent. None if there is no such iteration
/// or the budget runs out.
///
/// Cost: the dependences' images under the schedule, a few affine hulls, and for each of at most
/// four candidates two exact tests as in [`Independence::private_scalars`].
///
/// # Errors
/// If a member is not defined on a statement.
pub fn independent_ranges(
    reaching: &Reaching,
    members: &[UnionPwAff],
    independence: &Independence,
) -> Result<Option<Vec<Range>>> {
    match ranges(reaching, members, independence) {
        Err(Error::Exceeded { .. }) => Ok(None),
        result => result,
    }
}

fn ranges(
    reaching: &Reaching,
    members: &[UnionPwAff],
    independence: &Independence,
) -> Result<Option<Vec<Range>>> {
    let times = times(reaching, members)?;
    let dimension = reaching.depth() + members.len() - 1;
    for cut in cuts(&times, dimension, independence)? {
        let range = |side: Set| -> Result<Option<Range>> {
            let instances = times.intersect_range(&UnionSet::from_set(side))?.domain();
            let inside = reaching.descend(&Node::filter(instances.clone(), Node::Leaf), 0)?;
            let private = independence.private_scalars(&inside, members)?;
            Ok(private.map(|private| Range { instances, private: Some(private) }))
        };
        let Some(before) = range(cut.before())? else { continue };
        let Some(after) = range(cut.after())? else { continue };
        let instances = times.intersect_range(&UnionSet::from_set(cut.at()))?.domain();
        return Ok(Some(vec![before, Range { instances, private: None }, after]));
    }
    Ok(None)
}

/// An equality over the schedule dimensions that fixes one of them.
#[derive(PartialEq)]
struct SplitPoint {
    /// The schedule dimensions.
    space: Space,
    /// The equality, with coefficient 1 at the dimension that it fixes.
    row: Row,
}

impl SplitPoint {
    /// The smaller values of the dimension.
    fn before(&self) -> Set {
        let mut row = self.row.clone();
        row.negate();
        self.beyond(row)
    }

    /// The value itself.
    fn at(&self) -> Set {
        self.part(Constraint::equality(self.row.clone()))
    }

    /// The greater values.
    fn after(&self) -> Set {
        self.beyond(self.row.clone())
    }

    /// `row >= 1`.
    fn beyond(&self, mut row: Row) -> Set {
        let constant = &row.get(0) - &Int::from(1);
        row.set(0, constant);
        self.part(Constraint::inequality(row))
    }

    fn part(&self, constraint: Constraint) -> Set {
        let universe = BasicSet::universe(self.space.clone());
        Set::from_basic_set(universe.add_constraint(constraint))
    }
}

/// The equalities that sources or targets of dependences carried by `dimension` share.
fn cuts(
    times: &UnionMap,
    dimension: usize,
    independence: &Independence,
) -> Result<Vec<SplitPoint>> {
    let budget = independence.budget();
    let inside = independence.dependences().among_inputs_of(times);
    let pairs = inside.apply_domain(times)?.apply_range(times)?;
    let mut cuts = Vec::new();
    for map in pairs.maps() {
        let same = (0..dimension)
            .fold(map.clone(), |map, outer| map.equate(DimKind::In, outer, DimKind::Out, outer));
        let carried = same.order_lt(DimKind::In, dimension, DimKind::Out, dimension);
        for basic in carried.basic_maps() {
            let one = Map::from_basic_map(basic.clone());
            for side in [one.domain(), one.range()] {
                push_cuts(&side, dimension, budget, &mut cuts)?;
            }
            if cuts.len() >= MOST_CANDIDATES {
                cuts.truncate(MOST_CANDIDATES);
                return Ok(cuts);
            }
        }
    }
    Ok(cuts)
}

/// Adds the equality of `side` that gives `dimension` in terms of the dimensions before it.
fn push_cuts(
    side: &Set,
    dimension: usize,
    budget: &Budget,
    cuts: &mut Vec<SplitPoint>,
) -> Result<()> {
    let hull = side.affine_hull(budget)?;
    if hull.plain_is_empty() {
        return Ok(());
    }
    let own = hull.offset(DimKind::Out) + dimension;
    for equality in hull.equalities() {
        let fixes = equality.get(own).abs().is_one()
            && equality.first_nonzero(own + 1..equality.len()).is_none();
        if !fixes {
            continue;
        }
        let mut row = equality.slice(0..own + hull.n(DimKind::Out) - dimension);
        if row.sign(own) < 0 {
            row.negate();
        }
        let cut = SplitPoint { space: hull.space().clone(), row };
        if !cuts.contains(&cut) {
            cuts.push(cut);
        }
    }
    Ok(())
}
