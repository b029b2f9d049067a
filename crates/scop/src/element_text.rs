//! How elements of arrays are written in C.

/// The text around the subscripts of an element.
///
/// ```
/// use loopwright_scop::ElementText;
/// let subscripts = ["c0 + 1".to_string(), "c1".to_string()];
/// assert_eq!(ElementText::named("A").with(&subscripts), "A[c0 + 1][c1]");
/// let member = ElementText::around("a[", ["].b[", "].x"]);
/// assert_eq!(member.with(&subscripts), "a[c0 + 1].b[c1].x");
/// let linearised = ElementText::around("A[", [" * n + ", "]"]);
/// assert_eq!(linearised.with(&subscripts), "A[(c0 + 1) * n + c1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ElementText {
    /// What comes first: all there is for scalars.
    before: String,
    /// What comes after each subscript; none if every subscript has brackets of its own.
    after: Vec<String>,
}

impl ElementText {
    /// `base[..][..]`, or a scalar.
    pub fn named(base: impl Into<String>) -> Self {
        ElementText { before: base.into(), after: Vec::new() }
    }

    /// `before`, and after each subscript one of the texts.
    pub fn around<T: Into<String>>(
        before: impl Into<String>,
        after: impl IntoIterator<Item = T>,
    ) -> Self {
        let after = after.into_iter().map(Into::into).collect();
        ElementText { before: before.into(), after }
    }

    /// The text before all subscripts and the texts after each one, if they do not all have brackets
    /// of their own.
    pub fn parts(&self) -> (&str, &[String]) {
        (&self.before, &self.after)
    }

    /// Whether the text is `name[..][..]`.
    pub fn is_named(&self, name: &str) -> bool {
        self.before == name && self.after.is_empty()
    }

    /// Whether elements whose last subscripts differ by one lie side by side: nothing follows the last
    /// subscript but its bracket. (Members of structures do not.)
    pub fn is_contiguous(&self) -> bool {
        self.after.last().is_none_or(|last| last == "]")
    }

    /// The element with the given subscripts, in C. Subscripts that are operands get parentheses
    /// where they need them.
    pub fn with(&self, subscripts: &[String]) -> String {
        let mut text = self.before.clone();
        if self.after.is_empty() {
            subscripts.iter().for_each(|subscript| text.push_str(&format!("[{subscript}]")));
            return text;
        }
        for (subscript, after) in subscripts.iter().zip(&self.after) {
            let is_word = subscript.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_word || (text.ends_with('[') && after.starts_with(']')) {
                text.push_str(subscript);
            } else {
                text.push_str(&format!("({subscript})"));
            }
            text.push_str(after);
        }
        text
    }
}

impl From<&str> for ElementText {
    fn from(base: &str) -> Self {
        ElementText::named(base)
    }
}
