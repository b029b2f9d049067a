//! How far a tiling scales: tile graphs, their waves, and what becomes of these when the data grow.
//!
//! A tiling scales weakly with a dimension of the data if the longest chain of tiles that wait for each other
//! does not grow with it: then twice the data on twice the processors take the same time (Gustafson).
//! [`tile_graph`] puts the instances of a program into tiles and finds which tile waits for which; [`waves`]
//! counts what can run at one time, and how long that takes on so many processors; [`wave_function`] does the
//! same for all sizes at once where the wave of a tile is an affine function of it; [`growth`] compares sizes
//! that double, with and without tiles, and says what limits a program: the tiling, or its dataflow.
//! [`shapes`] has the tilings of the literature for stencils as relations.
//!
//! Nothing here chooses or changes a schedule. Tilings are relations from instances to tiles, so that every
//! shape is looked at in the same way (those of schedule trees: [`tiled_tree`]), those with several shapes of
//! tiles and those that compute instances twice among them.
//!
//! *Source.* Wonnacott and Strout, "On the scalability of loop tiling techniques", IMPACT 2013.
pub mod growth;
pub mod shapes;
pub mod tile_graph;
pub mod tiled_tree;
pub mod wave_function;
pub mod waves;
