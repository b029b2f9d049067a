//! Tilings of the literature for stencils, as relations from instances to tiles.
//!
//! A [`Stencil`] has statement `S[t, x0, x1, ...]`, time first, and reads the values of the step before at
//! distances up to its radius. Tiles are `tau` steps long and `sigma` wide along each dimension of the data. *Source:*
//! sections 3 and 4 of Wonnacott and Strout, 2013, and the papers that it surveys.
use loopwright_presburger::{Result, UnionMap};

/// The greatest size of a tile.
const GREATEST: i64 = 1_000_000;

/// A stencil in time-expanded form: each instance has a value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stencil {
    /// The number of dimensions of the data.
    pub dimensions: usize,
    /// How far it reads, along each dimension.
    pub radius: i64,
    /// What it reads.
    pub neighbours: Neighbours,
}

/// What a stencil reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// Points that differ in one coordinate at most.
    Star,
    /// All points within the radius.
    Box,
    /// Points of the step before and, in place, those of the same step that came before: Gauss-Seidel.
    InPlace,
}

/// A tiling. `tau` is the number of time steps of a tile, `sigma` its width along each dimension of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One instance each: the dataflow itself.
    Points,
    /// Rectangles of skewed coordinates: pipelined, or time-skewed, tiling.
    Pipelined,
    /// Blocks of the data with all that they need of a band of time steps; neighbours compute it too.
    Overlapped,
    /// Trapezoids that shrink, then the gaps between them, along each dimension: split tiling.
    Trapezoids,
    /// Diamonds along time and the first dimension, whole along others (`CATS`).
    DiamondTubes,
    /// Diamonds along the first dimension, pipelined along the others.
    DiamondAndPipelined,
    /// Concurrent start along all dimensions: sides `t + r x_k` and `c t - x_0 - x_1 ...`.
    Diamonds,
    /// Parallelograms in three parts: what neighbours need is sent first, what needs theirs comes last. For
    /// one dimension.
    Molecular,
}

impl Stencil {
    /// The instances for `steps` time steps and so many points along each dimension, with names of time and
    /// of the coordinates of the data, which begin at 0.
    fn domain((time, data): (&str, char), steps: &str, extents: &[String]) -> String {
        let mut text = format!("0 <= {time} < {steps}");
        for (k, extent) in extents.iter().enumerate() {
            text += &format!(" and 0 <= {data}{k} < {extent}");
        }
        text
    }

    fn tuple(&self) -> String {
        (0..self.dimensions).fold("S[t".to_string(), |text, k| format!("{text}, x{k}")) + "]"
    }

    /// Conditions on an instance `u, y0, ...` that reads the value of `t, x0, ...`, any of which may hold.
    fn readers(&self) -> Vec<String> {
        let (r, all) = (self.radius, 0..self.dimensions);
        let near = |k: usize| format!("x{k} - {r} <= y{k} <= x{k} + {r}");
        let behind = |k: usize| format!("x{k} - {r} <= y{k} <= x{k}");
        let ahead = |k: usize| format!("x{k} < y{k} <= x{k} + {r}");
        let at = |step: &str, conditions: Vec<String>| {
            format!("{step} and {}", conditions.join(" and "))
        };
        let along = |k: usize, moved: &dyn Fn(usize) -> String| {
            all.clone().map(|j| if j == k { moved(j) } else { format!("y{j} = x{j}") }).collect()
        };
        match self.neighbours {
            Neighbours::Box => vec![at("u = t + 1", all.clone().map(near).collect())],
            Neighbours::Star => all.clone().map(|k| at("u = t + 1", along(k, &near))).collect(),
            Neighbours::InPlace => {
                let of_both =
                    |k| [at("u = t + 1", along(k, &behind)), at("u = t", along(k, &ahead))];
                all.clone().flat_map(of_both).collect()
            }
        }
    }

    /// The flow between instances; sizes are numbers or parameters that `parameters` (such as `[n] -> `)
    /// declares.
    ///
    /// ```
    /// use loopwright_transform::scalability::shapes::{Neighbours, Stencil};
    /// let jacobi = Stencil { dimensions: 1, radius: 1, neighbours: Neighbours::Box };
    /// let flow = jacobi.flow("[n] -> ", "9", &["n".to_string()])?;
    /// assert_eq!(flow.maps().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the texts of the sizes are none.
    pub fn flow(&self, parameters: &str, steps: &str, extents: &[String]) -> Result<UnionMap> {
        let next = (0..self.dimensions).fold("S[u".to_string(), |text, k| format!("{text}, y{k}"));
        let from = Self::domain(("t", 'x'), steps, extents);
        let to = Self::domain(("u", 'y'), steps, extents);
        let relation =
            |piece: &String| format!("{} -> {next}] : {from} and {} and {piece}", self.tuple(), to);
        let text: Vec<String> = self.readers().iter().map(relation).collect();
        UnionMap::parse(&format!("{parameters}{{ {} }}", text.join("; ")))
    }

    /// The relation from instances to the tiles of a shape; none if the shape has no form for this stencil
    /// here (molecular tiles of several dimensions), or a size is not positive or above a million.
    ///
    /// Tiles need not be legal: whether they are is a question to the tile graph.
    ///
    /// ```
    /// use loopwright_transform::scalability::shapes::{Neighbours, Shape, Stencil};
    /// let jacobi = Stencil { dimensions: 1, radius: 1, neighbours: Neighbours::Box };
    /// let tiles = jacobi.tiles(Shape::Pipelined, (4, 8), "", "32", &["48".to_string()])?.unwrap();
    /// assert_eq!(tiles.maps().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the texts of the sizes are none.
    pub fn tiles(
        &self,
        shape: Shape,
        (tau, sigma): (i64, i64),
        parameters: &str,
        steps: &str,
        extents: &[String],
    ) -> Result<Option<UnionMap>> {
        let sizes = [tau, sigma, self.radius.max(1), 1 + self.dimensions as i64];
        let are_sizes = sizes.iter().all(|size| (1..=GREATEST).contains(size));
        if !are_sizes || (shape == Shape::Molecular && self.dimensions != 1) {
            return Ok(None);
        }
        let domain = Self::domain(("t", 'x'), steps, extents);
        let pieces = self.pieces(shape, tau, sigma, extents);
        let text: Vec<String> = pieces
            .iter()
            .map(|(tile, condition)| {
                let and = if condition.is_empty() { "" } else { " and " };
                format!("{} -> [{tile}] : {domain}{and}{condition}", self.tuple())
            })
            .collect();
        UnionMap::parse(&format!("{parameters}{{ {} }}", text.join("; "))).map(Some)
    }

    /// The pieces of a shape: coordinates of tiles, and for which instances.
    fn pieces(
        &self,
        shape: Shape,
        tau: i64,
        sigma: i64,
        extents: &[String],
    ) -> Vec<(String, String)> {
        let r = self.radius;
        let skewed = |k: usize| format!("floor((x{k} + {r}t)/{sigma})");
        let all = 0..self.dimensions;
        let one = |tile: Vec<String>| vec![(tile.join(", "), String::new())];
        let diamond =
            || vec![format!("floor(({r}t + x0)/{sigma})"), format!("floor(({r}t - x0)/{sigma})")];
        match shape {
            Shape::Points => {
                let all = all.map(|k| format!("x{k}"));
                one(["t".to_string()].into_iter().chain(all).collect())
            }
            Shape::Pipelined => {
                one([format!("floor(t/{tau})")].into_iter().chain(all.map(skewed)).collect())
            }
            Shape::DiamondTubes => one(diamond()),
            Shape::DiamondAndPipelined => {
                one(diamond().into_iter().chain((1..self.dimensions).map(skewed)).collect())
            }
            Shape::Diamonds => {
                let against = all.clone().map(|k| format!(" - x{k}")).collect::<String>();
                let steep = match self.neighbours {
                    Neighbours::Star | Neighbours::InPlace => r,
                    Neighbours::Box => r * self.dimensions as i64,
                };
                let last = format!("floor(({steep}t{against})/{sigma})");
                one(all.map(skewed).chain([last]).collect())
            }
            Shape::Overlapped => overlapped(r, tau, sigma, extents),
            Shape::Trapezoids => trapezoids(r, tau, sigma, extents),
            Shape::Molecular => molecular(r, tau, sigma),
        }
    }
}

/// A block at the end of a band of `tau` steps, and what it needs: at step `s` of the band, `r (tau - 1 - s)`
/// more on each side.
fn overlapped(r: i64, tau: i64, sigma: i64, extents: &[String]) -> Vec<(String, String)> {
    let mut tile = vec!["b".to_string()];
    let mut condition = vec![format!("{tau}b <= t < {tau}b + {tau}")];
    for (k, extent) in extents.iter().enumerate() {
        let more = format!("{r}*({tau}b + {} - t)", tau - 1);
        tile.push(format!("p{k}"));
        condition.push(format!(
            "0 <= {sigma}p{k} < {extent} and {sigma}p{k} - {more} <= x{k} < {sigma}p{k} + {sigma} + {more}"
        ));
    }
    vec![(tile.join(", "), condition.join(" and "))]
}

/// Along each dimension an instance is in a block that shrinks by `r` per step and side, but not at the ends
/// of the data, or in a gap between two blocks. Those in `m` gaps wait for those in fewer: phase `m` of the
/// band.
fn trapezoids(r: i64, tau: i64, sigma: i64, extents: &[String]) -> Vec<(String, String)> {
    let mut all = vec![(Vec::new(), Vec::new(), 0)];
    for (k, extent) in extents.iter().enumerate() {
        let s = format!("{r}*(t - {tau}b)");
        let in_block = format!("{sigma}p{k} <= x{k} < {sigma}p{k} + {sigma}");
        let last = format!("{sigma}p{k} + {sigma} >= {extent}");
        let left = format!("(p{k} = 0 or x{k} >= {sigma}p{k} + {s})");
        let right = format!("({last} or x{k} < {sigma}p{k} + {sigma} - {s})");
        let up = format!("{in_block} and {left} and {right}");
        // The gap `p` is the one at the end of block `p`.
        let end = format!("{sigma}p{k} + {sigma}");
        let down = format!("0 < {end} < {extent} and {end} - {s} <= x{k} < {end} + {s}");
        all = all
            .into_iter()
            .flat_map(|(tile, condition, gaps): (Vec<String>, Vec<String>, usize)| {
                [(0, &up), (1, &down)].map(|(is_gap, piece)| {
                    let tile = [&tile[..], &[format!("{is_gap}, p{k}")]].concat();
                    let condition = [&condition[..], &[format!("({piece})")]].concat();
                    (tile, condition, gaps + is_gap)
                })
            })
            .collect();
    }
    let band = format!("{tau}b <= t < {tau}b + {tau}");
    all.into_iter()
        .map(|(tile, condition, gaps)| {
            (
                format!("b, {gaps}, {}", tile.join(", ")),
                format!("{band} and {}", condition.join(" and ")),
            )
        })
        .collect()
}

/// Block `p` of step `s` of a band is `p sigma <= x + r s < (p + 1) sigma`. It reads to its left, so with
/// `y = x + r s - p sigma` the part `y < 2 r s` needs the tile on the left (part 2, which receives), and the
/// part `y >= sigma - 2 r (tau - 1 - s)` is needed by the one on the right (part 0, which is sent). They are
/// apart if `sigma >= 2 r (tau - 1)`; what is in both is put into part 0, which makes tiles wait for each
/// other in turn.
fn molecular(r: i64, tau: i64, sigma: i64) -> Vec<(String, String)> {
    let s = format!("(t - {tau}b)");
    let y = format!("(x0 + {r}*{s} - {sigma}p)");
    let block = format!("{tau}b <= t < {tau}b + {tau} and 0 <= {y} < {sigma}");
    let sent = format!("{y} >= {sigma} - {}*({} - {s})", 2 * r, tau - 1);
    let kept = format!("{y} < {sigma} - {}*({} - {s})", 2 * r, tau - 1);
    let receives = format!("{y} < {}*{s}", 2 * r);
    let computes = format!("{y} >= {}*{s}", 2 * r);
    vec![
        ("b, p, 0".to_string(), format!("{block} and {sent}")),
        ("b, p, 1".to_string(), format!("{block} and {kept} and {computes}")),
        ("b, p, 2".to_string(), format!("{block} and {kept} and {receives}")),
    ]
}
