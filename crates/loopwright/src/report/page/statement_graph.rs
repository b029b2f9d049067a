//! The statements of a region with the dependences between them, as a drawing and as a table.
//!
//! Statements are boxes in the order of the text, one below the other. Arrows to later statements are at
//! their right, arrows back at their left, and arrows from a statement to itself at the right as well. Each
//! arrow has a vertical lane of its own where others would cover it: short ones are next to the boxes.
use crate::pipeline::region_result::RegionResult;
use crate::report::explained_dependences::kind;
use crate::report::page::markup::escape;
use loopwright_scop::{Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// More statements are in the table only.
const MAX_STATEMENTS: usize = 40;

/// More arrows are in the table only.
const MAX_ARROWS: usize = 150;

/// The pixels of a character of code, of one of a name at an arrow, of a lane, and of an end of an arrow.
const CHARACTER: i64 = 7;
const SMALL_CHARACTER: i64 = 6;
const LANE: i64 = 14;
const END: i64 = 15;

/// The least height of a box, and the distance between two.
const BOX: i64 = 34;
const GAP: i64 = 16;

/// The longest text of a statement in its box, and of names at an arrow.
const MAX_TEXT: usize = 56;
const MAX_NAMES: usize = 12;

/// Where an arrow runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// All dependences of one kind from a statement to a statement.
#[derive(Debug)]
struct Arrow {
    /// Positions among the boxes.
    from: usize,
    to: usize,
    kind: &'static str,
    arrays: BTreeSet<String>,
}

impl Arrow {
    fn side(&self) -> Side {
        if self.from <= self.to { Side::Right } else { Side::Left }
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.arrays.iter().map(String::as_str).collect();
        names.join(", ")
    }

    /// The names that are at its end in the drawing.
    fn label(&self) -> String {
        shortened(&self.names(), MAX_NAMES)
    }
}

/// The drawing, and what it shows as a table, folded; nothing if there are no dependences.
pub(crate) fn statement_graph(result: &RegionResult, original: &str) -> String {
    let statements = result.region.scop.statements.iter();
    let drawn: Vec<&Statement> = statements.filter(|statement| !statement.is_kill).collect();
    let arrows = arrows(result, &drawn);
    if arrows.is_empty() {
        return "<h3>Dependences between statements</h3>\n<p>No instance depends on another one.</p>\n"
            .to_string();
    }
    let mut text = String::from("<h3>Dependences between statements</h3>\n");
    if drawn.len() <= MAX_STATEMENTS && arrows.len() <= MAX_ARROWS {
        let texts: Vec<String> =
            drawn.iter().map(|statement| text_of(statement, original)).collect();
        let _ = writeln!(
            text,
            "<figure class=\"graph\"><div class=\"wide\">{}</div><figcaption>Solid arrows: from a write to the statement that \
             reads the value; dashed: to the statement that overwrites the element. Names are those of the variables.\
             </figcaption></figure>",
            drawing(&drawn, &texts, &arrows)
        );
    }
    text + &table(&drawn, &arrows)
}

/// One arrow for each kind and pair of statements.
fn arrows(result: &RegionResult, drawn: &[&Statement]) -> Vec<Arrow> {
    let scop = &result.region.scop;
    let position = |id: StatementId| drawn.iter().position(|statement| statement.id == id);
    let dependences = &result.dependences;
    let mut found: BTreeMap<(usize, usize, &'static str), BTreeSet<String>> = BTreeMap::new();
    for dependence in dependences.flow.iter().chain(&dependences.false_nearest) {
        let ends = (position(dependence.source.0), position(dependence.sink.0));
        if let (Some(from), Some(to)) = ends {
            let name = scop.array(dependence.array).name.to_string();
            found.entry((from, to, kind(scop, dependence))).or_default().insert(name);
        }
    }
    let arrow = |((from, to, kind), arrays)| Arrow { from, to, kind, arrays };
    found.into_iter().map(arrow).collect()
}

/// `18: a[i] = b[i];`, from the line where the statement begins.
fn text_of(statement: &Statement, original: &str) -> String {
    let line = statement.location.line;
    let text = original.lines().nth(line.saturating_sub(1) as usize).unwrap_or("").trim();
    format!("{line}: {}", shortened(text, MAX_TEXT))
}

/// The text, or so many characters of it and dots.
fn shortened(text: &str, most: usize) -> String {
    let short: String = text.chars().take(most).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    short + dots
}

fn table(drawn: &[&Statement], arrows: &[Arrow]) -> String {
    let mut text = String::from(
        "<details><summary>The same as a table</summary><div class=\"wide\"><table>\n<thead><tr>\
         <th scope=\"col\">from</th><th scope=\"col\">to</th><th scope=\"col\">kind</th>\
         <th scope=\"col\">variables</th></tr></thead><tbody>\n",
    );
    let name = |position: usize| {
        let Statement { name, location, .. } = drawn[position];
        format!("<code>{}</code> (line {})", escape(name), location.line)
    };
    for arrow in arrows {
        let _ = writeln!(
            text,
            "<tr><td class=\"words\">{}</td><td class=\"words\">{}</td><td class=\"words\">{}</td>\
             <td class=\"words\"><code>{}</code></td></tr>",
            name(arrow.from),
            name(arrow.to),
            arrow.kind,
            escape(&arrow.names())
        );
    }
    text + "</tbody></table></div></details>\n"
}

/// The end of an arrow at a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// Arrows from above end at the top of a box, those to itself in the middle.
    order: (u8, i64),
    arrow: usize,
    is_head: bool,
}

/// The ends at one side of a box, from the top.
fn ends_at(arrows: &[Arrow], position: usize, side: Side) -> Vec<End> {
    let mut ends = Vec::new();
    for (arrow, of) in arrows.iter().enumerate().filter(|(_, of)| of.side() == side) {
        for (own, other, is_head) in [(of.from, of.to, false), (of.to, of.from, true)] {
            if own == position {
                let distance = other as i64 - position as i64;
                let order = match distance {
                    // Long ones outside, so that they do not cross short ones.
                    ..0 => (0, -distance),
                    0 => (1, arrow as i64),
                    _ => (2, -distance),
                };
                ends.push(End { order, arrow, is_head });
            }
        }
    }
    ends.sort_unstable();
    ends
}

/// Where everything is.
struct Plan {
    /// Top and height of each box.
    boxes: Vec<(i64, i64)>,
    /// The heights of both ends of each arrow: tail, head.
    ends: Vec<(i64, i64)>,
    /// The lane of each arrow, counted from the boxes.
    lanes: Vec<i64>,
    /// The number of lanes at each side: left, right.
    n_lanes: (i64, i64),
    /// The pixels between a box and the first lane, where the names are.
    names: i64,
    height: i64,
}

fn plan(n: usize, arrows: &[Arrow]) -> Plan {
    let mut boxes = Vec::new();
    let mut ends = vec![(0, 0); arrows.len()];
    let mut top = 4;
    for position in 0..n {
        let sides = [Side::Left, Side::Right].map(|side| ends_at(arrows, position, side));
        let most = sides.iter().map(Vec::len).max().unwrap_or(0) as i64;
        let height = BOX.max(most * END + 6);
        for side in &sides {
            let first = top + (height - side.len() as i64 * END) / 2 + END / 2;
            for (k, end) in side.iter().enumerate() {
                let y = first + k as i64 * END;
                let (tail, head) = &mut ends[end.arrow];
                *(if end.is_head { head } else { tail }) = y;
            }
        }
        boxes.push((top, height));
        top += height + GAP;
    }
    let (lanes, n_lanes) = lanes(arrows, &ends);
    let longest = arrows.iter().map(|arrow| arrow.label().chars().count()).max().unwrap_or(0);
    let names = 18 + longest as i64 * SMALL_CHARACTER;
    Plan { boxes, ends, lanes, n_lanes, names, height: top - GAP + 4 }
}

/// A lane for each arrow, such that those of one lane do not overlap: short arrows first, as near to the
/// boxes as possible.
fn lanes(arrows: &[Arrow], ends: &[(i64, i64)]) -> (Vec<i64>, (i64, i64)) {
    let span = |arrow: usize| (ends[arrow].0.min(ends[arrow].1), ends[arrow].0.max(ends[arrow].1));
    let mut order: Vec<usize> = (0..arrows.len()).collect();
    order.sort_by_key(|&arrow| (span(arrow).1 - span(arrow).0, arrow));
    let mut lanes = vec![0; arrows.len()];
    let mut taken: [Vec<Vec<(i64, i64)>>; 2] = [Vec::new(), Vec::new()];
    for arrow in order {
        let (low, high) = span(arrow);
        let side = &mut taken[usize::from(arrows[arrow].side() == Side::Right)];
        let is_free =
            |lane: &Vec<(i64, i64)>| lane.iter().all(|(from, to)| high < *from || *to < low);
        let lane = side.iter().position(is_free).unwrap_or(side.len());
        if lane == side.len() {
            side.push(Vec::new());
        }
        side[lane].push((low, high));
        lanes[arrow] = lane as i64;
    }
    (lanes, (taken[0].len() as i64, taken[1].len() as i64))
}

fn drawing(drawn: &[&Statement], texts: &[String], arrows: &[Arrow]) -> String {
    let plan = plan(drawn.len(), arrows);
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) as i64;
    let names = drawn.iter().map(|s| s.name.chars().count()).max().unwrap_or(0) as i64;
    let room = |lanes: i64| if lanes == 0 { 4 } else { plan.names + lanes * LANE + 6 };
    let left = room(plan.n_lanes.0);
    let right = left + (longest + names + 4) * CHARACTER;
    let (width, height) = (right + room(plan.n_lanes.1), plan.height);
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"{} statements with {} arrows between them\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n",
        drawn.len(),
        arrows.len()
    );
    for ((statement, text), (top, height)) in drawn.iter().zip(texts).zip(&plan.boxes) {
        let _ = writeln!(
            svg,
            "<rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"5\"/>\
             <text class=\"code\" x=\"{}\" y=\"{}\"><tspan class=\"name\">{}</tspan> {}</text>",
            right - left,
            left + CHARACTER,
            top + height / 2 + 4,
            escape(&statement.name),
            escape(text)
        );
    }
    for (position, arrow) in arrows.iter().enumerate() {
        svg += &arrow_path(arrow, &plan, position, (left, right));
    }
    svg + "</svg>"
}

/// An arrow from the side of a box out to its lane, along it, and back to the side of the other box, with its
/// names there.
fn arrow_path(arrow: &Arrow, plan: &Plan, position: usize, (left, right): (i64, i64)) -> String {
    let (from, to) = plan.ends[position];
    let out = plan.names + plan.lanes[position] * LANE;
    let (edge, away, anchor) = match arrow.side() {
        Side::Right => (right, 1, "start"),
        Side::Left => (left, -1, "end"),
    };
    let class = if arrow.kind == "flow" { "flow" } else { "order" };
    let lane = edge + away * out;
    let head = edge + away * 7;
    format!(
        "<g><title>{}: {}</title><path class=\"{class}\" d=\"M{edge} {from}H{lane}V{to}H{head}\"/>\
         <path class=\"head-{class}\" d=\"M{edge} {to}l{} -3.5v7Z\"/>\
         <text class=\"names\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text></g>\n",
        arrow.kind,
        escape(&arrow.names()),
        away * 8,
        edge + away * 11,
        to - 2,
        escape(&arrow.label())
    )
}
