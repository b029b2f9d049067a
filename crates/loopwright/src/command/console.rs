//! How messages reach the user: as text with or without colours, as lines of JSON, or as one SARIF log.
use super::streams::print_remarks;
use loopwright::cc::Says;
use loopwright::{Diagnostic, Failure, sarif};
use std::io::IsTerminal;

/// The form of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MessageFormat {
    #[default]
    Text,
    Json,
    Sarif,
}

/// When messages have colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// What the command line says about messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Console {
    pub(super) format: MessageFormat,
    pub(super) color: Color,
    pub(super) is_quiet: bool,
    pub(super) is_verbose: bool,
}

/// The formats with their words.
pub(super) const FORMATS: [(&str, MessageFormat); 3] =
    [("text", MessageFormat::Text), ("json", MessageFormat::Json), ("sarif", MessageFormat::Sarif)];

/// The words of `--color`.
pub(super) const COLORS: [(&str, Color); 3] =
    [("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];

impl Console {
    /// Whether texts for people are printed beside the messages.
    pub(super) fn is_text(self) -> bool {
        self.format == MessageFormat::Text
    }

    /// What a compiler says about the sources: everything where that is asked for, what has new loops on a
    /// terminal.
    pub(super) fn says(self, is_asked_for: bool) -> Says {
        match self.is_text() && !self.is_quiet {
            false => Says::Nothing,
            true if self.is_verbose || is_asked_for => Says::All,
            true if std::io::stderr().is_terminal() => Says::Transformed,
            true => Says::Nothing,
        }
    }

    /// Whether a line that shows how far the work has come is of use.
    pub(super) fn shows_progress(self) -> bool {
        self.is_text() && !self.is_quiet && std::io::stderr().is_terminal()
    }

    /// Prints messages at once where they are text; others are returned, to be printed at the end.
    pub(super) fn say(self, messages: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if !self.is_text() {
            return messages;
        }
        if !self.is_quiet {
            let texts: String = messages.iter().map(|message| format!("{message}\n")).collect();
            print_remarks(&self.colored(&texts));
        }
        Vec::new()
    }

    /// Prints what has not been said, and why there is no result.
    pub(super) fn finish(self, mut unsaid: Vec<Diagnostic>, failure: Option<&Failure>) {
        if self.is_text() {
            if let Some(failure) = failure {
                print_remarks(&self.colored(&format!("{failure}\n")));
            }
            return;
        }
        unsaid.extend(failure.into_iter().flat_map(|failure| failure.diagnostics.iter().cloned()));
        match self.format {
            MessageFormat::Sarif => print_remarks(&format!("{:#}\n", sarif(&unsaid))),
            _ => unsaid.iter().for_each(|said| print_remarks(&format!("{}\n", said.to_json()))),
        }
    }

    /// A text with colours, if there are to be any.
    fn colored(self, text: &str) -> String {
        let wanted = match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !no_color && std::io::stderr().is_terminal()
            }
        };
        match wanted {
            true => text.split_inclusive('\n').map(colored_line).collect(),
            false => text.to_string(),
        }
    }
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const GREEN: &str = "\x1b[1;32m";
const BLUE: &str = "\x1b[1;34m";
const PLAIN: &str = "\x1b[0m";

/// A line of a message: the word that it begins with, the margin of an excerpt, and what is underlined.
fn colored_line(line: &str) -> String {
    for (word, color) in [("error", RED), ("warning", YELLOW), ("note", GREEN)] {
        if let Some((start, rest)) = line.split_once(": ").filter(|(s, _)| s.starts_with(word)) {
            return format!("{color}{start}{PLAIN}: {rest}");
        }
    }
    let margin = line.trim_start();
    let indent = &line[..line.len() - margin.len()];
    let number = margin.trim_start_matches(|c: char| c.is_ascii_digit());
    for sign in ["--> ", "| ", "= "] {
        let before = &margin[..margin.len() - number.len()];
        let Some(rest) = number.trim_start().strip_prefix(sign) else { continue };
        let gap = if before.is_empty() { "" } else { " " };
        let underline = rest.trim();
        let rest = match !underline.is_empty() && underline.chars().all(|c| c == '^') {
            true => rest.replace(underline, &format!("{RED}{underline}{PLAIN}")),
            false => rest.to_string(),
        };
        return format!("{indent}{BLUE}{before}{gap}{}{PLAIN} {rest}", sign.trim_end());
    }
    line.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_add_nothing_else() {
        let text = "error[CF11]: no name\n --> f.c:3:5\n  |\n3 |   a[i] = 0;\n  |     ^^\n  = reason: none\nplain\n";
        let colored = Console { color: Color::Always, ..Console::default() }.colored(text);
        let mut plain = colored.clone();
        for color in [RED, YELLOW, GREEN, BLUE, PLAIN] {
            plain = plain.replace(color, "");
        }
        assert_eq!(plain, text);
        assert!(colored.contains(&format!("{RED}error[CF11]{PLAIN}: no name")));
        assert!(colored.contains(&format!("{RED}^^{PLAIN}")));
    }
}
