//! Runs the user's preprocessor and keeps what belongs to the user.
//!
//! The output of `$CC -E` interleaves the lines of all files with *line markers*
//! `# 12 "file.h" 1 3`. [`clean`] drops the markers and every line of a system header (flag 3),
//! and remembers for each line that is kept where it stands in which file. A typical kernel shrinks
//! from 126 kB to a few kB, so that parsing costs less than starting the preprocessor by far.
//!
//! A file whose only directives are pragmas, compiled without `-D`, needs no preprocessor at all:
//! its comments are blanked and that is the text.
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Options;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

    fn file_index(&mut self, name: &str) -> u32 {
        let path = Path::new(name);
        let known = self.files.iter().position(|file| file == path);
        known.unwrap_or_else(|| {
            self.files.push(path.to_path_buf());
            self.files.len() - 1
        }) as u32
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
    if options.defines.is_empty() && needs_no_preprocessor(original) {
        return Ok(plain(path, original));
    }
    let output = run(path, None, options)?;
    Ok(clean(path, &output))
}

/// The text of a file that needs no preprocessing: comments and continuations are blanked.
pub(crate) fn plain(path: &Path, original: &str) -> CleanText {
    let mut clean = CleanText { files: vec![path.to_path_buf()], ..CleanText::default() };
    for (index, line) in blank_comments(original).text.lines().enumerate() {
        clean.push_line(line, LineOrigin { file: 0, line: index as u32 + 1 });
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
    if options.defines.is_empty() && needs_no_preprocessor(edited) {
        return Ok(plain(path, edited));
    }
    let name = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let output = run(path, Some(&format!("# 1 \"{name}\"\n{edited}")), options)?;
    Ok(clean(path, &output))
}

fn needs_no_preprocessor(text: &str) -> bool {
    let only_pragmas = text.lines().all(|line| {
        let line = line.trim_start();
        let directive = line.strip_prefix('#').map(str::trim_start);
        directive.is_none_or(|d| d.starts_with("pragma"))
    });
    only_pragmas
        && !["__", "_Pragma", "NULL", "unix", "linux", "??", "%:", "i386", "\\\n"]
            .iter()
            .any(|special| text.contains(special))
}

/// Headers define `__pencil_kill` and its like as nothing for compilers that do not know them.
const PENCIL: &str = "-D__PENCIL__=1";

/// The output of the preprocessor for a file, or for another text in its place.
fn run(path: &Path, edited: Option<&str>, options: &Options) -> Result<String, Box<Diagnostic>> {
    let mut words = options.cc.split_whitespace();
    let program = words.next().unwrap_or("cc");
    let mut command = Command::new(program);
    command.args(words).args(["-E", PENCIL]);
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    match edited {
        // A path that starts with `-` is not an option.
        None if path.to_string_lossy().starts_with('-') => command.arg(Path::new(".").join(path)),
        None => command.arg(path),
        Some(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            command.arg("-iquote").arg(folder.unwrap_or(Path::new(".")));
            command.args(["-x", "c", "-"])
        }
    };
    let output = output_of(&mut command, edited.unwrap_or("")).map_err(|error| {
        let message = format!("cannot run the compiler `{program}`: {error}");
        let hint = "set CC to a C compiler that understands -E";
        Box::new(Diagnostic::new(Code::Preprocessor, message).hint(hint))
    })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let first: Vec<&str> = text.lines().take(8).collect();
        let message = format!("`{program} -E` failed on {}", path.display());
        let diagnostic = Diagnostic::new(Code::Preprocessor, message)
            .because(first.join("\n"))
            .hint("pass the -I and -D options that the file is compiled with");
        return Err(Box::new(diagnostic));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command on an input.
fn output_of(command: &mut Command, input: &str) -> std::io::Result<Output> {
    let (stdout, stderr) = (Stdio::piped(), Stdio::piped());
    let mut child = command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Both ends move at once, so that no pipe fills up.
        std::thread::Builder::new().spawn_scoped(scope, move || {
            if let Some(mut stdin) = stdin {
                // A preprocessor that stops reading says why by its status.
                let _ = stdin.write_all(input.as_bytes());
            }
        })?;
        child.wait_with_output()
    })
}

/// Removes line markers and the lines of system headers.
pub(crate) fn clean(path: &Path, output: &str) -> CleanText {
    let mut clean = CleanText { files: vec![path.to_path_buf()], ..CleanText::default() };
    let mut origin = LineOrigin { file: 0, line: 1 };
    let mut in_system = false;
    let mut is_first = true;
    let mut own_files = HashSet::new();
    let mut files: FxHashMap<&str, u32> = FxHashMap::default();
    let mut rest = output;
    while !rest.is_empty() {
        if in_system && !rest.starts_with('#') {
            // All lines up to the next marker at once.
            clean.system_text.push_str(cut(&mut rest, "\n#"));
        }
        let line = cut(&mut rest, "\n").trim_end_matches(['\n', '\r']);
        if let Some(marker) = parse_marker(line) {
            if is_first {
                // The first marker names the main file, as the compiler spells it.
                clean.files[0] = PathBuf::from(marker.file);
                is_first = false;
            }
            let file = *files.entry(marker.file).or_insert_with(|| clean.file_index(marker.file));
            origin = LineOrigin { file, line: marker.line };
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
        } else if !line.trim().is_empty() {
            clean.push_part(line, origin);
        }
        origin.line = origin.line.saturating_add(1);
    }
    clean
}

/// Takes the lines off a text up to the line break with which `end` begins.
fn cut<'a>(text: &mut &'a str, end: &str) -> &'a str {
    let length = text.find(end).map_or(text.len(), |at| at + 1);
    let (lines, rest) = text.split_at(length);
    *text = rest;
    lines
}

struct Marker<'a> {
    line: u32,
    file: &'a str,
    system: bool,
}

/// Reads `# 12 "file" 1 3` or `#line 12 "file"`.
fn parse_marker(line: &str) -> Option<Marker<'_>> {
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

/// A text with blanks in place of comments; line breaks stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blanked {
    /// The text.
    pub(crate) text: String,
    /// Whether each line break stands inside of a comment.
    pub(crate) breaks_in_comments: Vec<bool>,
}

/// Replaces comments by blanks; line breaks stay.
pub(crate) fn blank_comments(text: &str) -> Blanked {
    let mut blanked = Blanked { text: String::with_capacity(text.len()), ..Blanked::default() };
    let is_special = |byte: &u8| matches!(byte, b'/' | b'"' | b'\'' | b'\n');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| is_special(&byte)) {
        let (plain, special) = rest.split_at(at);
        blanked.text.push_str(plain);
        let length = match special.as_bytes() {
            [b'/', b'/', ..] => special.find('\n').unwrap_or(special.len()),
            [b'/', b'*', ..] => special[2..].find("*/").map_or(special.len(), |end| end + 4),
            [quote @ (b'"' | b'\''), ..] => literal_length(special.as_bytes(), *quote),
            _ => 1,
        };
        let (part, after) = special.split_at(length);
        rest = after;
        let is_comment = part.len() > 1 && part.starts_with('/');
        blanked.breaks_in_comments.extend(part.matches('\n').map(|_| is_comment));
        match is_comment {
            true => blanked.text.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' })),
            false => blanked.text.push_str(part),
        }
    }
    blanked.text.push_str(rest);
    blanked
}

/// The length of a literal with its quotes; it ends before a line break.
fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
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
