//! Pointers that a file keeps to itself: what they lead to is known by their names alone.
//!
//! The value of a pointer variable is kept if it is only assigned, read through (`p[i]`, `*p`), compared with zero
//! and given back (`free(p)`), in each mention of it in the file. Then no other pointer leads to what an
//! allocating function returned for it. Two such variables may also change places:
//!
//! ```c
//! t = a;  a = b;  b = t;
//! ```
//!
//! where `t` is a variable of the function that is used for nothing else.
//!
//! A pointer that is a member of a variable (`s.a`, `s.b`) is a variable like others if every mention of the variable is
//! a member of it whose address is not taken.
use crate::facts::ctypes::Dimension;
use crate::facts::file_index::FunctionKey;
use crate::facts::points_to::{File, Object};
use crate::facts::scope::has_storage;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{strip_parentheses, text};
use crate::syntax::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a file does with its pointers and structures.
#[derive(Debug, Default)]
pub(crate) struct PointerUses<'t> {
    /// For each name the least number of subscripts behind a mention of the value.
    subscripts: FxHashMap<String, usize>,
    /// The names that are mentioned other than as `name.member`.
    whole: FxHashSet<String>,
    /// What is assigned to a member, by its text `name.member`, and in which function.
    members: FxHashMap<String, Vec<(FunctionKey, Node<'t>)>>,
}

/// Functions that only need the address.
const GIVEN_BACK: [&str; 4] = ["free", "_mm_free", "fftw_free", "__builtin_free"];

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

/// Whether an identifier is the one that a declaration declares, with no initializer but an allocation or zeros.
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
fn is_kept(source: &str, name: Node<'_>) -> bool {
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
    temporary: &'s str,
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

impl<'t> File<'_, 't> {
    /// The pointers that a pointer changes places with, itself among them, if all that they ever get comes from
    /// allocating functions; none if not.
    pub(crate) fn owning(&self, within: Node<'t>, name: &str) -> Option<Vec<String>> {
        let mut all = vec![name.to_string()];
        let mut n_known = 0;
        while let Some(name) = all.get(n_known).cloned() {
            n_known += 1;
            let [declared] = &self.declarations(within, &name)[..] else { return None };
            let is_pointer = matches!(declared.dimensions.first(), Some(Dimension::Pointer));
            let is_static = has_storage(self.source, declared.node, "static");
            let is_global = within.id() == self.root.id();
            if !is_pointer || declared.parameter.is_some() || is_global && !is_static {
                return None;
            }
            let values = self.values(within, &name)?;
            for value in declared.value.into_iter().chain(values) {
                if self.is_nothing(value) || self.is_allocation(value) {
                    continue;
                }
                let swap = Swap::around(self.source, value)?;
                let is_swapped = self.is_swapped(within, value);
                if !is_swapped || !swap.pointers.contains(&name.as_str()) {
                    return None;
                }
                let is_new = |other: &&&str| !all.iter().any(|known| known == **other);
                let others: Vec<String> =
                    swap.pointers.iter().filter(is_new).map(|other| (*other).to_string()).collect();
                all.extend(others);
            }
        }
        Some(all)
    }

    /// Whether the file keeps to itself what a pointer leads to.
    pub(crate) fn is_kept_pointer(&self, within: Node<'t>, name: &str) -> bool {
        let Some(all) = self.owning(within, name) else { return false };
        let uses = self.index.pointer_uses(self.source, self.root);
        self.index.with_assembly.is_empty()
            && all.iter().all(|name| {
                let declared = self.declarations(within, name);
                let [declared] = &declared[..] else { return false };
                let scalar = self.types.base_type(self.source, declared.node).scalar;
                declared.dimensions.iter().skip(1).all(|d| !matches!(d, Dimension::Pointer))
                    && scalar.record.is_none()
                    && scalar.bytes.is_some()
                    && uses.is_kept(name, declared.dimensions.len())
            })
    }

    /// The memory behind a pointer that is a member of a variable, by the names on the way to it.
    pub(crate) fn behind_member(&self, function: Node<'t>, root: &str, names: &[&str]) -> Object {
        let (local, global) =
            (self.declarations(function, root), self.declarations(self.root, root));
        let (declared, within) = match (&local[..], &global[..]) {
            ([only], _) => (only, function),
            ([], [only]) => (only, self.root),
            _ => return Object::Unknown,
        };
        let is_global = within.id() == self.root.id();
        let has = |class| has_storage(self.source, declared.node, class);
        let is_hidden = if is_global { has("static") } else { !has("extern") };
        let uses = self.index.pointer_uses(self.source, self.root);
        let is_known = is_hidden
            && declared.parameter.is_none()
            && declared.dimensions.is_empty()
            && self.index.with_assembly.is_empty()
            && !self.index.addresses.contains_key(root)
            && uses.has_only_members(root);
        if !is_known {
            return Object::Unknown;
        }
        let path = format!("{root}.{}", names.join("."));
        let own = |function: FunctionKey| is_global || function == within.start_byte();
        let values = uses.member_values(&path).iter().filter(|(function, _)| own(*function));
        let mut values =
            values.map(|(_, value)| *value).filter(|v| !self.is_nothing(*v)).peekable();
        if values.peek().is_none() || !values.all(|value| self.is_allocation(value)) {
            return Object::Unknown;
        }
        Object::Own {
            name: path,
            function: (!is_global).then(|| within.start_byte()),
            is_automatic: !is_global && !has("static"),
        }
    }

    /// Whether a value is assigned where a pointer changes places with another one of which the same is known.
    ///
    /// Both are variables of the same kind: of the file, or of one function.
    pub(crate) fn is_swapped(&self, within: Node<'t>, value: Node<'t>) -> bool {
        let Some(swap) = Swap::around(self.source, value) else { return false };
        let Some(function) = self.function_of(value) else { return false };
        let is_of_file = within.id() == self.root.id();
        let is_local = |name: &str| self.declarations(function, name).len() == 1;
        let is_other = |name: &str| self.declarations(function, name).is_empty();
        let are_same_kind = match is_of_file {
            true => swap.pointers.iter().all(|name| is_other(name)),
            false => {
                within.id() == function.id() && swap.pointers.iter().all(|name| is_local(name))
            }
        };
        let names = self.index.names_of(self.source, function);
        let mentions = names.mentions_from(swap.temporary, 0);
        // It is declared, perhaps set in another place than where it is declared, and read once.
        let n_used = mentions.iter().filter(|mention| !is_declared_bare(**mention)).count();
        let is_declared_in_swap = mentions.len() == 2;
        are_same_kind
            && is_local(swap.temporary)
            && !self.index.is_addressed_in(function.start_byte(), swap.temporary)
            && (is_declared_in_swap || mentions.len() == 3 && n_used == 2)
    }
}

/// Whether an identifier is declared without an initializer.
fn is_declared_bare(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            Kind::Declaration => return true,
            kind if kind.is_declarator() && kind != Kind::InitDeclarator => node = parent,
            _ => return false,
        }
    }
    false
}
