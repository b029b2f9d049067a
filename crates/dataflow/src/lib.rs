//! Exact dependences of every kind.
