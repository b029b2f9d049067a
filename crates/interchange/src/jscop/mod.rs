//! JSCoP: the JSON of Polly, with sets and relations in isl's notation.
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
