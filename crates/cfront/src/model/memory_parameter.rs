//! Integers in memory that are symbolic constants, and objects that are read for sure.
use crate::model::pieces::Pieces;

/// An integer in memory that stands for a symbolic constant.
#[derive(Clone, Debug)]
pub(crate) struct LoadedConstant {
    /// The variable of the model that the constant is.
    pub(crate) parameter: u32,
    /// The variable that it is an element of, and its subscripts there.
    pub(crate) variable: u32,
    pub(crate) subscripts: Vec<Pieces>,
    /// The expression.
    pub(crate) text: String,
    /// The conditions of which one has to hold for it to be read; always if there are none.
    pub(crate) guards: Vec<String>,
}

impl LoadedConstant {
    /// The expression with the value of the constant, which is used only where the region reads it.
    pub(crate) fn value(&self) -> String {
        match &self.guards[..] {
            [] => self.text.clone(),
            [only] => format!("{only} ? {} : 0", self.text),
            all => format!("({}) ? {} : 0", all.join(") || ("), self.text),
        }
    }
}

/// An object behind a pointer: a variable, the members up to the last subscript, the subscripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadObject {
    pub(crate) root: u32,
    pub(crate) members: Vec<(usize, String)>,
    pub(crate) subscripts: Vec<Pieces>,
}
