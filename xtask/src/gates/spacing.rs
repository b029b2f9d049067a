//! Tokens as text with the spaces of usual code, for signatures and types.
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// What was written last.
enum Last {
    Start,
    Word,
    Closed,
    Operator(String),
}

/// Tokens as text.
pub(super) fn spaced(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    write(tokens.to_token_stream(), &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut last = Last::Start;
    // The first sign of an operator of two.
    let mut first = None;
    for token in tokens {
        match token {
            TokenTree::Punct(sign) => {
                let operator: String = first.take().into_iter().chain([sign.as_char()]).collect();
                let is_first = matches!(operator.as_str(), ":" | "-" | "=" | ".");
                if is_first && sign.spacing() == Spacing::Joint {
                    first = Some(sign.as_char());
                    continue;
                }
                if is_apart(&last, &operator) {
                    text.push(' ');
                }
                text.push_str(&operator);
                last = Last::Operator(operator);
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                if is_apart(&last, open) {
                    text.push(' ');
                }
                text.push_str(open);
                write(group.stream(), text);
                if text.ends_with(',') {
                    text.pop();
                }
                text.push_str(close);
                last = Last::Closed;
            }
            word => {
                let word = word.to_string();
                if is_apart(&last, &word) {
                    text.push(' ');
                }
                text.push_str(&word);
                last = Last::Word;
            }
        }
    }
}

/// Whether there is a space before what comes next.
fn is_apart(last: &Last, next: &str) -> bool {
    let is_word = next.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"');
    match last {
        Last::Start => false,
        Last::Operator(operator) => match operator.as_str() {
            "," | ":" | "->" | "=" | "+" | ";" => true,
            ">" => is_word || matches!(next, "&" | "->" | "=" | "+" | "{ "),
            _ => false,
        },
        Last::Word if next == "[" => true,
        Last::Word => is_word || matches!(next, "&" | "->" | "=" | "+" | "'" | "*" | "{ " | "#"),
        Last::Closed => is_word || matches!(next, "&" | "->" | "=" | "+" | "{ "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_look_as_they_are_written() {
        for text in [
            "fn f<'a, T: Clone + 'a>(&self, x: &'a mut [T; 3], y: Option<&str>) -> Result<Vec<T>, E>",
            "fn g(self, visit: &mut dyn FnMut(&A, (u8, i8)) -> bool) where Self: Sized",
            "fn h(items: impl IntoIterator<Item = <T as A>::B>)",
        ] {
            let tokens: TokenStream = text.parse().unwrap();
            assert_eq!(spaced(&tokens), text);
        }
    }
}
