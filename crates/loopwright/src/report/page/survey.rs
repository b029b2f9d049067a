//! A survey as a page.
use crate::report::page::markup::{escape, page};
use crate::report::survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
use loopwright_cfront::Diagnostic;
use std::fmt::Write;

impl Survey {
    /// The survey as one self-contained page.
    pub fn to_html(&self) -> String {
        let mut body = String::from("<h1>Loops</h1>\n<section><h2>Verdicts</h2>\n<table>\n");
        for verdict in Verdict::ALL {
            let (count, words) = (self.count(verdict), verdict.as_str());
            let _ = writeln!(body, "<tr><th scope=\"row\">{words}</th><td>{count}</td></tr>");
        }
        body += "</table></section>\n";
        body += &causes(&self.causes());
        for file in &self.files {
            body += &file_section(file);
        }
        page("Loopwright: loops", &body)
    }
}

fn causes(causes: &[Cause]) -> String {
    if causes.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<section><h2>Causes of refusals</h2>\n<div class=\"wide\"><table>\n<thead><tr>\
         <th scope=\"col\">cause</th><th scope=\"col\">nests with it</th>\
         <th scope=\"col\">nests with no other</th>\
         <th scope=\"col\">nests with only the causes so far</th></tr></thead>\n<tbody>\n",
    );
    for Cause { code, nests, alone, up_to_here } in causes {
        let title = escape(code.title());
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\"><code>{code}</code> {title}</th><td>{nests}</td><td>{alone}</td>\
             <td>{up_to_here}</td></tr>"
        );
    }
    text + "</tbody></table></div></section>\n"
}

fn file_section(file: &FileSurvey) -> String {
    let mut text = format!("<section><h2>{}</h2>\n", escape(&file.path.to_string_lossy()));
    for failure in &file.failures {
        text += &refusal(failure);
    }
    if let Some(failure) = &file.failure {
        let _ = writeln!(text, "<p>{}</p>", escape(failure));
    }
    for nest in &file.nests {
        text += &nest_details(nest);
    }
    text + "</section>\n"
}

fn nest_details(nest: &NestSurvey) -> String {
    let class = match nest.verdict {
        Verdict::Refused => "bad",
        Verdict::Sequential | Verdict::Unchanged => "fair",
        _ => "good",
    };
    let (first, last) = nest.lines;
    let mut text = format!(
        "<details class=\"nest {class}\" style=\"margin-left:{}em\"><summary>lines \
         {first}–{last} in <code>{}</code>: <strong>{}</strong>{}</summary>\n",
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
    text + "</details>\n"
}

fn refusal(diagnostic: &Diagnostic) -> String {
    format!("<pre>{}</pre>\n", escape(&diagnostic.to_string()))
}
