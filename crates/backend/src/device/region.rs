//! All of a region for a device: its kernels, and the function that stands for it.
use super::arguments::{Argument, words};
use super::element::Memory;
use super::functions;
use super::host::{Attempt, HostPrinter};
use super::language::Language;
use super::linear_subscripts::with_linear_subscripts;
use super::matrix;
use super::overlap::{CopyOptions, Steps};
use super::plain_words::with_plain_words;
use super::program_functions::ProgramFunctions;
use super::region_function::Function;
use super::spread::{FIRST, definition_of_first};
use super::types::parameter_type;
use super::value_ranges::most_of_parameters;
use super::width::Width;
use crate::parameters::convert_parameters;
use crate::writer::Writer;
use loopwright_astgen::{AstNode, FreshNames, Lowering};
use loopwright_device::{KernelPlan, Transfers};
use loopwright_presburger::{Name, Result};
use loopwright_scop::{ArrayId, Parameter, ProgramWords, Scop};
use std::collections::BTreeMap;

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
    /// The most that parameters may be, if iterators of its kernels have 32 bits; its function checks that.
    /// None if they have 64.
    pub most_of_parameters: Option<i64>,
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

/// How kernels are written.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// Their language.
    pub language: Language,
    /// The names that the region uses.
    pub names: FreshNames,
    /// Whether threads keep elements of memory in registers while an innermost loop uses them.
    pub keeps_elements: bool,
    /// Whether iterators have 32 bits where all that is computed with them fits, if sizes are not too large,
    /// which is checked where kernels are launched.
    pub may_be_short: bool,
    /// How data is copied.
    pub copies: CopyOptions,
}

/// Prints a region whose tree has kernels (`loopwright_schedule::KernelMark`) around all statements, with the
/// sizes that are planned for some of them. `meant` says what names of the program mean, `about` what it is
/// made of.
///
/// # Errors
/// If a statement stands outside of all kernels, or an expression cannot be written.
pub fn print_device_region(
    (scop, transfers, meant): (&Scop, &Transfers, &ProgramWords),
    (ast, plans): (&AstNode, &[KernelPlan]),
    (name, about): (&str, &str),
    Spelling { language, names, keeps_elements, may_be_short, copies: options }: Spelling,
) -> Result<DeviceRegion> {
    let scop = &with_plain_words(scop, &meant.meanings);
    let program = ProgramFunctions::of(&meant.functions);
    let called = functions::called(scop, &program);
    let library = called.iter().filter_map(|name| functions::definition(name, language));
    let mut functions: Vec<String> =
        library.chain(program.definitions(&called, language)).collect();
    let scop = &functions::with_own_functions(scop, &program, language);
    let mut lowering = Lowering::new(names);
    convert_parameters(scop, &mut lowering);
    let most = if may_be_short { most_of_parameters(scop, (ast, plans))? } else { None };
    let spelling = (language, Width::Long, keeps_elements);
    let rows = Memory::new(spelling, scop, transfers, &mut lowering)?;
    let scop = &with_one_subscript(scop, &rows);
    let memory = Memory::new(spelling, scop, transfers, &mut lowering)?;
    let parameters = short_parameters(scop);
    let memory_of_kernels = match most {
        None => Memory::new(spelling, scop, transfers, &mut lowering)?,
        Some(_) => lowering.with_parameters(&parameters, |lowering| {
            Memory::new((language, Width::Short, keeps_elements), scop, transfers, lowering)
        })?,
    };
    let width = memory_of_kernels.width;
    let handles: BTreeMap<Argument, String> = arrays(transfers)
        .map(|id| {
            let wanted = format!("{}_device", memory.array(id).tuple_name);
            (Argument::Array(id), lowering.fresh(&wanted))
        })
        .collect();
    let steps = Steps::of(ast, scop, options);
    let mut host = HostPrinter {
        memory: &memory,
        memory_of_kernels: &memory_of_kernels,
        parameters,
        lowering: &mut lowering,
        writer: Writer::new("  "),
        attempt: Attempt::Try,
        region: name,
        kernels: Vec::new(),
        names: BTreeMap::new(),
        around: Vec::new(),
        handles: &handles,
        plans,
    };
    let mut launches = Vec::new();
    for (position, node) in steps.nodes().enumerate() {
        launches.push(host.step(node, steps.attempt(transfers, position))?);
    }
    let kernels = host.kernels;
    let made_of = (&memory, name, about);
    let function = Function { made_of, kernels: &kernels, handles: &handles, steps, options, most };
    let (function_text, arguments) = function.text(&launches, &mut lowering)?;
    let list = |text: &dyn Fn(&Argument) -> String| -> String {
        arguments.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let declared = list(&|argument| argument.of_program(&memory));
    let declared = if declared.is_empty() { "void".to_string() } else { declared };
    let call = format!("{name}({})", list(&|argument| argument.of_call(&memory)));
    let comment = format!("/* {about} */\n");
    let kernel_text: String =
        kernels.iter().map(|kernel| format!("{comment}{}\n", kernel.text)).collect();
    if words(&kernel_text).contains(FIRST) {
        functions.push(definition_of_first(language, width));
    }
    let used = words(&kernel_text);
    let of_matrices = matrix::INSTRUCTIONS.iter().filter(|own| used.contains(own.function));
    functions.extend(of_matrices.map(|own| own.definition.to_string()));
    if kernels.iter().any(|kernel| kernel.runs_together) {
        functions.push(TOGETHER.to_string());
    }
    Ok(DeviceRegion {
        name: name.to_string(),
        kernels: kernels.into_iter().map(|kernel| kernel.name).collect(),
        macros: macros(&mut lowering),
        most_of_parameters: most,
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

/// The texts of parameters that are no longer than `int`, whatever their types are.
fn short_parameters(scop: &Scop) -> Vec<(Name, Name)> {
    let text = |own: &Parameter| match parameter_type(&own.c_type) {
        Some("int" | "short" | "signed char") => own.name.clone(),
        _ => format!("(int) {}", own.name).into(),
    };
    scop.parameters.iter().map(|own| (own.name.clone(), text(own))).collect()
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
