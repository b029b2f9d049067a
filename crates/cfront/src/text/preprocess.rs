//! Runs the user's preprocessor and keeps what belongs to the user.
//!
//! The output of `$CC -E` interleaves the lines of all files with *line markers*
//! `# 12 "file.h" 1 3`. [`clean`] drops the markers and every line of a system header (flag 3),
//! and remembers for each line that is kept where it stands in which file. A typical kernel shrinks
//! from 126 kB to a few kB, so that parsing costs less than starting the preprocessor by far.
//!
//! A file whose only directives are pragmas, compiled without `-D`, needs no preprocessor at all:
//! its comments are blanked and that is the text.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::directives::{Family, Meaning, Reach, read};
use crate::text::comments::blank_comments;
use crate::text::compiler_run::{Given, preprocessed};
use crate::text::digraphs::usual_spelling;
use crate::text::line_directives::{Marked, marked, without_marks};
use crate::text::options::Options;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Where a line of the cleaned text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineOrigin {
    /// Index into [`CleanText::files`].
    pub(crate) file: u32,
    /// The line in that file (1-based).
    pub(crate) line: u32,
}

/// Preprocessed text without markers and system headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct CleanText {
    /// The text.
    pub(crate) text: String,
    /// The files that lines come from; the first is the user's file.
    pub(crate) files: Vec<PathBuf>,
    /// The origin of each line.
    pub(crate) origins: Vec<LineOrigin>,
    /// The start of each line in `text`.
    pub(crate) starts: Vec<usize>,
    /// The text of the system headers, only searched for type names.
    pub(crate) system_text: String,
}

impl CleanText {
    /// The index of the line that contains a byte of the text.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// The text of a line, without its line break.
    pub(crate) fn line_text(&self, line: usize) -> &str {
        let Some(&start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    pub(crate) fn push_line(&mut self, line: &str, origin: LineOrigin) {
        self.starts.push(self.text.len());
        self.origins.push(origin);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line, or what follows in it after the expansion of a system header's macro: the preprocessor
    /// breaks lines there.
    fn push_part(&mut self, part: &str, origin: LineOrigin) {
        let is_directive = |text: &str| text.trim_start().starts_with('#');
        let last = self.starts.len().wrapping_sub(1);
        let continues = self.origins.last() == Some(&origin)
            && !is_directive(part)
            && !is_directive(self.line_text(last));
        if !continues {
            return self.push_line(part, origin);
        }
        self.text.truncate(self.text.trim_end().len());
        self.text.push(' ');
        self.text.push_str(part.trim_start());
        self.text.push('\n');
    }
}

/// The preprocessed text of a file.
///
/// # Errors
/// A diagnostic if the compiler cannot be started or fails.
pub(crate) fn preprocess(
    path: &Path,
    original: &str,
    options: &Options,
) -> Result<CleanText, Box<Diagnostic>> {
    if !options.changes_macros() && needs_no_preprocessor(original) {
        return Ok(plain(path, original));
    }
    match marked(original) {
        Cow::Borrowed(_) => Ok(clean(path, &preprocessed(path, Given::File, options)?)),
        Cow::Owned(marked) => preprocess_instead(path, &marked, options),
    }
}

/// The preprocessed text of a file whose text is another one.
fn preprocess_instead(
    path: &Path,
    text: &str,
    options: &Options,
) -> Result<CleanText, Box<Diagnostic>> {
    preprocess_shifted(path, text, options, 0)
}

/// The same with higher numbers of lines.
///
/// # Errors
/// A diagnostic if the compiler cannot be started or fails.
pub(crate) fn preprocess_shifted(
    path: &Path,
    text: &str,
    options: &Options,
    shift: u32,
) -> Result<CleanText, Box<Diagnostic>> {
    let name = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let marker = format!("# {} \"{name}\"", shift + 1);
    let output = preprocessed(path, Given::Text(&format!("{marker}\n{text}")), options)?;
    let start = output.find(&marker).unwrap_or(0);
    Ok(clean(path, &output[start..]))
}

/// The text of a file that needs no preprocessing: comments and continuations are blanked.
pub(crate) fn plain(path: &Path, original: &str) -> CleanText {
    let mut clean = CleanText { files: vec![path.to_path_buf()], ..CleanText::default() };
    for (index, line) in blank_comments(original).text.lines().enumerate() {
        let line = usual_spelling(line).map_or(Cow::Borrowed(line), Cow::Owned);
        clean.push_line(&line, LineOrigin { file: 0, line: index as u32 + 1 });
    }
    clean
}

/// The preprocessed text of another text that stands in place of a file.
///
/// # Errors
/// A diagnostic if the compiler cannot be started or fails.
pub(crate) fn preprocess_edited(
    path: &Path,
    edited: &str,
    options: &Options,
) -> Result<CleanText, Box<Diagnostic>> {
    if !options.changes_macros() && needs_no_preprocessor(edited) {
        return Ok(plain(path, edited));
    }
    preprocess_instead(path, &marked(edited), options)
}

/// What may stand in front of a text in UTF-8.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

fn needs_no_preprocessor(text: &str) -> bool {
    let only_pragmas = |text: &str| {
        text.lines().all(|line| {
            let line = line.trim_start();
            let directive = line.strip_prefix('#').map(str::trim_start);
            directive.is_none_or(|d| d.starts_with("pragma"))
        })
    };
    // What stands behind a comment may be a directive as well.
    let behind_comments = || match text.contains("/*") {
        true => Cow::Owned(blank_comments(text).text),
        false => Cow::Borrowed(""),
    };
    let is_plain = |line: &str| !line.trim_end().ends_with('\\');
    only_pragmas(text)
        && only_pragmas(&behind_comments())
        && text.lines().all(is_plain)
        && !text.starts_with(BYTE_ORDER_MARK)
        && !["__", "_OPENMP", "_Pragma", "NULL", "unix", "linux", "??", "%:", "i386"]
            .iter()
            .any(|special| text.contains(special))
}

/// Removes line markers and the lines of system headers.
pub(crate) fn clean(path: &Path, output: &str) -> CleanText {
    let mut clean = CleanText { files: vec![path.to_path_buf()], ..CleanText::default() };
    let mut origin = LineOrigin { file: 0, line: 1 };
    let mut in_system = false;
    let mut is_first = true;
    let mut own_files = HashSet::new();
    let mut files: FxHashMap<&str, u32> = FxHashMap::default();
    // Names that differ may be those of one file.
    let mut paths: FxHashMap<&Path, u32> = FxHashMap::from_iter([(path, 0)]);
    let mut rest = output;
    while !rest.is_empty() {
        if in_system && !rest.starts_with('#') {
            // All lines up to the next marker at once.
            let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
            let end = ends.find(|end| rest[*end..].starts_with('#'));
            clean.system_text.push_str(cut(&mut rest, end));
        }
        let end = rest.find('\n').map(|at| at + 1);
        let line = cut(&mut rest, end).trim_end_matches(['\n', '\r']);
        if let Some(marker) = parse_marker(line) {
            if is_first {
                // The first marker names the main file, as the compiler spells it.
                clean.files[0] = PathBuf::from(marker.file);
                paths = FxHashMap::from_iter([(Path::new(marker.file), 0)]);
                is_first = false;
            }
            origin = match Marked::read(marker.file) {
                Some(name) => LineOrigin { file: 0, line: name.line_of(marker.line) },
                None => {
                    let file = files.entry(marker.file);
                    let file = *file.or_insert_with(|| {
                        let path = Path::new(marker.file);
                        *paths.entry(path).or_insert_with(|| {
                            clean.files.push(path.to_path_buf());
                            clean.files.len() as u32 - 1
                        })
                    });
                    LineOrigin { file, line: marker.line }
                }
            };
            // The expansion of a system header's macro is marked as one of the system in the user's file.
            let is_system = marker.system || marker.file.starts_with('<');
            in_system = is_system && !own_files.contains(&origin.file);
            if !is_system {
                own_files.insert(origin.file);
            }
            continue;
        }
        if in_system {
            clean.system_text.push_str(line);
            clean.system_text.push('\n');
            if is_about_statements(line) {
                clean.push_line(line, origin);
            }
        } else if !line.trim().is_empty() {
            let line = without_marks(line);
            match usual_spelling(&line) {
                Some(line) => clean.push_part(&line, origin),
                None => clean.push_part(&line, origin),
            }
        }
        origin.line = origin.line.saturating_add(1);
    }
    clean
}

/// Whether a line of a system header is a directive about statements, perhaps of the file that includes it.
pub(crate) fn is_about_statements(line: &str) -> bool {
    let found = match line.starts_with('#') || line.trim_start().starts_with("%:") {
        true => read(line).into_iter().next(),
        false => None,
    };
    found.is_some_and(|directive| {
        matches!(directive.family, Family::OpenMp | Family::OpenAcc)
            && matches!(directive.row().reach, Reach::Statement | Reach::Alone)
            && !matches!(directive.meaning(), Meaning::Names | Meaning::Harmless)
    })
}

/// Takes the lines up to `end` off a text, all of them if there is none.
fn cut<'a>(text: &mut &'a str, end: Option<usize>) -> &'a str {
    let (lines, rest) = text.split_at(end.unwrap_or(text.len()));
    *text = rest;
    lines
}

/// A line marker.
pub(crate) struct Marker<'a> {
    pub(crate) line: u32,
    pub(crate) file: &'a str,
    /// Whether the file is a header of the system.
    pub(crate) system: bool,
}

/// Reads `# 12 "file" 1 3` or `#line 12 "file"`.
pub(crate) fn parse_marker(line: &str) -> Option<Marker<'_>> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?.trim_start().strip_prefix('"')?;
    let end = rest.rfind('"')?;
    let flags = rest.get(end + 1..)?;
    let system = flags.split_whitespace().any(|flag| flag == "3");
    Some(Marker { line: number, file: rest.get(..end)?, system })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_lead_back_to_the_file() {
        let output = "# 0 \"a.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint puts(const char *);\n\
                      # 2 \"a.c\" 2\nint x;\n\n\nint y;\n";
        let text = clean(Path::new("a.c"), output);
        assert_eq!(text.text, "int x;\nint y;\n");
        assert_eq!(text.origins[0], LineOrigin { file: 0, line: 2 });
        assert_eq!(text.origins[1], LineOrigin { file: 0, line: 5 });
        assert!(text.system_text.contains("puts"));
    }

    #[test]
    fn directives_of_system_headers_about_statements_are_kept() {
        let output = "# 1 \"a.c\"\nvoid f(void) {\n# 1 \"/usr/include/p.h\" 1 3\n#pragma omp parallel for\n\
                      int g(int);\n#pragma omp declare simd\n# 3 \"a.c\" 2\nfor (;;);\n}\n";
        let text = clean(Path::new("a.c"), output);
        assert_eq!(text.text, "void f(void) {\n#pragma omp parallel for\nfor (;;);\n}\n");
        assert_eq!(text.origins[1], LineOrigin { file: 1, line: 1 });
    }

    #[test]
    fn directives_behind_comments_and_over_lines_need_the_preprocessor() {
        for text in ["/* x */ #define N 9\n", "#pragma omp \\\r\n for\n", "/*\n*/ # if 1\n"] {
            assert!(!needs_no_preprocessor(text), "{text:?}");
        }
        assert!(needs_no_preprocessor("/* # define */ int x;\n /* y */ #pragma scop\n"));
    }

    #[test]
    fn macros_of_system_headers_expand_in_the_line_that_uses_them() {
        let output = "# 0 \"a.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint puts(const char *);\n\
                      # 2 \"a.c\" 2\nf(a, \n# 2 \"a.c\" 3 4\n     ((void *)0)\n# 2 \"a.c\"\n         );\n\
                      int y;\n# 4 \"a.c\"\n#pragma omp\n# 4 \"a.c\"\ny = 1;\n";
        let text = clean(Path::new("a.c"), output);
        assert_eq!(text.text, "f(a, ((void *)0) );\nint y;\n#pragma omp\ny = 1;\n");
        let lines: Vec<u32> = text.origins.iter().map(|origin| origin.line).collect();
        assert_eq!(lines, [2, 3, 4, 4]);
        assert_eq!(text.line_of(9), 0);
        assert_eq!(text.system_text, "int puts(const char *);\n");
    }

    #[test]
    fn comments_become_blanks() {
        let blanked = blank_comments("a /* x\n y */ b // c\n\"/*\" '\\'' d \"\\\n/*\"\n");
        assert_eq!(blanked.text, "a     \n      b     \n\"/*\" '\\'' d \"\\\n/*\"\n");
        assert_eq!(blanked.breaks_in_comments, [true, false, false, false]);
    }
}
