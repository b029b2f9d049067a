//! The integration tests of this crate, as one program: a file is a subject.

mod axes;
mod barriers;
mod contractions;
mod generated_loops;
mod last_values_and_parts;
mod parallel_loops;
mod partial_results;
mod planted_kernel_marks;
mod planted_transfers;
mod promotions;
mod random_schedules;
mod scans;
mod schedules;
mod searches;
mod streams;
mod support;
mod syntax_trees;
mod tile_boxes;
mod transfers;
mod variable_tiles;
mod zoids;
