//! Directives around a region: in front of it, over it, in front of its function, and in functions that it
//! calls.
use super::file::File;
use super::items::Item;
use super::tokens::{Token, closing, place};
use crate::report::equivalence::directive::{changes_nothing, obstacle};
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
    let [first, second] = files.map(|file| settings_before(file, file.region.start));
    let words = |own: &[&Directive]| own.iter().map(|own| own.text.clone()).collect::<Vec<_>>();
    if words(&first) == words(&second) {
        return Ok(());
    }
    let is_alone = |own: &&&Directive, others: &[&Directive]| !words(others).contains(&own.text);
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
pub(super) fn directive(token: &Token) -> Option<Directive> {
    let mut own = read(&format!("#pragma {}\n", token.pragma()?)).into_iter().next()?;
    own.line = token.line;
    Some(own)
}

fn refused(own: &Directive) -> String {
    format!("{}: {}", place(own.line), obstacle(own))
}

/// A directive that may change what is behind it, and its position.
pub(super) struct Setting {
    at: usize,
    /// Whether it stands in a function.
    is_inside: bool,
    directive: Directive,
}

/// The directives of a text that may change what is behind them: all outside of functions, and those in
/// functions that do not end with these (`pack`).
pub(super) fn settings(tokens: &[Token], items: &[Item]) -> Vec<Setting> {
    let mut found = Vec::new();
    for item in items {
        for at in item.range.clone() {
            let Some(own) = directive(&tokens[at]).filter(|own| !changes_nothing(own)) else {
                continue;
            };
            let is_inside = item.body.is_some_and(|body| at > body);
            if !is_inside || goes_on(&own) {
                found.push(Setting { at, is_inside, directive: own });
            }
        }
    }
    found
}

/// Whether a directive in a function holds behind it, too.
fn goes_on(own: &Directive) -> bool {
    let is_of_block = ["fp", "fp_contract", "float_control", "fenv_access"].contains(&&*own.name);
    matches!(own.meaning(), Meaning::Setting | Meaning::Obstacle)
        && !is_of_block
        && !matches!(own.family, Family::Stdc | Family::OpenMp | Family::OpenAcc)
}

/// The settings in front of a position.
pub(super) fn settings_before(file: &File, position: usize) -> Vec<&Directive> {
    let before = file.settings.iter().take_while(|own| own.at < position);
    before.map(|own| &own.directive).collect()
}

/// Refuses directives in front of the region whose statement the region is, or is a part of.
fn refuse_governing(file: &File) -> Result<(), String> {
    let body = file.function.body.unwrap_or(file.function.range.start);
    for at in body..file.region.start.saturating_sub(1) {
        let Some(own) = directive(&file.tokens[at]).filter(|own| !changes_nothing(own)) else {
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
            let found = tokens.iter().filter_map(directive).find(|own| !changes_nothing(own));
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

/// Refuses directives in front of functions that change what the region means, whether or not both files have
/// them.
///
/// # Errors
/// In words, with the line.
pub(super) fn refuse_settings(file: &File) -> Result<(), String> {
    for setting in file.settings.iter().filter(|own| own.at < file.region.start) {
        let own = &setting.directive;
        let has_option = own.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_option = has_option.into_iter().any(|word| OPTIONS.contains(&word));
        let is_named = own.meaning() == Meaning::Names && {
            let names = own.argument.as_deref().unwrap_or_default();
            let region = &file.tokens[file.region.clone()];
            names.split(',').any(|name| words(region).any(|word| word == name.trim()))
        };
        // Expressions that may be contracted are others where parts of them have variables of their own.
        let contracts = own.name == "FP_CONTRACT" && own.text.ends_with(" ON");
        let is_obstacle = own.meaning() == Meaning::Obstacle && !setting.is_inside;
        if is_option || is_named || contracts || is_obstacle {
            return Err(refused(own));
        }
    }
    Ok(())
}
