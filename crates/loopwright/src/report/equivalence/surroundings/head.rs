//! Heads of functions: types, parameters, attributes.
use super::file::File;
use super::items::is_name;
use super::tokens::{Token, closing};
use loopwright_cfront::changed_language;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words that do not matter to those who call a function.
const STORAGE: [&str; 5] = ["static", "extern", "inline", "__inline", "__inline__"];

/// Words of parameters that do not matter to their types.
const QUALIFIERS: [&str; 7] =
    ["const", "restrict", "__restrict", "__restrict__", "register", "static", "__const"];

/// Attributes that do not change what a function computes.
const HARMLESS: [&str; 22] = [
    "noinline",
    "always_inline",
    "gnu_inline",
    "unused",
    "used",
    "const",
    "pure",
    "nothrow",
    "leaf",
    "hot",
    "cold",
    "flatten",
    "visibility",
    "nonnull",
    "returns_nonnull",
    "deprecated",
    "noclone",
    "noipa",
    "artificial",
    "section",
    "aligned",
    "warn_unused_result",
];

/// A parameter of a function.
struct Parameter {
    name: String,
    /// Its type in words: the outermost subscript is a pointer.
    words: Vec<String>,
}

/// The parameters that none of two functions uses: their types do not matter.
pub(super) fn unused_parameters([first, second]: [&File; 2]) -> BTreeSet<String> {
    unused(first).intersection(&unused(second)).cloned().collect()
}

/// The parameters that a function names nowhere but where it declares them.
fn unused(file: &File) -> BTreeSet<String> {
    let all = file.function.range.clone();
    let is_used = |(name, range): &(String, Range<usize>)| {
        let mut others = all.clone().filter(|at| !range.contains(at));
        others.any(|at| file.tokens[at].names(name))
    };
    let unused = declarations(file).into_iter().filter(|own| !is_used(own));
    unused.map(|(name, _)| name).filter(|name| !name.is_empty()).collect()
}

/// The tokens that declare some parameters of a function.
pub(super) fn declarations_of(file: &File, names: &BTreeSet<String>) -> Vec<Range<usize>> {
    let all = declarations(file).into_iter();
    all.filter(|(name, _)| names.contains(name)).map(|(_, range)| range).collect()
}

/// The parameters of a function with the tokens that declare them.
fn declarations(file: &File) -> Vec<(String, Range<usize>)> {
    let Some(range) = &file.function.parameters else { return Vec::new() };
    let mut start = range.start + 1;
    let mut found = Vec::new();
    for part in parts(&file.tokens[start..range.end - 1]) {
        found.push((parameter(part).name, start..start + part.len()));
        start += part.len() + 1;
    }
    found
}

/// Compares the heads of two functions; `has_same_type` tells which variables have the same type in both
/// models, `unused` has the parameters whose types do not matter.
///
/// # Errors
/// In words, if they differ in what matters.
pub(super) fn compare_heads(
    [first, second]: [&File; 2],
    has_same_type: &dyn Fn(&str) -> bool,
    unused: &BTreeSet<String>,
) -> Result<(), String> {
    let function = first.function.names.last().map_or("", |name| name);
    if specifiers(first) != specifiers(second) {
        return Err(format!("`{function}` has another type in the second file"));
    }
    for file in [first, second] {
        refuse_options(file, function)?;
    }
    if attributes(first, function) != attributes(second, function) {
        return Err(format!("`{function}` has other attributes in the second file"));
    }
    let [own, others] = [parameters(first), parameters(second)];
    let names = |all: &[Parameter]| all.iter().map(|own| own.name.clone()).collect::<Vec<_>>();
    if names(&own) != names(&others) {
        return Err(format!(
            "`{function}` has the parameters `{}` in the first file and `{}` in the second",
            names(&own).join(", "),
            names(&others).join(", ")
        ));
    }
    let mut pairs = own.iter().zip(&others);
    let differs = |pair: &(&Parameter, &Parameter)| {
        let name = &pair.0.name;
        pair.0.words != pair.1.words && !has_same_type(name) && !unused.contains(name)
    };
    match pairs.find(differs) {
        Some((own, other)) => Err(format!(
            "the parameter `{}` of `{function}` is `{}` in the first file and `{}` in the second",
            own.name,
            own.words.join(" "),
            other.words.join(" ")
        )),
        None => Ok(()),
    }
}

/// The words in front of the name of the function, without attributes.
fn specifiers(file: &File) -> Vec<&str> {
    let item = &file.function;
    let end = item.parameters.as_ref().map_or(item.range.start, |own| own.start.saturating_sub(1));
    let (mut words, mut at) = (Vec::new(), item.range.start);
    while at < end {
        let token = &file.tokens[at];
        if token.text.starts_with("__attribute") || token.is("[") {
            let open = at + usize::from(!token.is("["));
            at = closing(&file.tokens, open).unwrap_or(end);
        } else if !STORAGE.contains(&&*token.text) {
            words.push(&*token.text);
        }
        at += 1;
    }
    words
}

/// The tokens of the heads and declarations of a function.
fn heads<'f>(file: &'f File, function: &str) -> impl Iterator<Item = &'f [Token]> {
    file.items_of(function).map(|item| {
        let end = item.body.unwrap_or(item.range.end);
        &file.tokens[item.range.start..end]
    })
}

/// Refuses options of the compiler that change what C means, such as `wrapv`.
fn refuse_options(file: &File, function: &str) -> Result<(), String> {
    for head in heads(file, function) {
        let Some(at) = head.iter().position(|own| own.is("optimize") || own.is("__optimize__"))
        else {
            continue;
        };
        let arguments = head[at + 1..].iter().take_while(|own| !own.is(")"));
        let options = arguments.filter(|own| !own.is("(") && !own.is(","));
        let changes = |own: &&Token| changed_language("optimize", &own.text).is_some();
        if let Some(option) = { options }.find(changes) {
            return Err(format!(
                "line {}: `optimize({})` changes what C means in `{function}`",
                option.line, option.text
            ));
        }
    }
    Ok(())
}

/// The attributes of a function that may matter.
fn attributes(file: &File, function: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for head in heads(file, function) {
        for at in 0..head.len() {
            let own = &head[at];
            let is_attribute = own.text.starts_with("__attribute") || own.is("[");
            let open = at + usize::from(!own.is("["));
            let inner = head.get(open + 1);
            let is_list = inner.is_some_and(|own| own.is("(") || own.is("["));
            let Some(close) = closing(head, open).filter(|_| is_attribute && is_list) else {
                continue;
            };
            let inside = &head[(open + 2).min(close)..close.saturating_sub(1).max(open + 2)];
            found.extend(parts(inside).into_iter().filter_map(attribute));
        }
    }
    found
}

/// An attribute in words, unless it is harmless.
fn attribute(words: &[Token]) -> Option<String> {
    let name = words.first()?.text.trim_matches('_').to_string();
    let is_harmless = HARMLESS.contains(&&*name) || name == "optimize";
    let text: Vec<&str> = words.iter().map(|own| &*own.text).collect();
    (!is_harmless).then(|| text.join(" "))
}

/// The parts between commas outside of brackets.
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, token) in tokens.iter().enumerate() {
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                found.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&tokens[start..]);
    found
}

fn parameters(file: &File) -> Vec<Parameter> {
    let Some(range) = &file.function.parameters else { return Vec::new() };
    let inside = &file.tokens[range.start + 1..range.end - 1];
    let all = parts(inside).into_iter().filter(|part| !part.is_empty());
    all.filter(|part| !(part.len() == 1 && part[0].is("void"))).map(parameter).collect()
}

fn parameter(tokens: &[Token]) -> Parameter {
    let first = tokens.iter().position(|own| own.is("[")).unwrap_or(tokens.len());
    let name = tokens[..first].iter().rposition(is_name);
    let mut words: Vec<String> = Vec::new();
    let mut is_outermost = true;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if Some(at) == name || QUALIFIERS.contains(&&*token.text) {
        } else if token.is("[") && is_outermost && !words.iter().any(|word| word == "(") {
            // An array is the pointer to its first element.
            is_outermost = false;
            words.push("*".to_string());
            at = closing(tokens, at).unwrap_or(tokens.len());
        } else {
            words.push(token.text.clone());
        }
        at += 1;
    }
    // `(*A)[m]` is `A[][m]`.
    if let Some(open) = words.windows(3).position(|own| own == ["(", "*", ")"]) {
        words.splice(open..open + 3, ["*".to_string()]);
    }
    let name = name.map_or(String::new(), |at| tokens[at].text.clone());
    Parameter { name, words }
}
