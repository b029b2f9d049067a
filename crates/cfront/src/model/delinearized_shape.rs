//! Arrays with more dimensions in the model than in C.
use crate::model::linear::Linear;
use loopwright_scop::ElementText;

/// One dimension of a variable that stands for several.
#[derive(Clone, Debug)]
pub(crate) struct DelinearizedShape {
    /// Which one.
    pub(crate) dimension: usize,
    /// The extents of the dimensions after the outermost, with their C texts; of a sum what all subscripts
    /// but the last are multiplied by.
    pub(crate) strides: Vec<(Linear, String)>,
    /// How the subscripts become one.
    pub(crate) layout: Layout,
}

/// How several subscripts become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `(i * m + j) * n + k`: extents in each other.
    Nested,
    /// `i * p + j * q + k`: strides that have nothing to do with each other.
    Sum,
}

impl DelinearizedShape {
    /// The extents of all dimensions, from those that the variable has in C.
    pub(crate) fn extents(
        &self,
        declared: Vec<(Option<Linear>, String)>,
    ) -> Vec<(Option<Linear>, String)> {
        let inner = self.strides.iter().map(|(linear, text)| match self.layout {
            Layout::Nested => (Some(linear.clone()), text.clone()),
            Layout::Sum => (None, String::new()),
        });
        let mut all = declared;
        let place = self.dimension.min(all.len().saturating_sub(1));
        if let Some(outermost) = all.get_mut(place) {
            *outermost = (None, String::new());
        }
        let after = (place + 1).min(all.len());
        all.splice(after..after, inner);
        all
    }

    /// The text of an element whose subscripts are written with products, from that of one with
    /// `n` subscripts.
    pub(crate) fn text(&self, declared: &ElementText, n: usize) -> ElementText {
        let (before, after) = declared.parts();
        let mut texts = vec![before.to_string()];
        if after.is_empty() {
            texts[0].push('[');
            texts.extend((1..=n).map(|at| if at < n { "][" } else { "]" }.to_string()));
        } else {
            texts.extend(after.iter().cloned());
        }
        let n_strides = self.strides.len();
        if self.layout == Layout::Nested {
            texts[self.dimension].push_str(&"(".repeat(n_strides.saturating_sub(1)));
        }
        let sums = self.strides.iter().enumerate().map(|(at, (_, text))| match (at, self.layout) {
            (0, _) | (_, Layout::Sum) => format!(" * {text} + "),
            _ => format!(") * {text} + "),
        });
        let place = self.dimension + 1;
        texts.splice(place..place, sums);
        let before = texts.remove(0);
        ElementText::around(before, texts)
    }
}
