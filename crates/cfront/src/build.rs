//! From the collected statements to a [`Scop`]: parameters, arrays, sets, relations and the
//! schedule tree.
use crate::affine::Purpose;
use crate::ctypes::Dimension;
use crate::diagnostic::{Code, Diagnostic};
use crate::extract::Extractor;
use crate::linear::{Conjunction, Linear, Pieces};
use crate::liveness::Surroundings;
use crate::loop_pragmas::IndependentLoop;
use crate::raw_model::{Order, RawAccess, RawPiece, RawStatement};
use crate::refusal::diagnostic_at;
use crate::scope::Origin;
use crate::spaces::Columns;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiUnionPwAff, Name, PwAff, Result as SetResult, Set, Space,
    Tuple, UnionPwAff, UnionSet, is_keyword,
};
use loopwright_schedule::{Band, Member, Node as ScheduleNode, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, BodyPiece, ElementText, Location, Parameter, ReferenceId,
    Scop, Statement, StatementId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Why the value of an iterator outside of its loop is refused.
const USED_OUTSIDE: &str = "its value there depends on the loops run";

/// What can be done about it.
const ASSIGN_AGAIN: &str = "assign it again before it is used";

/// Work limit for dropping pieces that are never reached.
const STEPS: u64 = 1_000_000;

/// What [`Extractor::finish`] knows about the region's surroundings.
pub(crate) struct Context<'a, 't> {
    pub(crate) surroundings: &'a Surroundings<'a, 't>,
    /// Names of the function's variables that are assigned somewhere.
    pub(crate) changed_names: &'a HashSet<String>,
    /// All names of the program.
    pub(crate) used_names: &'a BTreeSet<String>,
    /// The function around the region.
    pub(crate) function: crate::tree::Node<'t>,
    /// Whether variables that may be the same memory are taken to be different.
    pub(crate) assume_no_alias: bool,
}

/// A scop, and what is known about its statements.
pub(crate) struct Finished {
    pub(crate) scop: Scop,
    /// The statements that are only there for the value that a variable has later.
    pub(crate) updates: Vec<StatementId>,
    pub(crate) independent: Vec<IndependentLoop>,
}

/// The parts of a scop while it is put together.
struct Builder<'e, 's, 't> {
    walk: &'e Extractor<'s, 't>,
    parameters: Vec<u32>,
    parameter_names: Vec<Name>,
    arrays: Vec<u32>,
    array_ids: FxHashMap<u32, ArrayId>,
    tuple_names: Vec<Name>,
    /// The elements of each array, once the extents are known.
    ranges: Vec<Space>,
    budget: Budget,
}

impl<'s, 't> Extractor<'s, 't> {
    /// The scop of the region, with what else is known about its statements, or why there is none.
    pub(crate) fn finish(mut self, context: &Context<'_, 't>) -> Result<Finished, Vec<Diagnostic>> {
        self.check_uses(context);
        self.check_structures();
        self.check_overlap(context.function, context.assume_no_alias);
        if self.diagnostics.iter().any(|refusal| !refusal.is_consequence) {
            self.diagnostics.retain(|refusal| !refusal.is_consequence);
        }
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        self.resolve_members();
        self.drop_parameter_accesses();
        let arrays = self.used_variables();
        self.finish_barriers(&arrays);
        let mut extents = self.extents(&arrays, context);
        self.check_claims(&arrays, &extents);
        let byte = self.statements.first().map_or(0, |s| s.at);
        let clean = self.clean;
        let failed = |error: loopwright_presburger::Error| {
            let message = "the sets of this region cannot be built";
            vec![diagnostic_at(clean, Code::TooComplex, byte, message).because(error.to_string())]
        };
        if !self.symbols.products.is_empty() {
            let builder = Builder::new(&self, arrays.clone(), context.used_names);
            let (known, parameters) = (builder.context(&extents), builder.parameters);
            self.split_subscripts(&known.map_err(failed)?, &parameters);
            if !self.diagnostics.is_empty() {
                return Err(self.diagnostics);
            }
            for (array, extents) in arrays.iter().zip(&mut extents) {
                if let Some(view) = self.views.get(array) {
                    *extents = view.extents(std::mem::take(extents));
                }
            }
        }
        self.refuse_remaining_products();
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        let updates = self.statements.iter().enumerate().filter(|(_, s)| s.is_update);
        let updates = updates.map(|(index, _)| StatementId(index as u32)).collect();
        let independent = self.independent_statements();
        let scop = build(&self, arrays, &extents, context).map_err(failed)?;
        Ok(Finished { scop, updates, independent })
    }

    /// Refuses parameters that change, and iterators that are used as data.
    fn check_uses(&mut self, context: &Context<'_, 't>) {
        let mut found = Vec::new();
        let mut report = |code, at, message: String, reason: &str, hint: &str| {
            let diagnostic = diagnostic_at(self.clean, code, at, message);
            found.push(diagnostic.because(reason).hint(hint));
        };
        let written: BTreeMap<u32, usize> = self
            .statements
            .iter()
            .flat_map(|s| &s.accesses)
            .filter(|a| matches!(a.kind, AccessKind::MustWrite | AccessKind::MayWrite))
            .map(|a| (a.variable, a.at))
            .collect();
        for (variable, at) in self.affine_uses.sorted() {
            let name = &self.variable(variable).name;
            if self.iterator_variables.contains(&variable) {
                let message = format!("the iterator `{name}` is used outside its loop");
                report(Code::Iterator, at, message, USED_OUTSIDE, ASSIGN_AGAIN);
            } else if let Some(&write) = written.get(&variable) {
                let line = self.line_of(write);
                let message = format!("`{name}` is not constant: it is changed in line {line}");
                let reason = "bounds, conditions and subscripts need iterators and constants";
                let hint = "copy it to another variable before the region, if that value is meant";
                report(Code::NonAffineCondition, at, message, reason, hint);
            }
        }
        for access in self.statements.iter().flat_map(|s| &s.accesses) {
            if access.kind != AccessKind::Kill && self.iterator_variables.contains(&access.variable)
            {
                let name = &self.variable(access.variable).name;
                let message = format!("the iterator `{name}` is used outside its loop");
                report(Code::Iterator, access.at, message, USED_OUTSIDE, ASSIGN_AGAIN);
            }
        }
        self.check_final_values(context, &mut found);
        found.dedup();
        self.diagnostics.extend(found);
    }

    /// Where the region declares a variable.
    fn declaration_of(&self, variable: u32) -> usize {
        let mut accesses = self.statements.iter().flat_map(|s| &s.accesses);
        let is_kill = |a: &&RawAccess| a.kind == AccessKind::Kill && a.variable == variable;
        accesses.find(is_kill).map_or(0, |access| access.at)
    }

    /// Refuses iterators whose final value is used, and locals that outlive the region.
    fn check_final_values(&self, context: &Context<'_, 't>, found: &mut Vec<Diagnostic>) {
        for &variable in &self.iterator_variables {
            let declared = self.variable(variable);
            if declared.in_region() {
                continue;
            }
            if let Some(node) = context.surroundings.use_of_final_value(&declared.name) {
                let message = format!("the iterator `{}` is used after the region", declared.name);
                let diagnostic =
                    diagnostic_at(self.clean, Code::Iterator, node.start_byte(), message)
                        .because("iterators have no value after the transformed region")
                        .hint(ASSIGN_AGAIN);
                found.push(diagnostic);
            }
        }
        for &pointer in self.pointers.keys() {
            let declared = self.variable(pointer);
            let used = context.surroundings.use_of_final_value(&declared.name);
            let is_visible = self.is_visible_elsewhere(context.function, pointer);
            let used = used.or(is_visible.then_some(context.function));
            if let Some(node) = used.filter(|_| !declared.in_region()) {
                let message = format!("the pointer `{}` is used after the region", declared.name);
                let at = node.start_byte();
                let diagnostic = diagnostic_at(self.clean, Code::Pointer, at, message)
                    .because("the region sets it, and its value is not kept")
                    .hint("set it again before it is used");
                found.push(diagnostic);
            }
        }
        let variables = self.declared_at_top.iter();
        let variables =
            variables.map(|v| (self.variable(*v).name.as_str(), self.declaration_of(*v)));
        let constants =
            self.own_constants.iter().filter_map(|(name, byte)| Some((*name, (*byte)?)));
        for (name, byte) in variables.chain(constants) {
            let surroundings = context.surroundings;
            // Behind the block around the region the name means what it meant before.
            let is_used = match self.scopes.lookup(name) {
                Some(_) => surroundings.is_meant_behind(self.root, name),
                None => surroundings.is_meant_after(name),
            };
            if is_used {
                let message = format!("`{name}` is declared in the region and used after it");
                let diagnostic = diagnostic_at(self.clean, Code::Declaration, byte, message)
                    .because("the result has a block of its own in place of the region");
                found.push(diagnostic);
            }
        }
    }

    /// Reads of symbolic constants are text; kills of iterators are nothing.
    fn drop_parameter_accesses(&mut self) {
        let (variables, uses) = (&self.scopes.variables, &self.affine_uses);
        // A constant of the region is a variable, too: what is copied as text reads it.
        let constant = |v: &u32| {
            let variable = &variables[*v as usize];
            uses.contains(*v) || variable.constant.is_some() && !variable.in_region()
        };
        for statement in &mut self.statements {
            statement.accesses.retain(|a| {
                !constant(&a.variable) && !self.iterator_variables.contains(&a.variable)
            });
            for piece in &mut statement.pieces {
                if let RawPiece::Element { variable, .. } = piece
                    && constant(variable)
                {
                    *piece = RawPiece::Text(variables[*variable as usize].name.clone());
                }
            }
        }
        // Kill statements without any variable left are nothing.
        let mut index = 0;
        let kept: Vec<Option<usize>> = self
            .statements
            .iter()
            .map(|s| {
                let keep = !s.is_kill || !s.accesses.is_empty();
                index += usize::from(keep);
                keep.then(|| index - 1)
            })
            .collect();
        self.statements.retain(|s| !s.is_kill || !s.accesses.is_empty());
        self.order = renumber(std::mem::take(&mut self.order), &kept);
    }

    /// The variables that are accessed, in order of their first reference, then those that are only
    /// named: arguments that a function does nothing with.
    fn used_variables(&self) -> Vec<u32> {
        let accessed = self.statements.iter().flat_map(|s| &s.accesses).map(|a| a.variable);
        let named =
            self.statements.iter().flat_map(|s| &s.pieces).filter_map(|piece| match piece {
                RawPiece::Element { variable, .. } => Some(self.accessed(*variable)),
                _ => None,
            });
        let mut seen = FxHashSet::default();
        accessed.chain(named).filter(|variable| seen.insert(*variable)).collect()
    }

    /// Whether the name of a variable of the file stands for another variable of the region: only functions
    /// that are called access it.
    fn is_shadowed(&self, variable: u32, arrays: &[u32]) -> bool {
        let declared = self.variable(variable);
        let is_other = |other: &u32| {
            let other_variable = self.variable(*other);
            *other != variable
                && other_variable.member.is_none()
                && !matches!(other_variable.origin, Origin::File { .. })
                && !other_variable.in_region()
                && other_variable.name == declared.name
        };
        matches!(declared.origin, Origin::File { .. })
            && declared.member.is_none()
            && arrays.iter().chain(&self.affine_uses.variables()).any(is_other)
    }

    /// The extents of arrays; none where a dimension has no constant affine extent.
    fn extents(
        &mut self,
        arrays: &[u32],
        context: &Context<'_, 't>,
    ) -> Vec<Vec<(Option<Linear>, String)>> {
        self.purpose = Purpose::Extent;
        let assumptions = self.assumptions.len();
        let mut all = Vec::with_capacity(arrays.len());
        for &array in arrays {
            let dimensions = self.variable(array).declared.dimensions.clone();
            let extents = dimensions.iter().map(|dimension| match dimension {
                Dimension::Extent(node) if self.own_extents.contains_key(&node.start_byte()) => {
                    let (linear, text) = self.own_extents[&node.start_byte()].clone();
                    (Some(linear), text)
                }
                Dimension::Extent(node) => {
                    let text = self.flat_text(*node).into_owned();
                    let mut changed = false;
                    crate::syntax::visit(*node, |n, _| {
                        changed |= n.kind() == "identifier"
                            && context.changed_names.contains(self.text(n));
                        !changed
                    });
                    let linear = (!changed).then(|| self.extent(*node)).flatten();
                    (linear, text)
                }
                _ => (None, String::new()),
            });
            let extents = extents.collect();
            all.push(extents);
        }
        self.assumptions.truncate(assumptions);
        all
    }

    fn extent(&mut self, node: crate::tree::Node<'t>) -> Option<Linear> {
        let mark = self.mark();
        let linear = self.value(node).ok().and_then(|v| v.pieces.as_linear().cloned());
        if linear.is_none() {
            self.back_to(mark);
        }
        linear
    }
}

fn renumber(order: Vec<Order>, kept: &[Option<usize>]) -> Vec<Order> {
    order
        .into_iter()
        .filter_map(|item| match item {
            Order::Statement(s) => kept[s].map(Order::Statement),
            Order::Loop { index, body } => {
                let body = renumber(body, kept);
                (!body.is_empty()).then_some(Order::Loop { index, body })
            }
        })
        .collect()
}

fn build<'t>(
    walk: &Extractor<'_, 't>,
    arrays: Vec<u32>,
    extents: &[Vec<(Option<Linear>, String)>],
    context: &Context<'_, 't>,
) -> SetResult<Scop> {
    let mut builder = Builder::new(walk, arrays, context.used_names);
    builder.set_ranges(extents);
    let names: Vec<Name> = walk
        .statements
        .iter()
        .enumerate()
        .map(|(i, s)| if s.is_kill { format!("S{i}_kill").into() } else { format!("S{i}").into() })
        .collect();
    let mut statements: Vec<Statement> = Vec::with_capacity(names.len());
    for (name, raw) in names.iter().zip(&walk.statements) {
        statements.push(builder.statement(name, raw, extents, &statements)?);
    }
    let domains = statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&builder.parameter_space(), domains);
    let root = builder.order(&walk.order, &statements)?;
    Ok(Scop {
        context: builder.context(extents)?,
        parameters: builder.parameters(),
        arrays: builder.arrays(extents, context),
        schedule: ScheduleTree { domain, root },
        statements,
        assumptions: walk.assumptions.clone(),
    })
}

/// The name of a symbolic constant in sets: that of the variable, if it can stand there.
fn parameter_name(variable: &str, used_names: &BTreeSet<String>) -> Name {
    let mut name = variable.to_string();
    if is_keyword(&name) {
        while used_names.contains(&name) {
            name.push('_');
        }
    }
    name.into()
}

impl<'e, 's, 't> Builder<'e, 's, 't> {
    fn new(walk: &'e Extractor<'s, 't>, arrays: Vec<u32>, used_names: &BTreeSet<String>) -> Self {
        let mut by_use: Vec<(usize, u32)> =
            walk.affine_uses.sorted().into_iter().map(|(variable, at)| (at, variable)).collect();
        by_use.sort_unstable();
        let parameters: Vec<u32> = by_use.into_iter().map(|(_, variable)| variable).collect();
        let name = |v: &u32| Name::from(walk.variable(*v).name.as_str());
        let parameter_names: Vec<Name> = parameters
            .iter()
            .map(|v| parameter_name(&walk.variable(*v).name, used_names))
            .collect();
        let mut taken: FxHashSet<Name> = parameter_names.iter().cloned().collect();
        // Variables from outside the region keep their names.
        let is_own = |v: &&u32| {
            let variable = walk.variable(**v);
            !variable.in_region() && variable.member.is_none()
        };
        taken.extend(arrays.iter().filter(is_own).map(name));
        let mut tuple_names = Vec::with_capacity(arrays.len());
        for variable in &arrays {
            let declared = walk.variable(*variable);
            let is_member = declared.member.is_some();
            let plain = declared.name.replace('.', "_");
            let mut unique = Name::from(plain.as_str());
            let is_made_up = is_member || walk.is_shadowed(*variable, &arrays);
            // A pointer has the name of what it leads to.
            let is_repeated = tuple_names.contains(&unique);
            if declared.in_region() || is_made_up || is_repeated {
                let mut suffix = 0;
                while taken.contains(&unique) || (is_made_up && used_names.contains(&*unique)) {
                    suffix += 1;
                    unique = format!("{plain}_{suffix}").into();
                }
                taken.insert(unique.clone());
            }
            tuple_names.push(unique);
        }
        let array_ids = arrays.iter().enumerate().map(|(i, v)| (*v, ArrayId(i as u32))).collect();
        Builder {
            walk,
            parameters,
            parameter_names,
            arrays,
            array_ids,
            tuple_names,
            ranges: Vec::new(),
            budget: Budget::steps(STEPS),
        }
    }

    fn set_ranges(&mut self, extents: &[Vec<(Option<Linear>, String)>]) {
        let named = self.tuple_names.iter().zip(extents);
        let tuples = named.map(|(name, extents)| Tuple::named(name, extents.len()));
        self.ranges = tuples.map(|tuple| Space::set(&self.parameter_names, tuple)).collect();
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |(variable, name): (&u32, &Name)| {
            let declared = self.walk.variable(*variable);
            let renamed = (*declared.name != **name).then(|| declared.name.clone());
            Parameter {
                name: name.clone(),
                c_type: declared.declared.scalar.spelling.clone(),
                value: self.walk.value_in_memory(*variable).or(renamed),
            }
        };
        self.parameters.iter().zip(&self.parameter_names).map(parameter).collect()
    }

    fn columns<'a>(&'a self, loops: impl Into<Cow<'a, [u32]>>, n_out: usize) -> Columns<'a> {
        Columns::new(&self.parameters, loops, n_out, &self.walk.symbols.floors)
    }

    /// What C guarantees (unsigned values and extents of variable-length arrays), and what the
    /// program says.
    fn context(&self, extents: &[Vec<(Option<Linear>, String)>]) -> SetResult<Set> {
        let mut conditions: Conjunction = Vec::new();
        let mut add = |linear: Linear| {
            let condition = crate::linear::Condition::nonnegative(linear);
            if condition.linear.as_constant().is_none() && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        };
        for &parameter in &self.walk.symbols.nonnegative_parameters {
            if self.parameters.contains(&parameter) {
                add(Linear::symbol(crate::linear::Symbol::Parameter(parameter)));
            }
        }
        // The strides of a view are no extents in C: where nothing is accessed they may be anything. So may extents be
        // where the block is not reached that declares the variable.
        let is_declared =
            |v: &u32| !self.walk.variable(*v).in_region() || self.walk.declared_at_top.contains(v);
        let is_sized = |v: &u32| !self.walk.views.contains_key(v) && is_declared(v);
        for (variable, extents) in self.arrays.iter().zip(extents).filter(|(v, _)| is_sized(v)) {
            let argument = self.walk.variable(*variable).origin == Origin::Argument;
            for (position, (extent, _)) in extents.iter().enumerate() {
                // The outermost extent of an argument is not part of its type.
                let least = if argument && position == 0 { 0 } else { -1 };
                if let Some(Ok(linear)) = extent.as_ref().map(|e| e.add_constant(least)) {
                    add(linear);
                }
            }
        }
        let space = Space::params(&self.parameter_names);
        let columns = self.columns(&[][..], 0);
        let of_types = Set::from_basic_set(columns.basic_set(space.clone(), &conditions));
        let promises = self.walk.promises.iter().map(|holds| columns.set(&space, &holds.0));
        let all =
            promises.map(Ok).try_fold(of_types, |all, set: SetResult<Set>| all.intersect(&set?));
        self.compact(all?.as_map().clone()).map(Set::from_map)
    }

    fn arrays(
        &self,
        extents: &[Vec<(Option<Linear>, String)>],
        context: &Context<'_, 't>,
    ) -> Vec<Array> {
        let space = Space::params(&self.parameter_names);
        let columns = self.columns(&[][..], 0);
        let extent = |linear: &Linear| PwAff::from_aff(columns.aff(&space, linear));
        let array = |index: usize| {
            let variable = self.walk.variable(self.arrays[index]);
            let root = self.walk.variable(self.walk.root(self.arrays[index]));
            let scalar = &variable.declared.scalar;
            let is_shadowed = self.walk.is_shadowed(self.arrays[index], &self.arrays);
            let name = match &variable.member {
                None if !is_shadowed => variable.name.as_str().into(),
                _ => self.tuple_names[index].clone(),
            };
            let crosses_pointer = variable.member.as_ref().is_some_and(|m| m.crosses_pointer);
            Array {
                name,
                tuple_name: self.tuple_names[index].clone(),
                element_type: scalar.spelling.clone(),
                element_bytes: scalar.bytes,
                element_kind: scalar.kind,
                extents: extents[index].iter().map(|(l, _)| l.as_ref().map(extent)).collect(),
                extent_texts: extents[index].iter().map(|(_, text)| text.clone()).collect(),
                declared_in_scop: variable.in_region(),
                is_member: variable.member.is_some() && !variable.in_region(),
                live_out: crosses_pointer
                    || self.walk.walks.kept.contains(&self.arrays[index])
                    || context.surroundings.is_live_out(root),
                declaration_depth: match variable.origin {
                    Origin::Region { depth } => depth,
                    _ => 0,
                },
            }
        };
        (0..self.arrays.len()).map(array).collect()
    }

    /// The names of the iterators of a nest, made unique.
    fn iterator_names(&self, loops: &[u32]) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::with_capacity(loops.len());
        for (depth, index) in loops.iter().enumerate() {
            let plain = &self.walk.variable(self.walk.loops[*index as usize].variable).name;
            let mut name: Name = plain.as_str().into();
            if names.contains(&name) || self.parameter_names.contains(&name) {
                name = format!("{plain}_{depth}").into();
            }
            names.push(name);
        }
        names
    }

    /// The statement after some others.
    fn statement(
        &self,
        name: &Name,
        raw: &RawStatement,
        extents: &[Vec<(Option<Linear>, String)>],
        others: &[Statement],
    ) -> SetResult<Statement> {
        let index = others.len();
        let iterators = self.iterator_names(&raw.loops);
        let dim_names: Vec<Option<Name>> = iterators.iter().cloned().map(Some).collect();
        let tuple = Tuple::named(name, iterators.len()).with_dim_names(&dim_names);
        let space = Space::set(&self.parameter_names, tuple);
        let columns = self.columns(&raw.loops, 0);
        let same = |last: &&Statement| {
            let other = &self.walk.statements[last.id.0 as usize];
            other.loops == raw.loops && other.domain == raw.domain
        };
        let domain = match others.last().filter(same) {
            Some(last) => last.domain.with_space_tuples(&space)?,
            None => {
                let domain = columns.set(&space, &raw.domain.0);
                Set::from_map(self.compact(domain.as_map().clone())?)
            }
        };
        let accesses = self.accesses(raw, &domain, extents)?;
        let body = raw
            .pieces
            .iter()
            .map(|piece| self.piece(piece, &columns, &space, &domain))
            .collect::<SetResult<_>>()?;
        let c_type = |l: &u32| {
            let variable = self.walk.loops[*l as usize].variable;
            self.walk.variable(variable).declared.scalar.spelling.clone()
        };
        let line = self.walk.line_of(raw.at);
        let start = self.walk.clean.starts[self.walk.clean.line_of(raw.at)];
        Ok(Statement {
            id: StatementId(index as u32),
            name: name.clone(),
            domain,
            iterator_types: raw.loops.iter().map(c_type).collect(),
            iterators,
            accesses,
            body,
            is_kill: raw.is_kill,
            location: Location { line, column: (raw.at - start) as u32 + 1 },
        })
    }

    /// The accesses of a statement. Calls often touch the same whole array dozens of times: that is said once.
    fn accesses(
        &self,
        statement: &RawStatement,
        domain: &Set,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Vec<Access>> {
        let mut accesses: Vec<Access> = Vec::with_capacity(statement.accesses.len());
        for raw in &statement.accesses {
            let access = self.access(accesses.len(), raw, statement, domain, extents)?;
            let is_whole =
                raw.subscripts.is_empty() && !extents[access.array.0 as usize].is_empty();
            let says_the_same = |other: &Access| {
                (other.array, other.kind) == (access.array, access.kind)
                    && other.relation.plain_is_equal(&access.relation)
            };
            if !(is_whole && accesses.iter().any(says_the_same)) {
                accesses.push(access);
            }
        }
        Ok(accesses)
    }

    fn access(
        &self,
        reference: usize,
        raw: &RawAccess,
        statement: &RawStatement,
        domain: &Set,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Access> {
        let space = domain.space();
        let array = self.array_ids[&raw.variable];
        let position = array.0 as usize;
        let n = extents[position].len();
        let range = &self.ranges[position];
        let inner_loops = raw.inner.as_ref().map_or(&[][..], |inner| &inner.loops);
        let loops = match inner_loops {
            [] => Cow::Borrowed(&statement.loops[..]),
            _ => Cow::Owned([&statement.loops[..], inner_loops].concat()),
        };
        let n_loops = loops.len();
        let columns = self.columns(loops, n);
        let extents = self.limits(raw, &extents[position]);
        let relation = match &raw.inner {
            None => {
                let space = space.map_to(range);
                let is_limited = extents.iter().any(Option::is_some);
                let graph = || columns.graph(&space, domain, &raw.subscripts);
                match (!is_limited).then(graph).flatten() {
                    Some(graph) => Map::from_basic_map(graph),
                    None => {
                        columns.relation(&space, &statement.domain.0, &raw.subscripts, &extents)
                    }
                }
            }
            Some(inner) => {
                let (outer, more) = (statement.loops.len(), inner.loops.len());
                let whole = Space::set(&self.parameter_names, Tuple::anonymous(n_loops));
                let domain = &inner.domain.0;
                columns
                    .relation(&whole.map_to(range), domain, &raw.subscripts, &extents)
                    .project_out(DimKind::In, outer, more)
                    .with_space_tuples(&space.map_to(range))?
            }
        };
        let relation = self.compact(relation)?;
        let reference = ReferenceId(reference as u32);
        Ok(Access { reference, array, kind: raw.kind, relation })
    }

    /// The extents within which the elements of a reference lie: those of dimensions without
    /// subscripts, and where a subscript is not known. The outermost extent of an argument is not
    /// part of its type.
    fn limits<'l>(
        &self,
        raw: &RawAccess,
        extents: &'l [(Option<Linear>, String)],
    ) -> Vec<Option<&'l Linear>> {
        let is_argument = self.walk.variable(raw.variable).origin == Origin::Argument;
        let limit = |(position, (extent, _)): (usize, &'l (Option<Linear>, String))| {
            let applies = match raw.subscripts.get(position) {
                None => true,
                Some(pieces) => self.walk.is_unknown(pieces) && !(is_argument && position == 0),
            };
            extent.as_ref().filter(|_| applies)
        };
        extents.iter().enumerate().map(limit).collect()
    }

    /// The same points in few pieces: the cases of conditions and subscripts that no instance
    /// reaches are dropped, the others merged. Everything after this multiplies the pieces.
    fn compact(&self, map: Map) -> SetResult<Map> {
        if map.basic_maps().len() <= 1 {
            return Ok(map);
        }
        let mut kept = Vec::new();
        for basic in map.basic_maps() {
            // When the budget is gone the piece stays: that is always right.
            if !Map::from_basic_map(basic.clone()).is_empty(&self.budget).unwrap_or(false) {
                kept.push(basic.clone());
            }
        }
        let reached = Map::from_basic_maps(map.space().clone(), kept);
        Ok(reached.coalesce(&self.budget).unwrap_or(reached))
    }

    fn piece(
        &self,
        piece: &RawPiece,
        columns: &Columns<'_>,
        space: &Space,
        domain: &Set,
    ) -> SetResult<BodyPiece> {
        let expression = |pieces: &Pieces| self.expression(pieces, columns, space, domain);
        Ok(match piece {
            RawPiece::Text(text) => BodyPiece::Text(text.clone()),
            RawPiece::Hidden { variable } => {
                match self.array_ids.get(&self.walk.accessed(*variable)) {
                    Some(&array) => BodyPiece::Element {
                        base: ElementText::named(""),
                        array,
                        subscripts: Vec::new(),
                    },
                    None => BodyPiece::Text(String::new()),
                }
            }
            RawPiece::Expression(pieces) => BodyPiece::Expression(expression(pieces)?),
            RawPiece::Element { variable, subscripts } => {
                let accessed = self.walk.accessed(*variable);
                // What a call is given and does not use.
                let Some(&array) = self.array_ids.get(&accessed) else {
                    let root = self.walk.variable(self.walk.root(*variable));
                    let constant = self.walk.constant_at(*variable, subscripts);
                    let name = constant.map_or(&root.name, |c| &self.walk.variable(c).name);
                    return Ok(BodyPiece::Text(name.clone()));
                };
                let tuple_name = &self.tuple_names[array.0 as usize];
                let root = self.walk.variable(self.walk.root(*variable));
                let n = self.walk.variable(*variable).declared.dimensions.len();
                let is_text = subscripts.is_empty() && n > 0;
                let base = match root.in_region() {
                    true if is_text => ElementText::named(&**tuple_name),
                    false if is_text => ElementText::named(root.name.as_str()),
                    true if accessed == *variable => ElementText::named(&**tuple_name),
                    true => self.walk.element_text(*variable, tuple_name),
                    false => self.walk.element_text(*variable, &root.name),
                };
                let base = match self.walk.views.get(&accessed) {
                    Some(view) if !is_text => view.text(&base, n),
                    _ => base,
                };
                let subscripts = subscripts.iter().map(expression).collect::<SetResult<_>>()?;
                BodyPiece::Element { base, array, subscripts }
            }
        })
    }

    fn expression(
        &self,
        pieces: &Pieces,
        columns: &Columns<'_>,
        space: &Space,
        domain: &Set,
    ) -> SetResult<PwAff> {
        if let Some(linear) = pieces.as_linear() {
            return Ok(PwAff::from_aff(columns.aff(space, linear)));
        }
        let mut reached: Vec<(Set, Aff)> = Vec::new();
        for (conjunction, linear) in &pieces.0 {
            let piece = columns.set(space, std::slice::from_ref(conjunction));
            if !domain.intersect(&piece)?.is_empty(&self.budget).unwrap_or(false) {
                reached.push((piece, columns.aff(space, linear)));
            }
        }
        if let [(_, only)] = &reached[..] {
            return Ok(PwAff::from_aff(only.clone()));
        }
        let mut result = PwAff::empty(space);
        for (piece, aff) in reached {
            result = result.union_disjoint(&PwAff::on_domain(piece, aff))?;
        }
        Ok(result)
    }

    fn parameter_space(&self) -> Space {
        Space::params(&self.parameter_names)
    }

    /// The schedule tree of a list of statements and loops.
    fn order(&self, items: &[Order], statements: &[Statement]) -> SetResult<ScheduleNode> {
        if let [item] = items {
            return self.item(item, statements);
        }
        let mut children = Vec::with_capacity(items.len());
        for item in items {
            let child = self.item(item, statements)?;
            let universe = |index: usize| Set::universe(statements[index].domain.space().clone());
            let universes = members(item).into_iter().map(universe);
            let filter = UnionSet::from_sets(&self.parameter_space(), universes);
            children.push(ScheduleNode::Filter(filter, Box::new(child)));
        }
        Ok(if children.is_empty() { ScheduleNode::Leaf } else { ScheduleNode::Sequence(children) })
    }

    fn item(&self, item: &Order, statements: &[Statement]) -> SetResult<ScheduleNode> {
        let Order::Loop { index, body } = item else { return Ok(ScheduleNode::Leaf) };
        let descending = self.walk.loops[*index as usize].step < 0;
        let mut parts = Vec::new();
        for statement in members(item) {
            let loops = &self.walk.statements[statement].loops;
            let depth = loops.iter().position(|l| l == index).unwrap_or(0);
            let space = statements[statement].domain.space();
            let iterator = Aff::variable(space, DimKind::Out, depth);
            let aff = if descending { iterator.neg() } else { iterator };
            parts.push(PwAff::from_aff(aff));
        }
        let member = UnionPwAff::from_parts(parts);
        let band = Band {
            schedule: MultiUnionPwAff::new(Tuple::anonymous(1), vec![member]),
            permutable: false,
            members: vec![Member::default()],
            isolate: None,
        };
        let child = self.order(body, statements)?;
        Ok(ScheduleNode::Band(band, Box::new(child)))
    }
}

/// The statements of a part of the order.
fn members(item: &Order) -> Vec<usize> {
    match item {
        Order::Statement(index) => vec![*index],
        Order::Loop { body, .. } => body.iter().flat_map(members).collect(),
    }
}
