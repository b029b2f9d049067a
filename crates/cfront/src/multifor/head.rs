//! The heads of multifor statements: five lists of the same length.
use super::expression::{MultiforExpression, sum};
use super::statement::{MultiforLoop, MultiforRelation};
use super::tokens::{Refusal, Tokens};
use crate::diagnostics::diagnostic::Code;

/// The loops of a head, from `multifor` to the closing parenthesis. `outer` are the names of indices around,
/// which are not declared again.
pub(super) fn head(
    tokens: &mut Tokens<'_>,
    outer: &[Vec<String>],
) -> Result<Vec<MultiforLoop>, Refusal> {
    let start = tokens.start();
    tokens.expect("multifor")?;
    tokens.expect("(")?;
    let mut loops = list(tokens, ";", first_value)?;
    check_names(&loops, outer)?;
    let n_loops = loops.len();
    let conditions = list(tokens, ";", condition)?;
    same_length(start, n_loops, conditions.len(), "conditions")?;
    let steps = list(tokens, ";", step)?;
    same_length(start, n_loops, steps.len(), "steps")?;
    let grains = list(tokens, ";", |tokens| at_least(tokens, 1, "grain"))?;
    same_length(start, n_loops, grains.len(), "grains")?;
    let offsets = list(tokens, ")", |tokens| at_least(tokens, 0, "offset"))?;
    same_length(start, n_loops, offsets.len(), "offsets")?;
    for (k, each) in loops.iter_mut().enumerate() {
        let (name, relation, bound) = &conditions[k];
        same_index(start, k, &each.index, name, "condition")?;
        same_index(start, k, &each.index, &steps[k].0, "step")?;
        let step = steps[k].1;
        (each.relation, each.bound, each.step) = (*relation, bound.clone(), step);
        (each.grain, each.offset) = (grains[k], offsets[k]);
        let is_up = matches!(relation, MultiforRelation::Less | MultiforRelation::LessEqual);
        if step == 0 || is_up != (step > 0) {
            let message = format!(
                "loop {k} of a multifor statement goes on while `{} {} {bound}`, but its step is {step}",
                each.index,
                relation.operator()
            );
            return Err(Refusal::new(Code::LoopForm, start, message));
        }
    }
    Ok(loops)
}

/// Entries between commas, up to a closing token.
fn list<'s, T>(
    tokens: &mut Tokens<'s>,
    close: &str,
    entry: impl Fn(&mut Tokens<'s>) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let mut entries = vec![entry(tokens)?];
    while tokens.text() == "," {
        tokens.take();
        entries.push(entry(tokens)?);
    }
    match tokens.text() == close {
        true => tokens.take(),
        false => return Err(tokens.expected(&format!("`,` or `{close}`"))),
    }
    Ok(entries)
}

/// `i = first`, perhaps with a type.
fn first_value(tokens: &mut Tokens<'_>) -> Result<MultiforLoop, Refusal> {
    let start = tokens.start();
    let mut words = Vec::new();
    while tokens.is_type_word() {
        words.push(tokens.text());
        tokens.take();
    }
    let index_type = if words.is_empty() { "int".to_string() } else { words.join(" ") };
    let index = tokens.name()?;
    tokens.expect("=")?;
    let first = sum(tokens, 0)?;
    let bound = MultiforExpression::Int(0);
    let relation = MultiforRelation::Less;
    let (step, grain, offset) = (1, 1, 0);
    Ok(MultiforLoop { start, index, index_type, first, relation, bound, step, grain, offset })
}

/// `i < bound`.
fn condition(
    tokens: &mut Tokens<'_>,
) -> Result<(String, MultiforRelation, MultiforExpression), Refusal> {
    let index = tokens.name()?;
    let relation = match tokens.text() {
        "<" => MultiforRelation::Less,
        "<=" => MultiforRelation::LessEqual,
        ">" => MultiforRelation::Greater,
        ">=" => MultiforRelation::GreaterEqual,
        _ => return Err(tokens.expected("`<`, `<=`, `>` or `>=`")),
    };
    tokens.take();
    Ok((index, relation, sum(tokens, 0)?))
}

/// `i++`, `++i`, `i += 2`, `i = i + 2` and the like downwards.
fn step(tokens: &mut Tokens<'_>) -> Result<(String, i64), Refusal> {
    let sign = |text: &str| if text.starts_with('+') { 1 } else { -1 };
    if let text @ ("++" | "--") = tokens.text() {
        tokens.take();
        return Ok((tokens.name()?, sign(text)));
    }
    let index = tokens.name()?;
    match tokens.text() {
        text @ ("++" | "--") => {
            tokens.take();
            Ok((index, sign(text)))
        }
        text @ ("+=" | "-=") => {
            tokens.take();
            Ok((index, sign(text) * tokens.signed_integer()?))
        }
        "=" => {
            tokens.take();
            tokens.expect(&index)?;
            let text = tokens.text();
            if !matches!(text, "+" | "-") {
                return Err(tokens.expected("`+` or `-`"));
            }
            tokens.take();
            Ok((index, sign(text) * tokens.integer()?))
        }
        _ => Err(tokens.expected("`++`, `--`, `+=`, `-=` or `=`")),
    }
}

/// An integer constant that is not less than another one.
fn at_least(tokens: &mut Tokens<'_>, least: i64, what: &str) -> Result<i64, Refusal> {
    let byte = tokens.start();
    let value = tokens.signed_integer()?;
    if value < least {
        let message = format!("the {what} {value} of a multifor statement is less than {least}");
        return Err(Refusal::new(Code::LoopForm, byte, message));
    }
    Ok(value)
}

fn same_length(start: usize, n_loops: usize, length: usize, what: &str) -> Result<(), Refusal> {
    if n_loops == length {
        return Ok(());
    }
    let message = format!("a multifor statement has {n_loops} first values, but {length} {what}");
    Err(Refusal::new(Code::LoopForm, start, message)
        .because("each of the five lists has one entry for each loop"))
}

fn same_index(start: usize, k: usize, index: &str, other: &str, what: &str) -> Result<(), Refusal> {
    if index == other {
        return Ok(());
    }
    let message = format!(
        "the {what} of loop {k} of a multifor statement is about `{other}`, but its index is `{index}`"
    );
    Err(Refusal::new(Code::LoopForm, start, message))
}

/// Every index has a name of its own; inner loops are as many as outer ones.
fn check_names(loops: &[MultiforLoop], outer: &[Vec<String>]) -> Result<(), Refusal> {
    if !outer.is_empty() && outer.len() != loops.len() {
        let message = format!(
            "a multifor statement of {} loops stands in one of {}",
            loops.len(),
            outer.len()
        );
        return Err(Refusal::new(Code::LoopForm, loops[0].start, message)
            .because("each loop stands in the loop of the same number"));
    }
    for (k, each) in loops.iter().enumerate() {
        let is_used = loops[..k].iter().any(|other| other.index == each.index)
            || outer.iter().flatten().any(|name| *name == each.index);
        if is_used {
            let message =
                format!("`{}` is the index of two loops of a multifor statement", each.index);
            return Err(Refusal::new(Code::Iterator, each.start, message));
        }
    }
    Ok(())
}
