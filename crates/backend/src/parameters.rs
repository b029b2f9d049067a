//! Parameters of the program's types in expressions that are computed in the type of iterators.
use loopwright_astgen::Lowering;
use loopwright_presburger::{Budget, DimKind, Optimum};
use loopwright_scop::{Parameter, Scop};
use std::ops::RangeInclusive;

/// The C type of generated iterators: bounds of program loops fit an `int`, sums of them fit this.
pub(crate) const ITERATOR_TYPE: &str = "long";

/// Steps that a bound of a parameter may cost; without it the type's counts.
const BOUND_STEPS: u64 = 20_000;

/// Parameters of unsigned and unknown types are converted: in generated expressions parts may be negative
/// that the program does not compute, and unsigned they would wrap. Those that are narrower than iterators
/// are where a value may be too large for them.
pub(crate) fn convert_parameters(scop: &Scop, lowering: &mut Lowering) {
    for parameter in &scop.parameters {
        match signed_bytes(&parameter.c_type) {
            None => {
                let signed = format!("({ITERATOR_TYPE}) {}", parameter.name);
                lowering.write_parameter(&parameter.name, &signed);
            }
            Some(bytes) if bytes < 8 => {
                let range = parameter_range(scop, parameter);
                lowering.parameter_is_narrow(&parameter.name, range, ITERATOR_TYPE);
            }
            Some(_) => {}
        }
    }
}

/// The values that a parameter may have in generated expressions: those of its type, as far as the type of
/// iterators has them, between the bounds of the context.
pub fn parameter_range(scop: &Scop, parameter: &Parameter) -> RangeInclusive<i64> {
    let (mut least, mut most) = match (signed_bytes(&parameter.c_type), parameter.c_type.as_str()) {
        (Some(bytes), _) if bytes < 8 => {
            (-(1_i64 << (8 * bytes - 1)), (1_i64 << (8 * bytes - 1)) - 1)
        }
        (None, "unsigned char" | "uint8_t" | "_Bool" | "bool") => (0, u8::MAX.into()),
        (None, "unsigned short" | "uint16_t") => (0, u16::MAX.into()),
        (None, "unsigned" | "unsigned int" | "uint32_t") => (0, u32::MAX.into()),
        (None, "char" | "signed char" | "int8_t") => (i8::MIN.into(), u8::MAX.into()),
        (None, c_type) if is_unsigned(c_type) => (0, i64::MAX),
        _ => (i64::MIN, i64::MAX),
    };
    let context = &scop.context;
    let position = context.space().find_param(&parameter.name);
    let Some(position) = position else { return least..=most };
    let budget = Budget::steps(BOUND_STEPS);
    let bound = |optimum| match optimum {
        Ok(Optimum::At(value)) => loopwright_presburger::Int::to_i64(&value),
        _ => None,
    };
    if let Some(value) = bound(context.dim_min_val(DimKind::Param, position, &budget)) {
        least = least.max(value);
    }
    if let Some(value) = bound(context.dim_max_val(DimKind::Param, position, &budget)) {
        most = most.min(value);
    }
    least.min(most)..=most
}

/// Whether a type of C is known to be unsigned.
fn is_unsigned(c_type: &str) -> bool {
    const NAMES: [&str; 4] = ["size_t", "uint64_t", "uintptr_t", "uintmax_t"];
    NAMES.contains(&c_type) || c_type.split_whitespace().any(|word| word == "unsigned")
}

/// The bytes of a type of C that is known to be signed.
pub fn signed_bytes(c_type: &str) -> Option<u32> {
    const WORDS: [&str; 6] = ["signed", "short", "int", "long", "const", "register"];
    match c_type {
        "ssize_t" | "ptrdiff_t" | "int64_t" => Some(8),
        "int32_t" => Some(4),
        "int16_t" => Some(2),
        _ if !c_type.split_whitespace().all(|word| WORDS.contains(&word)) => None,
        _ if c_type.contains("long") => Some(8),
        _ if c_type.contains("short") => Some(2),
        _ => Some(4),
    }
}
