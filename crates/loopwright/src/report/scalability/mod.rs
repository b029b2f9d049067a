//! How far the tilings of a program scale, from its dataflow (`docs/scalability.md`).
mod growth_of_region;
mod text;
mod zoid_tiles;

use crate::diagnostics::failure::Failure;
use crate::report::each_region::each_region;
use crate::settings::options::CompileOptions;
use growth_of_region::of_region;
use loopwright_transform::Tiling;
use loopwright_transform::scalability::growth::Scaling;
use loopwright_transform::scalability::waves::Widths;
use std::path::Path;

/// What is looked at, and at which sizes.
#[derive(Clone, Debug)]
pub struct ScalabilityOptions {
    /// The number of values along each member of a band that a tile has.
    pub tile_size: i64,
    /// The shape of tiles that is looked at, that of `compile --tiling`; rectangles and diamonds if none is
    /// named.
    pub tiling: Option<Tiling>,
    /// The sizes of its tiles by member; if there are none `tile_size`, for trapezoids, molecular tiles and
    /// hexagons twice as much along the data, for the first two half of it in time.
    pub tile_sizes: Vec<i64>,
    /// The least value of each parameter; one at a time is doubled.
    pub least: i64,
    /// How often.
    pub doublings: u32,
    /// Numbers of processors.
    pub processors: Vec<u64>,
    /// The most instances and dependences that are listed for one graph.
    pub limit: usize,
}

impl Default for ScalabilityOptions {
    fn default() -> Self {
        ScalabilityOptions {
            tile_size: 4,
            tiling: None,
            tile_sizes: Vec::new(),
            least: 8,
            doublings: 3,
            processors: vec![2, 4, 8],
            limit: 200_000,
        }
    }
}

/// What there is to say about a region.
#[derive(Clone, Debug)]
pub struct RegionScalability {
    /// The function around it.
    pub function: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    /// Its parameters, and whether extents of arrays depend on them: those are dimensions of the data.
    pub parameters: Vec<(String, bool)>,
    /// The dataflow, then tilings.
    pub tilings: Vec<TilingScalability>,
    /// What was not done, and why.
    pub notes: Vec<String>,
}

/// What there is to say about one tiling.
#[derive(Clone, Debug)]
pub struct TilingScalability {
    /// Its name.
    pub name: &'static str,
    /// The tile graph with every parameter at its least value; none if tiles wait for each other in a circle
    /// or a limit was reached.
    pub graph: Option<GraphFigures>,
    /// What becomes of it as each parameter grows.
    pub growth: Vec<ParameterGrowth>,
    /// The number of waves as a function of the parameters, in isl's notation; none if the sum of the
    /// coordinates of a tile is not its wave, or a limit was reached.
    pub n_waves: Option<String>,
}

/// Figures of one tile graph.
#[derive(Clone, Debug)]
pub struct GraphFigures {
    /// The number of different instances.
    pub n_instances: u64,
    /// Executed instances by different ones.
    pub redundancy: f64,
    /// The number of tiles in each wave.
    pub widths: Widths,
    /// The most instances on a path.
    pub work_span: u64,
    /// For each number of processors: the time with barriers, in tiles, and without them, in instances.
    pub makespans: Vec<(u64, u64, u64)>,
}

/// Longest paths for values of one parameter that double, the others at their least values.
#[derive(Clone, Debug)]
pub struct ParameterGrowth {
    /// The parameter.
    pub parameter: String,
    /// Its values, as many as the limit allowed.
    pub sizes: Vec<i64>,
    /// The number of waves at each.
    pub waves: Vec<u64>,
    /// The most instances on a path at each.
    pub work_spans: Vec<u64>,
    /// What that says; none if there are fewer than three sizes.
    pub scaling: Option<Scaling>,
}

impl ScalabilityOptions {
    /// The sizes of tiles of a shape.
    fn sizes_of(&self, tiling: Tiling) -> Vec<i64> {
        match tiling {
            _ if !self.tile_sizes.is_empty() => self.tile_sizes.clone(),
            // Wide enough for two statements and radius 1, and not wider than the data that are looked at.
            Tiling::Trapezoid | Tiling::Molecular | Tiling::Auto => {
                vec![(self.tile_size / 2).max(1), self.tile_size.saturating_mul(2)]
            }
            Tiling::CacheOblivious => vec![(self.tile_size / 2).max(1), self.tile_size],
            Tiling::Hexagonal => vec![self.tile_size, self.tile_size.saturating_mul(2)],
            Tiling::Pipelined | Tiling::Tube | Tiling::Diamond | Tiling::Overlapped => {
                vec![self.tile_size]
            }
        }
    }
}

impl TilingScalability {
    /// For each dimension of the data of `region` whether the tiling scales with it; none where that is not
    /// known.
    #[must_use]
    pub fn vector(&self, region: &RegionScalability) -> Vec<Option<bool>> {
        let data = region.parameters.iter().filter(|(_, is_data)| *is_data);
        data.map(|(name, _)| {
            let growth = self.growth.iter().find(|growth| growth.parameter == *name)?;
            Some(growth.scaling? == Scaling::Scales)
        })
        .collect()
    }
}

/// Looks at the regions of a file.
///
/// The regions are neither compiled nor changed: their dependences are found, a schedule is looked for, and
/// its outermost bands are put into small tiles, as they are and with concurrent start. The tile graphs for
/// small sizes are listed.
///
/// ```
/// use loopwright::{CompileOptions, ScalabilityOptions, scalability_of_file};
/// # let folder = std::env::temp_dir().join(format!("loopwright-scalability-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("f.c");
/// std::fs::write(&path, "void f(int n, double a[n]) {\n#pragma scop\n  for (int i = 1; i < n; i++) a[i] += a[i - 1];\n#pragma endscop\n}\n").unwrap();
/// let regions = scalability_of_file(&path, &CompileOptions::new(), &ScalabilityOptions::default()).unwrap();
/// let points = &regions[0].tilings[0];
/// assert_eq!(points.growth[0].work_spans, [7, 15, 31, 63], "a chain");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
///
/// # Errors
/// Those of the front end and of the dependence analysis; limits are notes of the regions.
pub fn scalability_of_file(
    path: &Path,
    options: &CompileOptions,
    wanted: &ScalabilityOptions,
) -> Result<Vec<RegionScalability>, Failure> {
    each_region(path, options, "scalability", |analysed| of_region(analysed, options, wanted))
}
