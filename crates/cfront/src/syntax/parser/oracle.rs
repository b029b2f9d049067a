//! Our trees against those of tree-sitter's grammar of C, node by node.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::unexpected;
use crate::syntax::tree::Node;
use crate::text::attributes::without_idle_attributes;
use loopwright_testkit::Shape;
use std::path::{Path, PathBuf};

/// What is compared of a node: its depth, kind, place in its parent, bytes.
type Line = (usize, String, String, usize, usize);

/// Where their kind and ours differ because the grammar knows no names and what they name.
const WITHOUT_TYPES: [(&str, &str); 5] = [
    // `(type)(x)` is no call, `sizeof (type)` has no value, `type (*p)[n];` is no statement.
    ("call_expression", "cast_expression"),
    ("parenthesized_expression", "("),
    ("expression_statement", "declaration"),
    // Nor does it know of variables with the names of constants.
    ("true", "identifier"),
    ("false", "identifier"),
];

/// Their kinds for which ours has another name: `__restrict` is a qualifier like `restrict`, `__extension__`
/// in front of `typedef` like everywhere else.
const RENAMED: [(&str, &str); 2] =
    [("ms_pointer_modifier", "type_qualifier"), ("__extension__", "type_qualifier")];

/// Nodes of which only kind, place and bytes are compared.
const OPAQUE: [&str; 8] = [
    "string_literal",
    "char_literal",
    "null",
    "gnu_asm_expression",
    "storage_class_specifier",
    "type_qualifier",
    "variadic_parameter",
    "attribute_specifier",
];

fn their_lines(source: &str) -> Vec<Line> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_c::LANGUAGE.into()).expect("the grammar fits");
    let tree = parser.parse(source, None).expect("there is a tree");
    let mut cursor = tree.walk();
    let mut lines = Vec::new();
    loop {
        let node = cursor.node();
        let mut goes_on = false;
        if node.kind() != "comment" {
            let field = cursor.field_name().unwrap_or("").to_string();
            let is_typedef =
                node.parent().is_none_or(|parent| parent.kind() != "extension_expression");
            let renamed = RENAMED.iter().find(|(theirs, _)| is_typedef && *theirs == node.kind());
            let kind = renamed.map_or(node.kind(), |(_, ours)| *ours);
            let depth = cursor.depth() as usize;
            lines.push((depth, kind.into(), field, node.start_byte(), node.end_byte()));
            goes_on = !OPAQUE.contains(&kind);
        }
        if goes_on && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lines;
            }
        }
    }
}

/// The grammar calls words what they are.
fn kind_name<'s>(source: &'s str, node: Node<'_>) -> &'s str {
    match node.kind() {
        Kind::Word => &source[node.byte_range()],
        kind => kind.name(),
    }
}

fn field_name(field: Field) -> String {
    match field {
        Field::None => String::new(),
        Field::MemberName => "field".to_string(),
        field => format!("{field:?}").to_lowercase(),
    }
}

fn our_lines(source: &str) -> Vec<Line> {
    let tree = crate::syntax::parser::parse(source, std::iter::empty());
    let mut lines = Vec::new();
    let root: Node<'_> = tree.root_node();
    root.visit(|node, depth| {
        lines.push((
            depth,
            kind_name(source, node).into(),
            field_name(node.place()),
            node.start_byte(),
            node.end_byte(),
        ));
        !OPAQUE.contains(&node.kind().name())
    });
    lines
}

/// The lines of each item outside of functions.
fn items(lines: &[Line]) -> Vec<&[Line]> {
    let starts: Vec<usize> = (0..lines.len()).filter(|index| lines[*index].0 == 1).collect();
    let ends = starts.iter().copied().skip(1).chain([lines.len()]);
    starts.iter().zip(ends).map(|(start, end)| &lines[*start..end]).collect()
}

/// Whether an item is a function whose parameters are declared after their list.
fn is_old_style(item: &[Line]) -> bool {
    let declares = |line: &Line| line.0 == item[0].0 + 1 && line.1 == "declaration";
    item[0].1 == "function_definition" && item.iter().any(declares)
}

/// What is not understood of a text.
fn errors(source: &str) -> Vec<String> {
    let tree = crate::syntax::parser::parse(source, std::iter::empty());
    let mut found = Vec::new();
    tree.root_node().visit(|node, _| {
        if node.is_error() || node.is_missing() {
            let (byte, expected) = node.expectation().expect("it says what was expected");
            let text: String = source[byte..].chars().take(60).collect();
            found.push(format!("{} in place of `{text}`", unexpected(source, byte, expected)));
        }
        true
    });
    found
}

/// Where items differ that tree-sitter understands, and how.
fn differences(source: &str) -> Vec<String> {
    let (theirs, ours) = (their_lines(source), our_lines(source));
    let ours = items(&ours);
    let mut found = Vec::new();
    for item in items(&theirs) {
        let start = item[0].3;
        let is_error = |line: &Line| line.1 == "ERROR" || line.3 == line.4;
        if item.iter().any(is_error) {
            continue;
        }
        let Some(own) = ours.iter().find(|own| own[0].3 <= start && start < own[0].4) else {
            continue;
        };
        if is_old_style(own) {
            // To the grammar it is a declaration, others, and a block.
            continue;
        }
        let length = item.len().max(own.len());
        let first = (0..length).find(|index| item.get(*index) != own.get(*index));
        let kinds =
            first.and_then(|index| Some((item.get(index)?.1.as_str(), own.get(index)?.1.as_str())));
        if let Some(index) =
            first.filter(|_| !kinds.is_some_and(|kinds| WITHOUT_TYPES.contains(&kinds)))
        {
            let at = item.get(index).map_or(start, |line| line.3);
            let text: String = source[at..].chars().take(60).collect();
            let (theirs, ours) = (item.get(index), own.get(index));
            found.push(format!("theirs {theirs:?}, ours {ours:?} at `{text}`"));
        }
    }
    found
}

/// The text as the front end parses it, of a file without includes.
fn without_directives(text: &str) -> String {
    let mut continues = false;
    let blank = |line: &str| {
        let is_directive = continues || line.trim_start().starts_with('#');
        continues = is_directive && line.trim_end().ends_with('\\');
        match is_directive {
            true => line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect(),
            false => line.to_string(),
        }
    };
    text.split_inclusive('\n').map(blank).collect()
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

/// The project's own programs; those in the folders of `LOOPWRIGHT_C_FILES` are compared too.
#[test]
fn trees_of_programs_are_those_of_the_grammar() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    c_files(&crates.join("loopwright/tests"), &mut files);
    c_files(&crates.join("../examples"), &mut files);
    assert!(files.len() > 50);
    for folder in std::env::var("LOOPWRIGHT_C_FILES").unwrap_or_default().split(':') {
        c_files(Path::new(folder), &mut files);
    }
    let mut all = Vec::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let is_other_c = ["#include \"", "multifor (", "vector_size("];
        if is_other_c.iter().any(|own| text.contains(own)) {
            // Without the macros of the header it is no C, and multifor statements are none; vector types are
            // no part of ours.
            continue;
        }
        let text = without_idle_attributes(without_directives(&text));
        let found = differences(&text).into_iter().chain(errors(&text));
        all.extend(found.map(|line| format!("{}: {line}", file.display())));
    }
    assert!(all.is_empty(), "{} differences\n{}", all.len(), all.join("\n"));
}

#[test]
fn trees_of_long_files_are_those_of_the_grammar() {
    for (word, shape) in Shape::WORDS {
        let found = differences(&without_directives(&shape.file(200, true)));
        assert!(found.is_empty(), "{word}: {}", found.join("\n"));
    }
}
