//! Arrays with other dimensions in the model than in C.

pub(crate) mod delinearization;
