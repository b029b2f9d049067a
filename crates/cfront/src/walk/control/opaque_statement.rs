//! Atomic statements: control flow without an affine model, as one statement.
//!
//! A `while` or `do` loop, a `switch`, a `for` loop whose iterations are not known before it runs,
//! or a condition on data over arbitrary statements becomes one statement whose instances are
//! those of the place where it stands ("Scheduling for PPCG", section 2.2). Its text is copied; its
//! accesses are those of its parts:
//!
//! * what may be skipped, or runs an unknown number of times, is written perhaps, unless the other branches
//!   write it, too (`sure_writes.rs`);
//! * what is inside of affine loops and conditions of the statement is accessed at the elements for all their
//!   iterations, and written for sure if nothing else decides about it;
//! * reads of scalars that the statement has written for sure before are its own affair;
//! * its own variables, and iterators that nobody else reads, are no data of the model.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{is_jumped_into, is_left_early};
use crate::facts::scope::Entity;
use crate::model::conditions::Disjunction;
use crate::model::raw_model::RawPiece;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::control::sure_writes::BranchEnd;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::TermKind;

impl<'t> Extractor<'_, 't> {
    /// Whether a statement at the current place is worth a place in the model as a whole: not in a
    /// region that nobody asked for, if there is no loop around it. What is inside of it may be a region.
    pub(crate) fn may_be_opaque(&self) -> bool {
        !self.facts.is_detected || !self.at.nest.is_empty()
    }

    /// A statement with control flow of its own.
    pub(crate) fn opaque_statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        if is_jumped_into(self.facts.source, &[node]) {
            return Err(self
                .refuse(Code::UnsupportedStatement, node, "a jump leads into this statement")
                .with_reason("it would be entered at another place than its start"));
        }
        if self.facts.has_filters {
            return self.filtered_statement(node);
        }
        self.forget_changes(node);
        self.opaque_text(node, &[node], |this, out| this.opaque_part(out, node))
    }

    /// Adds the opaque statement at a node, made of some parts, whose text a function writes.
    pub(crate) fn opaque_text(
        &mut self,
        node: Node<'t>,
        parts: &[Node<'t>],
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut out = Emission::new(self.at.nest.len());
        out.is_opaque = true;
        self.write_guards(&mut out)?;
        // Declarations go here.
        out.open(TermKind::Opaque);
        let start = out.pieces.len();
        out.pieces.push(RawPiece::Text(String::new()));
        let own = self.values.own_names.clone();
        let jumps = parts.iter().any(|part| part.has_kind(&[Kind::GotoStatement]));
        out.conditional |= jumps;
        out.tracks_assignments = !jumps;
        self.scopes.push();
        let result = self.aside(&mut out, |this, out| {
            this.at.opaque_root = Some(node);
            write(this, out)
        });
        self.scopes.pop();
        if result.is_ok() {
            self.declare_loop_names(&mut out, &own, start);
            self.declare_labels(&mut out, parts, start);
        }
        out.close();
        self.values.own_names = own;
        result?;
        out.drop_semicolon();
        self.add_emission(out, node.start_byte());
        Ok(())
    }

    /// Writes a part that may not run: outside of it holds what held before.
    fn aside<R>(
        &mut self,
        out: &mut Emission,
        write: impl FnOnce(&mut Self, &mut Emission) -> R,
    ) -> R {
        let before = (out.conditional, out.assigned.clone(), out.tracks_assignments);
        let result = self.scoped(|this| write(this, out));
        (out.conditional, out.assigned, out.tracks_assignments) = before;
        result
    }

    /// A statement inside of an opaque one, as a term of the body.
    pub(crate) fn opaque_part(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        match node.is_named() {
            true => self.term(out, node, |this, out| this.opaque_part_text(out, node)),
            false => self.opaque_part_text(out, node),
        }
    }

    fn opaque_part_text(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::ExpressionStatement => self.opaque_expression(out, node),
            Kind::CompoundStatement => {
                self.scopes.push();
                let result = children(node).try_for_each(|child| {
                    let result = self.opaque_part(out, child);
                    match (result, self.at.tells_all) {
                        (Err(refusal), true) => {
                            self.out.report(*refusal.0);
                            Ok(())
                        }
                        (result, _) => result,
                    }
                });
                self.scopes.pop();
                result
            }
            Kind::Declaration => self.opaque_declaration(out, node),
            Kind::IfStatement => self.opaque_if(out, node),
            Kind::ForStatement => {
                self.scopes.push();
                let (result, assigned) = self.aside(out, |this, out| {
                    (this.opaque_for(out, node), std::mem::take(&mut out.assigned))
                });
                self.scopes.pop();
                // What the head assigns is assigned.
                out.assigned = assigned;
                result
            }
            Kind::WhileStatement => self.aside(out, |this, out| this.opaque_while(out, node)),
            Kind::DoStatement => self.opaque_do(out, node),
            Kind::SwitchStatement => self.opaque_switch(out, node),
            Kind::CaseStatement | Kind::LabeledStatement | Kind::AttributedStatement => {
                self.opaque_labelled(out, node)
            }
            Kind::BreakStatement | Kind::ContinueStatement => {
                self.verbatim(out, node);
                Ok(())
            }
            Kind::ReturnStatement if out.is_summary => {
                children(node).try_for_each(|child| self.expression(out, child))
            }
            Kind::ReturnStatement if self.at.may_return => self.leave_function(out, node),
            Kind::GotoStatement if self.goes_inside(node) => {
                self.verbatim(out, node);
                Ok(())
            }
            _ if !node.is_named() => {
                self.verbatim(out, node);
                Ok(())
            }
            kind => Err(self.refuse_statement(node, kind)),
        }
    }

    /// Whether a `goto` stays inside of the opaque statement.
    fn goes_inside(&self, goto: Node<'t>) -> bool {
        let Some(label) = goto.field(Field::Label).map(|l| self.text(l)) else {
            return false;
        };
        if self.at.jump_ends.contains(&label) {
            return true;
        }
        let Some(root) = self.at.opaque_root else { return false };
        let mut labels = root.of_kind(Kind::LabeledStatement);
        labels.any(|node| node.field(Field::Label).is_some_and(|l| self.text(l) == label))
    }

    fn opaque_expression(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        for child in children(node) {
            if child.is_named() && self.is_annotation(child) {
                self.ignore_annotation(child);
            } else if let Some((pointer, value)) = self
                .pointer_assignment(child)
                .filter(|(pointer, _)| out.is_summary && self.variable(*pointer).in_region())
            {
                self.set_pointer(pointer, value)?;
            } else {
                self.expression(out, child)?;
            }
        }
        Ok(())
    }

    fn opaque_if(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(then)) =
            (node.field(Field::Condition), node.field(Field::Consequence))
        else {
            return Err(self.refuse(Code::Syntax, node, "this `if` is incomplete"));
        };
        let cases = self.cases(condition);
        out.keyword(node, "if ");
        self.condition_text(out, condition)?;
        let then = self.opaque_case(out, &cases, true, |this, out| this.opaque_part(out, then))?;
        let Some(otherwise) = node.field(Field::Alternative) else { return Ok(()) };
        let otherwise = self.opaque_case(out, &cases, false, |this, out| {
            children(otherwise).try_for_each(|child| this.opaque_part(out, child))
        })?;
        self.join_branches(out, &[then, otherwise], cases.is_none());
        Ok(())
    }

    /// Where a condition holds, and where it fails; none if it is not affine.
    pub(crate) fn cases(&mut self, condition: Node<'t>) -> Option<(Disjunction, Disjunction)> {
        let holds = self.affine_condition(condition, false).ok()?;
        Some((holds, self.affine_condition(condition, true).ok()?))
    }

    /// What runs in an opaque statement if a condition holds, or if it fails; how that ends.
    pub(crate) fn opaque_case(
        &mut self,
        out: &mut Emission,
        cases: &Option<(Disjunction, Disjunction)>,
        holds: bool,
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<BranchEnd, Refusal> {
        self.aside(out, |this, out| {
            let Some((yes, no)) = cases else { return this.branch_on_data(out, write) };
            match this.at.domain.and(if holds { yes } else { no }) {
                Ok(domain) => this.at.domain = domain,
                Err(_) => out.conditional = true,
            }
            let first = out.accesses.len();
            write(this, out)?;
            Ok(this.branch_end(out, first))
        })
    }

    fn opaque_while(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
        else {
            return Err(self.refuse(Code::Syntax, node, "this loop is incomplete"));
        };
        out.keyword(node, "while ");
        self.condition_text(out, condition)?;
        out.conditional = true;
        self.opaque_part(out, body)
    }

    fn opaque_do(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
        else {
            return Err(self.refuse(Code::Syntax, node, "this loop is incomplete"));
        };
        out.keyword(node, "do ");
        match is_left_early(body) {
            true => self.aside(out, |this, out| {
                out.conditional = true;
                this.opaque_part(out, body)
            })?,
            false => self.opaque_part(out, body)?,
        }
        out.text(" while ");
        out.after_written();
        let outer = std::mem::replace(&mut out.conditional, true);
        self.condition_text(out, condition)?;
        out.conditional = outer;
        out.text(";");
        out.written(node);
        Ok(())
    }

    /// A condition with its parentheses, as a term.
    pub(crate) fn condition_term(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        out.open(TermKind::Parenthesized);
        let result = self.condition_text(out, node);
        out.close();
        result
    }

    /// A condition with its parentheses.
    pub(crate) fn condition_text(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        out.text("(");
        out.after_written();
        self.expression(out, strip_parentheses(node))?;
        out.text(")");
        out.written(node);
        Ok(())
    }

    fn opaque_switch(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
        else {
            return Err(self.refuse(Code::Syntax, node, "this `switch` is incomplete"));
        };
        out.keyword(node, "switch ");
        self.condition_text(out, condition)?;
        if self.switch_branches(out, body)? {
            return Ok(());
        }
        self.aside(out, |this, out| {
            out.conditional = true;
            out.tracks_assignments = false;
            this.opaque_part(out, body)
        })
    }

    /// A statement after `case`, `default` or a label: it may be reached from elsewhere.
    fn opaque_labelled(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        out.assigned.clear();
        let label = [Field::Value, Field::Label].into_iter().find_map(|field| node.field(field));
        for child in children(node) {
            if Some(child) == label {
                self.case_value(out, child)?;
            } else if !child.is_named() {
                self.verbatim(out, child);
            } else if child.kind() != Kind::AttributeDeclaration {
                self.opaque_part(out, child)?;
            }
        }
        Ok(())
    }

    /// A `for` loop: the values of its iterator, if they are known.
    fn opaque_for(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let field = |name| node.field(name);
        let Some(body) = field(Field::Body) else {
            return Err(self.refuse(Code::Syntax, node, "this loop is incomplete"));
        };
        let values = self.iterations(node);
        out.keyword(node, "for (");
        match field(Field::Initializer) {
            Some(start) if start.kind() == Kind::Declaration => {
                self.opaque_declaration(out, start)?
            }
            Some(start) => {
                self.own_loop_names(start);
                self.expression(out, start)?;
                out.text(";");
            }
            None => out.text(";"),
        }
        let head = out.assigned.clone();
        if let Some(condition) = field(Field::Condition) {
            out.text(" ");
            out.after_written();
            self.expression(out, condition)?;
        }
        out.text(";");
        match values {
            Some((domain, index)) => {
                self.bind_iterator(node, index);
                self.at.domain = domain;
                out.conditional |= is_left_early(body);
            }
            None => out.conditional = true,
        }
        if let Some(update) = field(Field::Update) {
            out.text(" ");
            out.after_written();
            let conditional = std::mem::replace(&mut out.conditional, true);
            self.expression(out, update)?;
            out.conditional = conditional;
            out.assigned.clone_from(&head);
        }
        out.text(") ");
        out.after_written();
        self.opaque_part(out, body)?;
        out.assigned = head;
        Ok(())
    }

    /// Opens the loop if its iterations are known: the domain inside of it.
    fn iterations(&mut self, node: Node<'t>) -> Option<(Disjunction, u32)> {
        if self.declares_others(node) {
            return None;
        }
        let mark = self.out.mark();
        let iterators = self.out.iterator_variables.clone();
        let opened = self.scoped(|this| {
            let (index, values) = this.loop_head(node)?;
            let domain = this.check(node, this.at.domain.and(&values))?;
            Ok::<_, Refusal>((domain, index, this.at.nest.clone()))
        });
        // The names that the head declares are declared again with the text.
        self.scopes.pop();
        self.scopes.push();
        self.out.iterator_variables = iterators;
        match opened {
            Ok((domain, index, nest)) => {
                self.at.nest = nest;
                Some((domain, index))
            }
            Err(_) => {
                self.out.back_to(mark);
                None
            }
        }
    }

    /// The iterator of a loop that declares it is the variable that its text has declared.
    fn bind_iterator(&mut self, node: Node<'t>, index: u32) {
        let start = node.field(Field::Initializer);
        if start.is_some_and(|start| start.kind() == Kind::Declaration) {
            let name = self.variable(self.out.loops[index as usize].variable).name.clone();
            if let Some(Entity::Variable(variable)) = self.scopes.lookup(&name) {
                self.out.loops[index as usize].variable = variable;
            }
        }
    }
}
