//! Enumerations that a region declares: their constants are written as numbers, because the result has other
//! blocks than the region.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::scope::Entity;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentions, named_children, text};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{TermKind, UnaryOperator};

impl<'t> Extractor<'_, 't> {
    /// A statement that declares an enumeration and nothing else.
    pub(crate) fn enumeration(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let refuse = |this: &Self, at: Node<'t>, reason: String| {
            let message = "this enumeration cannot be part of a region";
            Err(this
                .refuse(Code::UnsupportedStatement, at, message)
                .with_reason(reason)
                .with_hint("declare it before the region"))
        };
        let constants = node.field(Field::Body).into_iter().flat_map(named_children);
        let constants = constants.filter_map(|item| item.field(Field::Name));
        let constants: Vec<Node<'t>> = constants.collect();
        if let Some(tag) = node.field(Field::Name) {
            let is_use = |other: &Node<'t>| {
                let name = other.field(Field::Name);
                *other != node && name.is_some_and(|name| self.text(name) == self.text(tag))
            };
            if let Some(other) = self.facts.root.of_kind(Kind::EnumSpecifier).find(is_use) {
                let line = self.line_of(other.start_byte());
                return refuse(self, tag, format!("line {line} uses it as a type"));
            }
        }
        let names: Vec<&str> = constants.iter().map(|name| self.text(*name)).collect();
        let has_constant = |other: &Node<'t>| {
            names.iter().any(|name| mentions(self.facts.source, *other, name).next().is_some())
        };
        let places = self.facts.root.of_kinds(&[
            Kind::SizeofExpression,
            Kind::ArrayDeclarator,
            Kind::TypeDescriptor,
        ]);
        if let Some(other) = places.into_iter().find(has_constant) {
            let line = self.line_of(other.start_byte());
            return refuse(
                self,
                node,
                format!("line {line} uses a constant in a type or `sizeof`"),
            );
        }
        self.scopes.enumerators(self.facts.source, node);
        for name in constants {
            match self.scopes.lookup(self.text(name)) {
                Some(Entity::Constant(value)) if i32::try_from(value).is_ok() => {
                    let at_top = (self.values.blocks.len() == 1).then_some(name.start_byte());
                    self.out.add_own_constant(text(self.facts.source, name), at_top);
                }
                _ => {
                    let name_text = self.text(name);
                    let reason = format!("the value of `{name_text}` is not known, or no `int`");
                    return refuse(self, name, reason);
                }
            }
        }
        Ok(())
    }

    /// Writes the value after a `case`.
    pub(crate) fn case_value(&self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let is_own = |name| self.out.own_constants().contains_key(self.text(name));
        if !node.of_kind(Kind::Identifier).any(is_own) {
            self.verbatim(out, node);
            return Ok(());
        }
        let Some(value) = self.scopes.constant(self.facts.source, node, 0) else {
            let message = "this `case` is not understood";
            let refusal = self.refuse(Code::UnsupportedStatement, node, message);
            return Err(refusal.with_reason("the region declares constants whose value it needs"));
        };
        out.gap(node);
        out.text(&value.to_string());
        Ok(())
    }

    /// Writes what names a constant of an enumeration; whether it does.
    pub(crate) fn write_constant(&self, out: &mut Emission, node: Node<'t>, name: &str) -> bool {
        let Some(Entity::Constant(value)) = self.scopes.lookup(name) else { return false };
        if self.out.own_constants().contains_key(name) {
            out.gap(node);
            match value < 0 {
                true => write_negative(out, value),
                false => out.text(&value.to_string()),
            }
        } else {
            self.verbatim(out, node);
        }
        true
    }
}

/// `(-1)`
fn write_negative(out: &mut Emission, value: i64) {
    out.open(TermKind::Parenthesized);
    out.text("(");
    out.open(TermKind::Unary(UnaryOperator::Negate));
    out.text("-");
    out.open(TermKind::Opaque);
    out.text(&value.unsigned_abs().to_string());
    out.close();
    out.close();
    out.text(")");
    out.close();
}
