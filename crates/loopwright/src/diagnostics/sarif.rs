//! Messages as SARIF 2.1.0 ("Static Analysis Results Interchange Format", OASIS, 2020), which editors and
//! servers of repositories read.
use super::diagnostic::{Diagnostic, Span};
use loopwright_cfront::Code;
use serde_json::{Value, json};

/// The rule of messages that have no code of their own.
const WITHOUT_CODE: &str = "loopwright";

/// A log with one run, whose results are these messages. Rules are the codes of refusals, all of them, and
/// one for what has no code.
///
/// ```
/// use loopwright::{Diagnostic, Span, sarif};
/// let log = sarif(&[Diagnostic::error("it is wrong").at(Span::lines("f.c", 3, 4))]);
/// assert_eq!(log["version"], "2.1.0");
/// let result = &log["runs"][0]["results"][0];
/// assert_eq!(result["level"], "error");
/// assert_eq!(result["locations"][0]["physicalLocation"]["region"]["endLine"], 4);
/// ```
pub fn sarif(diagnostics: &[Diagnostic]) -> Value {
    let codes = Code::ALL.iter().map(|code| {
        json!({
            "id": code.as_str(),
            "shortDescription": { "text": code.title() },
            "fullDescription": { "text": code.documentation() },
            "help": { "text": code.advice() },
        })
    });
    let other = json!({
        "id": WITHOUT_CODE,
        "shortDescription": { "text": "what is said without a code" },
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "loopwright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.chain([other]).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(diagnostic: &Diagnostic) -> Value {
    let notes = diagnostic.notes.iter().map(|note| format!("\n{note}"));
    let help = diagnostic.help.iter().map(|help| format!("\nhint: {help}"));
    let text = std::iter::once(diagnostic.message.clone()).chain(notes).chain(help);
    json!({
        "ruleId": diagnostic.code.map_or(WITHOUT_CODE, Code::as_str),
        "level": diagnostic.severity.word(),
        "message": { "text": text.collect::<String>() },
        "locations": diagnostic.span.iter().map(location).collect::<Vec<_>>(),
    })
}

fn location(span: &Span) -> Value {
    let mut region = json!({ "startLine": span.line.max(1), "endLine": span.last_line.max(1) });
    if let Some(column) = span.column {
        region["startColumn"] = column.into();
        region["endColumn"] = (column + span.length).into();
    }
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&span.file) },
        "region": region,
    } })
}

/// A path as a reference of a URI: what is no letter, digit or one of `-._~/` is written by its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    match uri.starts_with('/') {
        true => format!("file://{uri}"),
        false => uri,
    }
}
