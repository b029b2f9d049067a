//! Names of the program in the words of C: kernels are compiled apart from it, and know nothing of its types
//! and enumerations.
//!
//! `(real) x[i]` is `(double) x[i]` in a kernel, and `op[i] == ADD` is `op[i] == 0`.
use super::words::WORDS;
use loopwright_scop::{Body, BodyPiece, Scop, Term, TermKind, TermPath};
use std::collections::BTreeMap;

/// The region whose statements have the words of C in place of names with these meanings.
pub(super) fn with_plain_words(scop: &Scop, meanings: &BTreeMap<String, String>) -> Scop {
    let mut scop = scop.clone();
    if meanings.is_empty() {
        return scop;
    }
    for statement in &mut scop.statements {
        statement.body = plain(&statement.body, meanings);
    }
    scop
}

fn plain(body: &Body, meanings: &BTreeMap<String, String>) -> Body {
    let mut found = Vec::new();
    if let Some(root) = body.root() {
        find(root, meanings, &mut Vec::new(), &mut found);
    }
    // Those inside come first, so that those outside have them.
    found.into_iter().rev().fold(body.clone(), |body, path| {
        let term = body.root().and_then(|root| root.at(&path));
        match term.and_then(|term| in_plain_words(term, meanings)) {
            Some(by) => body.replaced(&path, by),
            None => body,
        }
    })
}

fn find(
    term: &Term,
    meanings: &BTreeMap<String, String>,
    path: &mut TermPath,
    found: &mut Vec<TermPath>,
) {
    if in_plain_words(term, meanings).is_some() {
        found.push(path.clone());
    }
    for (position, child) in term.children().iter().enumerate() {
        path.push(position);
        find(child, meanings, path, found);
        path.pop();
    }
}

/// A term without what is inside of its parts; none if it has the words of C.
fn in_plain_words(term: &Term, meanings: &BTreeMap<String, String>) -> Option<Term> {
    let of_type = |own: &str| {
        let words: Vec<&str> = own.split_whitespace().collect();
        let is_plain = words.iter().all(|word| WORDS.contains(word));
        meanings.get(&words.join(" ")).filter(|_| !is_plain)
    };
    match term.kind() {
        TermKind::Name => value(meanings.get(term.text())?),
        TermKind::Cast(scalar) => {
            let meaning = of_type(term.cast_type()?)?;
            let kind = TermKind::Cast(*scalar);
            let text = term.text().replace(term.cast_type()?, meaning);
            Some(Term::new(kind, term.children().to_vec(), &[text]))
        }
        TermKind::Opaque if term.children().is_empty() && meanings.contains_key(term.text()) => {
            value(&meanings[term.text()])
        }
        TermKind::Opaque => {
            let texts: Vec<String> =
                term.texts().iter().map(|text| with_meanings(text, meanings)).collect();
            let is_same = texts == term.texts();
            (!is_same).then(|| Term::new(TermKind::Opaque, term.children().to_vec(), &texts))
        }
        _ => None,
    }
}

/// The value of a constant.
fn value(text: &str) -> Option<Term> {
    Body::read([BodyPiece::text(text)]).root().cloned()
}

/// A text with the meanings of its words; what follows a dot or an arrow is a member.
fn with_meanings(text: &str, meanings: &BTreeMap<String, String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut written, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        let is_member = [".", "->"].iter().any(|sign| written.trim_end().ends_with(sign));
        let meaning = meanings.get(token).filter(|_| is_word && !is_member);
        written.push_str(meaning.map_or(token, String::as_str));
        rest = after;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::PwAff;

    #[test]
    fn names_of_the_program_become_words_of_c() {
        let meanings = [
            ("real", "double"),
            ("enum op", "unsigned int"),
            ("MUL", "2"),
            ("LESS", "(-1)"),
            ("sizeof(real)", "8ul"),
        ];
        let meanings: BTreeMap<String, String> =
            meanings.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let of = |text: &str| {
            plain(&Body::read([BodyPiece::text(text)]), &meanings).text_with(PwAff::to_string)
        };
        assert_eq!(of("(real) a * MUL"), "(double) a * 2");
        assert_eq!(
            of("a == LESS ? (enum op) b : (int) c"),
            "a == (-1) ? (unsigned int) b : (int) c"
        );
        assert_eq!(of("(real) ((real) a + MUL)"), "(double) ((double) a + 2)");
        let own = "for (real t = 0; t < MUL; t = t + x.real) t";
        assert_eq!(of(own), "for (double t = 0; t < 2; t = t + x.real) t");
    }
}
