//! isl's notation as LaTeX: another spelling of the same tokens.
use crate::core::error::Result;
use crate::notation::lexer::{Kind, Token, tokenize};

/// What an open parenthesis belongs to.
enum Bracket {
    Plain,
    Floor,
}

/// The LaTeX text of something printed in isl's notation.
pub(super) fn from_isl(text: &str) -> Result<String> {
    let tokens = tokenize(text)?;
    let mut pieces: Vec<String> = Vec::with_capacity(tokens.len());
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map_or("", |next| next.text);
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
        match (token.kind, token.text) {
            (Kind::Symbol, "(") if before == "floor" => open.push(Bracket::Floor),
            (Kind::Symbol, "(") => {
                open.push(Bracket::Plain);
                pieces.push("(".to_owned());
            }
            (Kind::Symbol, ")") => {
                let floor = matches!(open.pop(), Some(Bracket::Floor));
                pieces.push(if floor { "\\right\\rfloor" } else { ")" }.to_owned());
            }
            (Kind::Word, "floor") if token.keyword.is_some() => {
                pieces.push("\\left\\lfloor".to_owned());
            }
            (Kind::Symbol, symbol) => pieces.push(spelling(symbol).to_owned()),
            (Kind::Word, _) => pieces.push(word(token, next)),
            (Kind::Number, _) => pieces.push(token.text.to_owned()),
            (Kind::End, _) => {}
        }
    }
    Ok(pieces.join(" "))
}

fn spelling(symbol: &str) -> &str {
    match symbol {
        "{" => "\\{\\,",
        "}" => "\\,\\}",
        "[" => "(",
        "]" => ")",
        "->" => "\\to",
        ":" => "\\mid",
        ";" => "\\,\\} \\cup \\{\\,",
        "<=" => "\\le",
        ">=" => "\\ge",
        "*" => "\\cdot",
        other => other,
    }
}

/// A keyword, or a name: upright before a bracket, with its final digits as an index.
fn word(token: &Token<'_>, next: &str) -> String {
    match token.keyword {
        Some("and") => return "\\wedge".to_owned(),
        Some("or") => return "\\vee".to_owned(),
        Some("mod") => return "\\bmod".to_owned(),
        Some("exists") => return "\\exists".to_owned(),
        Some(keyword) => return format!("\\text{{{keyword}}}"),
        None => {}
    }
    let escaped = |name: &str| name.replace('_', "\\_");
    if next == "[" {
        return format!("\\mathrm{{{}}}", escaped(token.text));
    }
    let stem = token.text.trim_end_matches('\'');
    let primes = &token.text[stem.len()..];
    let letters = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &stem[letters.len()..];
    let letters = match letters.chars().count() {
        1 => escaped(letters),
        _ => format!("\\mathit{{{}}}", escaped(letters)),
    };
    match digits {
        "" => format!("{letters}{primes}"),
        digits => format!("{letters}_{{{digits}}}{primes}"),
    }
}

#[cfg(test)]
mod tests {
    use super::from_isl;

    #[test]
    fn tokens_are_spelled_in_latex() {
        let text = "[n] -> { S[i0, j'] : floor((i0)/3) <= n and exists (e0: 2e0 = j'); T[] }";
        assert_eq!(
            from_isl(text).unwrap(),
            "( n ) \\to \\{\\, \\mathrm{S} ( i_{0} , j' ) \\mid \\left\\lfloor ( i_{0} ) / 3 \
             \\right\\rfloor \\le n \\wedge \\exists ( e_{0} \\mid 2 e_{0} = j' ) \\,\\} \\cup \
             \\{\\, \\mathrm{T} ( ) \\,\\}"
        );
    }
}
