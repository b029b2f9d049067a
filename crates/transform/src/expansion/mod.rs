//! Expansion of scalars, and contraction to arrays of a tile.
//!
//! A scalar that takes a sum ties all statements around it to one point of the loops outside:
//!
//! ```text
//! for (i) for (j) {                      for (ii, jj: tiles) {
//!   s = 0;                                 double s_tile[128][384];
//!   for (k) s += B[k][j] * A[i][k];          for (i, j: points) s_tile[i - ii][j - jj] = 0;
//!   C[i][j] = s;                     ⟶     for (k, i, j: points)
//! }                                          s_tile[i - ii][j - jj] += B[k][j] * A[i][k];
//!                                          for (i, j: points) C[i][j] = s_tile[i - ii][j - jj];
//!                                        }
//! ```
//!
//! *Expansion* ([`expand`]): if no value of the scalar goes from one iteration of `i` and `j` to another, it
//! may have an element per iteration, and what remains are dependences that have to do with values
//! (Feautrier, "Array expansion", ICS 1988). A schedule is then found for that program.
//!
//! *Contraction* ([`contract`]): where the statements that share these elements have become loops one after
//! the other, they are put together again in the outer tile loops, where nothing goes from one tile to
//! another. Each tile then needs no more than an array with its own elements, as small as a panel.
//!
//! # Legality
//! The same operations run on the same values. `loopwright_verify` proves that every read finds the value
//! that the scalar had, from the dependences of the program, and that no two elements of a tile share
//! a cell, from the generated loops.
mod arrays;
mod contract;
mod fuse;
mod scalars;

pub use arrays::{ExpandedArrays, expand_arrays};
pub use contract::{Contracted, contract};
pub use scalars::{Expanded, expand};
