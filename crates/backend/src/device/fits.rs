//! Whether all of a region can run in kernels: what its statements are made of, and where its data lies.
use super::booleans::is_counted;
use super::functions;
use super::given_pointers::GivenPointers;
use super::language::Language;
use super::linear_subscripts::is_whole;
use super::own_variables::own_variables;
use super::places::HostPlace;
use super::plain_words::with_plain_words;
use super::program_functions::ProgramFunctions;
use super::types::{element_type, parameter_type};
use super::words::{RESERVED, WORDS};
use loopwright_scop::{
    AccessKind, ArrayId, Element, Literal, Parameter, ProgramWords, Scop, Statement, Term,
    TermKind, UnaryOperator,
};
use std::collections::BTreeSet;

/// Whether the elements of an array with several dimensions are parts of a linear one (`A[i * n + j]`).
pub fn is_linear(scop: &Scop, array: ArrayId) -> bool {
    if scop.array(array).is_member {
        return false;
    }
    let own = |element: &&Element| element.array == array;
    let is_plain = |element: &Element| element.base.parts().1.is_empty();
    let bodies = scop.statements.iter().map(|statement| &statement.body);
    bodies.flat_map(|body| body.elements()).filter(own).any(|element| !is_plain(element))
}

/// Why a region cannot run in kernels of a language; none if it can. `words` says what names of the program
/// mean.
pub fn why_not(scop: &Scop, words: &ProgramWords, language: Language) -> Option<String> {
    let program = &ProgramFunctions::of(&words.functions);
    let scop = &with_plain_words(scop, &words.meanings);
    let is_path = |c: char| c.is_ascii_alphanumeric() || "_[].".contains(c);
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let parameters = scop.parameters.iter().find_map(|Parameter { name, c_type, .. }| {
        match parameter_type(c_type) {
            None => Some(format!("the type `{c_type}` of `{name}` is not known there")),
            Some(_) if !is_name(name) => Some(format!("`{name}` is no variable of its own")),
            Some(_) => None,
        }
    });
    let names = scop.parameters.iter().map(|parameter| &parameter.name);
    let mut names = names.chain(scop.arrays.iter().map(|array| &array.tuple_name));
    let reserved = names.find(|name| RESERVED.contains(&&***name) || name.starts_with("lw_"));
    let reserved = reserved.map(|name| format!("the name `{name}` means something else there"));
    let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
    let used: BTreeSet<ArrayId> = used_arrays(scop);
    let arrays = ids.filter(|(id, _)| used.contains(id)).find_map(|(id, array)| {
        let name = &array.name;
        if let Err(reason) = HostPlace::of(scop, id) {
            return Some(reason);
        }
        // `p[0].x` is where a pointer is that is a member.
        let is_place = name.chars().all(is_path);
        if !is_name(&array.tuple_name) || !is_place {
            return Some(format!("`{name}` is no variable of its own"));
        }
        if element_type(array, language).is_none() {
            return Some(format!("elements of `{name}` have the type `{}`", array.element_type));
        }
        let is_unknown = array.extents.iter().skip(1).any(Option::is_none);
        is_unknown.then(|| format!("the extents of `{name}` are not known"))
    });
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let mut statements = executed.filter_map(|statement| {
        let why = StatementFits { scop, statement, program, language }.why_not()?;
        Some(format!("statement {} at line {}: {why}", statement.name, statement.location.line))
    });
    parameters.or(reserved).or(arrays).or_else(|| statements.next())
}

/// The arrays that are read or written.
fn used_arrays(scop: &Scop) -> BTreeSet<ArrayId> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accesses = executed.flat_map(|statement| &statement.accesses);
    accesses.filter(|access| access.kind != AccessKind::Kill).map(|access| access.array).collect()
}

struct StatementFits<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    program: &'a ProgramFunctions,
    language: Language,
}

impl StatementFits<'_> {
    fn why_not(&self) -> Option<String> {
        let body = &self.statement.body;
        let given =
            match GivenPointers::of(self.scop, self.statement, (self.program, self.language)) {
                Ok(given) => given,
                Err(reason) => return Some(reason),
            };
        let own = match own_variables(body, &|term| given.contains(term)) {
            Ok(own) => own,
            Err(reason) => return Some(reason),
        };
        let mut strange = None;
        if let Some(root) = body.root() {
            root.for_each(&mut |term| {
                strange = strange.take().or_else(|| self.strange_term(term, (&own, &given)));
            });
        }
        strange.or_else(|| self.strange_subscripts(&given))
    }

    /// An array of several dimensions without all of its subscripts.
    fn strange_subscripts(&self, given: &GivenPointers<'_>) -> Option<String> {
        let root = self.statement.body.root()?;
        let n_dims = |element: &Element| self.scop.array(element.array).extents.len();
        let (mut bare, mut whole): (Vec<&Element>, usize) = (Vec::new(), 0);
        root.for_each(&mut |term| {
            match term.as_element() {
                Some(element)
                    if n_dims(element) > 1
                        && element.subscripts.len() < n_dims(element)
                        && !given.contains(term) =>
                {
                    bare.push(element);
                }
                _ => {}
            }
            let array = term.children().first().and_then(Term::as_element);
            let is_bare = |array: &&Element| array.subscripts.is_empty() && n_dims(array) > 1;
            if let Some(array) = array.filter(is_bare) {
                whole += usize::from(is_whole(term, n_dims(array)));
            }
        });
        let first = bare.first().filter(|_| bare.len() != whole)?;
        let (name, n) = (&self.scop.array(first.array).name, n_dims(first));
        Some(format!("`{name}`, which has {n} dimensions, is used with fewer subscripts"))
    }

    /// What there is about a part of a statement that kernels cannot have.
    fn strange_term(
        &self,
        term: &Term,
        (own, given): (&BTreeSet<String>, &GivenPointers<'_>),
    ) -> Option<String> {
        let missing = |word: &str| Some(format!("kernels do not have `{word}`"));
        if is_counted(term, self.scop) {
            return Some("it counts with a `_Bool`".to_string());
        }
        match term.kind() {
            TermKind::Unary(UnaryOperator::AddressOf) if given.contains(term) => None,
            TermKind::Unary(UnaryOperator::AddressOf | UnaryOperator::Dereference) => {
                Some("it uses addresses".to_string())
            }
            TermKind::Member => Some("it uses members of structures".to_string()),
            TermKind::Element(element) => self.strange_element(element),
            TermKind::Name => {
                let word = term.text();
                let is_parameter = self.scop.parameters.iter().any(|p| &*p.name == word);
                let is_there = is_parameter
                    || own.contains(word)
                    || functions::is_known(word)
                    || self.program.contains(word);
                if is_there { None } else { missing(word) }
            }
            TermKind::Literal(Literal::String) => Some("it has a string".to_string()),
            TermKind::Literal(Literal::Floating) if term.text().ends_with(['l', 'L']) => {
                Some(format!("{} has no `long double`", self.language.name()))
            }
            TermKind::Cast(_) => {
                let words = term.cast_type().unwrap_or("?").split_whitespace();
                let mut strange = words.filter(|word| !WORDS.contains(word) && *word != "bool");
                strange.next().and_then(missing)
            }
            _ => None,
        }
    }

    /// What there is about an element that kernels cannot have.
    fn strange_element(&self, element: &Element) -> Option<String> {
        let array = self.scop.arrays.get(element.array.0 as usize)?;
        if array.is_member {
            return None;
        }
        let (before, after) = element.base.parts();
        let own = if array.declared_in_scop { &array.tuple_name } else { &array.name };
        let is_plain = before == &**own;
        let is_linear = before.trim_start_matches('(') == format!("{own}[") && !after.is_empty();
        if !is_plain && !is_linear {
            return Some(format!("`{before}` is not where `{}` begins", array.name));
        }
        None
    }
}
