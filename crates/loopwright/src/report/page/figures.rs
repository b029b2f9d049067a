//! All pictures of a region's instances: points with dependences, and tiles.
use crate::pipeline::region_result::RegionResult;
use crate::report::page::instances::points_figure;
use crate::report::page::tiles::tiles_figure;
use loopwright_scop::Statement;
use std::fmt::Write;

/// Regions with more statements have pictures of the first ones only.
const MAX_STATEMENTS: usize = 12;

/// All pictures of a region.
pub(crate) fn figures(result: &RegionResult) -> String {
    let statements = result.region.scop.statements.iter();
    let drawn: Vec<&Statement> =
        statements.filter(|s| !s.is_kill && !s.iterators.is_empty()).collect();
    let mut text =
        String::from("<h3>Instances, dependences and tiles</h3>\n<div class=\"figures\">\n");
    for statement in drawn.iter().take(MAX_STATEMENTS) {
        for (x, y) in pairs(statement.iterators.len()) {
            text += &points_figure(result, statement, x, y).unwrap_or_default();
        }
        let tiled = pairs(statement.iterators.len());
        let tiled = tiled.into_iter().find_map(|(x, y)| tiles_figure(result, statement, x, y));
        text += &tiled.unwrap_or_default();
    }
    text += "</div>\n";
    if drawn.len() > MAX_STATEMENTS {
        let _ =
            writeln!(text, "<p>There are {} statements more.</p>", drawn.len() - MAX_STATEMENTS);
    }
    text
}

/// The dimensions that are drawn: down and to the right. A single dimension goes to the right.
fn pairs(n: usize) -> Vec<(Option<usize>, usize)> {
    match n {
        1 => vec![(None, 0)],
        2 => vec![(Some(0), 1)],
        _ => (1..n.min(4)).map(|k| (Some(k - 1), k)).collect(),
    }
}
