//! What stands for the text of a statement that has none: a call with its iterators.
use loopwright_presburger::{Aff, DimKind, PwAff, Set};
use loopwright_scop::BodyPiece;

/// `S0(i, j)`: a macro or function that the user defines.
pub(crate) fn statement_call(name: &str, domain: &Set) -> Vec<BodyPiece> {
    let mut body = vec![BodyPiece::Text(format!("{name}("))];
    for dimension in 0..domain.n_dims() {
        if dimension > 0 {
            body.push(BodyPiece::Text(", ".to_string()));
        }
        body.push(BodyPiece::Expression(iterator(domain, dimension)));
    }
    body.push(BodyPiece::Text(")".to_string()));
    body
}

/// The value of an iterator on the instances.
pub(crate) fn iterator(domain: &Set, dimension: usize) -> PwAff {
    PwAff::from_aff(Aff::variable(domain.space(), DimKind::Out, dimension))
}
