//! Small helpers over syntax trees.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;
use rustc_hash::FxHashSet;

/// Names of a text.
pub(crate) type NameSet<'s> = FxHashSet<&'s str>;

/// The text of a node.
pub(crate) fn text<'s>(source: &'s str, node: Node<'_>) -> &'s str {
    source.get(node.byte_range()).unwrap_or("")
}

/// The children of a node.
pub(crate) fn children<'t>(node: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    node.children()
}

/// The named children of a node.
pub(crate) fn named_children<'t>(node: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    node.named_children()
}

/// [`Node::visit`].
pub(crate) fn visit<'t>(node: Node<'t>, function: impl FnMut(Node<'t>, usize) -> bool) {
    node.visit(function);
}

/// What was expected instead of the word or sign at a byte, as a sentence.
pub(crate) fn unexpected(source: &str, byte: usize, expected: &str) -> String {
    let rest = source.get(byte..).unwrap_or("").trim_start();
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let expected = match expected.contains(char::is_alphabetic) && expected.contains(' ') {
        true => expected.to_string(),
        false => format!("`{expected}`"),
    };
    match &rest[..length.max(first)] {
        "" => format!("the text ends where {expected} is expected"),
        found => format!("{expected} is expected before `{found}`"),
    }
}

/// The expression inside any parentheses (and `__extension__`).
pub(crate) fn strip_parentheses(mut node: Node<'_>) -> Node<'_> {
    while matches!(node.kind(), Kind::ParenthesizedExpression | Kind::ExtensionExpression) {
        match named_children(node).next() {
            Some(inner) if named_children(node).count() == 1 => node = inner,
            _ => break,
        }
    }
    node
}

/// The name that an expression is, if it is nothing else.
pub(crate) fn name_of<'s>(source: &'s str, expression: Node<'_>) -> Option<&'s str> {
    let inner = strip_parentheses(expression);
    (inner.kind() == Kind::Identifier).then(|| text(source, inner))
}

/// The parameters of a function in the order of its list: declarations, or names that get their types after
/// the list ([`old_style_declarations`]).
pub(crate) fn parameters<'t>(definition: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut list = None;
    if let Some(node) = definition.field(Field::Declarator) {
        visit(node, |n, depth| {
            if n.kind() == Kind::ParameterList && list.is_none() {
                list = Some(n);
            }
            list.is_none() && depth < 32
        });
    }
    list.into_iter().flat_map(named_children)
}

/// The declarations of parameters between the list of their names and the body of a function.
pub(crate) fn old_style_declarations<'t>(definition: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    named_children(definition).filter(|child| child.kind() == Kind::Declaration)
}

/// The names that are assigned in a subtree, or whose address is taken there.
pub(crate) fn changed_names<'s>(source: &'s str, node: Node<'_>) -> NameSet<'s> {
    let in_errors = node.of_kind(Kind::Error).flat_map(|error| names_in_error(source, error));
    let targets = changed_places(source, node).filter_map(|target| name_of(source, target));
    in_errors.chain(targets).collect()
}

/// What is assigned in a subtree, and what the address is taken of.
pub(crate) fn changed_places<'t>(source: &str, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let is_address = |node: &Node<'t>| text(source, *node).starts_with('&');
    let addresses = node.of_kind(Kind::PointerExpression).filter(is_address);
    written_places(node).chain(addresses.filter_map(|address| address.field(Field::Argument)))
}

/// What is assigned in a subtree.
pub(crate) fn written_places<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let assignments = node.of_kind(Kind::AssignmentExpression);
    let targets = assignments.filter_map(|assignment| assignment.field(Field::Left));
    let updates = node.of_kind(Kind::UpdateExpression);
    targets.chain(updates.filter_map(|update| update.field(Field::Argument)))
}

/// The identifiers in a subtree that are a name.
pub(crate) fn mentions<'t>(
    source: &str,
    node: Node<'t>,
    name: &str,
) -> impl Iterator<Item = Node<'t>> {
    node.of_kind(Kind::Identifier).filter(move |mention| text(source, *mention) == name)
}

/// The names in text that is not understood: anything may happen to them.
pub(crate) fn names_in_error<'s>(
    source: &'s str,
    error: Node<'_>,
) -> impl Iterator<Item = &'s str> {
    named_children(error)
        .filter(|node| node.kind() == Kind::Identifier)
        .map(|node| text(source, node))
}

/// The value of an integer or character literal, and its suffix in lower case.
///
/// The grammar takes a sign before a number as part of the literal.
pub(crate) fn integer_literal(literal: &str) -> Option<(i64, String)> {
    if let Some(rest) = literal.strip_prefix('-') {
        let (value, suffix) = integer_literal(rest.trim_start())?;
        return Some((value.checked_neg()?, suffix));
    }
    let literal = literal.strip_prefix('+').map_or(literal, str::trim_start);
    if literal.starts_with(|c: char| c.is_ascii_digit() && c != '0') || literal == "0" {
        // Most are plain numbers.
        if let Ok(value) = literal.parse() {
            return Some((value, String::new()));
        }
    }
    if let Some(quoted) = literal.strip_prefix('\'') {
        let inner = quoted.strip_suffix('\'')?;
        let mut chars = inner.chars();
        let value = match (chars.next()?, chars.next(), chars.next()) {
            (c, None, _) if c.is_ascii() => c as i64,
            ('\\', Some('0'), None) => 0,
            ('\\', Some('n'), None) => 10,
            ('\\', Some('t'), None) => 9,
            ('\\', Some('\\'), None) => 92,
            ('\\', Some('\''), None) => 39,
            _ => return None,
        };
        return Some((value, String::new()));
    }
    let lower = literal.to_ascii_lowercase().replace('\'', "");
    let (radix, digits) = if let Some(hex) = lower.strip_prefix("0x") {
        (16, hex)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (2, binary)
    } else if lower.starts_with('0') && lower.len() > 1 {
        (8, &lower[1..])
    } else {
        (10, &lower[..])
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let number = if number.is_empty() && radix == 8 { "0" } else { number };
    Some((i64::from_str_radix(number, radix).ok()?, suffix.to_string()))
}

/// Whether a declaration has a storage class.
pub(crate) fn has_storage(source: &str, declaration: Node<'_>, class: &str) -> bool {
    children(declaration)
        .any(|c| c.kind() == Kind::StorageClassSpecifier && text(source, c) == class)
}

/// The identifiers in a subtree.
pub(crate) fn mentioned_names<'s>(source: &'s str, root: Node<'_>) -> NameSet<'s> {
    root.of_kind(Kind::Identifier).map(|node| text(source, node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let value = |text: &str| integer_literal(text).map(|(v, _)| v);
        assert_eq!(value("42"), Some(42));
        assert_eq!(value("0x1Fu"), Some(31));
        assert_eq!(value("010L"), Some(8));
        assert_eq!(value("0"), Some(0));
        assert_eq!(value("0L"), Some(0));
        assert_eq!(value("-12"), Some(-12));
        assert_eq!(value("'a'"), Some(97));
        assert_eq!(value("1.5"), None);
        assert_eq!(value("1e5"), None);
        assert_eq!(value("99999999999999999999"), None);
        assert_eq!(value("0x"), None);
        assert_eq!(value("é"), None);
    }
}
