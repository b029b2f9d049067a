//! Statement expressions that only give names to values, as plain expressions.
//!
//! In `({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })`, as macros for minima are
//! written, the variables are values that nothing changes: the last expression with these values in their
//! places means the same. It computes a value as often as it names it, so that only what has no effects takes
//! part: no calls, no assignments. Others are left as they are.
use crate::regions::parsed::parse_text;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::text::edits::{Edit, edited};
use crate::text::preprocess::CleanText;
use std::collections::BTreeMap;

/// Expressions do not become longer than this.
const LONGEST: usize = 4000;

/// What may do more than compute a value, or what depends on where a variable is.
const EFFECTS: [Kind; 8] = [
    Kind::AssignmentExpression,
    Kind::UpdateExpression,
    Kind::CallExpression,
    Kind::CompoundStatement,
    Kind::CompoundLiteralExpression,
    Kind::GnuAsmExpression,
    Kind::SizeofExpression,
    Kind::GenericExpression,
];

/// The text without such statement expressions; none if it has none.
pub(crate) fn without_statement_expressions(clean: &CleanText) -> Option<CleanText> {
    let mut braces = clean.text.match_indices('{').map(|(at, _)| clean.text[..at].trim_end());
    if !braces.any(|before| before.ends_with('(')) {
        return None;
    }
    let (source, tree) = parse_text(clean);
    let mut edits: Vec<Edit> = Vec::new();
    tree.root_node().visit(|node, _| {
        let new = is_statement_expression(node).then(|| plain_form(&source, node)).flatten();
        let goes_on = new.is_none();
        edits.extend(new.map(|new| (node.byte_range(), new)));
        goes_on
    });
    (!edits.is_empty()).then(|| edited(clean, &edits))
}

fn is_statement_expression(node: Node<'_>) -> bool {
    node.kind() == Kind::ParenthesizedExpression
        && named_children(node).next().is_some_and(|child| child.kind() == Kind::CompoundStatement)
}

/// A statement expression as an expression in parentheses.
fn plain_form(source: &str, node: Node<'_>) -> Option<String> {
    let mut statements = named_children(named_children(node).next()?);
    let last = statements.next_back()?;
    if last.kind() != Kind::ExpressionStatement || node.has_error() {
        return None;
    }
    let mut values = BTreeMap::new();
    for declaration in statements {
        let (name, value) = named_value(source, declaration, &values)?;
        values.insert(name, value);
    }
    let value = written(source, named_children(last).next()?, &values)?;
    (value.len() <= LONGEST).then(|| format!("({value})"))
}

/// The variable that a declaration gives a value, with the value as an expression.
fn named_value(
    source: &str,
    node: Node<'_>,
    values: &BTreeMap<String, String>,
) -> Option<(String, String)> {
    let text = |node: Node<'_>| &source[node.byte_range()];
    let is_qualifier = |child: &Node<'_>| {
        child.kind() == Kind::TypeQualifier && matches!(text(*child), "const" | "__const")
    };
    let mut parts = named_children(node).filter(|child| !is_qualifier(child));
    let (of_type, declarator) = (parts.next()?, parts.next()?);
    if node.kind() != Kind::Declaration
        || declarator.kind() != Kind::InitDeclarator
        || parts.next().is_some()
    {
        return None;
    }
    let (name, value) = (declarator.field(Field::Declarator)?, declarator.field(Field::Value)?);
    let own = written(source, value, values)?;
    let value = match of_type.kind() {
        // The value has the type of its own expression.
        Kind::MacroTypeSpecifier if is_type_of(source, of_type, value) => format!("({own})"),
        Kind::PrimitiveType | Kind::SizedTypeSpecifier => format!("(({}) ({own}))", text(of_type)),
        _ => return None,
    };
    (name.kind() == Kind::Identifier).then(|| (text(name).to_string(), value))
}

/// Whether a type is `typeof (value)`.
fn is_type_of(source: &str, of_type: Node<'_>, value: Node<'_>) -> bool {
    let inside = |node: Node<'_>| {
        let text = &source[strip_parentheses(node).byte_range()];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let is_name = |node: &Node<'_>| Some(*node) == of_type.field(Field::Name);
    let mut subject = named_children(of_type).filter(|child| !is_name(child));
    subject.next().is_some_and(|subject| inside(subject) == inside(value))
}

/// The text of an expression without effects, with values in the places of names, in one line.
fn written(source: &str, node: Node<'_>, values: &BTreeMap<String, String>) -> Option<String> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut is_plain = true;
    node.visit(|part, _| {
        if is_statement_expression(part) {
            let new = plain_form(source, part);
            is_plain &= new.is_some();
            edits.extend(new.map(|new| (part.byte_range(), new)));
            return false;
        }
        is_plain &= !EFFECTS.contains(&part.kind());
        if part.kind() == Kind::PointerExpression && source[part.byte_range()].starts_with('&') {
            is_plain = false;
        }
        if part.kind() == Kind::Identifier
            && let Some(value) = values.get(&source[part.byte_range()])
        {
            edits.push((part.byte_range(), value.clone()));
        }
        true
    });
    let mut text = String::new();
    let mut at = node.start_byte();
    for (range, new) in edits {
        text.push_str(&source[at..range.start]);
        text.push_str(&new);
        at = range.end;
    }
    text.push_str(&source[at..node.end_byte()]);
    (is_plain && text.len() <= LONGEST).then(|| text.replace(['\n', '\r'], " "))
}
