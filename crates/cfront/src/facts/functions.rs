//! Functions that may be called in a region.

/// The functions of `<math.h>` and `<complex.h>` that only compute a value from scalar arguments, and may
/// report an error in `errno`.
const WITH_ERRNO: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan2",
    "atanh",
    "cabs",
    "ccos",
    "cexp",
    "cos",
    "cosh",
    "cpow",
    "cproj",
    "csin",
    "csqrt",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fdim",
    "fma",
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
    "nextafter",
    "pow",
    "remainder",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tgamma",
];

/// The same that never report one.
const WITHOUT_ERRNO: &[&str] = &[
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

/// The same without variants for `float` and `long double`.
const OF_INTEGERS: &[&str] = &["abs", "labs", "llabs"];

/// Whether a function of C's library only computes a value from its arguments.
///
/// ```
/// assert!(loopwright_cfront::is_pure_function("sqrtf"));
/// assert!(!loopwright_cfront::is_pure_function("printf"));
/// ```
pub fn is_pure_function(name: &str) -> bool {
    is_one_of(WITH_ERRNO, name) || !may_set_errno(name)
}

/// Whether a function that only computes a value may report an error in `errno`.
pub(crate) fn may_set_errno(name: &str) -> bool {
    !is_one_of(WITHOUT_ERRNO, name) && !OF_INTEGERS.contains(&without_prefix(name))
}

/// Whether a function is one of some stems, or its variant for `float` or `long double`.
fn is_one_of(stems: &[&str], name: &str) -> bool {
    let name = without_prefix(name);
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    stems.contains(&name) || stems.contains(&stem)
}

fn without_prefix(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// Whether a name is that of a rounded quotient or an extremum by convention, where no file declares it.
pub(crate) fn is_conventional(name: &str) -> bool {
    matches!(name, "floord" | "intFloor" | "ceild" | "intCeil" | "min" | "max" | "imin" | "imax")
}
