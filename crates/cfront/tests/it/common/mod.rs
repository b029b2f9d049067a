//! Helpers of the tests: finite sets by evaluation of the constraints, point by point.
#![allow(dead_code)]
use loopwright_cfront::{Diagnostic, Region, SourceFile};
use loopwright_presburger::{Aff, BasicMap, DimKind, Local, Map, PwAff, Row, Set};
use loopwright_scop::{BodyPiece, Scop, Statement};
use std::collections::BTreeSet;

/// The regions of a text, with pointers that never lead to the same memory.
pub(crate) fn extract(text: &str) -> Result<Vec<Region>, Vec<Diagnostic>> {
    SourceFile::from_text("test.c", text).assuming_no_alias().extract()
}

/// The scop of a function body with one region; the parameters of the function are given.
pub(crate) fn scop(arguments: &str, before: &str, region: &str) -> Scop {
    let text = function(arguments, before, region, "");
    match extract(&text) {
        Ok(regions) => regions.into_iter().next().expect("one region").scop,
        Err(diagnostics) => panic!("{text}\n{}", diagnostics[0]),
    }
}

/// A function around a region.
pub(crate) fn function(arguments: &str, before: &str, region: &str, after: &str) -> String {
    format!(
        "void f({arguments}) {{\n{before}\n#pragma scop\n{region}\n#pragma endscop\n{after}\n}}\n"
    )
}

fn value(row: &Row, values: &[i64]) -> i64 {
    (0..row.len()).map(|i| row.get(i).to_i64().expect("small") * values[i]).sum()
}

/// The values of all columns: the given ones, then the floors.
fn with_floors(locals: &[Local], mut values: Vec<i64>) -> Vec<i64> {
    let width = values.len() + locals.len();
    let first = values.len();
    values.resize(width, 0);
    for (index, local) in locals.iter().enumerate() {
        let Local::Floor { numerator, denominator } = local else { panic!("unknown local") };
        let divisor = denominator.to_i64().expect("small");
        values[first + index] = value(numerator, &values).div_euclid(divisor);
    }
    values
}

/// Whether a point (values of parameters, then dimensions) is in a basic relation.
pub(crate) fn contains(basic: &BasicMap, point: &[i64]) -> bool {
    if basic.plain_is_empty() {
        return false;
    }
    let values = [&[1], point].concat();
    let values = with_floors(basic.locals(), values);
    basic.equalities().iter().all(|row| value(row, &values) == 0)
        && basic.inequalities().iter().all(|row| value(row, &values) >= 0)
}

/// Whether a point is in a set.
pub(crate) fn set_contains(set: &Set, point: &[i64]) -> bool {
    set.basic_sets().iter().any(|basic| contains(basic.as_basic_map(), point))
}

/// Whether a pair is in a relation.
pub(crate) fn map_contains(map: &Map, point: &[i64]) -> bool {
    map.basic_maps().iter().any(|basic| contains(basic, point))
}

/// All points of `low..=high` in `n` dimensions.
pub(crate) fn grid(n: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    let mut points = vec![vec![]];
    for _ in 0..n {
        points = points
            .iter()
            .flat_map(|p| (low..=high).map(move |x| [&p[..], &[x]].concat()))
            .collect();
    }
    points
}

/// The points of a set for values of the parameters, in a box.
pub(crate) fn points(set: &Set, params: &[i64], low: i64, high: i64) -> BTreeSet<Vec<i64>> {
    let n = set.n(DimKind::Out);
    grid(n, low, high).into_iter().filter(|p| set_contains(set, &[params, p].concat())).collect()
}

fn eval_aff(aff: &Aff, point: &[i64]) -> i64 {
    let values = with_floors(aff.locals(), [&[1], point].concat());
    let numerator = value(aff.row(), &values);
    let denominator = aff.denominator().to_i64().expect("small");
    assert_eq!(numerator % denominator, 0, "an integer expression");
    numerator / denominator
}

/// The value of an expression at a point.
pub(crate) fn eval(expression: &PwAff, point: &[i64]) -> Option<i64> {
    let pieces = expression.pieces().iter();
    let mut hits =
        pieces.filter(|(set, _)| set_contains(set, point)).map(|(_, a)| eval_aff(a, point));
    let first = hits.next();
    assert!(hits.next().is_none(), "the pieces overlap");
    first
}

/// The body of a statement with the values of all expressions at a point.
pub(crate) fn body_at(statement: &Statement, point: &[i64]) -> String {
    let number = |e: &PwAff| eval(e, point).map_or("?".to_string(), |v| v.to_string());
    let piece = |piece: BodyPiece<'_>| match piece {
        BodyPiece::Text(text) => text.into_owned(),
        BodyPiece::Affine(e) => format!("<{}>", number(&e)),
        BodyPiece::Element(element) => {
            let subscripts: Vec<String> = element.subscripts.iter().map(number).collect();
            element.base.with(&subscripts)
        }
        BodyPiece::Hidden(_) => String::new(),
    };
    statement.body.pieces().into_iter().map(piece).collect()
}
