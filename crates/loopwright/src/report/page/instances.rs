//! Pictures of the instances of statements as points, with arrows for dependences.
//!
//! All is drawn from the sets and relations of the region for small values of the parameters, in two
//! dimensions at a time; the other iterators have their least values.
use crate::pipeline::region_result::RegionResult;
use crate::report::page::frame::{Frame, Place};
use crate::report::page::markup::escape;
use crate::report::page::window::{STEPS, Window, place, values_text, window};
use loopwright_dataflow::Dependence;
use loopwright_presburger::{Budget, DimKind, Int, Map};
use loopwright_scop::Statement;
use std::fmt::Write;

/// The values that parameters are tried with for points and arrows.
const SMALL: [i64; 6] = [7, 6, 8, 5, 10, 14];

/// The widest picture of points, in iterations.
const MAX_POINTS: i64 = 12;

/// More arrows say nothing.
const MAX_ARROWS: usize = 300;

/// The points of a statement in two dimensions, `y` down and `x` to the right, with arrows for its
/// dependences on itself.
pub(crate) fn points_figure(
    result: &RegionResult,
    statement: &Statement,
    y: Option<usize>,
    x: usize,
) -> Option<String> {
    let drawn: Vec<usize> = y.into_iter().chain([x]).collect();
    let window = window(result, statement, &drawn, &SMALL, (MAX_POINTS, 1))?;
    let places: Vec<Place> = window.points.iter().filter_map(|p| place(p, y, x)).collect();
    let frame = Frame::of(&places, 30)?;
    let dependences = &result.dependences;
    let flow = arrows(&dependences.flow, statement, &window, y, x);
    let order = arrows(&dependences.false_nearest, statement, &window, y, x);
    let label = format!(
        "{} instances of {}; {} arrows for values that are read, {} for elements that are overwritten",
        places.len(),
        statement.name,
        flow.len(),
        order.len()
    );
    let (right, down) = (&statement.iterators[x], y.map(|y| &*statement.iterators[y]));
    let mut svg = frame.open(&label, right, down);
    for place in &places {
        let (cx, cy) = frame.at(*place);
        let _ = writeln!(svg, "<circle class=\"point\" cx=\"{cx}\" cy=\"{cy}\" r=\"3\"/>");
    }
    for (class, pairs) in [("order", &order), ("flow", &flow)] {
        for (from, to) in pairs {
            svg += &arrow(&frame, class, *from, *to);
        }
    }
    let values = values_text(statement, &window);
    let arrows = match (flow.len(), order.len()) {
        (0, 0) => "None of them depends on another one.".to_string(),
        (n, 0) => format!("Solid arrows: values that are read, {n} in this part."),
        (0, n) => format!("Dashed arrows: elements that are overwritten, {n} in this part."),
        (n, m) => format!(
            "Solid arrows: values that are read, {n} in this part; dashed: elements that are \
             overwritten, {m}."
        ),
    };
    Some(format!(
        "<figure>{svg}</svg><figcaption>Instances of <code>{}</code> (line {}){}. \
         {arrows}</figcaption></figure>\n",
        statement.name,
        statement.location.line,
        escape(&values),
    ))
}

/// The dependences of a statement on itself between two places of a picture.
fn arrows(
    dependences: &[Dependence],
    statement: &Statement,
    window: &Window,
    y: Option<usize>,
    x: usize,
) -> Vec<(Place, Place)> {
    let mut found = Vec::new();
    let own = dependences.iter().filter(|d| d.source.0 == statement.id && d.sink.0 == statement.id);
    for dependence in own {
        let Some(pairs) = pairs_in(&dependence.relation, window) else { continue };
        let n = statement.iterators.len();
        for pair in pairs {
            let (from, to) = pair.split_at(n.min(pair.len()));
            if let (Some(from), Some(to)) = (place(from, y, x), place(to, y, x))
                && from != to
                && !found.contains(&(from, to))
                && found.len() < MAX_ARROWS
            {
                found.push((from, to));
            }
        }
    }
    found
}

/// The pairs of a relation with both ends in a window.
fn pairs_in(relation: &Map, window: &Window) -> Option<Vec<Vec<Int>>> {
    let budget = Budget::steps(STEPS);
    let mut map = relation.clone();
    for (name, value) in &window.parameters {
        if let Some(position) = map.find_param(name) {
            map = map.fix(DimKind::Param, position, value);
        }
    }
    for (k, value) in &window.fixed {
        map = map.fix(DimKind::In, *k, value).fix(DimKind::Out, *k, value);
    }
    for k in 0..window.points.first()?.len() {
        let greatest = window.points.iter().map(|point| &point[k]).max()?;
        map = map.upper_bound(DimKind::In, k, greatest).upper_bound(DimKind::Out, k, greatest);
    }
    let n = map.n(DimKind::Param);
    let limit = 40 * MAX_ARROWS;
    Some(map.points(limit, &budget).ok()?.into_iter().map(|pair| pair[n..].to_vec()).collect())
}

/// An arrow between two cells that leaves out the dots.
fn arrow(frame: &Frame, class: &str, from: Place, to: Place) -> String {
    let ((x1, y1), (x2, y2)) = (frame.at(from), frame.at(to));
    let (dx, dy) = ((x2 - x1) as f64, (y2 - y1) as f64);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // Long arrows bend, so that those along one row do not hide each other.
    let bend = if length > 1.5 * frame.cell as f64 { 0.18 * length } else { 0.0 };
    let (mx, my) = ((x1 + x2) as f64 / 2.0 - uy * bend, (y1 + y2) as f64 / 2.0 + ux * bend);
    let (sx, sy) = (x1 as f64 + 5.0 * ux, y1 as f64 + 5.0 * uy);
    let (tx, ty) = (x2 as f64 - 5.0 * ux, y2 as f64 - 5.0 * uy);
    let (hx, hy) = (tx - mx, ty - my);
    let h = (hx * hx + hy * hy).sqrt().max(1.0);
    let (hx, hy) = (hx / h, hy / h);
    format!(
        "<path class=\"{class}\" d=\"M{sx:.1} {sy:.1}Q{mx:.1} {my:.1} {tx:.1} {ty:.1}\"/>\
         <path class=\"head-{class}\" d=\"M{tx:.1} {ty:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>\n",
        tx - 6.0 * hx - 2.5 * hy,
        ty - 6.0 * hy + 2.5 * hx,
        tx - 6.0 * hx + 2.5 * hy,
        ty - 6.0 * hy - 2.5 * hx
    )
}
