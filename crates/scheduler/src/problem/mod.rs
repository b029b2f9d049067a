//! What the search for one band gets to see, common to [`crate::pluto`] and [`crate::feautrier`].
pub(crate) mod band_problem;
pub(crate) mod constraint_kinds;
pub(crate) mod distances;
pub(crate) mod lineality;
pub(crate) mod schedule_variables;
