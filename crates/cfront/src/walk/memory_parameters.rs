//! Integers in memory as symbolic constants: `g->n`, `img.width`, `*n`, `dims[0]`.
//!
//! An integer that is loaded from memory is a symbolic constant of the region, read once in front of it, if
//!
//! * nothing in the region changes the names in its expression;
//! * it may be read there: it is (part of) a declared variable, or the region reads it, or another member
//!   of the same structure, whenever it runs; or it is known under which condition the region reads it, which
//!   then guards the read in front (`read_guards.rs`): what is never read might be behind a null pointer;
//! * no statement of the region may write it. The walk takes that for granted; where it then finds a
//!   statement that writes the variable, the region is walked again without it
//!   ([`Extractor::written_constants`]). Writes through other pointers are ruled out, or refused, with those
//!   of all memory (`overlap.rs`).
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::integer_type::IntegerType;
use crate::facts::variables::Origin;
use crate::model::linear::{Linear, Symbol};
use crate::model::memory_parameter::{LoadedConstant, ReadObject};
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::Kind;
use crate::syntax::queries::mentioned_names;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::references::Reference;
use crate::walk::walk_context::Purpose;
use loopwright_scop::AccessKind;
use std::collections::BTreeMap;

/// Characters of an expression that go into the name of its value.
const MAX_NAME: usize = 40;

/// The reason for what cannot be a symbolic constant for more than one reason.
const LOADED: &str = "its value is loaded from memory";

impl<'t> Extractor<'_, 't> {
    /// The value of an integer in memory that stays the same.
    pub(crate) fn loaded_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let purpose = self.at.purpose;
        let found = self.loaded_constant(node, purpose);
        self.at.purpose = purpose;
        let parameter = found.map_err(|reason| {
            let refusal = self.not_affine(node, reason);
            refusal.with_hint("copy it to a variable in front of the region, if it stays the same")
        })?;
        self.out.note_use(parameter, node.start_byte());
        let integer_type = IntegerType::of(&self.variable(parameter).declared.scalar);
        if !integer_type.signed && !self.out.symbols.nonnegative_parameters.contains(&parameter) {
            self.out.symbols.nonnegative_parameters.push(parameter);
        }
        let text = self.flat_text(node);
        let linear = match self.known_number(&text, None, parameter) {
            Some(value) => Linear::constant(value),
            None => Linear::symbol(Symbol::Parameter(parameter)),
        };
        Ok(Value { pieces: Pieces::single(linear), integer_type })
    }

    /// The variable of the model for an integer in memory, or why there is none.
    fn loaded_constant(&mut self, node: Node<'t>, purpose: Purpose) -> Result<u32, String> {
        let is_elsewhere =
            !self.is_in_blocks() || !self.at.active_calls.is_empty() || self.at.inlined > 0;
        if purpose == Purpose::Extent || is_elsewhere {
            return Err(LOADED.to_string());
        }
        self.check_names(node)?;
        let (variable, subscripts) = self.place(node)?;
        let name = &self.variable(variable).name;
        if let Some(&line) = self.facts.lessons.written_in_line.get(name) {
            return Err(format!("{LOADED}, which line {line} may change"));
        }
        let guard = self.readable_where(node, variable, &subscripts)?;
        let is_same = |l: &LoadedConstant| l.variable == variable && l.subscripts == subscripts;
        if let Some(known) = self.out.loaded.iter_mut().find(|l| is_same(l)) {
            if guard.is_empty() {
                known.guards.clear();
            } else if !known.guards.is_empty() && !known.guards.contains(&guard) {
                known.guards.push(guard);
            }
            return Ok(known.parameter);
        }
        let parameter = self.new_parameter(node, variable);
        let text = self.flat_text(node).into_owned();
        let guards = Some(guard).filter(|guard| !guard.is_empty()).into_iter().collect();
        self.out.loaded.push(LoadedConstant { parameter, variable, subscripts, text, guards });
        Ok(parameter)
    }

    /// The value of a variable in front of the region, which may change it: a symbolic constant of its own.
    pub(crate) fn value_in_front(&mut self, mention: Node<'t>, variable: u32) -> Pieces {
        let parameter = self.new_parameter(mention, variable);
        let text = self.text(mention).to_string();
        let variable = parameter;
        let (subscripts, guards) = (Vec::new(), Vec::new());
        self.out.loaded.push(LoadedConstant { parameter, variable, subscripts, text, guards });
        Pieces::single(Linear::symbol(Symbol::Parameter(parameter)))
    }

    /// The symbolic constant that an element of a variable is.
    pub(crate) fn constant_at(&self, variable: u32, subscripts: &[Pieces]) -> Option<u32> {
        let is_same = |l: &&LoadedConstant| l.variable == variable && l.subscripts == subscripts;
        self.out.loaded.iter().find(is_same).map(|constant| constant.parameter)
    }

    /// All names in the expression have the meaning and the value that they have in front of the region.
    fn check_names(&self, node: Node<'t>) -> Result<(), String> {
        let stays = node.of_kind(Kind::Identifier).all(|name| self.is_kept_name(self.text(name)));
        if stays { Ok(()) } else { Err(LOADED.to_string()) }
    }

    /// The variable and the subscripts of an integer in memory, or why they are not known: where subscripts
    /// depend on loops, and of members of structures that the file does not define.
    fn place(&mut self, node: Node<'t>) -> Result<(u32, Vec<Pieces>), String> {
        let reason = |refusal: Refusal| match refusal.0.code {
            Code::Type => format!("{} in this file", refusal.0.message),
            _ => LOADED.to_string(),
        };
        let (base, steps) = self.steps(node).map_err(reason)?;
        let root = self.resolve(base).map_err(reason)?;
        let was_whole = self.out.whole_structures.contains(&root);
        let reference = self.walk_steps(node, root, &steps);
        if !was_whole {
            self.out.whole_structures.remove(&root);
        }
        let reference = reference.map_err(reason)?;
        self.integer_at(root, reference).ok_or_else(|| LOADED.to_string())
    }

    /// The variable and the subscripts of a reference to an integer whose place does not depend on loops.
    fn integer_at(&mut self, root: u32, reference: Reference<'t>) -> Option<(u32, Vec<Pieces>)> {
        let declared = &self.variable(reference.variable).declared;
        let is_plain = declared.scalar.is_integer()
            && declared.scalar.bytes.is_some()
            && declared.oddity.is_none()
            && self.variable(root).declared.oddity.is_none()
            && declared.dimensions.len() == reference.subscripts.len();
        if !is_plain {
            return None;
        }
        let mut subscripts = Vec::with_capacity(reference.subscripts.len());
        for index in reference.subscripts {
            let subscript = self.subscript(index).ok()?;
            let is_constant = subscript.as_linear().is_some_and(|linear| !self.is_of_loops(linear));
            subscripts.push(Some(subscript).filter(|s| is_constant && !self.is_product(s))?);
        }
        Some((reference.variable, subscripts))
    }

    /// The condition under which it may be read in front of the region; empty if it always may.
    fn readable_where(
        &mut self,
        node: Node<'t>,
        variable: u32,
        subscripts: &[Pieces],
    ) -> Result<String, String> {
        if self.is_declared_element(variable, subscripts) {
            return Ok(String::new());
        }
        let members = self.variable(variable).member.iter().flat_map(|member| &member.names);
        let members = members.filter(|(position, _)| *position < subscripts.len());
        let object = ReadObject {
            root: self.root(variable),
            members: members.cloned().collect(),
            subscripts: subscripts.to_vec(),
        };
        if self.out.read_objects().contains(&object) {
            return Ok(String::new());
        }
        let unknown = || format!("{LOADED}, and it is not known when the region reads it");
        let guard = self.evaluated_where(node).ok_or_else(unknown)?;
        if guard.is_empty() {
            self.out.add_read_object(object);
        }
        // What the guard reads must not be written either.
        let is_read = |constant: &&LoadedConstant| guard.contains(&constant.text);
        let read: Vec<u32> = self.used_constants().filter(is_read).map(|c| c.parameter).collect();
        read.into_iter().for_each(|parameter| self.out.note_use(parameter, node.start_byte()));
        Ok(guard)
    }

    /// Whether subscripts lead to an element of a declared variable for sure.
    fn is_declared_element(&self, variable: u32, subscripts: &[Pieces]) -> bool {
        let root = self.variable(self.root(variable));
        let is_pointer_parameter =
            root.origin == Origin::Argument && !root.declared.dimensions.is_empty();
        let dimensions = &self.variable(variable).declared.dimensions;
        let is_within = |(dimension, subscript): (&Dimension<'t>, &Pieces)| {
            let Dimension::Extent(extent) = dimension else { return false };
            let extent = self.scopes.constant(self.facts.source, *extent, 0);
            let value = subscript.as_constant();
            value.zip(extent).is_some_and(|(value, extent)| (0..extent).contains(&value))
        };
        !is_pointer_parameter && dimensions.iter().zip(subscripts).all(is_within)
    }

    /// A variable for a symbolic constant with a name that the program does not have.
    fn new_parameter(&mut self, node: Node<'t>, variable: u32) -> u32 {
        let name = self.new_parameter_name(node);
        let mut declared = self.variable(variable).declared.clone();
        declared.dimensions = Vec::new();
        self.scopes.add_unnamed(name, declared, Origin::Local { is_static: false }, None)
    }

    /// A name that the program does not have, made from an expression.
    pub(crate) fn new_parameter_name(&self, node: Node<'t>) -> String {
        let text = self.text(node);
        let words =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        let mut plain = words.collect::<Vec<_>>().join("_");
        if let Some((end, _)) = plain.char_indices().nth(MAX_NAME) {
            plain.truncate(end);
        }
        if plain.starts_with(|c: char| c.is_ascii_digit()) {
            plain.insert_str(0, "value_");
        }
        if mentioned_names(self.facts.source, node).contains(&*plain) {
            plain.push_str("_value");
        }
        self.unused_parameter_name(plain)
    }

    /// A name that the program and the other symbolic constants do not have, made from another one.
    pub(crate) fn unused_parameter_name(&self, plain: String) -> String {
        let parameters = || {
            let loaded = self.out.loaded.iter().map(|l| l.parameter);
            loaded.chain(self.out.null_tests().iter().map(|test| test.parameter))
        };
        let is_taken = |name: &str| {
            self.facts.used_names.contains(name)
                || parameters().any(|p| self.variable(p).name == name)
        };
        let mut name = plain.clone();
        let mut suffix = 0;
        while is_taken(&name) {
            suffix += 1;
            name = format!("{plain}_{suffix}");
        }
        name
    }

    /// The expression that has the value of a symbolic constant in front of the region; none of variables of
    /// the program.
    pub(crate) fn value_in_memory(&self, parameter: u32) -> Option<String> {
        let loaded = self.out.loaded.iter().find(|l| l.parameter == parameter);
        let test = || self.out.null_tests().iter().find(|test| test.parameter == parameter);
        loaded.map(LoadedConstant::value).or_else(|| Some(test()?.value()))
    }

    /// The constants in memory that the region uses.
    pub(crate) fn used_constants(&self) -> impl Iterator<Item = &LoadedConstant> {
        self.out.loaded.iter().filter(|l| self.out.affine_uses().contains(l.parameter))
    }

    /// The names of the variables that were taken to be constant and may be written, with the lines of the
    /// statements.
    pub(crate) fn written_constants(&self) -> BTreeMap<String, u32> {
        let mut found = BTreeMap::new();
        for constant in self.used_constants() {
            let variable = self.accessed(constant.variable);
            let root = self.root(variable);
            let is_behind_member = self.variable(constant.variable).member.as_ref();
            let is_behind_member = is_behind_member.is_some_and(|m| m.crosses_pointer);
            let is_lost = is_behind_member && self.out.whole_structures.contains(&root);
            let writes = |s: &&crate::model::raw_model::RawStatement| {
                let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
                is_lost
                    || s.reaches.writes && self.is_reachable_by_calls(constant.variable)
                    || s.accesses
                        .iter()
                        .any(|a| is_write(a.kind) && self.accessed(a.variable) == variable)
            };
            if let Some(statement) = self.out.statements.iter().find(writes) {
                let name = self.variable(constant.variable).name.clone();
                found.insert(name, self.line_of(statement.at));
            }
        }
        found
    }
}
