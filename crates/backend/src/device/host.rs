//! The code of the host around kernels: loops and conditions as they are, and a launch in place of each
//! kernel.
use super::arguments::Argument;
use super::element::Memory;
use super::extents::Sizes;
use super::kernel::{Kernel, kernel, misplaced, open_loop};
use super::language::Language;
use super::value_ranges;
use super::width::Width;
use crate::writer::Writer;
use loopwright_astgen::{AstExpr, AstNode, Lowering};
use loopwright_device::KernelPlan;
use loopwright_presburger::{Name, Result};
use loopwright_schedule::{Axis, KernelMark};
use std::collections::BTreeMap;

/// The most blocks along the first axis, and along the others.
const MOST_BLOCKS: [i64; 3] = [2147483647, 65535, 65535];

/// What the host does where a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The processor does the work: nothing has come back.
    Try,
    /// There is no way on.
    Must,
}

impl Attempt {
    /// The macro around calls.
    pub(super) fn name(self) -> &'static str {
        match self {
            Attempt::Try => "LW_TRY",
            Attempt::Must => "LW_MUST",
        }
    }
}

/// Prints what the host does between the copies.
pub(super) struct HostPrinter<'a> {
    pub(super) memory: &'a Memory<'a>,
    /// The same as kernels have it.
    pub(super) memory_of_kernels: &'a Memory<'a>,
    /// The texts of parameters in kernels, where these are other ones.
    pub(super) parameters: Vec<(Name, Name)>,
    pub(super) lowering: &'a mut Lowering,
    pub(super) writer: Writer,
    /// What the host does where a call fails.
    pub(super) attempt: Attempt,
    /// What the names of kernels begin with.
    pub(super) region: &'a str,
    /// The kernels so far.
    pub(super) kernels: Vec<Kernel>,
    /// How often each name was used.
    pub(super) names: BTreeMap<Name, usize>,
    /// The iterators of the loops around, in the tree and in the text.
    pub(super) around: Vec<(Name, Name)>,
    /// The names of the variables that stand for memory of the device.
    pub(super) handles: &'a BTreeMap<Argument, String>,
    /// The sizes of kernels, where they are planned.
    pub(super) plans: &'a [KernelPlan],
}

impl HostPrinter<'_> {
    /// The text of a part of what the host does.
    pub(super) fn step(&mut self, node: &AstNode, attempt: Attempt) -> Result<String> {
        self.attempt = attempt;
        self.node(node)?;
        Ok(std::mem::replace(&mut self.writer, Writer::new("  ")).finish().text)
    }

    fn node(&mut self, node: &AstNode) -> Result<()> {
        match node {
            AstNode::For(each) => {
                open_loop(each, Width::Long, self.lowering, &mut self.writer)?;
                let name = self.lowering.iterator(&each.iterator);
                self.around.push((each.iterator.clone(), name));
                self.node(&each.body)?;
                self.around.pop();
                self.writer.depth_out();
                self.writer.line("}");
                Ok(())
            }
            AstNode::If { condition, then, otherwise } => {
                let condition = self.lowering.lower(condition);
                self.writer.line(&format!("if ({condition}) {{"));
                self.writer.depth_in();
                self.node(then)?;
                self.writer.depth_out();
                if let Some(otherwise) = otherwise {
                    self.writer.line("} else {");
                    self.writer.depth_in();
                    self.node(otherwise)?;
                    self.writer.depth_out();
                }
                self.writer.line("}");
                Ok(())
            }
            AstNode::Block(children) => children.iter().try_for_each(|child| self.node(child)),
            AstNode::Mark { name, child, .. } => match KernelMark::parse(name) {
                Some(mark) => self.launch(&mark, child),
                None => self.node(child),
            },
            AstNode::User { .. } => Err(misplaced("a statement outside of all kernels")),
        }
    }

    /// A kernel and its launch. Where code for a mark stands more than once, each place has a kernel of its
    /// own.
    fn launch(&mut self, mark: &KernelMark, body: &AstNode) -> Result<()> {
        let times = self.names.entry(mark.name.clone()).or_insert(0);
        *times += 1;
        let name = match *times {
            1 => format!("{}_{}", self.region, mark.name),
            more => format!("{}_{}_{more}", self.region, mark.name),
        };
        let mut sizes = Sizes::of(body);
        if let Some(plan) = self.plans.iter().find(|plan| plan.name == mark.name) {
            sizes = sizes.limited(plan);
        }
        let kernel = self.kernel(name, (body, sizes))?;
        self.writer.line("{");
        self.writer.depth_in();
        let blocks = Axis::ALL.map(|axis| self.blocks(&kernel, axis));
        match self.memory.language {
            Language::Cuda => self.cuda_launch(&kernel, &blocks),
            Language::OpenCl => self.opencl_launch(&kernel, &blocks),
        }
        self.writer.depth_out();
        self.writer.line("}");
        self.kernels.push(kernel);
        Ok(())
    }

    fn kernel(&mut self, name: String, (body, sizes): (&AstNode, Sizes)) -> Result<Kernel> {
        let around: Vec<Name> = self.around.iter().map(|(_, name)| name.clone()).collect();
        let memory = self.memory_of_kernels;
        if memory.width == Width::Long {
            return kernel(name, (body, sizes), &around, memory, self.lowering);
        }
        let iterator = |(own, name): &(Name, Name)| (own.clone(), format!("(int) {name}").into());
        let texts = self.around.iter().map(iterator).chain(self.parameters.iter().cloned());
        let texts: Vec<(Name, Name)> = texts.collect();
        self.lowering.with_parameters(&texts, |lowering| {
            kernel(name, (body, sizes), &around, memory, lowering)
        })
    }

    /// The number of blocks along an axis.
    fn blocks(&mut self, kernel: &Kernel, axis: Axis) -> String {
        let bounds = &kernel.sizes.blocks[axis as usize];
        if bounds.is_empty() {
            return "1".to_string();
        }
        let wanted = self.lowering.lower(&AstExpr::max(bounds.clone()));
        let mut most =
            kernel.sizes.most_blocks[axis as usize].unwrap_or(MOST_BLOCKS[axis as usize]);
        if self.memory_of_kernels.width == Width::Short {
            most = most.min(value_ranges::MOST_BLOCKS);
        }
        format!("lw_blocks({wanted}, {most})")
    }

    fn argument_names(&self, kernel: &Kernel) -> Vec<String> {
        let name = |argument: &Argument| match self.handles.get(argument) {
            Some(handle) => handle.clone(),
            None => argument.name(self.memory).to_string(),
        };
        kernel.arguments.iter().map(name).collect()
    }

    fn cuda_launch(&mut self, kernel: &Kernel, blocks: &[String; 3]) {
        let [x, y, z] = kernel.sizes.threads;
        self.writer.line(&format!("const dim3 lw_grid({});", blocks.join(", ")));
        self.writer.line(&format!("const dim3 lw_block({x}, {y}, {z});"));
        let arguments = self.argument_names(kernel);
        if kernel.runs_together {
            let few = kernel.few_blocks.to_string();
            let sizes = [&*few, &*kernel.name, "lw_grid", "lw_block"].map(String::from);
            let all = [&sizes[..], &arguments].concat().join(", ");
            return self
                .writer
                .line(&format!("{}(lw_launch_together({all}));", self.attempt.name()));
        }
        let arguments = arguments.join(", ");
        self.writer.line(&format!("{}<<<lw_grid, lw_block>>>({arguments});", kernel.name));
        self.writer.line(&format!("{}(cudaGetLastError());", self.attempt.name()));
    }

    fn opencl_launch(&mut self, kernel: &Kernel, blocks: &[String; 3]) {
        let [x, y, z] = kernel.sizes.threads;
        let items: Vec<String> = blocks
            .iter()
            .zip([x, y, z])
            .map(|(blocks, threads)| match (blocks.as_str(), threads) {
                (blocks, 1) => blocks.to_string(),
                ("1", threads) => threads.to_string(),
                (blocks, threads) => format!("{threads} * {blocks}"),
            })
            .collect();
        let variable = kernel_variable(self.kernels.len());
        let attempt = self.attempt.name();
        self.writer.line(&format!("{attempt}(lw_kernel_of(&{variable}, \"{}\"));", kernel.name));
        self.writer.line(&format!("const size_t lw_block[3] = {{{x}, {y}, {z}}};"));
        self.writer.line(&format!("const size_t lw_items[3] = {{{}}};", items.join(", ")));
        for (position, name) in self.argument_names(kernel).iter().enumerate() {
            let line = format!(
                "{attempt}(clSetKernelArg({variable}, {position}, sizeof {name}, &{name}));"
            );
            self.writer.line(&line);
        }
        self.writer.line(&format!(
            "{attempt}(clEnqueueNDRangeKernel(lw_queue, {variable}, 3, NULL, lw_items, lw_block, 0, NULL, NULL));"
        ));
    }
}

/// The variable of a region's function that is its kernel with a number, in OpenCL.
pub(super) fn kernel_variable(number: usize) -> String {
    format!("lw_kernel{number}")
}
