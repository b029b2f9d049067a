//! A survey as a page: tables of verdicts, of causes and of all loops, then each loop with what there is to
//! say about it.
use crate::report::amounts::amounts_section;
use crate::report::cause_classes::{ClassRow, ClassTable, Counted};
use crate::report::page::markup::{escape, page_with_sorting};
use crate::report::page::summary::class_of;
use crate::report::survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
use loopwright_cfront::Diagnostic;
use std::collections::BTreeSet;
use std::fmt::Write;

impl Survey {
    /// The survey as one self-contained page. Its tables can be sorted and searched through, by a script in
    /// the page.
    pub fn to_html(&self) -> String {
        let body = format!("<h1>Loops</h1>\n{}", self.sections());
        page_with_sorting("Loopwright: loops", &body)
    }

    /// The sections of such a page.
    pub(crate) fn sections(&self) -> String {
        let mut body = String::from("<section><h2>Verdicts</h2>\n<table>\n");
        for verdict in Verdict::ALL {
            let (count, words) = (self.count(verdict), verdict.as_str());
            let time = self.time_of(verdict).map(|time| format!("<td>{}</td>", percent(time)));
            let time = time.unwrap_or_default();
            let _ = writeln!(body, "<tr><th scope=\"row\">{words}</th><td>{count}</td>{time}</tr>");
        }
        body += "</table></section>\n";
        body += &causes(&self.causes());
        body += &classes(&self.classes());
        body += &nests(self);
        for (position, file) in self.files.iter().enumerate() {
            body += &file_section(position, file);
        }
        body
    }
}

/// The head of a sortable table.
fn head(id: &str, columns: &[&str]) -> String {
    let mut text =
        format!("<div class=\"wide\"><table class=\"sortable summary\" id=\"{id}\">\n<thead><tr>");
    for column in columns {
        let _ = write!(text, "<th scope=\"col\"><button type=\"button\">{column}</button></th>");
    }
    text + "</tr></thead>\n<tbody>\n"
}

/// The end of a table.
const END: &str = "</tbody></table></div></section>\n";

fn causes(causes: &[Cause]) -> String {
    if causes.is_empty() {
        return String::new();
    }
    let mut text = String::from("<section><h2>Causes of refusals</h2>\n");
    text += &head(
        "causes",
        &["cause", "nests with it", "nests with no other", "nests with only the causes so far"],
    );
    for Cause { code, nests, alone, up_to_here } in causes {
        let title = escape(code.title());
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\"><code>{code}</code> {title}</th><td>{nests}</td><td>{alone}</td>\
             <td>{up_to_here}</td></tr>"
        );
    }
    text + END
}

/// A share in words.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The causes in the classes of the paper.
fn classes(table: &ClassTable) -> String {
    if table.candidates.nests == 0 {
        return String::new();
    }
    let mut text = String::from("<section><h2>The same in the classes of SPolly’s table</h2>\n");
    text += &head(
        "classes",
        &[
            "class",
            "A: refused with it",
            "B: with no other",
            "C: with only those so far",
            "saved by a check at run time",
            "A with versions for a profile",
        ],
    );
    let cell = |counted: &Counted| {
        let time = counted.time.map_or(String::new(), |time| format!(" ({})", percent(time)));
        format!("<td data-key=\"{}\">{}{time}</td>", counted.nests, counted.nests)
    };
    for ClassRow { class, refused, alone, up_to_here, checked, profiled } in &table.rows {
        let cells = [refused, alone, up_to_here, checked, profiled].map(cell).concat();
        let _ = writeln!(text, "<tr><th scope=\"row\">{}</th>{cells}</tr>", class.as_str());
    }
    text += "</tbody></table></div>\n<table>\n";
    let ClassTable { candidates, accepted, with_checks, with_profile, .. } = table;
    for (words, counted) in [
        ("candidates", candidates),
        ("accepted", accepted),
        ("accepted with checks at run time", with_checks),
        ("refused but for values of a profile", with_profile),
    ] {
        let _ = writeln!(text, "<tr><th scope=\"row\">{words}</th>{}</tr>", cell(counted));
    }
    text + "</table></section>\n"
}

/// All loop nests of all files in one table.
fn nests(survey: &Survey) -> String {
    let files = &survey.files;
    if files.iter().all(|file| file.nests.is_empty()) {
        return String::new();
    }
    let mut text = String::from(
        "<section><h2>Loop nests</h2>\n<p><input class=\"filter\" type=\"search\" data-table=\"nests\" \
         placeholder=\"only rows with …\" aria-label=\"Only rows with\" hidden=\"\"/></p>\n",
    );
    let mut columns = vec!["file", "lines", "function", "verdict", "proved", "causes"];
    columns.extend(survey.time.as_ref().map(|_| "time in loops"));
    text += &head("nests", &columns);
    for (position, file) in files.iter().enumerate() {
        for (number, nest) in file.nests.iter().enumerate() {
            let time = survey.time.as_ref().map(|time| time.nests[position][number]);
            text += &nest_row(file, nest, &nest_id(position, number), time);
        }
    }
    text + END
}

fn nest_id(file: usize, nest: usize) -> String {
    format!("nest-{file}-{nest}")
}

fn nest_row(file: &FileSurvey, nest: &NestSurvey, id: &str, time: Option<f64>) -> String {
    let time = time.map(|time| format!("<td data-key=\"{time}\">{}</td>", percent(time)));
    let (first, last) = nest.lines;
    let codes: BTreeSet<&str> = nest.refusals.iter().map(|found| found.code.as_str()).collect();
    let rank = Verdict::ALL.iter().position(|verdict| *verdict == nest.verdict).unwrap_or(0);
    format!(
        "<tr><td class=\"words\">{}</td><td class=\"words\" data-key=\"{first}\"><a href=\"#{id}\">{first}–{last}</a></td>\
         <td class=\"words\"><code>{}</code></td><td class=\"words {}\" data-key=\"{rank}\">{}</td>\
         <td class=\"words\">{}</td><td class=\"words\">{}</td>{}</tr>\n",
        escape(&file.path.to_string_lossy()),
        escape(&nest.function),
        class_of(nest.verdict),
        nest.verdict.as_str(),
        if nest.proved { "proved" } else { "" },
        Vec::from_iter(codes).join(", "),
        time.unwrap_or_default()
    )
}

fn file_section(position: usize, file: &FileSurvey) -> String {
    let mut text = format!("<section><h2>{}</h2>\n", escape(&file.path.to_string_lossy()));
    for failure in &file.failures {
        text += &refusal(failure);
    }
    if let Some(failure) = &file.failure {
        let _ = writeln!(text, "<p>{}</p>", escape(failure));
    }
    for (number, nest) in file.nests.iter().enumerate() {
        text += &nest_details(nest, &nest_id(position, number));
    }
    for ((first, last), amounts) in &file.amounts {
        let _ = writeln!(
            text,
            "<details><summary>amounts of the region in lines {first}–{last}</summary>\n{}</details>",
            amounts_section(amounts)
        );
    }
    text + "</section>\n"
}

/// What there is to say about a nest, folded. A link to what is inside opens it.
fn nest_details(nest: &NestSurvey, id: &str) -> String {
    let (first, last) = nest.lines;
    let mut text = format!(
        "<details class=\"nest {}\" style=\"margin-left:{}em\"><summary>lines \
         {first}–{last} in <code>{}</code>: <strong>{}</strong>{}</summary>\n<div id=\"{id}\">\n",
        class_of(nest.verdict),
        nest.depth.min(10),
        escape(&nest.function),
        nest.verdict.as_str(),
        if nest.proved { ", proved" } else { "" },
    );
    for found in &nest.refusals {
        text += &refusal(found);
    }
    if !nest.decisions.is_empty() {
        text += "<ul>\n";
        for decision in &nest.decisions {
            let _ = writeln!(text, "<li>{}</li>", escape(decision));
        }
        text += "</ul>\n";
    }
    text + "</div></details>\n"
}

fn refusal(diagnostic: &Diagnostic) -> String {
    format!("<pre>{}</pre>\n", escape(&diagnostic.to_string()))
}
