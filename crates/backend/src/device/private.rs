//! Scalars of which each thread of a kernel has its own.
use loopwright_astgen::AstNode;
use loopwright_presburger::Name;
use loopwright_schedule::LoopMark;
use loopwright_scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// The variables of which each iteration has its own in all loops over blocks and threads around the
/// statements that access them: no value of theirs leaves an iteration, so one variable in each thread will
/// do.
pub(super) fn private_variables(body: &AstNode, scop: &Scop) -> BTreeSet<Name> {
    let mut uses = Uses { scop, is_private: BTreeMap::new() };
    uses.visit(body, None);
    let private = uses.is_private.into_iter().filter(|(_, is_private)| *is_private);
    private.map(|(name, _)| name).collect()
}

struct Uses<'a> {
    scop: &'a Scop,
    /// For each variable whether all statements so far have it for themselves.
    is_private: BTreeMap<Name, bool>,
}

impl Uses<'_> {
    /// `own` are the variables that all loops over blocks and threads around name, none without such a loop.
    fn visit(&mut self, node: &AstNode, own: Option<&BTreeSet<Name>>) {
        match node {
            AstNode::For(each) => self.visit(&each.body, own),
            AstNode::If { then, otherwise, .. } => {
                self.visit(then, own);
                otherwise.iter().for_each(|otherwise| self.visit(otherwise, own));
            }
            AstNode::Block(children) => children.iter().for_each(|child| self.visit(child, own)),
            AstNode::Mark { name, child, .. } => {
                match LoopMark::parse(name).filter(|mark| mark.kind.is_of_kernel()) {
                    None => self.visit(child, own),
                    Some(mark) => {
                        let named: BTreeSet<Name> = mark.private.into_iter().collect();
                        let both = match own {
                            None => named,
                            Some(own) => named.intersection(own).cloned().collect(),
                        };
                        self.visit(child, Some(&both));
                    }
                }
            }
            AstNode::User { statement, .. } => {
                let name = statement.output().and_then(|tuple| tuple.name());
                let Some(found) = name.and_then(|name| self.scop.statement_named(name)) else {
                    return;
                };
                for access in &found.accesses {
                    let variable = &self.scop.array(access.array).tuple_name;
                    let is_named = own.is_some_and(|own| own.contains(variable));
                    let all = self.is_private.entry(variable.clone()).or_insert(true);
                    *all &= is_named;
                }
            }
        }
    }
}
