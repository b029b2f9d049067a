//! `cargo xtask paper storage`: cells of the programs of Yuki and Rajopadhye, "Memory allocations for tiled
//! uniform dependence programs" (IMPACT 2013), of stencils whose values all have elements of their own, and
//! of the kernels of this repository.
use super::storage_baselines::{Example, table};
use crate::deliver::{deliver, out_option};
use loopwright::{ArrayStorage, CompileOptions, RegionStorage, ValueStorage, storage_of_file};
use loopwright_presburger::{Budget, Int, Set};
use loopwright_storage::{
    AllSchedules, Allocation, Bands, Consumer, length, quasi_universal_vectors, shortest_vectors,
    trivial_vector,
};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask paper storage [--out docs/paper-storage.md]";

const HEADER: &str = "\
# Cells of tiled programs

Written by `cargo xtask paper storage`; do not edit.

Yuki and Rajopadhye, \"Memory allocations for tiled uniform dependence programs\" (IMPACT 2013), has examples and no measurements. Here are
their vectors, and the numbers of cells, counted as functions of the sizes (`docs/storage.md`).

";

/// Makes the tables and prints, or writes, them.
pub(super) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let out = out_option(parser, USAGE)?;
    let parts = [examples()?, search()?, stencils()?, kernels()?];
    deliver(&format!("{HEADER}{}", parts.join("\n")), out.as_deref())
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

fn ints(vector: &[i64]) -> Vec<Int> {
    vector.iter().map(|&component| Int::from(component)).collect()
}

fn vector_text(vector: &[Int]) -> String {
    let components: Vec<String> = vector.iter().map(ToString::to_string).collect();
    format!("({})", components.join(", "))
}

/// The vectors of one statement in two loops.
#[derive(Clone)]
struct Vectors {
    trivial: Vec<Int>,
    universal: Option<Vec<Int>>,
    tilable: Vec<Int>,
    sequential: Vec<Int>,
}

fn vectors(distances: &[[i64; 2]]) -> Result<Vectors, String> {
    let budget = Budget::unlimited();
    let consumers: Vec<Consumer> = distances.iter().map(|d| Consumer::own(d)).collect();
    let all = AllSchedules { dependences: distances.iter().map(|d| ints(d)).collect() };
    let trivial = trivial_vector(&consumers);
    let longest = length(&trivial).to_i64().and_then(|l| u32::try_from(l).ok()).unwrap_or(0);
    let found = shortest_vectors(2, &consumers, &all, longest, &budget).map_err(in_words)?;
    let least = |bands: Bands| {
        let found = quasi_universal_vectors(&consumers, &bands).into_iter().next();
        found.ok_or_else(|| "there is no vector".to_string())
    };
    let (tilable, sequential) = (least(Bands::tilable(2))?, least(Bands::sequential(2))?);
    Ok(Vectors { trivial, universal: found.into_iter().next(), tilable, sequential })
}

/// Examples of the paper over a box.
fn examples() -> Result<String, String> {
    let mut text = "## The examples of the paper\n\n\
        One statement in two permutable loops of n and m iterations, with elements of its own for all n m values. Vectors and their cells; \
        in brackets the cells for n = 10 and m = 6. *Trivial*: the sum of all distances. *All schedules*: the shortest vector that is right in every \
        order, by search. *Tiles*: the shortest that is right for tiles of all sizes. *In order*: for lexicographic order only.\n\n\
        | example | distances | trivial | all schedules | tiles | in order |\n|:--|:--|:--|:--|:--|:--|\n"
        .to_string();
    let examples: [(&str, &[[i64; 2]]); 5] = [
        ("Figures 1 and 2", &[[2, 0], [2, 1], [1, 2], [0, 2]]),
        ("section 4.1, first", &[[1, 0], [2, 0]]),
        ("section 4.1, second, skewed by 1", &[[1, 2], [1, 0], [1, 1]]),
        ("Figure 5", &[[1, 0], [0, 1]]),
        ("Figure 6, skewed", &[[1, 1], [0, 1]]),
    ];
    let mut found = Vec::new();
    for (name, distances) in examples {
        found.push((name, distances, vectors(distances)?));
    }
    for (name, distances, vectors) in &found {
        let Vectors { trivial, universal, tilable, sequential } = vectors.clone();
        let list: Vec<String> = distances.iter().map(|d| vector_text(&ints(d))).collect();
        let columns = [Some(trivial), universal, Some(tilable), Some(sequential)];
        let columns =
            columns.map(|vector| vector.map_or(Ok("—".to_string()), |v| with_cells(&v)));
        let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?.join(" | ");
        let _ = writeln!(text, "| {name} | {} | {columns} |", list.join(", "));
    }
    let baselines: Vec<Example<'_>> = found
        .iter()
        .map(|(name, distances, Vectors { universal, tilable, sequential, .. })| Example {
            name,
            distances,
            vectors: [universal.as_deref(), Some(tilable), Some(sequential)],
        })
        .collect();
    Ok(format!("{text}\n{}", table(&baselines)?))
}

/// A vector, its cells on a box, and their number on a small one.
fn with_cells(vector: &[Int]) -> Result<String, String> {
    let Some(allocation) = Allocation::along(vector) else { return Ok(vector_text(vector)) };
    let count = |text: &str| {
        let points = Set::parse(text).map_err(in_words)?;
        let cells = allocation.n_cells(&points, &Budget::unlimited()).map_err(in_words)?;
        Ok::<_, String>(plain(&cells.to_string()))
    };
    let large = count("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m and n >= 20 and m >= 20 }")?;
    let small = count("{ [i, j] : 0 <= i < 10 and 0 <= j < 6 }")?;
    Ok(format!("{}: {large} [{small}]", vector_text(vector)))
}

/// A count without the names of the parameters and conditions: the first piece.
fn plain(count: &str) -> String {
    let inner = count.split_once('{').map_or(count, |(_, rest)| rest);
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner).trim();
    let value =
        |piece: &str| piece.strip_prefix('(')?.split_once(") : ").map(|(v, _)| v.to_string());
    match inner.split_once("; (") {
        None => value(inner).unwrap_or_else(|| inner.trim_matches(['(', ')']).to_string()),
        // The first piece is the one for large sizes, most often.
        Some((first, _)) => {
            value(first).map_or(inner.to_string(), |v| format!("{v}, less for small sizes"))
        }
    }
}

/// Times of the closed form and of the search, for distances that grow.
fn search() -> Result<String, String> {
    let mut text = "## The closed form against search\n\n\
        Distances (k, 0), (k, 1), (1, k), (0, k): microseconds for the vector of tiles by the closed form, by search over all vectors, and for the vector of \
        all schedules by search. One run on one core.\n\n| k | tiles, closed form | tiles, search | all schedules, search |\n|--:|--:|--:|--:|\n"
        .to_string();
    for k in [2, 3, 4, 6] {
        let distances = [[k, 0], [k, 1], [1, k], [0, k]];
        let consumers: Vec<Consumer> = distances.iter().map(|d| Consumer::own(d)).collect();
        let all = AllSchedules { dependences: distances.iter().map(|d| ints(d)).collect() };
        let (tilable, budget) = (Bands::tilable(2), Budget::unlimited());
        let timed = |run: &mut dyn FnMut() -> Result<(), String>| {
            let start = Instant::now();
            run()?;
            Ok::<_, String>(start.elapsed().as_micros())
        };
        let closed = timed(&mut || {
            std::hint::black_box(quasi_universal_vectors(&consumers, &tilable));
            Ok(())
        })?;
        let longest = 4 * u32::try_from(k).unwrap_or(0) + 2;
        let searched = timed(&mut || {
            let found = shortest_vectors(2, &consumers, &tilable, longest, &budget);
            found.map(|_| ()).map_err(in_words)
        })?;
        let universal = timed(&mut || {
            let found = shortest_vectors(2, &consumers, &all, longest, &budget);
            found.map(|_| ()).map_err(in_words)
        })?;
        let _ = writeln!(text, "| {k} | {closed} | {searched} | {universal} |");
    }
    Ok(text)
}

/// Programs in which each value has an element of its own.
const EXPANDED: [(&str, &str, &str); 6] = [
    (
        "Smith-Waterman (Figure 5)",
        "double a[n + 1][m + 1];",
        "for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++) a[i][j] = i + j + (i > 1 ? a[i - 1][j] : 0) + (j > 1 ? a[i][j - 1] : 0);",
    ),
    (
        "Jacobi, one dimension",
        "double a[m + 1][n];",
        "for (int i = 0; i < n; i++) a[0][i] = i; for (int t = 1; t <= m; t++) for (int i = 1; i < n - 1; i++) \
         a[t][i] = a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1];",
    ),
    (
        "Jacobi, two dimensions",
        "double a[m + 1][n][n];",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[0][i][j] = i + j; \
         for (int t = 1; t <= m; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) \
         a[t][i][j] = a[t - 1][i - 1][j] + a[t - 1][i + 1][j] + a[t - 1][i][j - 1] + a[t - 1][i][j + 1];",
    ),
    (
        "Wave, one dimension, two steps back",
        "double a[m + 1][n];",
        "for (int i = 0; i < n; i++) { a[0][i] = i; a[1][i] = i; } for (int t = 2; t <= m; t++) for (int i = 1; i < n - 1; i++) \
         a[t][i] = a[t - 1][i - 1] + a[t - 1][i + 1] - a[t - 2][i];",
    ),
    (
        "Seidel, one dimension",
        "double a[m + 1][n];",
        "for (int i = 0; i < n; i++) a[0][i] = i; for (int t = 1; t <= m; t++) for (int i = 1; i < n - 1; i++) \
         a[t][i] = a[t][i - 1] + a[t - 1][i] + a[t - 1][i + 1];",
    ),
    (
        "Two statements, one behind the other",
        "double a[m + 1][n], b[m + 1][n];",
        "for (int t = 1; t <= m; t++) for (int i = 1; i < n; i++) { a[t][i] = t + i + (t > 1 ? b[t - 1][i] : 0); \
         b[t][i] = a[t][i] + (i > 1 ? a[t][i - 1] : 0); }",
    ),
];

const COLUMNS: &str = "| array | statement | loops | read at | elements | cells in tiles of any size | all schedules | in order, by iterator |\n\
    |:--|:--|:--|:--|:--|:--|:--|:--|\n";

fn stencils() -> Result<String, String> {
    let mut text = format!(
        "## Programs in which each value has an element\n\nBy `loopwright storage`, for the schedule that it finds. *Elements*: those that are accessed. *All \
         schedules*: the shortest vector. *In order*: moduli by the method of Lefebvre and Feautrier for the order of the schedule, without tiles; the number of \
         cells is their product.\n\n| program {COLUMNS}"
    );
    text = text.replacen("|\n|:--", "|\n|:--|:--", 1);
    let folder =
        std::env::temp_dir().join(format!("loopwright-paper-storage-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(in_words)?;
    for (name, declaration, body) in EXPANDED {
        let path = folder.join("program.c");
        let program = format!(
            "void f(int n, int m) {{\n{declaration}\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        std::fs::write(&path, program).map_err(in_words)?;
        text += &rows(name, &path, &CompileOptions::new(), |_| true);
    }
    std::fs::remove_dir_all(&folder).map_err(in_words)?;
    Ok(text)
}

/// The kernels of this repository: arrays and scalars whose values are not used afterwards, or have vectors.
fn kernels() -> Result<String, String> {
    let mut text = format!(
        "## The 30 kernels of PolyBench\n\nArrays of which values have vectors with fewer cells than values: the kernels write most of their arrays in place, so that is \
         what their values would need if each had an element.\n\n| kernel {COLUMNS}"
    );
    text = text.replacen("|\n|:--", "|\n|:--|:--", 1);
    let mut options = CompileOptions::new();
    options.front_end.defines.push("SYMBOLIC".to_string());
    for (name, file) in super::kernel_files()? {
        eprintln!("{name}");
        text += &rows(&name, &file, &options, |values| !values.vectors.is_empty());
    }
    Ok(text)
}

/// The rows of a file, for values that are wanted.
fn rows(
    name: &str,
    file: &Path,
    options: &CompileOptions,
    is_wanted: impl Fn(&ValueStorage) -> bool,
) -> String {
    let regions: Vec<RegionStorage> = match storage_of_file(file, options) {
        Ok(regions) => regions,
        Err(failure) => return format!("| {name} | {failure} | | | | | | | |\n"),
    };
    let arrays = regions.iter().flat_map(|region| &region.arrays);
    let rows = arrays.flat_map(|array| array.values.iter().map(move |values| (array, values)));
    rows.filter(|(_, values)| is_wanted(values))
        .map(|(array, values)| format!("| {name} {}", row(array, values)))
        .collect()
}

fn row(array: &ArrayStorage, values: &ValueStorage) -> String {
    let joined = |vector: &[String]| format!("({})", vector.join(", "));
    let distance = |(distance, is_behind): &(Vec<String>, bool)| {
        format!("{}{}", joined(distance), if *is_behind { " behind" } else { "" })
    };
    let read: Vec<String> = values.consumers.iter().map(distance).collect();
    let cells = match (values.vectors.first(), &values.reason) {
        (Some((vector, cells)), _) => {
            let cells = cells.as_deref().map_or("not counted".to_string(), plain);
            format!("{}: {cells}", joined(vector))
        }
        (None, Some(reason)) => reason.clone(),
        (None, None) => "—".to_string(),
    };
    let moduli = values.successive_moduli.iter();
    let moduli: Vec<String> =
        moduli.map(|modulus| modulus.as_deref().map_or("?".to_string(), value_of)).collect();
    format!(
        "| {} | {} | {} | {} | {} | {cells} | {} | {} |\n",
        array.name,
        values.statement,
        if values.loops.is_empty() { "—" } else { &values.loops },
        if read.is_empty() { "—".to_string() } else { read.join(", ") },
        array.n_elements.as_deref().map_or("not counted".to_string(), plain),
        values.universal.as_ref().map_or("—".to_string(), |vector| joined(vector)),
        if moduli.is_empty() { "—".to_string() } else { moduli.join("; ") },
    )
}

/// `[n] -> { [(2)] : n >= 2 }` as `2`; several pieces are separated by `or`.
fn value_of(modulus: &str) -> String {
    let inner = modulus.split_once('{').map_or(modulus, |(_, rest)| rest);
    let pieces = inner.split("; [(").map(|piece| {
        let value = piece.split_once(")]").map_or(piece, |(value, _)| value);
        value.trim().trim_start_matches(['[', '(']).to_string()
    });
    pieces.collect::<Vec<_>>().join(" or ")
}
