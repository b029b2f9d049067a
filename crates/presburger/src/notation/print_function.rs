//! Quasi-affine expressions and functions as text.
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::multi_union_pw_aff::MultiUnionPwAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::functions::union_piecewise::{UnionPwAff, UnionPwMultiAff};
use crate::notation::expression_text::{
    Columns, column_names, parameters_text, tuple_text, tuples_text,
};
use crate::notation::print_set::condition_text;
use std::fmt;

/// `(1 + i)`, `(1 + i)/2` or `NaN`.
pub(super) fn aff_text(aff: &Aff, names: &[String]) -> String {
    if aff.nan {
        return "NaN".to_owned();
    }
    let form = Columns::new(names, &aff.locals).linear(&aff.row);
    match aff.denominator.is_one() {
        true => format!("({form})"),
        false => format!("({form})/{}", aff.denominator),
    }
}

/// `S[i] -> A[(i), (1)] : condition`.
fn piece_text(domain_space: &Space, range: &Tuple, affs: &[Aff], domain: Option<&Set>) -> String {
    let names = column_names(domain_space);
    let n_before = 1 + domain_space.param_names().len();
    let domain_text = tuples_text(domain_space, &names[n_before..]);
    let values: Vec<String> = affs.iter().map(|aff| aff_text(aff, &names)).collect();
    let mut text = match domain_text.as_str() {
        "" => tuple_text(range, &values),
        domain => format!("{domain} -> {}", tuple_text(range, &values)),
    };
    let condition = domain.map(|set| condition_text(set, &names)).unwrap_or_default();
    if !condition.is_empty() {
        text.push_str(" : ");
        text.push_str(&condition);
    }
    text
}

/// The text of a function that is defined nowhere.
fn nothing(domain: &Space, range: &Tuple) -> String {
    let zeros = vec![Aff::zero(domain); range.n_dims()];
    piece_text(domain, range, &zeros, Some(&Set::empty(domain.clone())))
}

fn pw_aff_items(function: &PwAff) -> Vec<String> {
    let range = Tuple::anonymous(1);
    if function.pieces.is_empty() {
        return vec![nothing(&function.space, &range)];
    }
    let piece = |(domain, aff): &(Set, Aff)| {
        piece_text(&function.space, &range, std::slice::from_ref(aff), Some(domain))
    };
    function.pieces.iter().map(piece).collect()
}

fn pw_multi_aff_items(function: &PwMultiAff) -> Vec<String> {
    let anonymous = Tuple::anonymous(0);
    let range = function.space.output().unwrap_or(&anonymous);
    if function.pieces.is_empty() {
        return vec![nothing(&function.space.domain(), range)];
    }
    let piece = |(domain, aff): &(Set, MultiAff)| {
        piece_text(&function.space.domain(), range, &aff.members, Some(domain))
    };
    function.pieces.iter().map(piece).collect()
}

/// All parameters of several spaces.
fn merged<'a>(spaces: impl Iterator<Item = &'a Space>) -> Space {
    spaces.fold(Space::params(&[]), |all, space| all.merge_params(space))
}

fn braced(f: &mut fmt::Formatter<'_>, space: &Space, items: &[String]) -> fmt::Result {
    write!(f, "{}{{ {} }}", parameters_text(space), items.join("; "))
}

impl fmt::Display for Aff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = Tuple::anonymous(1);
        let text = piece_text(&self.space, &range, std::slice::from_ref(self), None);
        braced(f, &self.space, &[text])
    }
}

/// Prints isl's notation; [`PwAff::parse`] reads it back.
impl fmt::Display for PwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, &self.space, &pw_aff_items(self))
    }
}

impl fmt::Display for MultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let anonymous = Tuple::anonymous(0);
        let range = self.space.output().unwrap_or(&anonymous);
        braced(f, &self.space, &[piece_text(&self.space.domain(), range, &self.members, None)])
    }
}

/// Prints isl's notation; [`PwMultiAff::parse`] reads it back.
impl fmt::Display for PwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, &self.space, &pw_multi_aff_items(self))
    }
}

impl fmt::Display for UnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.parts.iter().flat_map(pw_aff_items).collect();
        braced(f, &merged(self.parts.iter().map(|part| &part.space)), &items)
    }
}

impl fmt::Display for UnionPwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.parts.iter().flat_map(pw_multi_aff_items).collect();
        braced(f, &merged(self.parts.iter().map(|part| &part.space)), &items)
    }
}

/// Prints isl's notation; [`MultiUnionPwAff::parse`] reads it back.
impl fmt::Display for MultiUnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spaces = self.members.iter().flat_map(|member| &member.parts).map(|part| &part.space);
        let member = |member: &UnionPwAff| {
            let items: Vec<String> = member.parts.iter().flat_map(pw_aff_items).collect();
            format!("{{ {} }}", items.join("; "))
        };
        let name = self.tuple.name().map_or("", |name| name);
        let members: Vec<String> = self.members.iter().map(member).collect();
        if let (Some(domain), true) = (&self.explicit_domain, members.is_empty()) {
            let params = parameters_text(domain.params_space());
            let domain = domain.to_string();
            let domain = domain.strip_prefix(&params).unwrap_or(&domain);
            return write!(f, "{params}({name}[] : {domain})");
        }
        write!(f, "{}{name}[{}]", parameters_text(&merged(spaces)), members.join(", "))
    }
}
