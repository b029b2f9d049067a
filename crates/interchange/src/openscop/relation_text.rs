//! Writing relations.
use loopwright_presburger::{Aff, BasicMap, DimKind, Int, Local, Map, Row};

/// A relation (a set has no input) with its type.
pub(super) fn relation_text(kind: &str, map: &Map) -> String {
    let parts: Vec<String> = map.basic_maps().iter().map(part_text).collect();
    match parts.as_slice() {
        [single] => format!("{kind}\n{single}"),
        [] => format!("{kind}\n{}", part_text(&BasicMap::empty(map.space().clone()))),
        several => format!("{kind}\n{}\n{}", several.len(), several.concat()),
    }
}

/// One conjunction with its sizes.
fn part_text(basic: &BasicMap) -> String {
    let shape = [DimKind::Out, DimKind::In, DimKind::Local, DimKind::Param].map(|k| basic.n(k));
    if basic.plain_is_empty() {
        let [output, input, _, parameters] = shape;
        let mut row = vec![Int::from(0); output + input + parameters + 1];
        row[output + input + parameters] = Int::from(-1);
        return matrix([output, input, 0, parameters], &[(true, row)]);
    }
    let columns = |row: &Row| -> Vec<Int> {
        let kinds = [DimKind::Out, DimKind::In, DimKind::Local, DimKind::Param];
        let places = kinds.into_iter().flat_map(|kind| {
            let first = basic.offset(kind);
            first..first + basic.n(kind)
        });
        places.chain([0]).map(|column| row.get(column)).collect()
    };
    let mut rows: Vec<(bool, Vec<Int>)> = Vec::new();
    rows.extend(basic.equalities().iter().map(|row| (false, columns(row))));
    rows.extend(basic.inequalities().iter().map(|row| (true, columns(row))));
    for (position, local) in basic.locals().iter().enumerate() {
        if let Local::Floor { numerator, denominator } = local {
            let column = basic.offset(DimKind::Local) + position;
            rows.extend(floor_rows(numerator, denominator, column).map(|r| (true, columns(&r))));
        }
    }
    matrix(shape, &rows)
}

/// `numerator - denominator * q >= 0` and `denominator * q + denominator - 1 - numerator >= 0`.
fn floor_rows(numerator: &Row, denominator: &Int, column: usize) -> [Row; 2] {
    let mut low = numerator.clone();
    low.add_at(column, &-denominator.clone());
    let mut high = low.clone();
    high.negate();
    high.add_at(0, &(denominator.clone() - Int::from(1)));
    [low, high]
}

fn matrix(shape: [usize; 4], rows: &[(bool, Vec<Int>)]) -> String {
    let [output, input, locals, parameters] = shape;
    let n_columns = 2 + shape.iter().sum::<usize>();
    let mut text = format!("{} {n_columns} {output} {input} {locals} {parameters}\n", rows.len());
    for (is_inequality, row) in rows {
        text.push_str(if *is_inequality { "   1" } else { "   0" });
        for number in row {
            text.push_str(&format!(" {:>4}", number.to_string()));
        }
        text.push('\n');
    }
    text
}

/// A relation without elements whose first output dimension is the number of a variable.
pub(super) fn no_elements_text(kind: &str, number: &Int, map: &Map) -> String {
    let [output, input, parameters] = [DimKind::Out, DimKind::In, DimKind::Param].map(|k| map.n(k));
    let mut rows = [false, true]
        .map(|is_inequality| (is_inequality, vec![Int::from(0); output + input + parameters + 1]));
    rows[0].1[0] = Int::from(-1);
    rows[0].1[output + input + parameters] = number.clone();
    rows[1].1[output + input + parameters] = Int::from(-1);
    format!("{kind}\n{}", matrix([output, input, 0, parameters], &rows))
}

/// A relation of which each output dimension is an affine expression of the input: one equality
/// `-output + value = 0` each, as other tools write them. None if an expression is not plainly affine.
pub(super) fn function_text(kind: &str, values: &[Aff]) -> Option<String> {
    let is_affine =
        |value: &Aff| !value.is_nan() && value.locals().is_empty() && value.denominator().is_one();
    if !values.iter().all(is_affine) {
        return None;
    }
    let space = values.first()?.domain_space();
    let (input, parameters) = (space.n(DimKind::Out), space.n(DimKind::Param));
    let mut rows = Vec::new();
    for (position, value) in values.iter().enumerate() {
        let mut row = vec![Int::from(0); values.len()];
        row[position] = Int::from(-1);
        row.extend((0..input).map(|dimension| value.row().get(1 + parameters + dimension)));
        row.extend((0..parameters).map(|parameter| value.row().get(1 + parameter)));
        row.push(value.row().get(0));
        rows.push((false, row));
    }
    let text = matrix([values.len(), input, 0, parameters], &rows);
    Some(format!("{kind}\n{text}"))
}
