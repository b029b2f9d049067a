//! Elements of two objects that lie between each other and never meet: columns of one matrix, the real and
//! the imaginary parts of complex numbers.
//!
//! If all that is accessed of each of two objects is within `[start, start + width)` modulo the same step, in
//! bytes, they have no byte in common where the one range of residues begins behind the end of the other,
//! around the step: with `d` the distance of the starts modulo the step, where `width_a <= d` and
//! `d + width_b <= step`.
use super::ranges::{ByteRange, Bytes, Value, Writer};
use crate::model::delinearized_shape::Layout;
use loopwright_presburger::Row;

/// What the bytes of a range are modulo a step.
struct Residues {
    step: Value,
    /// The same step has the same key.
    key: (i64, Option<Row>),
    start: Value,
    width: Value,
}

impl Writer<'_> {
    /// The condition that two ranges are in different residues of the same step; none if they have no such
    /// form.
    pub(super) fn in_other_residues(&mut self, a: &ByteRange, b: &ByteRange) -> Option<String> {
        let (of_a, of_b) = (self.residues(a)?, self.residues(b)?);
        if of_a.key != of_b.key {
            return None;
        }
        let step = of_a.step;
        let never = |numbers: (i128, i128, i128)| numbers.0 + numbers.1 > numbers.2;
        let numbers = of_a.width.as_number().zip(of_b.width.as_number()).zip(step.as_number());
        if numbers.is_some_and(|((a, b), step)| never((a, b, step))) {
            return None;
        }
        let (width_a, width_b) = (of_a.width.text, of_b.width.text);
        let address = |range: &ByteRange| format!("(unsigned long) {}", range.base);
        let constants = of_a.start.as_number().zip(of_b.start.as_number()).zip(step.as_number());
        let power = constants.filter(|(_, step)| *step > 0 && step & (step - 1) == 0);
        let distance = match power {
            Some(((a_start, b_start), step)) => {
                let shift = (b_start - a_start).rem_euclid(step);
                format!("({} - {} + {shift}) % {step}", address(b), address(a))
            }
            None => {
                let (a_start, b_start) = (of_a.start.factor(), of_b.start.factor());
                let step = step.factor();
                format!(
                    "((__extension__ (__int128) {} + {b_start} - {} - {a_start}) % {step} + {step}) % {step}",
                    address(b),
                    address(a)
                )
            }
        };
        let is_step =
            if step.range.0 > 0 { String::new() } else { format!("{} > 0 && ", step.factor()) };
        let step = step.text;
        Some(format!("({is_step}{distance} >= {width_a} && {distance} + {width_b} <= {step})"))
    }

    fn residues(&mut self, range: &ByteRange) -> Option<Residues> {
        let (Bytes::Known(element), [level]) = (&range.element, &range.levels[..]) else {
            return None;
        };
        let Bytes::Known(bytes) = level.bytes else { return None };
        let in_bytes = Value::number(bytes.into());
        let element = Value::number((*element).into());
        match (&level.strides[..], &level.spans[..]) {
            ([], _) if level.lattice.0 > 1 => {
                let step = level.lattice.0.checked_mul(bytes)?;
                Some(Residues {
                    step: Value::number(step.into()),
                    key: (step, None),
                    start: Value::number(i128::from(level.lattice.1) * i128::from(bytes)),
                    width: element,
                })
            }
            ([.., stride], [.., last]) if level.layout == Layout::Nested => {
                // A row that is used as a whole leaves no room for another one.
                let mut is_whole = last.difference()?;
                is_whole.add_at(0, &1.into());
                if is_whole == *stride {
                    return None;
                }
                let key = (bytes, Some(stride.clone()));
                let step = in_bytes.times(&self.stride(stride, level.strides.len())?)?;
                let start = in_bytes.times(&self.end_of(last, false, false)?)?;
                let width = in_bytes.times(&self.extent(last)?)?.plus(&element)?;
                Some(Residues { step, key, start, width })
            }
            _ => None,
        }
    }
}
