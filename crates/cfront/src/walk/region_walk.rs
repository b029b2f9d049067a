//! Walks over the statements of a region and collects what becomes a scop.
//!
//! The walk keeps the loops around the current place, the condition under which it is reached (a
//! disjunction over parameters and iterators) and the scopes of names. Every expression statement
//! becomes a [`RawStatement`]; the order of statements and loops is kept as a tree of [`Order`].
//! A statement that is refused is reported, and the walk goes on, so that one run shows all
//! refusals of a region.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::is_jumped_to;
use crate::facts::effects::ModRef;
use crate::facts::scope::Entity;
use crate::model::conditions::Disjunction;
use crate::model::filters::Leaves;
use crate::model::raw_model::{Order, RawAccess, RawPiece, RawStatement};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::named_children;
use crate::syntax::tree::Node;
use crate::walk::control::forward_jumps::{structured, structured_run};
use crate::walk::control::sure_writes::only_in_branch;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;

impl<'t> Extractor<'_, 't> {
    /// Walks over the statements of the region; refusals end up in `diagnostics`.
    pub(crate) fn region(&mut self, nodes: &[Node<'t>]) {
        for &node in nodes {
            if let Err(refusal) = self.check_shape(node) {
                self.out.report(*refusal.0);
            }
        }
        if !self.out.diagnostics().is_empty() {
            return;
        }
        if let Some(&first) = nodes.first() {
            self.values_before(first);
        }
        self.start_moving_pointers();
        self.start_counts(nodes);
        self.scopes.push();
        self.values.blocks.push(Vec::new());
        match self.facts.has_jumps.then(|| structured_run(self.facts.source, nodes)).flatten() {
            Some(parts) => self.parts(&parts),
            None => nodes.iter().for_each(|node| self.recover(|this| this.statement(*node))),
        }
        self.values.blocks.pop();
        self.scopes.pop();
        self.apply_exits(0, Leaves::Region);
        if let Some(&last) = nodes.last() {
            self.finish_moving_pointers(last);
        }
        self.values.known.clear();
        self.check_loop_pragmas();
    }

    /// Runs a step and keeps its refusal.
    pub(crate) fn recover(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Refusal>) {
        if let Err(refusal) = step(self) {
            self.out.report(*refusal.0);
        }
    }

    /// One statement of the region.
    pub(crate) fn statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::ExpressionStatement => match named_children(node).next() {
                Some(expression) if self.annotated(expression) => Ok(()),
                Some(expression) => self.expression_statement(expression),
                None => Ok(()),
            },
            Kind::CompoundStatement => self.block(node),
            Kind::ForStatement => self.for_loop(node),
            Kind::IfStatement => self.if_statement(node),
            Kind::Declaration => self.declaration(node),
            Kind::EnumSpecifier => self.enumeration(node),
            Kind::WhileStatement | Kind::DoStatement if self.counted_loop(node)? => Ok(()),
            Kind::WhileStatement if self.returning_loop(node)? => Ok(()),
            Kind::WhileStatement if !self.may_be_opaque() => {
                self.early_exit(node, self.refuse_statement(node, Kind::WhileStatement))
            }
            Kind::WhileStatement | Kind::DoStatement | Kind::SwitchStatement
                if self.may_be_opaque() =>
            {
                self.opaque_statement(node)
            }
            Kind::LabeledStatement if !is_jumped_to(self.facts.source, node) => {
                named_children(node).last().map_or(Ok(()), |inner| self.statement(inner))
            }
            Kind::AttributedStatement => {
                named_children(node).last().map_or(Ok(()), |inner| self.statement(inner))
            }
            token!(";") => Ok(()),
            Kind::BreakStatement | Kind::ContinueStatement | Kind::ReturnStatement
                if self.facts.has_filters =>
            {
                self.exit(node)
            }
            kind @ (Kind::DoStatement | Kind::SwitchStatement) => {
                let refusal = self.refuse_statement(node, kind);
                Err(self.with_causes_inside(node, refusal))
            }
            kind => Err(self.refuse_statement(node, kind)),
        }
    }

    /// The statements of a block.
    pub(crate) fn block(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let parts = self.facts.has_jumps.then(|| structured(self.facts.source, node)).flatten();
        self.inner_block(node.end_byte().saturating_sub(1), |this| match parts {
            Some(parts) => this.parts(&parts),
            None => {
                for child in named_children(node) {
                    this.recover(|this| this.statement(child));
                }
            }
        });
        Ok(())
    }

    /// Statements in a block of their own that ends at a byte.
    pub(crate) fn inner_block(&mut self, end: usize, walk: impl FnOnce(&mut Self)) {
        self.scopes.push();
        self.values.blocks.push(Vec::new());
        walk(self);
        let declared = self.values.blocks.pop().unwrap_or_default();
        self.kill(declared, end);
        self.scopes.pop();
    }

    fn if_statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(then)) =
            (node.field(Field::Condition), node.field(Field::Consequence))
        else {
            return Err(self.refuse(Code::Syntax, node, "this `if` is incomplete"));
        };
        self.forget_changes(condition);
        let holds = match self.affine_condition(condition, false) {
            Ok(holds) => holds,
            Err(refusal) if self.is_filter(&refusal) => return self.filtered_if(node),
            Err(refusal) => return self.guarded(node, refusal),
        };
        if !self.facts.has_filters && self.without_way_out(node, &holds)? {
            return Ok(());
        }
        let alternative = node.field(Field::Alternative);
        let otherwise = alternative.and_then(|clause| named_children(clause).next());
        let fails = match otherwise {
            Some(_) => self.affine_condition(condition, true)?,
            None => Disjunction::never(),
        };
        self.under(node, &holds, then)?;
        otherwise.map_or(Ok(()), |otherwise| self.under(node, &fails, otherwise))
    }

    /// Where the condition of an `if` holds (or, `negate`, does not hold); a refusal leaves no
    /// traces.
    pub(crate) fn affine_condition(
        &mut self,
        condition: Node<'t>,
        negate: bool,
    ) -> Result<Disjunction, Refusal> {
        self.at.purpose = Purpose::Condition;
        let mark = self.out.mark();
        let holds = self.condition(condition, negate);
        if holds.is_err() {
            self.out.back_to(mark);
        }
        holds
    }

    /// A statement that only runs where a condition holds.
    fn under(
        &mut self,
        node: Node<'t>,
        condition: &Disjunction,
        body: Node<'t>,
    ) -> Result<(), Refusal> {
        self.where_holds(node, condition, |this| this.branch(body))
    }

    /// Walks over what only runs where a condition holds.
    pub(crate) fn where_holds(
        &mut self,
        node: Node<'t>,
        condition: &Disjunction,
        walk: impl FnOnce(&mut Self),
    ) -> Result<(), Refusal> {
        let domain = self.check(node, self.at.domain.and(condition))?;
        self.within(domain, walk);
        Ok(())
    }

    /// A statement that is not always reached.
    pub(crate) fn branch(&mut self, body: Node<'t>) {
        let before = self.values.known.clone();
        self.recover(|this| this.statement(body));
        self.join_known(&before);
    }

    /// Adds a statement at the current place.
    pub(crate) fn add_statement(
        &mut self,
        accesses: Vec<RawAccess>,
        pieces: Vec<RawPiece>,
        is_kill: bool,
        at: usize,
    ) {
        self.out.order.push(Order::Statement(self.out.statements.len()));
        self.out.statements.push(RawStatement {
            domain: self.at.domain.clone(),
            loops: self.at.nest.clone(),
            accesses,
            pieces,
            is_kill,
            at,
            reaches: ModRef::default(),
            is_update: false,
            filters: self.at.filters.clone(),
        });
    }

    /// Adds the statement that was written.
    pub(crate) fn add_emission(&mut self, mut emission: Emission, at: usize) {
        let hidden =
            emission.hidden.iter().map(|variable| RawPiece::Hidden { variable: *variable });
        emission.pieces.extend(hidden);
        if emission.is_guarded {
            emission.accesses.iter_mut().for_each(only_in_branch);
        }
        self.add_statement(emission.accesses, emission.pieces, false, at);
        if let Some(statement) = self.out.statements.last_mut() {
            statement.reaches = emission.reaches;
        }
    }

    /// The variable that an identifier stands for.
    pub(crate) fn resolve(&self, node: Node<'t>) -> Result<u32, Refusal> {
        match self.scopes.lookup(self.text(node)) {
            Some(Entity::Variable(variable)) => Ok(variable),
            Some(Entity::Constant(value)) => {
                let message = format!("`{}` is a constant", self.text(node));
                Err(self
                    .refuse(Code::UnsupportedExpression, node, message)
                    .with_reason(format!("an enumeration gives the value {value} to it")))
            }
            Some(Entity::Function) => {
                let message = format!("`{}` is a function", self.text(node));
                Err(self
                    .refuse(Code::UnsupportedExpression, node, message)
                    .with_reason("functions can be called in a region, but are no values")
                    .with_hint("call it"))
            }
            None => Err(self.unknown_name(node)),
        }
    }
}
