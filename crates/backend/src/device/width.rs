//! How wide iterators and subscripts of kernels are.

/// What kernels compute iterators and subscripts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// 32 bits, of which devices have the registers and the units: where all values fit
    /// ([`super::value_ranges`]).
    Short,
    /// 64 bits, as on processors.
    Long,
}

impl Width {
    /// The type of iterators.
    pub(super) fn iterator_type(self) -> &'static str {
        match self {
            Width::Short => "int",
            Width::Long => crate::parameters::ITERATOR_TYPE,
        }
    }
}
