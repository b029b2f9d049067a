//! The bytes that a region accesses through a name, in closed form, and what has to hold for two such ranges
//! to be apart.
//!
//! A range goes from the least to behind the greatest element of a box of subscripts, so it is convex, and
//! may have bytes in it that are not accessed. Addresses are integers of their own: comparing pointers to
//! different objects has no meaning in C, and computing pointers outside of an object neither. Sums are
//! computed in `long` where the ranges of the types show that this cannot overflow, and in 128 bits
//! elsewhere.
use super::symbolic_value::SymbolicValue;
use super::text::{Operand, Range, set_text, sum_range, sum_text, wide_type};
use crate::model::delinearized_shape::Layout;
use loopwright_presburger::{Row, Set};

/// Beyond this no value is computed: 128 bits with some room.
const LIMIT: i128 = 1 << 124;

/// The most bytes of an object: no machine has addresses of more bits.
const OBJECT_BYTES: i128 = 1 << 57;

/// The bits of all strides of a linearised array together, where they have to be checked since products could
/// overflow.
const STRIDE_BITS: u32 = 48;

/// Bytes of one object between closed forms of symbolic constants.
#[derive(Clone, Debug)]
pub(crate) struct ByteRange {
    /// A pointer or an array, as an expression of C.
    pub(crate) base: String,
    /// The symbolic constants for which something is accessed, perhaps more.
    pub(crate) reached: Set,
    /// The dimensions, outermost first.
    pub(crate) levels: Vec<Level>,
    /// The size of an element.
    pub(crate) element: Bytes,
}

/// A dimension of an array in C.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The subscripts of the model that the subscript of C is made of.
    pub(crate) spans: Vec<Span>,
    /// What all but the last of them are multiplied by, one after the other.
    pub(crate) strides: Vec<Row>,
    /// How they become one.
    pub(crate) layout: Layout,
    /// What a step takes.
    pub(crate) bytes: Bytes,
    /// What all values are multiples of, after a number is subtracted: `(2, 1)` of odd ones.
    pub(crate) lattice: (i64, i64),
}

/// The values of a subscript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// It is at least each of these.
    pub(crate) least: Vec<Bound>,
    /// It is at most each of these.
    pub(crate) greatest: Vec<Bound>,
}

/// A form of symbolic constants `[1 | constants]`, divided by a positive number: rounded up of the least
/// values and down of the greatest ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) numerator: Row,
    pub(crate) denominator: i64,
}

/// A number of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    Known(i64),
    /// An expression of C.
    Text(String),
}

/// An integer expression of C, with the values that it may have.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) range: Range,
    /// Whether it is computed in 128 bits.
    is_wide: bool,
    /// Whether it has to stand in parentheses as a factor.
    is_sum: bool,
}

impl Span {
    /// The difference of its ends as one form, if each is one.
    pub(crate) fn difference(&self) -> Option<Row> {
        let ([least], [greatest]) = (&self.least[..], &self.greatest[..]) else { return None };
        if least.denominator != 1 || greatest.denominator != 1 {
            return None;
        }
        let (low, high) = (least.numerator.as_i64s()?, greatest.numerator.as_i64s()?);
        let row = high.iter().zip(low).map(|(high, low)| high.checked_sub(*low));
        Some(Row::from_i64s(&row.collect::<Option<Vec<i64>>>()?))
    }
}

/// The condition that none of the pairs of ranges has a byte in common; none if a number is too large for it.
///
/// It also holds if both begin at the same place, where the pairs `may_coincide`.
pub(super) fn apart_text(
    pairs: &[(ByteRange, ByteRange)],
    may_coincide: bool,
    context: &Set,
    values: &[SymbolicValue],
) -> Option<String> {
    let mut writer = Writer::new(values, false)?;
    let clauses = writer.clauses(pairs, context).or_else(|| {
        writer = Writer::new(values, true)?;
        writer.clauses(pairs, context)
    })?;
    let mut all = writer.limits;
    match pairs.first().filter(|_| may_coincide && !clauses.is_empty()) {
        Some((a, b)) => {
            let clauses = clauses.join(" && ");
            let (a, b) = (&a.base, &b.base);
            all.push(format!("({clauses} || (unsigned long) {a} == (unsigned long) {b})"));
        }
        None => all.extend(clauses),
    }
    Some(if all.is_empty() { "1".to_string() } else { all.join(" && ") })
}

/// The condition that different subscripts in a box are different elements; none if a number is too large for
/// it.
pub(super) fn strides_text(
    spans: &[Span],
    strides: &[Row],
    values: &[SymbolicValue],
) -> Option<String> {
    let mut writer = Writer::new(values, false)?;
    let clauses = writer.strides_hold(spans, strides).or_else(|| {
        writer = Writer::new(values, true)?;
        writer.strides_hold(spans, strides)
    })?;
    let mut all = writer.limits;
    all.extend(clauses);
    Some(all.join(" && "))
}

/// Writes bounds of ranges.
pub(super) struct Writer<'a> {
    values: &'a [SymbolicValue],
    operands: Vec<Operand>,
    /// Whether strides are checked to be small.
    is_limiting: bool,
    /// That they are.
    limits: Vec<String>,
}

impl<'a> Writer<'a> {
    /// A writer for these symbolic constants; strides are to be checked if it `is_limiting`.
    pub(super) fn new(values: &'a [SymbolicValue], is_limiting: bool) -> Option<Self> {
        let operands = values.iter().map(Operand::of_value).collect::<Option<Vec<Operand>>>()?;
        Some(Writer { values, operands, is_limiting, limits: Vec::new() })
    }

    /// What has to hold for the bounds to be computed.
    pub(super) fn into_limits(self) -> Vec<String> {
        self.limits
    }

    /// The symbolic constants.
    pub(super) fn values(&self) -> &'a [SymbolicValue] {
        self.values
    }

    fn clauses(&mut self, pairs: &[(ByteRange, ByteRange)], context: &Set) -> Option<Vec<String>> {
        let mut clauses: Vec<String> = Vec::new();
        for (a, b) in pairs {
            let clause = self.clause(a, b, context)?;
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        Some(clauses)
    }

    /// Nothing is accessed, or one range ends before the other begins.
    fn clause(&mut self, a: &ByteRange, b: &ByteRange, context: &Set) -> Option<String> {
        let budget = || loopwright_presburger::Budget::steps(200_000);
        let both = a.reached.intersect_within(&b.reached, &budget()).ok()?;
        let reached = both.gist(context, &budget()).unwrap_or(both);
        let reached = reached.coalesce(&budget()).unwrap_or(reached);
        let mut parts = Vec::new();
        if !reached.plain_is_universe() {
            parts.push(format!("!({})", set_text(&reached, self.values)?));
        }
        for (first, second) in [(a, b), (b, a)] {
            let (end, start) = (self.address(first, true)?, self.address(second, false)?);
            parts.push(format!("{end} <= {start}"));
        }
        parts.extend(self.in_other_residues(a, b));
        Some(format!("({})", parts.join(" || ")))
    }

    /// The address of the first byte of a range, or of that behind the last one.
    pub(super) fn address(&mut self, range: &ByteRange, is_end: bool) -> Option<String> {
        let offset = self.offset_value(&range.levels, &range.element, is_end)?;
        let base = format!("(unsigned long) {}", range.base);
        Some(match offset.range {
            (0, 0) => base,
            (constant, same) if constant == same && constant < 0 => {
                format!("__extension__ (__int128) {base} - {}", constant.unsigned_abs())
            }
            _ => format!("__extension__ (__int128) {base} + {}", offset.text),
        })
    }

    /// The distance of the first byte of a range from its base, or of that behind the last one.
    pub(super) fn offset(
        &mut self,
        levels: &[Level],
        element: &Bytes,
        is_end: bool,
    ) -> Option<String> {
        Some(self.offset_value(levels, element, is_end)?.text)
    }

    /// The subscript of a level that is not linearised.
    pub(super) fn only_subscript(&mut self, level: &Level, is_greatest: bool) -> Option<String> {
        let plain = level.strides.is_empty();
        Some(self.subscript(level, is_greatest, false).filter(|_| plain)?.text)
    }

    pub(super) fn offset_value(
        &mut self,
        levels: &[Level],
        element: &Bytes,
        is_end: bool,
    ) -> Option<Value> {
        let mut offset = Value::number(0);
        // One step behind the last element is the end, if elements lie side by side.
        let last = levels.last().filter(|level| is_end && level.bytes == *element);
        for level in levels {
            let is_last = last.is_some_and(|last| std::ptr::eq(last, level));
            let subscript = self.subscript(level, is_end, is_last)?;
            offset = offset.plus(&self.bytes(&level.bytes).times(&subscript)?)?;
        }
        if is_end && last.is_none() {
            offset = offset.plus(&self.bytes(element))?;
        }
        Some(offset)
    }

    /// The least or greatest subscript of C: strides are positive where something is accessed, so it is that
    /// of the least or greatest subscripts of the model.
    ///
    /// `is_behind` is about the subscript behind that one.
    fn subscript(&mut self, level: &Level, is_greatest: bool, is_behind: bool) -> Option<Value> {
        if level.layout == Layout::Sum {
            return self.sum(level, is_greatest, is_behind);
        }
        let (first, rest) = level.spans.split_first()?;
        let mut sum = self.end_of(first, is_greatest, is_behind && rest.is_empty())?;
        for (at, (stride, span)) in level.strides.iter().zip(rest).enumerate() {
            let stride = self.stride(stride, level.strides.len())?;
            let is_behind = is_behind && at + 1 == rest.len();
            sum = sum.times(&stride)?.plus(&self.end_of(span, is_greatest, is_behind)?)?;
        }
        Some(sum)
    }

    /// The same of a sum of subscripts, each with its own stride.
    fn sum(&mut self, level: &Level, is_greatest: bool, is_behind: bool) -> Option<Value> {
        let (last, outer) = level.spans.split_last()?;
        let mut sum = self.end_of(last, is_greatest, is_behind)?;
        for (stride, span) in level.strides.iter().zip(outer) {
            let stride = self.stride(stride, level.strides.len())?;
            sum = self.end_of(span, is_greatest, false)?.times(&stride)?.plus(&sum)?;
        }
        Some(sum)
    }

    /// That elements whose subscripts are in a box, outermost first, are different where their subscripts
    /// are: what is less significant than a stride, from its least to its greatest value, is less than the
    /// stride.
    fn strides_hold(&mut self, spans: &[Span], strides: &[Row]) -> Option<Vec<String>> {
        let (last, outer) = spans.split_last()?;
        let mut room = self.extent(last)?;
        let mut all = Vec::with_capacity(strides.len());
        for (stride, span) in strides.iter().zip(outer).rev() {
            let stride = self.stride(stride, strides.len())?;
            all.push(format!("{} < {}", room.text, stride.factor()));
            room = self.extent(span)?.times(&stride)?.plus(&room)?;
        }
        Some(all)
    }

    /// The difference of the greatest and the least value.
    pub(super) fn extent(&self, span: &Span) -> Option<Value> {
        if let Some(row) = span.difference() {
            return self.form(&row, 1, false);
        }
        let (greatest, least) = (self.end_of(span, true, false)?, self.end_of(span, false, false)?);
        let negative = Value {
            text: format!("-{}", least.factor()),
            range: (-least.range.1, -least.range.0),
            is_wide: least.is_wide,
            is_sum: true,
        };
        match (least.as_number(), least.range.0) {
            (Some(number), _) => greatest.plus(&Value::number(-number)),
            _ => greatest.plus(&Value { text: negative.factor(), is_sum: false, ..negative }),
        }
    }

    pub(super) fn stride(&mut self, row: &Row, n: usize) -> Option<Value> {
        let mut stride = self.form(row, 1, false)?;
        if !self.is_limiting {
            return Some(stride);
        }
        let most = 1i128 << (STRIDE_BITS / u32::try_from(n).ok()?.clamp(1, STRIDE_BITS / 8));
        if stride.range.0 < 0 {
            self.limit(format!("{} >= 0", stride.text));
        }
        if stride.range.1 > most {
            self.limit(format!("{} <= {most}", stride.text));
        }
        stride.range = (stride.range.0.max(0), stride.range.1.min(most));
        Some(stride)
    }

    fn limit(&mut self, text: String) {
        if !self.limits.contains(&text) {
            self.limits.push(text);
        }
    }

    /// The greatest of the least values, or the least of the greatest ones.
    pub(super) fn end_of(&self, span: &Span, is_greatest: bool, is_behind: bool) -> Option<Value> {
        let bounds = if is_greatest { &span.greatest } else { &span.least };
        let value = |bound: &Bound| {
            let mut numerator = bound.numerator.clone();
            if is_behind {
                numerator.add_at(0, &bound.denominator.into());
            }
            self.form(&numerator, bound.denominator, !is_greatest)
        };
        let (first, rest) = bounds.split_first()?;
        rest.iter().try_fold(value(first)?, |best, bound| {
            best.better(&value(bound)?, if is_greatest { "<" } else { ">" })
        })
    }

    /// A form divided by a number.
    fn form(&self, row: &Row, denominator: i64, rounds_up: bool) -> Option<Value> {
        let mut terms = Vec::new();
        for (column, operand) in (1..row.len()).zip(&self.operands) {
            if !row.is_zero_at(column) {
                terms.push((i128::from(row.get(column).to_i64()?), operand));
            }
        }
        let shift = if rounds_up { denominator - 1 } else { 0 };
        let constant = i128::from(row.get(0).to_i64()?) + i128::from(shift);
        let range = sum_range(constant, &terms)?;
        let wide = wide_type(&[(range.0 - i128::from(denominator), range.1)]);
        let text = sum_text(constant, &terms, wide)?;
        if terms.is_empty() {
            return Some(Value::number(constant.div_euclid(denominator.into())));
        }
        let is_wide = wide.bytes > 8;
        if denominator == 1 {
            let is_sum = terms.len() + usize::from(constant != 0) > 1;
            let is_sum = is_sum || terms.iter().any(|(coefficient, _)| *coefficient != 1);
            return Some(Value { text, range, is_wide, is_sum });
        }
        let d = denominator;
        let text = match range.0 >= 0 {
            true => format!("(({text}) / {d})"),
            false => {
                format!("(({text}) >= 0 ? ({text}) / {d} : -(({} - ({text})) / {d}))", d - 1)
            }
        };
        let range = (range.0.div_euclid(d.into()), range.1.div_euclid(d.into()));
        Some(Value { text, range, is_wide, is_sum: false })
    }

    pub(super) fn bytes(&self, bytes: &Bytes) -> Value {
        match bytes {
            Bytes::Known(number) => Value::number((*number).into()),
            Bytes::Text(text) => Value {
                text: format!("(long) {text}"),
                range: (0, OBJECT_BYTES),
                is_wide: false,
                is_sum: false,
            },
        }
    }
}

impl Value {
    pub(super) fn number(number: i128) -> Self {
        Value {
            text: number.to_string(),
            range: (number, number),
            is_wide: false,
            is_sum: number < 0,
        }
    }

    pub(super) fn as_number(&self) -> Option<i128> {
        (self.range.0 == self.range.1).then_some(self.range.0)
    }

    pub(super) fn factor(&self) -> String {
        if self.is_sum { format!("({})", self.text) } else { self.text.clone() }
    }

    pub(super) fn times(&self, other: &Value) -> Option<Value> {
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => return checked(Value::number(a.checked_mul(b)?)),
            (Some(0), _) | (_, Some(0)) => return Some(Value::number(0)),
            (Some(1), _) => return Some(other.clone()),
            (_, Some(1)) => return Some(self.clone()),
            _ => {}
        }
        let (a, b) = (self.range, other.range);
        let mut ends = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, 0, 0];
        (ends[2], ends[3]) = (a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?);
        let range = (*ends.iter().min()?, *ends.iter().max()?);
        let (is_wide, cast) = self.widened(other, range);
        let text = format!("{cast}{} * {}", self.factor(), other.factor());
        checked(Value { text, range, is_wide, is_sum: true })
    }

    pub(super) fn plus(&self, other: &Value) -> Option<Value> {
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => return checked(Value::number(a.checked_add(b)?)),
            (Some(0), _) => return Some(other.clone()),
            (_, Some(0)) => return Some(self.clone()),
            _ => {}
        }
        let range =
            (self.range.0.checked_add(other.range.0)?, self.range.1.checked_add(other.range.1)?);
        let (is_wide, cast) = self.widened(other, range);
        let first =
            if cast.is_empty() { self.text.clone() } else { format!("{cast}({})", self.text) };
        let text = match other.as_number() {
            Some(number) if number < 0 => format!("{first} - {}", number.unsigned_abs()),
            _ => format!("{first} + {}", other.text),
        };
        checked(Value { text, range, is_wide, is_sum: true })
    }

    /// Whether a result of two values needs 128 bits, and the cast of the first one for it.
    fn widened(&self, other: &Value, range: Range) -> (bool, &'static str) {
        let is_wide = wide_type(&[range, self.range, other.range]).bytes > 8;
        let has_cast = self.is_wide || other.is_wide;
        let cast = if is_wide && !has_cast { "__extension__ (__int128) " } else { "" };
        (is_wide || has_cast, cast)
    }

    /// The less or the greater one of two values.
    fn better(&self, other: &Value, operator: &str) -> Option<Value> {
        let (a, b) = (self.factor(), other.factor());
        let text = format!("({a} {operator} {b} ? {a} : {b})");
        let range = match operator {
            "<" => (self.range.0.min(other.range.0), self.range.1.min(other.range.1)),
            _ => (self.range.0.max(other.range.0), self.range.1.max(other.range.1)),
        };
        let is_wide = self.is_wide || other.is_wide;
        checked(Value { text, range, is_wide, is_sum: false })
    }
}

/// A value that is not too large.
fn checked(value: Value) -> Option<Value> {
    (value.range.0 > -LIMIT && value.range.1 < LIMIT).then_some(value)
}
