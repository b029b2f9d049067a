//! The source of a region beside its result.
use crate::pipeline::outcome::{RegionReport, plural};
use crate::pipeline::region_result::RegionResult;
use crate::report::page::markup::escape;
use std::fmt::Write;

/// The most links after a line.
const MAX_LINKS: usize = 12;

/// A column of lines: the source, or the result.
struct Side<'a> {
    lines: Vec<&'a str>,
    /// The number of the first line.
    first: u32,
    label: &'static str,
    /// What the names of its lines begin with, and those of the lines of the other side.
    prefixes: (String, String),
    arrow: &'static str,
    /// Pairs of a line and a line of the other side.
    links: Vec<(u32, u32)>,
}

/// The source beside the result, folded. Lines of statements have links to the lines of the other side.
pub(crate) fn sides(
    position: usize,
    report: &RegionReport,
    result: Option<&RegionResult>,
    original: &str,
) -> String {
    let (first, last) = report.lines;
    let lines = original.lines().skip(first.saturating_sub(1) as usize);
    let new = result.filter(|result| result.left.is_none());
    let links: Vec<(u32, u32)> = new.map(RegionResult::lines_of_statements).unwrap_or_default();
    let (source, text) = (format!("source-{position}-"), format!("result-{position}-"));
    let source = Side {
        lines: lines.take((last + 1).saturating_sub(first) as usize).collect(),
        first,
        label: "The source",
        prefixes: (source.clone(), text.clone()),
        arrow: "→",
        links: links.iter().map(|&(of_result, of_source)| (of_source, of_result)).collect(),
    };
    let code = new.map_or("(left as it was)", |result| &result.code);
    let text = Side {
        lines: code.lines().collect(),
        first: 1,
        label: "The result",
        prefixes: (source.prefixes.1.clone(), source.prefixes.0.clone()),
        arrow: "←",
        links,
    };
    let (n, m) = (source.lines.len(), text.lines.len());
    format!(
        "<details class=\"code\"><summary>Source and result ({n} line{} → {m} line{})</summary>\n\
         <div class=\"sides\">\n<div><h3>Source</h3>{}</div>\n<div><h3>Result</h3>{}</div>\n</div></details>\n",
        plural(n),
        plural(m),
        source.numbered(),
        text.numbered()
    )
}

impl Side<'_> {
    /// Lines with their numbers and links, without the white space that all of them begin with.
    fn numbered(&self) -> String {
        let indentation = |line: &&&str| line.len() - line.trim_start().len();
        let filled = self.lines.iter().filter(|line| !line.trim().is_empty());
        let margin = filled.map(|line| indentation(&line)).min().unwrap_or(0);
        let width = (self.first as usize + self.lines.len()).to_string().len();
        let mut text = format!("<pre tabindex=\"0\" aria-label=\"{}\">", self.label);
        for (number, line) in (self.first..).zip(&self.lines) {
            let line = line.get(margin..).unwrap_or_else(|| line.trim_start());
            let _ = writeln!(
                text,
                "<span class=\"line\" id=\"{}{number}\"><span class=\"number\" aria-hidden=\"true\">\
                 {number:>width$}  </span>{}{}</span>",
                self.prefixes.0,
                escape(line),
                self.links_of(number)
            );
        }
        text + "</pre>"
    }

    /// `→ 5, 9`.
    fn links_of(&self, number: u32) -> String {
        let mut others: Vec<u32> =
            self.links.iter().filter(|(own, _)| *own == number).map(|(_, other)| *other).collect();
        others.sort_unstable();
        others.dedup();
        if others.is_empty() {
            return String::new();
        }
        let link = |other: &u32| format!("<a href=\"#{}{other}\">{other}</a>", self.prefixes.1);
        let links: Vec<String> = others.iter().take(MAX_LINKS).map(link).collect();
        let more = if others.len() > MAX_LINKS { ", …" } else { "" };
        format!("  <span class=\"links\">{} {}{more}</span>", self.arrow, links.join(", "))
    }
}
