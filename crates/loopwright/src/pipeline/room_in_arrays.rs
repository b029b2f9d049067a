//! How much a region can do at most, since what it accesses lies in arrays of known sizes.
//!
//! `for (i = 0; i < n; i++) a[i] = 0;` with `int a[16]` has at most 16 iterations, whatever `n` is: others
//! would access what is no element. This only says whether new loops pay, so that an array which is larger
//! than its declaration does no harm.
use crate::settings::effort::Effort;
use loopwright_presburger::{DimKind, Int, Optimum, PwAff, Set};
use loopwright_scop::{Access, AccessKind, Scop, Statement};

/// Steps for the least and greatest values of a loop.
const STEPS: u64 = 20_000;

/// The greatest number of instances of a statement, for any sizes; none if that is not found.
pub(crate) fn most_instances(statement: &Statement, scop: &Scop, effort: &Effort) -> Option<i64> {
    let is_for_sure =
        |access: &&Access| matches!(access.kind, AccessKind::Read | AccessKind::MustWrite);
    let accesses = statement.accesses.iter().filter(is_for_sure);
    let rooms: Vec<Set> = accesses.filter_map(|access| instances_with_room(access, scop)).collect();
    let domain = for_known_sizes(&statement.domain, scop);
    let values = |dim: usize| {
        let own = std::iter::once(&domain);
        own.chain(&rooms).filter_map(|instances| values_of(instances, dim, effort)).min()
    };
    let n = statement.domain.space().n(DimKind::Out);
    (0..n).try_fold(1i64, |product, dim| Some(product.saturating_mul(values(dim)?)))
}

/// The instances for the values that symbolic constants may have: by their types, and by what is known of
/// them.
fn for_known_sizes(instances: &Set, scop: &Scop) -> Set {
    let known = instances.intersect_params(&scop.context);
    let mut known = known.unwrap_or_else(|_| instances.clone());
    for parameter in &scop.parameters {
        if let (Some(most), Some(position)) =
            (greatest_of_type(&parameter.c_type), known.find_param(&parameter.name))
        {
            known = known.upper_bound(DimKind::Param, position, &Int::from(most));
        }
    }
    known
}

/// The greatest value of a type that is too small for sizes that are worth much.
fn greatest_of_type(c_type: &str) -> Option<i64> {
    let words: Vec<&str> = c_type.split_whitespace().collect();
    let is_unsigned = words.contains(&"unsigned");
    let has = |word: &str| words.contains(&word);
    match () {
        () if has("_Bool") || has("bool") => Some(1),
        () if has("char") || has("int8_t") || has("uint8_t") => Some(255),
        () if has("uint16_t") || has("short") && is_unsigned => Some(65_535),
        () if has("int16_t") || has("short") => Some(32_767),
        () => None,
    }
}

/// The instances whose subscripts are in the extents of the array, if some of these are numbers.
fn instances_with_room(access: &Access, scop: &Scop) -> Option<Set> {
    let extents = &scop.array(access.array).extents;
    let mut relation = access.relation.clone();
    let mut is_bounded = false;
    for (position, extent) in extents.iter().enumerate().take(relation.space().n(DimKind::Out)) {
        let Some(extent) = extent.as_ref().and_then(number) else { continue };
        if extent <= Int::from(1) {
            // The last member of a structure for which more memory is taken.
            continue;
        }
        let last = &extent - &Int::from(1);
        relation = relation.lower_bound(DimKind::Out, position, &Int::from(0));
        relation = relation.upper_bound(DimKind::Out, position, &last);
        is_bounded = true;
    }
    is_bounded.then(|| relation.domain())
}

fn number(extent: &PwAff) -> Option<Int> {
    let [(_, aff)] = extent.pieces() else { return None };
    let value = aff.constant_value()?;
    Some(value.ceil())
}

/// The number of values between the least and the greatest one of a dimension.
fn values_of(instances: &Set, dim: usize, effort: &Effort) -> Option<i64> {
    let least = instances.dim_min_val(DimKind::Out, dim, &effort.budget(STEPS)).ok()?;
    let most = instances.dim_max_val(DimKind::Out, dim, &effort.budget(STEPS)).ok()?;
    match (least, most) {
        (Optimum::At(least), Optimum::At(most)) => Some((&most - &least).to_i64()?.max(0) + 1),
        (Optimum::Empty, _) => Some(0),
        _ => None,
    }
}
