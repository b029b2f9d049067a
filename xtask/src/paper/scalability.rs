//! `cargo xtask paper scalability`: the counts of Wonnacott and Strout, "On the scalability of loop tiling
//! techniques" (IMPACT 2013), and what limits the kernels of this repository.
use crate::deliver::{deliver, out_option};
use loopwright::{CompileOptions, RegionScalability, ScalabilityOptions, scalability_of_file};
use loopwright_presburger::{Budget, UnionMap};
use loopwright_transform::scalability::growth::is_bounded;
use loopwright_transform::scalability::shapes::{Neighbours, Shape, Stencil};
use loopwright_transform::scalability::tile_graph::TileGraph;
use loopwright_transform::scalability::wave_function::WaveFunction;
use loopwright_transform::scalability::waves::Waves;
use std::fmt::Write;

const USAGE: &str = "usage: cargo xtask paper scalability [--out docs/paper-scalability.md]";

const HEADER: &str = "\
# The counts of the paper on the scalability of tilings, remade

Written by `cargo xtask paper scalability`; do not edit.

Wonnacott and Strout, \"On the scalability of loop tiling techniques\" (IMPACT 2013), argues with numbers of waves: sets of tiles
that can run at one time, one after the other. Here they are counted: up to some hundred thousand instances by listing the graph of tiles
and its longest paths, beyond by functions of the sizes (`docs/scalability.md`). *P*: numbers of the paper; the others follow from its
figures.

";

const JACOBI: Stencil = Stencil { dimensions: 1, radius: 1, neighbours: Neighbours::Box };
const STAR: Stencil = Stencil { dimensions: 2, radius: 1, neighbours: Neighbours::Star };
const BOX: Stencil = Stencil { dimensions: 2, radius: 1, neighbours: Neighbours::Box };

/// The most pairs of a relation that are listed.
const LIMIT: usize = 2_000_000;

/// Counts and prints, or writes, the tables.
pub(super) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let out = out_option(parser, USAGE)?;
    let parts =
        [pipelined()?, large()?, one_dimension()?, two_dimensions()?, techniques()?, kernels()?];
    deliver(&format!("{HEADER}{}", parts.join("\n")), out.as_deref())
}

fn graph(
    stencil: Stencil,
    shape: Shape,
    sizes: (i64, i64),
    steps: i64,
    data: &[i64],
) -> Result<TileGraph, String> {
    let data: Vec<String> = data.iter().map(i64::to_string).collect();
    let steps = steps.to_string();
    let text = |e: loopwright_presburger::Error| e.to_string();
    let flow = stencil.flow("", &steps, &data).map_err(text)?;
    let tiles = stencil.tiles(shape, sizes, "", &steps, &data).map_err(text)?;
    let tiles = tiles.ok_or("there are no such tiles")?;
    TileGraph::new(&flow, &tiles, LIMIT, &Budget::unlimited()).map_err(text)
}

fn waves(
    stencil: Stencil,
    shape: Shape,
    sizes: (i64, i64),
    steps: i64,
    data: &[i64],
) -> Result<Waves, String> {
    let waves = graph(stencil, shape, sizes, steps, data)?.waves();
    waves.ok_or_else(|| format!("{shape:?}: tiles wait for each other"))
}

/// Figures 4 and 5, and section 3.1 about the second.
fn pipelined() -> Result<String, String> {
    let mut text = "## Pipelined tiling of a stencil of three points\n\n\
        Tiles of `tau` steps and `sigma` points; figure 5 has `sigma = 2 tau`.\n\n\
        | program | tiles | waves | widest | published |\n|:--|--:|--:|--:|:--|\n"
        .to_string();
    let (tau, sigma) = (4, 8);
    let n = 8 * (sigma + tau);
    let rows = [
        ("figure 4: T = 5, 8 points, tau = 2, sigma = 4", (2, 4), 5, 8, "—"),
        ("the same with 10 points", (2, 4), 5, 10, "—"),
        ("figure 5: T = 8 tau, N = 8 (sigma + tau)", (tau, sigma), 8 * tau, n, "23 waves (P)"),
        ("twice the data", (tau, sigma), 8 * tau, 2 * n, "35 waves (P)"),
        ("figure 5 and a row of tiles more", (tau, sigma), 8 * tau, n + sigma, "24 waves (P)"),
        ("figure 5 and a column of tiles more", (tau, sigma), 9 * tau, n, "at least 24 waves (P)"),
    ];
    for (name, sizes, steps, n, published) in rows {
        let widths = waves(JACOBI, Shape::Pipelined, sizes, steps, &[n])?.widths;
        let (tiles, n_waves, widest) = (widths.n_tiles(), widths.n_waves(), widths.greatest());
        let _ = writeln!(text, "| {name} | {tiles} | {n_waves} | {widest} | {published} |");
    }
    let figure = waves(JACOBI, Shape::Pipelined, (tau, sigma), 8 * tau, &[n])?.widths;
    let widths: Vec<String> = figure.0.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "\nWidths of the waves of figure 5: {}.", widths.join(" "));
    Ok(text)
}

/// Section 3.1: sizes whose tiles are too many to be listed.
fn large() -> Result<String, String> {
    let error = |e: loopwright_presburger::Error| e.to_string();
    let budget = &Budget::unlimited();
    // A step of `tau` is two steps here and `sigma` four points: the tiles are the same.
    let (parameters, steps, extents) = ("[n, m] -> ", "2m", ["4n".to_string()]);
    let flow = JACOBI.flow(parameters, steps, &extents).map_err(error)?;
    let tiles = JACOBI.tiles(Shape::Pipelined, (2, 4), parameters, steps, &extents);
    let tiles = tiles.map_err(error)?.ok_or("there are no such tiles")?;
    let wave = UnionMap::parse("{ [a, b] -> [a + b] }").map_err(error)?;
    let waves = WaveFunction::new(&flow, &tiles, &wave, budget).map_err(error)?;
    let waves = waves.ok_or("the function of waves is no order")?;
    let mut text = format!(
        "## Pipelined tiling of large data\n\n\
         With `N = n sigma` points, `T = m tau` steps and `sigma = 2 tau` the number of waves is \
         `{}`{}, that of tiles `{}`. *Full*: the share of tiles in waves with work for all processors; time with barriers, in tiles.\n\n\
         | N / sigma | T / tau | P | tiles | waves | widest | full | published | time | of the processors are busy |\n\
         |--:|--:|--:|--:|--:|--:|--:|:--|--:|--:|\n",
        waves.n_waves,
        if waves.is_attained { " (there are paths as long)" } else { " (at most)" },
        waves.n_tiles,
    );
    let rows = [
        (10_000, 1000, 100, "more than 99 % (P)"),
        (100_000, 1000, 1000, "more than 98 % (P)"),
        (1_000_000, 1000, 10_000, "none (P)"),
        (38_730, 25_820, 10_000, "85 % (P)"),
        (122_474, 81_650, 100_000, "none (P)"),
    ];
    for (n, m, processors, published) in rows {
        let widths = waves.widths_at(&[("n", n), ("m", m)], LIMIT, budget).map_err(error)?;
        let n_tiles = widths.n_tiles();
        let full = 100.0 * widths.n_full(processors) as f64 / n_tiles as f64;
        let time = widths.makespan(processors);
        let busy = 100.0 * n_tiles as f64 / (time as f64 * processors as f64);
        let _ = writeln!(
            text,
            "| {n} | {m} | {processors} | {n_tiles} | {} | {} | {full:.2} % | {published} | {time} | {busy:.0} % |",
            widths.n_waves(),
            widths.greatest()
        );
    }
    Ok(text)
}

/// Waves for data that double, in one dimension.
fn one_dimension() -> Result<String, String> {
    let mut text = "## One dimension of data\n\n\
        Waves for T = 32, `tau = 4`, `sigma = 8`. Molecular tiles run in three parts, so three waves are one of tiles.\n\n\
        | tiling | N = 48 | 96 | 192 | 384 | executed / different |\n|:--|--:|--:|--:|--:|--:|\n"
        .to_string();
    let shapes = [
        ("pipelined", Shape::Pipelined),
        ("overlapped", Shape::Overlapped),
        ("trapezoids", Shape::Trapezoids),
        ("diamonds", Shape::DiamondTubes),
        ("molecular", Shape::Molecular),
    ];
    for (name, shape) in shapes {
        let mut row = format!("| {name} |");
        let mut redundancy = 1.0;
        for n in [48, 96, 192, 384] {
            let graph = graph(JACOBI, shape, (4, 8), 32, &[n])?;
            let waves = graph.waves().ok_or("tiles wait for each other")?;
            let _ = write!(row, " {} |", waves.widths.n_waves());
            redundancy = graph.redundancy();
        }
        let _ = writeln!(text, "{row} {redundancy:.3} |");
    }
    Ok(text)
}

/// Longest paths in two dimensions.
fn two_dimensions() -> Result<String, String> {
    let mut text = "## Two dimensions of data\n\n\
        Waves / instances on the longest path, for T = 8 and tiles of 4 along each hyperplane.\n\n\
        | tiling | 16 x 16 | 32 x 16 | 16 x 32 | 32 x 32 |\n|:--|--:|--:|--:|--:|\n"
        .to_string();
    let rows = [
        ("pipelined", STAR, Shape::Pipelined),
        ("diamond tubes along x", STAR, Shape::DiamondTubes),
        ("diamonds along x, pipelined along y", STAR, Shape::DiamondAndPipelined),
        ("diamonds, star", STAR, Shape::Diamonds),
        ("diamonds, box", BOX, Shape::Diamonds),
        ("overlapped", STAR, Shape::Overlapped),
        ("trapezoids (sigma = 8)", STAR, Shape::Trapezoids),
    ];
    for (name, stencil, shape) in rows {
        let mut row = format!("| {name} |");
        let sizes = if shape == Shape::Trapezoids { (4, 8) } else { (4, 4) };
        for data in [[16, 16], [32, 16], [16, 32], [32, 32]] {
            let waves = waves(stencil, shape, sizes, 8, &data)?;
            let _ = write!(row, " {} / {} |", waves.widths.n_waves(), waves.work_span);
        }
        let _ = writeln!(text, "{row}");
    }
    Ok(text)
}

/// Which technique scales with which dimension.
fn techniques() -> Result<String, String> {
    let mut text = "## What scales\n\n\
        1: the longest path does not grow with the dimension of the data (sizes 16, 32, 64; T = 8), 0: it does. In place means that a point \
        of a step reads points of the same step (Gauss-Seidel).\n\n\
        | technique | vector, 2-D data | the paper | computes twice | shapes of tiles | atomic |\n|:--|:--|:--|:--|:--|:--|\n"
        .to_string();
    let in_place = Stencil { neighbours: Neighbours::InPlace, ..STAR };
    let rows = [
        ("single instances", STAR, Shape::Points, "(1, 1)", "no", "1", "yes"),
        ("pipelined", STAR, Shape::Pipelined, "(0, 0)", "no", "1", "yes"),
        ("overlapped", STAR, Shape::Overlapped, "(1, 1)", "yes", "1", "yes"),
        ("trapezoids", STAR, Shape::Trapezoids, "(1, 1)", "no", "4", "yes"),
        ("diamond tubes", STAR, Shape::DiamondTubes, "(1, 0)", "no", "1", "yes"),
        ("concurrent start in all dimensions", STAR, Shape::Diamonds, "(1, 1)", "no", "1", "yes"),
        (
            "in place: single instances",
            in_place,
            Shape::Points,
            "limited by dataflow",
            "no",
            "1",
            "yes",
        ),
        (
            "in place: pipelined",
            in_place,
            Shape::Pipelined,
            "limited by dataflow",
            "no",
            "1",
            "yes",
        ),
        ("in place: diamonds", in_place, Shape::Diamonds, "not legal", "no", "1", "yes"),
    ];
    for (name, stencil, shape, published, twice, shapes, atomic) in rows {
        let vector = vector(stencil, shape)?;
        let _ =
            writeln!(text, "| {name} | {vector} | {published} | {twice} | {shapes} | {atomic} |");
    }
    let _ = writeln!(
        text,
        "| molecular | {} (1-D data) | (1, 1) with several stages | no | 1 | no |",
        vector(JACOBI, Shape::Molecular)?
    );
    text += "\nMolecular tiles of two dimensions, which send and receive once for each dimension, are not looked at.\n";
    Ok(text)
}

fn vector(stencil: Stencil, shape: Shape) -> Result<String, String> {
    let sizes = if matches!(shape, Shape::Trapezoids | Shape::Molecular) { (4, 8) } else { (4, 4) };
    let mut entries = Vec::new();
    for grown in 0..stencil.dimensions {
        let mut spans = Vec::new();
        for n in [16, 32, 64] {
            let mut data = vec![16; stencil.dimensions];
            data[grown] = n;
            let Some(waves) = graph(stencil, shape, sizes, 8, &data)?.waves() else {
                return Ok("not legal".to_string());
            };
            spans.push(waves.work_span);
        }
        entries.push(if is_bounded(&spans) { "1" } else { "0" });
    }
    Ok(format!("({})", entries.join(", ")))
}

/// The kernels of this repository.
fn kernels() -> Result<String, String> {
    let mut text = "## The 30 kernels of PolyBench\n\n\
        The dataflow and the tilings that the scheduler's bands allow, for each dimension of the data, by `loopwright scalability` (values \
        8, 16, 32, 64 of one parameter at a time, or 4, 8, 16, 32 with tiles of 2 where that is too much to be listed). 1: the longest path does not \
        grow. Where single instances have 0 no tiling scales. Sums are in the program's order.\n\n\
        | kernel | dimensions of the data | others | dataflow | rectangles | diamonds, one side | diamonds, all sides |\n\
        |:--|:--|:--|:--|:--|:--|:--|\n"
        .to_string();
    let mut options = CompileOptions::new();
    options.front_end.defines.push("SYMBOLIC".to_string());
    for (name, file) in super::kernel_files()? {
        eprintln!("{name}");
        let usual = scalability_of_file(&file, &options, &ScalabilityOptions::default());
        let looked_at = match usual {
            Ok(regions) if regions.iter().any(|r| kernel_row(&name, r).contains('?')) => {
                let smaller = ScalabilityOptions { tile_size: 2, least: 4, ..Default::default() };
                scalability_of_file(&file, &options, &smaller)
            }
            usual => usual,
        };
        match looked_at {
            Err(failure) => {
                let _ = writeln!(text, "| {name} | {failure} | | | | | |");
            }
            Ok(regions) => regions.iter().for_each(|region| text += &kernel_row(&name, region)),
        }
    }
    Ok(text)
}

fn kernel_row(name: &str, region: &RegionScalability) -> String {
    let names = |wanted: bool| {
        let names = region.parameters.iter().filter(|(_, is_data)| *is_data == wanted);
        let names: Vec<&str> = names.map(|(name, _)| &**name).collect();
        if names.is_empty() { "—".to_string() } else { names.join(", ") }
    };
    let vector = |name| region.vector_of(name).unwrap_or_else(|| "—".to_string());
    let tilings = ["dataflow", "rectangles", "diamonds, one side", "diamonds, all sides"];
    let vectors = tilings.map(vector).join(" | ");
    format!("| {name} | {} | {} | {vectors} |\n", names(true), names(false))
}
