//! Rewriting of schedule trees: tiling, wavefronts, loop choice.
