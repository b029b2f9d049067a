//! A C file: its text, its regions, and putting generated text back in place.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::model::run_time::RunTimeCondition;
use crate::regions::detection::Detection;
use crate::regions::fragments::Fragments;
use crate::text::file_bytes::text_of;
use crate::text::layout::Layout;
use crate::text::preprocess::{CleanText, plain, preprocess};
use crate::walk::loops::loop_pragmas::IndependentLoop;
use loopwright_scop::{Scop, StatementId};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler command: a path, or words as a shell takes them; `$CC` or `cc`.
    pub cc: String,
    /// Whether the result is compiled with OpenMP, which programs see in `_OPENMP`.
    pub openmp: bool,
    /// Folders for `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE` for `-D`.
    pub defines: Vec<String>,
    /// Whether variables that may be the same memory are taken to be different; each such pair is an
    /// assumption of the region.
    pub assume_no_alias: bool,
    /// Whether regions are also found where there are no pragmas.
    pub autodetect: bool,
    /// Whether regions without loops are found in a file in which no region is found otherwise.
    pub without_loops: bool,
}

impl Default for Options {
    fn default() -> Self {
        let cc = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
        Options {
            cc: cc.unwrap_or_else(|| "cc".to_string()),
            openmp: true,
            include_dirs: Vec::new(),
            defines: Vec::new(),
            assume_no_alias: false,
            autodetect: false,
            without_loops: false,
        }
    }
}

/// A file after preprocessing.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub(crate) path: PathBuf,
    pub(crate) original: String,
    pub(crate) clean: CleanText,
    pub(crate) options: Options,
    /// Its regions that stand in no function.
    pub(crate) fragments: Option<Fragments>,
    /// The lines of the original text, once they are needed.
    layout: OnceLock<Layout>,
}

/// An iterator of the region that is declared before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OuterIterator {
    /// Its name.
    pub name: String,
    /// Its type, as text.
    pub c_type: String,
}

/// A region of a file in polyhedral form.
#[derive(Clone, Debug)]
pub struct Region {
    /// The bytes of the original file from the start of the line of `#pragma scop` to the end of
    /// the line of `#pragma endscop`, its line break included. Of a region that was found without
    /// pragmas, all lines of its statements.
    pub bytes: Range<usize>,
    /// The bytes of the lines between the pragmas; all of `bytes` of a region that was found without pragmas.
    pub statement_bytes: Range<usize>,
    /// The line of `#pragma scop` in the original file (1-based), or that of the first statement.
    pub first_line: u32,
    /// The line of `#pragma endscop`, or the last one of the last statement.
    pub last_line: u32,
    /// The white space before the first statement of the region (of the pragma if there is none).
    pub indentation: String,
    /// Whether declarations and more than one statement may stand in place of the region.
    pub in_block: bool,
    /// The function that contains the region.
    pub function: String,
    /// The region.
    pub scop: Scop,
    /// The statements that only assign to variables whose values are known everywhere else: instances
    /// that nobody reads can be left out.
    pub updates: Vec<StatementId>,
    /// The loops whose iterations the program declares to be independent.
    pub independent: Vec<IndependentLoop>,
    /// What has to hold for the model to be right, beyond what is known of the symbolic constants in its context:
    /// the result checks it before it runs what was made of the model.
    pub conditions: Vec<RunTimeCondition>,
    /// The iterators that are declared before the region; their final values are not used.
    pub outer_iterators: Vec<OuterIterator>,
    /// Every identifier of the preprocessed file outside system headers: names that generated
    /// variables and helpers must avoid.
    pub used_names: Arc<BTreeSet<String>>,
    /// Annotations that could not be used, one sentence each.
    pub remarks: Vec<String>,
}

/// A region between pragmas that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRegion {
    /// The line of `#pragma scop` in the file (1-based).
    pub first_line: u32,
    /// The line of `#pragma endscop`.
    pub last_line: u32,
    /// All reasons.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and preprocesses a file.
///
/// # Errors
/// Diagnostics if the file cannot be read or the preprocessor fails.
pub fn read_file(path: &Path, options: &Options) -> Result<SourceFile, Vec<Diagnostic>> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let message = format!("cannot read {}: {error}", path.display());
        vec![Diagnostic::new(Code::Unreadable, message)]
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let unclear = "it has characters of a private plane, which stand for bytes here";
    let original = text_of(&bytes).ok_or_else(|| unreadable(&unclear))?;
    let clean = preprocess(path, &original, options).map_err(|diagnostic| vec![*diagnostic])?;
    let (path, options) = (path.to_path_buf(), options.clone());
    Ok(SourceFile::new(path, original, clean, options))
}

impl SourceFile {
    /// A file that needs no preprocessor, from its text.
    ///
    /// ```
    /// let text = "void f(int n, double A[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    A[i] = 2 * A[i];\n#pragma endscop\n}\n";
    /// let file = loopwright_cfront::SourceFile::from_text("f.c", text);
    /// let regions = file.extract().unwrap();
    /// assert_eq!(regions[0].scop.statements.len(), 1);
    /// ```
    pub fn from_text(path: impl Into<PathBuf>, text: &str) -> Self {
        let path = path.into();
        let clean = plain(&path, text);
        let (original, options) = (text.to_string(), Options::default());
        SourceFile::new(path, original, clean, options)
    }

    fn new(path: PathBuf, original: String, clean: CleanText, options: Options) -> Self {
        let (clean, fragments) = match Fragments::enclosed(&clean) {
            Some((enclosed, fragments)) => (enclosed, Some(fragments)),
            None => (clean, None),
        };
        SourceFile { path, original, clean, options, fragments, layout: OnceLock::new() }
    }

    /// The same file, where regions are also found without pragmas.
    ///
    /// ```
    /// let text = "void f(int n, double A[n]) {\n  for (int i = 0; i < n; i++)\n    A[i] = 2 * A[i];\n}\n";
    /// let file = loopwright_cfront::SourceFile::from_text("f.c", text).autodetecting();
    /// let regions = file.extract().unwrap();
    /// assert_eq!((regions[0].first_line, regions[0].last_line), (2, 3));
    /// ```
    pub fn autodetecting(mut self) -> Self {
        self.options.autodetect = true;
        self
    }

    /// The same file, where regions without loops are found without pragmas if no other region is.
    ///
    /// ```
    /// let text = "void f(double A[9]) {\n  A[1] = 2 * A[0];\n}\n";
    /// let file = loopwright_cfront::SourceFile::from_text("f.c", text);
    /// assert!(file.clone().autodetecting().extract().is_err());
    /// assert_eq!(file.finding_all_code().extract().unwrap().len(), 1);
    /// ```
    pub fn finding_all_code(mut self) -> Self {
        self.options.without_loops = true;
        self.autodetecting()
    }

    /// The same file, where variables that may be the same memory are taken to be different.
    ///
    /// ```
    /// use loopwright_cfront::SourceFile;
    /// let text = "void f(int n, double *a, double *b) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = b[i];\n#pragma endscop\n}\n";
    /// let checked = SourceFile::from_text("f.c", text).extract().unwrap();
    /// assert_eq!(checked[0].conditions.len(), 1);
    /// let regions = SourceFile::from_text("f.c", text).assuming_no_alias().extract().unwrap();
    /// assert_eq!(regions[0].scop.assumptions, ["the memory behind `a`, `b` does not overlap other arrays"]);
    /// ```
    pub fn assuming_no_alias(mut self) -> Self {
        self.options.assume_no_alias = true;
        self
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's own text.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The lines of the file's own text.
    pub(crate) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::of_file(&self.original, &self.clean))
    }

    /// Parses the file and extracts all its regions: those between pragmas and, with
    /// [`Options::autodetect`], the largest ones elsewhere.
    ///
    /// # Errors
    /// One or more diagnostics if a region between pragmas is refused or there is none. Statements
    /// without pragmas that cannot be part of a region are left alone.
    pub fn extract(&self) -> Result<Vec<Region>, Vec<Diagnostic>> {
        let (regions, refused): (Vec<_>, Vec<_>) =
            self.extract_each()?.into_iter().partition(Result::is_ok);
        match refused.is_empty() {
            true => Ok(regions.into_iter().flatten().collect()),
            false => Err(refused
                .into_iter()
                .filter_map(Result::err)
                .flat_map(|r| r.diagnostics)
                .collect()),
        }
    }

    /// The same regions one by one, in the order of the file: a refused one is no obstacle to the others.
    ///
    /// ```
    /// let text = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n#pragma endscop\n\
    ///             #pragma scop\n  a[unknown] = 2;\n#pragma endscop\n}\n";
    /// let regions = loopwright_cfront::SourceFile::from_text("f.c", text).extract_each().unwrap();
    /// assert_eq!(regions[0].as_ref().unwrap().first_line, 2);
    /// assert_eq!(regions[1].as_ref().unwrap_err().first_line, 6);
    /// ```
    ///
    /// # Errors
    /// Diagnostics if the file cannot be parsed, if pragmas do not match, or if there is no region.
    pub fn extract_each(&self) -> Result<Vec<Result<Region, RefusedRegion>>, Vec<Diagnostic>> {
        if self.options.autodetect {
            return self.detect()?.into_each();
        }
        let mut found =
            crate::regions::extraction::extract(self).map_err(|found| self.as_written(found))?;
        for refused in found.iter_mut().filter_map(|region| region.as_mut().err()) {
            refused.diagnostics = self.as_written(std::mem::take(&mut refused.diagnostics));
        }
        Ok(found)
    }

    /// Finds the regions of the file, with and without pragmas, and what became of every loop.
    ///
    /// # Errors
    /// Diagnostics if the file cannot be parsed, if pragmas do not match or if a region between
    /// pragmas is refused.
    pub fn detect(&self) -> Result<Detection, Vec<Diagnostic>> {
        match crate::regions::autodetect::detect(self) {
            Ok(detection) => Ok(self.detection_as_written(detection)),
            Err(found) => Err(self.as_written(found)),
        }
    }
}

impl Region {
    /// Generated code as it can stand in place of the region in the text of its file.
    ///
    /// Where the region is the only statement under a loop or a condition, or follows a label, the
    /// code gets braces. Where something has to be checked first, the code runs if it holds, and otherwise the
    /// statements of the region as they are written.
    pub fn in_place(&self, code: &str, original: &str) -> String {
        self.in_place_where(&self.condition_texts(), code, original)
    }

    /// What has to be checked in front of the region, as operands of `&&`.
    pub fn condition_texts(&self) -> Vec<String> {
        self.conditions.iter().filter_map(|condition| condition.fact.text()).collect()
    }

    /// As [`Region::in_place`], with these conditions to be checked.
    ///
    /// ```
    /// let text = "void f(int n, double *a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n#pragma endscop\n}\n";
    /// let regions = loopwright_cfront::SourceFile::from_text("f.c", text).extract().unwrap();
    /// let placed = regions[0].in_place_where(&["n > 9".to_string()], "  g();\n", text);
    /// let own = "  for (int i = 0; i < n; i++)\n    a[i] = 1;\n";
    /// assert_eq!(placed, format!("  if (n > 9) {{\n    g();\n  }} else {{\n{own}  }}\n"));
    /// ```
    pub fn in_place_where(&self, conditions: &[String], code: &str, original: &str) -> String {
        let indentation = &self.indentation;
        let code = match conditions.is_empty() {
            true => code.to_string(),
            false => {
                let condition = conditions.join(&format!("\n{indentation}    && "));
                let own = original.get(self.statement_bytes.clone()).unwrap_or("");
                let end = if own.ends_with('\n') { "" } else { "\n" };
                let code = indented(code);
                format!(
                    "{indentation}if ({condition}) {{\n{code}{indentation}}} else {{\n\
                     {own}{end}{indentation}}}\n"
                )
            }
        };
        match self.in_block {
            true => code,
            // The statements of the region stay as they are.
            false if !conditions.is_empty() => {
                format!("{indentation}{{\n{code}{indentation}}}\n")
            }
            false => format!("{indentation}{{\n{}{indentation}}}\n", indented(&code)),
        }
    }
}

/// Lines, each two columns further to the right.
fn indented(lines: &str) -> String {
    let indented =
        |line: &str| if line.trim().is_empty() { line.into() } else { format!("  {line}") };
    lines.split_inclusive('\n').map(indented).collect()
}

/// The original text with some regions' bytes replaced; every other byte stays.
///
/// `replacements` are disjoint byte ranges (as in [`Region::bytes`]) with their new text, in any
/// order. The lines of a replacement end as that which it begins with, in LF or CR LF;
/// a range that is out of bounds or overlaps an earlier one is left as it was.
pub fn replace_regions(original: &str, replacements: &[(Range<usize>, String)]) -> String {
    let mut sorted: Vec<_> = replacements.iter().collect();
    sorted.sort_by_key(|(range, _)| range.start);
    let mut text = String::with_capacity(original.len());
    let mut position = 0;
    for (range, replacement) in sorted {
        let Some(before) = original.get(position..range.start) else { continue };
        if original.get(range.clone()).is_none() {
            continue;
        }
        text.push_str(before);
        match has_carriage_returns(original, range.clone()) {
            true => text.push_str(&replacement.replace("\r\n", "\n").replace('\n', "\r\n")),
            false => text.push_str(replacement),
        }
        position = range.end;
    }
    text.push_str(&original[position..]);
    text
}

/// Whether the lines of a range, or that behind an empty one, end in CR LF.
fn has_carriage_returns(original: &str, range: Range<usize>) -> bool {
    let end = if range.is_empty() { original.len() } else { range.end };
    let line = original.get(range.start..end).and_then(|text| text.split_inclusive('\n').next());
    line.is_some_and(|line| line.ends_with("\r\n"))
}
