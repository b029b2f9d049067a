//! Members of structures as variables of their own, and structures that are one variable.
use crate::diagnostics::diagnostic::Code;
use crate::facts::variables::{MemberPath, Variable};
use crate::model::raw_model::RawAccess;
use crate::walk::extractor::Extractor;
use loopwright_scop::{AccessKind, ElementText};

impl<'t> Extractor<'_, 't> {
    /// The variable that stands for a member.
    pub(crate) fn member(
        &mut self,
        path: MemberPath,
        declared: crate::facts::ctypes::DeclaredType<'t>,
    ) -> u32 {
        let is_same = |v: &Variable<'t>| {
            v.member.as_ref().is_some_and(|m| m.root == path.root && m.names == path.names)
        };
        if let Some(known) = self.scopes.variables.iter().position(is_same) {
            return known as u32;
        }
        let root = self.variable(path.root);
        let names: String = path.names.iter().map(|(_, name)| format!(".{name}")).collect();
        let name = format!("{}{names}", root.name);
        let origin = root.origin;
        self.scopes.add_unnamed(name, declared, origin, Some(path))
    }

    /// The variable that a member belongs to; other variables themselves.
    pub(crate) fn root(&self, variable: u32) -> u32 {
        self.variable(variable).member.as_ref().map_or(variable, |member| member.root)
    }

    /// The variable whose elements an access of `variable` is about.
    pub(crate) fn accessed(&self, variable: u32) -> u32 {
        let root = self.root(variable);
        if self.out.whole_structures.contains(&root) { root } else { variable }
    }

    /// Turns accesses of members of variables that are used as a whole into accesses of these.
    pub(crate) fn resolve_members(&mut self) {
        let mut statements = std::mem::take(&mut self.out.statements);
        for statement in &mut statements {
            let accesses = std::mem::take(&mut statement.accesses);
            for mut access in accesses {
                let is_name = self.values.pointers.contains_key(&access.variable)
                    || (self.is_pointer(access.variable)
                        && self.variable(access.variable).in_region());
                if access.kind == AccessKind::Kill && is_name {
                    continue;
                }
                let accessed = self.accessed(access.variable);
                if access.kind == AccessKind::Kill && !self.out.whole_structures.contains(&accessed)
                {
                    statement.accesses.extend(self.kills(&access));
                    continue;
                }
                if accessed != access.variable {
                    access.variable = accessed;
                    let n = self.variable(accessed).declared.dimensions.len();
                    access.subscripts.truncate(n);
                    if access.kind == AccessKind::MustWrite {
                        access.kind = AccessKind::MayWrite;
                    }
                }
                statement.accesses.push(access);
            }
        }
        self.out.statements = statements;
    }

    /// A kill of a variable and of its members.
    fn kills(&self, kill: &RawAccess) -> Vec<RawAccess> {
        let members = (0..self.scopes.variables.len() as u32).filter(|&v| {
            let member = self.variable(v).member.as_ref();
            member.is_some_and(|m| m.root == kill.variable && !m.crosses_pointer)
        });
        let is_structure = self.variable(kill.variable).declared.scalar.record.is_some();
        let own = (!is_structure).then_some(kill.variable);
        own.into_iter()
            .chain(members)
            .map(|variable| RawAccess { variable, ..kill.clone() })
            .collect()
    }

    /// Refuses structures of which a region uses the whole and the memory behind a member, and
    /// local ones that cannot be declared.
    pub(crate) fn check_structures(&mut self) {
        let mut found = Vec::new();
        for statement in &self.out.statements {
            for access in &statement.accesses {
                let variable = self.variable(access.variable);
                let root = self.root(access.variable);
                if !self.out.whole_structures.contains(&root) {
                    continue;
                }
                let name = &self.variable(root).name;
                if variable.member.as_ref().is_some_and(|m| m.crosses_pointer) {
                    let message = format!("`{name}` is used as a whole, and a pointer in it too");
                    let refusal = self.refuse_at(Code::Pointer, access.at, message);
                    let reason = "a copy of a structure leads to the same memory as the structure";
                    let hint = "copy the numbers of the structure one by one";
                    found.push(refusal.with_reason(reason).with_hint(hint));
                } else if variable.in_region() && variable.declared.scalar.spelling.is_empty() {
                    let message = format!("the type of `{name}` has no name");
                    let refusal = self.refuse_at(Code::Type, access.at, message);
                    let reason = "the result declares the variable, for which it needs the name";
                    found.push(refusal.with_reason(reason).with_hint("give the structure a tag"));
                }
            }
        }
        self.out.report_all(found.into_iter().map(|refusal| *refusal.0));
    }

    /// How elements of a variable, or of a member of it, are written if it is called `name`.
    pub(crate) fn element_text(&self, variable: u32, name: &str) -> ElementText {
        let variable = self.variable(variable);
        let Some(member) = &variable.member else { return ElementText::named(name) };
        let n = variable.declared.dimensions.len();
        let names_at = |position: usize| -> String {
            let here = member.names.iter().filter(|(subscripts, _)| *subscripts == position);
            here.map(|(_, name)| format!(".{name}")).collect()
        };
        let before = format!("{name}{}", names_at(0));
        if (1..=n).all(|position| names_at(position).is_empty()) {
            return ElementText::named(before);
        }
        let after = (1..=n).map(|position| {
            let next = if position < n { "[" } else { "" };
            format!("]{}{next}", names_at(position))
        });
        ElementText::around(before + "[", after)
    }
}
