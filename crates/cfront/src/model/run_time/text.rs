//! Constraints on symbolic constants as conditions of C.
//!
//! Terms with positive coefficients stand on one side and those with negative ones on the other. They are
//! computed in `long` where the ranges of the types show that this cannot overflow, and in 128 bits
//! elsewhere. A comparison of a constant with a number or with another constant stays as short as C's
//! conversions allow.
use super::symbolic_value::SymbolicValue;
use loopwright_presburger::{BasicSet, Local, Row, Set};

/// The least and the greatest value of an expression.
pub(super) type Range = (i128, i128);

/// An expression, and the values that it may have.
pub(super) struct Operand {
    text: String,
    range: Range,
    /// The type that C gives it.
    bytes: u64,
    is_signed: bool,
}

/// The condition that the constants lie in a set; none if numbers are too large or locals have no value.
pub(super) fn set_text(holds: &Set, values: &[SymbolicValue]) -> Option<String> {
    let pieces = holds.basic_sets();
    let texts = pieces.iter().map(|piece| Piece::new(piece, values)?.text());
    let texts = texts.collect::<Option<Vec<String>>>()?;
    Some(match &texts[..] {
        [] => "0".to_string(),
        [single] => single.clone(),
        several => {
            let inner: Vec<String> = several.iter().map(|text| format!("({text})")).collect();
            format!("({})", inner.join(" || "))
        }
    })
}

/// The operands of the constraints of a basic set: column 0 is the constant, then come the symbolic constants
/// and the floors.
struct Piece<'a> {
    set: &'a BasicSet,
    operands: Vec<Operand>,
}

impl<'a> Piece<'a> {
    fn new(set: &'a BasicSet, values: &[SymbolicValue]) -> Option<Self> {
        let operands = values.iter().map(Operand::of_value).collect::<Option<Vec<Operand>>>()?;
        let mut piece = Piece { set, operands };
        for local in set.locals() {
            let Local::Floor { numerator, denominator } = local else { return None };
            let floor = piece.floor(numerator, denominator.to_i64()?)?;
            piece.operands.push(floor);
        }
        Some(piece)
    }

    fn text(&self) -> Option<String> {
        let equalities = self.set.equalities().iter().map(|row| self.constraint(row, true));
        let inequalities = self.set.inequalities().iter().map(|row| self.constraint(row, false));
        let texts = equalities.chain(inequalities).collect::<Option<Vec<String>>>()?;
        Some(if texts.is_empty() { "1".to_string() } else { texts.join(" && ") })
    }

    /// The constant of a row, and its operands with their coefficients.
    fn terms(&self, row: &Row) -> Option<(i64, Vec<(i64, &Operand)>)> {
        let mut terms = Vec::new();
        for column in 1..row.len() {
            if !row.is_zero_at(column) {
                terms.push((row.get(column).to_i64()?, self.operands.get(column - 1)?));
            }
        }
        Some((row.get(0).to_i64()?, terms))
    }

    /// `row >= 0` or `row = 0`.
    fn constraint(&self, row: &Row, is_equality: bool) -> Option<String> {
        let (constant, terms) = self.terms(row)?;
        let (least, equal) = if is_equality { ("==", "==") } else { (">=", "<=") };
        match terms[..] {
            [(1, operand)] => {
                if let Some(text) = operand.compared(least, constant.checked_neg()?) {
                    return Some(text);
                }
            }
            [(-1, operand)] => {
                if let Some(text) = operand.compared(equal, constant) {
                    return Some(text);
                }
            }
            [(1, a), (-1, b)] | [(-1, b), (1, a)] if a.compares_with(b) => {
                let operator = match (constant, is_equality) {
                    (0, true) => Some("=="),
                    (0, false) => Some("<="),
                    (-1, false) => Some("<"),
                    _ => None,
                };
                if let Some(operator) = operator {
                    return Some(format!("{} {operator} {}", b.text, a.text));
                }
            }
            _ => {}
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (coefficient, operand) in terms {
            let side = if coefficient > 0 { &mut left } else { &mut right };
            side.push((i128::from(coefficient).abs(), operand));
        }
        let constants =
            if constant > 0 { (i128::from(constant), 0) } else { (0, -i128::from(constant)) };
        let ranges = [sum_range(constants.0, &left)?, sum_range(constants.1, &right)?];
        let wide = wide_type(&ranges);
        let (left, right) =
            (sum_text(constants.0, &left, wide)?, sum_text(constants.1, &right, wide)?);
        Some(format!("{left} {least} {right}"))
    }

    /// `numerator / denominator`, rounded down.
    fn floor(&self, numerator: &Row, denominator: i64) -> Option<Operand> {
        let (constant, terms) = self.terms(numerator)?;
        let terms: Vec<(i128, &Operand)> =
            terms.into_iter().map(|(coefficient, operand)| (coefficient.into(), operand)).collect();
        let (low, high) = sum_range(constant.into(), &terms)?;
        let room = (low.checked_sub(denominator.into())?, high.checked_add(denominator.into())?);
        let wide = wide_type(&[room]);
        let sum = sum_text(constant.into(), &terms, wide)?;
        let text = match low >= 0 {
            true => format!("({sum}) / {denominator}"),
            false => format!(
                "({sum} >= 0 ? ({sum}) / {denominator} : -(({} - ({sum})) / {denominator}))",
                denominator - 1
            ),
        };
        let range = (low.div_euclid(denominator.into()), high.div_euclid(denominator.into()));
        Some(Operand { text: format!("({text})"), range, bytes: wide.bytes, is_signed: true })
    }
}

impl Operand {
    pub(super) fn of_value(value: &SymbolicValue) -> Option<Self> {
        let values = 1i128 << (8 * value.bytes.min(8));
        let range = if value.is_signed { (-values / 2, values / 2 - 1) } else { (0, values - 1) };
        let is_word = value.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let text = if is_word { value.text.clone() } else { format!("({})", value.text) };
        (value.bytes <= 8).then_some(Operand {
            text,
            range,
            bytes: value.bytes,
            is_signed: value.is_signed,
        })
    }

    /// A comparison with a number, if C's conversions keep both values.
    fn compared(&self, operator: &str, number: i64) -> Option<String> {
        let is_kept = number > i64::MIN && (number >= 0 || self.is_signed || self.bytes < 4);
        is_kept.then(|| format!("{} {operator} {number}", self.text))
    }

    /// Whether C compares the values of both, and not other ones that they are converted to.
    fn compares_with(&self, other: &Operand) -> bool {
        let promoted = |o: &Operand| if o.bytes < 4 { (4, true) } else { (o.bytes, o.is_signed) };
        let ((a, a_signed), (b, b_signed)) = (promoted(self), promoted(other));
        a_signed == b_signed || (a_signed && a > b) || (b_signed && b > a)
    }
}

/// A signed type that computations are done in.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    cast: &'static str,
    pub(super) bytes: u64,
}

/// The type that holds numbers of these ranges.
pub(super) fn wide_type(ranges: &[Range]) -> Wide {
    let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
    match ranges.iter().all(|(low, high)| *low > least && *high <= most) {
        true => Wide { cast: "(long)", bytes: 8 },
        false => Wide { cast: "__extension__ (__int128)", bytes: 16 },
    }
}

/// The values of all partial sums.
pub(super) fn sum_range(constant: i128, terms: &[(i128, &Operand)]) -> Option<Range> {
    let mut range = (constant.min(0), constant.max(0));
    for (coefficient, operand) in terms {
        let ends = [operand.range.0, operand.range.1].map(|end| end.checked_mul(*coefficient));
        let (a, b) = (ends[0]?, ends[1]?);
        range = (range.0.checked_add(a.min(b).min(0))?, range.1.checked_add(a.max(b).max(0))?);
    }
    // A bit of room for rounding and negation.
    let limit = 1i128 << 100;
    (range.0 > -limit && range.1 < limit).then_some(range)
}

pub(super) fn sum_text(constant: i128, terms: &[(i128, &Operand)], wide: Wide) -> Option<String> {
    let mut text = String::new();
    for (coefficient, operand) in terms {
        let sign = match (text.is_empty(), *coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        if coefficient.abs() != 1 {
            text.push_str(&format!("{} * ", coefficient.abs()));
        }
        text.push_str(&format!("{} {}", wide.cast, operand.text));
    }
    match (constant, text.is_empty()) {
        (_, true) => text = constant.to_string(),
        (0, false) => {}
        (constant, false) if constant < 0 => text.push_str(&format!(" - {}", -constant)),
        (constant, false) => text.push_str(&format!(" + {constant}")),
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text for a set over `n` (`int`), `u` (`unsigned`), `m` (`size_t`), `l` (`long`) and `c`
    /// (`unsigned char`).
    fn text(condition: &str) -> String {
        let value =
            |text: &str, bytes, is_signed| SymbolicValue { text: text.into(), bytes, is_signed };
        let values = [
            value("n", 4, true),
            value("u", 4, false),
            value("m", 8, false),
            value("*l", 8, true),
            value("c", 1, false),
        ];
        let set = Set::parse(&format!("[n, u, m, l, c] -> {{ : {condition} }}"));
        set_text(&set.expect("it is a set"), &values).expect("it has a text")
    }

    #[test]
    fn one_value_is_compared_without_casts_where_conversions_keep_it() {
        assert_eq!(text("n >= 1"), "n >= 1");
        assert_eq!(text("u <= 4294967294"), "u <= 4294967294");
        assert_eq!(text("m <= 9223372036854775806"), "m <= 9223372036854775806");
        assert_eq!(text("n >= -5"), "n >= -5");
        assert_eq!(text("u >= -5"), "(long) u + 5 >= 0");
        assert_eq!(text("c >= -5"), "c >= -5");
    }

    #[test]
    fn two_values_are_compared_in_a_type_of_both() {
        assert_eq!(text("u <= m"), "u <= m");
        assert_eq!(text("c < n"), "c < n");
        assert_eq!(text("n <= u"), "(long) u >= (long) n");
        assert_eq!(text("n <= m"), "__extension__ (__int128) m >= __extension__ (__int128) n");
        assert_eq!(text("n = l"), "n == (*l)");
    }

    #[test]
    fn sums_are_computed_where_they_cannot_overflow() {
        assert_eq!(text("2 n + u >= 7"), "2 * (long) n + (long) u >= 7");
        assert_eq!(
            text("l >= n + 3"),
            "__extension__ (__int128) (*l) >= __extension__ (__int128) n + 3"
        );
        assert_eq!(text("n <= 2 or n >= 7"), "((n <= 2) || (n >= 7))");
        assert_eq!(text("n < 2 and n > 7"), "0");
    }

    #[test]
    fn floors_are_rounded_down() {
        assert_eq!(text("u mod 4 = 1"), "4 * (long) (((long) u + 3) / 4) == (long) u + 3");
        let of_negative = text("n mod 4 = 1");
        assert!(of_negative.contains("? ((long) n + 3) / 4 : -((3 - ((long) n + 3)) / 4)"));
    }
}
