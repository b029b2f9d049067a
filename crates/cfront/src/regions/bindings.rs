//! What a result is bound to: the definitions under which its text was preprocessed.
//!
//! Regions are read as the preprocessor leaves them. Where the functions with regions, those that they call
//! and what stands outside of functions say something else without a definition of the command line, or
//! without OpenMP, the result holds with it only, and says so to the compiler.
use crate::facts::function_names::function_name;
use crate::regions::parsed::parse_text;
use crate::regions::region::Region;
use crate::regions::source::SourceFile;
use crate::syntax::kind::Kind;
use crate::syntax::queries::{named_children, text};
use crate::text::bounded::read_bytes;
use crate::text::compiler_run::{compiler_words, predefined};
use crate::text::options::Options;
use crate::text::preprocess::{CleanText, preprocess};
use std::collections::{BTreeMap, BTreeSet};

/// Something that has to hold where a result is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// The compiler makes OpenMP code, or does not.
    OpenMp(bool),
    /// A macro is defined on the command line, as by `-D`.
    Defined {
        /// Its name.
        name: String,
        /// Its text; 1 where none is given.
        value: String,
    },
    /// A macro is not defined when the file begins.
    Undefined {
        /// Its name.
        name: String,
    },
}

impl Binding {
    /// What has to hold, in words.
    pub fn said(&self) -> String {
        match self {
            Binding::OpenMp(true) => "it is compiled with OpenMP (-fopenmp)".to_string(),
            Binding::OpenMp(false) => "it is compiled without OpenMP".to_string(),
            Binding::Defined { name, value } if name.starts_with("__") => {
                format!("flags of the compiler define {name} as {value}")
            }
            Binding::Defined { name, value } => format!("it is compiled with -D {name}={value}"),
            Binding::Undefined { name } => {
                format!("neither flags of the compiler nor -D define {name}")
            }
        }
    }

    /// Directives that end the compilation where it does not hold.
    fn directives(&self) -> String {
        let condition = match self {
            Binding::OpenMp(true) => "!defined(_OPENMP)".to_string(),
            Binding::OpenMp(false) => "defined(_OPENMP)".to_string(),
            Binding::Defined { name, value } if is_integer(value) => {
                format!("!defined({name}) || {name} + 0 != {value}")
            }
            Binding::Defined { name, .. } => format!("!defined({name})"),
            Binding::Undefined { name } => format!("defined({name})"),
        };
        format!(
            "#if {condition}\n#error \"this text only holds if {}\"\n#endif\n",
            self.said().replace('"', "'")
        )
    }
}

/// Whether the text of a macro is an integer that the preprocessor can compare.
fn is_integer(value: &str) -> bool {
    let digits = value.trim_start_matches('-').trim_end_matches(['u', 'U', 'l', 'L']);
    let digits = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => {
            return !hexadecimal.is_empty() && hexadecimal.bytes().all(|b| b.is_ascii_hexdigit());
        }
        None => digits,
    };
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The directives for all of some bindings.
pub fn binding_directives(bindings: &[Binding]) -> String {
    bindings.iter().map(Binding::directives).collect()
}

impl SourceFile {
    /// What a result with these regions is bound to.
    ///
    /// *Cost.* The preprocessor runs once for each definition of the command line that the user's files name,
    /// and once if they name `_OPENMP`.
    pub fn bindings(&self, regions: &[&Region]) -> Vec<Binding> {
        if self.is_preprocessed {
            return Vec::new();
        }
        let own = self.own_texts();
        let is_named = |name: &str| own.iter().any(|text| names(text, name));
        let defined = defined(&self.options.defines);
        let named: Vec<_> = defined.into_iter().filter(|(name, _)| is_named(name)).collect();
        let flags = self.macros_of_flags();
        let flags: Vec<_> = flags.iter().filter(|(name, _)| is_named(name)).collect();
        let absent = self.tested_but_absent();
        let nothing = named.is_empty() && flags.is_empty() && absent.is_empty();
        if nothing && !is_named("_OPENMP") {
            return Vec::new();
        }
        let functions: BTreeSet<&str> = regions.iter().map(|region| &*region.function).collect();
        let found = essence(&self.clean, &functions, Outside::Kept);
        let differs = |options: &Options| match preprocess(&self.path, &self.original, options) {
            Ok(other) => essence(&other, &functions, Outside::Kept) != found,
            Err(_) => true,
        };
        let mut bindings = Vec::new();
        let openmp = self.options.openmp;
        if is_named("_OPENMP") && differs(&Options { openmp: !openmp, ..self.options.clone() }) {
            bindings.push(Binding::OpenMp(openmp));
        }
        for (name, value) in named {
            let others = self.options.defines.iter().filter(|define| parts(define).0 != name);
            let defines = others.cloned().collect();
            if differs(&Options { defines, ..self.options.clone() }) {
                bindings
                    .push(Binding::Defined { name: name.to_string(), value: value.to_string() });
            }
        }
        // What flags include cannot be left out one by one.
        let words = compiler_words(&self.options.cc);
        let alone = words.first().map(|program| shell_words::quote(program).into_owned());
        let alone = Options { cc: alone.unwrap_or_default(), ..self.options.clone() };
        if !flags.is_empty() && differs(&alone) {
            let all = flags.into_iter();
            bindings.extend(all.map(|(name, value)| Binding::Defined {
                name: name.clone(),
                value: value.clone(),
            }));
        }
        let inside = essence(&self.clean, &functions, Outside::Dropped);
        for name in absent {
            let defines = self.options.defines.iter().cloned().chain([name.clone()]).collect();
            let options = Options { defines, ..self.options.clone() };
            let other = preprocess(&self.path, &self.original, &options);
            if other.is_ok_and(|other| essence(&other, &functions, Outside::Dropped) != inside) {
                bindings.push(Binding::Undefined { name });
            }
        }
        bindings
    }

    /// The macros that the flags of the compiler define, with their texts.
    fn macros_of_flags(&self) -> BTreeMap<String, String> {
        if compiler_words(&self.options.cc).len() < 2 {
            return BTreeMap::new();
        }
        let without_defines = Options { defines: Vec::new(), ..self.options.clone() };
        match (predefined(&without_defines, true), predefined(&self.options, false)) {
            (Ok(mut all), Ok(usual)) => {
                all.retain(|name, value| usual.get(name) != Some(value));
                all
            }
            _ => BTreeMap::new(),
        }
    }

    /// Macros that conditions of the file ask for and that nothing has defined when it begins, but flags may:
    /// not those that tell compilers and languages apart.
    fn tested_but_absent(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for line in self.original.lines() {
            let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
                continue;
            };
            let word = directive.split(|c: char| !c.is_ascii_alphanumeric()).next();
            if !matches!(word, Some("if" | "ifdef" | "ifndef" | "elif")) {
                continue;
            }
            let tested =
                directive.split("/*").next().unwrap_or("").split("//").next().unwrap_or("");
            for name in tested.split(|c: char| !(c.is_alphanumeric() || c == '_')).skip(1) {
                let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
                if is_name && may_be_set_by_flags(name) && !names.iter().any(|n| n == name) {
                    names.push(name.to_string());
                }
            }
        }
        names.truncate(MOST_TESTED);
        if names.is_empty() {
            return names;
        }
        let Ok(defined) = predefined(&self.options, true) else { return Vec::new() };
        names.retain(|name| !defined.contains_key(name));
        names
    }

    /// The text of the file and of those of its own that it includes.
    pub(crate) fn own_texts(&self) -> Vec<String> {
        let included = self.clean.files.iter().skip(1).filter_map(|path| read_bytes(path).ok());
        let lossy = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let included = included.map(|bytes| {
            String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.into_bytes()))
        });
        std::iter::once(self.original.clone()).chain(included).collect()
    }
}

/// The name and the text of a definition as `-D` takes it.
fn parts(define: &str) -> (&str, &str) {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    (name.split('(').next().unwrap_or(name).trim(), value)
}

/// The macros that are defined, each once; the last definition holds.
fn defined(defines: &[String]) -> BTreeMap<&str, &str> {
    defines.iter().map(|define| parts(define)).collect()
}

/// The macros that conditions of a file ask for are looked at up to this number: each costs a run of the
/// preprocessor.
const MOST_TESTED: usize = 16;

/// What becomes of declarations and definitions outside of functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Kept,
    Dropped,
}

/// Whether a name in a condition is one that flags set, such as `NDEBUG`, `SIZE` or `__OPTIMIZE__`, and not
/// `defined` or one that a compiler sets in any case or not at all.
fn may_be_set_by_flags(name: &str) -> bool {
    const BY_FLAGS: [&str; 6] =
        ["__OPTIMIZE", "__FAST_MATH__", "__FINITE_MATH", "__SSE", "__AVX", "__FMA__"];
    let is_reserved = name.starts_with("__")
        || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_ascii_uppercase());
    match is_reserved {
        true => BY_FLAGS.iter().any(|start| name.starts_with(start)),
        false => !matches!(name, "defined" | "ifdef" | "ifndef" | "elif" | "if"),
    }
}

/// Whether a text has a name as a word.
fn names(text: &str, name: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(in_name) && !text[at + name.len()..].starts_with(in_name)
        })
}

/// What regions can depend on: a preprocessed text without the bodies of functions that neither have one nor
/// are called, directly or not, by those that do.
///
/// Without what is outside of functions, if that is `Dropped`.
fn essence(clean: &CleanText, with_regions: &BTreeSet<&str>, outside: Outside) -> String {
    let (source, tree) = parse_text(clean);
    let source = &source;
    let root = tree.root_node();
    let functions: BTreeMap<String, _> = named_children(root)
        .filter(|node| node.kind() == Kind::FunctionDefinition)
        .map(|node| (function_name(source, node), node))
        .collect();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = with_regions.iter().copied().collect();
    while let Some(name) = open.pop() {
        let Some((name, node)) = functions.get_key_value(name) else { continue };
        if kept.insert(name) {
            let called = node.of_kind(Kind::Identifier).map(|inner| text(source, inner));
            open.extend(called.filter(|called| functions.contains_key(*called)));
        }
    }
    if outside == Outside::Dropped {
        let mut kept: Vec<_> =
            kept.iter().filter_map(|name| functions.get(*name)).map(|n| n.byte_range()).collect();
        kept.sort_by_key(|range| range.start);
        let texts = kept.into_iter().filter_map(|range| source.get(range));
        return texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    }
    let mut essence = String::new();
    let mut position = 0;
    let mut dropped: Vec<_> = functions
        .iter()
        .filter(|(name, _)| !kept.contains(name.as_str()))
        .map(|(_, node)| node.byte_range())
        .collect();
    dropped.sort_by_key(|range| range.start);
    for range in dropped {
        essence.push_str(source.get(position..range.start).unwrap_or(""));
        position = range.end.max(position);
    }
    essence.push_str(source.get(position..).unwrap_or(""));
    essence.split_whitespace().collect::<Vec<_>>().join(" ")
}
