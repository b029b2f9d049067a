//! Parameters of the program's types in expressions that are computed in the type of iterators.
use loopwright_astgen::Lowering;
use loopwright_presburger::{Budget, DimKind, Optimum};
use loopwright_scop::{Parameter, Scop};
use std::ops::RangeInclusive;

/// The C type of generated iterators: bounds of program loops fit an `int`, sums of them fit this.
pub(crate) const ITERATOR_TYPE: &str = "long";

/// How near an `int` is taken to come to its limits at most: generated bounds are off by less from what the program
/// computes itself (by the size of tiles, by how much loops are shifted).
const DISTANCE_TO_LIMITS: i64 = 1 << 20;

/// Steps that a bound of a parameter may cost; without it the type's counts.
const BOUND_STEPS: u64 = 20_000;

/// Parameters of unsigned and unknown types are converted: in generated expressions parts may be negative that the
/// program does not compute, and unsigned they would wrap. Those that are narrower than iterators are where
/// a value may be too large for them.
pub(crate) fn convert_parameters(scop: &Scop, lowering: &mut Lowering) {
    for parameter in &scop.parameters {
        match signed_bytes(&parameter.c_type) {
            None => {
                let signed = format!("({ITERATOR_TYPE}) {}", parameter.name);
                lowering.write_parameter(&parameter.name, &signed);
            }
            Some(bytes) if bytes < 8 => {
                let range = range_of(scop, parameter, bytes, DISTANCE_TO_LIMITS);
                lowering.parameter_is_narrow(&parameter.name, range, ITERATOR_TYPE);
                let range = range_of(scop, parameter, bytes, -1);
                lowering.subtracted_parameter(&parameter.name, range);
            }
            Some(_) => {}
        }
    }
}

/// The values that a parameter of a signed type may have, of `int` those that are more than a distance away from the
/// least value.
fn range_of(scop: &Scop, parameter: &Parameter, bytes: u32, distance: i64) -> RangeInclusive<i64> {
    let most = (1_i64 << (8 * bytes - 1)) - 1;
    let (mut least, mut most) = match bytes {
        4 => (-most + distance, most - distance.max(0)),
        _ => (-most - 1, most),
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

/// The bytes of a type of C that is known to be signed.
fn signed_bytes(c_type: &str) -> Option<u32> {
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
