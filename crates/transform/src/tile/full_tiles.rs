//! Loops of their own for full tiles of variable sizes.
//!
//! A tile is *full* if its whole box is in the domain of the statements. Then loops over its points begin at
//! the origin and have as many iterations as the size says, without the bounds of the domain.
//!
//! The points of the tile that begins at `T` are those whose values `v` that are tiled have
//! `T_k <= v_k < T_k + s_k` ([`crate::tile::origins`]). A constraint `a v + b >= 0` on the values of a domain
//! holds for all of them if it holds where it is least: at `v_k = T_k` where `a_k` is positive and at
//! `v_k = T_k + s_k - 1` where it is negative. Since `a_k` is a number that is an affine condition on
//! origins, sizes and parameters, so the code for full tiles can be isolated (Grosser, Verdoolaege, Cohen,
//! "Polyhedral AST generation is more than scanning polyhedra", TOPLAS 2015, section 5.6). An isolated part
//! changes which loops there are, not what they execute; the loops are proved like all others.
use loopwright_exact::{Int, Row};
use loopwright_presburger::{
    BasicSet, Budget, Constraint, DimKind, MultiAff, Name, Result, Set, Space, Tuple,
};
use loopwright_schedule::{Band, Node, OriginLoops, Piece, Reaching, ScheduleTree};

/// Steps for the question whether a tile can be full.
const STEPS: u64 = 50_000;

/// The tree of a program in tiles of variable sizes, with full tiles isolated in all bands of points; none
/// where every tile is full, or where it cannot be said by conditions on origins (domains with floors or of
/// several pieces). `marked` is the tree of the program as it was, with the marks for tiles, and `in_tiles`
/// the one that [`crate::tile::origins::with_tile_origins`] has made of it.
///
/// *Cost.* A projection for each statement and mark.
///
/// ```
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_transform::tile::full_tiles::with_full_tiles_apart;
/// let tree = |domain: &str, instance: &str, tile: &str| {
///     let band = |value: &str| format!("schedule: '[{{ {instance} -> [({value})] }}]'");
///     let points = format!("{}, child: {{ {} }}", band(tile), band("i"));
///     ScheduleTree::parse(&format!("{{ domain: '{domain}', child: {{ mark: 'origins(s)', child: {{ {points} }} }} }}"))
/// };
/// let marked = tree("[n] -> { S[i] : 0 <= i < n }", "S[i]", "i")?;
/// let in_tiles = tree("[n, s] -> { S[t, i] : 0 <= i < n and t <= i < t + s }", "S[t, i]", "t")?;
/// let apart = with_full_tiles_apart(&marked, &in_tiles)?.expect("some tiles are cut by the bounds");
/// assert!(apart.to_string().contains("isolate[[i0] -> [i1]] : 0 <= i0 <= n - s"), "{apart}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of [`ScheduleTree::origin_loops`] and of operations on sets.
pub fn with_full_tiles_apart(
    marked: &ScheduleTree,
    in_tiles: &ScheduleTree,
) -> Result<Option<ScheduleTree>> {
    let loops = marked.origin_loops()?;
    let mut origins: Vec<Origins<'_>> = Vec::new();
    for own in &loops {
        let first = Reaching::at(marked, &own.path)?.depth();
        origins.push(Origins { own, first });
    }
    // The sets of a union have the same parameters.
    let Some(first) = in_tiles.domain.sets().into_iter().next() else { return Ok(None) };
    let params = Space::params(first.space().param_names());
    let mut root = in_tiles.root.clone();
    let mut is_isolated = false;
    for own in &origins {
        let around = origins.iter().filter(|other| {
            own.own.path.len() > other.own.path.len() && own.own.path.starts_with(&other.own.path)
        });
        let around: Vec<&Origins<'_>> = around.collect();
        let Some(rows) = own.full(&around, &params)? else { continue };
        let Some(node) = at_path(&mut root, &own.own.path) else { continue };
        let full =
            Full { params: params.param_names(), rows, first: own.first + own.own.sizes.len() };
        is_isolated |= full.isolate(node, own.first);
    }
    Ok(is_isolated.then(|| ScheduleTree::new(in_tiles.domain.clone(), root)))
}

fn at_path<'a>(root: &'a mut Node, path: &[usize]) -> Option<&'a mut Node> {
    path.iter().try_fold(root, |node, &child| node.children_mut().get_mut(child))
}

/// The loops below a mark, of which the first one is this dimension of the schedule by bands.
struct Origins<'a> {
    own: &'a OriginLoops,
    first: usize,
}

impl Origins<'_> {
    /// The condition that tiles are full, as rows over a one, the parameters, and the dimensions of the
    /// schedule up to the origins; none if there is no such condition. Of statements that are never in one
    /// full tile the first ones count: others are not in these tiles, or keep their bounds.
    fn full(&self, around: &[&Origins<'_>], params: &Space) -> Result<Option<Vec<Row>>> {
        let mut rows: Vec<Row> = Vec::new();
        for piece in &self.own.below.pieces {
            let Some(own) = self.full_of(piece, around, params)? else { return Ok(None) };
            let mut both = rows.clone();
            both.extend(own.into_iter().filter(|row| !rows.contains(row)));
            if !self.is_never(&both, params)? {
                rows = both;
            }
        }
        Ok((!rows.is_empty()).then_some(rows))
    }

    /// The same for the instances of one statement; none if they have floors or several pieces.
    fn full_of(
        &self,
        piece: &Piece,
        around: &[&Origins<'_>],
        params: &Space,
    ) -> Result<Option<Vec<Row>>> {
        let values = self.values(piece, around, params)?;
        let [basic] = &values.basic_sets()[..] else { return Ok(None) };
        if !basic.locals().is_empty() {
            return Ok(None);
        }
        let first = basic.offset(DimKind::Out) + self.first;
        let moves = |row: &Row| row.first_nonzero(first..row.len()).is_some();
        // Instances in a slice of a tile keep their conditions.
        if basic.equalities().iter().any(moves) {
            return Ok(Some(Vec::new()));
        }
        let moving = basic.inequalities().iter().filter(|row| moves(row));
        Ok(moving.map(|row| self.least(row, first, params)).collect())
    }

    /// Whether no tile of a positive size is full.
    fn is_never(&self, rows: &[Row], params: &Space) -> Result<bool> {
        let n_params = params.param_names().len();
        let n_dims = self.first + self.own.sizes.len();
        let space = Space::set(params.param_names(), Tuple::anonymous(n_dims));
        let positive = self.own.sizes.iter().filter_map(|size| {
            let at = params.param_names().iter().position(|name| name == size)?;
            let mut row = Row::unit(1 + n_params + n_dims, 1 + at);
            row.set(0, -&Int::ONE);
            Some(row)
        });
        let all = rows.iter().cloned().chain(positive);
        let all = all.map(|row| Constraint { is_equality: false, row });
        let set = Set::from_basic_set(BasicSet::universe(space).add_constraints(all));
        Ok(set.is_empty(&Budget::steps(STEPS)).unwrap_or(true))
    }

    /// What loops outside and the values that are tiled may be, without the loops over other tiles around.
    fn values(&self, piece: &Piece, around: &[&Origins<'_>], params: &Space) -> Result<Set> {
        let domain = piece.domain.align_params(params);
        let space = domain.space().clone();
        let range = space.with_tuples(None, Some(Tuple::anonymous(piece.schedule.len())));
        let affs = piece.schedule.iter().map(|aff| aff.align_params(params)).collect();
        let times = MultiAff::new(space.map_to(&range), affs)?.to_map();
        let mut values = times.intersect_domain(&domain)?.range();
        for other in around {
            let n = other.own.sizes.len();
            values = values.project_out(DimKind::Out, other.first, n);
            values = values.insert_dims(DimKind::Out, other.first, n);
        }
        Ok(values)
    }

    /// A constraint where it is least in a tile.
    fn least(&self, row: &Row, first: usize, params: &Space) -> Option<Row> {
        let mut least = row.clone();
        for (member, size) in self.own.sizes.iter().enumerate() {
            let factor = row.get(first + member);
            if factor.is_negative() {
                let size = params.param_names().iter().position(|name| name == size)?;
                least.add_at(1 + size, &factor);
                least.add_at(0, &-&factor);
            }
        }
        Some(least)
    }
}

/// The condition that the tiles below a mark are full, to be put into a tree.
struct Full<'a> {
    params: &'a [Name],
    rows: Vec<Row>,
    /// The first dimension of points.
    first: usize,
}

impl Full<'_> {
    /// Isolates full tiles in the bands of points below a node at a depth; whether there is one.
    fn isolate(&self, node: &mut Node, depth: usize) -> bool {
        let mut inside = depth;
        let mut is_isolated = false;
        if let Node::Band(band, _) = node {
            inside += band.n_members();
            if depth >= self.first {
                let full = self.isolated(depth, band.n_members());
                let isolate = match band.isolate.as_ref().map(|other| other.intersect(&full)) {
                    Some(Ok(both)) => both,
                    _ => full,
                };
                *band = Band { isolate: Some(isolate), ..band.clone() };
                is_isolated = true;
            }
        }
        for child in node.children_mut() {
            is_isolated |= self.isolate(child, inside);
        }
        is_isolated
    }

    /// It as the isolated part of a band at a depth.
    fn isolated(&self, depth: usize, n_members: usize) -> Set {
        let width = 1 + self.params.len() + depth + n_members;
        let rows = self.rows.iter().map(|row| row.widened(width));
        let constraints = rows.map(|row| Constraint { is_equality: false, row });
        let tuple = Tuple::nested(Tuple::anonymous(depth), Tuple::anonymous(n_members));
        let space = Space::set(self.params, tuple);
        Set::from_basic_set(BasicSet::universe(space).add_constraints(constraints))
    }
}
