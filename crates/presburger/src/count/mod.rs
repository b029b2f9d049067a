//! Counting and summing over integer points, exactly.
//!
//! A count is the sum of 1. Sums are taken one variable at a time; what remains in the end are
//! conditions on, and polynomials in, the columns that are not summed over:
//!
//! * [`summand`]: a polynomial over a polyhedron, the state of the work;
//! * [`equalities`]: variables that equalities determine;
//! * [`floors`]: variables that are floors of others, residues, floors of fixed columns;
//! * [`determined`]: variables with one value that need no floor, loops over tiles;
//! * [`components`]: groups of variables that nothing connects;
//! * [`faulhaber`]: sums of powers as polynomials;
//! * [`one_variable`]: the sum over one variable, and which one is next;
//! * [`pieces`]: the parts of the sum as a piecewise quasi-polynomial on disjoint domains;
//! * [`card`], [`sum`]: the operations;
//! * [`rank`]: ranks of elements, and elements by their ranks.
mod card;
mod components;
mod determined;
mod equalities;
mod faulhaber;
mod floors;
mod one_variable;
mod pieces;
pub(crate) mod rank;
mod sum;
mod summand;
