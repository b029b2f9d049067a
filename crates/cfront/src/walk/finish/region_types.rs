//! Which variables of a region its result can declare: in front of everything else, where variables that the
//! region declares or changes do not have their values yet.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::scope::Entity;
use crate::model::linear::{Linear, Symbol};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::children;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

/// Parts of an extent whose value may be another one in front of the region.
const EFFECTS: [Kind; 6] = [
    Kind::CallExpression,
    Kind::AssignmentExpression,
    Kind::UpdateExpression,
    Kind::SubscriptExpression,
    Kind::PointerExpression,
    Kind::FieldExpression,
];

impl<'t> Extractor<'_, 't> {
    /// Refuses types and extents of variables that have another meaning, or another value, in front of the
    /// region.
    pub(crate) fn check_own_types(
        &mut self,
        declaration: Node<'t>,
        variables: &[u32],
    ) -> Result<(), Refusal> {
        self.check_specifiers(declaration)?;
        for variable in variables {
            let declared = self.variable(*variable);
            let (name, dimensions) = (declared.name.clone(), declared.declared.dimensions.clone());
            let extents = dimensions.into_iter().filter_map(|dimension| match dimension {
                Dimension::Extent(extent) => Some(extent),
                _ => None,
            });
            for extent in extents {
                let Err(reason) = self.check_extent(declaration, extent) else { continue };
                if let Some(known) = self.known_extent(declaration, extent) {
                    self.out.set_own_extent(extent.start_byte(), known);
                    continue;
                }
                let message = format!("the size of `{name}` is not known in front of the region");
                return Err(self
                    .refuse(Code::Declaration, declaration, message)
                    .with_reason(reason)
                    .with_hint("give it a constant size, or declare it before the region"));
            }
        }
        Ok(())
    }

    /// An extent as a sum of variables that have their values in front of the region, with its text there.
    fn known_extent(
        &mut self,
        declaration: Node<'t>,
        extent: Node<'t>,
    ) -> Option<(Linear, String)> {
        let mark = self.out.mark();
        let is_here = declaration.byte_range().contains(&extent.start_byte());
        let value = is_here.then(|| self.value(extent).ok()).flatten();
        let known = value.and_then(|value| {
            let linear = value.pieces.as_linear()?.clone();
            let text = self.sum_in_front(&linear)?;
            Some((linear, text))
        });
        if known.is_none() {
            self.out.back_to(mark);
        }
        known
    }

    /// A sum as it is written in front of the region.
    fn sum_in_front(&self, linear: &Linear) -> Option<String> {
        let mut summands = Vec::new();
        for (symbol, coefficient) in &linear.terms {
            let Symbol::Parameter(variable) = symbol else { return None };
            let declared = self.variable(*variable);
            let means = self.scopes.lookup(&declared.name);
            if declared.member.is_some()
                || self.value_in_memory(*variable).is_some()
                || means != Some(Entity::Variable(*variable))
            {
                return None;
            }
            summands.push(match coefficient {
                1 => declared.name.clone(),
                _ => format!("{coefficient} * (long) {}", declared.name),
            });
        }
        if linear.constant != 0 || summands.is_empty() {
            summands.push(linear.constant.to_string());
        }
        Some(summands.join(" + "))
    }

    /// Types that the region itself defines have no name where the result needs them.
    fn check_specifiers(&self, declaration: Node<'t>) -> Result<(), Refusal> {
        let refuse = |at: Node<'t>, message: &str, reason: String, hint: &str| {
            Err(self.refuse(Code::Declaration, at, message).with_reason(reason).with_hint(hint))
        };
        for specifier in children(declaration) {
            match specifier.kind() {
                Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
                    let tag = specifier.field(Field::Name);
                    let has_constants = specifier.kind() == Kind::EnumSpecifier;
                    let is_defined = specifier.field(Field::Body).is_some();
                    if is_defined && (tag.is_some() || has_constants) {
                        let message = "this type cannot be defined in a region";
                        let reason = "the result declares variables in front of this line";
                        let hint = "declare the type before the region";
                        return refuse(specifier, message, reason.to_string(), hint);
                    }
                }
                Kind::MacroTypeSpecifier => {
                    let is_word = |c: char| c.is_alphanumeric() || c == '_';
                    let mut words = self.text(specifier).split(|c| !is_word(c));
                    if let Some(name) = words.find(|word| self.is_own_name(word)) {
                        let message = "this type cannot be named in front of the region";
                        let reason = format!("the region declares `{name}`");
                        return refuse(specifier, message, reason, "write the name of the type");
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether the region declares what a name means here.
    fn is_own_name(&self, name: &str) -> bool {
        match self.scopes.lookup(name) {
            Some(Entity::Variable(variable)) => self.variable(variable).in_region(),
            Some(Entity::Constant(_)) => self.out.own_constants().contains_key(name),
            _ => false,
        }
    }

    /// Why an extent has no value in front of the region, or not the same.
    fn check_extent(&self, declaration: Node<'t>, extent: Node<'t>) -> Result<(), String> {
        let text = self.flat_text(extent);
        let is_constant = self.scopes.constant(self.facts.source, extent, 0).is_some();
        if !is_constant && !declaration.byte_range().contains(&extent.start_byte()) {
            return Err(format!("`{text}` in the definition of its type is no constant"));
        }
        if extent.of_kinds(&EFFECTS).into_iter().next().is_some() {
            return Err(format!("`{text}` is not a sum of constants and variables"));
        }
        for name in extent.of_kind(Kind::Identifier).map(|name| self.text(name)) {
            let Some(Entity::Variable(variable)) = self.scopes.lookup(name) else { continue };
            if self.is_own_name(name) {
                return Err(format!("the region declares `{name}`"));
            }
            if self.active_loop(variable).is_some() || self.is_changed_name(name) {
                return Err(format!("the region changes `{name}`"));
            }
        }
        Ok(())
    }
}
