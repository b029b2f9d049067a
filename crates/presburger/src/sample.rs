//! Integer points of basic sets: emptiness, samples, optima.
