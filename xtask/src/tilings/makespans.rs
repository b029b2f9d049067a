//! The analyser's times on many processors: data that grow with the processors, the same number of time
//! steps.
use loopwright_presburger::{Budget, UnionMap};
use loopwright_transform::scalability::shapes::{Neighbours, Shape, Stencil};
use loopwright_transform::scalability::wave_function::WaveFunction;
use std::fmt::Write;

const JACOBI: Stencil = Stencil { dimensions: 1, radius: 1, neighbours: Neighbours::Box };

/// Points for a processor.
const POINTS: i64 = 64;

/// Time steps, and time steps and points of a tile.
const STEPS: i64 = 64;
const TILE: (i64, i64) = (8, 32);

const PROCESSORS: [i64; 5] = [1, 10, 100, 1000, 10_000];

/// The most waves.
const LIMIT: usize = 1_000_000;

/// The table: for each tiling the tiles that run one after the other, and the share of the processors that is
/// busy.
pub(super) fn table() -> Result<String, String> {
    let heads: Vec<String> = PROCESSORS.iter().map(|p| format!("P = {p}")).collect();
    let mut text = format!(
        "| tiling | waves | {} |\n|:--|:--|{}\n",
        heads.join(" | "),
        "--:|".repeat(PROCESSORS.len())
    );
    let shapes = [
        ("pipelined", Shape::Pipelined, "{ [a, b] -> [a + b] }"),
        ("tube, diamond", Shape::DiamondTubes, "{ [a, b] -> [a + b] }"),
        ("trapezoid", Shape::Trapezoids, "{ [b, g, k, p] -> [2b + g] }"),
        ("overlapped", Shape::Overlapped, "{ [b, p] -> [b] }"),
    ];
    for (name, shape, wave) in shapes {
        let waves = waves(shape, wave)?;
        let _ = write!(text, "| {name} | `{}` |", waves.n_waves);
        for processors in PROCESSORS {
            let n = POINTS * processors;
            let widths = waves.widths_at(&[("n", n)], LIMIT, &Budget::unlimited());
            let widths = widths.map_err(|e| e.to_string())?;
            let p = u64::try_from(processors).unwrap_or(1);
            let time = widths.makespan(p);
            let busy = 100.0 * widths.n_tiles() as f64 / (time as f64 * processors as f64);
            let _ = write!(text, " {time} ({busy:.0} %) |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// What the numbers are of.
pub(super) fn sizes() -> String {
    let (tau, sigma) = TILE;
    format!("{STEPS} time steps, {POINTS} P points, tiles of {tau} steps and {sigma} points")
}

fn waves(shape: Shape, wave: &str) -> Result<WaveFunction, String> {
    let text = |e: loopwright_presburger::Error| e.to_string();
    let (steps, extents) = (STEPS.to_string(), ["n".to_string()]);
    let flow = JACOBI.flow("[n] -> ", &steps, &extents).map_err(text)?;
    let tiles = JACOBI.tiles(shape, TILE, "[n] -> ", &steps, &extents).map_err(text)?;
    let tiles = tiles.ok_or("there are no such tiles")?;
    let wave = UnionMap::parse(wave).map_err(text)?;
    let waves = WaveFunction::new(&flow, &tiles, &wave, &Budget::unlimited()).map_err(text)?;
    waves.ok_or("the function of waves is no order".to_string())
}
