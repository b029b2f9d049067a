//! Tilings by name: the loops over the tiles of a band, or why the band has none of that shape.
//!
//! | tiling | waves | built by |
//! |---|---|---|
//! | pipelined | grow with the data | [`crate::tile::rectangular`], in rows behind each other or in diagonals ([`crate::loops::wavefront`]) |
//! | tube | depend on time; along other dimensions a tile is whole | [`crate::tile::diamond`], partial |
//! | diamond | depend on time | [`crate::tile::diamond`], full |
//! | trapezoid | `(d + 1) T / tau` | [`crate::tile::trapezoid`] |
//! | hexagonal | `2 T / tau`; along other dimensions tiles run one after the other | [`crate::tile::hexagon`] |
//!
//! `auto` is the first of them that is legal with the given sizes: pipelined where a member is coincident, whose tiles need no waves;
//! otherwise those first that scale with most dimensions of the data, and of these the ones with the fewest kinds of tiles
//! (diamonds for one dimension, trapezoids for several: diamonds of several dimensions have corners that are slow in vectors).
//!
//! All are made of the dependences of a permutable band, whatever its statements look like, and no instance runs twice. Points inside of a tile
//! keep the order of the band.
use crate::loops::wavefront;
use crate::settings::Tiling;
use crate::tile::cone::{Cone, NoCone, cone};
use crate::tile::diamond::{Diamond, concurrent_start};
use crate::tile::hexagon::hexagons;
use crate::tile::rectangular::{self, DEFAULT_TILE, DEFAULT_VECTOR_TILE};
use crate::tile::slanted::TooNarrow;
use crate::tile::trapezoid::{MOST_DIMENSIONS, trapezoids};
use loopwright_presburger::{Budget, Result, UnionMap};
use loopwright_schedule::{Band, LoopKind, LoopMark, Node, Reaching, TileLoops};
use std::fmt;

/// Time steps of a trapezoid or hexagon, for bands of two, three and more members: the data of more dimensions has less room in a cache.
const DEFAULT_STEPS: [i64; 3] = [32, 8, 4];

/// Values of a trapezoid along a dimension of the data, likewise.
const DEFAULT_WIDTH: [i64; 3] = [256, 64, 16];

/// Values of a diamond along the members that it combines, likewise.
const DEFAULT_DIAMOND: [i64; 3] = [512, 64, 16];

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The shape.
    pub tiling: Tiling,
    /// Sizes by member, the last one repeated as often as needed; empty for those of the tool's choice.
    pub sizes: &'a [i64],
    /// The member that runs innermost: tiles of the tool's choice are long along it.
    pub innermost: usize,
    /// Whether pipelined tiles wait for just those that they need; if not, all threads wait for each other after each diagonal.
    pub point_to_point: bool,
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
    /// There are more dimensions than trapezoids are made for.
    TooManyDimensions,
    /// Tiles that compute instances of their neighbours again are no division of a band.
    Overlapping,
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
                write!(f, "trapezoids are made for {MOST_DIMENSIONS} dimensions of data at most")
            }
            Refusal::Overlapping => {
                write!(f, "they compute instances again, which a band of tiles does not say")
            }
            Refusal::Limit(operation) => write!(f, "a limit was reached in {operation}"),
        }
    }
}

/// The loops over the tiles of a band, or why there are none.
///
/// `dependences` are pairs of instances, the first before the second, which the band respects; `reaching` is what reaches the band.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::Tiling;
/// use loopwright_transform::tile::tiling::{Request, tiled_band};
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let reaching = Reaching::root(&ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?));
/// let in_place = UnionMap::parse("{ S[t, i] -> S[t, i + 1]; S[t, i] -> S[t + 1, i - 1] }")?;
/// let request = Request { tiling: Tiling::Trapezoid, sizes: &[4, 8], innermost: 1, point_to_point: false };
/// let refused = tiled_band(request, &band, &reaching, &in_place, &Budget::unlimited())?.unwrap_err();
/// assert!(refused.to_string().starts_with("dataflow-limited: dependences S -> S"));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* That of the search for a hyperplane, or for a cone: some tens of integer optima for each two dependent statements and each member.
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
    let mut last = Err(Refusal::Overlapping);
    for &tiling in candidates(request.tiling, band) {
        let request = Request { tiling, ..request };
        let subject = Subject { request, band, reaching, dependences, budget };
        last = match tiling {
            Tiling::Tube | Tiling::Diamond => subject.diamonds()?,
            Tiling::Trapezoid | Tiling::Hexagonal => subject.slanted()?,
            Tiling::Pipelined => Ok(subject.pipelined()?),
            Tiling::Overlapped | Tiling::Auto => Err(Refusal::Overlapping),
        };
        if last.is_ok() {
            break;
        }
    }
    Ok(last)
}

/// The shapes that are tried, in this order.
fn candidates(tiling: Tiling, band: &Band) -> &'static [Tiling] {
    let is_coincident = band.members.iter().any(|member| member.coincident);
    match tiling {
        Tiling::Auto if is_coincident => &[Tiling::Pipelined],
        Tiling::Auto if band.n_members() == 2 => {
            &[Tiling::Diamond, Tiling::Hexagonal, Tiling::Trapezoid, Tiling::Pipelined]
        }
        Tiling::Auto => &[
            Tiling::Trapezoid,
            Tiling::Diamond,
            Tiling::Hexagonal,
            Tiling::Tube,
            Tiling::Pipelined,
        ],
        Tiling::Pipelined => &[Tiling::Pipelined],
        Tiling::Tube => &[Tiling::Tube],
        Tiling::Diamond => &[Tiling::Diamond],
        Tiling::Trapezoid => &[Tiling::Trapezoid],
        Tiling::Hexagonal => &[Tiling::Hexagonal],
        Tiling::Overlapped => &[],
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
        Ok(self.found(loops, sizes))
    }

    fn found(&self, loops: Node, sizes: Vec<i64>) -> TiledBand {
        TiledBand { tiling: self.request.tiling, loops, sizes }
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
            let (reaching, dependences) = (self.reaching, self.dependences);
            let found =
                concurrent_start(self.band, face, &with, reaching, dependences, self.budget)?;
            if let Some(diamond) = found {
                return self.in_diamonds(face, &diamond).map(Ok);
            }
        }
        let cone = cone(self.band, 0, self.reaching, self.dependences, self.budget)?;
        Ok(Err(cone.err().map_or(Refusal::NoHyperplane, Refusal::NoCone)))
    }

    fn in_diamonds(&self, face: usize, diamond: &Diamond) -> Result<TiledBand> {
        let n_summed = diamond.n_summed;
        let wanted = self.sizes(|_| self.by_members(DEFAULT_DIAMOND));
        // Tiles have one size along all members of the sum, or diagonals are not parallel to the face.
        let summed = &diamond.others[..n_summed - 1];
        let common = summed.first().map_or(1, |&member| wanted[member]);
        let n_tiled = summed.iter().chain([&face]).max().map_or(0, |last| last + 1);
        let sizes = vec![common; n_tiled];
        let (band, _) = diamond.band.split(n_summed);
        let (tiles, _) = rectangular::tile(&band, &vec![common; n_summed], TileLoops::Unscaled)?;
        Ok(self.found(self.diagonals(&tiles, n_summed)?, sizes))
    }

    /// Trapezoids or hexagons.
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
        let sizes = self.sizes(|member| self.own_width(&cone, member));
        let loops = match is_hexagonal {
            true => hexagons(self.band, &cone, &sizes)?,
            false => trapezoids(&cone, &sizes)?,
        };
        Ok(loops.map(|loops| self.found(loops, sizes)).map_err(Refusal::TooNarrow))
    }

    /// Time steps, or a width of which half is left where a tile is narrowest.
    fn own_width(&self, cone: &Cone, member: usize) -> i64 {
        let steps = self.by_members(DEFAULT_STEPS);
        if member == cone.face {
            return steps;
        }
        let is_innermost = member == self.request.innermost;
        let width = if is_innermost { DEFAULT_VECTOR_TILE } else { self.by_members(DEFAULT_WIDTH) };
        let axis = cone.axes.iter().find(|axis| axis.member == member);
        let needed = axis.map_or(1, |axis| axis.spread() * steps * cone.steps / axis.scale);
        width.max(2 * needed)
    }
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
