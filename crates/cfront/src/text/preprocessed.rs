//! Preprocessed text as a file of its own, without line markers, and with them again.
//!
//! What a compiler prints with `-E` has the lines of all files, between *line markers* `# 12 "file.h" 1 3`.
//! Here every line is one of a new text, which has no markers, and of which each line knows the line of the
//! user's file that it comes from. Regions are looked for in this text as in any file, so also in files that
//! are included; the text of the headers of the system (flag 3) stays, but is not looked at. Lines of the
//! user's files with several statements are divided between them, so that whole lines can be replaced;
//! [`Preprocessed::with_markers`] joins what was not replaced.
use crate::text::comments::literal_length;
use crate::text::digraphs::usual_spelling;
use crate::text::preprocess::{CleanText, LineOrigin, is_about_statements, parse_marker};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// The start of what a compiler says about the folder that it runs in: `# 1 "/home/user//"`.
const FOLDER_END: &str = "//";

/// What a line of generated text says about the line of the preprocessed text that it comes from, at its end.
const MARK: &str = "/*@";

/// The end of such a mark.
const MARK_END: &str = "*/";

/// A line of generated text with a mark of the line that it comes from.
pub fn marked_line(line: &str, origin: u32) -> String {
    match line.trim_start().starts_with('#') || line.ends_with('\\') || line.is_empty() {
        true => line.to_string(),
        false => format!("{line} {MARK}{origin}{MARK_END}"),
    }
}

/// A line of generated text without its mark, and what that says.
fn unmarked(line: &str) -> (&str, Option<u32>) {
    let mark = line.strip_suffix(MARK_END).and_then(|line| line.rsplit_once(MARK));
    match mark.and_then(|(text, number)| Some((text.trim_end(), number.parse().ok()?))) {
        Some((text, number)) => (text, Some(number)),
        None => (line, None),
    }
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// Index into the files.
    file: u32,
    /// The line there (1-based).
    line: u32,
    /// Whether it belongs to a header of the system.
    is_system: bool,
}

/// The preprocessed text of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    /// All lines, without markers.
    text: String,
    /// The first byte of each line.
    starts: Vec<usize>,
    origins: Vec<Origin>,
    /// The names of the files, as the compiler spells them. The first is the user's.
    files: Vec<String>,
}

impl Preprocessed {
    /// Reads what a compiler prints with `-E`. Pragmas of OpenACC are left out, and those of OpenMP without
    /// it.
    ///
    /// ```
    /// let output = "# 1 \"f.c\"\n# 1 \"g.h\" 1\nint g;\n# 2 \"f.c\" 2\nint f; int h;\n";
    /// let text = loopwright_cfront::Preprocessed::read(output, false);
    /// assert_eq!(text.text(), "int g;\nint f;\n int h;\n");
    /// assert_eq!(text.origin(3), Some(("f.c".as_ref(), 2)));
    /// assert_eq!(text.with_markers(&[]), "# 1 \"g.h\"\nint g;\n# 2 \"f.c\"\nint f; int h;\n");
    /// ```
    pub fn read(output: &str, openmp: bool) -> Self {
        let mut read = Reader { found: Preprocessed::default(), openmp, place: Place::default() };
        let mut files: FxHashMap<&str, u32> = FxHashMap::default();
        let mut own_files: Vec<bool> = Vec::new();
        let mut origin = Origin { file: 0, line: 1, is_system: false };
        for line in output.lines() {
            let line = line.trim_end_matches('\r');
            let Some(marker) = parse_marker(line) else {
                read.line(line, origin);
                origin.line = origin.line.saturating_add(1);
                continue;
            };
            if marker.file.ends_with(FOLDER_END) {
                continue;
            }
            let names = &mut read.found.files;
            let file = *files.entry(marker.file).or_insert_with(|| {
                names.push(marker.file.to_string());
                own_files.push(false);
                names.len() as u32 - 1
            });
            let is_system = marker.system || marker.file.starts_with('<');
            own_files[file as usize] |= !is_system;
            // The expansion of a system header's macro is marked as one of the system in the user's file.
            let is_system = is_system && !own_files[file as usize];
            origin = Origin { file, line: marker.line, is_system };
        }
        read.found
    }

    /// The text, without markers.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the user's file.
    pub fn file(&self) -> &Path {
        Path::new(self.files.first().map_or("", String::as_str))
    }

    /// The file and the line that a line of the text (1-based) comes from.
    pub fn origin(&self, line: u32) -> Option<(&Path, u32)> {
        let origin = self.origins.get((line as usize).checked_sub(1)?)?;
        Some((Path::new(self.files.get(origin.file as usize)?), origin.line))
    }

    /// Whether there may be a loop over arrays outside of the headers of the system: words that begin loops,
    /// and subscripts or pointers.
    ///
    /// *Cost.* Linear in the text.
    pub fn may_have_loops(&self) -> bool {
        let own = self.starts.iter().zip(&self.origins).enumerate();
        let mut has_loop = false;
        let mut has_elements = false;
        for (position, (start, _)) in own.filter(|(_, (_, origin))| !origin.is_system) {
            let end = self.starts.get(position + 1).copied().unwrap_or(self.text.len());
            let line = &self.text[*start..end];
            has_loop |= ["for", "while", "do"].iter().any(|word| has_word(line, word));
            has_elements |= line.contains(['[', '*']);
            if has_loop && has_elements {
                return true;
            }
        }
        false
    }

    /// The lines of the user's files as parsers take them; each stands at a line of [`Preprocessed::text`].
    pub(crate) fn own_lines(&self) -> CleanText {
        let mut clean = CleanText { files: vec![self.file().into()], ..CleanText::default() };
        for (position, origin) in self.origins.iter().enumerate() {
            let line = self.line_text(position);
            match origin.is_system {
                true => {
                    clean.system_text.push_str(line);
                    clean.system_text.push('\n');
                    if is_about_statements(line) {
                        let here = LineOrigin { file: 0, line: position as u32 + 1 };
                        clean.push_line(line, here);
                    }
                }
                false if line.trim().is_empty() => {}
                false => {
                    let here = LineOrigin { file: 0, line: position as u32 + 1 };
                    clean.push_line(line, here);
                }
            }
        }
        clean
    }

    /// The text with other text in place of some bytes (whole lines), as a compiler takes preprocessed text:
    /// with markers of the lines of the user's files. Lines of the new text come from where their marks say
    /// ([`marked_line`]); those without a mark, from where the line before does.
    pub fn with_markers(&self, replacements: &[(Range<usize>, String)]) -> String {
        let mut sorted: Vec<&(Range<usize>, String)> = replacements.iter().collect();
        sorted.sort_by_key(|(range, _)| range.start);
        let mut rest = sorted.into_iter().peekable();
        let mut writer = Writer { files: &self.files, text: String::new(), next: None };
        let mut position = 0;
        while position < self.starts.len() {
            let start = self.starts[position];
            match rest.next_if(|(range, _)| range.start == start) {
                Some((range, new)) if range.is_empty() => writer.own_text(new),
                Some((range, new)) => {
                    let end = self.starts.partition_point(|start| *start < range.end);
                    self.write_replacement(&mut writer, position..end, new);
                    position = end;
                }
                None => {
                    writer.piece(self.line_text(position), self.origins[position]);
                    position += 1;
                }
            }
        }
        writer.finish()
    }

    /// Writes what stands in place of lines. Where these themselves are a part of it, they have their own
    /// numbers.
    fn write_replacement(&self, writer: &mut Writer<'_>, lines: Range<usize>, new: &str) {
        let end = self.starts.get(lines.end).copied().unwrap_or(self.text.len());
        let own = self.text.get(self.starts[lines.start]..end).unwrap_or("");
        let (before, after) = match new.rfind(own).filter(|_| !own.is_empty()) {
            Some(at) => (&new[..at], Some(&new[at + own.len()..])),
            None => (new, None),
        };
        let first = self.origins[lines.start];
        let last = self.origins[lines.end.saturating_sub(1).max(lines.start)];
        self.write_generated(writer, before, first);
        if let Some(after) = after {
            for position in lines {
                writer.piece(self.line_text(position), self.origins[position]);
            }
            self.write_generated(writer, after, last);
        }
    }

    /// Writes generated lines; those in front of the first mark come from `origin`. They are as lines of
    /// headers of the system, about whose style compilers have nothing to say.
    fn write_generated(&self, writer: &mut Writer<'_>, text: &str, mut origin: Origin) {
        for line in text.lines() {
            let (line, mark) = unmarked(line);
            let marked = mark.and_then(|line| self.origins.get(line.checked_sub(1)? as usize));
            origin = marked.copied().unwrap_or(origin);
            writer.line(line, Origin { is_system: true, ..origin });
        }
    }

    /// A line (counted from 0), without its line break.
    fn line_text(&self, position: usize) -> &str {
        let Some(&start) = self.starts.get(position) else { return "" };
        let end = self.starts.get(position + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or("").trim_end_matches('\n')
    }
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |byte: Option<&u8>| {
        byte.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | 0x80..))
    };
    let bytes = line.as_bytes();
    line.match_indices(word).any(|(at, _)| {
        !is_part(at.checked_sub(1).and_then(|at| bytes.get(at)))
            && !is_part(bytes.get(at + word.len()))
    })
}

/// Reads lines of preprocessed text.
struct Reader {
    found: Preprocessed,
    openmp: bool,
    /// Where the next line of the user begins.
    place: Place,
}

impl Reader {
    fn line(&mut self, line: &str, origin: Origin) {
        let is_digraph = !origin.is_system && line.trim_start().starts_with("%:");
        let line = match is_digraph.then(|| usual_spelling(line)).flatten() {
            Some(line) => Cow::Owned(line),
            None => Cow::Borrowed(line),
        };
        let line = &*line;
        let is_directive = line.trim_start().starts_with('#');
        let is_idle = is_directive
            && (is_pragma_of(line, "acc") || !self.openmp && is_pragma_of(line, "omp"));
        if line.trim().is_empty() || is_idle {
            return;
        }
        if origin.is_system || is_directive {
            return self.push(line, origin);
        }
        let line = usual_spelling(line).map_or(Cow::Borrowed(line), Cow::Owned);
        let mut start = 0;
        for end in ends_of_statements(&line, &mut self.place) {
            self.push_part(&line[start..end], origin, start == 0);
            start = end;
        }
        self.push_part(&line[start..], origin, start == 0);
    }

    /// Adds a part of a line. What the preprocessor has broken within a statement becomes one line again: its
    /// first part may go on with that before.
    fn push_part(&mut self, part: &str, origin: Origin, is_first: bool) {
        let found = &mut self.found;
        if part.trim().is_empty() {
            return;
        }
        let last = found.starts.len().wrapping_sub(1);
        let before = found.line_text(last);
        let continues = is_first
            && found.origins.last() == Some(&origin)
            && !before.trim_start().starts_with('#')
            && !before.trim_end().ends_with([';', '{', '}']);
        match continues {
            true => {
                let length = found.text.trim_end().len();
                found.text.truncate(length);
                found.text.push(' ');
                found.text.push_str(part.trim());
                found.text.push('\n');
            }
            false => self.push(part.trim_end(), origin),
        }
    }

    fn push(&mut self, line: &str, origin: Origin) {
        let found = &mut self.found;
        found.starts.push(found.text.len());
        found.origins.push(origin);
        found.text.push_str(line);
        found.text.push('\n');
    }
}

/// Whether a line is a pragma that begins with a word.
fn is_pragma_of(line: &str, word: &str) -> bool {
    let rest = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
    let rest = rest.strip_prefix("pragma").map_or("", str::trim_start);
    rest.split_whitespace().next() == Some(word)
}

/// Where a reader of statements is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The number of open parentheses.
    depth: usize,
    /// What has begun outside of parentheses and ends before a statement.
    head: Option<Head>,
}

/// The beginnings of statements behind which other statements come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    /// `for (..)`, `while (..)`, `if (..)`, `switch (..)`: to the end of the parentheses.
    Header,
    /// `case ..:`, `default:`: to the colon.
    Label,
}

/// The bytes behind the ends of statements, blocks, headers and labels in a line, where something follows.
fn ends_of_statements(line: &str, place: &mut Place) -> Vec<usize> {
    let bytes = line.as_bytes();
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_outside = place.depth == 0;
        match byte {
            b'"' | b'\'' => at += literal_length(&bytes[at..], byte).max(1) - 1,
            b'(' | b'[' => place.depth += 1,
            b')' | b']' => {
                place.depth = place.depth.saturating_sub(1);
                if place.depth == 0 && place.head == Some(Head::Header) {
                    place.head = None;
                    ends.push(at + 1);
                }
            }
            b':' if is_outside && place.head == Some(Head::Label) => {
                place.head = None;
                ends.push(at + 1);
            }
            b';' | b'{' if is_outside => ends.push(at + 1),
            // What follows a block in its line may belong to it: `} while (x);`, `} name;`, `}, {`.
            b'}' if is_outside => {
                ends.push(at);
                ends.push(at + 1);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | 0x80.. => {
                let is_part =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
                let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                match &bytes[at..at + length] {
                    b"for" | b"while" | b"if" | b"switch" if is_outside => {
                        place.head = Some(Head::Header);
                    }
                    b"case" | b"default" if is_outside => place.head = Some(Head::Label),
                    b"else" | b"do" if is_outside => ends.push(at + length),
                    _ => {}
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    ends.retain(|end| *end > 0 && *end < line.len() && line.is_char_boundary(*end));
    ends.dedup();
    ends
}

/// Writes lines with markers of where they come from.
struct Writer<'a> {
    files: &'a [String],
    text: String,
    /// Where the compiler takes the next line to come from, if it has been told.
    next: Option<Origin>,
}

/// Where the compiler should be by blank lines and not by a marker: up to so many lines further.
const SHORT_GAP: u32 = 8;

impl Writer<'_> {
    /// A line that was divided, or is a whole one: what comes from the same line as that before goes on in
    /// it.
    fn piece(&mut self, line: &str, origin: Origin) {
        let continues = self
            .next
            .is_some_and(|next| next == Origin { line: origin.line.saturating_add(1), ..origin })
            && !line.trim_start().starts_with('#')
            && !self.last_line().trim_start().starts_with('#');
        match continues {
            true => {
                self.text.truncate(self.text.trim_end_matches('\n').len());
                self.text.push(' ');
                self.text.push_str(line.trim_start());
                self.text.push('\n');
            }
            false => self.line(line, origin),
        }
    }

    /// A line that comes from another one.
    fn line(&mut self, line: &str, origin: Origin) {
        let gap =
            self.next.filter(|next| next.file == origin.file && next.is_system == origin.is_system);
        match gap.and_then(|next| origin.line.checked_sub(next.line)) {
            Some(gap) if gap < SHORT_GAP => {
                self.text.extend(std::iter::repeat_n('\n', gap as usize));
            }
            _ => self.marker(origin),
        }
        // Directives of preprocessed text begin in the first column.
        let is_directive = line.trim_start().starts_with('#');
        self.text.push_str(if is_directive { line.trim_start() } else { line });
        self.text.push('\n');
        self.next = Some(Origin { line: origin.line.saturating_add(1), ..origin });
    }

    /// Text that comes from no file of the user.
    fn own_text(&mut self, text: &str) {
        self.text.push_str(&format!("# 1 \"<loopwright>\" 3\n{text}"));
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.next = None;
    }

    fn marker(&mut self, origin: Origin) {
        let name = self.files.get(origin.file as usize).map_or("", String::as_str);
        let flag = if origin.is_system { " 3" } else { "" };
        self.text.push_str(&format!("# {} \"{name}\"{flag}\n", origin.line));
    }

    fn last_line(&self) -> &str {
        self.text.lines().next_back().unwrap_or("")
    }

    fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"/home/x//\"\n# 1 \"a.c\"\n\
        # 1 \"/usr/include/stdio.h\" 1 3 4\nint puts(const char *);\n# 2 \"a.c\" 2\n\
        #pragma omp parallel for\nvoid f(int n, double *a) { for (int i = 0;\n   i < n; i++) { a[i] = 1; } }\n\
        void *p =\n# 5 \"a.c\" 3 4\n     ((void *)0)\n# 5 \"a.c\"\n    ;\nint z = 3; char s[] = \"a;b\";\n";

    #[test]
    fn lines_are_divided_and_joined() {
        let read = Preprocessed::read(OUTPUT, false);
        assert_eq!(
            read.text(),
            "int puts(const char *);\nvoid f(int n, double *a) {\n for (int i = 0;\n   i < n; i++)\n {\n a[i] = 1;\n\
             }\n}\nvoid *p = ((void *)0) ;\nint z = 3;\n char s[] = \"a;b\";\n"
        );
        assert_eq!(read.file(), Path::new("a.c"));
        assert_eq!(read.origin(5), Some((Path::new("a.c"), 4)));
        let marked = read.with_markers(&[]);
        assert!(marked.contains("{ a[i] = 1; } }\n"), "{marked}");
        assert!(marked.starts_with("# 1 \"/usr/include/stdio.h\" 3\nint puts"), "{marked}");
        assert!(read.may_have_loops());
        assert!(Preprocessed::read(OUTPUT, true).text().contains("#pragma omp parallel for"));
    }

    #[test]
    fn headers_and_labels_are_divided_from_what_follows() {
        let divided = |line: &str| {
            let ends = ends_of_statements(line, &mut Place::default());
            let starts = std::iter::once(0).chain(ends.clone());
            let parts = starts.zip(ends.into_iter().chain([line.len()]));
            parts.map(|(start, end)| line[start..end].trim().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            divided(
                "if (f(x)) for (i = 0; i < n; i++) a[i ? 1 : 2] = 0; else do x++; while (g(x)); y = (1);"
            ),
            [
                "if (f(x))",
                "for (i = 0; i < n; i++)",
                "a[i ? 1 : 2] = 0;",
                "else",
                "do",
                "x++;",
                "while (g(x))",
                ";",
                "y = (1);"
            ]
        );
        assert_eq!(
            divided("case 1: default: for_x(2); z"),
            ["case 1:", "default:", "for_x(2);", "z"]
        );
    }

    #[test]
    fn text_in_front_comes_from_no_file() {
        let read = Preprocessed::read("# 1 \"a.c\"\nint x;\n", false);
        let all = [(0..0, "int y;\n".to_string())];
        assert_eq!(
            read.with_markers(&all),
            "# 1 \"<loopwright>\" 3\nint y;\n# 1 \"a.c\"\nint x;\n"
        );
    }

    #[test]
    fn generated_lines_say_where_they_come_from() {
        let read = Preprocessed::read("# 1 \"a.c\"\nvoid f(void) {\n  g();\n  h();\n}\n", false);
        let bytes = read.starts[1]..read.starts[3];
        let new = format!(
            "  if (x) {{\n{}\n  y();\n  }} else {{\n  g();\n  h();\n  }}\n",
            marked_line("  k();", 3)
        );
        assert_eq!(
            read.with_markers(&[(bytes, new)]),
            "# 1 \"a.c\"\nvoid f(void) {\n# 2 \"a.c\" 3\n  if (x) {\n  k();\n# 3 \"a.c\" 3\n  y();\n# 3 \"a.c\" 3\n  } else {\n\
             # 2 \"a.c\"\n  g();\n  h();\n# 3 \"a.c\" 3\n  }\n# 4 \"a.c\"\n}\n"
        );
    }
}
