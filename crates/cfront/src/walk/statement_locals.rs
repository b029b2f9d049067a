//! The variables of opaque statements themselves: no data of the model, but part of the text.
//!
//! Declarations inside of the statement are copied. The text may mention, where iterators are regenerated,
//! any name from outside of it; a declared name that means something there gets another one.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{Dimension, declarator};
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::raw_model::RawPiece;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, has_storage, named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use std::collections::BTreeMap;

impl<'t> Extractor<'_, 't> {
    /// Iterators that nobody else reads are variables of the statement.
    pub(crate) fn declare_loop_names(
        &mut self,
        out: &mut Emission,
        outside: &BTreeMap<u32, String>,
        start: usize,
    ) {
        let is_loop_name = |variable: &u32| !self.variable(*variable).in_region();
        let declarations: String = self
            .values
            .own_names
            .iter()
            .filter(|(variable, _)| !outside.contains_key(variable) && is_loop_name(variable))
            .map(|(variable, name)| {
                format!("{} {name}; ", self.variable(*variable).declared.scalar.spelling)
            })
            .collect();
        if !declarations.is_empty()
            && let Some(RawPiece::Text(text)) = out.pieces.get_mut(start)
        {
            text.insert_str(0, &format!("{{ {declarations}"));
            out.text(" }");
        }
    }

    /// The labels of a statement belong to its text, which may be printed several times in a function (an
    /// extension of GCC and Clang).
    pub(crate) fn declare_labels(&self, out: &mut Emission, parts: &[Node<'t>], start: usize) {
        let labelled = parts.iter().flat_map(|part| part.of_kind(Kind::LabeledStatement));
        let labels = labelled.filter_map(|node| node.field(Field::Label));
        let names: Vec<&str> = labels.map(|label| self.text(label)).collect();
        if !names.is_empty()
            && let Some(RawPiece::Text(text)) = out.pieces.get_mut(start)
        {
            text.insert_str(0, &format!("{{ __label__ {}; ", names.join(", ")));
            out.text(" }");
        }
    }

    /// Makes iterators that nobody else reads variables of the statement.
    pub(crate) fn own_loop_names(&mut self, start: Node<'t>) {
        let assignments = start.of_kind(Kind::AssignmentExpression);
        let targets = assignments.filter_map(|node| node.field(Field::Left));
        let names = targets.map(strip_parentheses).filter(|left| left.kind() == Kind::Identifier);
        let own = names.filter(|left| self.at.names.loops.contains(self.text(*left)));
        let found: Vec<u32> = own.filter_map(|left| self.resolve(left).ok()).collect();
        for variable in found {
            let declared = self.variable(variable);
            if declared.is_integer() && declared.declared.oddity.is_none() && !declared.in_region()
            {
                let name = declared.name.clone();
                self.values.own_names.entry(variable).or_insert(name);
            }
        }
    }

    /// The variables of a declaration become the statement's own.
    pub(crate) fn opaque_declaration(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        if ["static", "extern"].iter().any(|class| has_storage(self.facts.source, node, class)) {
            return Err(self
                .refuse(Code::Declaration, node, "this variable outlives the statement")
                .with_reason(
                    "what is declared in a loop or branch of one statement ends with it",
                ));
        }
        let hidden = self.hidden_names(node);
        // They live in the statement only.
        let depth = self.at.nest.len() + 1;
        let declared = self.scopes.declare(self.facts.source, node, Origin::Region { depth });
        if out.is_summary && declared.iter().all(|(variable, _)| self.is_pointer(*variable)) {
            let values = declared.into_iter().filter_map(|(own, value)| Some((own, value?)));
            return values.into_iter().try_for_each(|(own, value)| self.set_pointer(own, value));
        }
        for (variable, _) in &declared {
            let declared = &self.variable(*variable).declared;
            let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
            if declared.oddity.is_some() || declared.dimensions.iter().any(is_pointer) {
                let message = "a volatile variable or a pointer cannot be declared in a region";
                return Err(self.refuse(Code::Declaration, node, message).with_reason(
                    "what its accesses do is not known in a statement that is kept whole",
                ));
            }
            let name = self.variable(*variable).name.clone();
            let own = if hidden.contains(&name) { self.unused_name(&name) } else { name };
            self.values.own_names.insert(*variable, own);
        }
        let declarators: Vec<Node<'t>> = node.all_in_field(Field::Declarator).collect();
        for child in children(node) {
            if declarators.contains(&child) {
                self.opaque_declarator(out, child)?;
            } else {
                self.verbatim(out, child);
            }
        }
        Ok(())
    }

    /// A declarator with the name that its variable has.
    fn opaque_declarator(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::Identifier => {
                out.gap(node);
                let own = match self.scopes.lookup(self.text(node)) {
                    Some(Entity::Variable(variable)) => self.values.own_names.get(&variable),
                    _ => None,
                };
                let text = own.map_or(self.text(node), String::as_str).to_string();
                out.text(&text);
                Ok(())
            }
            Kind::InitDeclarator | Kind::ArrayDeclarator | Kind::ParenthesizedDeclarator => {
                for child in children(node) {
                    if child.kind() == Kind::Identifier && Some(child) == self.declared(node)
                        || child.kind().is_declarator()
                    {
                        self.opaque_declarator(out, child)?;
                    } else if child.kind() == Kind::InitializerList {
                        self.initializer_list(out, child)?;
                    } else {
                        self.expression(out, child)?;
                    }
                }
                Ok(())
            }
            _ => Err(self
                .refuse(Code::Declaration, node, "this declaration is not supported in a region")
                .with_reason("it declares something else than variables and arrays")),
        }
    }

    /// The declarator inside of a declarator.
    fn declared(&self, node: Node<'t>) -> Option<Node<'t>> {
        node.field(Field::Declarator).or_else(|| named_children(node).next())
    }

    fn initializer_list(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        children(node).try_for_each(|child| match child.kind() {
            Kind::InitializerList => self.initializer_list(out, child),
            _ => self.expression(out, child),
        })
    }

    /// The declared names that the text of the statement cannot keep: they stand for something
    /// else outside, which the text with regenerated iterators may mention, or look like names that
    /// are made up.
    fn hidden_names(&self, node: Node<'t>) -> Vec<String> {
        let declarators = node.all_in_field(Field::Declarator);
        let names =
            declarators.filter_map(|d| declarator(self.facts.source, d).map(|d| self.text(d.name)));
        let is_hidden = |name: &&str| {
            self.scopes.lookup(name).is_some()
                || name.rsplit_once('_').is_some_and(|(_, end)| {
                    !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit())
                })
        };
        names.filter(is_hidden).map(str::to_string).collect()
    }

    /// A name that the file does not contain.
    fn unused_name(&self, name: &str) -> String {
        let mut suffix = 0u64;
        loop {
            let candidate = match suffix {
                0 => format!("{name}_own"),
                _ => format!("{name}_own{suffix}"),
            };
            let taken = self.values.own_names.values().any(|own| *own == candidate);
            if !taken && !self.facts.source.contains(&candidate) {
                return candidate;
            }
            suffix += 1;
        }
    }
}
