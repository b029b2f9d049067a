//! Pictures of the instances of statements: points with dependence arrows, and tiles ([`crate::html_tiles`]).
//!
//! All is drawn from the sets and relations of the region for small values of the parameters, in two
//! dimensions at a time; the other iterators have their least values.
use crate::html::escape;
use crate::html_tiles::tiles_figure;
use crate::stages::RegionResult;
use loopwright_dataflow::Dependence;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Map, Optimum};
use loopwright_scop::{Scop, Statement};
use std::fmt::Write;

/// Steps for each question about a set.
const STEPS: u64 = 500_000;

/// The values that parameters are tried with for points and arrows.
const SMALL: [i64; 6] = [7, 6, 8, 5, 10, 14];

/// The widest picture of points, in iterations.
const MAX_POINTS: i64 = 12;

/// Regions with more statements have pictures of the first ones only.
const MAX_STATEMENTS: usize = 12;

/// More arrows say nothing.
const MAX_ARROWS: usize = 300;

/// All pictures of a region.
pub(crate) fn figures(result: &RegionResult) -> String {
    let statements = result.region.scop.statements.iter();
    let drawn: Vec<&Statement> =
        statements.filter(|s| !s.is_kill && !s.iterators.is_empty()).collect();
    let mut text =
        String::from("<h3>Instances, dependences and tiles</h3>\n<div class=\"figures\">\n");
    for statement in drawn.iter().take(MAX_STATEMENTS) {
        for (x, y) in pairs(statement.iterators.len()) {
            text += &points_figure(result, statement, x, y).unwrap_or_default();
        }
        let tiled = pairs(statement.iterators.len());
        let tiled = tiled.into_iter().find_map(|(x, y)| tiles_figure(result, statement, x, y));
        text += &tiled.unwrap_or_default();
    }
    text += "</div>\n";
    if drawn.len() > MAX_STATEMENTS {
        let _ =
            writeln!(text, "<p>There are {} statements more.</p>", drawn.len() - MAX_STATEMENTS);
    }
    text
}

/// The dimensions that are drawn: down and to the right. A single dimension goes to the right.
fn pairs(n: usize) -> Vec<(Option<usize>, usize)> {
    match n {
        1 => vec![(None, 0)],
        2 => vec![(Some(0), 1)],
        _ => (1..n.min(4)).map(|k| (Some(k - 1), k)).collect(),
    }
}

/// A part of the instances of a statement in two dimensions.
pub(crate) struct Window {
    pub(crate) parameters: Vec<(String, Int)>,
    /// All instances in it, with all their iterators.
    pub(crate) points: Vec<Vec<Int>>,
    /// The iterators that are not drawn, with their values.
    pub(crate) fixed: Vec<(usize, Int)>,
}

/// The instances for the first of some parameter values that has enough of them, of which every `step`-th along each
/// dimension is taken.
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

/// A point of a picture: right, down.
pub(crate) type Place = (i64, i64);

pub(crate) fn place(point: &[Int], y: Option<usize>, x: usize) -> Option<Place> {
    Some((point.get(x)?.to_i64()?, y.map_or(Some(0), |y| point.get(y)?.to_i64())?))
}

/// The pixels that a value at the upper side takes.
const LABEL_WIDTH: i64 = 28;

/// The pixels that a value at the left side takes.
const LABEL_HEIGHT: i64 = 14;

/// The picture's least and greatest values.
pub(crate) struct Frame {
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
    /// The pixels of a value.
    cell: i64,
    /// The iterations of a value, and the iteration at value 0.
    step: i64,
    origin: Place,
}

impl Frame {
    pub(crate) fn of(places: &[Place], cell: i64) -> Option<Frame> {
        Some(Frame {
            left: places.iter().map(|p| p.0).min()?,
            right: places.iter().map(|p| p.0).max()?,
            top: places.iter().map(|p| p.1).min()?,
            bottom: places.iter().map(|p| p.1).max()?,
            cell,
            step: 1,
            origin: (0, 0),
        })
    }

    /// The same for values that stand for `step` iterations each, beginning with `origin`.
    pub(crate) fn with_steps(self, step: i64, origin: Place) -> Frame {
        Frame { step, origin, ..self }
    }

    /// The corner at the left and top of a value's cell.
    pub(crate) fn corner(&self, place: Place) -> (i64, i64) {
        let (x, y) = self.at(place);
        (x - self.cell / 2, y - self.cell / 2)
    }

    /// The middle of a cell.
    fn at(&self, (x, y): Place) -> (i64, i64) {
        let half = self.cell / 2;
        (46 + (x - self.left) * self.cell + half, 26 + (y - self.top) * self.cell + half)
    }

    fn size(&self) -> (i64, i64) {
        let (x, y) = self.at((self.right, self.bottom));
        (x + self.cell / 2 + 12, y + self.cell / 2 + 12)
    }

    /// From one labelled value to the next: at least `least` values and `pixels`.
    fn distance(&self, least: i64, pixels: i64) -> i64 {
        least.max((pixels + self.cell - 1) / self.cell.max(1))
    }

    /// The start of the picture with names and values along both sides.
    pub(crate) fn open(&self, label: &str, right: &str, down: Option<&str>) -> String {
        let (width, height) = self.size();
        let mut svg = format!(
            "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n",
            escape(label)
        );
        let every = self.distance((self.right - self.left) / 8 + 1, LABEL_WIDTH);
        for x in (self.left..=self.right).step_by(every as usize) {
            let (at, _) = self.at((x, self.top));
            let x = self.origin.0 + x * self.step;
            let _ = writeln!(svg, "<text x=\"{at}\" y=\"20\" text-anchor=\"middle\">{x}</text>");
        }
        let _ = writeln!(svg, "<text x=\"8\" y=\"11\" class=\"muted\">{} →</text>", escape(right));
        if let Some(down) = down {
            let every = self.distance((self.bottom - self.top) / 12 + 1, LABEL_HEIGHT);
            for y in (self.top..=self.bottom).step_by(every as usize) {
                let at = self.at((self.left, y)).1 + 4;
                let y = self.origin.1 + y * self.step;
                let _ = writeln!(svg, "<text x=\"40\" y=\"{at}\" text-anchor=\"end\">{y}</text>");
            }
            let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{} ↓</text>", height - 3, escape(down));
        }
        svg
    }
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

fn points_figure(
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
