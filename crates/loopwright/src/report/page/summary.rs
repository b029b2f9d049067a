//! What a page begins with: a line for each region.
use crate::diagnostics::failure::Status;
use crate::pipeline::compile::Compiled;
use crate::pipeline::outcome::{RegionReport, plural};
use crate::report::page::markup::{escape, marked};
use crate::report::survey::Verdict;
use loopwright_transform::{BandReport, Decision};
use loopwright_verify::Proof;

/// `lines 2-5 in f`.
pub(crate) fn title(report: &RegionReport) -> String {
    let (first, last) = report.lines;
    match report.function.as_str() {
        "" => format!("lines {first}–{last}"),
        function => format!("lines {first}–{last} in <code>{}</code>", escape(function)),
    }
}

/// A table of the regions: what was done with each, what is proved, and why it is not parallel or stays as it
/// was.
pub(crate) fn summary(compiled: &Compiled) -> String {
    let regions = &compiled.report.regions;
    let mut text = format!(
        "<section id=\"summary\" aria-labelledby=\"title-summary\">\n\
         <h2 id=\"title-summary\">Summary</h2>\n\
         <p>{} region{}, {:.1} ms after preprocessing (<a href=\"#times\">by stage</a>), Loopwright {}.</p>\n",
        regions.len(),
        plural(regions.len()),
        compiled.report.timings.own().as_secs_f64() * 1000.0,
        env!("CARGO_PKG_VERSION")
    );
    if !regions.is_empty() {
        text += "<nav aria-label=\"Regions\"><div class=\"wide\"><table class=\"summary\">\n<thead><tr>\
                 <th scope=\"col\">region</th><th scope=\"col\">statements</th><th scope=\"col\">result</th>\
                 <th scope=\"col\">proofs</th><th scope=\"col\">remarks</th></tr></thead><tbody>\n";
        for (position, report) in regions.iter().enumerate() {
            let failure = compiled.regions.get(position).and_then(|result| result.as_ref().err());
            let is_refused = failure.is_some_and(|failure| failure.status == Status::Refused);
            text += &row(position, report, is_refused);
        }
        text += "</tbody></table></div></nav>\n";
    }
    text + "</section>\n"
}

fn row(position: usize, report: &RegionReport, is_refused: bool) -> String {
    let verdict = match is_refused {
        true => Verdict::Refused,
        false => Verdict::of_bands(report.bands.bands.iter(), report.is_left),
    };
    let (class, proofs) = state_of_proofs(report);
    let details = details(&report.bands.bands);
    let details = if details.is_empty() { details } else { format!("<br/>{}", escape(&details)) };
    format!(
        "<tr><th scope=\"row\"><a href=\"#region-{position}\">{}</a></th><td>{}</td>\
         <td class=\"words\"><strong class=\"{}\">{}</strong>{details}</td>\
         <td class=\"words {class}\">{proofs}</td><td class=\"words\">{}</td></tr>\n",
        title(report),
        report.n_statements,
        class_of(verdict),
        verdict.as_str(),
        marked(&remarks(report).join("; "))
    )
}

/// The colour of a verdict.
pub(crate) fn class_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Refused => "bad",
        Verdict::Sequential | Verdict::Unchanged => "fair",
        Verdict::ParallelAndTiled | Verdict::Parallel | Verdict::Tiled => "good",
    }
}

/// `tiles 32 x 32, results in registers`.
fn details(bands: &[BandReport]) -> String {
    let mut details: Vec<String> = Vec::new();
    for band in bands {
        if !band.tile_sizes.is_empty() {
            let sizes: Vec<String> = band.tile_sizes.iter().map(ToString::to_string).collect();
            details.push(format!("tiles {}", sizes.join(" x ")));
        }
        let in_registers = |decision: &Decision| {
            matches!(decision, Decision::RegisterTiles { .. } | Decision::UpdateTiles { .. })
        };
        if band.decisions.iter().any(in_registers) {
            details.push("results in registers".to_string());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    details.retain(|detail| seen.insert(detail.clone()));
    details.join(", ")
}

/// Why a region stays as it was or runs on one thread, and what is checked when it runs.
fn remarks(report: &RegionReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let decisions = || report.bands.bands.iter().flat_map(|band| &band.decisions);
    if !report.is_left && !decisions().any(Decision::is_parallel) {
        let reasons = decisions().filter_map(|decision| match decision {
            Decision::Sequential(reason) => Some((*reason).to_string()),
            _ => None,
        });
        remarks.extend(reasons.take(1));
    }
    let kept = |note: &&String| report.is_left || note.starts_with("checked at run time");
    remarks.extend(report.notes.iter().filter(kept).cloned());
    remarks
}

/// The state of all proofs of a region, with its colour.
fn state_of_proofs(report: &RegionReport) -> (&'static str, &'static str) {
    let any = |holds: fn(&Proof) -> bool| report.proofs.iter().any(|(_, proof)| holds(proof));
    if report.is_left {
        ("muted", "nothing to prove")
    } else if report.proofs.is_empty() {
        ("fair", "not verified")
    } else if any(|proof| matches!(proof, Proof::Refuted(_))) {
        ("bad", "refuted")
    } else if any(|proof| !proof.is_proved()) {
        ("fair", "not all is proved")
    } else if report.only_tested.is_empty() {
        ("good", "proved")
    } else {
        ("good", "proved, but for parts that are only tested")
    }
}
