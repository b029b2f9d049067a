//! Subscripts that depend on data, in arrays of several dimensions: memory of a device has no rows, so they
//! become one subscript.
//!
//! `a[x][y]`, where `a` has rows of `n` elements, is `a[((long) (x)) * n + (y)]`.
use loopwright_scop::{ArrayId, Body, Term, TermKind, TermPath};

/// The body with one subscript in place of several; `rows` has the extents of all dimensions but the first.
pub(super) fn with_linear_subscripts(body: &Body, rows: &dyn Fn(ArrayId) -> Vec<String>) -> Body {
    let mut found = Vec::new();
    if let Some(root) = body.root() {
        find(root, &mut Vec::new(), &mut found);
    }
    // Those inside come first, so that the paths of those outside stay.
    found.into_iter().rev().fold(body.clone(), |body, path| {
        let Some(term) = body.root().and_then(|root| root.at(&path)) else { return body };
        let [element, subscripts @ ..] = term.children() else { return body };
        let Some(array) = element.as_element().map(|element| element.array) else { return body };
        let rows = rows(array);
        if rows.len() + 1 != subscripts.len() || rows.is_empty() {
            return body;
        }
        let place = linear(subscripts, &rows);
        let by = Term::new(TermKind::Subscript, vec![element.clone(), place], &["", "[", "]"]);
        body.replaced(&path, by)
    })
}

/// Whether a term is an array of several dimensions, by as many subscripts as it has.
pub(super) fn is_whole(term: &Term, n_dims: usize) -> bool {
    *term.kind() == TermKind::Subscript && term.children().len() == n_dims + 1
}

fn linear(subscripts: &[Term], rows: &[String]) -> Term {
    let mut texts = vec!["(".repeat(rows.len()) + "(long) ("];
    for (position, row) in rows.iter().enumerate() {
        let end = if position == 0 { ")" } else { "))" };
        texts.push(format!("{end} * {row} + ("));
    }
    texts.push("))".to_string());
    Term::new(TermKind::Opaque, subscripts.to_vec(), &texts)
}

fn find(term: &Term, path: &mut TermPath, found: &mut Vec<TermPath>) {
    if *term.kind() == TermKind::Subscript {
        found.push(path.clone());
    }
    for (position, child) in term.children().iter().enumerate() {
        path.push(position);
        find(child, path, found);
        path.pop();
    }
}
