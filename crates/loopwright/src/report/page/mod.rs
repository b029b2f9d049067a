//! The report as a page.
pub(crate) mod figures;
pub(crate) mod frame;
pub(crate) mod instances;
pub(crate) mod markup;
pub(crate) mod schedule_tree;
pub(crate) mod sides;
pub(crate) mod statement_graph;
pub(crate) mod summary;
pub(crate) mod survey;
pub(crate) mod tiles;
pub(crate) mod window;

use crate::pipeline::compile::Compiled;
use crate::pipeline::outcome::{RegionReport, Stage, plural};
use crate::pipeline::region_result::RegionResult;
use crate::report::amounts::amounts_section;
use crate::report::explain::explanations;
use crate::report::page::figures::figures;
use crate::report::page::markup::{escape, marked, page};
use crate::report::page::schedule_tree::schedule_tree;
use crate::report::page::sides::sides;
use crate::report::page::statement_graph::statement_graph;
use crate::report::page::summary::{summary, title};
use crate::settings::options::CompileOptions;
use loopwright_cfront::{SourceLoop, read_file};
use loopwright_transform::BandReport;
use loopwright_verify::Proof;
use std::fmt::Write;
use std::path::Path;

/// A self-contained page about the compilation of the file at `path`: a summary, then for each region what
/// was proved and decided, the source beside the result with links between their lines, the dependences
/// between its statements, why each loop is or is not parallel, pictures of the instances with their
/// dependences and tiles, and the schedule.
///
/// The file is read once more for its text.
pub fn html_report(path: &Path, compiled: &Compiled, options: &CompileOptions) -> String {
    let file = path.to_string_lossy();
    let source = read_file(path, &options.reading()).ok();
    let original = source.as_ref().map_or("", |source| source.original());
    let loops = source.as_ref().and_then(|source| source.source_loops().ok()).unwrap_or_default();
    let regions = &compiled.report.regions;
    let mut body = format!("<h1>{}</h1>\n", escape(&file));
    for note in &compiled.report.notes {
        let _ = writeln!(body, "<p>Note: {}.</p>", escape(note));
    }
    body += &summary(compiled);
    for (position, report) in regions.iter().enumerate() {
        let result = compiled.regions.get(position).and_then(|result| result.as_ref().ok());
        body += &region(position, report, result, original, &loops);
    }
    body += &times(compiled);
    page(&format!("Loopwright: {file}"), &body)
}

fn region(
    position: usize,
    report: &RegionReport,
    result: Option<&RegionResult>,
    original: &str,
    loops: &[SourceLoop],
) -> String {
    let mut text = format!(
        "<section id=\"region-{position}\" aria-labelledby=\"title-{position}\">\n\
         <h2 id=\"title-{position}\">Region {}: {}</h2>\n",
        position + 1,
        title(report)
    );
    text += &proofs(report);
    text += &decisions(report);
    text += &report.amounts.as_ref().map(amounts_section).unwrap_or_default();
    text += &sides(position, report, result, original);
    if let Some(result) = result {
        text += &statement_graph(result, original);
        text += "<h3>Each loop</h3>\n";
        for (of, about) in explanations(result, loops) {
            let _ = writeln!(
                text,
                "<details><summary>line {}: <code>{}</code></summary>\n<pre tabindex=\"0\">{}</pre></details>",
                of.start.0,
                escape(&of.header),
                escape(&about)
            );
        }
        text += &statements(result);
        text += &figures(result);
        text += &schedule_tree(&result.tree);
        let _ = writeln!(
            text,
            "<details><summary>The schedule in isl's notation</summary>\
             <pre tabindex=\"0\">{}</pre></details>",
            escape(&result.tree.to_string())
        );
    }
    text + "</section>\n"
}

fn proofs(report: &RegionReport) -> String {
    let mut text = String::from("<h3>State of the proof</h3>\n<ul>\n");
    match (report.is_left, report.proofs.is_empty()) {
        (true, _) => text += "<li>as it is written: there is nothing to prove</li>\n",
        (false, true) => text += "<li class=\"fair\">not verified</li>\n",
        (false, false) => {}
    }
    for (claim, proof) in &report.proofs {
        let claim = escape(claim);
        let _ = match proof {
            Proof::Proved => {
                writeln!(text, "<li><strong class=\"good\">proved</strong>: {claim}</li>")
            }
            Proof::OutOfBudget(operation) => writeln!(
                text,
                "<li><strong class=\"fair\">not proved</strong>: {claim} (the budget ran out in {})</li>",
                escape(operation)
            ),
            Proof::Refuted(violations) => {
                let all: Vec<String> = violations.iter().map(|v| escape(&v.to_string())).collect();
                let all = all.join("; ");
                writeln!(text, "<li><strong class=\"bad\">refuted</strong>: {claim}: {all}</li>")
            }
        };
    }
    if let Some(parts) = report.only_tested_text() {
        let _ = writeln!(
            text,
            "<li><strong class=\"fair\">tested, not proved</strong>: {}</li>",
            escape(&parts)
        );
    }
    text + "</ul>\n"
}

fn decisions(report: &RegionReport) -> String {
    let mut text = String::from("<h3>What was tried, and what was decided</h3>\n");
    if !report.tried.is_empty() {
        text += "<p>Tried:</p>\n<ol>\n";
        for tried in &report.tried {
            let _ = writeln!(text, "<li>{}</li>", marked(tried));
        }
        text += "</ol>\n";
    }
    for (position, band) in report.bands.bands.iter().enumerate() {
        let _ = writeln!(
            text,
            "<p>Band {position} of <code>{}</code>: {}</p>\n<ul>",
            escape(&band.statements.join(", ")),
            members(band)
        );
        for decision in &band.decisions {
            let _ = writeln!(text, "<li>{}</li>", marked(&decision.to_string()));
        }
        text += "</ul>\n";
    }
    if !report.notes.is_empty() {
        text += "<ul>\n";
        for note in &report.notes {
            let _ = writeln!(text, "<li>{}</li>", marked(note));
        }
        text += "</ul>\n";
    }
    text += "<details><summary>All choices</summary><div class=\"wide\"><table>\n";
    for (name, value) in report.choices.settings() {
        let (name, value) = (escape(name), escape(value));
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{name}</th><td class=\"words\">{value}</td></tr>"
        );
    }
    text + "</table></div></details>\n"
}

/// What the scheduler found out about the members of a band.
fn members(band: &BandReport) -> String {
    let n = band.coincident.len();
    let independent = band.coincident.iter().filter(|c| **c).count();
    let permutable = if band.permutable && n > 1 { ", may be exchanged" } else { "" };
    let dependences = match independent {
        0 => "with dependences between iterations".to_string(),
        _ if independent == n => "without dependences between iterations".to_string(),
        _ => format!("{independent} of them without dependences between iterations"),
    };
    format!("{n} loop{}, {dependences}{permutable}", plural(n))
}

fn statements(result: &RegionResult) -> String {
    let mut text = String::from(
        "<details><summary>Statements</summary><div class=\"wide\"><table>\n<thead><tr>\
         <th scope=\"col\">name</th><th scope=\"col\">line</th><th scope=\"col\">instances</th>\
         </tr></thead><tbody>\n",
    );
    for statement in result.region.scop.statements.iter().filter(|s| !s.is_kill) {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td>\
             <td class=\"words\"><code>{}</code></td></tr>",
            escape(&statement.name),
            statement.location.line,
            escape(&statement.domain.to_string())
        );
    }
    text + "</tbody></table></div></details>\n"
}

fn times(compiled: &Compiled) -> String {
    let mut text = String::from(
        "<section id=\"times\"><h2>Time</h2>\n<table>\n<thead><tr><th scope=\"col\">stage</th>\
         <th scope=\"col\">ms</th></tr></thead><tbody>\n",
    );
    for stage in Stage::ALL {
        let milliseconds = compiled.report.timings.of(stage).as_secs_f64() * 1000.0;
        let name = stage.name();
        let _ = writeln!(text, "<tr><th scope=\"row\">{name}</th><td>{milliseconds:.2}</td></tr>");
    }
    text + "</tbody></table></section>\n"
}
