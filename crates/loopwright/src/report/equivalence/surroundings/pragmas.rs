//! Directives around a region: in front of it, over it, in front of its function, and in functions that it
//! calls.
use super::file::File;
use super::items::Item;
use super::tokens::{Token, closing};
use loopwright_cfront::directives::{Directive, Family, Meaning, read};
use std::collections::BTreeSet;

/// Words of pragmas that change what C means, or how it is computed.
const OPTIONS: [&str; 8] = [
    "optimize",
    "FENV_ACCESS",
    "FENV_ROUND",
    "fp",
    "float_control",
    "fenv_access",
    "fp_contract",
    "CX_LIMITED_RANGE",
];

/// Refuses directives that govern a region and are not understood, and those that are not the same around
/// both.
///
/// # Errors
/// In words, with the line.
pub(super) fn compare_pragmas(files: [&File; 2]) -> Result<(), String> {
    for (file, which) in files.into_iter().zip(["first", "second"]) {
        refuse_governing(file).map_err(|cause| format!("the {which} file: {cause}"))?;
        refuse_in_callees(file).map_err(|cause| format!("the {which} file: {cause}"))?;
    }
    let [first, second] = files.map(settings);
    let words = |own: &[Directive]| own.iter().map(|own| own.text.clone()).collect::<Vec<_>>();
    if words(&first) == words(&second) {
        return Ok(());
    }
    let is_alone = |own: &&Directive, others: &[Directive]| !words(others).contains(&own.text);
    let in_first = first.iter().find(|own| is_alone(own, &second));
    let in_second = second.iter().find(|own| is_alone(own, &first));
    let (own, which) = match (in_first, in_second) {
        (Some(own), _) => (Some(own), "first"),
        (None, own) => (own.or(second.first()), "second"),
    };
    let told =
        own.map(|own| format!("line {} of the {which} file: `#pragma {}`", own.line, own.text));
    Err(format!("{} is not the same in both files", told.unwrap_or_default()))
}

/// The directive that a token is, with its line in the file.
fn directive(token: &Token) -> Option<Directive> {
    let mut own = read(&format!("#pragma {}\n", token.pragma()?)).into_iter().next()?;
    own.line = token.line;
    Some(own)
}

fn is_harmless(own: &Directive) -> bool {
    matches!(own.meaning(), Meaning::Harmless | Meaning::Own)
}

fn refused(own: &Directive) -> String {
    format!("line {}: `#pragma {}` {}", own.line, own.text, own.row().why)
}

/// Refuses directives in front of the region whose statement the region is, or is a part of.
fn refuse_governing(file: &File) -> Result<(), String> {
    let body = file.function.body.unwrap_or(file.function.range.start);
    for at in body..file.region.start.saturating_sub(1) {
        let Some(own) = directive(&file.tokens[at]).filter(|own| !is_harmless(own)) else {
            continue;
        };
        let is_setting = own.meaning() == Meaning::Setting;
        if is_setting || statement_end(&file.tokens, at + 1) >= file.region.start {
            return Err(refused(&own));
        }
    }
    Ok(())
}

/// The position behind the statement that begins at a position.
fn statement_end(tokens: &[Token], at: usize) -> usize {
    let mut at = at;
    while let Some(token) = tokens.get(at) {
        match &*token.text {
            "{" => return closing(tokens, at).map_or(tokens.len(), |close| close + 1),
            "(" | "[" => at = closing(tokens, at).unwrap_or(tokens.len()),
            ";" => return at + 1,
            _ => {}
        }
        at += 1;
    }
    tokens.len()
}

/// Refuses functions with directives that the region may call.
fn refuse_in_callees(file: &File) -> Result<(), String> {
    let mut open: Vec<&str> = words(&file.tokens[file.region.clone()]).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(name) = open.pop() {
        let is_new = seen.insert(name);
        let called = file.items_of(name).filter(|item| is_new && item.body.is_some());
        for item in called {
            let tokens = &file.tokens[item.range.clone()];
            let found = tokens.iter().filter_map(directive).find(|own| !is_harmless(own));
            if let Some(own) = found {
                return Err(format!("{}, in `{name}`, which the region calls", refused(&own)));
            }
            open.extend(words(tokens));
        }
    }
    Ok(())
}

fn words(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter(|token| token.is_word()).map(|token| &*token.text)
}

/// The directives in front of the function that say something about it.
fn settings(file: &File) -> Vec<Directive> {
    let before = |item: &&Item| item.range.start < file.function.range.start;
    let items = file.items.iter().filter(before);
    let alone = items.filter(|item| item.range.len() == 1);
    let all = alone.filter_map(|item| directive(&file.tokens[item.range.start]));
    all.filter(|own| !is_harmless(own)).collect()
}

/// Refuses directives in front of functions that change what the region means, whether or not both files have
/// them.
///
/// # Errors
/// In words, with the line.
pub(super) fn refuse_settings(file: &File) -> Result<(), String> {
    for own in settings(file) {
        let has_option = own.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_option = has_option.into_iter().any(|word| OPTIONS.contains(&word));
        let is_named = own.meaning() == Meaning::Names && {
            let names = own.argument.as_deref().unwrap_or_default();
            let region = &file.tokens[file.region.clone()];
            names.split(',').any(|name| words(region).any(|word| word == name.trim()))
        };
        let is_unknown = own.meaning() == Meaning::Obstacle && own.family != Family::OpenMp;
        if is_option || is_named || is_unknown {
            return Err(refused(&own));
        }
    }
    Ok(())
}
