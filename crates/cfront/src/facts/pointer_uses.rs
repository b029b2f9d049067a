//! How a file uses the values of its pointers.
use crate::facts::function_names::FunctionKey;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{strip_parentheses, text};
use crate::syntax::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a file does with its pointers and structures.
#[derive(Debug, Default)]
pub(crate) struct PointerUses<'t> {
    /// For each name the least number of subscripts behind a mention of the value.
    pub(crate) subscripts: FxHashMap<String, usize>,
    /// The names that are mentioned other than as `name.member`.
    pub(crate) whole: FxHashSet<String>,
    /// What is assigned to a member, by its text `name.member`, and in which function.
    pub(crate) members: FxHashMap<String, Vec<(FunctionKey, Node<'t>)>>,
}

/// Functions that only need the address.
const GIVEN_BACK: [&str; 4] = ["free", "_mm_free", "fftw_free", "__builtin_free"];

/// Whether an identifier is the one that a declaration declares, with no initializer but an allocation or
/// zeros.
fn is_declared(source: &str, node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        let is_inner = parent.field(Field::Declarator).is_some_and(|inner| inner.id() == node.id());
        match parent.kind() {
            Kind::InitDeclarator if is_inner => {
                let value = parent.field(Field::Value);
                return value.is_some_and(|value| is_plain_start(source, value));
            }
            Kind::Declaration => {
                return parent.all_in_field(Field::Declarator).any(|d| d.id() == node.id());
            }
            kind if kind.is_declarator() && is_inner => node = parent,
            _ => return false,
        }
    }
    false
}

/// Whether an initializer is a value of its own, and not one of a list with pointers.
fn is_plain_start(source: &str, value: Node<'_>) -> bool {
    value.kind() != Kind::InitializerList
        || text(source, value).chars().all(|c| c.is_ascii_digit() || " {},.".contains(c))
}

/// Whether a mention is `name.member` of which no address is taken.
fn is_member(source: &str, name: Node<'_>) -> bool {
    let Some(parent) = name.parent().filter(|parent| parent.kind() == Kind::FieldExpression) else {
        return false;
    };
    let behind = source.get(name.end_byte()..parent.end_byte()).unwrap_or("");
    let mut node = parent;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            Kind::ParenthesizedExpression | Kind::FieldExpression | Kind::SubscriptExpression => {
                node = parent;
            }
            Kind::PointerExpression if text(source, parent).starts_with('&') => return false,
            _ => break,
        }
    }
    behind.trim_start().starts_with('.')
}

/// Whether a mention of a pointer leaves its value where it is.
pub(crate) fn is_kept(source: &str, name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let is = |field| parent.field(field).is_some_and(|inner| inner.id() == node.id());
        match parent.kind() {
            Kind::ParenthesizedExpression => node = parent,
            // The value of the assignment is that of the variable.
            Kind::AssignmentExpression if is(Field::Left) => node = parent,
            Kind::ExpressionStatement | Kind::SizeofExpression => return true,
            Kind::AssignmentExpression | Kind::InitDeclarator => {
                return is_swapped(source, name);
            }
            Kind::IfStatement | Kind::WhileStatement => return is(Field::Condition),
            Kind::UnaryExpression => return parent.operator() == Some(token!("!")),
            Kind::BinaryExpression => {
                let of_zero = |field| {
                    parent.field(field).is_some_and(|other| {
                        let other = strip_parentheses(other);
                        other.kind() == Kind::Null || text(source, other) == "0"
                    })
                };
                return match parent.operator() {
                    Some(token!("==") | token!("!=")) => {
                        of_zero(Field::Left) || of_zero(Field::Right)
                    }
                    Some(token!("&&") | token!("||")) => true,
                    _ => false,
                };
            }
            Kind::ArgumentList => {
                let call = parent.parent();
                let callee = call.and_then(|call| call.field(Field::Function));
                return callee.is_some_and(|callee| GIVEN_BACK.contains(&text(source, callee)));
            }
            _ => return false,
        }
    }
    false
}

/// Whether a mention that is assigned to something is one of two pointers that change places.
fn is_swapped(source: &str, name: Node<'_>) -> bool {
    let mut statement = name;
    while !matches!(statement.kind(), Kind::ExpressionStatement | Kind::Declaration) {
        let Some(parent) = statement.parent() else { return false };
        statement = parent;
    }
    (0..3).any(|n_before| {
        let first = (0..n_before).try_fold(statement, |s, _| s.prev_named_sibling());
        first.is_some_and(|first| Swap::beginning(source, first).is_some())
    })
}

/// The names in `t = a; a = b; b = t;`.
pub(crate) struct Swap<'s> {
    pub(crate) pointers: [&'s str; 2],
    pub(crate) temporary: &'s str,
}

/// The two names in `x = y;` and `type *x = y;`.
fn moved<'s>(source: &'s str, statement: Node<'_>) -> Option<(&'s str, &'s str)> {
    let (left, right) = match statement.kind() {
        Kind::ExpressionStatement => {
            let assignment = statement.named_child(0)?;
            let is_plain = assignment.kind() == Kind::AssignmentExpression
                && assignment.operator() == Some(token!("="));
            let assignment = Some(assignment).filter(|_| is_plain)?;
            (assignment.field(Field::Left)?, assignment.field(Field::Right)?)
        }
        Kind::Declaration => {
            let mut all = statement.all_in_field(Field::Declarator);
            let only = all.next().filter(|_| all.next().is_none())?;
            (crate::facts::ctypes::declarator(source, only)?.name, only.field(Field::Value)?)
        }
        _ => return None,
    };
    let is_name = |node: Node<'_>| node.kind() == Kind::Identifier;
    let (left, right) = (strip_parentheses(left), strip_parentheses(right));
    (is_name(left) && is_name(right)).then(|| (text(source, left), text(source, right)))
}

/// The number of subscripts behind a mention, `*` counting as one; 0 if the address of the element is taken.
fn subscripts(source: &str, name: Node<'_>) -> usize {
    let (mut node, mut n_subscripts) = (name, 0);
    while let Some(parent) = node.parent() {
        let is_argument = parent.field(Field::Argument).is_some_and(|a| a.id() == node.id());
        match parent.kind() {
            Kind::ParenthesizedExpression => {}
            Kind::SubscriptExpression if is_argument => n_subscripts += 1,
            Kind::PointerExpression if text(source, parent).starts_with('&') => return 0,
            Kind::PointerExpression => n_subscripts += 1,
            _ => break,
        }
        node = parent;
    }
    n_subscripts
}

impl<'t> PointerUses<'t> {
    /// Reads a file; `around` says in which function a node is.
    pub(crate) fn of_file(
        source: &str,
        root: Node<'t>,
        around: impl Fn(Node<'t>) -> FunctionKey,
    ) -> Self {
        let mut uses = PointerUses::default();
        for node in root.of_kind(Kind::Identifier) {
            let name = text(source, node);
            if !is_declared(source, node) {
                if !is_member(source, node) {
                    uses.whole.insert(name.to_string());
                }
                if !is_kept(source, node) {
                    let n = subscripts(source, node);
                    let least = uses.subscripts.entry(name.to_string()).or_insert(n);
                    *least = n.min(*least);
                }
            }
        }
        for node in root.of_kind(Kind::AssignmentExpression) {
            let (Some(left), Some(right)) = (node.field(Field::Left), node.field(Field::Right))
            else {
                continue;
            };
            let left = strip_parentheses(left);
            if left.kind() == Kind::FieldExpression {
                let path = text(source, left).split_whitespace().collect::<String>();
                uses.members.entry(path).or_default().push((around(node), right));
            }
        }
        uses
    }

    /// Whether every mention of a name is one of the kinds above, or has so many subscripts.
    pub(crate) fn is_kept(&self, name: &str, n_dimensions: usize) -> bool {
        self.subscripts.get(name).is_none_or(|least| *least >= n_dimensions)
    }

    /// Whether a name only stands for its members.
    pub(crate) fn has_only_members(&self, name: &str) -> bool {
        !self.whole.contains(name)
    }

    /// What is assigned to a member.
    pub(crate) fn member_values(&self, path: &str) -> &[(FunctionKey, Node<'t>)] {
        self.members.get(path).map_or(&[], |all| all)
    }
}

impl<'s> Swap<'s> {
    /// The swap that a statement begins.
    fn beginning(source: &'s str, first: Node<'_>) -> Option<Self> {
        let block = first.parent().filter(|block| block.kind() == Kind::CompoundStatement)?;
        let mut three = block.named_children_in(first.start_byte()..block.end_byte()).take(3);
        let statements = [three.next()?, three.next()?, three.next()?];
        let [(t, a), (a_again, b), (b_again, t_again)] = [
            moved(source, statements[0])?,
            moved(source, statements[1])?,
            moved(source, statements[2])?,
        ];
        let is_swap = t == t_again && a == a_again && b == b_again && a != b && t != a && t != b;
        is_swap.then_some(Swap { pointers: [a, b], temporary: t })
    }

    /// The swap in which a value is assigned.
    pub(crate) fn around(source: &'s str, value: Node<'_>) -> Option<Self> {
        let mut statement = value;
        while !matches!(statement.kind(), Kind::ExpressionStatement | Kind::Declaration) {
            statement = statement.parent()?;
        }
        (0..3).find_map(|n_before| {
            let first = (0..n_before).try_fold(statement, |s, _| s.prev_named_sibling())?;
            Swap::beginning(source, first)
        })
    }
}
