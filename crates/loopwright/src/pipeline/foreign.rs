//! Regions in the formats of other tools: compiling them, and writing our own.
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::{Compiled, Source, compile_regions};
use crate::pipeline::outcome::{Clock, Stage};
use crate::pipeline::run::{Run, stage_budget_by};
use crate::settings::options::CompileOptions;
use loopwright_cfront::Region;
use loopwright_interchange::{Foreign, Format, Place, read};
use loopwright_scop::{BodyPiece, Scop};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Compiles the regions of a file in a format of other tools.
///
/// The result is the code of the regions; with `into`, the path and text of a C file, it is that file
/// with the regions between its pragmas replaced. Regions are at their word: what the file says about
/// accesses and order is what the proofs are about.
///
/// # Errors
/// Those of [`loopwright_interchange::read`]; if `into` has another number of regions, and none of
/// them is where the file says that its only region is; those of [`crate::compile_file`].
pub fn compile_foreign(
    path: &Path,
    text: &str,
    format: Format,
    into: Option<(&Path, &str)>,
    options: &CompileOptions,
) -> Result<Compiled, Failure> {
    let clock = Clock::default();
    let run = Run::new(options, &clock);
    let name = path.display().to_string();
    let found = run
        .time(Stage::Extract, || read(format, text, &stage_budget_by(options)))
        .map_err(|error| Failure::in_stage(&format!("reading {name}"), &error))?;
    let file = into.map(|(path, _)| path.display().to_string());
    let original = into.map_or("", |(_, text)| text);
    let places = match into {
        Some((path, text)) => places(path, text, &found)?,
        None => vec![(0..0, (0, 0)); found.len()],
    };
    let regions: Vec<Region> = found
        .into_iter()
        .zip(places)
        .map(|(found, place)| region(found, place, original))
        .collect();
    let source = Source {
        file: file.unwrap_or(name),
        original,
        regions,
        refused: Vec::new(),
        specialised: Vec::new(),
        preprocessed: None,
        markers: None,
    };
    compile_regions(source, run)
}

/// Compiles a model, which may be built in code (see [`ModelBuilder`](crate::ModelBuilder)): the result's
/// code is that of the region. `function` is its name in the report.
///
/// # Errors
/// [`Scop::check`]'s, and those of [`crate::compile_file`].
pub fn compile_model(
    function: &str,
    scop: Scop,
    options: &CompileOptions,
) -> Result<Compiled, Failure> {
    let scop = scop.checked().map_err(|error| Failure::in_stage("the model", &error))?;
    let name = function.to_string();
    let found = Foreign { scop, name, place: Place::default(), remarks: Vec::new() };
    let source = Source {
        file: function.to_string(),
        original: "",
        regions: vec![region(found, (0..0, (0, 0)), "")],
        refused: Vec::new(),
        specialised: Vec::new(),
        preprocessed: None,
        markers: None,
    };
    compile_regions(source, Run::new(options, &Clock::default()))
}

/// The bytes and lines of a region.
type RegionPlace = (Range<usize>, (u32, u32));

/// Where the regions belong in a C file.
fn places(path: &Path, text: &str, found: &[Foreign]) -> Result<Vec<RegionPlace>, Failure> {
    let pragmas = pragma_places(text);
    if pragmas.len() == found.len() {
        return Ok(pragmas);
    }
    if let [single] = found {
        let (first, last) = single.place.lines;
        let is_there = |(_, lines): &&RegionPlace| lines.0 <= first && last <= lines.1;
        if let Some(place) = pragmas.iter().find(is_there) {
            return Ok(vec![place.clone()]);
        }
    }
    Err(Failure::refused(format!(
        "{} has {} regions between `#pragma scop` and `#pragma endscop`, the model has {}",
        path.display(),
        pragmas.len(),
        found.len()
    )))
}

/// The regions between pragmas, their lines included.
fn pragma_places(text: &str) -> Vec<RegionPlace> {
    let mut places = Vec::new();
    let (mut start, mut position) = (None, 0);
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["#pragma", "scop"] | ["#", "pragma", "scop"] => start = Some((position, number)),
            ["#pragma", "endscop"] | ["#", "pragma", "endscop"] => {
                if let Some((from, first)) = start.take() {
                    places.push((from..position + line.len(), (first, number)));
                }
            }
            _ => {}
        }
        position += line.len();
    }
    places
}

fn region(found: Foreign, (bytes, lines): RegionPlace, original: &str) -> Region {
    let mut used_names = words(original);
    used_names.extend(names_of(&found.scop));
    let lines = if lines == (0, 0) { found.place.lines } else { lines };
    Region {
        statement_bytes: bytes.clone(),
        bytes,
        first_line: lines.0,
        last_line: lines.1,
        indentation: found.place.indentation,
        in_block: true,
        function: found.name,
        before_function: None,
        scop: found.scop,
        updates: Vec::new(),
        independent: Vec::new(),
        in_any_order: Vec::new(),
        conditions: Vec::new(),
        known_values: Vec::new(),
        used_after: Vec::new(),
        outer_iterators: Vec::new(),
        loops_around: 0,
        used_names: Arc::new(used_names),
        remarks: found.remarks,
        filters: Vec::new(),
        places: Vec::new(),
        value_bounds: Vec::new(),
        control: None,
        shapes: Vec::new(),
        finer: None,
        words: Default::default(),
    }
}

/// The words of a text: those of C and others, all of which generated names avoid.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    words.filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// The names in a model.
fn names_of(scop: &Scop) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    names.extend(scop.parameters.iter().map(|parameter| parameter.name.to_string()));
    for array in &scop.arrays {
        names.extend([array.name.to_string(), array.tuple_name.to_string()]);
        names.extend(words(&array.element_type));
        names.extend(array.extent_texts.iter().flat_map(|text| words(text)));
    }
    for statement in &scop.statements {
        for piece in statement.body.pieces() {
            match piece {
                BodyPiece::Text(text) => names.extend(words(&text)),
                BodyPiece::Element(element) => {
                    let (before, after) = element.base.parts();
                    names.extend(words(before));
                    names.extend(after.iter().flat_map(|text| words(text)));
                }
                BodyPiece::Affine(_) | BodyPiece::Hidden(_) => {}
            }
        }
    }
    names
}
