//! The tree as an outline: one line per node, indented by depth.
use crate::ast::node::AstNode;
use crate::expressions::expression::AstExpr;

/// The tree as an outline; expressions are operators with their operands in parentheses.
///
/// ```
/// use loopwright_astgen::{Options, generate_from_map, outline};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("[n] -> { S[i] -> [i] : 0 <= i < n }")?;
/// let context = Set::parse("{ : }")?;
/// let budget = Budget::steps(1_000_000);
/// let none = UnionMap::empty();
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// assert_eq!(outline(&ast), "for c0 from 0 while (lt c0 n) by 1\n  user S c0\n");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[must_use]
pub fn outline(ast: &AstNode) -> String {
    let mut lines = String::new();
    write(ast, 0, &mut lines);
    lines
}

fn write(node: &AstNode, depth: usize, lines: &mut String) {
    let mut line = |depth: usize, text: &str| {
        lines.push_str(&"  ".repeat(depth));
        lines.push_str(text);
        lines.push('\n');
    };
    match node {
        AstNode::For(each) => {
            let (init, condition) = (prefix(&each.init), prefix(&each.condition));
            let degenerate = if each.degenerate { " degenerate" } else { "" };
            let coincident = if each.coincident { " coincident" } else { "" };
            let (iterator, step) = (&each.iterator, &each.increment);
            let head = format!("for {iterator} from {init} while {condition} by {step}");
            let multiples = each.multiples_of.as_ref();
            let multiples = multiples.map_or(String::new(), |size| format!(" multiples of {size}"));
            let annotation = each.annotation.as_ref();
            let annotation = annotation.map_or(String::new(), |a| format!(" annotated {}", a.name));
            line(depth, &format!("{head}{multiples}{degenerate}{coincident}{annotation}"));
            write(&each.body, depth + 1, lines);
        }
        AstNode::If { condition, then, otherwise } => {
            line(depth, &format!("if {}", prefix(condition)));
            write(then, depth + 1, lines);
            if let Some(otherwise) = otherwise {
                lines.push_str(&format!("{}else\n", "  ".repeat(depth)));
                write(otherwise, depth + 1, lines);
            }
        }
        AstNode::Block(children) => {
            line(depth, "block");
            children.iter().for_each(|child| write(child, depth + 1, lines));
        }
        AstNode::Mark { name, child, .. } => {
            line(depth, &format!("mark {name}"));
            write(child, depth + 1, lines);
        }
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            let mut text = format!("user {}", name.map_or("", |name| name));
            for argument in arguments {
                text.push(' ');
                text.push_str(&prefix(argument));
            }
            line(depth, &text);
        }
    }
}

/// The expression in prefix form.
fn prefix(expression: &AstExpr) -> String {
    match expression {
        AstExpr::Int(_) | AstExpr::Id(_) => expression.to_string(),
        other => {
            let mut text = format!("({}", other.operator_name());
            if let AstExpr::Call(name, _) | AstExpr::Member(_, name) = other {
                text.push(' ');
                text.push_str(name);
            }
            for operand in other.operands() {
                text.push(' ');
                text.push_str(&prefix(operand));
            }
            text + ")"
        }
    }
}
