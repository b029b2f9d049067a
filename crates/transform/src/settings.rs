//! What the transformation is asked for.
pub mod sica;

use crate::settings::sica::Sica;
use loopwright_machine::Machine;
use loopwright_presburger::Name;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How much of the data a concurrent start covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ConcurrentStart {
    /// None: tiles run in growing diagonals.
    None,
    /// One dimension of the data.
    #[default]
    Partial,
    /// All dimensions of the data.
    Full,
}

/// A shape of tiles, asked for by name ([`crate::tile::tiling`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// Rectangles of skewed members, each behind those that it needs.
    Pipelined,
    /// Diamonds along time and one dimension of the data, whole along the others.
    Tube,
    /// Diamonds along time and all dimensions of the data.
    Diamond,
    /// Trapezoids that shrink, then those that grow in the gaps between them, along each dimension of the
    /// data.
    Trapezoid,
    /// Parallelograms that send, compute and receive values of the tiles beside them, along each dimension of
    /// the data.
    Molecular,
    /// Hexagons along time and one dimension of the data, rectangles along the others.
    Hexagonal,
    /// Blocks of the data with all that they need of their neighbours ([`crate::overlapped`]).
    Overlapped,
    /// Zoids of time and all dimensions of the data, cut in parts at run time ([`crate::cache_oblivious`]).
    CacheOblivious,
    /// The legal one with the least cost ([`crate::tile::tiling_cost`]).
    Auto,
}

impl Tiling {
    /// All of them.
    pub const ALL: [Tiling; 9] = [
        Tiling::Pipelined,
        Tiling::Tube,
        Tiling::Diamond,
        Tiling::Trapezoid,
        Tiling::Molecular,
        Tiling::Hexagonal,
        Tiling::Overlapped,
        Tiling::CacheOblivious,
        Tiling::Auto,
    ];

    /// Those that are compared by cost: no instance runs twice, and none has the same waves as another one.
    pub const ONCE: [Tiling; 5] =
        [Tiling::Tube, Tiling::Hexagonal, Tiling::Trapezoid, Tiling::Diamond, Tiling::Pipelined];

    /// The name, one word.
    ///
    /// ```
    /// use loopwright_transform::Tiling;
    /// assert_eq!(Tiling::Hexagonal.name(), "hexagonal");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Tiling::Pipelined => "pipelined",
            Tiling::Tube => "tube",
            Tiling::Diamond => "diamond",
            Tiling::Trapezoid => "trapezoid",
            Tiling::Molecular => "molecular",
            Tiling::Hexagonal => "hexagonal",
            Tiling::Overlapped => "overlapped",
            Tiling::CacheOblivious => "cache-oblivious",
            Tiling::Auto => "auto",
        }
    }
}

/// Tile sizes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum TileSizes {
    /// Tile where it pays, with sizes of the tool's choice.
    #[default]
    Default,
    /// Tile where it pays, with sizes by a model of caches and address translation
    /// ([`crate::tile::model`]).
    Footprint,
    /// Do not tile.
    None,
    /// Tile where it pays, the innermost loop by [`crate::tile::rectangular::DEFAULT_VECTOR_TILE`] and the
    /// others by [`crate::tile::rectangular::DEFAULT_TILE`].
    Fixed,
    /// Tile every permutable band of two members or more with these sizes, the last one
    /// repeated as often as needed.
    Given(Vec<i64>),
    /// Tile every permutable innermost band of two members or more that has a vector loop with sizes
    /// by SICA.
    Sica(Sica),
}

/// What to optimise for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Tile sizes.
    pub tile_sizes: TileSizes,
    /// Tile sizes of single bands instead, by the band's position in the [`Report`](crate::Report).
    pub band_tiles: BTreeMap<usize, TileSizes>,
    /// The shape of the tiles of outermost bands, in place of that which the other options lead to.
    pub tiling: Option<Tiling>,
    /// Which tiles without independent loops may start concurrently, where the dependences allow it.
    pub concurrent_start: ConcurrentStart,
    /// Whether tiles that may start only when others are done wait for just those, in a pipeline of rows;
    /// if not, all threads wait for each other after each diagonal of tiles.
    pub point_to_point: bool,
    /// Tiles of tiles: how many tiles a larger one has along each member, the last number repeated
    /// as often as needed. Empty for one level of tiles.
    pub tile_factors: Vec<i64>,
    /// Whether the sizes of tiles are variables of the result, and what their names begin with
    /// ([`crate::tile::origins`]): that of a member is its position behind this name, the same for all bands.
    /// Then all bands that may be permuted are tiled, and the other options about sizes say what is reported
    /// and estimated.
    pub tile_variables: Option<Name>,
    /// Whether loops may be marked as parallel.
    pub parallel: bool,
    /// Whether results may be kept in registers by a further level of tiles.
    pub register_tiles: bool,
    /// Whether loops that only combine values will run in any order ([`crate::loops::reductions`]), so that
    /// sums need no rows together to be fast.
    pub reassociate: bool,
    /// Whether `for` loops in the text of statements count as work: how far they run depends on data.
    pub loops_in_statements: bool,
    /// Whether panels will be packed ([`crate::packing`]), so that strides count less.
    pub panels: bool,
    /// Whether loops stay in their order: some may only be parallel, and innermost ones run in vectors.
    pub keep_order: bool,
    /// Whether what the result costs is estimated.
    pub estimate: bool,
    /// The target.
    pub machine: Machine,
}

impl Options {
    /// The options for the band at a position in the [`Report`](crate::Report), with the tile sizes that hold
    /// there; the chosen shape of tiles is for bands that are not inside of a parallel loop.
    pub(crate) fn of_band(&self, position: usize, is_inside_parallel: bool) -> Cow<'_, Options> {
        let mut options = Cow::Borrowed(self);
        if let Some(sizes) = self.band_tiles.get(&position) {
            options.to_mut().tile_sizes = sizes.clone();
        }
        if is_inside_parallel && self.tiling.is_some() {
            options.to_mut().tiling = None;
        }
        options
    }
}
