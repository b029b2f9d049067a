//! Which statements mean the same when some operands are vectors of GNU C.
//!
//! An arithmetic operator on two vectors works lane by lane; with a vector and a scalar it uses the
//! scalar in all lanes, if its type is that of the elements. So an assignment of sums, differences,
//! products and quotients of operands and constants of one type means the same for each lane.
//! Everything else (calls, conditions, casts, integers, whose type or meaning would change) is not
//! accepted.
use crate::register_block::Piece;

/// Whether the statement is `operand = expression` (or `+=`, `-=`, `*=`, `/=`) as above, with operands
/// of type `element_type`, where the first operand and at least one on the right are vectors.
pub(crate) fn is_same_with_vectors(
    pieces: &[Piece],
    element_type: &str,
    is_vector: impl Fn(usize) -> bool,
) -> bool {
    let [Piece::Operand(first), rest @ ..] = pieces else { return false };
    let mut state = State::default();
    for piece in rest {
        let accepted = match piece {
            Piece::Operand(_) => state.operand(),
            Piece::Text(text) => state.text(text, element_type),
        };
        if !accepted {
            return false;
        }
    }
    let on_the_right = |piece: &Piece| matches!(piece, Piece::Operand(o) if is_vector(*o));
    state.is_complete() && is_vector(*first) && rest.iter().any(on_the_right)
}

/// What has been read of a statement behind its first operand.
#[derive(Default)]
struct State {
    is_assigned: bool,
    /// Whether an operand has been read since the last operator.
    has_operand: bool,
    depth: usize,
}

impl State {
    fn is_complete(&self) -> bool {
        self.is_assigned && self.has_operand && self.depth == 0
    }

    fn operand(&mut self) -> bool {
        let expected = self.is_assigned && !self.has_operand;
        self.has_operand = true;
        expected
    }

    fn text(&mut self, text: &str, element_type: &str) -> bool {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '0'..='9' | '.' => {
                    let Some(length) = constant(rest, element_type) else { return false };
                    if !self.operand() {
                        return false;
                    }
                    length
                }
                _ if !self.is_assigned => {
                    let assignments = ["=", "+=", "-=", "*=", "/="];
                    let found = assignments.iter().find(|sign| rest.starts_with(**sign));
                    let Some(sign) = found.filter(|sign| !rest[sign.len()..].starts_with('='))
                    else {
                        return false;
                    };
                    self.is_assigned = true;
                    sign.len()
                }
                '(' if !self.has_operand => {
                    self.depth += 1;
                    1
                }
                ')' if self.has_operand && self.depth > 0 => {
                    self.depth -= 1;
                    1
                }
                '+' | '-' | '*' | '/' if self.has_operand => {
                    self.has_operand = false;
                    1
                }
                _ => return false,
            };
            rest = rest[length..].trim_start();
        }
        true
    }
}

/// The length of the floating-point constant of the given type at the start of `text`.
fn constant(text: &str, element_type: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let mut end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text[..end].ends_with(['e', 'E']) && text[end..].starts_with(['+', '-']) {
        let digits = &text[end + 1..];
        end += 1 + digits.find(|c| !is_part(c)).unwrap_or(digits.len());
    }
    let number = &text[..end];
    let digits = match element_type {
        "double" => number,
        "float" => number.strip_suffix(['f', 'F'])?,
        _ => return None,
    };
    let is_plain = digits.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    let is_floating = digits.contains(['.', 'e', 'E']);
    (is_plain && is_floating && digits.parse::<f64>().is_ok()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `v` stands for a vector, `s` for a scalar.
    fn accepts(text: &str, element_type: &str) -> bool {
        let mut pieces = Vec::new();
        for part in text.split_inclusive(['v', 's']) {
            match part.strip_suffix(['v', 's']) {
                Some(before) => {
                    if !before.is_empty() {
                        pieces.push(Piece::Text(before.to_string()));
                    }
                    pieces.push(Piece::Operand(usize::from(part.ends_with('v'))));
                }
                None => pieces.push(Piece::Text(part.to_string())),
            }
        }
        is_same_with_vectors(&pieces, element_type, |operand| operand == 1)
    }

    #[test]
    fn arithmetic_is_accepted() {
        for text in ["v += s * v", "v = v + (s - 1.5) * v / 2.0e-3", "v -= v*v", "v /= (((v)))"] {
            assert!(accepts(text, "double"), "{text}");
        }
        assert!(accepts("v += 0.5f * v", "float"));
    }

    #[test]
    fn what_would_change_its_meaning_is_not() {
        let texts = [
            "v += s",
            "v = 1.0",
            "v += 2 * v",
            "v += 1/2*v",
            "v += sqrt(v)",
            "v = v < s ? v : s",
            "v += v++",
            "v += -v",
            "v == v",
            "v += (float) v",
            "v += 0.5f * v",
            "v %= v",
            "v",
            "v += 0x1p3 * v",
            "v += (v",
            "v += v)",
            "v += v v",
            "s += v",
            "v, v += v",
            "v += v; v",
            "v += v = v",
            "v <<= v",
            "v = v[0]",
            "v += 1.5 2.5 * v",
            "v += v +",
        ];
        for text in texts {
            assert!(!accepts(text, "double"), "{text}");
        }
        assert!(!accepts("v += 0.5 * v", "float"));
    }
}
