//! From the collected statements to a [`Scop`]: parameters, arrays, sets, relations and the
//! schedule tree.
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::ScalarType;
use crate::facts::variables::Origin;
use crate::model::conditions::Conjunction;
use crate::model::linear::Linear;
use crate::model::raw_model::Order;
use crate::model::run_time::RunTimeCondition;
use crate::model::spaces::Columns;
use crate::walk::extractor::Extractor;
use crate::walk::finish::apart::Model;
use crate::walk::finish::region_end::Context;
use loopwright_presburger::{
    Aff, Budget, DimKind, MultiUnionPwAff, Name, PwAff, Result as SetResult, Set, Space, Tuple,
    UnionPwAff, UnionSet, is_keyword,
};
use loopwright_schedule::{Band, Member, Node as ScheduleNode, ScheduleTree};
use loopwright_scop::{Array, ArrayId, Filter, Parameter, Scop, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;

mod filters;
mod statements;

/// Work limit for dropping pieces that are never reached.
const STEPS: u64 = 1_000_000;

/// The parts of a scop while it is put together.
struct Builder<'e, 's, 't> {
    walk: &'e Extractor<'s, 't>,
    parameters: Vec<u32>,
    /// The space of the parameters.
    space: Space,
    arrays: Vec<u32>,
    array_ids: FxHashMap<u32, ArrayId>,
    tuple_names: Vec<Name>,
    /// The elements of each array, once the extents are known.
    ranges: Vec<Space>,
    budget: Budget,
}

/// What is known of the symbolic constants of a walk, and which variables they are.
pub(crate) fn parameters<'t>(
    walk: &Extractor<'_, 't>,
    arrays: Vec<u32>,
    extents: &[Vec<(Option<Linear>, String)>],
    context: &Context<'_, 't>,
) -> (SetResult<Set>, Vec<u32>) {
    let builder = Builder::new(walk, arrays, context.used_names);
    (builder.context(extents), builder.parameters)
}

/// The conditions that are checked in front of a region, or those that cannot be.
type Conditions = Result<Vec<RunTimeCondition>, Vec<Refusal>>;

/// The scop of a walk, and what has to hold for it.
pub(crate) fn build<'t>(
    walk: &Extractor<'_, 't>,
    arrays: Vec<u32>,
    extents: &[Vec<(Option<Linear>, String)>],
    context: &Context<'_, 't>,
) -> SetResult<(Scop, Conditions, Vec<Vec<Filter>>)> {
    let mut builder = Builder::new(walk, arrays, context.used_names);
    builder.set_ranges(extents);
    let statements = builder.statements(extents)?;
    let domains = statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&builder.space, domains);
    let root = builder.order(&walk.out.order, &statements)?;
    let scop = Scop {
        context: builder.context(extents)?,
        parameters: builder.parameters(),
        arrays: builder.arrays(extents, context),
        schedule: ScheduleTree { domain, root },
        statements,
        assumptions: walk.out.assumptions().to_vec(),
    };
    let conditions = builder.conditions(&scop);
    let filters = builder.filters(&scop)?;
    Ok((scop, conditions, filters))
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
        let mut by_use: Vec<(usize, u32)> = walk
            .out
            .affine_uses()
            .sorted()
            .into_iter()
            .map(|(variable, at)| (at, variable))
            .collect();
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
            space: Space::params(&parameter_names),
            arrays,
            array_ids,
            tuple_names,
            ranges: Vec::new(),
            budget: Budget::steps(STEPS),
        }
    }

    /// What has to hold in front of the region.
    fn conditions(&self, scop: &Scop) -> Conditions {
        let mut conditions = self.walk.run_time_conditions(&self.parameters, &self.space)?;
        let (array_ids, parameters, space) = (&self.array_ids, &self.parameters[..], &self.space);
        let model = Model { scop, array_ids, parameters, space };
        let of_strides = self.walk.stride_conditions(&model);
        conditions.extend(of_strides.ok_or_else(|| vec![self.walk.refuse_strides()])?);
        conditions.extend(self.walk.apart_conditions(&model)?);
        Ok(conditions)
    }

    fn set_ranges(&mut self, extents: &[Vec<(Option<Linear>, String)>]) {
        let named = self.tuple_names.iter().zip(extents);
        let tuples = named.map(|(name, extents)| Tuple::named(name, extents.len()));
        self.ranges = tuples.map(|tuple| self.set_space(tuple)).collect();
    }

    /// The space of the sets of a tuple.
    fn set_space(&self, tuple: Tuple) -> Space {
        self.space.with_tuples(None, Some(tuple))
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
        self.parameters.iter().zip(self.space.param_names()).map(parameter).collect()
    }

    fn columns<'a>(&'a self, loops: impl Into<Cow<'a, [u32]>>, n_out: usize) -> Columns<'a> {
        Columns::new(&self.parameters, loops, n_out, &self.walk.out.symbols.floors)
    }

    /// What C guarantees (unsigned values and extents of variable-length arrays), and what the
    /// program says.
    fn context(&self, extents: &[Vec<(Option<Linear>, String)>]) -> SetResult<Set> {
        let mut conditions: Conjunction = Vec::new();
        let mut add = |linear: Linear| {
            let condition = crate::model::conditions::Condition::nonnegative(linear);
            if condition.linear.as_constant().is_none() && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        };
        for &parameter in &self.walk.out.symbols.nonnegative_parameters {
            if self.parameters.contains(&parameter) {
                add(Linear::symbol(crate::model::linear::Symbol::Parameter(parameter)));
            }
        }
        // The strides of a view are no extents in C: where nothing is accessed they may be anything. So may
        // extents be where the block is not reached that declares the variable.
        let is_declared = |v: &u32| {
            !self.walk.variable(*v).in_region() || self.walk.out.declared_at_top().contains(v)
        };
        let is_sized = |v: &u32| !self.walk.out.views().contains_key(v) && is_declared(v);
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
        let columns = self.columns(&[][..], 0);
        let of_types = Set::from_basic_set(columns.basic_set(self.space.clone(), &conditions));
        let promises =
            self.walk.out.promises().iter().map(|holds| columns.set(&self.space, &holds.0));
        let all =
            promises.map(Ok).try_fold(of_types, |all, set: SetResult<Set>| all.intersect(&set?));
        self.compact(all?.as_map().clone()).map(Set::from_map)
    }

    fn arrays(
        &self,
        extents: &[Vec<(Option<Linear>, String)>],
        context: &Context<'_, 't>,
    ) -> Vec<Array> {
        let columns = self.columns(&[][..], 0);
        let extent = |linear: &Linear| PwAff::from_aff(columns.aff(&self.space, linear));
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
                element_type: element_type(scalar),
                element_bytes: scalar.bytes,
                element_kind: scalar.kind,
                extents: extents[index].iter().map(|(l, _)| l.as_ref().map(extent)).collect(),
                extent_texts: extents[index].iter().map(|(_, text)| text.clone()).collect(),
                declared_in_scop: variable.in_region(),
                is_member: variable.member.is_some() && !variable.in_region(),
                live_out: crosses_pointer
                    || self.walk.out.pointer_offsets.kept.contains(&self.arrays[index])
                    || context.surroundings.is_live_out(root),
                declaration_depth: match variable.origin {
                    Origin::Region { depth } => depth,
                    _ => 0,
                },
            }
        };
        (0..self.arrays.len()).map(array).collect()
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
            let filter = UnionSet::from_sets(&self.space, universes);
            children.push(ScheduleNode::Filter(filter, Box::new(child)));
        }
        Ok(if children.is_empty() { ScheduleNode::Leaf } else { ScheduleNode::Sequence(children) })
    }

    fn item(&self, item: &Order, statements: &[Statement]) -> SetResult<ScheduleNode> {
        let Order::Loop { index, body } = item else { return Ok(ScheduleNode::Leaf) };
        let descending = self.walk.out.loops[*index as usize].step < 0;
        let mut parts = Vec::new();
        for statement in members(item) {
            let loops = &self.walk.out.statements[statement].loops;
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

/// The text of a type; that of truth values says that they are some, by whatever name they are declared.
fn element_type(scalar: &ScalarType) -> String {
    match scalar.is_truth_value() && !scalar.spelling.to_ascii_lowercase().contains("bool") {
        true => "_Bool".to_string(),
        false => scalar.spelling.clone(),
    }
}

/// The statements of a part of the order.
fn members(item: &Order) -> Vec<usize> {
    match item {
        Order::Statement(index) => vec![*index],
        Order::Loop { body, .. } => body.iter().flat_map(members).collect(),
    }
}
