//! What stands around two regions and has to be the same in both files: types, rows, parameters, what names
//! mean, what is done in front of the regions and behind them.
//!
//! What is not the same is an obstacle, or it is said that it is taken for granted, with its subject.
mod bit_fields;
mod file;
mod head;
mod items;
mod names;
mod pragmas;
mod shapes;
mod tokens;

use super::regions::{FoundRegion, PragmaText};
use crate::diagnostics::failure::Failure;
use file::File;
use loopwright_presburger::{Map, Tuple};
use loopwright_scop::Scop;
use names::Names;
use shapes::Shapes;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use tokens::{Token, tokens_of};

/// What is known of the text around two regions.
pub(super) struct Around {
    /// Sentences that are taken for granted.
    pub(super) assumed: Vec<String>,
    /// The functions whose bodies one of the files has.
    pub(super) defined: BTreeSet<String>,
    /// Why a difference is none for sure, if something that is read has less values than its type.
    pub(super) fewer_values: Option<String>,
}

/// Compares what stands around two regions.
///
/// # Errors
/// In words, if something is not the same and may matter.
pub(super) fn compare_surroundings(
    regions: [&FoundRegion; 2],
    models: [&Scop; 2],
    layouts: &[Map],
) -> Result<Around, String> {
    let named = |map: &Map| map.space().input().and_then(Tuple::name).map(|own| own.to_string());
    let with_layout = layouts.iter().filter_map(named).collect();
    let shapes = Shapes { models, with_layout };
    shapes.compare()?;
    let [first, second] = regions.map(File::around);
    let (mut first, mut second) = (first.map_err(words)?, second.map_err(words)?);
    let unused = head::unused_parameters([&first, &second]);
    for file in [&mut first, &mut second] {
        file.leave_out(head::declarations_of(file, &unused));
    }
    let files = [&first, &second];
    for ((file, region), which) in files.iter().zip(regions).zip(["first", "second"]) {
        let in_file = |cause: String| format!("the {which} file: {cause}");
        pragmas::refuse_settings(file).map_err(in_file)?;
        file.refuse_hidden_directives(region).map_err(in_file)?;
    }
    pragmas::compare_pragmas(files)?;
    let has_same_type = |name: &str| shapes.has_same_type(name);
    head::compare_heads(files, &has_same_type, &unused)?;
    let is_written = |name: &str| shapes.writes_member(name);
    let mut names = Names::new(files, &has_same_type, &is_written);
    names.compare()?;
    let (fewer_values, mut assumed) = (names.fewer_values, names.assumed);
    let [[front, behind], [other_front, other_behind]] = files.map(File::outside);
    assumed.extend(in_front([&front, &other_front], &shapes));
    if texts(&behind) != texts(&other_behind) {
        let places = places([&behind, &other_behind]);
        let are_functions = regions.iter().all(|region| !region.text.inserted.is_empty());
        if are_functions {
            return Err(format!("what the functions return is not the same: {places}"));
        }
        assumed.push(format!("what is done behind the regions is the same: {places}"));
    }
    let defined = files.iter().flat_map(|file| file.defined()).collect();
    Ok(Around { assumed, defined, fewer_values })
}

/// Whether lines of a file name a variable, when macros are replaced; pragmas do not count.
pub(super) fn is_named_in(text: &PragmaText, lines: &RangeInclusive<u32>, name: &str) -> bool {
    let is_use = |own: &Token| own.is(name) && lines.contains(&own.line);
    tokens_of(text).map_or(true, |all| all.iter().any(is_use))
}

/// A failure in words.
fn words(failure: Failure) -> String {
    failure.diagnostics.first().map_or(String::new(), |own| own.message.clone())
}

fn texts<'t>(tokens: &[&'t Token]) -> Vec<&'t str> {
    tokens.iter().map(|token| &*token.text).collect()
}

/// Where two lists begin to differ.
fn places(lists: [&[&Token]; 2]) -> String {
    let [first, second] = lists;
    let same = first.iter().zip(second).take_while(|(own, other)| own.text == other.text).count();
    let line = |tokens: &[&Token]| {
        let token = tokens.get(same).or(tokens.last());
        token.map_or("the end".to_string(), |token| format!("line {}", token.line))
    };
    format!("{} of the first file, {} of the second", line(first), line(second))
}

/// What is taken for granted where other things are done in front of two regions.
fn in_front(fronts: [&[&Token]; 2], shapes: &Shapes<'_>) -> Option<String> {
    let [first, second] = fronts.map(statements);
    let is_alone = |own: &Vec<&str>, others: &[Vec<&str>]| !others.contains(own);
    let alone = first.iter().filter(|own| is_alone(own, &second));
    let alone = alone.chain(second.iter().filter(|own| is_alone(own, &first)));
    let changes = |own: &&Vec<&str>| own.iter().any(|word| !is_plain(word));
    let is_same_order = first
        .iter()
        .filter(|own| second.contains(own))
        .eq(second.iter().filter(|own| first.contains(own)));
    if is_same_order && !alone.clone().any(|own| changes(&own)) {
        return None;
    }
    // A call or a pointer may change what is not named.
    let is_indirect = alone.flatten().any(|word| matches!(*word, "(" | "*" | "->" | "["));
    let is_named = |name: &&str| fronts.iter().any(|own| own.iter().any(|token| token.is(name)));
    let common = shapes.common();
    let names = common.into_iter().filter(|name| is_indirect || is_named(name));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let places = places(fronts);
    (!names.is_empty()).then(|| {
        format!(
            "{} hold the same in front of the regions, though other things are done there: {places}",
            names.join(", ")
        )
    })
}

/// Whether a word is one of a declaration without a value.
fn is_plain(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || c == '_') || matches!(word, "," | ";" | "*")
}

/// The statements of a text, in order.
fn statements<'t>(tokens: &[&'t Token]) -> Vec<Vec<&'t str>> {
    let words = texts(tokens);
    words.split_inclusive(|word| matches!(*word, ";" | "{" | "}")).map(<[&str]>::to_vec).collect()
}
