//! Reading multifor statements: Fassi, Clauss, Kuhn, Slama, "Multifor for multicore", IMPACT 2013, section 2.
//!
//! They are no C, so they are read from the file's own text, before the preprocessor; what stands around them
//! is not looked at. The text is searched by [`find`], heads are read by [`head`], bodies by [`body`],
//! expressions by [`expression`], all of them over the [`tokens`] of the text.
pub(crate) mod body;
pub(crate) mod expression;
pub(crate) mod find;
pub(crate) mod head;
pub(crate) mod statement;
pub(crate) mod tokens;
