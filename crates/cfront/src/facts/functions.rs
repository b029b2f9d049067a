//! Functions that may be called in a region.

/// The functions of `<math.h>`, `<complex.h>` and `<stdlib.h>` that only compute a value from scalar arguments.
const PURE: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "cbrt",
    "ccos",
    "ceil",
    "cexp",
    "cimag",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "cpow",
    "cproj",
    "creal",
    "csin",
    "csqrt",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "inff",
    "inf",
    "huge_val",
    "huge_valf",
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "signbit",
    "isgreater",
    "isless",
    "isgreaterequal",
    "islessequal",
];

/// The same without variants for `float` and `long double`.
const PURE_INTEGER: &[&str] = &["abs", "labs", "llabs"];

/// Whether a function of C's library only computes a value from its arguments.
///
/// ```
/// assert!(loopwright_cfront::is_pure_function("sqrtf"));
/// assert!(!loopwright_cfront::is_pure_function("printf"));
/// ```
pub fn is_pure_function(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    PURE.contains(&name) || PURE.contains(&stem) || PURE_INTEGER.contains(&name)
}

/// The stems of those that never report an error in `errno`.
const WITHOUT_ERRNO: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "atan",
    "cbrt",
    "ceil",
    "cimag",
    "conj",
    "copysign",
    "creal",
    "erf",
    "fabs",
    "floor",
    "fmax",
    "fmin",
    "nearbyint",
    "rint",
    "round",
    "tanh",
    "trunc",
    "inff",
    "inf",
    "huge_val",
    "huge_valf",
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "signbit",
    "isgreater",
    "isless",
    "isgreaterequal",
    "islessequal",
];

/// Whether a function that only computes a value may report an error in `errno`.
pub(crate) fn may_set_errno(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    !WITHOUT_ERRNO.contains(&name) && !WITHOUT_ERRNO.contains(&stem)
}

/// Whether a name is that of a rounded quotient or an extremum by convention, where no file declares it.
pub(crate) fn is_conventional(name: &str) -> bool {
    matches!(name, "floord" | "intFloor" | "ceild" | "intCeil" | "min" | "max" | "imin" | "imax")
}
