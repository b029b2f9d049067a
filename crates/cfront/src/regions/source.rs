//! A C file: its text, its regions, and putting generated text back in place.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::inlining::statement_expressions::without_statement_expressions;
use crate::regions::fragments::Fragments;
use crate::regions::known_values::KnownValues;
use crate::text::bounded::read_bytes;
use crate::text::file_bytes::text_of;
use crate::text::layout::Layout;
use crate::text::options::Options;
use crate::text::other_languages::not_c;
use crate::text::preprocess::{CleanText, LineOrigin, plain, preprocess, preprocess_edited};
use crate::text::preprocessed::Preprocessed;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A file after preprocessing.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub(crate) path: PathBuf,
    pub(crate) original: String,
    pub(crate) clean: CleanText,
    pub(crate) options: Options,
    /// The values that integers are taken to have where regions begin.
    pub(crate) known: Arc<KnownValues>,
    /// The preprocessed text as it was before bodies took the place of calls in `clean`, line by line.
    pub(crate) as_read: Option<Arc<CleanText>>,
    /// Whether the original text is one that has been preprocessed: no definition can change it any more.
    pub(crate) is_preprocessed: bool,
    /// Its regions that stand in no function.
    pub(crate) fragments: Option<Fragments>,
    /// The lines of the original text, once they are needed.
    layout: OnceLock<Layout>,
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
    let bytes = read_bytes(path).map_err(|error| unreadable(&error))?;
    if let Some(what) = not_c(path, &bytes) {
        let message = format!("{} is not C: it is {what}", path.display());
        return Err(vec![Diagnostic::new(Code::Unreadable, message)]);
    }
    let unclear = "it has characters of a private plane, which stand for bytes here";
    let original = text_of(&bytes).ok_or_else(|| unreadable(&unclear))?;
    let clean = preprocess(path, &original, options).map_err(|diagnostic| vec![*diagnostic])?;
    let (path, options) = (path.to_path_buf(), options.clone());
    Ok(SourceFile::new(path, original, clean, options))
}

/// Preprocesses a text in place of the file at `path`, which need not exist.
///
/// # Errors
/// A diagnostic if the preprocessor fails.
pub fn read_text(
    path: &Path,
    text: &str,
    options: &Options,
) -> Result<SourceFile, Vec<Diagnostic>> {
    let clean = preprocess_edited(path, text, options).map_err(|diagnostic| vec![*diagnostic])?;
    Ok(SourceFile::new(path.to_path_buf(), text.to_string(), clean, options.clone()))
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
        let (is_preprocessed, known) = (false, Arc::default());
        let plain = without_statement_expressions(&clean);
        let is_changed = plain.is_some() || !options.pure_functions.is_empty();
        let as_read = is_changed.then(|| Arc::new(clean.clone()));
        let clean = with_pure_functions(plain.unwrap_or(clean), &options.pure_functions);
        let layout = OnceLock::new();
        SourceFile {
            path,
            original,
            clean,
            options,
            known,
            as_read,
            is_preprocessed,
            fragments,
            layout,
        }
    }

    /// The same file with another text, in which bodies have taken the place of calls.
    pub(crate) fn with_bodies(&self, clean: CleanText) -> Self {
        let as_read = Some(Arc::new(self.clean_as_read().clone()));
        SourceFile { clean, as_read, ..self.clone() }
    }

    /// The preprocessed text, with all calls.
    pub(crate) fn clean_as_read(&self) -> &CleanText {
        self.as_read.as_deref().unwrap_or(&self.clean)
    }

    /// Preprocessed text as a file, in which regions are looked for everywhere but in the headers of the
    /// system. Its lines are those of [`Preprocessed::text`].
    ///
    /// ```
    /// use loopwright_cfront::{Options, Preprocessed, SourceFile};
    /// let output = "# 1 \"f.c\"\n# 1 \"g.inc\" 1\nvoid g(double *a) { for (int i = 0; i < 9; i++) a[i] = 1; }\n# 2 \"f.c\" 2\n";
    /// let text = Preprocessed::read(output, false);
    /// let file = SourceFile::of_preprocessed(&text, &Options::default()).autodetecting();
    /// let regions = file.extract().unwrap();
    /// assert_eq!(text.origin(regions[0].first_line), Some(("g.inc".as_ref(), 1)));
    /// ```
    pub fn of_preprocessed(text: &Preprocessed, options: &Options) -> Self {
        let (path, original) = (text.file().to_path_buf(), text.text().to_string());
        let file = SourceFile::new(path, original, text.own_lines(), options.clone());
        SourceFile { is_preprocessed: true, ..file }
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

    /// The same file, where integers are taken to have these values when regions begin. Those that a region
    /// relies on are its [`known values`](crate::Region::known_values), which the result checks.
    ///
    /// ```
    /// use loopwright_cfront::{KnownValues, LineValues, SourceFile};
    /// let text = "void f(int n, double *a) {\n  for (int i = 0; i < 900; i += n)\n    a[i] = 1;\n}\n";
    /// let file = SourceFile::from_text("f.c", text).autodetecting();
    /// assert!(file.extract().is_err());
    /// let values = [("n".to_string(), 30)].into_iter().collect();
    /// let known = LineValues { lines: 1..=9, values, in_subscripts: true };
    /// let regions = file.knowing(KnownValues::InLines(vec![known])).extract().unwrap();
    /// assert_eq!(regions[0].condition_texts(), ["n == 30"]);
    /// ```
    pub fn knowing(mut self, values: KnownValues) -> Self {
        self.known = Arc::new(values);
        self
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

    /// The same file, where conditions on data are kept apart from the statements under them.
    ///
    /// ```
    /// let text = "void f(int n, int c[n], double *A) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    if (c[i] > 0)\n      A[i] = 1;\n#pragma endscop\n}\n";
    /// let file = loopwright_cfront::SourceFile::from_text("f.c", text).with_filters();
    /// let filtered = file.extract().unwrap()[0].filtered_scop();
    /// assert_eq!(filtered.evaluations().len(), 1);
    /// ```
    pub fn with_filters(mut self) -> Self {
        self.options.filters = true;
        self
    }

    /// The same file, where variables are read whatever is known of their values: with filters, for programs
    /// that are made of the text of the statements.
    pub fn without_followed_values(mut self) -> Self {
        self.options.follows_values = false;
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

    /// The lines of the preprocessed text without the headers of the system, each with its line in the user's
    /// file (1-based); lines of included files have none.
    ///
    /// ```
    /// let file = loopwright_cfront::SourceFile::from_text("f.c", "int n; // size\nvoid f(void);\n");
    /// let lines: Vec<(&str, Option<u32>)> = file.preprocessed_lines().collect();
    /// assert_eq!(lines[1], ("void f(void);", Some(2)));
    /// ```
    pub fn preprocessed_lines(&self) -> impl Iterator<Item = (&str, Option<u32>)> {
        let clean = self.clean_as_read();
        clean
            .origins
            .iter()
            .enumerate()
            .map(|(at, origin)| (clean.line_text(at), (origin.file == 0).then_some(origin.line)))
    }

    /// The lines of the file's own text.
    pub(crate) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::of_file(&self.original, &self.clean))
    }
}

/// A text with declarations of functions that are said to be pure behind it, in a line that is no part of the
/// file.
fn with_pure_functions(mut clean: CleanText, names: &[String]) -> CleanText {
    if !names.is_empty() {
        clean.files.push(PathBuf::from("functions that are said to be pure"));
        let file = clean.files.len() as u32 - 1;
        let one = |name: &String| format!("__attribute__((pure)) int {name}(); ");
        clean.push_line(&names.iter().map(one).collect::<String>(), LineOrigin { file, line: 1 });
    }
    clean
}
