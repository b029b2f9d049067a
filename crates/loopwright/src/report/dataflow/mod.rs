//! Where the values of a program come from, whatever its control depends on (`docs/dataflow.md`).
mod dataflow_of_region;
mod text;

use crate::diagnostics::failure::Failure;
use crate::pipeline::context::assume_context;
use crate::settings::options::CompileOptions;
use dataflow_of_region::of_region;
pub(crate) use dataflow_of_region::sources;
use loopwright_cfront::{Region, SourceFile, read_file};
use std::path::Path;
pub(crate) use text::read_json;

/// The sources of all reads of a region.
#[derive(Clone, Debug)]
pub struct RegionDataflow {
    /// The function around it.
    pub function: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    /// The reads of each reference.
    pub reads: Vec<ReadSources>,
    /// The number of parameters of all reads together.
    pub n_parameters: usize,
    /// The number of basic relations of all disjuncts.
    pub n_disjuncts: usize,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
    /// What was not done, and why.
    pub notes: Vec<String>,
}

/// The sources of the reads of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSources {
    /// The statement.
    pub statement: String,
    /// Its line.
    pub line: u32,
    /// The variable that is read.
    pub variable: String,
    /// The reads, as a set.
    pub reads: String,
    /// Where their values come from.
    pub sources: Vec<SourceOfReads>,
    /// What the parameters in these relations mean; none with `--projected`.
    pub parameters: Vec<ParameterMeaning>,
}

/// One origin of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOfReads {
    /// The statement that writes, and its line; none for values from before the region.
    pub statement: Option<(String, u32)>,
    /// Whether that is where the life of the variable begins, so that it has no value.
    pub is_undefined: bool,
    /// From reads to writes, or the reads of values from before the region.
    pub relation: String,
}

/// The parameters of one source of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterMeaning {
    /// The statement that writes, and its line.
    pub statement: (String, u32),
    /// The parameter that says whether a candidate has run, and its value if one has.
    pub ran: (String, bool),
    /// The parameters that are coordinates of the last candidate that has run, with the names of the
    /// coordinates.
    pub last: Vec<(String, String)>,
    /// The candidates, from reads to writes.
    pub candidates: String,
}

/// The sources of all reads in the regions of a file.
///
/// The regions are neither compiled nor changed. With `projected` the relations have no parameters: they are
/// the pairs of writes and reads between which there may be flow.
///
/// ```
/// use loopwright::{CompileOptions, dataflow_of_file};
/// # let folder = std::env::temp_dir().join(format!("loopwright-dataflow-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("f.c");
/// std::fs::write(&path, "int f(int n, int *c) { int x;\n#pragma scop\n  x = 0;\n  for (int i = 0; i < n; i++)\n    if (c[i])\n      x = i;\n  c[0] = x;\n#pragma endscop\n  return x;\n}\n").unwrap();
/// let regions = dataflow_of_file(&path, &CompileOptions::new(), false).unwrap();
/// assert_eq!(regions[0].n_parameters, 2, "whether the assignment has run, and in which iteration last");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
///
/// # Errors
/// Those of the front end, and limits that are reached.
pub fn dataflow_of_file(
    path: &Path,
    options: &CompileOptions,
    projected: bool,
) -> Result<Vec<RegionDataflow>, Failure> {
    let refused = |found: Vec<_>| Failure::from_diagnostics(&found);
    let source = read_file(path, &options.reading()).map_err(refused)?;
    let mut models = models(&source).map_err(refused)?;
    for (regions, _) in &mut models {
        assume_context(regions, options)?;
    }
    let of_one = |(regions, note): (Vec<Region>, Option<String>)| {
        of_region(&regions, note, projected, options)
            .map_err(|error| Failure::in_stage("dataflow analysis", &error))
    };
    models.into_iter().map(of_one).collect()
}

/// The models of a region, the finest one first; and why there is no finer one.
type Models = (Vec<Region>, Option<String>);

/// The models of the regions of a file: with filters, and as statements under conditions.
fn models(source: &SourceFile) -> Result<Vec<Models>, Vec<loopwright_cfront::Diagnostic>> {
    let finer = source.clone().with_filters().extract_each()?;
    let coarser = source.extract_each()?;
    let mut models = Vec::with_capacity(finer.len());
    for finer in finer {
        let is_same = |first_line: u32| move |region: &&Region| region.first_line == first_line;
        let known = |first_line| coarser.iter().flatten().find(is_same(first_line)).cloned();
        models.push(match finer {
            Ok(region) => {
                let fallback = known(region.first_line);
                ([Some(region), fallback].into_iter().flatten().collect(), None)
            }
            Err(refused) => {
                let Some(region) = known(refused.first_line) else {
                    return Err(refused.diagnostics);
                };
                let why = refused.diagnostics.first().map(|why| {
                    let line = why.place.as_ref().map_or(refused.first_line, |place| place.line);
                    format!(
                        "conditions on data are parts of statements: line {line}: {}",
                        why.message
                    )
                });
                (vec![region], why)
            }
        });
    }
    Ok(models)
}
