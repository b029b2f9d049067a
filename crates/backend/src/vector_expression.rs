//! Which statements mean the same when some operands are vectors of GNU C.
//!
//! An arithmetic operator on two vectors works lane by lane; with a vector and a scalar it uses the
//! scalar in all lanes, if its type is that of the elements. So an assignment of sums, differences,
//! products and quotients of operands and constants of one type means the same for each lane.
//! Everything else (calls, conditions, casts, integers, whose type or meaning would change) is not
//! accepted.
use loopwright_scop::{Body, Element, FloatingType, Literal, ScalarType, Term, TermKind};

/// Whether the body is `operand = expression` (or `+=`, `-=`, `*=`, `/=`) as above, with operands of
/// type `element_type`, where the first operand and at least one on the right are vectors.
pub(crate) fn is_same_with_vectors(
    body: &Body,
    element_type: FloatingType,
    is_vector: impl Fn(&Element) -> bool,
) -> bool {
    body.plain_assignment().is_some_and(|assignment| {
        is_vector(assignment.target)
            && assignment.value.elements().into_iter().any(is_vector)
            && is_lane_by_lane(assignment.value, element_type)
    })
}

/// Whether the value is made of operands and constants of the type by operations on two values.
fn is_lane_by_lane(value: &Term, element_type: FloatingType) -> bool {
    value.all(&|term| match term.kind() {
        TermKind::Element(_) | TermKind::Binary(_) | TermKind::Parenthesized => true,
        TermKind::Literal(Literal::Floating) => {
            ScalarType::of_number(term.text()) == Some(ScalarType::Floating(element_type))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_scop::{ArrayId, BodyPiece};

    /// `v` stands for a vector, `s` for a scalar.
    fn accepts(text: &str, element_type: FloatingType) -> bool {
        let mut body = Vec::new();
        for part in text.split_inclusive(['v', 's']) {
            let (before, name) = match part.strip_suffix(['v', 's']) {
                Some(before) => (before, &part[before.len()..]),
                None => (part, ""),
            };
            body.push(BodyPiece::text(before));
            if !name.is_empty() {
                body.push(BodyPiece::element(Element::new(name, ArrayId(0), Vec::new())));
            }
        }
        let is_vector = |element: &Element| element.base.is_named("v");
        is_same_with_vectors(&Body::read(body), element_type, is_vector)
    }

    #[test]
    fn arithmetic_is_accepted() {
        for text in ["v += s * v", "v = v + (s - 1.5) * v / 2.0e-3", "v -= v*v", "v /= (((v)))"] {
            assert!(accepts(text, FloatingType::Double), "{text}");
        }
        assert!(accepts("v += 0.5f * v", FloatingType::Float));
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
            assert!(!accepts(text, FloatingType::Double), "{text}");
        }
        assert!(!accepts("v += 0.5 * v", FloatingType::Float));
    }
}
