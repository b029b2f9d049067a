//! Building bodies from left to right.
use super::term::{Element, Term, TermKind};
use super::{Body, BodyPiece};
use crate::ArrayId;
use loopwright_presburger::PwAff;

/// Builds a body from the texts and leaves of a statement, in their order, and from the beginnings and ends
/// of its terms.
///
/// What a builder is given is never lost: where the texts and parts of a term do not have the form of its
/// kind, it becomes [`TermKind::Opaque`]. A term of one part and no text is that part. Blanks at the ends of
/// a term belong to what is around it.
///
/// ```
/// use loopwright_scop::{ArithmeticOperator, AssignmentOperator, BodyBuilder, TermKind};
/// let kind = TermKind::Assignment(AssignmentOperator::Update(ArithmeticOperator::Add));
/// let mut builder = BodyBuilder::default();
/// builder.open(kind.clone());
/// builder.open(TermKind::Opaque);
/// builder.text("x");
/// builder.close();
/// builder.text(" +=");
/// builder.open(TermKind::Opaque);
/// builder.text(" 2");
/// builder.close();
/// builder.close();
/// let body = builder.finish();
/// assert_eq!(body.root().map(|root| root.kind()), Some(&kind));
/// assert_eq!(body.text_with(|_| String::new()), "x += 2");
/// ```
#[derive(Debug)]
pub struct BodyBuilder {
    /// The terms that are open, the body as a whole first.
    open: Vec<OpenTerm>,
    hidden: Vec<ArrayId>,
}

#[derive(Debug)]
struct OpenTerm {
    kind: TermKind,
    children: Vec<Term>,
    texts: Vec<String>,
}

impl OpenTerm {
    fn new(kind: TermKind) -> Self {
        OpenTerm { kind, children: Vec::new(), texts: vec![String::new()] }
    }

    fn text(&mut self, text: &str) {
        if let Some(last) = self.texts.last_mut() {
            last.push_str(text);
        }
    }

    fn child(&mut self, child: Term) {
        self.children.push(child);
        self.texts.push(String::new());
    }
}

impl Default for BodyBuilder {
    fn default() -> Self {
        BodyBuilder { open: vec![OpenTerm::new(TermKind::Opaque)], hidden: Vec::new() }
    }
}

impl BodyBuilder {
    /// Begins a term of a kind; [`TermKind::Opaque`] is one whose kind its text and its parts say.
    pub fn open(&mut self, kind: TermKind) {
        self.open.push(OpenTerm::new(kind));
    }

    /// Ends the term that was begun last; the body as a whole stays open.
    pub fn close(&mut self) {
        if self.open.len() < 2 {
            return;
        }
        let Some(closed) = self.open.pop() else { return };
        let (before, term, after) = term_of(closed);
        if let Some(around) = self.open.last_mut() {
            around.text(&before);
            if let Some(term) = term {
                around.child(term);
            }
            around.text(&after);
        }
    }

    /// Text of the term that was begun last.
    pub fn text(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.text(text);
        }
    }

    /// An integer expression.
    pub fn affine(&mut self, form: PwAff) {
        self.term(Term::affine(form));
    }

    /// A variable.
    pub fn element(&mut self, element: Element) {
        self.term(Term::element(element));
    }

    fn term(&mut self, term: Term) {
        if let Some(open) = self.open.last_mut() {
            open.child(term);
        }
    }

    /// A variable that a call accesses and the text does not name.
    pub fn hidden(&mut self, array: ArrayId) {
        self.hidden.push(array);
    }

    /// A piece of the text of the term that was begun last.
    pub fn piece(&mut self, piece: BodyPiece<'_>) {
        match piece {
            BodyPiece::Text(text) => self.text(&text),
            BodyPiece::Affine(form) => self.affine(form.into_owned()),
            BodyPiece::Element(element) => self.element(element.into_owned()),
            BodyPiece::Hidden(array) => self.hidden(array),
        }
    }

    /// The body; what is open ends here.
    pub fn finish(mut self) -> Body {
        while self.open.len() > 1 {
            self.close();
        }
        let root = self.open.pop().and_then(|whole| {
            let has_blanks = |text: Option<&String>, is_end: bool| {
                text.is_some_and(|text| match is_end {
                    true => text.ends_with(' '),
                    false => text.starts_with(' '),
                })
            };
            if has_blanks(whole.texts.first(), false) || has_blanks(whole.texts.last(), true) {
                return Some(Term::new(whole.kind, whole.children, &whole.texts));
            }
            term_of(whole).1
        });
        Body { root, hidden: self.hidden }
    }
}

/// The term with the blanks before and after it; none if there is nothing else.
fn term_of(mut closed: OpenTerm) -> (String, Option<Term>, String) {
    let before = closed.texts.first_mut().map_or(String::new(), |first| {
        first.drain(..first.len() - first.trim_start_matches(' ').len()).collect()
    });
    let after = closed
        .texts
        .last_mut()
        .map_or(String::new(), |last| last.split_off(last.trim_end_matches(' ').len()));
    let has_text = closed.texts.iter().any(|text| !text.is_empty());
    let term = match closed.children.len() {
        0 if !has_text => None,
        1 if !has_text => closed.children.pop(),
        _ => Some(Term::new(closed.kind, closed.children, &closed.texts)),
    };
    (before, term, after)
}
