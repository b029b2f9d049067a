//! Updates of a variable by the operator of a reduction.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentions, named_children, strip_parentheses, text};
use crate::syntax::tree::Node;

/// Whether a mention of a variable is the one in an update by an operator, whose value nobody uses.
pub(crate) fn is_only_updated(source: &str, mention: Node<'_>, operator: &str) -> bool {
    statement(mention).is_some_and(|statement| match operator {
        "min" | "max" => is_extremum(source, statement, text(source, mention), operator),
        _ => is_update(source, statement, text(source, mention), operator),
    })
}

/// The statement around an expression.
fn statement(mention: Node<'_>) -> Option<Node<'_>> {
    let around = std::iter::successors(Some(mention), |node| node.parent());
    let kinds = [Kind::ExpressionStatement, Kind::IfStatement];
    around.into_iter().find(|node| kinds.contains(&node.kind()))
}

fn plain<'s>(source: &'s str, node: Node<'_>) -> String {
    let inner: &'s str = text(source, strip_parentheses(node));
    inner.split_whitespace().collect()
}

/// The two sides of a statement that is an assignment, and its sign.
fn assignment<'t>(source: &str, statement: Node<'t>) -> Option<(Node<'t>, String, Node<'t>)> {
    let inner = strip_parentheses(named_children(statement).next()?);
    if inner.kind() != Kind::AssignmentExpression {
        return None;
    }
    let sign = text(source, inner.field(Field::Operator)?).to_string();
    Some((inner.field(Field::Left)?, sign, inner.field(Field::Right)?))
}

/// How often a target mentions a variable; never if it is neither that nor an element of it.
fn targets(source: &str, left: Node<'_>, name: &str) -> usize {
    let text = plain(source, left);
    let is_own = text.split('[').next() == Some(name) && !text.contains(['.', '>']);
    if is_own { mentions(source, left, name).count() } else { 0 }
}

/// Whether a statement is `s += e;`, `s = s + e;` or the like, where `e` does not mention `s`.
fn is_update(source: &str, statement: Node<'_>, name: &str, operator: &str) -> bool {
    if statement.kind() != Kind::ExpressionStatement {
        return false;
    }
    let signs: &[&str] = match operator {
        "+" | "-" => &["+", "-"],
        other => &[other],
    };
    let step = named_children(statement).next().map(strip_parentheses);
    if let Some(step) = step.filter(|step| step.kind() == Kind::UpdateExpression) {
        let target = step.field(Field::Argument);
        return signs.contains(&"+")
            && target.is_some_and(|target| targets(source, target, name) == 1);
    }
    let Some((left, sign, right)) = assignment(source, statement) else { return false };
    let n_left = targets(source, left, name);
    let n_right = mentions(source, right, name).count();
    if sign != "=" {
        let is_own = signs.iter().any(|own| sign.strip_suffix('=') == Some(*own));
        return is_own && n_left == 1 && n_right == 0;
    }
    n_left == 1 && n_right == 1 && is_operand(source, right, &plain(source, left), signs)
}

/// Whether an expression is a chain of operators with a target as one operand that is added, not subtracted.
fn is_operand(source: &str, node: Node<'_>, target: &str, signs: &[&str]) -> bool {
    if plain(source, node) == target {
        return true;
    }
    let node = strip_parentheses(node);
    let parts = || Some((node.field(Field::Left)?, node.operator()?, node.field(Field::Right)?));
    let Some((left, sign, right)) = parts().filter(|_| node.kind() == Kind::BinaryExpression)
    else {
        return false;
    };
    signs.contains(&sign.name())
        && (is_operand(source, left, target, signs)
            || sign.name() != "-" && is_operand(source, right, target, signs))
}

/// Whether a statement is `if (e > s) s = e;`, `s = e > s ? e : s;` or `s = fmax(s, e);`.
fn is_extremum(source: &str, statement: Node<'_>, name: &str, operator: &str) -> bool {
    if statement.kind() == Kind::IfStatement {
        return statement.field(Field::Alternative).is_none()
            && is_conditional_extremum(source, statement, name, operator);
    }
    // The assignment of such an `if`.
    if let Some(parent) = around_assignment(statement)
        && parent.field(Field::Alternative).is_none()
        && is_conditional_extremum(source, parent, name, operator)
    {
        return true;
    }
    let Some((left, sign, right)) = assignment(source, statement) else { return false };
    let right = strip_parentheses(right);
    if sign != "=" || targets(source, left, name) != 1 {
        return false;
    }
    let target = plain(source, left);
    match right.kind() {
        Kind::CallExpression => is_call(source, right, &target, operator),
        Kind::ConditionalExpression => {
            let parts = || {
                let condition = right.field(Field::Condition)?;
                let yes = right.field(Field::Consequence)?;
                Some((condition, yes, right.field(Field::Alternative)?))
            };
            let Some((condition, yes, no)) = parts() else { return false };
            let [yes, no] = [yes, no].map(|node| plain(source, node));
            // What is larger if the condition holds is the result of a maximum.
            [&yes, &no].contains(&&target)
                && yes != no
                && mentions(source, right, name).count() == 2
                && compares(source, condition, &yes, &no, operator)
        }
        _ => false,
    }
}

/// The `if` that a statement is the only one in.
fn around_assignment(statement: Node<'_>) -> Option<Node<'_>> {
    let mut parent = statement.parent()?;
    if parent.kind() == Kind::CompoundStatement && named_children(parent).count() == 1 {
        parent = parent.parent()?;
    }
    (parent.kind() == Kind::IfStatement).then_some(parent)
}

fn is_conditional_extremum(source: &str, node: Node<'_>, name: &str, operator: &str) -> bool {
    let parts = || {
        let condition = node.field(Field::Condition)?;
        let mut body = node.field(Field::Consequence)?;
        if body.kind() == Kind::CompoundStatement && named_children(body).count() == 1 {
            body = named_children(body).next()?;
        }
        let (left, sign, right) = assignment(source, body)?;
        (sign == "=").then_some((condition, left, right))
    };
    let Some((condition, left, right)) = parts() else { return false };
    let (target, value) = (plain(source, left), plain(source, right));
    mentions(source, right, name).count() == 0
        && mentions(source, condition, name).count() == 1
        && targets(source, left, name) == 1
        && compares(source, condition, &value, &target, operator)
}

/// Whether a condition says that the first is larger than the second, or smaller for a minimum.
fn compares(source: &str, condition: Node<'_>, first: &str, second: &str, operator: &str) -> bool {
    let condition = strip_parentheses(condition);
    let parts = || {
        let sign = condition.operator()?.name();
        let left = plain(source, condition.field(Field::Left)?);
        Some((left, sign, plain(source, condition.field(Field::Right)?)))
    };
    let Some((left, sign, right)) = parts() else { return false };
    let larger = matches!(sign, ">" | ">=");
    if !larger && !matches!(sign, "<" | "<=") {
        return false;
    }
    let is_max = operator == "max";
    match larger == is_max {
        true => left == first && right == second,
        false => left == second && right == first,
    }
}

/// Whether a call is the larger or smaller of a target and something else.
fn is_call(source: &str, call: Node<'_>, target: &str, operator: &str) -> bool {
    let parts = || Some((call.field(Field::Function)?, call.field(Field::Arguments)?));
    let Some((function, arguments)) = parts() else { return false };
    let stem = if operator == "max" { "fmax" } else { "fmin" };
    let name = text(source, function);
    let arguments: Vec<String> = named_children(arguments).map(|a| plain(source, a)).collect();
    let base = target.split('[').next().unwrap_or(target);
    name.trim_end_matches(['f', 'l']) == stem
        && arguments.len() == 2
        && arguments.iter().filter(|argument| **argument == target).count() == 1
        && mentions(source, call, base).count() == 1
}
