//! Dependence analysis on access relations and a schedule that somebody else made.
pub(crate) mod access_flow;
pub(crate) mod access_information;
mod access_order;
mod access_text;
mod role;
pub(crate) mod schedule;
mod sure_dependences;
