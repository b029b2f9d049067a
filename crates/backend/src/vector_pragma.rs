//! Hints for loops whose iterations are independent.
//!
//! OpenMP's `simd` says so, and that the bound of the loop is evaluated once, but compilers heed it with
//! `-fopenmp` or `-fopenmp-simd` only. Without these, gcc and clang have hints of their own, and the bound
//! goes into a variable.

/// What stands before innermost loops whose iterations are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorPragma {
    /// `#pragma omp simd`, in C with OpenMP; nothing in sequential C.
    OpenMp,
    /// `#pragma GCC ivdep`, which gcc heeds without any option.
    Gcc,
    /// `#pragma clang loop vectorize(assume_safety)`, the same for clang.
    Clang,
}

impl VectorPragma {
    /// The line before a loop in which nothing is private and no values are combined.
    pub(crate) fn line(self) -> &'static str {
        match self {
            VectorPragma::OpenMp => "#pragma omp simd",
            VectorPragma::Gcc => "#pragma GCC ivdep",
            VectorPragma::Clang => "#pragma clang loop vectorize(assume_safety)",
        }
    }
}
