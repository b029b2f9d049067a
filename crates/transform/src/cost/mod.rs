//! What code costs, at assumed sizes: everything that decides whether a transformation pays, and nothing that
//! decides whether it is legal.
//!
//! * `nest`: the statements under a band in the form in which the others look at them;
//! * [`trip_counts`]: how many iterations loops have at assumed values of the parameters;
//! * `point_counts`: how many points domains have there that are no boxes;
//! * `subscripts`, [`locality`] and `drift`: strides, reuse, and where accesses move in the long run;
//! * [`profitability`]: whether tiles and parallel loops pay;
//! * [`footprint`]: the working sets of tiled loops;
//! * `estimate`: what a whole tree costs.
pub(crate) mod drift;
pub(crate) mod estimate;
mod feasible_parameters;
pub mod footprint;
mod inner_loops;
pub mod locality;
pub(crate) mod nest;
mod point_counts;
pub mod profitability;
pub(crate) mod subscripts;
pub mod trip_counts;
