//! What all pages have in common: their frame, and texts as HTML.

/// The colours and shapes of all pages.
const STYLE: &str = include_str!("style.css");

/// What makes the columns of tables sortable, and hides rows without a word. Tables are whole without it.
const SORTING: &str = include_str!("sorting.js");

/// A self-contained page: nothing is loaded from elsewhere.
pub(crate) fn page(title: &str, body: &str) -> String {
    page_with(title, body, "")
}

/// The same with a script for tables of the class `sortable`.
pub(crate) fn page_with_sorting(title: &str, body: &str) -> String {
    page_with(title, body, &format!("<script>\n{SORTING}</script>\n"))
}

fn page_with(title: &str, body: &str, script: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style></head>\n<body>\n<main>\n{body}</main>\n{script}</body></html>\n",
        escape(title)
    )
}

/// A text as HTML has it.
pub(crate) fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// A sentence in HTML: what is in backquotes is code.
pub(crate) fn marked(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(sentence);
    }
    let part = |(position, part): (usize, &&str)| match position % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(part).collect()
}
