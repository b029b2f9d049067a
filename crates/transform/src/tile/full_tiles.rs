//! Loops of their own for full tiles of variable sizes.
//!
//! A tile is *full* if its whole box is in the domain of the statements. Then loops over its points begin at the origin and have as many iterations as
//! the size says, without the bounds of the domain.
//!
//! Instances have the origins `T` of their tiles as coordinates ([`crate::tile::origins`]); the times `p` of the points of a tile are those with
//! `T_k <= p_k < T_k + s_k`. A constraint `a p + b >= 0` of the domain holds for all of them if it holds where it is least: at `p_k = T_k` where `a_k` is
//! positive and at `p_k = T_k + s_k - 1` where it is negative. Since `a_k` is a number that is an affine condition on origins, sizes and
//! parameters, so the code for full tiles can be isolated (Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra", TOPLAS 2015, section 5.6). An isolated part changes which loops there are, not what they execute; the loops are proved
//! like all others.
use loopwright_exact::{Int, Row};
use loopwright_presburger::{BasicSet, Constraint, DimKind, Name, Result, Set, Space, Tuple};
use loopwright_schedule::{Band, Node, OriginLoops, Reaching, ScheduleTree};

/// The tree of a program in tiles of variable sizes, with full tiles isolated in all bands of points; none where every tile is full, or where it
/// cannot be said by conditions on origins (domains with floors or of several pieces).
///
/// *Cost.* A relation for each leaf, and a look at its constraints.
///
/// # Errors
/// Those of [`ScheduleTree::origin_loops`] and [`Reaching::prefix_schedule`].
pub fn with_full_tiles_apart(tree: &ScheduleTree) -> Result<Option<ScheduleTree>> {
    let loops = tree.origin_loops()?;
    let mut root = tree.root.clone();
    let mut is_isolated = false;
    for outermost in loops.iter().filter(|own| !loops.iter().any(|other| is_inside(own, other))) {
        let reaching = Reaching::at(tree, &outermost.path)?;
        let Some(node) = at_path(&mut root, &outermost.path) else { continue };
        let inside: Vec<&OriginLoops> =
            loops.iter().filter(|other| other.path.starts_with(&outermost.path)).collect();
        let mut windows = Vec::new();
        for own in inside {
            let first = Reaching::at(tree, &own.path)?.depth();
            windows.extend((first..).zip(own.sizes.iter().cloned()));
        }
        let mut full = Full { windows, params: None, constraints: Vec::new() };
        if full.collect(node, &reaching)? {
            let first = full.windows.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
            is_isolated |= full.isolate(node, reaching.depth(), first);
        }
    }
    Ok(is_isolated.then(|| ScheduleTree::new(tree.domain.clone(), root)))
}

/// Whether loops are inside of others.
fn is_inside(own: &OriginLoops, other: &OriginLoops) -> bool {
    own.path.len() > other.path.len() && own.path.starts_with(&other.path)
}

fn at_path<'a>(root: &'a mut Node, path: &[usize]) -> Option<&'a mut Node> {
    path.iter().try_fold(root, |node, &child| node.children_mut().get_mut(child))
}

/// The condition that tiles are full.
struct Full {
    /// The dimensions of the schedule by bands that are origins, with their sizes.
    windows: Vec<(usize, Name)>,
    params: Option<Vec<Name>>,
    /// Over a one, the parameters and the dimensions of the schedule.
    constraints: Vec<Row>,
}

impl Full {
    /// Collects the condition from the leaves below a node; whether there is one.
    fn collect(&mut self, node: &Node, reaching: &Reaching) -> Result<bool> {
        if node.is_leaf() {
            return self.of_leaf(reaching);
        }
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            if !self.collect(child, &below)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn of_leaf(&mut self, reaching: &Reaching) -> Result<bool> {
        for map in reaching.prefix_schedule()?.maps() {
            let times = map.range();
            let [basic] = &times.basic_sets()[..] else { return Ok(false) };
            let params = basic.space().param_names().to_vec();
            if !basic.locals().is_empty() || self.params.as_ref().is_some_and(|own| *own != params)
            {
                return Ok(false);
            }
            self.params = Some(params);
            let points = self.points(basic);
            let is_thin = |row: &Row| points.iter().any(|point| !row.is_zero_at(point.at));
            // Instances in a slice of a tile keep their conditions.
            if basic.equalities().iter().any(is_thin) {
                continue;
            }
            for row in basic.inequalities().iter().filter(|row| is_thin(row)) {
                let least = least(row, &points);
                let is_new = least.first_nonzero(1..least.len()).is_some();
                if is_new && !self.constraints.contains(&least) {
                    self.constraints.push(least);
                }
            }
        }
        Ok(true)
    }

    /// The columns of the dimensions that lie between an origin and the next one.
    fn points(&self, basic: &BasicSet) -> Vec<Point> {
        let out = basic.offset(DimKind::Out);
        let width = out + basic.n(DimKind::Out);
        let has = |entries: &[(usize, i64)]| {
            let mut row = Row::zeros(width);
            entries.iter().for_each(|&(at, value)| row.set(at, Int::from(value)));
            basic.inequalities().contains(&row)
        };
        let mut points: Vec<Point> = Vec::new();
        for (dimension, size) in &self.windows {
            let origin = out + dimension;
            let names = basic.space().param_names();
            let Some(size) = names.iter().position(|name| name == size) else { continue };
            let size = basic.offset(DimKind::Param) + size;
            let is_point = |&at: &usize| {
                has(&[(at, 1), (origin, -1)]) && has(&[(0, -1), (origin, 1), (size, 1), (at, -1)])
            };
            let found = (origin + 1..width).filter(is_point);
            points.extend(found.map(|at| Point { at, origin, size }));
        }
        points
    }

    /// Isolates full tiles in the bands of points below a node at a depth, which are those from dimension `first` on; whether there is one.
    fn isolate(&self, node: &mut Node, depth: usize, first: usize) -> bool {
        let mut inside = depth;
        let mut is_isolated = false;
        if let Node::Band(band, _) = node {
            inside += band.n_members();
            if depth >= first
                && let Some(set) = self.isolated(depth, band.n_members())
            {
                *band = Band { isolate: Some(set), ..band.clone() };
                is_isolated = true;
            }
        }
        for child in node.children_mut() {
            is_isolated |= self.isolate(child, inside, first);
        }
        is_isolated
    }

    /// What is known of it at a depth, as the isolated part of a band.
    fn isolated(&self, depth: usize, n_members: usize) -> Option<Set> {
        let params = self.params.as_ref()?;
        let known = 1 + params.len() + depth;
        let is_known = |row: &&Row| row.last_nonzero(0..row.len()).is_some_and(|last| last < known);
        let rows = self.constraints.iter().filter(is_known);
        let constraints: Vec<Constraint> = rows
            .map(|row| Constraint {
                is_equality: false,
                row: row.slice(0..row.len().min(known)).widened(known + n_members),
            })
            .collect();
        if constraints.is_empty() {
            return None;
        }
        let tuple = Tuple::nested(Tuple::anonymous(depth), Tuple::anonymous(n_members));
        let space = Space::set(params, tuple);
        Some(Set::from_basic_set(BasicSet::universe(space).add_constraints(constraints)))
    }
}

/// A dimension of points in a tile, by the columns of its time, its origin and its size.
struct Point {
    at: usize,
    origin: usize,
    size: usize,
}

/// A constraint where it is least in a tile.
fn least(row: &Row, points: &[Point]) -> Row {
    let mut least = row.clone();
    for point in points {
        let factor = row.get(point.at);
        least.set(point.at, Int::ZERO);
        least.add_at(point.origin, &factor);
        if factor.is_negative() {
            least.add_at(point.size, &factor);
            least.add_at(0, &-&factor);
        }
    }
    least
}
