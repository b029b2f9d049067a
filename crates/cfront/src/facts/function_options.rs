//! Options of the compiler that a file gives to some of its functions: `optimize` and `target`, as attributes
//! and as pragmas.
//!
//! A region is text of its function, so options about speed hold for its new text as they did for the old
//! one. Those that change what C means (wrapping integers, types that do not tell objects apart, other
//! arithmetic) are obstacles: a model of the region takes C as it is by default. An option that is not known
//! to be one about speed is one of these.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::directives::{Directive, Family};
use crate::text::attributes::{attribute_items, attribute_lists};
use crate::text::located::diagnostic_at;
use crate::text::preprocess::CleanText;
use std::collections::BTreeMap;

/// How options of `optimize` begin that mean nothing about values, without `-f` and `no-`.
const ABOUT_SPEED: &[&str] = &[
    "tree-",
    "unroll",
    "inline",
    "align-",
    "prefetch-loop-arrays",
    "omit-frame-pointer",
    "peel-loops",
    "split-",
    "unswitch-loops",
    "vect-cost-model",
    "simd-cost-model",
    "gcse",
    "ivopts",
    "schedule-",
    "sched-",
    "stack-protector",
    "ipa-",
    "loop-",
    "graphite",
    "reorder-",
    "crossjumping",
    "cse-",
    "expensive-optimizations",
    "reschedule-",
    "web",
    "rename-registers",
    "predictive-commoning",
    "optimize-sibling-calls",
    "if-conversion",
    "move-loop-",
    "toplevel-reorder",
    "fp-contract=",
    "early-inlining",
    "partial-inlining",
    "strict-aliasing=",
];

/// How names of `target` begin that only say which instructions there are.
const ABOUT_INSTRUCTIONS: &[&str] = &[
    "arch=",
    "cpu=",
    "tune=",
    "branch-protection=",
    "prefer-vector-width=",
    "sse",
    "ssse",
    "avx",
    "fma",
    "f16c",
    "bmi",
    "abm",
    "popcnt",
    "lzcnt",
    "tzcnt",
    "aes",
    "pclmul",
    "sha",
    "mmx",
    "adx",
    "movbe",
    "xsave",
    "default",
    "+",
];

/// Flags of a compiler's command line that change what C means, in all functions.
const CHANGING_FLAGS: &[&str] = &[
    "-fwrapv",
    "-ftrapv",
    "-fno-strict-overflow",
    "-fno-strict-aliasing",
    "-ftrapping-math",
    "-fnon-call-exceptions",
];

/// An option that changes the language.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    /// Where the option stands.
    byte: usize,
    option: String,
}

/// What the attributes and pragmas of a file say about its functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionOptions {
    /// By the names of functions.
    attributes: BTreeMap<String, Given>,
    /// What holds for functions that begin behind a byte, in the order of the file.
    pragmas: Vec<(usize, Option<Given>)>,
}

impl FunctionOptions {
    /// Reads a file with these directives.
    pub(crate) fn of_file(clean: &CleanText, directives: &[Directive]) -> FunctionOptions {
        let text = &*clean.text;
        let mut all =
            FunctionOptions { pragmas: pragmas(directives), ..FunctionOptions::default() };
        for (bytes, list) in attribute_lists(text) {
            let items = attribute_items(list);
            let changes = { items }.find_map(|(name, value)| changed_language(name, value));
            let Some(option) = changes else { continue };
            for name in declared_functions(text, bytes.clone()) {
                let given = Given { byte: bytes.start, option: option.clone() };
                all.attributes.entry(name.to_string()).or_insert(given);
            }
        }
        all
    }

    /// Whether no function has options that change the language.
    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.pragmas.is_empty()
    }

    fn of(&self, name: &str, start: usize) -> Option<&Given> {
        let before = self.pragmas.iter().take_while(|(byte, _)| *byte <= start).last();
        self.attributes.get(name).or_else(|| before.and_then(|(_, given)| given.as_ref()))
    }

    /// Whether C means something else in the function with a name that begins at a byte.
    pub(crate) fn changes(&self, name: &str, start: usize) -> bool {
        self.of(name, start).is_some()
    }

    /// What is said about a region that has something to do with such a function.
    pub(crate) fn obstacle(
        &self,
        clean: &CleanText,
        name: &str,
        start: usize,
    ) -> Option<Diagnostic> {
        let given = self.of(name, start)?;
        let message = format!("{name} is compiled with an option of its own: {}", given.option);
        let found = diagnostic_at(clean, Code::Options, given.byte, message);
        Some(found.because("a model of its loops takes C as it is without that option"))
    }
}

/// What is said where the command of the compiler has a flag that changes what C means.
pub(crate) fn changing_flag(words: &[String]) -> Option<Diagnostic> {
    let mut flags = words.iter().skip(1);
    let flag = flags.find(|flag| CHANGING_FLAGS.contains(&flag.as_str()))?;
    let message = format!("the file is compiled with {flag}");
    let found = Diagnostic::new(Code::Options, message);
    Some(found.because("a model of its loops takes C as it is without that option"))
}

/// The option of an attribute or a pragma of GCC (`optimize`, `target`, `target_clones`) that changes what C
/// means, with the name in front; none if all options are about speed or instructions. Options that are not
/// known change C.
///
/// ```
/// use loopwright_cfront::changed_language;
/// assert_eq!(changed_language("optimize", "(\"O3,wrapv\")").unwrap(), "optimize(\"wrapv\")");
/// assert_eq!(changed_language("optimize", "(\"O3\", \"no-inline\")"), None);
/// ```
pub fn changed_language(name: &str, value: &str) -> Option<String> {
    let is_harmless = match name {
        "optimize" => is_about_speed,
        "target" | "target_clones" => is_about_instructions,
        _ => return None,
    };
    let options = value.split([',', '"', ' ', '\t', '\n', '(', ')']).filter(|o| !o.is_empty());
    { options }.find(|option| !is_harmless(option)).map(|option| format!("{name}(\"{option}\")"))
}

fn is_about_speed(option: &str) -> bool {
    let bare = option.trim_start_matches('-');
    let level = bare.strip_prefix('O').unwrap_or(bare);
    let is_level = matches!(level, "" | "s" | "g" | "z") || level.parse::<u32>().is_ok();
    let bare = bare.strip_prefix('f').filter(|_| option.starts_with("-f")).unwrap_or(bare);
    let bare = match bare.strip_prefix("no-") {
        // What the model takes for granted.
        Some("strict-aliasing") => return false,
        Some(bare) => bare,
        None if bare == "strict-aliasing" => return true,
        None => bare,
    };
    is_level || ABOUT_SPEED.iter().any(|start| bare.starts_with(start))
}

fn is_about_instructions(option: &str) -> bool {
    ABOUT_INSTRUCTIONS.iter().any(|start| option.starts_with(start))
}

/// What pragmas of GCC say from their places on.
fn pragmas(directives: &[Directive]) -> Vec<(usize, Option<Given>)> {
    let (mut found, mut saved) = (Vec::new(), Vec::new());
    let mut now: Option<Given> = None;
    for directive in directives.iter().filter(|directive| directive.family == Family::Gcc) {
        let byte = directive.start;
        match &*directive.name {
            "push_options" => saved.push(now.clone()),
            "pop_options" => now = saved.pop().flatten(),
            "reset_options" => now = None,
            name => {
                let value = directive.text.split_once(name).map_or("", |(_, value)| value);
                let option = changed_language(name, value);
                let given = option.map(|option| Given { byte, option });
                now = now.or(given);
            }
        }
        let last = found.last().and_then(|(_, last): &(usize, Option<Given>)| last.as_ref());
        if last != now.as_ref() {
            found.push((byte, now.clone()));
        }
    }
    found
}

/// The functions that the declaration around an attribute may be about: each name in front of a parenthesis.
fn declared_functions(text: &str, attribute: std::ops::Range<usize>) -> Vec<&str> {
    let before = text.get(..attribute.start).unwrap_or("");
    let start = before.rfind([';', '{', '}']).map_or(0, |at| at + 1);
    let behind = text.get(attribute.end..).unwrap_or("");
    let end = attribute.end + behind.find([';', '{']).unwrap_or(behind.len());
    let outside = [start..attribute.start, attribute.end..end];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for part in outside.iter().filter_map(|bytes| text.get(bytes.clone())) {
        for (at, _) in part.match_indices('(') {
            let front = part[..at].trim_end();
            let name = &front[front
                .rfind(|c| !is_word(c))
                .map_or(0, |last| last + front[last..].chars().next().map_or(1, char::len_utf8))..];
            if !name.is_empty() {
                names.push(name);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_about_speed_are_told_from_others() {
        for harmless in ["3", "O2", "-O3", "unroll-loops", "no-tree-vectorize", "-fno-inline"] {
            assert!(is_about_speed(harmless), "{harmless}");
        }
        for changing in ["wrapv", "-fwrapv", "no-strict-aliasing", "Ofast", "fast-math", "unknown"]
        {
            assert!(!is_about_speed(changing), "{changing}");
        }
        assert_eq!(changed_language("optimize", "(\"O3,wrapv\")").unwrap(), "optimize(\"wrapv\")");
        assert_eq!(changed_language("target", "(\"avx2,fma\")"), None);
        assert_eq!(changed_language("target", "(\"no-sse\")").unwrap(), "target(\"no-sse\")");
    }

    #[test]
    fn names_of_declarations_are_found_around_attributes() {
        let text = "int x; static __attribute__((a(1))) double f(int n) { g(); }";
        let start = text.find("__attribute__").unwrap();
        assert_eq!(declared_functions(text, start..start + 21), ["f"]);
    }
}
