//! Pointers that a file keeps to itself: what they lead to is known by their names alone.
//!
//! The value of a pointer variable is kept if it is only assigned, read through (`p[i]`, `*p`), compared with
//! zero and given back (`free(p)`), in each mention of it in the file. Then no other pointer leads to what an
//! allocating function returned for it. Two such variables may also change places:
//!
//! ```c
//! t = a;  a = b;  b = t;
//! ```
//!
//! where `t` is a variable of the function that is used for nothing else.
//!
//! A pointer that is a member of a variable (`s.a`, `s.b`) is a variable like others if every mention of the
//! variable is a member of it whose address is not taken.
use crate::facts::ctypes::Dimension;
use crate::facts::function_names::FunctionKey;
use crate::facts::pointer_uses::Swap;
use crate::facts::points_to::{File, Object};
use crate::syntax::kind::Kind;
use crate::syntax::queries::has_storage;
use crate::syntax::tree::Node;

impl<'t> File<'_, 't> {
    /// The pointers that a pointer changes places with, itself among them, if all that they ever get comes
    /// from allocating functions; none if not.
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

    /// Whether a value is assigned where a pointer changes places with another one of which the same is
    /// known.
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
