//! Parameters of the program's functions that are pointers: to elements of arrays in memory of the device.
//!
//! In kernels they are `const double *c`, in OpenCL with `__global` in front, as arrays of kernels are all in
//! that memory.
use super::language::Language;
use super::own_variables::Token;
use super::types::parameter_type;

/// A parameter that is a pointer to numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointerParameter {
    name: String,
    /// The type of what it leads to.
    element: &'static str,
    is_const: bool,
}

impl PointerParameter {
    /// The pointer that a parameter's text declares: `const double *c`, `double c[4]`. None if it declares
    /// something else.
    pub(super) fn of(text: &[Token]) -> Option<PointerParameter> {
        let end = text.iter().position(|token| matches!(token, Token::Sign('*' | '[')))?;
        let (before, mut behind) = text.split_at(end);
        let mut words: Vec<&str> = before.iter().map(Token::word).collect::<Option<_>>()?;
        let name = match behind.first() {
            Some(Token::Sign('*')) => {
                behind = &behind[1..];
                let skipped = |word: &str| matches!(word, "const" | "restrict" | "__restrict");
                while let [Token::Word(word), rest @ ..] = behind
                    && (skipped(word) || word == "__restrict__")
                {
                    behind = rest;
                }
                match behind {
                    [Token::Word(name)] => name.as_str(),
                    _ => return None,
                }
            }
            _ => {
                let is_bracket = |token: &&Token| matches!(token, Token::Sign('['));
                let is_one = behind.iter().filter(is_bracket).count() == 1;
                let is_all = behind.last() == Some(&Token::Sign(']'));
                if !is_one || !is_all {
                    return None;
                }
                words.pop()?
            }
        };
        let is_const = words.contains(&"const");
        words.retain(|word| *word != "const");
        let element = match &words[..] {
            ["float"] => "float",
            ["double"] => "double",
            // Whether it has a sign is left to the compiler.
            ["char"] => return None,
            words => parameter_type(&words.join(" "))?,
        };
        Some(PointerParameter { name: name.to_string(), element, is_const })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its declaration in kernels.
    pub(super) fn declaration(&self, language: Language) -> String {
        let space = match language {
            Language::Cuda => "",
            Language::OpenCl => "__global ",
        };
        let constant = if self.is_const { "const " } else { "" };
        format!("{space}{constant}{} *{}", self.element, self.name)
    }

    /// Whether it may be given the place of elements of a type, that the statement writes or not.
    pub(super) fn takes(&self, element: &str, is_written: bool) -> bool {
        self.element == element && (self.is_const || is_written)
    }
}
