//! What names mean outside of a function: functions with their bodies, types, constants, variables.
//!
//! Two names mean the same if the items that introduce them are the same words, and so do all names in these.
use super::bit_fields::{BitField, bit_fields};
use super::file::File;
use super::items::Item;
use super::pragmas::{directive, settings_before};
use crate::report::equivalence::directive::changes_nothing;
use std::collections::BTreeSet;

/// Words that say nothing about what a name means in its own file.
const STORAGE: [&str; 14] = [
    "extern",
    "static",
    "inline",
    "__inline",
    "__inline__",
    "register",
    "__extension__",
    "const",
    "restrict",
    "__restrict",
    "__restrict__",
    "auto",
    "_Noreturn",
    "__const",
];

/// Words by which a variable is more than an object with a type.
const UNUSUAL: [&str; 8] =
    ["volatile", "__volatile__", "_Atomic", "_Thread_local", "__thread", "asm", "__asm__", "__asm"];

/// The comparison of names of two files.
pub(super) struct Names<'a> {
    pub(super) files: [&'a File; 2],
    /// Whether a variable has the same type in both models.
    pub(super) has_same_type: &'a dyn Fn(&str) -> bool,
    /// Whether a region writes a member of this name.
    is_written: &'a dyn Fn(&str) -> bool,
    seen: BTreeSet<String>,
    /// Why a difference is none for sure, if something that is read has less values than its type.
    pub(super) fewer_values: Option<String>,
    /// Sentences about variables that hold the same only if something else makes them.
    pub(super) assumed: Vec<String>,
}

/// An item as words: what is declared, and with which values.
#[derive(Debug, Default, PartialEq, Eq)]
struct Meaning {
    words: Vec<String>,
    values: Vec<String>,
    is_constant: bool,
}

impl<'a> Names<'a> {
    pub(super) fn new(
        files: [&'a File; 2],
        has_same_type: &'a dyn Fn(&str) -> bool,
        is_written: &'a dyn Fn(&str) -> bool,
    ) -> Self {
        let (seen, assumed) = (BTreeSet::new(), Vec::new());
        Names { files, has_same_type, is_written, seen, fewer_values: None, assumed }
    }

    /// Compares all that names mean which both functions use.
    ///
    /// # Errors
    /// In words, if one of them means something else.
    pub(super) fn compare(&mut self) -> Result<(), String> {
        let [first, second] = self.files.map(File::words);
        let mut open: Vec<String> = first.intersection(&second).map(|n| n.to_string()).collect();
        let own = &self.files[0].function.names;
        open.retain(|name| !own.contains(name));
        while let Some(name) = open.pop() {
            for key in keys(&name) {
                if self.seen.insert(key.clone()) {
                    open.extend(self.compare_key(&key)?);
                }
            }
        }
        Ok(())
    }

    /// The names in what introduces a name, if that is the same in both files.
    fn compare_key(&mut self, key: &str) -> Result<Vec<String>, String> {
        let files = self.files;
        let items = files.map(|file| file.items_of(key).collect::<Vec<&Item>>());
        if items.iter().all(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let meanings = [0, 1].map(|side| meanings(files[side], &items[side]));
        let line = |side: usize| match items[side].last() {
            Some(item) => format!("line {}", files[side].tokens[item.range.start].line),
            None => "nowhere".to_string(),
        };
        let places = format!("{} of the first file, {} of the second", line(0), line(1));
        let is_variable = |item: &&Item| item.parameters.is_none() && item.body.is_none();
        let is_typed = items.iter().all(|own| !own.is_empty() && own.iter().all(is_variable))
            && meanings.iter().flatten().all(Meaning::is_usual)
            && (self.has_same_type)(key);
        let words = |own: &[Meaning]| own.iter().map(|m| m.words.clone()).collect::<Vec<_>>();
        if !is_typed && words(&meanings[0]) != words(&meanings[1]) {
            return Err(format!("`{key}` is not the same in both files: {places}"));
        }
        if !is_typed && settings_of(files[0], &items[0]) != settings_of(files[1], &items[1]) {
            return Err(format!("`{key}` stands behind other pragmas in both files: {places}"));
        }
        let fields = items[0].iter().flat_map(|item| bit_fields(files[0], item));
        let is_used = |own: &BitField<'_>| files.iter().any(|file| file.words().contains(own.name));
        for field in fields.filter(is_used) {
            let cause = format!(
                "what the bit-field `{}` of `{key}` holds is not known: it has less values than its type",
                field.name
            );
            if !field.is_only_read(files) || (self.is_written)(field.name) {
                return Err(cause);
            }
            self.fewer_values.get_or_insert(cause);
        }
        let values = |own: &[Meaning]| own.iter().map(|m| m.values.clone()).collect::<Vec<_>>();
        let all = |own: &[Meaning]| values(own).into_iter().flatten().collect::<Vec<String>>();
        if all(&meanings[0]) != all(&meanings[1]) {
            if meanings.iter().flatten().any(|own| own.is_constant) {
                return Err(format!("`{key}` has another value in the two files: {places}"));
            }
            let sentence = format!(
                "`{key}` holds the same in front of the regions, though it is initialised otherwise: {places}"
            );
            self.assumed.push(sentence);
        }
        let in_values = |item: &&Item| {
            let own = self.files[0].tokens[item.range.clone()].iter();
            own.filter(|token| token.is_word()).map(|token| token.text.clone()).collect::<Vec<_>>()
        };
        Ok(match is_typed {
            true => all(&meanings[0]),
            false => items[0].iter().flat_map(in_values).collect(),
        })
    }
}

impl Meaning {
    fn is_usual(&self) -> bool {
        !self.words.iter().any(|word| UNUSUAL.contains(&&**word))
    }
}

/// The pragmas that say something about what is defined by an item, or declared by the last one.
fn settings_of<'f>(file: &'f File, items: &[&Item]) -> Vec<&'f str> {
    let defined = items.iter().find(|item| item.body.is_some()).or(items.last());
    let settings = defined.map(|item| settings_before(file, item.range.end));
    settings.unwrap_or_default().into_iter().map(|own| &*own.text).collect()
}

/// A name, and as a tag.
fn keys(name: &str) -> [String; 4] {
    let tag = |word: &str| format!("{word} {name}");
    [name.to_string(), tag("struct"), tag("union"), tag("enum")]
}

/// The items that introduce a name, as words; declarations of what is defined as well are left out.
fn meanings(file: &File, items: &[&Item]) -> Vec<Meaning> {
    let is_defined = items.iter().any(|item| item.body.is_some());
    let has_more = |item: &&&Item| {
        let own = &file.tokens[item.range.clone()];
        own.iter().any(|token| token.text.starts_with("__attribute") || token.is("["))
    };
    let kept = items.iter().filter(|item| !is_defined || item.body.is_some() || has_more(item));
    let mut found: Vec<Meaning> = Vec::new();
    for item in kept {
        let own = meaning(file, item);
        if !found.contains(&own) {
            found.push(own);
        }
    }
    found
}

fn meaning(file: &File, item: &Item) -> Meaning {
    let mut own = Meaning::default();
    let head = item.body.unwrap_or(item.range.end);
    let is_type = file.tokens[item.range.clone()].first().is_some_and(|own| own.is("typedef"));
    let (mut depth, mut is_value) = (0usize, false);
    for (at, token) in file.tokens[item.range.clone()].iter().enumerate() {
        let is_head = item.range.start + at < head;
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "=" if depth == 0 && is_head && !is_type => is_value = true,
            "," | ";" if depth == 0 => is_value = false,
            _ => {}
        }
        own.is_constant |= is_head && depth == 0 && token.is("const");
        match is_value {
            true => own.values.push(token.text.clone()),
            false if is_head && STORAGE.contains(&&*token.text) => {}
            false if directive(token).is_some_and(|own| changes_nothing(&own)) => {}
            false => own.words.push(token.text.clone()),
        }
    }
    own
}
