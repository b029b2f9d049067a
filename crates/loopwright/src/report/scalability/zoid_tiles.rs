//! The tiles of a recursion over zoids, which are known for given values of the parameters: the zoids that
//! are executed step by step.
use loopwright_presburger::{Budget, Int, PwAff, Result, UnionMap};
use loopwright_scop::{UnfoldedZoid, ZoidBounds};
use loopwright_transform::cache_oblivious::ZoidProgram;

/// Zoids of one graph, at most.
const MOST_ZOIDS: usize = 500;

/// By how many doublings more than other tiles they are looked at: zoids have all widths between one and two
/// times the least, so that only among many of them the longest path is as long as it gets.
pub(super) const MORE_DOUBLINGS: u32 = 2;

/// The relation from instances to zoids, numbered in the order of a single thread; none if there are too
/// many.
///
/// # Errors
/// Those of operations on relations, a limit among them.
pub(super) fn zoid_tiles(
    program: &ZoidProgram,
    value: &impl Fn(&str) -> i64,
    budget: &Budget,
) -> Result<Option<UnionMap>> {
    let Some(whole) = unfolded(program, value, budget)? else { return Ok(None) };
    let mut all = Vec::new();
    collect(&whole, &mut all);
    let n_axes = program.recursion.axes.len();
    let list = (0..n_axes).fold("f".to_string(), |list, k| format!("{list}, x{k}"));
    let piece = |(number, zoid): (usize, &&ZoidBounds)| {
        let ZoidBounds { first, end, lines } = zoid;
        let between = lines.iter().enumerate().map(|(k, [low, low_slope, high, high_slope])| {
            format!(
                " and {low} + {low_slope}*(f - {first}) <= x{k} < {high} + {high_slope}*(f - {first})"
            )
        });
        let between: String = between.collect();
        format!("[{list}] -> [{number}] : {first} <= f < {end}{between}")
    };
    let pieces: Vec<String> = all.iter().enumerate().map(piece).collect();
    let zoids = UnionMap::parse(&format!("{{ {} }}", pieces.join("; ")))?;
    program.points.apply_range_within(&zoids, budget).map(Some)
}

/// The number of zoids that are executed one after the other at most, if those that wait for nothing but
/// phases of the recursion run at one time.
pub(super) fn waves(
    program: &ZoidProgram,
    value: &impl Fn(&str) -> i64,
    budget: &Budget,
) -> Result<Option<u64>> {
    Ok(unfolded(program, value, budget)?.map(|whole| whole.n_waves()))
}

/// What the recursion makes of the first zoid; none if it is too much.
fn unfolded(
    program: &ZoidProgram,
    value: &impl Fn(&str) -> i64,
    budget: &Budget,
) -> Result<Option<UnfoldedZoid>> {
    let at = |bound: &PwAff| -> Result<Option<i64>> {
        let names = bound.domain_space().param_names();
        let point: Vec<Int> = names.iter().map(|name| Int::from(value(name))).collect();
        Ok(bound.eval(&point, budget)?.and_then(|number| number.floor().to_i64()))
    };
    let mut extents = Vec::new();
    for (low, last) in &program.extremes {
        // Nothing is executed where there are no extremes.
        extents.push((at(low)?.unwrap_or(0), at(last)?.unwrap_or(-1)));
    }
    Ok(program.recursion.unfolded(&ZoidBounds::of_box(&extents), MOST_ZOIDS))
}

fn collect<'z>(zoid: &'z UnfoldedZoid, all: &mut Vec<&'z ZoidBounds>) {
    match zoid {
        UnfoldedZoid::Steps(zoid) => all.push(zoid),
        UnfoldedZoid::Phases(phases) => {
            phases.iter().flatten().for_each(|inside| collect(inside, all))
        }
    }
}
