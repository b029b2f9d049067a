//! Functions of C's library that kernels may call.
//!
//! In C++ and OpenCL C these are overloaded: `sqrt` of a `float` is another function than in C, where it is that of
//! `double`. So calls go through macros that convert the arguments as C does.
use super::language::Language;

/// A function: its name, the number of its arguments, and their type.
struct Function {
    name: &'static str,
    n_arguments: usize,
    argument: &'static str,
}

const DOUBLE: [(&str, usize); 24] = [
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
            return Some(Function { name: "abs", n_arguments: 1, argument: "int" });
        }
        let find = |base: &str, argument| {
            let found = DOUBLE.iter().find(|(known, _)| *known == base);
            found.map(|&(name, n_arguments)| Function { name, n_arguments, argument })
        };
        find(name, "double").or_else(|| find(name.strip_suffix('f')?, "float"))
    }
}

/// Whether kernels may call a function of C's library.
pub(super) fn is_known(name: &str) -> bool {
    Function::named(name).is_some()
}

/// The macro through which a function is called.
pub(super) fn definition(name: &str, language: Language) -> Option<String> {
    let function = Function::named(name)?;
    let called = match (language, function.argument) {
        (Language::Cuda, "float") => format!("{}f", function.name),
        _ => function.name.to_string(),
    };
    let letters = &["x", "y"][..function.n_arguments];
    let arguments: Vec<String> =
        letters.iter().map(|letter| format!("({}) ({letter})", function.argument)).collect();
    // The parentheses keep another macro of that name away.
    Some(format!("#define {name}({}) ({called})({})", letters.join(", "), arguments.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_converted_as_in_c() {
        let of = |name, language| definition(name, language).unwrap();
        assert_eq!(of("sqrt", Language::Cuda), "#define sqrt(x) (sqrt)((double) (x))");
        assert_eq!(of("sqrtf", Language::Cuda), "#define sqrtf(x) (sqrtf)((float) (x))");
        assert_eq!(of("sqrtf", Language::OpenCl), "#define sqrtf(x) (sqrt)((float) (x))");
        assert_eq!(
            of("pow", Language::OpenCl),
            "#define pow(x, y) (pow)((double) (x), (double) (y))"
        );
        assert_eq!(definition("rand", Language::Cuda), None);
    }
}
