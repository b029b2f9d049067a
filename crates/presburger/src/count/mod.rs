//! Counting and summing over integer points, exactly.
//!
//! A count is the sum of 1. Sums are taken one variable at a time, or over the cones at the vertices; what
//! remains in the end are conditions on, and polynomials in, the columns that are not summed over:
//!
//! * [`summand`]: a polynomial over a polyhedron, the state of the work;
//! * [`equalities`]: variables that equalities determine;
//! * [`floors`]: variables that are floors of others, residues, floors of fixed columns;
//! * [`determined`]: variables with one value that need no floor, loops over tiles;
//! * [`components`]: groups of variables that nothing connects;
//! * [`faulhaber`]: sums of powers as polynomials;
//! * [`one_variable`]: the sum over one variable, and which one is next;
//! * [`brion`]: sums by the vertices, which [`chambers`] finds for parts of the parameter space, their
//!   [`cones`] as sums of simple ones, weights as sums of powers of [`linear_forms`], and [`todd`]'s
//!   polynomials;
//! * [`residues`]: shorter forms of polynomials in floors;
//! * [`pieces`]: the parts of the sum as a piecewise quasi-polynomial on disjoint domains;
//! * [`card`], [`sum`]: the operations;
//! * [`bounds`]: where the budget does not suffice;
//! * [`generating_function`]: generating functions as values;
//! * [`rank`]: ranks of elements, and elements by their ranks.
pub(crate) mod bounds;
mod brion;
mod card;
mod chambers;
mod components;
mod cones;
mod determined;
mod equalities;
mod faulhaber;
mod floors;
pub(crate) mod generating_function;
mod linear_forms;
mod listed;
mod one_variable;
mod pieces;
pub(crate) mod rank;
pub(crate) mod residues;
mod sum;
mod summand;
mod todd;
