//! Tilings by name: the loops over the tiles of a band, or why the band has none of that shape.
//!
//! | tiling | waves | built by |
//! |---|---|---|
//! | pipelined | grow with the data | [`crate::tile::rectangular`], in rows behind each other or in diagonals ([`crate::loops::wavefront`]) |
//! | tube | depend on time; along other dimensions a tile is whole | [`crate::tile::diamond`], partial |
//! | diamond | depend on time | [`crate::tile::diamond`], full |
//! | trapezoid | `(d + 1) T / tau` | [`crate::tile::trapezoid`] |
//! | molecular | `(d + 1) T / tau`; the exchanges are `d T / tau` | [`crate::tile::molecular`] |
//! | hexagonal | `2 T / tau`; along other dimensions tiles run one after the other | [`crate::tile::hexagon`] |
//!
//! `auto` is the legal one with the least cost ([`crate::tile::tiling_cost`]), with the sizes that are given
//! or those of the tool's choice: pipelined where a member is coincident, whose tiles need no waves.
//!
//! All are made of the dependences of a permutable band, whatever its statements look like, and no instance
//! runs twice. Points inside of a tile keep the order of the band.
use crate::loops::wavefront;
use crate::settings::Tiling;
use crate::tile::cone::{Axis, Cone, NoCone, cone};
use crate::tile::diamond::{Diamond, weighted_start};
use crate::tile::hexagon::hexagons;
use crate::tile::molecular::molecular;
use crate::tile::phases::MOST_DIMENSIONS;
use crate::tile::rectangular::{self, DEFAULT_TILE, DEFAULT_VECTOR_TILE};
use crate::tile::slanted::TooNarrow;
use crate::tile::tiling_cost::{TilingCost, Traits, Workload};
use crate::tile::trapezoid::trapezoids;
use loopwright_presburger::{Budget, Result, UnionMap};
use loopwright_schedule::{Band, LoopKind, LoopMark, Node, Reaching, TileLoops};
use std::fmt;

/// Time steps of a hexagon, for bands of two, three and more members, if dependences are not so fast that
/// only fewer fit its width: the data of more dimensions has less room in a cache.
const DEFAULT_STEPS: [i64; 3] = [64, 32, 16];

/// Values of a hexagon or trapezoid along the dimensions of the data that time bounds, likewise.
const DEFAULT_WIDTH: [i64; 3] = [1024, 128, 32];

/// Values of tiles along dimensions between the first and the innermost one.
const DEFAULT_INNER: i64 = 16;

/// Values of tiles along the innermost dimension, which a cache may make smaller.
const DEFAULT_ROW: i64 = 4096;

/// Values of a trapezoid along the innermost dimension: long rows there are cut in two in each step.
const DEFAULT_TRAPEZOID_ROW: i64 = 512;

/// Values of a diamond along the members that it combines, likewise by members, and along the innermost one.
const DEFAULT_DIAMOND: [i64; 3] = [512, 64, 32];
const DEFAULT_DIAMOND_ROW: [i64; 3] = [512, 512, 256];

/// Time steps by which tiles of a pipeline are judged: it has as many threads as rows of tiles, and programs
/// may have few time steps (those of the literature have 8, 200, or 16,384).
const FEW_STEPS: f64 = 32.0;

/// How many times as wide as along another member a diamond is at most.
const MOST_TIMES_AS_WIDE: i64 = 64;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The shape.
    pub tiling: Tiling,
    /// Sizes by member, the last one repeated as often as needed; empty for those of the tool's choice.
    pub sizes: &'a [i64],
    /// The member that runs innermost: tiles of the tool's choice are long along it.
    pub innermost: usize,
    /// Whether pipelined tiles wait for just those that they need; if not, all threads wait for each other
    /// after each diagonal. Of molecular tiles the slices that receive values are apart from those that
    /// compute.
    pub point_to_point: bool,
    /// What the band does, on which sizes of the tool's choice and `auto` depend.
    pub workload: &'a Workload,
}

/// A band in tiles.
#[derive(Clone, Debug)]
pub struct TiledBand {
    /// The shape: the one that was asked for, or that was found.
    pub tiling: Tiling,
    /// The loops over tiles, with a leaf wherever the points of a tile, or of a part of one, are.
    pub loops: Node,
    /// The sizes by member; none for the last ones if tiles are whole along them.
    pub sizes: Vec<i64>,
    /// What an instance costs.
    pub cost: TilingCost,
}

/// Why a band has no tiles of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The band is not permutable, or has one member.
    NotPermutable,
    /// There is no time axis, or no greatest slope.
    NoCone(NoCone),
    /// The tiles would wait for each other in turn.
    TooNarrow(TooNarrow),
    /// No hyperplane makes tiles start concurrently.
    NoHyperplane,
    /// There are more dimensions than trapezoids and molecular tiles are made for.
    TooManyDimensions,
    /// Tiles that compute instances of their neighbours again are no division of a band.
    Overlapping,
    /// Tiles that are made when the program runs are no loops over tiles.
    Recursive,
    /// A limit was reached.
    Limit(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotPermutable => write!(f, "the loops cannot be permuted"),
            Refusal::NoCone(NoCone::DataflowLimited(cycle)) => write!(
                f,
                "dataflow-limited: dependences {} stay within a time step, so tiles that start concurrently do not \
                 exist (pipelined tiles do)",
                cycle.join(", ")
            ),
            Refusal::NoCone(NoCone::Unbounded(member)) => {
                write!(f, "dependences move arbitrarily far along member {member} in a time step")
            }
            Refusal::TooNarrow(TooNarrow { member, size, least, dependence }) => write!(
                f,
                "tiles of {size} along member {member} are too narrow for their time steps, because of dependence \
                 {dependence}: the smallest legal size is {least}"
            ),
            Refusal::NoHyperplane => {
                write!(f, "no hyperplane makes tiles of the band start concurrently")
            }
            Refusal::TooManyDimensions => {
                write!(
                    f,
                    "tiles of this shape are made for {MOST_DIMENSIONS} dimensions of data at most"
                )
            }
            Refusal::Overlapping => {
                write!(f, "they compute instances again, which a band of tiles does not say")
            }
            Refusal::Recursive => {
                write!(f, "they are made when the program runs, by a function that calls itself")
            }
            Refusal::Limit(operation) => write!(f, "a limit was reached in {operation}"),
        }
    }
}

/// The loops over the tiles of a band, or why there are none.
///
/// `dependences` are pairs of instances, the first before the second, which the band respects; `reaching` is
/// what reaches the band.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::Tiling;
/// use loopwright_transform::tile::tiling::{Request, tiled_band};
/// use loopwright_transform::tile::tiling_cost::Workload;
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let reaching = Reaching::root(&ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?));
/// let in_place = UnionMap::parse("{ S[t, i] -> S[t, i + 1]; S[t, i] -> S[t + 1, i - 1] }")?;
/// let workload = Workload::nominal(2);
/// let request = Request {
///     tiling: Tiling::Trapezoid, sizes: &[4, 8], innermost: 1, point_to_point: false, workload: &workload,
/// };
/// let refused = tiled_band(request, &band, &reaching, &in_place, &Budget::unlimited())?.unwrap_err();
/// assert!(refused.to_string().starts_with("dataflow-limited: dependences S -> S"));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* That of the search for a hyperplane, or for a cone: some tens of integer optima for each two
/// dependent statements and each member.
///
/// # Errors
/// For malformed trees, or if the budget runs out.
pub fn tiled_band(
    request: Request<'_>,
    band: &Band,
    reaching: &Reaching,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<std::result::Result<TiledBand, Refusal>> {
    if !band.permutable || band.n_members() < 2 {
        return Ok(Err(Refusal::NotPermutable));
    }
    let mut best: std::result::Result<TiledBand, Refusal> = Err(Refusal::Overlapping);
    for &tiling in candidates(request.tiling, band) {
        let request = Request { tiling, ..request };
        let subject = Subject { request, band, reaching, dependences, budget };
        let found = match tiling {
            Tiling::Tube | Tiling::Diamond => subject.diamonds()?,
            Tiling::Trapezoid | Tiling::Molecular | Tiling::Hexagonal => subject.slanted()?,
            Tiling::Pipelined => Ok(subject.pipelined()?),
            Tiling::CacheOblivious => Err(Refusal::Recursive),
            Tiling::Overlapped | Tiling::Auto => Err(Refusal::Overlapping),
        };
        best = match (best, found) {
            (Ok(best), Ok(found)) if found.cost.millicycles < best.cost.millicycles => Ok(found),
            (Ok(best), _) => Ok(best),
            (Err(_), found) => found,
        };
    }
    Ok(best)
}

/// The shapes that are tried; of equal cost the first one counts.
fn candidates(tiling: Tiling, band: &Band) -> &'static [Tiling] {
    let is_coincident = band.members.iter().any(|member| member.coincident);
    match tiling {
        Tiling::Auto if is_coincident => &[Tiling::Pipelined],
        Tiling::Auto => &Tiling::ONCE,
        Tiling::Pipelined => &[Tiling::Pipelined],
        Tiling::Tube => &[Tiling::Tube],
        Tiling::Diamond => &[Tiling::Diamond],
        Tiling::Trapezoid => &[Tiling::Trapezoid],
        Tiling::Molecular => &[Tiling::Molecular],
        Tiling::Hexagonal => &[Tiling::Hexagonal],
        Tiling::Overlapped => &[],
        Tiling::CacheOblivious => &[Tiling::CacheOblivious],
    }
}

/// A band with what its tiles are made of.
struct Subject<'a> {
    request: Request<'a>,
    band: &'a Band,
    reaching: &'a Reaching,
    dependences: &'a UnionMap,
    budget: &'a Budget,
}

impl Subject<'_> {
    /// The given sizes by member; those of the tool's choice where none are given.
    fn sizes(&self, own: impl Fn(usize) -> i64) -> Vec<i64> {
        let given = self.request.sizes;
        let size = |member: usize| given.get(member).or(given.last()).copied();
        (0..self.band.n_members()).map(|m| size(m).unwrap_or_else(|| own(m)).max(1)).collect()
    }

    /// The entry of a table for this number of members.
    fn by_members(&self, table: [i64; 3]) -> i64 {
        table[(self.band.n_members() - 2).min(2)]
    }

    /// Rectangles: along a coincident member at one time, otherwise each behind those that it needs.
    fn pipelined(&self) -> Result<TiledBand> {
        let n = self.band.n_members();
        let innermost = self.request.innermost;
        let own = |m: usize| if m == innermost { DEFAULT_VECTOR_TILE } else { DEFAULT_TILE };
        let sizes = self.sizes(own);
        let (tiles, _) = rectangular::tile(self.band, &sizes, TileLoops::Unscaled)?;
        let coincident = (0..n).find(|&member| self.band.members[member].coincident);
        let loops = match coincident {
            Some(member) => {
                let others = (0..n).filter(|&other| other != member);
                let order: Vec<usize> = [member].into_iter().chain(others).collect();
                marked(LoopKind::Parallel, &tiles.permute(&order)?, 0)
            }
            None if self.request.point_to_point => marked(LoopKind::Pipelined, &tiles, 0),
            None => self.diagonals(&tiles, 2)?,
        };
        let n_tiles = |member: usize| (self.work().extent(member) / sizes[member] as f64).ceil();
        let (at_once, waves) = match coincident {
            Some(member) => (n_tiles(member), 1.0),
            // Rows of tiles, each a tile behind the one before.
            None => {
                let rows = (self.work().extent(0).min(FEW_STEPS) / sizes[0] as f64).ceil();
                let columns = n_tiles(1);
                let waves = rows + columns - 1.0;
                (rows * columns / waves, if self.request.point_to_point { 1.0 } else { waves })
            }
        };
        let data = 1..n;
        let traits = Traits {
            steps: self.span(0, sizes[0]),
            places: data.map(|member| self.span(member, sizes[member])).product(),
            row: self.span(innermost, sizes[innermost]),
            at_once,
            waves,
            redundancy: 1.0,
        };
        Ok(self.found(loops, sizes, &traits))
    }

    fn found(&self, loops: Node, sizes: Vec<i64>, traits: &Traits) -> TiledBand {
        let cost = self.work().cost(traits);
        TiledBand { tiling: self.request.tiling, loops, sizes, cost }
    }

    fn work(&self) -> &Workload {
        self.request.workload
    }

    /// The number of values of a member in a tile of this size.
    fn span(&self, member: usize, size: i64) -> f64 {
        self.work().extent(member).min(size.max(1) as f64)
    }

    /// The tiles on a diagonal of the first `n_summed` members at one time.
    fn diagonals(&self, tiles: &Band, n_summed: usize) -> Result<Node> {
        Ok(match wavefront::skew(tiles, n_summed)? {
            Some(band) => marked(LoopKind::Parallel, &band, 1),
            None => Node::band(tiles.clone(), Node::Leaf),
        })
    }

    /// Diamonds of the first member that allows it, with the next one or with all others.
    fn diamonds(&self) -> Result<std::result::Result<TiledBand, Refusal>> {
        let n = self.band.n_members();
        for face in 0..n {
            let others = (0..n).filter(|&member| member != face);
            let with: Vec<usize> = match self.request.tiling {
                Tiling::Tube => others.take(1).collect(),
                _ => others.collect(),
            };
            let widths = Widths::of(&with, &self.sizes(|member| self.own_diamond(&with, member)));
            let (reaching, dependences) = (self.reaching, self.dependences);
            let weights = &widths.weights;
            let found =
                weighted_start(self.band, face, weights, reaching, dependences, self.budget)?;
            if let Some(diamond) = found {
                return self.in_diamonds(face, &diamond, &widths).map(Ok);
            }
        }
        let cone = cone(self.band, 0, self.reaching, self.dependences, self.budget)?;
        Ok(Err(cone.err().map_or(Refusal::NoHyperplane, Refusal::NoCone)))
    }

    /// The width of diamonds of our choice along a member.
    fn own_diamond(&self, with: &[usize], member: usize) -> i64 {
        let is_row = member == self.request.innermost && with.contains(&member);
        self.by_members(if is_row { DEFAULT_DIAMOND_ROW } else { DEFAULT_DIAMOND })
    }

    fn in_diamonds(&self, face: usize, diamond: &Diamond, widths: &Widths) -> Result<TiledBand> {
        let n_summed = diamond.n_summed;
        let summed = &diamond.others[..n_summed - 1];
        let n_tiled = summed.iter().chain([&face]).max().map_or(0, |last| last + 1);
        let own: Vec<i64> = widths.weights.iter().map(|(_, weight)| widths.most / weight).collect();
        let size_of = |member: usize| summed.iter().position(|&other| other == member);
        let sizes = (0..n_tiled).map(|member| size_of(member).map_or(widths.most, |at| own[at]));
        let sizes: Vec<i64> = sizes.collect();
        let along: Vec<i64> = [widths.most].into_iter().chain(own).collect();
        let (band, _) = diamond.band.split(n_summed);
        let (tiles, _) = rectangular::tile(&band, &along, TileLoops::Unscaled)?;
        let traits = self.traits_of_diamonds(face, diamond, widths);
        Ok(self.found(self.diagonals(&tiles, n_summed)?, sizes, &traits))
    }

    /// A place is in a diamond for `s / k` steps on average, where it is widest for twice that.
    fn traits_of_diamonds(&self, face: usize, diamond: &Diamond, widths: &Widths) -> Traits {
        let width = |member: usize| {
            let weight = widths.weights.iter().find(|(other, _)| *other == member);
            weight.map(|(_, weight)| widths.most / weight)
        };
        let data = || (0..self.band.n_members()).filter(|&member| member != face);
        let span = |member| self.span(member, width(member).unwrap_or(i64::MAX));
        let per_step = diamond.steepness.max(1) as f64 / widths.most as f64;
        let innermost = self.request.innermost;
        // Corners are cut along the summed members.
        let row = span(innermost) / if width(innermost).is_some() { 2.0 } else { 1.0 };
        let n_tiles = |member| self.work().extent(member) / span(member);
        Traits {
            steps: (1.0 / per_step).min(self.work().extent(face)),
            places: data().map(span).product(),
            row,
            at_once: data().map(n_tiles).product(),
            waves: self.work().extent(face) * per_step + 1.0,
            redundancy: 1.0,
        }
    }

    /// Trapezoids, molecular tiles or hexagons.
    fn slanted(&self) -> Result<std::result::Result<TiledBand, Refusal>> {
        let is_hexagonal = self.request.tiling == Tiling::Hexagonal;
        let n_axes = if is_hexagonal { 1 } else { self.band.n_members() - 1 };
        if n_axes > MOST_DIMENSIONS {
            return Ok(Err(Refusal::TooManyDimensions));
        }
        let cone = cone(self.band, n_axes, self.reaching, self.dependences, self.budget)?;
        let cone = match cone {
            Ok(cone) => cone,
            Err(none) => return Ok(Err(Refusal::NoCone(none))),
        };
        let sizes = self.sizes_in_cache(&cone);
        let loops = match self.request.tiling {
            Tiling::Hexagonal => hexagons(self.band, &cone, &sizes)?,
            Tiling::Molecular => molecular(&cone, &sizes, self.request.point_to_point)?,
            _ => trapezoids(&cone, &sizes)?,
        };
        let traits = self.traits_of_slanted(&cone, &sizes);
        Ok(loops.map(|loops| self.found(loops, sizes, &traits)).map_err(Refusal::TooNarrow))
    }

    /// The sizes; those of the innermost dimension that are of our choice are halved until a tile fits in a
    /// cache.
    fn sizes_in_cache(&self, cone: &Cone) -> Vec<i64> {
        let mut row = match self.request.tiling {
            Tiling::Hexagonal => DEFAULT_ROW,
            _ => DEFAULT_TRAPEZOID_ROW,
        };
        loop {
            let sizes = self.sizes(|member| self.own_width(cone, member, row));
            let data = (0..sizes.len()).filter(|&member| member != cone.face);
            let places: f64 = data.map(|member| self.span(member, sizes[member])).product();
            if places <= self.work().most_places() || row <= DEFAULT_VECTOR_TILE {
                return sizes;
            }
            row /= 2;
        }
    }

    /// A width by the number of dimensions, or time steps as they fit in that: a hexagon may end in points, a
    /// half of a trapezoid's width is left.
    fn own_width(&self, cone: &Cone, member: usize, row: i64) -> i64 {
        let width = self.by_members(DEFAULT_WIDTH);
        let by_axis = cone.axes.iter().map(|axis| {
            let steps = match axis.spread() * cone.steps {
                0 => i64::MAX,
                spread => width * axis.scale / spread,
            };
            (axis.member, steps)
        });
        if member == cone.face {
            let fitting = by_axis.map(|(_, steps)| match self.request.tiling {
                Tiling::Hexagonal => steps.saturating_mul(2),
                _ => steps / 2,
            });
            let most = self.by_members(DEFAULT_STEPS);
            return fitting.min().unwrap_or(most).clamp(1, most);
        }
        let axis = cone.axes.iter().position(|axis| axis.member == member);
        match axis {
            Some(0) => width,
            _ if member == self.request.innermost => row,
            Some(_) => width,
            None => DEFAULT_INNER,
        }
    }

    fn traits_of_slanted(&self, cone: &Cone, sizes: &[i64]) -> Traits {
        let is_hexagonal = self.request.tiling == Tiling::Hexagonal;
        let data = || (0..sizes.len()).filter(|&member| member != cone.face);
        let span = |member: usize| self.span(member, sizes[member]);
        let (time, steps) = (self.work().extent(cone.face), span(cone.face));
        // By how much tiles of an axis change their width in their time, as part of it.
        let narrowed = cone.axes.iter().map(|axis| {
            let change = (axis.spread() * cone.steps) as f64 * steps / axis.scale.max(1) as f64;
            (axis.member, (change / sizes[axis.member].max(1) as f64).min(2.0))
        });
        let innermost = self.request.innermost;
        let is_cut = cone.axes.iter().any(|axis| axis.member == innermost);
        let row = span(innermost) / if is_cut { 2.0 } else { 1.0 };
        let bands = time / steps;
        let (in_tile, waves) = match is_hexagonal {
            true => (narrowed.map(|(_, part)| (1.0 - part / 4.0) * steps).sum(), 2.0 * bands + 1.0),
            false => {
                let pieces: f64 = narrowed.map(|(_, part)| 1.0 + part.min(1.0)).product();
                (steps / pieces, (cone.axes.len() + 1) as f64 * bands)
            }
        };
        let n_tiles = |axis: &Axis| self.work().extent(axis.member) / span(axis.member);
        Traits {
            steps: in_tile,
            places: data().map(span).product(),
            row,
            at_once: cone.axes.iter().map(n_tiles).product(),
            waves,
            redundancy: 1.0,
        }
    }
}

/// The widths of diamonds along the members that are combined.
struct Widths {
    /// The greatest one, which is that of the new hyperplane; a multiple of all weights.
    most: i64,
    /// The members, with how many times as wide the widest one is.
    weights: Vec<(usize, i64)>,
}

impl Widths {
    /// Those nearest to sizes by member.
    fn of(with: &[usize], sizes: &[i64]) -> Widths {
        let most = with.iter().map(|&member| sizes[member]).max().unwrap_or(1);
        let weight = |member: usize| (most / sizes[member]).clamp(1, MOST_TIMES_AS_WIDE);
        let weights: Vec<(usize, i64)> =
            with.iter().map(|&member| (member, weight(member))).collect();
        let common =
            weights.iter().fold(1, |common, (_, weight)| least_common_multiple(common, *weight));
        let most = (most - most.rem_euclid(common)).max(common);
        Widths { most, weights }
    }
}

fn least_common_multiple(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x.rem_euclid(y));
    }
    (a / x.max(1)).saturating_mul(b)
}

/// The loops of a band, with a mark above the one at a position.
fn marked(kind: LoopKind, band: &Band, position: usize) -> Node {
    let mark = LoopMark { kind, private: Vec::new(), reductions: Vec::new() }.to_string();
    let (outer, rest) = band.split(position);
    let n_marked = if kind == LoopKind::Pipelined { rest.n_members() } else { 1 };
    let (own, inner) = rest.split(n_marked);
    let above = |band: Band, child: Node| match band.n_members() {
        0 => child,
        _ => Node::band(band, child),
    };
    above(outer, Node::mark(&mark, Node::band(own, above(inner, Node::Leaf))))
}
