//! A file with multifor statements of perfect nests in place of its regions (`--emit multifor`).
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::Compiled;
use crate::pipeline::outcome::Clock;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{Options, SourceFile, read_file, read_text};
use loopwright_multifor::{LowerSettings, perfect_nests};
use std::path::Path;

/// The file at `path` with a multifor statement of perfect nests in place of each region; [`Compiled::code`]
/// is the text. The order of the regions is kept, by the smallest offsets for which it is.
///
/// # Errors
/// Diagnostics of the front end; regions that are no such statement, with the reason.
pub fn multifor_of_file(path: &Path, options: &CompileOptions) -> Result<Compiled, Failure> {
    let source = read_file(path, &options.reading());
    multifor_of(&source.map_err(|all| Failure::from_diagnostics(&all))?, options)
}

/// The same for a text in place of the file at `path`.
///
/// ```
/// use loopwright::{CompileOptions, multifor_of_text};
/// let text = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * b[i];\n#pragma endscop\n}\n";
/// let compiled = multifor_of_text("f.c".as_ref(), text, &CompileOptions::new())?;
/// assert!(compiled.code.contains("  multifor (int i0 = 0; i0 < n; i0++; 1; 0) {\n    0: a[i0] = 2 * b[i0];\n  }\n"));
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// # Errors
/// As [`multifor_of_file`].
pub fn multifor_of_text(
    path: &Path,
    text: &str,
    options: &CompileOptions,
) -> Result<Compiled, Failure> {
    let source = read_text(path, text, &options.reading());
    multifor_of(&source.map_err(|all| Failure::from_diagnostics(&all))?, options)
}

fn multifor_of(source: &SourceFile, options: &CompileOptions) -> Result<Compiled, Failure> {
    let of_diagnostics = |all: Vec<_>| Failure::from_diagnostics(&all);
    let clock = Clock::default();
    let regions = source.extract().map_err(of_diagnostics)?;
    let reading = Options { autodetect: false, ..options.reading() };
    let settings = LowerSettings { reading, ..LowerSettings::default() };
    let nests = perfect_nests(source.path(), source.original(), &regions, &settings)
        .map_err(of_diagnostics)?;
    let note = |(region, statement): (
        &loopwright_cfront::Region,
        &loopwright_multifor::LoweredStatement,
    )| {
        let lines = format!("lines {}-{}", region.first_line, region.last_line);
        format!("{lines} as a multifor statement: {}", statement.notes.join("; "))
    };
    let notes = regions.iter().zip(&nests.statements).map(note).collect();
    Ok(Compiled::of_text(source.path(), nests.text, notes, &clock))
}
