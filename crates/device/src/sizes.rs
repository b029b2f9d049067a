//! How many threads a block has, and how many iterations: a model of what a thread costs.
//!
//! A thread moves the lines of memory that its block touches, shared by the threads of the block, and waits
//! for the lines that its warp asks for at once. Both depend on the shape of a block: elements side by side
//! lie in a line, and elements that threads have in common are read once. A multiprocessor reaches its rates
//! with half of the warps that it could run; with fewer it waits for memory. Where the iterations are known,
//! multiprocessors without a block and threads without an iteration cost as much as others. Candidates are
//! the shapes of powers of two.
use crate::given_sizes::KernelSizes;
use crate::occupancy::{BlockNeeds, Limit, Occupancy};
use crate::strides::{Stride, iterators_in, stride};
use loopwright_exact::Int;
use loopwright_machine::Device;
use loopwright_presburger::{Budget, DimKind, Name, Optimum, PwAff, UnionPwAff};
use loopwright_schedule::{Axis, Band};
use loopwright_scop::{Element, OperationKind, Scop, Statement};

/// The threads of a block that are taken where the model sees no difference: several blocks share a
/// multiprocessor.
const PREFERRED_THREADS: i64 = 256;

/// Candidates whose costs differ by less are the same to this model.
const SAME: f64 = 1.1;

/// Lines that the cache of a multiprocessor hands out in a cycle: 128 bytes of 32 each.
const CACHED_LINES: f64 = 4.0;

/// The share of a multiprocessor's threads that hides the time of memory: half, as is common advice.
const ENOUGH_THREADS: f64 = 0.5;

/// Registers of a thread besides those below: places, blocks, intermediate values. This and the next were
/// fitted to what nvcc 13 needs for the kernels of PolyBench.
const OWN_REGISTERS: u64 = 12;

/// Registers for each loop and each array: numbers of 8 bytes.
const WIDE_REGISTERS: u64 = 2;

/// Registers of a division of floating numbers, which is a function.
const DIVISION_REGISTERS: u64 = 8;

/// Steps for the bounds of a loop.
const STEPS: u64 = 20_000;

/// The sizes of a kernel and what they lead to, by the model. Lists have an entry for each axis, `x` first.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelPlan {
    /// The kernel's name.
    pub name: Name,
    /// Iterations of a block.
    pub tile: Vec<i64>,
    /// Threads of a block.
    pub threads: Vec<i64>,
    /// The most blocks, where that is given.
    pub most_blocks: Vec<Option<i64>>,
    /// The number of blocks, if the program tells it.
    pub blocks: Option<u64>,
    /// Registers of a thread, estimated.
    pub registers: u64,
    /// The blocks of a multiprocessor.
    pub occupancy: Occupancy,
    /// Whether the sizes are given by the user.
    pub is_given: bool,
}

/// What the model knows of a kernel: its loops that become blocks and threads, the slowest first.
pub(crate) struct Kernel<'a> {
    device: &'a Device,
    /// Iterations of each loop, where these are known.
    extents: Vec<Option<i64>>,
    /// The accesses of the statements of the most loops.
    accesses: Vec<Access>,
    registers: u64,
}

/// An access of a thread.
struct Access {
    bytes: f64,
    /// Its stride along each of the loops.
    strides: Vec<Stride>,
    /// Whether a loop inside moves to the element beside it, so that lines serve several iterations.
    is_walked: bool,
}

impl<'a> Kernel<'a> {
    /// The kernel whose loops are these members of a band, the slowest first.
    pub(crate) fn of(band: &Band, members: &[usize], scop: &Scop, device: &'a Device) -> Self {
        let members: Vec<&UnionPwAff> =
            members.iter().map(|&member| &band.schedule.members()[member]).collect();
        let statements: Vec<&Statement> = scop
            .statements
            .iter()
            .filter(|statement| !statement.is_kill)
            .filter(|statement| members.iter().any(|member| part_of(member, statement).is_some()))
            .collect();
        let depth = |statement: &&Statement| statement.domain.n(DimKind::Out);
        let deepest = statements.iter().map(depth).max().unwrap_or(0);
        let of_most = statements.iter().filter(|statement| depth(statement) == deepest);
        let accesses = of_most.flat_map(|statement| accesses_of(statement, &members, scop));
        let mut arrays: Vec<_> = statements
            .iter()
            .flat_map(|statement| statement.body.elements())
            .map(|element| element.array)
            .filter(|array| !scop.array(*array).is_scalar())
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        let operands = statements.iter().map(|s| s.body.elements().len()).max().unwrap_or(0);
        let divides = |s: &&Statement| s.body.operations(scop).at_least(OperationKind::Divide) > 0;
        let division = if statements.iter().any(divides) { DIVISION_REGISTERS } else { 0 };
        let wide = arrays.len() as u64 + deepest as u64 + operands.min(6) as u64;
        Kernel {
            device,
            extents: members.iter().map(|member| extent(member, scop)).collect(),
            accesses: accesses.collect(),
            registers: (OWN_REGISTERS + WIDE_REGISTERS * wide + division)
                .min(device.thread_registers),
        }
    }

    /// The sizes of the kernel: the given ones, or those that the model takes.
    pub(crate) fn plan(&self, name: Name, given: &KernelSizes) -> KernelPlan {
        let n = self.extents.len();
        let is_given = !given.tile.is_empty() || !given.block.is_empty();
        let of_model = self.cheapest();
        // Where fewer sizes are given than there are loops, the others have one.
        let or_one = |sizes: &[i64]| -> Vec<i64> {
            (0..n).map(|at| sizes.get(at).copied().unwrap_or(1)).collect()
        };
        let (tile, mut threads) = match (&given.tile[..], &given.block[..]) {
            ([], []) => (of_model.clone(), of_model),
            ([], block) => (or_one(block), or_one(block)),
            (tile, []) => (or_one(tile), or_one(tile)),
            (tile, block) => (or_one(tile), or_one(block)),
        };
        for (threads, tile) in threads.iter_mut().zip(&tile) {
            *threads = (*threads).min(*tile);
        }
        let most = i64::try_from(self.device.block_threads).unwrap_or(i64::MAX);
        while threads.iter().product::<i64>() > most {
            let widest = (0..n).max_by_key(|&at| (threads[at], n - at)).unwrap_or(0);
            threads[widest] = (threads[widest] / 2).max(1);
        }
        let count =
            |at: usize| Some(self.extents[at]?.max(0) as u64).map(|n| n.div_ceil(tile[at] as u64));
        let blocks = (0..n).map(count).try_fold(1u64, |all, own| Some(all.saturating_mul(own?)));
        let occupancy = self.occupancy(&threads);
        let x_first = |list: &[i64]| list.iter().rev().copied().collect::<Vec<_>>();
        KernelPlan {
            name,
            tile: x_first(&tile),
            threads: x_first(&threads),
            most_blocks: (0..n).rev().map(|at| given.grid.get(at).copied()).collect(),
            blocks,
            registers: self.registers,
            occupancy,
            is_given,
        }
    }

    fn occupancy(&self, threads: &[i64]) -> Occupancy {
        let threads = threads.iter().product::<i64>().max(1) as u64;
        let registers = self.registers;
        Occupancy::of(&BlockNeeds { threads, registers, shared_bytes: 0 }, self.device)
    }

    /// The shape that costs least; of shapes that cost about the same, one with a warp along the fastest axis
    /// and a common number of threads.
    fn cheapest(&self) -> Vec<i64> {
        let shapes = self.shapes();
        let costs: Vec<f64> = shapes.iter().map(|shape| self.cost(shape)).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let warp = self.device.warp_threads as i64;
        let fitness = |shape: &Vec<i64>| {
            let threads: i64 = shape.iter().product();
            let distance = (threads.ilog2() as i64 - PREFERRED_THREADS.ilog2() as i64).abs();
            let fastest = shape.last().copied().unwrap_or(1);
            (distance, (fastest.ilog2() as i64 - warp.ilog2() as i64).abs(), shape.clone())
        };
        let same = shapes.iter().zip(&costs).filter(|(_, cost)| **cost <= least * SAME);
        let best = same.map(|(shape, _)| shape).min_by_key(|shape| fitness(shape));
        best.cloned().unwrap_or_else(|| vec![1; self.extents.len()])
    }

    /// All shapes of powers of two, of a warp at least and no more than a block may have. No axis has twice
    /// as many threads as it has iterations.
    fn shapes(&self) -> Vec<Vec<i64>> {
        let most = i64::try_from(self.device.block_threads).unwrap_or(1024).max(1);
        let mut shapes: Vec<Vec<i64>> = vec![Vec::new()];
        for extent in &self.extents {
            let widest =
                extent.map_or(most, |extent| (extent.max(1) as u64).next_power_of_two() as i64);
            let sizes = || (0..).map(|at| 1i64 << at).take_while(|size| *size <= widest.min(most));
            shapes = shapes
                .iter()
                .flat_map(|shape| sizes().map(|size| [&shape[..], &[size]].concat()))
                .filter(|shape| shape.iter().product::<i64>() <= most)
                .collect();
        }
        let least = |shape: &Vec<i64>| shape.iter().product::<i64>();
        let warp =
            (self.device.warp_threads as i64).min(shapes.iter().map(least).max().unwrap_or(1));
        shapes.retain(|shape| least(shape) >= warp);
        shapes
    }

    /// Cycles of a multiprocessor for a thread that has an iteration.
    fn cost(&self, shape: &[i64]) -> f64 {
        let device = self.device;
        let threads = shape.iter().product::<i64>() as f64;
        let line = device.memory_line_bytes as f64;
        let cycles = device.multiprocessors as f64 * device.clock_mhz as f64;
        let bytes_per_cycle = device.memory_megabytes_per_second as f64 / cycles;
        let warp = self.warp_of(shape);
        let in_warp = warp.iter().product::<i64>() as f64;
        let of_access = |access: &Access| {
            let moved = access.lines(shape, line) * line / bytes_per_cycle / threads;
            let asked = (access.lines(&warp, line).ceil() / CACHED_LINES).max(1.0) / in_warp;
            moved + asked
        };
        let cycles: f64 = self.accesses.iter().map(of_access).sum::<f64>() + 1.0 / in_warp;
        let occupancy = self.occupancy(shape);
        if occupancy.blocks == 0 {
            return f64::INFINITY;
        }
        let of_blocks: Option<Vec<u64>> = self
            .extents
            .iter()
            .zip(shape)
            .map(|(extent, size)| Some(((*extent)?.max(1) as u64).div_ceil(*size as u64)))
            .collect();
        let enough = device.multiprocessor_threads as f64 * ENOUGH_THREADS;
        match of_blocks {
            None => cycles / (occupancy.threads as f64 / enough).min(1.0),
            Some(blocks) => {
                let n_blocks = blocks.iter().product::<u64>();
                let of_each = n_blocks.div_ceil(device.multiprocessors);
                let at_once = of_each.min(occupancy.blocks) as f64 * threads;
                let all = self.extents.iter().map(|extent| extent.unwrap_or(1).max(1) as f64);
                let share = all.product::<f64>() / device.multiprocessors as f64;
                let work = of_each as f64 * threads / share;
                cycles * work / (at_once / enough).min(1.0)
            }
        }
    }

    /// The shape of a warp in a block: the first threads along the fastest axes.
    fn warp_of(&self, shape: &[i64]) -> Vec<i64> {
        let mut left = self.device.warp_threads as i64;
        let mut warp: Vec<i64> = shape
            .iter()
            .rev()
            .map(|&size| {
                let own = size.min(left.max(1));
                left /= own;
                own
            })
            .collect();
        warp.reverse();
        warp
    }
}

impl Access {
    /// The lines that threads of this shape touch in an iteration of the loops inside.
    fn lines(&self, shape: &[i64], line: f64) -> f64 {
        let (mut beside, mut apart) = (1.0f64, 1.0f64);
        for (stride, size) in self.strides.iter().zip(shape) {
            match stride {
                Stride::None => {}
                Stride::Unit => beside *= *size as f64,
                Stride::Apart => apart *= *size as f64,
            }
        }
        let of_line = (line / self.bytes).max(1.0);
        match self.is_walked {
            true => apart * beside.max(1.0) / of_line,
            false => apart * (beside / of_line).max(1.0),
        }
    }
}

impl KernelPlan {
    /// The sizes and what they lead to, in one sentence.
    pub fn sentence(&self) -> String {
        let by = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
        let Occupancy { blocks, limit, .. } = self.occupancy;
        let mut text = format!("{}: blocks of {} threads", self.name, by(&self.threads));
        if self.tile != self.threads {
            text.push_str(&format!(" for {} iterations", by(&self.tile)));
        }
        if let Some(blocks) = self.blocks {
            text.push_str(&format!(", {blocks} of them"));
        }
        let why = match limit {
            Limit::Threads => String::new(),
            limit => format!(", no more for want of {limit}"),
        };
        text + &format!(
            "; modelled: {} registers a thread, {blocks} blocks on a multiprocessor, {} % of its threads{why}",
            self.registers,
            self.occupancy.percent(),
        )
    }

    /// An axis and the most threads and blocks along it.
    pub fn limits(&self) -> impl Iterator<Item = (Axis, i64, Option<i64>)> + '_ {
        let pairs = self.threads.iter().zip(&self.most_blocks);
        Axis::ALL.into_iter().zip(pairs).map(|(axis, (&threads, &blocks))| (axis, threads, blocks))
    }
}

/// The value of a loop for the instances of a statement.
fn part_of<'m>(member: &'m UnionPwAff, statement: &Statement) -> Option<&'m PwAff> {
    let is_own = |part: &&PwAff| {
        let tuple = part.domain_space().output();
        tuple.and_then(|tuple| tuple.name()).is_some_and(|name| *name == statement.name)
    };
    member.parts().iter().find(is_own)
}

fn accesses_of(statement: &Statement, members: &[&UnionPwAff], scop: &Scop) -> Vec<Access> {
    let parts: Vec<Option<&PwAff>> =
        members.iter().map(|member| part_of(member, statement)).collect();
    let mapped: Vec<usize> = parts.iter().flatten().flat_map(|part| iterators_in(part)).collect();
    let is_walked = |element: &Element| {
        let Some((last, others)) = element.subscripts.split_last() else { return false };
        let inside = |form: &PwAff| iterators_in(form).iter().any(|at| !mapped.contains(at));
        element.base.is_contiguous() && inside(last) && !others.iter().any(inside)
    };
    let access = |element: &Element| Access {
        bytes: scop.array(element.array).element_bytes.unwrap_or(8).max(1) as f64,
        strides: parts
            .iter()
            .map(|part| part.map_or(Stride::None, |part| stride(element, part)))
            .collect(),
        is_walked: is_walked(element),
    };
    let in_memory = |element: &&Element| !scop.array(element.array).is_scalar();
    statement.body.elements().into_iter().filter(in_memory).map(access).collect()
}

/// The number of values of a loop, if the program tells it.
fn extent(member: &UnionPwAff, scop: &Scop) -> Option<i64> {
    let (mut least, mut most): (Option<Int>, Option<Int>) = (None, None);
    for part in member.parts() {
        let name = part.domain_space().output().and_then(|tuple| tuple.name())?;
        let domain = scop.statement_named(name)?.domain.intersect_params(&scop.context).ok()?;
        for (piece, value) in part.pieces() {
            let own = domain.intersect(piece).ok()?;
            let budget = Budget::steps(STEPS);
            let value = value.align_params(own.space());
            match (own.min_val(&value, &budget).ok()?, own.max_val(&value, &budget).ok()?) {
                (Optimum::At(first), Optimum::At(last)) => {
                    least = Some(least.map_or(first.clone(), |known| known.min(first)));
                    most = Some(most.map_or(last.clone(), |known| known.max(last)));
                }
                (Optimum::Empty, _) | (_, Optimum::Empty) => {}
                _ => return None,
            }
        }
    }
    (&(&most? - &least?) + &Int::ONE).to_i64()
}
