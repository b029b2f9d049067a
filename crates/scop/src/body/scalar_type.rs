//! The types of values.

/// A floating type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatingType {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// A floating type.
    Floating(FloatingType),
    /// An integer type, by its size.
    Integer {
        /// Whether it has negative values.
        is_signed: bool,
        /// Its size.
        bytes: u64,
    },
}

impl FloatingType {
    /// Its name in C.
    pub fn keyword(self) -> &'static str {
        match self {
            FloatingType::Float => "float",
            FloatingType::Double => "double",
            FloatingType::LongDouble => "long double",
        }
    }
}

impl ScalarType {
    /// `int`.
    pub const INT: ScalarType = ScalarType::Integer { is_signed: true, bytes: 4 };

    /// The type that C's own words or the names of `stdint.h` and `stddef.h` say; none for other names. Sizes
    /// are those of targets on which `long` and pointers have 8 bytes.
    ///
    /// ```
    /// use loopwright_scop::ScalarType;
    /// let long = ScalarType::Integer { is_signed: true, bytes: 8 };
    /// assert_eq!(ScalarType::of_name("long int"), Some(long));
    /// assert_eq!(ScalarType::of_name("real"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<ScalarType> {
        let integer = |is_signed, bytes| Some(ScalarType::Integer { is_signed, bytes });
        match name {
            "size_t" | "uint64_t" | "uintptr_t" => return integer(false, 8),
            "ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t" => return integer(true, 8),
            "int32_t" => return integer(true, 4),
            "uint32_t" => return integer(false, 4),
            "int16_t" => return integer(true, 2),
            "uint16_t" => return integer(false, 2),
            "int8_t" => return integer(true, 1),
            "uint8_t" | "_Bool" => return integer(false, 1),
            _ => {}
        }
        let words: Vec<&str> = name.split_whitespace().collect();
        let count = |word| words.iter().filter(|own| **own == word).count();
        let known = ["char", "short", "int", "long", "signed", "unsigned", "float", "double"];
        if words.is_empty() || words.iter().any(|word| !known.contains(word)) {
            return None;
        }
        match (count("float"), count("double"), count("long")) {
            (1, 0, 0) if words.len() == 1 => Some(ScalarType::Floating(FloatingType::Float)),
            (0, 1, 0) if words.len() == 1 => Some(ScalarType::Floating(FloatingType::Double)),
            (0, 1, 1) if words.len() == 2 => Some(ScalarType::Floating(FloatingType::LongDouble)),
            (0, 0, n_long) => {
                let bytes = match (count("char"), count("short"), n_long) {
                    (1, 0, 0) => 1,
                    (0, 1, 0) => 2,
                    (0, 0, 0) => 4,
                    (0, 0, 1 | 2) => 8,
                    _ => return None,
                };
                integer(count("unsigned") == 0, bytes)
            }
            _ => None,
        }
    }

    /// Whether it is an integer type that is larger than `int`.
    pub fn is_wide_integer(self) -> bool {
        matches!(self, ScalarType::Integer { bytes, .. } if bytes > 4)
    }

    /// The type after integer promotion.
    pub fn promoted(self) -> ScalarType {
        match self {
            ScalarType::Integer { bytes, .. } if bytes < 4 => ScalarType::INT,
            other => other,
        }
    }

    /// The type in which an operator computes with values of the two types (the usual arithmetic
    /// conversions).
    pub fn joined(self, other: ScalarType) -> ScalarType {
        use ScalarType::{Floating, Integer};
        match (self.promoted(), other.promoted()) {
            (Floating(a), Floating(b)) => Floating(a.max(b)),
            (Floating(a), Integer { .. }) | (Integer { .. }, Floating(a)) => Floating(a),
            (
                Integer { is_signed: signed, bytes },
                Integer { is_signed: other_signed, bytes: other_bytes },
            ) => {
                // The larger one decides; of the same size, the unsigned one.
                let decides = |own: u64, its: u64, sign: bool| own < its || sign;
                let is_signed = decides(bytes, other_bytes, signed)
                    && decides(other_bytes, bytes, other_signed);
                Integer { is_signed, bytes: bytes.max(other_bytes) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_convert_as_in_c() {
        let of = |name| ScalarType::of_name(name).unwrap();
        let cases = [
            ("char", "short", "int"),
            ("int", "unsigned", "unsigned"),
            ("unsigned", "long", "long"),
            ("unsigned long", "long", "unsigned long"),
            ("float", "long", "float"),
            ("float", "double", "double"),
            ("long double", "double", "long double"),
        ];
        for (a, b, expected) in cases {
            assert_eq!(of(a).joined(of(b)), of(expected), "{a}, {b}");
            assert_eq!(of(b).joined(of(a)), of(expected), "{b}, {a}");
        }
    }

    #[test]
    fn names_of_types() {
        for name in ["real", "", "long float", "int *", "struct s", "short long"] {
            assert_eq!(ScalarType::of_name(name), None, "{name}");
        }
        assert_eq!(
            ScalarType::of_name("unsigned char").map(ScalarType::promoted),
            Some(ScalarType::INT)
        );
        assert!(ScalarType::of_name("size_t").is_some_and(ScalarType::is_wide_integer));
    }
}
