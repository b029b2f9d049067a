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
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <title>Loopwright: {file}</title>\n\
         <style>body {{ font-family: sans-serif; max-width: 60em; margin: 2em auto; }} \
         td {{ padding: 0 1em 0 0; }} td + td {{ text-align: right; }}</style></head>\n\
         <body><h1>{file}</h1>\n{regions}<h2>Time (ms)</h2>\n<table>\n{rows}</table></body></html>\n",
        file = escape(file)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
