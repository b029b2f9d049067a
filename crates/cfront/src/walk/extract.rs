//! MovingPointers over the statements of a region and collects what becomes a scop.
//!
//! The walk keeps the loops around the current place, the condition under which it is reached (a
//! disjunction over parameters and iterators) and the scopes of names. Every expression statement
//! becomes a [`RawStatement`]; the order of statements and loops is kept as a tree of [`Order`].
//! A statement that is refused is reported, and the walk goes on, so that one run shows all
//! refusals of a region.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{is_jumped_to, loop_names, written_names};
use crate::facts::for_header::names_of_both_kinds;
use crate::facts::scope::{Entity, Scopes, Variable};
use crate::facts::side_effects::ModRef;
use crate::model::conditions::Disjunction;
use crate::model::delinearized_shape::DelinearizedShape;
use crate::model::linear::{Linear, Pieces};
use crate::model::raw_model::{Loop, Order, RawAccess, RawPiece, RawStatement};
use crate::model::run_time::Needed;
use crate::model::symbols::Symbols;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{NameSet, changed_names, named_children, text};
use crate::syntax::tree::Node;
use crate::text::preprocess::CleanText;
use crate::walk::affine::Purpose;
use crate::walk::affine_uses::AffineUses;
use crate::walk::calls::call_effects::CallChanges;
use crate::walk::control::forward_jumps::{JUMPS, structured, structured_run};
use crate::walk::control::overwritten::Overwritten;
use crate::walk::control::sure_writes::only_in_branch;
use crate::walk::finish::apart::Apart;
use crate::walk::loops::loop_pragmas::LoopPragma;
use crate::walk::memory_parameters::{LoadedConstant, ReadObject};
use crate::walk::pointers::data_dependent_pointers::DataDependentPointers;
use crate::walk::pointers::moving_pointers::MovingPointers;
use crate::walk::pointers::null_tests::NullTest;
use crate::walk::pointers::pointer_targets::Target;
use crate::walk::statement_body::Emission;
use crate::walk::symbolic_values::followed_names;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Messages quote so many characters of an expression.
const QUOTED: usize = 100;

/// The state of the walk.
pub(crate) struct Extractor<'s, 't> {
    pub(crate) source: &'s str,
    pub(crate) clean: &'s CleanText,
    pub(crate) scopes: Scopes<'t>,
    pub(crate) symbols: Symbols,
    pub(crate) purpose: Purpose,
    pub(crate) loops: Vec<Loop>,
    /// The loops around the current place.
    pub(crate) nest: Vec<u32>,
    pub(crate) domain: Disjunction,
    pub(crate) statements: Vec<RawStatement>,
    pub(crate) order: Vec<Order>,
    /// Variables used in affine expressions, and where first.
    pub(crate) affine_uses: AffineUses,
    /// Variables that are iterators of loops.
    pub(crate) iterator_variables: BTreeSet<u32>,
    pub(crate) assumptions: Vec<String>,
    /// What the model needs and only the run of the program knows.
    pub(crate) needed: Vec<Needed>,
    /// The name that the loop runs up to whose condition is being read.
    pub(crate) plain_bound: Option<usize>,
    /// The runs on symbols that are under way, which decide what each iteration adds to variables; that values stay
    /// below the ends of their types is found out where they are computed.
    pub(crate) n_runs_on_symbols: usize,
    /// The loops whose heads are being read.
    pub(crate) open_heads: Vec<u32>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Pointers of which it is refused where they lead.
    pub(crate) refused_pointers: BTreeSet<u32>,
    /// Conditions on symbolic constants that the program promises.
    pub(crate) promises: Vec<Disjunction>,
    /// What could not be used, one sentence each.
    pub(crate) remarks: Vec<String>,
    /// The constants of enumerations that the region declares, with the bytes where it does so outside of all
    /// blocks.
    pub(crate) own_constants: BTreeMap<&'s str, Option<usize>>,
    /// The names that the region assigns.
    pub(crate) changed_names: NameSet<'s>,
    /// The names that the region's calls assign.
    pub(crate) changed_by_calls: CallChanges,
    /// The names in what the region's own statements assign, also as arrays, if they call functions.
    pub(crate) written_names: NameSet<'s>,
    /// Variables whose elements are whole structures (or unions) in this region.
    pub(crate) whole_structures: BTreeSet<u32>,
    /// Arrays with more dimensions in the model than in C.
    pub(crate) views: BTreeMap<u32, DelinearizedShape>,
    /// Elements with products in their subscripts, and the text of these.
    pub(crate) product_texts: Vec<(u32, Vec<Pieces>, Vec<RawPiece>)>,
    /// Variables that are checked to be apart in front of the region.
    pub(crate) apart: Vec<Apart>,
    /// Where the pointers lead that the region sets.
    pub(crate) pointers: BTreeMap<u32, Vec<Target>>,
    /// The pragmas about loops that have not been met yet.
    pub(crate) loop_pragmas: Vec<LoopPragma>,
    /// The loops whose iterations are declared to be independent.
    pub(crate) independent_loops: BTreeSet<u32>,
    /// The variables that are declared in the region's own block.
    pub(crate) declared_at_top: Vec<u32>,
    /// The extents, by their starts, of the region's variables that are made of variables which the region changes:
    /// their values, and their texts in front of the region.
    pub(crate) own_extents: BTreeMap<usize, (Linear, String)>,
    /// Data variables declared in each open block of the region.
    pub(crate) blocks: Vec<Vec<u32>>,
    /// The variables of opaque statements themselves, and their names there.
    pub(crate) own_names: BTreeMap<u32, String>,
    /// A statement of the region.
    pub(crate) root: Node<'t>,
    /// The values of variables at the current place that stand for affine expressions.
    pub(crate) known: BTreeMap<u32, Pieces>,
    /// The names of variables whose values may be followed.
    pub(crate) followed_names: NameSet<'s>,
    /// The values of changes inside of the expression that is being read, by their nodes.
    pub(crate) side_values: BTreeMap<usize, (u32, Pieces)>,
    /// The number of calls whose values are being computed.
    pub(crate) inlined: usize,
    /// The functions whose bodies are being walked, by where they start.
    pub(crate) active_calls: Vec<usize>,
    /// The number of bodies of called functions that have been walked.
    pub(crate) walked_calls: usize,
    /// The variable that stands for the order of calls.
    pub(crate) order_of_calls: Option<u32>,
    /// Whether the region was found, not asked for.
    pub(crate) is_detected: bool,
    /// The opaque statement that is being read.
    pub(crate) opaque_root: Option<Node<'t>>,
    /// The labels behind the part of it that is being read.
    pub(crate) jump_ends: Vec<&'s str>,
    /// The names whose values never leave the loops that set them.
    pub(crate) loop_names: NameSet<'s>,
    /// The pointers that the region moves.
    pub(crate) moving: MovingPointers<'s>,
    /// The names of pointers that data moves.
    pub(crate) data_dependent: DataDependentPointers,
    /// The scalars that are the values of these pointers.
    pub(crate) addresses: BTreeMap<u32, u32>,
    /// Whether there are jumps in the region.
    pub(crate) has_jumps: bool,
    /// The names of iterators that may be used after the region.
    pub(crate) used_after: NameSet<'s>,
    /// The names of iterators whose last values are kept.
    pub(crate) kept_iterators: NameSet<'s>,
    /// Conditions on data, and whether they must fail, under which the current place is reached.
    pub(crate) guards: Vec<(Node<'t>, bool)>,
    /// What the branches under such conditions write first.
    pub(crate) overwritten: Vec<Overwritten>,
    /// All names of the program.
    pub(crate) used_names: &'s BTreeSet<String>,
    /// The integers in memory that stand for symbolic constants.
    pub(crate) loaded: Vec<LoadedConstant>,
    /// What stands for whether pointers are null.
    pub(crate) null_tests: Vec<NullTest>,
    /// The objects behind pointers that the region reads whenever it runs.
    pub(crate) read_objects: Vec<ReadObject>,
    /// The variables that an earlier walk has found to be written, with the lines.
    pub(crate) written_in_line: BTreeMap<String, u32>,
    /// Statements from here on may not be reached.
    pub(crate) first_obstacle: usize,
}

impl<'s, 't> Extractor<'s, 't> {
    /// A walk that starts with the names of the region's surroundings.
    ///
    /// `source` is the text of `clean` with some bytes blanked, as it was parsed.
    pub(crate) fn new(
        source: &'s str,
        clean: &'s CleanText,
        scopes: Scopes<'t>,
        root: Node<'t>,
        used_names: &'s BTreeSet<String>,
    ) -> Self {
        Extractor {
            source,
            clean,
            scopes,
            symbols: Symbols::default(),
            purpose: Purpose::Condition,
            loops: Vec::new(),
            nest: Vec::new(),
            domain: Disjunction::always(),
            statements: Vec::new(),
            order: Vec::new(),
            affine_uses: AffineUses::default(),
            iterator_variables: BTreeSet::new(),
            assumptions: Vec::new(),
            needed: Vec::new(),
            plain_bound: None,
            n_runs_on_symbols: 0,
            open_heads: Vec::new(),
            diagnostics: Vec::new(),
            promises: Vec::new(),
            remarks: Vec::new(),
            changed_names: NameSet::default(),
            own_constants: BTreeMap::new(),
            changed_by_calls: CallChanges::default(),
            written_names: NameSet::default(),
            whole_structures: BTreeSet::new(),
            views: BTreeMap::new(),
            product_texts: Vec::new(),
            apart: Vec::new(),
            pointers: BTreeMap::new(),
            refused_pointers: BTreeSet::new(),
            loop_pragmas: Vec::new(),
            independent_loops: BTreeSet::new(),
            declared_at_top: Vec::new(),
            own_extents: BTreeMap::new(),
            blocks: Vec::new(),
            own_names: BTreeMap::new(),
            root,
            known: BTreeMap::new(),
            followed_names: NameSet::default(),
            side_values: BTreeMap::new(),
            inlined: 0,
            active_calls: Vec::new(),
            walked_calls: 0,
            order_of_calls: None,
            is_detected: false,
            opaque_root: None,
            jump_ends: Vec::new(),
            loop_names: NameSet::default(),
            moving: MovingPointers::default(),
            data_dependent: DataDependentPointers::new(),
            addresses: BTreeMap::new(),
            has_jumps: false,
            used_after: NameSet::default(),
            kept_iterators: NameSet::default(),
            guards: Vec::new(),
            overwritten: Vec::new(),
            used_names,
            loaded: Vec::new(),
            null_tests: Vec::new(),
            read_objects: Vec::new(),
            written_in_line: BTreeMap::new(),
            first_obstacle: 0,
        }
    }

    /// Whether a statement of the region is being read.
    pub(crate) fn is_in_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// MovingPointers the statements of the region; refusals end up in `diagnostics`.
    pub(crate) fn region(&mut self, nodes: &[Node<'t>]) {
        for &node in nodes {
            if let Err(refusal) = self.check_shape(node) {
                self.diagnostics.push(*refusal.0);
            }
        }
        if !self.diagnostics.is_empty() {
            return;
        }
        for &node in nodes {
            self.changed_names.extend(changed_names(self.source, node));
        }
        if nodes.iter().any(|node| node.has_kind(&[Kind::CallExpression])) {
            let written = nodes.iter().map(|node| written_names(self.source, *node));
            self.written_names = written.flatten().collect();
        }
        self.loop_names = loop_names(self.source, nodes);
        let both = names_of_both_kinds(self.source, nodes);
        self.loop_names.retain(|name| !self.used_after.contains(name) && !both.contains(name));
        self.kept_iterators = self.names_to_keep(nodes);
        self.has_jumps = nodes.iter().any(|node| node.has_kind(&JUMPS));
        self.changed_by_calls = self.changes_by_calls(nodes);
        self.first_obstacle = self.find_obstacle(nodes);
        self.followed_names = followed_names(self.source, nodes);
        self.followed_names.extend(&self.kept_iterators);
        if let Some(&first) = nodes.first() {
            self.values_before(first);
        }
        self.start_moving_pointers();
        self.start_counts(nodes);
        self.scopes.push();
        self.blocks.push(Vec::new());
        match self.has_jumps.then(|| structured_run(self.source, nodes)).flatten() {
            Some(parts) => self.parts(&parts),
            None => nodes.iter().for_each(|node| self.recover(|this| this.statement(*node))),
        }
        self.blocks.pop();
        self.scopes.pop();
        if let Some(&last) = nodes.last() {
            self.finish_moving_pointers(last);
        }
        self.known.clear();
        self.check_loop_pragmas();
    }

    /// Runs a step and keeps its refusal.
    pub(crate) fn recover(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Refusal>) {
        if let Err(refusal) = step(self) {
            self.diagnostics.push(*refusal.0);
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
            Kind::WhileStatement | Kind::DoStatement | Kind::SwitchStatement
                if self.may_be_opaque() =>
            {
                self.opaque_statement(node)
            }
            Kind::LabeledStatement if !is_jumped_to(self.source, node) => {
                named_children(node).last().map_or(Ok(()), |inner| self.statement(inner))
            }
            Kind::AttributedStatement => {
                named_children(node).last().map_or(Ok(()), |inner| self.statement(inner))
            }
            token!(";") => Ok(()),
            kind => Err(self.refuse_statement(node, kind)),
        }
    }

    fn block(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let parts = self.has_jumps.then(|| structured(self.source, node)).flatten();
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
        self.blocks.push(Vec::new());
        walk(self);
        let declared = self.blocks.pop().unwrap_or_default();
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
            Err(refusal) => return self.guarded(node, refusal),
        };
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
        self.purpose = Purpose::Condition;
        let mark = self.mark();
        let holds = self.condition(condition, negate);
        if holds.is_err() {
            self.back_to(mark);
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

    /// MovingPointers over what only runs where a condition holds.
    pub(crate) fn where_holds(
        &mut self,
        node: Node<'t>,
        condition: &Disjunction,
        walk: impl FnOnce(&mut Self),
    ) -> Result<(), Refusal> {
        let domain = self.check(node, self.domain.and(condition))?;
        let outer = std::mem::replace(&mut self.domain, domain);
        walk(self);
        self.domain = outer;
        Ok(())
    }

    /// A statement that is not always reached.
    pub(crate) fn branch(&mut self, body: Node<'t>) {
        let before = self.known.clone();
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
        self.order.push(Order::Statement(self.statements.len()));
        self.statements.push(RawStatement {
            domain: self.domain.clone(),
            loops: self.nest.clone(),
            accesses,
            pieces,
            is_kill,
            at,
            reaches: ModRef::default(),
            is_update: false,
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
        if let Some(statement) = self.statements.last_mut() {
            statement.reaches = emission.reaches;
        }
    }

    /// The variable with an index.
    pub(crate) fn variable(&self, index: u32) -> &Variable<'t> {
        &self.scopes.variables[index as usize]
    }

    /// The loop around the current place whose iterator is a variable.
    pub(crate) fn active_loop(&self, variable: u32) -> Option<u32> {
        let is_iterator = |index: &&u32| self.loops[**index as usize].variable == variable;
        self.nest.iter().rev().find(is_iterator).copied()
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

    /// Whether the region may assign what a name stands for.
    pub(crate) fn is_changed_name(&self, name: &str) -> bool {
        self.changed_names.contains(name) || self.is_changed_by_calls(name)
    }

    /// Records something taken for granted, once.
    pub(crate) fn assume(&mut self, assumption: String) {
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    /// The source text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        text(self.source, node)
    }

    /// The source text of a node on one line.
    pub(crate) fn flat_text(&self, node: Node<'_>) -> Cow<'s, str> {
        let text = self.text(node);
        let is_flat =
            !text.contains("  ") && !text.contains(|c: char| c.is_whitespace() && c != ' ');
        match is_flat && text.trim() == text {
            true => Cow::Borrowed(text),
            false => Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// The source text of a node for a message: on one line, and not longer than people read.
    pub(crate) fn quoted(&self, node: Node<'_>) -> Cow<'s, str> {
        let text = self.flat_text(node);
        match text.char_indices().nth(QUOTED) {
            Some((end, _)) => Cow::Owned(format!("{}..", &text[..end])),
            None => text,
        }
    }

    /// The line in the user's file of a byte of the text.
    pub(crate) fn line_of(&self, byte: usize) -> u32 {
        self.clean.origins.get(self.clean.line_of(byte)).map_or(0, |origin| origin.line)
    }
}
