//! What a function or a kernel is given.
use super::booleans::is_boolean;
use super::element::Memory;
use super::language::Language;
use super::places::stride_name;
use super::types::{element_type, parameter_type};
use loopwright_presburger::Name;
use loopwright_scop::{ArrayId, Parameter};
use std::collections::BTreeSet;

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    /// The value of a loop of the host.
    Iterator(Name),
    /// A symbolic constant: the position among those of the region.
    Parameter(usize),
    /// A scalar that is only read.
    Value(ArrayId),
    /// Memory of the device.
    Array(ArrayId),
    /// The bytes between the structures that an array is a member of, along one of its subscripts.
    Stride(ArrayId, usize),
}

/// The words of a text.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
}

/// What a text of a region uses, besides iterators.
pub(super) fn arguments_of(text: &str, memory: &Memory<'_>) -> Vec<Argument> {
    let words = words(text);
    let parameters = memory.scop.parameters.iter().enumerate();
    let parameters = parameters.filter(|(_, parameter)| words.contains(&*parameter.name));
    let parameters = parameters.map(|(at, _)| Argument::Parameter(at));
    let ids = (0u32..).map(ArrayId).zip(&memory.scop.arrays);
    let used = ids.filter(|(_, array)| words.contains(&*array.tuple_name));
    let (arrays, values): (Vec<ArrayId>, Vec<ArrayId>) =
        used.map(|(id, _)| id).partition(|id| memory.is_in_memory(*id));
    let values = values.into_iter().map(Argument::Value);
    let ids = (0u32..).map(ArrayId).zip(&memory.scop.arrays);
    let strides =
        ids.flat_map(|(id, array)| (0..array.extents.len()).map(move |at| (id, array, at)));
    let strides = strides.filter(|(_, array, at)| words.contains(stride_name(array, *at).as_str()));
    let strides = strides.map(|(id, _, at)| Argument::Stride(id, at));
    let arrays = arrays.into_iter().map(Argument::Array);
    parameters.chain(values).chain(arrays).chain(strides).collect()
}

impl Argument {
    /// The name in the function that is given it.
    pub(super) fn name(&self, memory: &Memory<'_>) -> Name {
        match self {
            Argument::Iterator(name) => name.clone(),
            Argument::Parameter(at) => memory.scop.parameters[*at].name.clone(),
            Argument::Value(id) | Argument::Array(id) => memory.array(*id).tuple_name.clone(),
            Argument::Stride(id, at) => stride_name(memory.array(*id), *at).into(),
        }
    }

    /// Its declaration as one of a kernel.
    pub(super) fn of_kernel(&self, memory: &Memory<'_>, is_written: bool) -> String {
        let name = self.name(memory);
        match self {
            Argument::Array(id) => {
                let element = element_type(memory.array(*id), memory.language).unwrap_or_default();
                format!("{}{name}", memory.language.memory(element, is_written))
            }
            _ => format!("{} {name}", self.value_type(memory)),
        }
    }

    /// Its declaration as one of the function that stands for the region, for the program.
    pub(super) fn of_program(&self, memory: &Memory<'_>) -> String {
        match self {
            Argument::Value(id) if is_boolean(memory.array(*id)) => {
                format!("_Bool {}", self.name(memory))
            }
            _ => self.of_region(memory),
        }
    }

    /// The same for the file of that function, which is C with OpenCL.
    pub(super) fn of_region(&self, memory: &Memory<'_>) -> String {
        let name = self.name(memory);
        match self {
            Argument::Array(id) => {
                let is_written = memory.transfers.of(*id).is_some_and(|own| own.is_written);
                format!("{}void *{name}", if is_written { "" } else { "const " })
            }
            Argument::Value(id)
                if is_boolean(memory.array(*id)) && memory.language == Language::OpenCl =>
            {
                format!("_Bool {name}")
            }
            _ => format!("{} {name}", self.value_type(memory)),
        }
    }

    /// What the program passes for it.
    pub(super) fn of_call(&self, memory: &Memory<'_>) -> String {
        match self {
            Argument::Iterator(name) => name.to_string(),
            Argument::Parameter(at) => {
                let Parameter { name, value, .. } = &memory.scop.parameters[*at];
                value.clone().unwrap_or_else(|| name.to_string())
            }
            Argument::Value(id) => memory.host(*id).value,
            Argument::Array(id) => memory.host(*id).address,
            Argument::Stride(id, at) => {
                memory.host(*id).strides.get(*at).cloned().unwrap_or_default()
            }
        }
    }

    fn value_type(&self, memory: &Memory<'_>) -> &'static str {
        match self {
            Argument::Iterator(_) | Argument::Stride(..) => "long",
            Argument::Parameter(at) => {
                parameter_type(&memory.scop.parameters[*at].c_type).unwrap_or("long")
            }
            Argument::Value(id) | Argument::Array(id) => {
                element_type(memory.array(*id), memory.language).unwrap_or_default()
            }
        }
    }
}

/// Whether the text of a kernel may write an array: any statement in it that does.
pub(super) fn is_written(id: ArrayId, statements: &BTreeSet<Name>, memory: &Memory<'_>) -> bool {
    use loopwright_scop::AccessKind::{MayWrite, MustWrite};
    let own = memory.scop.statements.iter().filter(|s| statements.contains(&s.name));
    let mut accesses = own.flat_map(|statement| &statement.accesses);
    accesses.any(|access| access.array == id && matches!(access.kind, MustWrite | MayWrite))
}
