//! The integration tests of this crate, as one program: a file is a subject.

mod budgets;
mod classical_counts;
mod closures;
mod convex_hulls;
mod counting;
mod damaged_text;
mod documented_by_example;
mod duals_and_vertices;
mod facts;
mod formats;
mod functions;
mod hard_emptiness;
mod isl_names;
mod notation;
mod order_and_bounds;
mod points_and_hulls;
mod polynomial_bounds;
mod polynomials;
mod random_sets;
mod ranks;
mod sizes_of_results;
mod strides_and_boxes;
mod structure;
mod text_traits;
mod threads;
mod tuples_of_functions;
