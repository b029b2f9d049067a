//! Ranks: the number of an iteration of a nest in the order of execution, and the iteration of a number.
//!
//! The ranks of the iterations of a nest are quasi-polynomials in its indices and symbolic constants (Clauss,
//! Meister, "Automatic memory layout transformations to optimize spatial locality in parameterized loop
//! nests", 2000). Two nests with the same number of iterations can be executed together, iteration `K` of one
//! with iteration `K` of the other, whatever their shapes (section 5 of the paper).
//!
//! * [`ranking`]: the polynomials, from counts, and their inverse by bisection;
//! * [`c_text`]: polynomials and roots as C, [`unranking`]: the search for the iteration of a rank;
//! * [`mapping`]: nests that advance by ranks, as C: [`nest`] by counting, together [`interleaved`] or in
//!   [`blocks`].
pub(crate) mod blocks;
pub(crate) mod c_text;
pub(crate) mod interleaved;
pub(crate) mod lines;
pub(crate) mod mapping;
pub(crate) mod nest;
pub(crate) mod ranking;
pub(crate) mod renaming;
pub(crate) mod trip_count;
pub(crate) mod unranking;
