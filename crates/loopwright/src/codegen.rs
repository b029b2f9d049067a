//! Code for a schedule in isl's notation.
use crate::Failure;
use loopwright_astgen::{AstNode, Options, generate, generate_from_map};
use loopwright_presburger::{Budget, Set, UnionMap};
use loopwright_schedule::ScheduleTree;

/// The steps allowed for one input, some seconds of work.
const STEPS: u64 = 400_000_000;

/// The C text for a schedule: either a schedule tree (isl's `.st` files), or three objects one
/// after the other (isl's `.in` files), which are a flat schedule, a context, and options. Lines
/// that start with `#` are comments.
///
/// # Errors
/// If the text cannot be read, or no code can be generated within the limits.
pub fn codegen_file(text: &str, options: &Options) -> Result<String, Failure> {
    Ok(codegen_ast(text, options)?.to_string())
}

/// As [`codegen_file`], the syntax tree itself.
pub fn codegen_ast(text: &str, options: &Options) -> Result<AstNode, Failure> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    let budget = Budget::steps(STEPS);
    if text.contains("domain:") || text.contains("\"domain\"") {
        let tree =
            ScheduleTree::parse(&text).map_err(|e| Failure::in_stage("schedule tree", &e))?;
        let context = Set::parse("{ : }").map_err(|e| Failure::in_stage("context", &e))?;
        return generate(&tree, &context, options, &budget)
            .map_err(|e| Failure::in_stage("code generation", &e));
    }
    let objects = objects(&text);
    let [schedule, context, settings] = &objects[..] else {
        let message = format!(
            "error: a schedule, a context and options are expected, not {} objects",
            objects.len()
        );
        return Err(Failure::refused(message));
    };
    let schedule = UnionMap::parse(schedule).map_err(|e| Failure::in_stage("schedule", &e))?;
    let context = Set::parse(context).map_err(|e| Failure::in_stage("context", &e))?;
    let settings = UnionMap::parse(settings).map_err(|e| Failure::in_stage("options", &e))?;
    generate_from_map(&schedule, &context, &settings, options, &budget)
        .map_err(|e| Failure::in_stage("code generation", &e))
}

/// The objects of a text, each up to and including its closing brace.
fn objects(text: &str) -> Vec<&str> {
    let (mut start, mut depth) = (0, 0usize);
    let mut result = Vec::new();
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    result.push(text[start..=position].trim());
                    start = position + 1;
                }
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        result.push(text[start..].trim());
    }
    result
}
