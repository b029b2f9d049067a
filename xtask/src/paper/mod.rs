//! `cargo xtask paper NAME`: tables of published papers, remade.
mod astgen;
mod scalability;
mod sica;
mod spolly;
mod stencils;
mod storage;

const USAGE: &str = "usage: cargo xtask paper astgen|scalability|sica|spolly|stencils|storage ...";

/// Remakes the tables of the paper that is named first.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let name = parser.next().map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let Some(lexopt::Arg::Value(name)) = name else { return Err(USAGE.to_string()) };
    match name.to_str() {
        Some("astgen") => astgen::run(parser),
        Some("scalability") => scalability::run(parser),
        Some("sica") => sica::run(parser),
        Some("spolly") => spolly::run(parser),
        Some("stencils") => stencils::run(parser),
        Some("storage") => storage::run(parser),
        _ => Err(USAGE.to_string()),
    }
}
