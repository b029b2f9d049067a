//! Reading relations.
use super::lines::Lines;
use crate::model::MOST_DIMENSIONS;
use loopwright_presburger::{
    BasicMap, Constraint, DimKind, Error, Int, Local, Map, Result, Row, Set, Space, Tuple,
};

/// A relation as it stands in the file.
pub(super) struct Relation {
    /// `DOMAIN`, `SCATTERING`, `READ` and so on.
    pub(super) kind: String,
    /// The line of the kind.
    pub(super) line: usize,
    /// Output, input and parameter dimensions.
    pub(super) shape: Shape,
    parts: Vec<Part>,
}

/// The dimensions of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) output: usize,
    pub(super) input: usize,
    pub(super) parameters: usize,
}

/// One conjunction: rows in the columns of the file.
struct Part {
    locals: usize,
    rows: Vec<Vec<Int>>,
}

impl Relation {
    /// Reads a relation, the line with its kind included.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Relation> {
        let (line, kind) = lines.take("the type of a relation")?;
        let is_kind = kind.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if !is_kind {
            let message = format!("expected the type of a relation (`DOMAIN`), found `{kind}`");
            return Err(lines.error_at(line, message));
        }
        let (header_line, mut header) = lines.numbers("the size of a relation")?;
        let count = match header.as_slice() {
            [count] => {
                let count = to_count(count);
                header = Vec::new();
                count.ok_or_else(|| lines.error_at(header_line, "expected a number of parts"))?
            }
            _ => 1,
        };
        let (mut shape, mut parts) = (None, Vec::new());
        for _ in 0..count {
            let (at, numbers) = match header.is_empty() {
                true => lines.numbers("the size of a relation")?,
                false => (header_line, std::mem::take(&mut header)),
            };
            let (found, part) = read_part(lines, at, &numbers)?;
            if *shape.get_or_insert(found) != found {
                return Err(lines.error_at(at, "the parts of a relation have different dimensions"));
            }
            parts.push(part);
        }
        let shape = shape.ok_or_else(|| lines.error_at(header_line, "a relation without parts"))?;
        Ok(Relation { kind: kind.to_string(), line, shape, parts })
    }

    /// The number that an equality of the first output dimension alone gives to it, in all parts.
    pub(super) fn first_number(&self) -> Option<Int> {
        let mut numbers = self.parts.iter().map(|part| {
            part.rows.iter().find_map(|row| match row.as_slice() {
                [kind, first, rest @ .., last]
                    if kind.is_zero() && !first.is_zero() && rest.iter().all(Int::is_zero) =>
                {
                    let is_one = first.clone() == Int::from(1);
                    let is_minus_one = first.clone() == Int::from(-1);
                    if is_one { Some(-last.clone()) } else { is_minus_one.then(|| last.clone()) }
                }
                _ => None,
            })
        });
        let first = numbers.next()??;
        numbers.all(|number| number.as_ref() == Some(&first)).then_some(first)
    }

    /// The relation from `input` to `output` (none for sets and parameter sets).
    pub(super) fn to_map(
        &self,
        params: &[loopwright_presburger::Name],
        input: Option<Tuple>,
        output: Option<Tuple>,
    ) -> Result<Map> {
        let space = Space::params(params).with_tuples(input, output);
        let sizes = Shape {
            output: space.n(DimKind::Out),
            input: space.n(DimKind::In),
            parameters: params.len(),
        };
        if sizes != self.shape {
            let message = format!(
                "line {}: a relation with {} output, {} input dimensions and {} parameters, where \
                 {}, {} and {} are expected",
                self.line,
                self.shape.output,
                self.shape.input,
                self.shape.parameters,
                sizes.output,
                sizes.input,
                sizes.parameters
            );
            return Err(Error::Parse { position: 0, message });
        }
        let basics = self.parts.iter().map(|part| self.to_basic(&space, part)).collect();
        Ok(Map::from_basic_maps(space, basics))
    }

    /// The set of an `output` tuple, or of parameters.
    pub(super) fn to_set(
        &self,
        params: &[loopwright_presburger::Name],
        output: Option<Tuple>,
    ) -> Result<Set> {
        Ok(Set::from_map(self.to_map(params, None, output)?))
    }

    fn to_basic(&self, space: &Space, part: &Part) -> BasicMap {
        let Shape { output, input, parameters } = self.shape;
        let constraint = |row: &Vec<Int>| {
            let columns = |first: usize, count: usize| row[first..first + count].iter().cloned();
            let own: Vec<Int> = row[row.len() - 1..]
                .iter()
                .cloned()
                .chain(columns(1 + output + input + part.locals, parameters))
                .chain(columns(1 + output, input))
                .chain(columns(1, output))
                .chain(columns(1 + output + input, part.locals))
                .collect();
            match row[0].is_zero() {
                true => Constraint::equality(Row::from_ints(own)),
                false => Constraint::inequality(Row::from_ints(own)),
            }
        };
        let constraints = part.rows.iter().map(constraint).collect();
        BasicMap::from_constraints(space.clone(), vec![Local::Unknown; part.locals], constraints)
    }
}

fn to_count(number: &Int) -> Option<usize> {
    number.to_i64().and_then(|number| usize::try_from(number).ok())
}

fn read_part(lines: &mut Lines<'_>, at: usize, numbers: &[Int]) -> Result<(Shape, Part)> {
    let counts: Option<Vec<usize>> = numbers.iter().map(to_count).collect();
    let Some(&[n_rows, n_columns, output, input, locals, parameters]) = counts.as_deref() else {
        let message = "expected six numbers: rows, columns, output, input, local dimensions and \
                       parameters";
        return Err(lines.error_at(at, message));
    };
    let kinds = [output, input, locals, parameters];
    if kinds.iter().any(|count| *count > MOST_DIMENSIONS) {
        let message = format!("more than {MOST_DIMENSIONS} dimensions of a kind");
        return Err(lines.error_at(at, message));
    }
    let expected = 2 + kinds.iter().sum::<usize>();
    if n_columns != expected {
        let message = format!("{n_columns} columns, where the dimensions make {expected}");
        return Err(lines.error_at(at, message));
    }
    let mut rows = Vec::new();
    for _ in 0..n_rows {
        let (line, row) = lines.numbers("a row of a relation")?;
        if row.len() != n_columns {
            let message = format!("{} numbers in a row of {n_columns} columns", row.len());
            return Err(lines.error_at(line, message));
        }
        if !row[0].is_zero() && !row[0].is_one() {
            let message = "the first number of a row is 0 (an equality) or 1 (an inequality)";
            return Err(lines.error_at(line, message));
        }
        rows.push(row);
    }
    Ok((Shape { output, input, parameters }, Part { locals, rows }))
}
