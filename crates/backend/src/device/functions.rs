//! Functions of C's library that kernels may call.
//!
//! In C++ and OpenCL C these are overloaded: `sqrt` of a `float` is another function than in C, where it is
//! that of `double`. So kernels call functions of their own, which have the types of C's.
use super::booleans::with_conversions;
use super::language::Language;
use super::plain_words::with_plain_words;
use super::program_functions::ProgramFunctions;
use loopwright_scop::{Body, ProgramWords, Scop, Term, TermKind, TermPath};
use std::collections::BTreeSet;

/// A function: its name without a letter for its type, the number of its arguments, and their type.
struct Function {
    base: &'static str,
    n_arguments: usize,
    argument: &'static str,
}

/// Functions of `double`; of `float` there is one of each, with an `f` behind its name.
const FUNCTIONS: [(&str, usize); 24] = [
    ("sqrt", 1),
    ("cbrt", 1),
    ("exp", 1),
    ("exp2", 1),
    ("log", 1),
    ("log2", 1),
    ("log10", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("fabs", 1),
    ("floor", 1),
    ("ceil", 1),
    ("pow", 2),
    ("atan2", 2),
    ("fmin", 2),
    ("fmax", 2),
    ("fmod", 2),
];

impl Function {
    fn named(name: &str) -> Option<Function> {
        if name == "abs" {
            return Some(Function { base: "abs", n_arguments: 1, argument: "int" });
        }
        let find = |base: &str, argument| {
            let found = FUNCTIONS.iter().find(|(known, _)| *known == base);
            found.map(|&(base, n_arguments)| Function { base, n_arguments, argument })
        };
        find(name, "double").or_else(|| find(name.strip_suffix('f')?, "float"))
    }
}

/// Whether kernels may call a function of C's library.
pub(super) fn is_known(name: &str) -> bool {
    Function::named(name).is_some()
}

/// What kernels call in place of a function.
pub(super) fn own_name(name: &str) -> String {
    format!("lw_{name}")
}

/// The definition of what kernels call in place of a function.
pub(super) fn definition(name: &str, language: Language) -> Option<String> {
    let Function { base, n_arguments, argument } = Function::named(name)?;
    let (head, called) = match language {
        Language::Cuda if argument == "float" => ("static __device__", format!("{base}f")),
        Language::Cuda => ("static __device__", base.to_string()),
        Language::OpenCl => ("static inline", base.to_string()),
    };
    let letters = &["x", "y"][..n_arguments];
    let declared: Vec<String> = letters.iter().map(|x| format!("{argument} {x}")).collect();
    let (own, declared, given) = (own_name(name), declared.join(", "), letters.join(", "));
    Some(format!("{head} {argument} {own}({declared}) {{ return {called}({given}); }}"))
}

/// The names of the functions that a region calls, of the library or of the program.
pub(super) fn called(scop: &Scop, program: &ProgramFunctions) -> BTreeSet<String> {
    let bodies = scop.statements.iter().map(|statement| &statement.body);
    bodies.flat_map(|body| calls(body, program)).map(|(_, name)| name).collect()
}

/// The region whose statements are as the text of kernels has them: they call functions that kernels have for
/// those of C's library and of the program, and convert to `_Bool` where the language does not. Types and
/// constants of the program are in the words of C.
pub fn with_functions_of_kernels(scop: &Scop, words: &ProgramWords, language: Language) -> Scop {
    let scop = with_plain_words(scop, &words.meanings);
    with_own_functions(&scop, &ProgramFunctions::of(&words.functions), language)
}

pub(super) fn with_own_functions(
    scop: &Scop,
    program: &ProgramFunctions,
    language: Language,
) -> Scop {
    let mut scop = with_conversions(scop, language);
    for statement in &mut scop.statements {
        for (path, name) in calls(&statement.body, program) {
            statement.body = statement.body.replaced(&path, Term::of_text(&own_name(&name)));
        }
    }
    scop
}

fn calls(body: &Body, program: &ProgramFunctions) -> Vec<(TermPath, String)> {
    type Found = Vec<(TermPath, String)>;
    fn find(term: &Term, is_called: &dyn Fn(&str) -> bool, path: &mut TermPath, found: &mut Found) {
        if *term.kind() == TermKind::Name && is_called(term.text()) {
            found.push((path.clone(), term.text().to_string()));
        }
        for (position, child) in term.children().iter().enumerate() {
            path.push(position);
            find(child, is_called, path, found);
            path.pop();
        }
    }
    let is_called = |name: &str| is_known(name) || program.contains(name);
    let mut found = Vec::new();
    if let Some(root) = body.root() {
        find(root, &is_called, &mut Vec::new(), &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_types_of_c() {
        let of = |name, language| definition(name, language).unwrap();
        assert_eq!(
            of("sqrt", Language::Cuda),
            "static __device__ double lw_sqrt(double x) { return sqrt(x); }"
        );
        assert_eq!(
            of("sqrtf", Language::Cuda),
            "static __device__ float lw_sqrtf(float x) { return sqrtf(x); }"
        );
        assert_eq!(
            of("powf", Language::OpenCl),
            "static inline float lw_powf(float x, float y) { return pow(x, y); }"
        );
        assert_eq!(definition("rand", Language::Cuda), None);
    }
}
