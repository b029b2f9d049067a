//! Declarations in a region.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::variables::Origin;
use crate::model::raw_model::RawAccess;
use crate::syntax::kind::Kind;
use crate::syntax::queries::children;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_scop::AccessKind;

impl<'t> Extractor<'_, 't> {
    /// The variables that a region declares, and their initial values.
    pub(crate) fn declaration(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let declared = self.declared_variables(node)?;
        self.initial_values(node, declared)
    }

    /// The variables that a declaration in the region adds, which have no values yet; and their initial
    /// values.
    pub(crate) fn declared_variables(
        &mut self,
        node: Node<'t>,
    ) -> Result<Vec<(u32, Option<Node<'t>>)>, Refusal> {
        if let Some(class) = children(node).find(|c| c.kind() == Kind::StorageClassSpecifier) {
            let class_text = self.text(class);
            if !matches!(class_text, "register" | "auto") {
                let message = format!("a `{class_text}` variable cannot be declared in a region");
                // What uses it is no refusal of its own.
                self.scopes.declare(self.facts.source, node, Origin::Local { is_static: true });
                return Err(self
                    .refuse(Code::Declaration, node, message)
                    .with_reason("it outlives the region"));
            }
        }
        let depth = self.at.nest.len();
        let declared = self.scopes.declare(self.facts.source, node, Origin::Region { depth });
        let own: Vec<u32> = declared.iter().map(|(variable, _)| *variable).collect();
        self.check_own_types(node, &own)?;
        let variables: Vec<u32> =
            declared.iter().map(|(v, _)| self.make_data_dependent(*v)).collect();
        if self.values.blocks.len() == 1 {
            self.out.declare_at_top(&variables);
        }
        if let Some(block) = self.values.blocks.last_mut() {
            block.extend(&variables);
        }
        self.kill(variables, node.start_byte());
        Ok(declared)
    }

    /// Gives the variables of a declaration their initial values.
    pub(crate) fn initial_values(
        &mut self,
        node: Node<'t>,
        declared: Vec<(u32, Option<Node<'t>>)>,
    ) -> Result<(), Refusal> {
        for (variable, value) in declared {
            let declared = self.variable(variable);
            if let Some(oddity) = declared.declared.oddity {
                let message = format!("`{}` {}", declared.name, oddity.said());
                return Err(self
                    .refuse(Code::Declaration, node, message)
                    .with_reason(oddity.reason())
                    .with_hint("declare it without the qualifier, or outside of the region"));
            }
            if let Some(value) = value {
                self.forget_changes(value);
                let known = self.followed_initializer(variable, value);
                self.recover(|this| this.initializer(variable, value));
                if known.is_some() {
                    self.mark_update(value);
                    self.set_known(variable, known);
                }
            }
        }
        Ok(())
    }

    /// A kill of whole variables.
    pub(crate) fn kill(&mut self, variables: Vec<u32>, at: usize) {
        if variables.is_empty() {
            return;
        }
        let access = |variable| RawAccess::new(variable, AccessKind::Kill, Vec::new(), at);
        let accesses = variables.into_iter().map(access).collect();
        self.add_statement(accesses, Vec::new(), true, at);
    }
}
