//! Arguments in files: `@file`.
use loopwright_cfront::read_utf8;
use std::ffi::OsString;
use std::path::Path;

/// Files may name files, down to this depth.
const MOST_NESTED: usize = 10;

/// The arguments with those of the files that they name. A file that cannot be read is an argument, as
/// compilers take it.
pub(super) fn expanded(arguments: &[OsString]) -> Vec<OsString> {
    let mut all = Vec::new();
    arguments.iter().for_each(|argument| expand(argument, MOST_NESTED, &mut all));
    all
}

fn expand(argument: &OsString, depth: usize, all: &mut Vec<OsString>) {
    let path = argument.to_str().and_then(|text| text.strip_prefix('@'));
    let text = path.filter(|_| depth > 0).and_then(|p| read_utf8(Path::new(p)).ok());
    match text {
        Some(text) => words(&text).iter().for_each(|word| expand(&word.into(), depth - 1, all)),
        None => all.push(argument.clone()),
    }
}

/// The words of a file: between white space, outside of quotes; a backslash takes the next character as it
/// is.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_divided_as_compilers_do() {
        assert_eq!(
            words("-c 'a b.c'\n-DX=\\\"1\\\" \"\" -o\tx"),
            ["-c", "a b.c", "-DX=\"1\"", "", "-o", "x"]
        );
    }
}
