//! Constraint matrices in the form of PolyLib.
//!
//! A matrix is its number of rows and of columns, then the rows. The first number of a row is 0 for
//! an equality and 1 for an inequality `>= 0`, the last one is the constant; the others are the
//! coefficients of the dimensions. The extended form says behind the two sizes how many columns are
//! outputs (or dimensions of a set), inputs, existentials and parameters, which is the order of the
//! columns; without this all of them are dimensions of a set. A union starts with the number of its
//! matrices on a line of its own. `#` starts a comment.
use crate::core::basic_map::BasicMap;
use crate::core::constraint::Constraint;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Name;
use crate::core::tuple::Tuple;
use crate::notation::lexer::{Token, error};
use loopwright_exact::{Int, Row};
use std::fmt::Write;
use std::ops::Range;

/// The most columns of a matrix: user input must not exhaust the memory.
const COLUMN_LIMIT: usize = 1 << 12;

/// Whether a text is a matrix rather than a set in braces.
pub(super) fn is_matrix(tokens: &[Token<'_>]) -> bool {
    tokens[0].text.starts_with(|c: char| c.is_ascii_digit())
}

/// The union that the matrices of a text describe.
pub(super) fn read(text: &str, tokens: &[Token<'_>]) -> Result<Map> {
    let mut reader = Reader { text, tokens, next: 0 };
    let header = reader.header()?;
    let (count, mut header) = match header.as_slice() {
        [count] => (*count, None),
        _ => (1, Some(header)),
    };
    let mut map: Option<Map> = None;
    for _ in 0..count {
        let (at, header) = match header.take() {
            Some(header) => (tokens[0].position, header),
            None => (reader.position(), reader.header()?),
        };
        let basic = reader.matrix(at, &header)?;
        map = Some(match map {
            None => Map::from_basic_map(basic),
            Some(map) if map.space() == basic.space() => map.union(&Map::from_basic_map(basic))?,
            Some(_) => return Err(error(at, "expected a matrix with the same columns")),
        });
    }
    if reader.next + 1 < tokens.len() {
        return Err(error(reader.position(), "expected the end of the text"));
    }
    map.ok_or_else(|| error(0, "expected at least one matrix, which tells the space"))
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    next: usize,
}

impl Reader<'_> {
    fn position(&self) -> usize {
        self.tokens[self.next].position
    }

    fn number(&mut self) -> Result<Int> {
        let negative = self.tokens[self.next].text == "-";
        self.next += usize::from(negative);
        let token = self.tokens[self.next];
        if !token.text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(error(
                token.position,
                format!("expected a number, found {}", token.describe()),
            ));
        }
        self.next += 1;
        let value = token.number()?;
        Ok(if negative { -value } else { value })
    }

    fn size(&mut self) -> Result<usize> {
        let at = self.position();
        let value = self.number()?.to_i64().and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| error(at, "expected a size"))
    }

    /// The sizes up to the end of the line.
    fn header(&mut self) -> Result<Vec<usize>> {
        let mut sizes = vec![self.size()?];
        let line_end = self.text[self.tokens[self.next - 1].position..]
            .find('\n')
            .map_or(self.text.len(), |length| self.tokens[self.next - 1].position + length);
        while self.position() < line_end && sizes.len() < 6 {
            sizes.push(self.size()?);
        }
        Ok(sizes)
    }

    fn matrix(&mut self, at: usize, header: &[usize]) -> Result<BasicMap> {
        let refuse = |message| Err(error(at, message));
        let (n_rows, n_columns, kinds) = match *header {
            [n_rows, n_columns] => (n_rows, n_columns, None),
            [n_rows, n_columns, out, input, locals, params] => {
                (n_rows, n_columns, Some([out, input, locals, params]))
            }
            _ => return refuse("expected 2 sizes of a matrix, or 6 in the extended form"),
        };
        if !(2..=COLUMN_LIMIT).contains(&n_columns) {
            return refuse("expected a number of columns from 2 to 4096");
        }
        let kinds = kinds.unwrap_or([n_columns - 2, 0, 0, 0]);
        if kinds.iter().try_fold(2usize, |sum, kind| sum.checked_add(*kind)) != Some(n_columns) {
            return refuse("expected two columns more than there are dimensions");
        }
        let [out, input, locals, params] = kinds;
        let names: Vec<Name> = (0..params).map(|p| format!("p{p}").into()).collect();
        let input_tuple = (input > 0).then(|| Tuple::anonymous(input));
        let space = Space::params(&names).with_tuples(input_tuple, Some(Tuple::anonymous(out)));
        let mut constraints = Vec::new();
        for _ in 0..n_rows {
            constraints.push(self.row(kinds)?);
        }
        Ok(BasicMap::from_constraints(space, vec![Local::Unknown; locals], constraints))
    }

    /// A row, with its columns in our order.
    fn row(&mut self, [out, input, locals, params]: [usize; 4]) -> Result<Constraint> {
        let at = self.position();
        let sort = self.size()?;
        if sort > 1 {
            return Err(error(at, "expected 0 for an equality or 1 for an inequality"));
        }
        let width = out + input + locals + params + 1;
        let mut values = Vec::with_capacity(width);
        for _ in 0..width {
            values.push(self.number()?);
        }
        let first_local = out + input;
        let order = [
            width - 1..width,
            first_local + locals..width - 1,
            out..first_local,
            0..out,
            first_local..first_local + locals,
        ];
        let row = order.into_iter().flat_map(|range| values[range].to_vec()).collect();
        Ok(Constraint { is_equality: sort == 0, row: Row::from_ints(row) })
    }
}

/// A basic relation whose floors are unknown locals between their two bounds.
pub(super) fn with_bounded_floors(basic: &BasicMap) -> (Vec<Constraint>, usize) {
    let first = basic.offset(DimKind::Local);
    let mut constraints = basic.constraints();
    for (local, definition) in basic.locals().iter().enumerate() {
        if let Local::Floor { numerator, denominator } = definition {
            let mut below = numerator.clone();
            below.add_at(first + local, &-denominator);
            let mut above = below.clone();
            above.negate();
            above.add_at(0, &(denominator - &Int::ONE));
            constraints.extend([below, above].map(Constraint::inequality));
        }
    }
    if basic.plain_is_empty() {
        let mut never = Row::zeros(basic.n_columns());
        never.set(0, Int::MINUS_ONE);
        constraints = vec![Constraint::inequality(never)];
    }
    (constraints, basic.locals().len())
}

fn push_matrix(text: &mut String, basic: &BasicMap, extended: bool) {
    let (constraints, n_locals) = with_bounded_floors(basic);
    let n = |kind| basic.n(kind);
    let [n_params, n_in, n_out] = [n(DimKind::Param), n(DimKind::In), n(DimKind::Out)];
    let _ = write!(text, "{} {}", constraints.len(), basic.n_columns() + 1);
    if extended {
        let _ = write!(text, " {n_out} {n_in} {n_locals} {n_params}");
    }
    text.push('\n');
    let columns = |kind, count| basic.offset(kind)..basic.offset(kind) + count;
    let order: [Range<usize>; 5] = [
        columns(DimKind::Out, n_out),
        columns(DimKind::In, n_in),
        columns(DimKind::Local, n_locals),
        columns(DimKind::Param, n_params),
        0..1,
    ];
    for constraint in constraints {
        let _ = write!(text, "{}", u8::from(!constraint.is_equality));
        for column in order.iter().cloned().flatten() {
            let _ = write!(text, " {:>4}", constraint.row.get(column).to_string());
        }
        text.push('\n');
    }
}

/// The matrices of a relation or set.
pub(super) fn text(map: &Map, extended: bool) -> String {
    let mut text = format!("{}\n", map.basic_maps().len());
    for basic in map.basic_maps() {
        text.push('\n');
        push_matrix(&mut text, basic, extended);
    }
    text
}
