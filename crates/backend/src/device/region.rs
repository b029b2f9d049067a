//! All of a region for a device: its kernels, and the function that stands for it.
use super::arguments::{Argument, arguments_of, words};
use super::copies::{Copies, Direction};
use super::element::Memory;
use super::functions;
use super::host::{HostPrinter, kernel_variable};
use super::kernel::Kernel;
use super::language::Language;
use super::linear_subscripts::with_linear_subscripts;
use super::matrix;
use super::program_functions::ProgramFunctions;
use super::spread::{FIRST, definition_of_first};
use super::types::element_type;
use crate::parameters::convert_parameters;
use crate::writer::Writer;
use loopwright_astgen::{AstNode, FreshNames, Lowering};
use loopwright_device::{KernelPlan, Transfers};
use loopwright_presburger::Result;
use loopwright_scop::{ArrayId, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// How kernels of CUDA are launched whose blocks wait for each other.
const TOGETHER: &str = include_str!("cuda_together.h");

/// A region for a device, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceRegion {
    /// The name of the function that stands for the region.
    pub name: String,
    /// The names of the kernels.
    pub kernels: Vec<String>,
    /// Macros that its kernels and its function use, and the lines that end them.
    pub macros: (String, String),
    /// The functions that its kernels call.
    pub functions: Vec<String>,
    /// The text of the kernels.
    pub kernel_text: String,
    /// The text of the function.
    pub function_text: String,
    /// The declaration of the function for the program, with its semicolon.
    pub declaration: String,
    /// The call of the function: 0 if it has done what the region does.
    pub call: String,
}

/// Prints a region whose tree has kernels (`loopwright_schedule::KernelMark`) around all statements, with the sizes that are
/// planned for some of them. `texts` are those of functions of the program that only compute a value, `about` says what it is made of, `names` knows the names that the region uses,
/// and the last flag says whether threads keep elements of memory in registers while an innermost loop uses them.
///
/// # Errors
/// If a statement stands outside of all kernels, or an expression cannot be written.
pub fn print_device_region(
    (scop, transfers, texts): (&Scop, &Transfers, &BTreeMap<String, String>),
    (ast, plans): (&AstNode, &[KernelPlan]),
    (name, about): (&str, &str),
    (language, names, keeps_elements): (Language, FreshNames, bool),
) -> Result<DeviceRegion> {
    let program = ProgramFunctions::of(texts);
    let called = functions::called(scop, &program);
    let library = called.iter().filter_map(|name| functions::definition(name, language));
    let mut functions: Vec<String> =
        library.chain(program.definitions(&called, language)).collect();
    let scop = &functions::with_own_functions(scop, &program);
    let mut lowering = Lowering::new(names);
    convert_parameters(scop, &mut lowering);
    let spelling = (language, keeps_elements);
    let rows = Memory::new(spelling, scop, transfers, &mut lowering)?;
    let scop = &with_one_subscript(scop, &rows);
    let memory = Memory::new(spelling, scop, transfers, &mut lowering)?;
    let handles: BTreeMap<Argument, String> = arrays(transfers)
        .map(|id| {
            let wanted = format!("{}_device", memory.array(id).tuple_name);
            (Argument::Array(id), lowering.fresh(&wanted))
        })
        .collect();
    let mut writer = Writer::new("  ");
    let mut host = HostPrinter {
        memory: &memory,
        lowering: &mut lowering,
        writer: &mut writer,
        region: name,
        kernels: Vec::new(),
        names: BTreeMap::new(),
        around: Vec::new(),
        handles: &handles,
        plans,
    };
    host.node(ast)?;
    let kernels = host.kernels;
    let launches = writer.finish().text;
    let function = Function { memory: &memory, name, about, kernels: &kernels, handles: &handles };
    let (function_text, arguments) = function.text(&launches, &mut lowering)?;
    let list = |text: &dyn Fn(&Argument) -> String| -> String {
        arguments.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let declared = list(&|argument| argument.of_region(&memory));
    let declared = if declared.is_empty() { "void".to_string() } else { declared };
    let call = format!("{name}({})", list(&|argument| argument.of_call(&memory)));
    let comment = format!("/* {about} */\n");
    let kernel_text: String =
        kernels.iter().map(|kernel| format!("{comment}{}\n", kernel.text)).collect();
    if words(&kernel_text).contains(FIRST) {
        functions.push(definition_of_first(language));
    }
    if words(&kernel_text).contains(matrix::MATRIX) {
        functions.push(matrix::DEFINITION.to_string());
    }
    if kernels.iter().any(|kernel| kernel.runs_together) {
        functions.push(TOGETHER.to_string());
    }
    Ok(DeviceRegion {
        name: name.to_string(),
        kernels: kernels.into_iter().map(|kernel| kernel.name).collect(),
        macros: macros(&mut lowering),
        functions,
        kernel_text,
        function_text,
        declaration: format!("extern int {name}({declared});"),
        call,
    })
}

/// The region whose statements use one subscript where several depend on data.
fn with_one_subscript(scop: &Scop, memory: &Memory<'_>) -> Scop {
    let mut scop = scop.clone();
    for statement in &mut scop.statements {
        statement.body =
            with_linear_subscripts(&statement.body, &|array| memory.rows(array).to_vec());
    }
    scop
}

fn arrays(transfers: &Transfers) -> impl Iterator<Item = ArrayId> + '_ {
    transfers.arrays.iter().map(|own| own.array)
}

/// The definitions of the macros of expressions, and their ends.
fn macros(lowering: &mut Lowering) -> (String, String) {
    let all = lowering.definitions();
    let definitions = all.iter().map(|(_, definition)| format!("{definition}\n")).collect();
    (definitions, all.iter().map(|(name, _)| format!("#undef {name}\n")).collect())
}

/// The function that stands for a region.
struct Function<'a> {
    memory: &'a Memory<'a>,
    name: &'a str,
    about: &'a str,
    kernels: &'a [Kernel],
    handles: &'a BTreeMap<Argument, String>,
}

impl Function<'_> {
    /// Its text, and its arguments.
    fn text(&self, launches: &str, lowering: &mut Lowering) -> Result<(String, Vec<Argument>)> {
        let used: BTreeSet<&Argument> =
            self.kernels.iter().flat_map(|kernel| &kernel.arguments).collect();
        let own = |own: &&loopwright_device::DeviceArray| {
            used.contains(&Argument::Array(own.array)) || own.copy_out.is_some()
        };
        let arrays: Vec<_> = self.memory.transfers.arrays.iter().filter(own).collect();
        let mut writer = Writer::new("  ");
        let mut allocation = BTreeMap::new();
        for own in &arrays {
            let handle = &self.handles[&Argument::Array(own.array)];
            let bytes =
                lowering.fresh(&format!("{}_bytes", self.memory.array(own.array).tuple_name));
            allocation.insert(own.array, (handle.clone(), bytes));
        }
        let mut copies = Copies { memory: self.memory, lowering, writer: &mut writer };
        for own in &arrays {
            let (handle, bytes) = &allocation[&own.array];
            copies.allocate(own, (handle, bytes))?;
        }
        for own in &arrays {
            if let Some(elements) = &own.copy_in {
                copies.copy(own, elements, (&allocation[&own.array].0, Direction::In))?;
            }
        }
        let before = writer.finish().text;
        let mut writer = Writer::new("  ");
        let mut copies = Copies { memory: self.memory, lowering, writer: &mut writer };
        for own in &arrays {
            if let Some(elements) = &own.copy_out {
                copies.copy(own, elements, (&allocation[&own.array].0, Direction::Out))?;
            }
        }
        let after = writer.finish().text;
        let has_host_memory = |argument: &Argument| match argument {
            Argument::Array(id) => self
                .memory
                .transfers
                .of(*id)
                .is_some_and(|own| own.copy_in.is_some() || own.copy_out.is_some()),
            _ => true,
        };
        let everything = format!("{before}{launches}{after}");
        let arguments: Vec<Argument> = arguments_of(&everything, self.memory)
            .into_iter()
            .filter(|argument| has_host_memory(argument))
            .collect();
        let declared: Vec<String> =
            arguments.iter().map(|argument| argument.of_region(self.memory)).collect();
        let declared = if declared.is_empty() { "void".to_string() } else { declared.join(", ") };
        let linkage = match self.memory.language {
            Language::Cuda => "extern \"C\" int",
            Language::OpenCl => "int",
        };
        let mut text = format!(
            "/* {} 0: done. Otherwise nothing has changed, and the processor has to do it. */\n",
            self.about
        );
        text.push_str(&format!("{linkage} {}({declared})\n{{\n  int lw_status = 1;\n", self.name));
        for own in &arrays {
            let (handle, bytes) = &allocation[&own.array];
            let element = element_type(self.memory.array(own.array)).unwrap_or_default();
            let memory = self.memory.language.handle(element);
            text.push_str(&format!(
                "  {memory}{handle} = NULL;\n  size_t {bytes} = sizeof({element});\n"
            ));
        }
        let n_kernels = match self.memory.language {
            Language::Cuda => 0,
            Language::OpenCl => self.kernels.len(),
        };
        for variable in (0..n_kernels).map(kernel_variable) {
            text.push_str(&format!("  cl_kernel {variable} = NULL;\n"));
        }
        text.push_str("  LW_TRY(lw_start());\n");
        text.push_str(&before);
        text.push_str(launches);
        text.push_str("  LW_TRY(lw_wait());\n");
        text.push_str(&after);
        text.push_str("  lw_status = 0;\nlw_end:\n");
        for (handle, _) in allocation.values() {
            text.push_str(&format!("  lw_release({handle});\n"));
        }
        for variable in (0..n_kernels).map(kernel_variable) {
            text.push_str(&format!("  lw_release_kernel({variable});\n"));
        }
        text.push_str("  return lw_status;\n}\n");
        Ok((text, arguments))
    }
}
