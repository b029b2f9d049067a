//! Integer types of C, and values of them that have a form.
use crate::facts::ctypes::ScalarType;
use loopwright_scop::ElementKind;

/// The integer type that C computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerType {
    pub(crate) bytes: u64,
    pub(crate) signed: bool,
}

impl IntegerType {
    /// Whether a number is a value of the type.
    pub(crate) fn holds(self, value: i64) -> bool {
        if self.bytes >= 8 {
            return self.signed || value >= 0;
        }
        let (least, values) = self.range();
        (least..least + values).contains(&value)
    }

    /// The greatest value of the type that a form has.
    pub(crate) fn greatest(self) -> i64 {
        let bits = 8 * self.bytes - u64::from(self.signed);
        if bits >= 63 { i64::MAX } else { (1i64 << bits) - 1 }
    }

    /// The least value of the type.
    pub(crate) fn least(self) -> i64 {
        match (self.signed, self.bytes) {
            (false, _) => 0,
            (true, 8..) => i64::MIN,
            (true, bytes) => -(1i64 << (8 * bytes - 1)),
        }
    }

    /// Whether it has all values of another type.
    pub(crate) fn has_all_of(self, other: IntegerType) -> bool {
        match (self.signed, other.signed) {
            (true, false) => self.bytes > other.bytes,
            (false, true) => false,
            _ => self.bytes >= other.bytes,
        }
    }

    pub(crate) const INT: IntegerType = IntegerType { bytes: 4, signed: true };

    /// The type as declared.
    pub(crate) fn of(scalar: &ScalarType) -> IntegerType {
        let signed = scalar.kind == ElementKind::Signed;
        IntegerType { bytes: scalar.bytes.unwrap_or(4), signed }
    }

    /// The least value, and the number of values, of a type of less than 64 bits.
    pub(crate) fn range(self) -> (i64, i64) {
        let values = 1i64 << (8 * self.bytes.min(7));
        (if self.signed { -values / 2 } else { 0 }, values)
    }

    /// C's integer promotion.
    pub(crate) fn promoted(self) -> IntegerType {
        if self.bytes < 4 { Self::INT } else { self }
    }

    /// C's usual arithmetic conversions.
    pub(crate) fn common(self, other: IntegerType) -> IntegerType {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bytes.cmp(&b.bytes) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => {
                IntegerType { bytes: a.bytes, signed: a.signed && b.signed }
            }
        }
    }
}
