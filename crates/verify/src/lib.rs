//! Independent proofs: schedules against dependences, syntax trees against schedules.
