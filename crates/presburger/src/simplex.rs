//! The exact rational simplex method.
