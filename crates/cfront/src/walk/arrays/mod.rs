//! Arrays with other dimensions in the model than in C.

pub(crate) mod delinearization;
pub(crate) mod stride_sums;
