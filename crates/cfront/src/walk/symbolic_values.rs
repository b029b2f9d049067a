//! Scalars whose values are affine: `k = 0; for (..) { A[k] = ..; k += 2; }`.
//!
//! While the walk goes through the region it keeps, for integer variables that nobody else can change, the
//! value at the current place as a form over symbolic constants and iterators (`Values::known`). Where
//! such a variable is read its value is written instead, so that subscripts, bounds and conditions
//! have affine forms and no value flows through the variable. What is assigned to it stays a
//! statement (`k += 2` becomes `k = 2 * i + 2`), so that the variable has the right value wherever it
//! is read after all: behind conditions, by control flow that is one statement, after the region.
//! Assignments whose value nobody reads are left out later.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::is_loop;
use crate::facts::integer_type::IntegerType;
use crate::facts::region_names::moved;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::conditions::Condition;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{changed_names, mentions, strip_parentheses, written_places};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;
use loopwright_scop::{AssignmentOperator, TermKind};
use std::collections::BTreeMap;

/// An assignment to a variable.
#[derive(Clone, Copy)]
pub(crate) struct Update<'t> {
    pub(crate) variable: u32,
    /// What is assigned or added; none of `++` and `--`.
    pub(crate) operand: Option<Node<'t>>,
    /// 1 or -1 if the operand (or 1) is added or subtracted, 0 if it is assigned.
    pub(crate) sign: i64,
    /// Whether the value of the expression is that before the update.
    pub(crate) is_postfix: bool,
}

impl<'t> Extractor<'_, 't> {
    /// Whether the values of a variable are followed: an integer (not `_Bool`) that only the region's own
    /// assignments change while it runs. Of variables that outlive the function these are iterators, where no
    /// call of the region sees them; that no pointer leads to them is found out as for other variables.
    pub(crate) fn is_followed(&self, variable: u32) -> bool {
        let declared = self.variable(variable);
        let is_own = match declared.origin {
            Origin::Argument | Origin::Region { .. } | Origin::Local { is_static: false } => true,
            Origin::Local { is_static: true } | Origin::File { .. } => {
                self.facts.is_closed && self.facts.kept_iterators.contains(&*declared.name)
            }
        };
        let scalar = &declared.declared.scalar;
        is_own
            && self.at.names.followed.contains(&*declared.name)
            && !self.values.own_names.contains_key(&variable)
            && declared.is_integer()
            && declared.member.is_none()
            && declared.declared.oddity.is_none()
            && scalar.bytes.is_some()
            && !scalar.is_truth_value()
            && !self.scopes.index.addresses.contains_key(&declared.name)
    }

    /// The followed variable that an identifier stands for.
    pub(crate) fn followed_variable(&self, node: Node<'t>) -> Option<u32> {
        let node = strip_parentheses(node);
        if node.kind() != Kind::Identifier || !self.at.names.followed.contains(self.text(node)) {
            return None;
        }
        self.followed_by_name(self.text(node))
    }

    fn followed_by_name(&self, name: &str) -> Option<u32> {
        match self.scopes.lookup(name) {
            Some(Entity::Variable(variable)) => Some(variable).filter(|v| self.is_followed(*v)),
            _ => None,
        }
    }

    /// The followed variables that a subtree changes.
    pub(crate) fn followed_changes(&self, node: Node<'t>) -> Vec<u32> {
        if self.at.names.followed.is_empty() && self.facts.moved.all.is_empty() {
            return Vec::new();
        }
        let names = changed_names(self.facts.source, node);
        let mut followed: Vec<&str> =
            names.intersection(&self.at.names.followed).copied().collect();
        followed.sort_unstable();
        let variables = followed.into_iter().filter_map(|name| self.followed_by_name(name));
        variables.chain(self.offsets_of(&names)).collect()
    }

    /// The values of what a subtree changes are not known any more.
    pub(crate) fn forget_changes(&mut self, node: Node<'t>) {
        for variable in self.followed_changes(node) {
            self.values.known.remove(&variable);
        }
    }

    /// What is known after a branch that may not have been taken.
    pub(crate) fn join_known(&mut self, other: &BTreeMap<u32, Pieces>) {
        self.values.known.retain(|variable, value| other.get(variable) == Some(value));
    }

    /// The value of a variable at the current place, if it is known.
    pub(crate) fn known_value(&mut self, variable: u32, at: usize) -> Option<Pieces> {
        let mut value = self.values.known.get(&variable)?.clone();
        if value.0.len() > 1 {
            value.0.retain(|(piece, _)| self.may_hold_here(piece));
            if let [(piece, _)] = &mut value.0[..] {
                piece.clear();
            }
            if value.0.is_empty() || value.0.len() > 1 && self.is_product(&value) {
                return None;
            }
        }
        for parameter in self.parameters_of(&value) {
            // What a condition on values reads is no constant.
            if !self.out.value_reads.iter().any(|(read, _)| *read == parameter) {
                self.out.note_use(parameter, at);
            }
        }
        Some(value)
    }

    /// Whether a conjunction may hold at the current place: some of its negations is not known to be
    /// always true there.
    fn may_hold_here(&self, conjunction: &[Condition]) -> bool {
        !conjunction.iter().any(|condition| {
            let fails = condition.linear.scale(-1).and_then(|l| l.add_constant(-1));
            !condition.is_equality && fails.is_ok_and(|fails| self.is_nonnegative_here(&fails))
        })
    }

    /// The symbolic constants that a value is made of.
    pub(crate) fn parameters_of(&self, value: &Pieces) -> Vec<u32> {
        let mut found = Vec::new();
        let mut waiting: Vec<Linear> = Vec::new();
        for (conjunction, linear) in &value.0 {
            waiting.extend(conjunction.iter().map(|c| c.linear.clone()).chain([linear.clone()]));
        }
        while let Some(linear) = waiting.pop() {
            for (symbol, _) in &linear.terms {
                match symbol {
                    Symbol::Parameter(parameter) => found.push(*parameter),
                    Symbol::Floor(f) => {
                        waiting.push(self.out.symbols.floors[*f as usize].0.clone())
                    }
                    Symbol::Product(p) => {
                        let (factor, stride, _) = &self.out.symbols.products[*p as usize];
                        waiting.extend([factor.clone(), stride.clone()]);
                    }
                    Symbol::Iterator(_) => {}
                }
            }
        }
        found
    }

    /// The assignment to a followed variable that an expression is.
    pub(crate) fn update(&self, node: Node<'t>) -> Option<Update<'t>> {
        let field = |name| node.field(name);
        let operator = node.operator();
        match node.kind() {
            Kind::AssignmentExpression if self.moving_pointer(field(Field::Left)?).is_some() => {
                let (pointer, operand, sign) = moved(self.facts.source, node)?;
                let variable = self.moving_offset(self.moving_pointer(pointer)?)?;
                Some(Update { variable, operand: Some(operand), sign, is_postfix: false })
            }
            Kind::UpdateExpression => {
                let argument = field(Field::Argument)?;
                let of_pointer = self.moving_pointer(argument).map(|p| self.moving_offset(p));
                let variable = match of_pointer {
                    Some(offset) => offset?,
                    None => self.followed_variable(argument)?,
                };
                let sign = if operator == Some(token!("++")) { 1 } else { -1 };
                let is_postfix = argument.start_byte() == node.start_byte();
                Some(Update { variable, operand: None, sign, is_postfix })
            }
            Kind::AssignmentExpression => {
                let variable = self.followed_variable(field(Field::Left)?)?;
                let sign = match operator {
                    Some(token!("=")) => 0,
                    Some(token!("+=")) => 1,
                    Some(token!("-=")) => -1,
                    _ => return None,
                };
                Some(Update { variable, operand: field(Field::Right), sign, is_postfix: false })
            }
            _ => None,
        }
    }

    /// The value that an assignment gives to its variable, if it is known.
    pub(crate) fn updated_value(&mut self, node: Node<'t>, update: &Update<'t>) -> Option<Pieces> {
        if update.operand.is_some_and(|operand| !self.is_split(operand)) {
            return None;
        }
        let mark = self.out.mark();
        let value = self.try_updated_value(node, update);
        if value.is_none() {
            self.out.back_to(mark);
            // A value that moves with a loop has been taken from what its iterations add.
            let known = self.values.known.get(&update.variable).filter(|_| update.sign != 0);
            let is_counted = known.is_some_and(|value| !self.loops_of(value).is_empty());
            let of = IntegerType::of(&self.variable(update.variable).declared.scalar);
            let is_in_loop = !self.at.nest.is_empty() && self.at.n_runs_on_symbols == 0;
            if is_counted && !of.signed && is_in_loop && self.has_known_operand(update) {
                // What an iteration adds has been used already.
                let reason = format!("`{}` does not leave its type", self.quoted(node));
                self.need_never(node, reason);
            }
        }
        value
    }

    /// Whether what an assignment adds is known, so that induction may have used it.
    fn has_known_operand(&mut self, update: &Update<'t>) -> bool {
        let mark = self.out.mark();
        let is_known = update.operand.is_none_or(|operand| self.value(operand).is_ok());
        self.out.back_to(mark);
        is_known
    }

    fn try_updated_value(&mut self, node: Node<'t>, update: &Update<'t>) -> Option<Pieces> {
        self.at.purpose = Purpose::Subscript;
        let integer_type = IntegerType::of(&self.variable(update.variable).declared.scalar);
        let one = Value {
            pieces: Pieces::single(Linear::constant(1)),
            integer_type: IntegerType { bytes: 4, signed: true },
        };
        let operand = update.operand.map_or(Ok(one), |operand| self.value(operand)).ok()?;
        let value = match update.sign {
            0 => operand,
            sign => {
                let old = self.known_value(update.variable, node.start_byte())?;
                if self.falls_to_zero(node) {
                    let next = old.flat_map(|l| Ok(Pieces::single(l.add_constant(-1)?)));
                    return next.ok();
                }
                let sum = old.zip(&operand.pieces, |a, b| a.add_scaled(sign, b)).ok()?;
                let common = integer_type.common(operand.integer_type);
                self.arithmetic(node, sum, common).ok()?
            }
        };
        self.check_products(node, &value.pieces).ok()?;
        self.kept_by_type(node, value, integer_type)
    }

    /// A value as one of an integer type, if the type is known to hold it.
    fn kept_by_type(
        &mut self,
        node: Node<'t>,
        value: Value,
        target: IntegerType,
    ) -> Option<Pieces> {
        if let Some(constant) = value.pieces.as_constant() {
            return target.holds(constant).then_some(value.pieces);
        }
        let source = value.integer_type;
        if target.bytes < 4 {
            return None;
        }
        match (source.signed, target.signed) {
            // What does not fit is undefined (or found to be equal).
            (true, true) => (source.bytes <= target.bytes).then_some(value.pieces),
            (false, true) => (source.bytes < target.bytes).then_some(value.pieces),
            (_, false) if source.bytes <= target.bytes => {
                Some(self.arithmetic(node, value.pieces, target).ok()?.pieces)
            }
            _ => None,
        }
    }

    /// An expression statement with followed variables in it: what it assigns is known after it.
    pub(crate) fn followed_statement(&mut self, node: Node<'t>) -> Result<bool, Refusal> {
        if let Some(update) = self.update(node) {
            self.update_statement(node, &update)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// `k = e`, `k += e`, `k++` as a statement.
    fn update_statement(&mut self, node: Node<'t>, update: &Update<'t>) -> Result<(), Refusal> {
        let split = self.split_operand(node, update);
        let value = self.updated_value(node, update);
        if self.is_offset(update.variable) {
            self.move_pointer(node, update.variable, value)?;
            return self.add_split_changes(split);
        }
        if value.is_none() {
            self.values.known.remove(&update.variable);
        }
        let mut emission = Emission::new(self.at.nest.len());
        self.write_guards(&mut emission)?;
        match &value {
            Some(value) if update.sign != 0 => {
                self.write_update(&mut emission, node, update.variable, value);
            }
            _ => self.expression(&mut emission, node)?,
        }
        self.add_emission(emission, node.start_byte());
        if update.sign != 0 || value.is_some() {
            self.mark_update(node);
        }
        self.set_known(update.variable, value);
        self.add_split_changes(split)
    }

    /// A step of a pointer is no statement.
    fn move_pointer(
        &mut self,
        node: Node<'t>,
        offset: u32,
        value: Option<Pieces>,
    ) -> Result<(), Refusal> {
        let is_known = value.is_some();
        self.set_known(offset, value);
        if is_known {
            return Ok(());
        }
        let message = "it is not known how far this pointer moves";
        Err(self
            .refuse(Code::Pointer, node, message)
            .with_reason("it moves by sums of multiples of iterators and constants only"))
    }

    /// The text of an assignment of a known value.
    pub(crate) fn write_update(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
        value: &Pieces,
    ) {
        let at = node.start_byte();
        out.accesses.push(RawAccess::new(variable, out.write_kind(), Vec::new(), at));
        out.open(TermKind::Assignment(AssignmentOperator::Set));
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        out.text(" = ");
        self.write_value(out, variable, value);
        out.close();
    }

    /// The statement that has just been added may be left out where nobody reads what it assigns.
    pub(crate) fn mark_update(&mut self, node: Node<'t>) {
        let mut changes = written_places(node);
        let has_effects = node.has_kind(&[Kind::CallExpression])
            || changes.any(|place| place.parent().is_some_and(|change| change != node));
        if let Some(statement) = self.out.statements.last_mut().filter(|_| !has_effects) {
            statement.is_update = true;
        }
    }

    /// Notes the value of a variable.
    pub(crate) fn set_known(&mut self, variable: u32, value: Option<Pieces>) {
        match value {
            Some(value) => drop(self.values.known.insert(variable, value)),
            None => drop(self.values.known.remove(&variable)),
        }
    }

    /// Prepares an expression that changes followed variables inside (`A[k++] = x`): where a change
    /// happens for sure and the variable is mentioned nowhere else, the change is a statement of its own
    /// after the expression. The others are not known any more.
    pub(crate) fn split_changes(&mut self, node: Node<'t>) -> Vec<(Node<'t>, u32, Pieces)> {
        self.split_of(node, self.followed_changes(node))
    }

    fn split_of(&mut self, node: Node<'t>, changed: Vec<u32>) -> Vec<(Node<'t>, u32, Pieces)> {
        let mut split = Vec::new();
        for variable in changed {
            match self.split_change(node, variable) {
                Some(change) => split.push(change),
                None if self.is_offset(variable) && !self.is_moving_offset(variable) => {}
                None => drop(self.values.known.remove(&variable)),
            }
        }
        split
    }

    fn split_change(
        &mut self,
        statement: Node<'t>,
        variable: u32,
    ) -> Option<(Node<'t>, u32, Pieces)> {
        let name = &self.variable(variable).name;
        let mentions: Vec<Node<'t>> =
            mentions(self.facts.source, statement, name).take(2).collect();
        let [mention] = mentions[..] else { return None };
        let mut change = mention.parent()?;
        while change.kind() == Kind::ParenthesizedExpression {
            change = change.parent()?;
        }
        let update = self.update(change).filter(|u| u.variable == variable && u.sign != 0)?;
        if change.id() == statement.id() || !always_runs(change, statement) {
            return None;
        }
        let old = self.known_value(variable, mention.start_byte())?;
        let new = self.updated_value(change, &update)?;
        let seen = if update.is_postfix { old } else { new.clone() };
        self.values.side_values.insert(change.id(), (variable, seen));
        Some((change, variable, new))
    }

    /// The same of what an assignment to a followed variable changes besides it: `s += *p++`.
    pub(crate) fn split_operand(
        &mut self,
        node: Node<'t>,
        update: &Update<'t>,
    ) -> Vec<(Node<'t>, u32, Pieces)> {
        let mut others =
            update.operand.map_or(Vec::new(), |operand| self.followed_changes(operand));
        others.retain(|variable| *variable != update.variable);
        self.split_of(node, others)
    }

    /// Whether all changes of followed variables in an expression have been made statements of their own.
    fn is_split(&self, node: Node<'t>) -> bool {
        self.followed_changes(node).into_iter().all(|variable| {
            let is_split = self.values.side_values.values().any(|(split, _)| *split == variable);
            is_split || self.is_offset(variable) && !self.is_moving_offset(variable)
        })
    }

    /// The statements of changes that an expression has had inside.
    pub(crate) fn add_split_changes(
        &mut self,
        split: Vec<(Node<'t>, u32, Pieces)>,
    ) -> Result<(), Refusal> {
        for (change, variable, value) in split {
            self.values.side_values.remove(&change.id());
            if self.is_offset(variable) {
                self.set_known(variable, Some(value));
                continue;
            }
            let mut emission = Emission::new(self.at.nest.len());
            self.write_guards(&mut emission)?;
            self.write_update(&mut emission, change, variable, &value);
            self.add_emission(emission, change.start_byte());
            self.mark_update(change);
            self.set_known(variable, Some(value));
        }
        Ok(())
    }

    /// A followed variable that is read: its value, if that is one for the statement as a whole.
    pub(crate) fn followed_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
    ) -> bool {
        let Some(value) = self.known_value(variable, node.start_byte()) else { return false };
        if self.is_inner(out, &value) {
            return false;
        }
        out.gap(node);
        self.write_value(out, variable, &value);
        true
    }

    /// The value of a variable as text of its type.
    pub(crate) fn write_value(&mut self, out: &mut Emission, variable: u32, value: &Pieces) {
        let scalar = self.variable(variable).declared.scalar.clone();
        match value.as_linear().filter(|_| self.is_product(value)).cloned() {
            Some(linear) => {
                out.open(TermKind::Cast(scalar.of_numbers()));
                out.text(&format!("({})", scalar.spelling));
                out.open(TermKind::Parenthesized);
                out.text("(");
                out.open(TermKind::Opaque);
                self.write_products(out, &linear);
                out.close();
                out.text(")");
                out.close();
                out.close();
            }
            None => out.value_of(&scalar, value.clone()),
        }
    }

    /// A sum with products, computed without overflow.
    pub(crate) fn write_products(&mut self, out: &mut Emission, linear: &Linear) {
        let mut rest = linear.clone();
        rest.terms.retain(|(symbol, _)| !matches!(symbol, Symbol::Product(_)));
        out.pieces.push(RawPiece::Expression(Pieces::single(rest)));
        for &(symbol, coefficient) in &linear.terms {
            let Symbol::Product(product) = symbol else { continue };
            let (factor, stride, _) = self.out.symbols.products[product as usize].clone();
            let times = if coefficient == 1 { String::new() } else { format!("{coefficient} * ") };
            out.text(&format!(" + {times}(long long)("));
            self.write_products(out, &factor);
            out.text(") * (");
            self.write_products(out, &stride);
            out.text(")");
        }
    }

    /// What a statement of a declaration says about its variable.
    pub(crate) fn followed_initializer(
        &mut self,
        variable: u32,
        value: Node<'t>,
    ) -> Option<Pieces> {
        if !self.is_followed(variable) {
            return None;
        }
        let update = Update { variable, operand: Some(value), sign: 0, is_postfix: false };
        self.updated_value(value, &update)
    }

    /// The value of a change inside of an expression.
    pub(crate) fn side_value(&mut self, node: Node<'t>) -> Option<Value> {
        let (variable, pieces) = self.values.side_values.get(&node.id())?.clone();
        for parameter in self.parameters_of(&pieces) {
            self.out.note_use(parameter, node.start_byte());
        }
        let integer_type = IntegerType::of(&self.variable(variable).declared.scalar);
        Some(Value { pieces, integer_type })
    }

    /// A refusal of a product outside of a subscript.
    pub(crate) fn without_products(
        &self,
        node: Node<'t>,
        pieces: Pieces,
    ) -> Result<Pieces, Refusal> {
        if self.at.purpose != Purpose::Subscript && self.is_product(&pieces) {
            return Err(self.not_affine(node, "its value is a product of two variables"));
        }
        Ok(pieces)
    }
}

/// Whether an expression is evaluated exactly once whenever another one around it is.
fn always_runs(inner: Node<'_>, outer: Node<'_>) -> bool {
    let mut node = inner;
    while node.id() != outer.id() {
        let Some(parent) = node.parent() else { return false };
        let operator = parent.operator();
        let may_skip = matches!(operator, Some(token!("&&") | token!("||")))
            || matches!(
                parent.kind(),
                Kind::ConditionalExpression | Kind::CommaExpression | Kind::SizeofExpression
            )
            || is_loop(parent.kind());
        if may_skip {
            return false;
        }
        node = parent;
    }
    true
}
