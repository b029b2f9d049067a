//! The part of the instances of a statement that a picture shows.
use crate::pipeline::region_result::RegionResult;
use crate::report::page::frame::Place;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Optimum};
use loopwright_scop::{Scop, Statement};

/// Steps for each question about a set.
pub(crate) const STEPS: u64 = 500_000;

/// A part of the instances of a statement in two dimensions.
pub(crate) struct Window {
    pub(crate) parameters: Vec<(String, Int)>,
    /// All instances in it, with all their iterators.
    pub(crate) points: Vec<Vec<Int>>,
    /// The iterators that are not drawn, with their values.
    pub(crate) fixed: Vec<(usize, Int)>,
}

/// The instances for the first of some parameter values that has enough of them, of which every `step`-th
/// along each dimension is taken.
pub(crate) fn window(
    result: &RegionResult,
    statement: &Statement,
    drawn: &[usize],
    values: &[i64],
    (width, step): (i64, i64),
) -> Option<Window> {
    let found =
        values.iter().filter_map(|value| part(result, statement, drawn, *value, (width, step)));
    let mut best: Option<Window> = None;
    for window in found {
        let is_better = best.as_ref().is_none_or(|best| window.points.len() > best.points.len());
        let is_enough = window.points.len() as i64 >= width;
        if is_better {
            best = Some(window);
        }
        if is_enough {
            break;
        }
    }
    best
}

/// A value for a parameter; those that say whether a pointer is null are 0 or 1.
fn parameter_value(scop: &Scop, name: &str, value: i64) -> Int {
    let parameter = scop.parameters.iter().find(|parameter| &*parameter.name == name);
    let text = parameter.and_then(|parameter| parameter.value.as_ref());
    let is_truth_value = text.is_some_and(|text| text.ends_with("!= 0"));
    Int::from(if is_truth_value { value % 2 } else { value })
}

fn part(
    result: &RegionResult,
    statement: &Statement,
    drawn: &[usize],
    value: i64,
    (width, step): (i64, i64),
) -> Option<Window> {
    let budget = Budget::steps(STEPS);
    let domain = statement.domain.intersect_params(&result.region.scop.context).ok()?;
    let names: Vec<String> = domain.space().param_names().iter().map(ToString::to_string).collect();
    let scop = &result.region.scop;
    let values: Vec<Int> = names.iter().map(|name| parameter_value(scop, name, value)).collect();
    let mut set = (0..names.len()).fold(domain, |set, k| set.fix(DimKind::Param, k, &values[k]));
    let mut fixed = Vec::new();
    for k in 0..statement.iterators.len() {
        let Optimum::At(least) = set.dim_min_val(DimKind::Out, k, &budget).ok()? else {
            return None;
        };
        if drawn.contains(&k) {
            set = set.upper_bound(DimKind::Out, k, &(&least + &Int::from(width * step - 1)));
            if step > 1 {
                let distance = Aff::variable(set.space(), DimKind::Out, k).add_constant(&-&least);
                set = set.intersect(&distance.modulo(&Int::from(step)).zero_set()).ok()?;
            }
        } else {
            set = set.fix(DimKind::Out, k, &least);
            fixed.push((k, least));
        }
    }
    let limit = (width * width) as usize + 1;
    let points = set.points(limit, &budget).ok()?;
    let points: Vec<Vec<Int>> = points.into_iter().map(|p| p[names.len()..].to_vec()).collect();
    let parameters = names.into_iter().zip(values).collect();
    (!points.is_empty()).then_some(Window { parameters, points, fixed })
}

/// Where a point is in the picture; none if it is too far away.
pub(crate) fn place(point: &[Int], y: Option<usize>, x: usize) -> Option<Place> {
    Some((point.get(x)?.to_i64()?, y.map_or(Some(0), |y| point.get(y)?.to_i64())?))
}

/// `n = 7, with k = 0`.
pub(crate) fn values_text(statement: &Statement, window: &Window) -> String {
    let mut parts: Vec<String> =
        window.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let fixed = window.fixed.iter();
    parts.extend(fixed.map(|(k, value)| format!("{} = {value}", statement.iterators[*k])));
    match parts.is_empty() {
        true => String::new(),
        false => format!(" for {}", parts.join(", ")),
    }
}
