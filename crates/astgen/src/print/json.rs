//! The tree as JSON.
//!
//! A node is an object whose `node` is `for`, `if`, `block`, `mark` or `user`. An expression is
//! `{"int": "3"}` (integers are texts: they have any size), `{"id": "n"}`, or an operator with its
//! operands, `{"op": "add", "args": [..]}`; calls and members have a `name`, too.
use crate::ast::node::AstNode;
use crate::expressions::expression::AstExpr;
use std::fmt::Write;

/// The tree as one line of JSON.
///
/// ```
/// use loopwright_astgen::{Options, generate_from_map, json};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("{ S[i] -> [i] : i = 3 }")?;
/// let context = Set::parse("{ : }")?;
/// let budget = Budget::steps(1_000_000);
/// let none = UnionMap::empty();
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// let expected = r#"{"node": "user", "statement": "S", "arguments": [{"int": "3"}]}"#;
/// assert_eq!(json(&ast), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[must_use]
pub fn json(ast: &AstNode) -> String {
    match ast {
        AstNode::For(each) => format!(
            "{{\"node\": \"for\", \"iterator\": {}, \"init\": {}, \"condition\": {}, \
             \"increment\": \"{}\", \"degenerate\": {}, \"coincident\": {}{}{}, \"body\": {}}}",
            text(&each.iterator),
            expression(&each.init),
            expression(&each.condition),
            each.increment,
            each.degenerate,
            each.coincident,
            each.multiples_of
                .as_ref()
                .map_or(String::new(), |size| { format!(", \"multiples_of\": {}", text(size)) }),
            each.annotation.as_ref().map_or(String::new(), |annotation| {
                format!(", \"annotation\": {}", text(&annotation.name))
            }),
            json(&each.body)
        ),
        AstNode::If { condition, then, otherwise } => {
            let otherwise = otherwise.as_ref();
            let otherwise =
                otherwise.map_or(String::new(), |node| format!(", \"else\": {}", json(node)));
            format!(
                "{{\"node\": \"if\", \"condition\": {}, \"then\": {}{otherwise}}}",
                expression(condition),
                json(then)
            )
        }
        AstNode::Block(children) => {
            format!("{{\"node\": \"block\", \"children\": {}}}", list(children.iter().map(json)))
        }
        AstNode::Mark { name, child, .. } => {
            format!("{{\"node\": \"mark\", \"name\": {}, \"child\": {}}}", text(name), json(child))
        }
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            format!(
                "{{\"node\": \"user\", \"statement\": {}, \"arguments\": {}}}",
                text(name.map_or("", |name| name)),
                list(arguments.iter().map(expression))
            )
        }
    }
}

fn expression(expression: &AstExpr) -> String {
    match expression {
        AstExpr::Int(value) => format!("{{\"int\": \"{value}\"}}"),
        AstExpr::Id(name) => format!("{{\"id\": {}}}", text(name)),
        other => {
            let name = match other {
                AstExpr::Call(name, _) | AstExpr::Member(_, name) => {
                    format!("\"name\": {}, ", text(name))
                }
                _ => String::new(),
            };
            let operands = list(other.operands().into_iter().map(self::expression));
            format!("{{\"op\": \"{}\", {name}\"args\": {operands}}}", other.operator_name())
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A quoted text.
fn text(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            c if c.is_control() => {
                // Writing to a text does not fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
