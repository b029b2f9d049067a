//! Whether a pointer is null, as a symbolic constant.

/// A symbolic constant that says whether a pointer is not null.
#[derive(Clone, Debug)]
pub(crate) struct NullTest {
    /// The variable of the model that the constant is.
    pub(crate) parameter: u32,
    /// The name of the pointer.
    pub(crate) pointer: String,
}

impl NullTest {
    /// The expression with the value of the constant.
    pub(crate) fn value(&self) -> String {
        format!("{} != 0", self.pointer)
    }
}
