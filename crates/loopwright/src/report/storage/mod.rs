//! Which values of a program can share a cell (`docs/storage.md`).
mod storage_of_region;
mod text;

use crate::diagnostics::failure::Failure;
use crate::report::each_region::each_region;
use crate::settings::options::CompileOptions;
use std::path::Path;
use storage_of_region::of_region;

/// What there is to say about a region.
#[derive(Clone, Debug)]
pub struct RegionStorage {
    /// The function around it.
    pub function: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    /// The arrays and scalars that it writes.
    pub arrays: Vec<ArrayStorage>,
    /// What was not done, and why.
    pub notes: Vec<String>,
}

/// What there is to say about an array.
#[derive(Clone, Debug)]
pub struct ArrayStorage {
    /// Its name.
    pub name: String,
    /// The number of its elements that are accessed, as a function of the symbolic constants; none if that
    /// reached a limit.
    pub n_elements: Option<String>,
    /// Why its elements cannot share cells in the compiled program, if they cannot.
    pub kept_because: Option<String>,
    /// Dimensions in which a modulus is proposed, with it.
    pub moduli: Vec<(usize, String)>,
    /// The values of each statement that writes it.
    pub values: Vec<ValueStorage>,
}

/// The values that a statement writes into an array.
#[derive(Clone, Debug)]
pub struct ValueStorage {
    /// The statement.
    pub statement: String,
    /// Its line.
    pub line: u32,
    /// How the loops around it run: `tilable(2)`, `sequential(1) tilable(2)`.
    pub loops: String,
    /// The number of values.
    pub n_values: String,
    /// The distances at which they are read, and whether the reader comes later in the body of the loops.
    pub consumers: Vec<(Vec<String>, bool)>,
    /// Why there are no vectors, if that is not for the distances alone.
    pub reason: Option<String>,
    /// Occupancy vectors, shortest first, each with its number of cells; none where that reached a limit.
    pub vectors: Vec<(Vec<String>, Option<String>)>,
    /// The shortest vector for all schedules, where the uses of one statement have distances.
    pub universal: Option<Vec<String>>,
    /// Moduli for the iterators of the statement by the method of Lefebvre and Feautrier, for the order of
    /// the schedule; none where not bounded, or a limit was reached.
    pub successive_moduli: Vec<Option<String>>,
}

/// Looks at the regions of a file.
///
/// The regions are neither compiled nor changed: their dependences are found, a schedule is looked for, and
/// the distances of flow along its loops.
///
/// ```
/// use loopwright::{CompileOptions, storage_of_file};
/// # let folder = std::env::temp_dir().join(format!("loopwright-storage-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("f.c");
/// std::fs::write(&path, "double f(int n) { double a[n][n];\n#pragma scop\n  for (int i = 1; i < n; i++)\n    for (int j = 1; j < n; j++)\n      a[i][j] = a[i - 1][j] + a[i][j - 1];\n#pragma endscop\n  return 0;\n}\n").unwrap();
/// let regions = storage_of_file(&path, &CompileOptions::new()).unwrap();
/// assert_eq!(regions[0].arrays[0].values[0].vectors[0].0, ["1", "1"], "a diagonal");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
///
/// # Errors
/// Those of the front end and of the dependence analysis; limits are notes of the regions.
pub fn storage_of_file(
    path: &Path,
    options: &CompileOptions,
) -> Result<Vec<RegionStorage>, Failure> {
    each_region(path, options, "storage", |analysed| of_region(analysed, options))
}
