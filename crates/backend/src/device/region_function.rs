//! The function that stands for a region: memory, copies, launches, copies back.
use super::arguments::{Argument, arguments_of};
use super::copies::{Copies, Direction};
use super::element::Memory;
use super::host::{Attempt, kernel_variable};
use super::kernel::Kernel;
use super::language::Language;
use super::overlap::{CopyOptions, Steps};
use super::types::element_type;
use crate::writer::Writer;
use loopwright_astgen::Lowering;
use loopwright_device::DeviceArray;
use loopwright_presburger::Result;
use loopwright_scop::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

/// The function that stands for a region.
pub(super) struct Function<'a> {
    /// What it is printed with, its name, and what it is made of, in words.
    pub(super) made_of: (&'a Memory<'a>, &'a str, &'a str),
    pub(super) kernels: &'a [Kernel],
    /// The variables that stand for memory of the device.
    pub(super) handles: &'a BTreeMap<Argument, String>,
    pub(super) steps: Steps<'a>,
    pub(super) options: CopyOptions,
    /// The most that parameters may be, if there is one.
    pub(super) most: Option<i64>,
}

/// The variables of an array: of its memory, and of the bytes that this has.
type Variables = BTreeMap<ArrayId, (String, String)>;

impl Function<'_> {
    fn memory(&self) -> &Memory<'_> {
        self.made_of.0
    }

    /// Its text, and its arguments; `launches` are those of each step.
    pub(super) fn text(
        &self,
        launches: &[String],
        lowering: &mut Lowering,
    ) -> Result<(String, Vec<Argument>)> {
        let used: BTreeSet<&Argument> =
            self.kernels.iter().flat_map(|kernel| &kernel.arguments).collect();
        let own = |own: &&DeviceArray| {
            used.contains(&Argument::Array(own.array)) || own.copy_out.is_some()
        };
        let arrays: Vec<&DeviceArray> = self.memory().transfers.arrays.iter().filter(own).collect();
        let mut variables = Variables::new();
        for own in &arrays {
            let handle = self.handles[&Argument::Array(own.array)].clone();
            let name = &self.memory().array(own.array).tuple_name;
            variables.insert(own.array, (handle, lowering.fresh(&format!("{name}_bytes"))));
        }
        let mut inside = self.allocations(&arrays, &variables, lowering)?;
        for (position, launches) in launches.iter().enumerate() {
            inside.push_str(&self.step(position, launches, (&arrays, &variables), lowering)?);
        }
        let arguments = self.arguments(&inside);
        let inside = format!("{}{inside}", self.checks(&arguments));
        Ok((self.around(&inside, (&arrays, &variables), &arguments), arguments))
    }

    /// The checks that iterators of kernels fit their type.
    fn checks(&self, arguments: &[Argument]) -> String {
        let parameters = |most: i64| {
            let own = arguments.iter().filter(|own| matches!(own, Argument::Parameter(_)));
            own.map(move |own| format!("  LW_FITS({}, {most});\n", own.name(self.memory())))
        };
        self.most.into_iter().flat_map(parameters).collect()
    }

    fn allocations(
        &self,
        arrays: &[&DeviceArray],
        variables: &Variables,
        lowering: &mut Lowering,
    ) -> Result<String> {
        let mut writer = Writer::new("  ");
        let memory = self.memory();
        let attempt = Attempt::Try;
        let are_short = self.most.is_some();
        let mut copies = Copies { memory, lowering, writer: &mut writer, attempt, are_short };
        for own in arrays {
            let (handle, bytes) = &variables[&own.array];
            copies.allocate(own, (handle, bytes))?;
        }
        if self.options.pinned && memory.language == Language::Cuda {
            self.pins(arrays, variables, &mut writer);
        }
        Ok(writer.finish().text)
    }

    /// Arrays that are copied stay in their pages, unless structures lie between their elements.
    fn pins(&self, arrays: &[&DeviceArray], variables: &Variables, writer: &mut Writer) {
        let memory = self.memory();
        let is_apart = |own: &&DeviceArray| !memory.host(own.array).strides.is_empty();
        if arrays.iter().any(is_apart) {
            return;
        }
        let is_copied = |own: &&DeviceArray| own.copy_in.is_some() || own.copy_out.is_some();
        for own in arrays.iter().copied().filter(is_copied) {
            let array = memory.array(own.array);
            if !array.extents.is_empty() {
                let bytes = &variables[&own.array].1;
                writer.line(&format!("lw_pin({}, {bytes});", array.tuple_name));
            }
        }
        writer.line("lw_pin_all();");
    }

    /// A step, behind the copies of what it is the first to have, and in front of those of what it is the
    /// last to write.
    fn step(
        &self,
        position: usize,
        launches: &str,
        (arrays, variables): (&[&DeviceArray], &Variables),
        lowering: &mut Lowering,
    ) -> Result<String> {
        let (memory, steps) = (self.memory(), &self.steps);
        let attempt = steps.attempt(memory.transfers, position);
        let mut copied = |direction: Direction| -> Result<String> {
            let mut writer = Writer::new("  ");
            let are_short = self.most.is_some();
            let mut copies = Copies { memory, lowering, writer: &mut writer, attempt, are_short };
            for own in arrays {
                let elements = match direction {
                    Direction::In => own.copy_in.as_ref().filter(|_| steps.arrives(own, position)),
                    Direction::Out => own.copy_out.as_ref().filter(|_| steps.leaves(own, position)),
                };
                if let Some(elements) = elements {
                    copies.copy(own, elements, (&variables[&own.array].0, direction))?;
                }
            }
            Ok(writer.finish().text)
        };
        let mut text = copied(Direction::In)?;
        if self.options.overlapped && !text.is_empty() {
            text.push_str(&format!("  {}(lw_kernels_await_copies());\n", attempt.name()));
        }
        text.push_str(launches);
        let back = copied(Direction::Out)?;
        let is_last = position == steps.last();
        if is_last {
            text.push_str(&format!("  {}(lw_wait());\n", attempt.name()));
        } else if !back.is_empty() {
            text.push_str(&format!("  {}(lw_copies_await_kernels());\n", attempt.name()));
        }
        text.push_str(&back);
        if is_last && self.options.overlapped {
            text.push_str("  LW_MUST(lw_await_copies());\n");
        }
        Ok(text)
    }

    /// What the text of the function uses.
    fn arguments(&self, inside: &str) -> Vec<Argument> {
        let memory = self.memory();
        let has_host_memory = |argument: &Argument| match argument {
            Argument::Array(id) => memory
                .transfers
                .of(*id)
                .is_some_and(|own| own.copy_in.is_some() || own.copy_out.is_some()),
            _ => true,
        };
        arguments_of(inside, memory).into_iter().filter(has_host_memory).collect()
    }

    /// The head, the variables and the end around what the function does.
    fn around(
        &self,
        inside: &str,
        (arrays, variables): (&[&DeviceArray], &Variables),
        arguments: &[Argument],
    ) -> String {
        let (memory, name, about) = self.made_of;
        let declared: Vec<String> =
            arguments.iter().map(|argument| argument.of_region(memory)).collect();
        let declared = if declared.is_empty() { "void".to_string() } else { declared.join(", ") };
        let (linkage, n_kernels) = match memory.language {
            Language::Cuda => ("extern \"C\" int", 0),
            Language::OpenCl => ("int", self.kernels.len()),
        };
        let mut text = format!(
            "/* {about} 0: done. Otherwise nothing has changed, and the processor has to do it. */\n"
        );
        text.push_str(&format!("{linkage} {name}({declared})\n{{\n  int lw_status = 1;\n"));
        for own in arrays {
            let (handle, bytes) = &variables[&own.array];
            let array = memory.array(own.array);
            let element = element_type(array, memory.language).unwrap_or_default();
            let own = memory.language.handle(element);
            text.push_str(&format!(
                "  {own}{handle} = NULL;\n  size_t {bytes} = sizeof({element});\n"
            ));
        }
        for variable in (0..n_kernels).map(kernel_variable) {
            text.push_str(&format!("  cl_kernel {variable} = NULL;\n"));
        }
        text.push_str("  LW_TRY(lw_start());\n");
        text.push_str(inside);
        text.push_str("  lw_status = 0;\nlw_end:\n");
        if self.options.finishes(memory.language) {
            text.push_str("  lw_finish();\n");
        }
        for (handle, _) in variables.values() {
            text.push_str(&format!("  lw_release({handle});\n"));
        }
        for variable in (0..n_kernels).map(kernel_variable) {
            text.push_str(&format!("  lw_release_kernel({variable});\n"));
        }
        text.push_str("  return lw_status;\n}\n");
        text
    }
}
