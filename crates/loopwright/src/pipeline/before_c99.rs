//! Results for compilers of C before C99: iterators are declared in a block around the loops and not in them.
//!
//! Threads have iterators of their own, which `private` says where the loops of a directive are inside of
//! others; those of its own loops it has by the rules of OpenMP.
use crate::pipeline::region_result::RegionResult;
use crate::settings::options::CompileOptions;
use loopwright_cfront::compiler_words;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Whether the program is in C before C99, as far as flags tell.
pub(crate) fn is_before_c99(options: &CompileOptions) -> bool {
    let is_old = |name: &str| {
        matches!(
            name,
            "ansi" | "c89" | "c90" | "gnu89" | "gnu90" | "iso9899:1990" | "iso9899:199409"
        )
    };
    let words = compiler_words(&options.front_end.cc);
    let of_word = |word: &String| match word.as_str() {
        "-ansi" => Some(true),
        other => other.strip_prefix("-std=").map(is_old),
    };
    let of_compiler = words.iter().filter_map(of_word).next_back();
    let of_option = options.front_end.standard.as_deref().map(is_old);
    of_option.or(of_compiler).unwrap_or(false)
}

/// A region with its iterators declared around the loops; as it was where that is not possible.
pub(crate) fn in_old_c(mut result: RegionResult) -> RegionResult {
    if result.left.is_some() {
        return result;
    }
    let has_heads = |text: &str| heads(text).is_none_or(|heads| !heads.is_empty());
    if result.functions.as_ref().is_some_and(|functions| has_heads(&functions.text)) {
        return result.left_for(format!("functions of the result {NOT_IN_FRONT}"));
    }
    if let Some(functions) = &mut result.functions {
        functions.text = edited(&functions.text, old_words(&functions.text));
    }
    match with_iterators_in_front(&result.code, &result.region.indentation) {
        Some(code) => {
            let n_lines = |text: &str| text.lines().count();
            let before = n_lines(&result.code[..first_statement(&result.code)]);
            let more = n_lines(&code).saturating_sub(n_lines(&result.code) + 1);
            for (line, _) in result.code_statements.iter_mut().filter(|(line, _)| *line > before) {
                *line += more;
            }
            if result.code != code {
                let note = "C before C99: iterators are declared around the loops, in a text that was read back before that";
                result.report.notes.push(note.to_string());
            }
            result.code = code;
        }
        None => return result.left_for(format!("the loops of the result {NOT_IN_FRONT}")),
    }
    result.narrower = std::mem::take(&mut result.narrower).into_iter().map(in_old_c).collect();
    result.narrower.retain(|version| version.left.is_none());
    result
}

/// Why a region stays as it was.
const NOT_IN_FRONT: &str =
    "declare iterators that cannot be declared in front of them, as C before C99 asks for";

/// A loop that declares its iterators.
struct Head {
    /// The first byte of `for`.
    start: usize,
    /// The bytes of the type with the blank behind it.
    declared: Range<usize>,
    names: Vec<String>,
}

/// A text with its iterators declared around the loops; none if that cannot be said in one block.
pub(crate) fn with_iterators_in_front(code: &str, indentation: &str) -> Option<String> {
    let heads = heads(code)?;
    if heads.is_empty() {
        return Some(edited(code, old_words(code)));
    }
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    for head in &heads {
        let of_head = code[head.declared.clone()].trim();
        for name in &head.names {
            if *types.entry(name).or_insert(of_head) != of_head {
                return None;
            }
        }
    }
    let mut edits: Vec<(Range<usize>, String)> =
        heads.iter().map(|head| (head.declared.clone(), String::new())).collect();
    edits.extend(old_words(code));
    edits.extend(clauses(code, &heads)?.into_iter().map(|(at, clause)| (at..at, clause)));
    let declared = types.iter().map(|(name, of)| format!("{indentation}  {of} {name};\n"));
    let start = first_statement(code);
    let block = format!("{indentation}{{\n{}", declared.collect::<String>());
    edits.push((start..start, block));
    edits.push((code.len()..code.len(), format!("{indentation}}}\n")));
    Some(edited(code, edits))
}

/// The words that came with C99, as compilers know them before.
fn old_words(code: &str) -> Vec<(Range<usize>, String)> {
    let bytes = blanked(code);
    let of = |word: &str| {
        let found: Vec<usize> = words(&bytes, word).collect();
        found.into_iter().map(move |at| (at..at + word.len(), format!("__{word}__"))).collect()
    };
    ["restrict", "inline"].into_iter().flat_map(|word| -> Vec<_> { of(word) }).collect()
}

/// A text with others in place of some bytes.
fn edited(code: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = String::new();
    let mut done = 0;
    for (range, new) in edits {
        text += &code[done..range.start];
        text += &new;
        done = range.end;
    }
    text + &code[done..]
}

/// The bytes of a text that are neither comments nor literals; the others are blanks.
fn blanked(code: &str) -> Vec<u8> {
    let mut bytes = code.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => code[at + 2..].find("*/").map_or(bytes.len(), |e| at + 4 + e),
            (b'/', Some(b'/')) => code[at..].find('\n').map_or(bytes.len(), |e| at + e),
            (quote @ (b'"' | b'\''), _) => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(bytes.len())
            }
            _ => {
                at += 1;
                continue;
            }
        };
        bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    bytes
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where a word stands in a text.
fn words<'a>(bytes: &'a [u8], word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let n = word.len();
    (0..bytes.len().saturating_sub(n)).filter(move |&at| {
        bytes[at..].starts_with(word.as_bytes())
            && (at == 0 || !is_part(bytes[at - 1]))
            && !bytes.get(at + n).is_some_and(|byte| is_part(*byte))
    })
}

/// The loops that declare iterators; none where one is not understood.
fn heads(code: &str) -> Option<Vec<Head>> {
    let bytes = blanked(code);
    let mut found = Vec::new();
    for start in words(&bytes, "for") {
        let Some(open) = next_byte(&bytes, start + 3).filter(|at| bytes[*at] == b'(') else {
            continue;
        };
        let end = open + bytes[open..].iter().position(|byte| *byte == b';')?;
        let parts = split(&bytes[open + 1..end]);
        let first = bytes[open + 1..open + 1 + parts[0].len()].to_vec();
        let text = String::from_utf8(first).ok()?;
        let Some((before, _)) = text.split_once('=') else { continue };
        let mut names: Vec<&str> = before.split_whitespace().collect();
        let Some(name) = names.pop().filter(|_| !names.is_empty()) else { continue };
        if !before.bytes().all(|byte| is_part(byte) || byte == b' ') {
            return None;
        }
        let declared = open + 1..open + 1 + before.rfind(name)?;
        let mut names = vec![name.to_string()];
        for part in &parts[1..] {
            let text = String::from_utf8(part.to_vec()).ok()?;
            let name = text.split_once('=')?.0.trim();
            if name.is_empty() || !name.bytes().all(is_part) {
                return None;
            }
            names.push(name.to_string());
        }
        found.push(Head { start, declared, names });
    }
    Some(found)
}

/// The parts between commas that stand in no parentheses.
fn split(bytes: &[u8]) -> Vec<&[u8]> {
    let mut depth = 0i32;
    bytes
        .split(|byte| {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                _ => {}
            }
            *byte == b',' && depth == 0
        })
        .collect()
}

fn next_byte(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find(|at| !bytes[*at].is_ascii_whitespace())
}

/// The clauses that directives need, with the ends of their lines.
fn clauses(code: &str, heads: &[Head]) -> Option<Vec<(usize, String)>> {
    let bytes = blanked(code);
    let mut found = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        let words: Vec<&str> =
            line.trim_start().strip_prefix("#pragma omp").map_or_else(Vec::new, |rest| {
                rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
            });
        let is_about_loops = ["parallel", "for", "simd"].iter().any(|word| words.contains(word));
        if !is_about_loops {
            continue;
        }
        if line.trim_end().ends_with('\\') {
            return None;
        }
        let end = end_of_statement(&bytes, start)?;
        let inside = heads.iter().filter(|head| (start..end).contains(&head.start));
        let number = |clause: &str| {
            let at = words.iter().position(|word| *word == clause)?;
            words[at + 1..].iter().find(|word| !word.is_empty())?.parse::<usize>().ok()
        };
        let has_loops = words.contains(&"for") || words.contains(&"simd");
        let n_own = number("collapse").or(number("ordered")).unwrap_or(usize::from(has_loops));
        let names: BTreeSet<&str> =
            inside.skip(n_own).flat_map(|head| head.names.iter().map(String::as_str)).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !words.contains(name)).collect();
        if !names.is_empty() {
            found.push((range.end, format!(" private({})", names.join(", "))));
        }
    }
    Some(found)
}

/// The end of the statement that begins behind a byte.
fn end_of_statement(bytes: &[u8], from: usize) -> Option<usize> {
    let at = next_byte(bytes, from)?;
    let word: Vec<u8> = bytes[at..].iter().copied().take_while(|byte| is_part(*byte)).collect();
    match (&word[..], bytes[at]) {
        (_, b'#') => {
            let line = bytes[at..].iter().position(|byte| *byte == b'\n')?;
            end_of_statement(bytes, at + line)
        }
        (_, b'{') => closing(bytes, at),
        (b"for" | b"while" | b"switch", _) => {
            end_of_statement(bytes, closing(bytes, next_byte(bytes, at + word.len())?)?)
        }
        (b"if", _) => {
            let then = end_of_statement(bytes, closing(bytes, next_byte(bytes, at + 2)?)?)?;
            match next_byte(bytes, then).filter(|at| bytes[*at..].starts_with(b"else")) {
                Some(other) => end_of_statement(bytes, other + 4),
                None => Some(then),
            }
        }
        _ => Some(at + bytes[at..].iter().position(|byte| *byte == b';')? + 1),
    }
}

/// Behind what closes the parenthesis or brace at a byte.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where the first statement with control flow, or its directive, begins: declarations in front of it are for
/// what comes behind the text.
fn first_statement(code: &str) -> usize {
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let text = line.trim_start();
        if ["#pragma", "for", "if", "{", "while", "do", "switch"]
            .iter()
            .any(|w| text.starts_with(w))
        {
            return start;
        }
        start += line.len();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::with_iterators_in_front;

    #[test]
    fn iterators_are_declared_around_and_private_inside() {
        let code = "  #pragma omp parallel for\n  for (long c0 = 0; c0 < n; c0++)\n    for (int c1 = 0; c1 < 9; c1++)\n      \
                    a[c0][c1] = \"for (int x = 1;\"[c1];\n  for (long c0 = 1; c0 < 9; c0++) {\n    #pragma omp simd\n    \
                    for (int c1 = 0, ub = f(c0, 1); c1 < ub; c1++) {\n    }\n  }\n";
        assert_eq!(
            with_iterators_in_front(code, "  ").unwrap(),
            "  {\n    long c0;\n    int c1;\n    int ub;\n  #pragma omp parallel for private(c1)\n  for (c0 = 0; c0 < n; c0++)\n    \
             for (c1 = 0; c1 < 9; c1++)\n      a[c0][c1] = \"for (int x = 1;\"[c1];\n  for (c0 = 1; c0 < 9; c0++) {\n    \
             #pragma omp simd\n    for (c1 = 0, ub = f(c0, 1); c1 < ub; c1++) {\n    }\n  }\n  }\n"
        );
    }

    #[test]
    fn one_name_of_two_types_is_refused() {
        let code = "for (long c0 = 0; c0 < 9; c0++)\n  ;\nfor (int c0 = 0; c0 < 9; c0++)\n  ;\n";
        assert_eq!(with_iterators_in_front(code, ""), None);
        assert_eq!(with_iterators_in_front("x = 1;\n", "").as_deref(), Some("x = 1;\n"));
    }
}
