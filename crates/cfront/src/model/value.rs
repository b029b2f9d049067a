//! Values of integer types that have a form.
use crate::facts::ctypes::ScalarType;
use crate::facts::integer_type::IntegerType;
use crate::model::pieces::Pieces;

/// The value of an expression, and its type.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) pieces: Pieces,
    pub(crate) integer_type: IntegerType,
}

impl Value {
    /// Whether a variable of a type that it is assigned to has the same value.
    pub(crate) fn is_kept_by(&self, scalar: &ScalarType) -> bool {
        let (own, other) = (self.integer_type, IntegerType::of(scalar));
        let is_known = scalar.is_integer() && scalar.bytes.is_some() && !scalar.is_truth_value();
        is_known && (own == other || (other.signed && own.signed && own.bytes <= other.bytes))
    }
}
