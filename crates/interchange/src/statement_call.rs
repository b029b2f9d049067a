//! What stands for the text of a statement that has none: a call with its iterators.
use loopwright_presburger::{Aff, DimKind, PwAff, Set};
use loopwright_scop::{Body, Term, TermKind};

/// `S0(i, j)`: a macro or function that the user defines.
pub(crate) fn statement_call(name: &str, domain: &Set) -> Body {
    let iterators = (0..domain.n_dims()).map(|dimension| Term::affine(iterator(domain, dimension)));
    let children: Vec<Term> = [Term::of_text(name)].into_iter().chain(iterators).collect();
    let texts = match children.len() {
        1 => vec!["", "()"],
        n => [&["", "("], &vec![", "; n - 2][..], &[")"]].concat(),
    };
    Body::new(Term::new(TermKind::Call, children, &texts))
}

/// The value of an iterator on the instances.
pub(crate) fn iterator(domain: &Set, dimension: usize) -> PwAff {
    PwAff::from_aff(Aff::variable(domain.space(), DimKind::Out, dimension))
}
