//! The report as a page.
use crate::report::{Report, Stage};

/// A self-contained HTML page with the report.
pub fn html_report(file: &str, report: &Report) -> String {
    let mut rows = String::new();
    for stage in Stage::ALL {
        let milliseconds = report.timings.of(stage).as_secs_f64() * 1000.0;
        rows.push_str(&format!("<tr><td>{}</td><td>{milliseconds:.2}</td></tr>\n", stage.name()));
    }
    let regions: String =
        report.regions.iter().map(|r| format!("<pre>{}</pre>\n", escape(&r.to_string()))).collect();
    let body = format!(
        "<h1>{}</h1>\n{regions}<h2>Time (ms)</h2>\n<table>\n{rows}</table>\n",
        escape(file)
    );
    page(&format!("Loopwright: {file}"), &body)
}

/// The colours and shapes of all pages.
const STYLE: &str = include_str!("html.css");

/// A self-contained page: nothing is loaded from elsewhere.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style></head>\n<body>\n<main>\n{body}</main>\n</body></html>\n",
        escape(title)
    )
}

/// A text as it stands in HTML.
pub(crate) fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
