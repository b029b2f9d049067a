//! How often a loop inside of a statement runs, nominally.
//!
//! A loop that a jump leaves, or one under a condition on data, is text of a statement. Its iterations go
//! over elements of some array, so an instance accesses as many elements as the loop has iterations, or it
//! has an unknown subscript, which may be any element. Both are bounded by what counts as a loop when the
//! program runs.
use crate::cost::trip_counts::Nominal;
use loopwright_presburger::{Aff, Budget, DimKind, Optimum};
use loopwright_scop::{Access, AccessKind, BodyPiece, Statement};

/// More iterations are not assumed: what runs decides how many there are.
const MOST_ITERATIONS: i64 = 256;

/// Steps for one coordinate of an instance.
const STEPS: u64 = 20_000;

/// The iterations of a `for` loop in the statement's text; one if there is none. Loops of other kinds may end
/// at once.
pub(crate) fn iterations_inside(statement: &Statement, nominal: &Nominal) -> i64 {
    if !has_loop(statement) {
        return 1;
    }
    let executed = statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill);
    let most = executed.map(|access| elements_of_an_instance(access, nominal)).max();
    most.unwrap_or(1).clamp(1, MOST_ITERATIONS)
}

fn has_loop(statement: &Statement) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    statement.body.pieces().iter().any(|piece| match piece {
        BodyPiece::Text(text) => text.split(|c| !is_word(c)).any(|word| word == "for"),
        _ => false,
    })
}

/// How many elements one instance accesses, as those of a box; one if no instance is found.
fn elements_of_an_instance(access: &Access, nominal: &Nominal) -> i64 {
    let n_in = access.relation.n(DimKind::In);
    let mut pairs = nominal.fix(&access.relation.wrap().flatten());
    for dim in 0..n_in {
        match pairs.dim_min_val(DimKind::Out, dim, &Budget::steps(STEPS)) {
            Ok(Optimum::At(least)) => pairs = pairs.fix(DimKind::Out, dim, &least),
            _ => return 1,
        }
    }
    let subscripts = n_in..pairs.n_dims();
    let extents = subscripts
        .map(|dim| nominal.extent(&pairs, &Aff::variable(pairs.space(), DimKind::Out, dim)));
    extents.fold(1, i64::saturating_mul)
}
