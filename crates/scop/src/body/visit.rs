//! Walking over bodies, and changing parts of them.
use super::Body;
use super::term::{Element, Form, Term, TermKind};
use loopwright_presburger::{PwAff, Result};

/// The way from the root of a body to a term in it: which child, level by level.
pub type TermPath = Vec<usize>;

impl Term {
    /// Calls `visit` for the term and all terms in it, the whole first, left before right.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        visit(self);
        self.children().iter().for_each(|child| child.for_each(visit));
    }

    /// Whether something holds for the term and all terms in it.
    pub fn all(&self, holds: &impl Fn(&Term) -> bool) -> bool {
        holds(self) && self.children().iter().all(|child| child.all(holds))
    }

    /// The variables in it, from left to right.
    pub fn elements(&self) -> Vec<&Element> {
        let mut found = Vec::new();
        self.for_each(&mut |term| found.extend(term.as_element()));
        found
    }

    /// The term at the end of a way down.
    pub fn at(&self, path: &[usize]) -> Option<&Term> {
        path.iter().try_fold(self, |term, child| term.children().get(*child))
    }

    /// Whether two terms are the same operations in the same order on the same leaves: blanks and parentheses
    /// around the whole or around parts do not count.
    pub fn is_alike(&self, other: &Term) -> bool {
        let (a, b) = (self.without_parentheses(), other.without_parentheses());
        let words = |term: &Term| -> Vec<String> {
            let texts = term.texts().iter().flat_map(|text| text.split_whitespace());
            texts.map(str::to_string).collect()
        };
        let has_own_words = matches!(
            a.kind(),
            TermKind::Literal(_)
                | TermKind::Name
                | TermKind::Cast(_)
                | TermKind::Member
                | TermKind::Opaque
        );
        a.kind() == b.kind()
            && (!has_own_words || words(a) == words(b))
            && a.children().len() == b.children().len()
            && a.children().iter().zip(b.children()).all(|(a, b)| a.is_alike(b))
    }

    fn map_forms(&mut self, map: &mut impl FnMut(&PwAff) -> Result<PwAff>) -> Result<()> {
        match self.kind_mut() {
            TermKind::Affine(form) => form.0 = map(&form.0)?,
            TermKind::Element(element) => {
                for subscript in &mut element.subscripts {
                    *subscript = map(subscript)?;
                }
            }
            _ => {}
        }
        self.children_mut().iter_mut().try_for_each(|child| child.map_forms(map))
    }

    /// The term with all subscripts and integer expressions mapped.
    ///
    /// # Errors
    /// Those of `map`.
    pub fn with_forms(mut self, map: &mut impl FnMut(&PwAff) -> Result<PwAff>) -> Result<Term> {
        self.map_forms(map)?;
        Ok(self)
    }

    fn for_each_element_mut(&mut self, change: &mut impl FnMut(&mut Element)) {
        if let TermKind::Element(element) = self.kind_mut() {
            change(element);
        }
        self.children_mut().iter_mut().for_each(|child| child.for_each_element_mut(change));
    }

    fn replace(&mut self, path: &[usize], by: Term) {
        match path {
            [] => *self = by,
            [child, rest @ ..] => {
                if let Some(child) = self.children_mut().get_mut(*child) {
                    child.replace(rest, by);
                }
                self.update_depth();
            }
        }
    }

    /// The subscripts and integer expressions in it, from left to right.
    pub fn forms(&self) -> Vec<&PwAff> {
        let mut found = Vec::new();
        self.for_each(&mut |term| match term.kind() {
            TermKind::Affine(form) => {
                let Form(form) = &**form;
                found.push(form);
            }
            TermKind::Element(element) => found.extend(&element.subscripts),
            _ => {}
        });
        found
    }
}

impl Body {
    /// The variables that the text names, from left to right.
    pub fn elements(&self) -> Vec<&Element> {
        self.root().map_or(Vec::new(), Term::elements)
    }

    /// The subscripts and integer expressions, from left to right.
    pub fn forms(&self) -> Vec<&PwAff> {
        self.root().map_or(Vec::new(), Term::forms)
    }

    /// The body with all subscripts and integer expressions mapped.
    ///
    /// # Errors
    /// Those of `map`.
    pub fn with_forms(&self, map: &mut impl FnMut(&PwAff) -> Result<PwAff>) -> Result<Body> {
        let mut body = self.clone();
        if let Some(root) = &mut body.root {
            root.map_forms(map)?;
        }
        Ok(body)
    }

    /// Changes each variable that the text names.
    pub fn for_each_element_mut(&mut self, change: &mut impl FnMut(&mut Element)) {
        if let Some(root) = &mut self.root {
            root.for_each_element_mut(change);
        }
    }

    /// The body with another term at the end of a way down.
    ///
    /// Where the new term is an operand, so must it be what is replaced, or in parentheses: nothing is put
    /// around it.
    ///
    /// ```
    /// use loopwright_scop::{Body, BodyPiece, Term};
    /// let body = Body::read([BodyPiece::text("x = (n * 2.5) * m - 1")]);
    /// let body = body.replaced(&[1, 0, 0], Term::of_text("p"));
    /// assert_eq!(body.text_with(|_| String::new()), "x = p * m - 1");
    /// ```
    #[must_use]
    pub fn replaced(&self, path: &[usize], by: Term) -> Body {
        let mut body = self.clone();
        if let Some(root) = &mut body.root {
            root.replace(path, by);
        }
        body
    }
}
