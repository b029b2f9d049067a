//! Whether a region has enough to do for a device: what it saves must be worth the copies and the launches.
//!
//! On the processor an operation takes a fixed time. On the device it takes the time to move its operand, if
//! all threads work at the same time, and each thread takes the time of memory for those that it does itself
//! one after the other. Copies take the time of their bytes and a start each, launches a start each, and so
//! do barriers across blocks. All of these are numbers of points of sets, so the difference is a polynomial
//! in symbolic constants, with picoseconds as coefficients: the region runs on the device where it is
//! positive. Times come from the description of the device (`loopwright_machine::Device`); where numbers of
//! points are not found, the region runs there.
use crate::pipeline::enough_work::{operations, polynomial_text};
use crate::pipeline::uneven_work::Instances;
use crate::settings::effort::Effort;
use loopwright_device::{DeviceArray, Elements, KernelPart, Transfers, kernel_parts};
use loopwright_machine::Device;
use loopwright_presburger::{DimKind, Int, Rational, Result, Set, Space, Tuple};
use loopwright_schedule::{GridBarrierMark, Node, ScheduleTree};
use loopwright_scop::{Array, Scop};
use loopwright_transform::cost::trip_counts::Nominal;
use std::collections::BTreeMap;

/// Picoseconds of an operation on one core of the processor, as `enough_work` has it: 2,000 in 0.2 µs.
const OF_PROCESSOR: i64 = 100;

/// Picoseconds of an operation for a thread of the device that does one after the other: some of them wait
/// for memory.
const OF_THREAD: i64 = 20_000;

/// Bytes that an operation moves in the device's memory.
const BYTES_OF_OPERATION: i64 = 8;

/// Sizes of which some has to be worth it.
const SIZES: [i64; 6] = [100, 1_000, 4_000, 10_000, 100_000, 1_000_000];

/// Numbers above are not written.
const LARGEST: i64 = 1 << 50;

/// A condition with more terms is not written.
const MOST_TERMS: usize = 16;

/// A product of powers of symbolic constants.
type Powers = Vec<(String, u32)>;

/// When a region runs on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorthOnDevice {
    /// Always, or it is not known when not.
    Always,
    /// If this condition of C holds.
    If(String),
    /// Never.
    Never,
}

/// When the kernels of a tree do more than they cost.
pub(crate) fn worth_on_device(
    scop: &Scop,
    tree: &ScheduleTree,
    transfers: &Transfers,
    device: &Device,
    effort: &Effort,
) -> WorthOnDevice {
    let nominal = Nominal::of_scop(scop);
    let mut gain = Gain { nominal: &nominal, effort, terms: BTreeMap::new() };
    let model = Model { scop, tree, device, effort };
    match model.add_all(transfers, &mut gain) {
        Ok(Some(())) => gain.condition(scop),
        Ok(None) | Err(_) => WorthOnDevice::Always,
    }
}

/// When sets have more points than a number, all together.
pub(crate) fn have_more_points(
    scop: &Scop,
    sets: &[Set],
    number: i64,
    effort: &Effort,
) -> WorthOnDevice {
    let nominal = Nominal::of_scop(scop);
    let mut gain = Gain { nominal: &nominal, effort, terms: BTreeMap::new() };
    gain.add_constant(-number);
    match sets.iter().try_for_each(|set| gain.add(set, 1)) {
        Some(()) => gain.condition(scop),
        None => WorthOnDevice::Never,
    }
}

struct Model<'a> {
    scop: &'a Scop,
    tree: &'a ScheduleTree,
    device: &'a Device,
    effort: &'a Effort,
}

impl Model<'_> {
    /// Adds what there is to gain and to pay; none if a number of points is not known.
    fn add_all(&self, transfers: &Transfers, gain: &mut Gain<'_>) -> Result<Option<()>> {
        let mut launches = Vec::new();
        for kernel in kernel_parts(self.tree)? {
            let host = self.tree.prefix_schedule(&kernel.path)?.range();
            launches.extend(host.sets());
            if self.add_work(&kernel, gain).is_none() {
                return Ok(None);
            }
        }
        let mut barriers = Vec::new();
        for path in grid_barriers(&self.tree.root) {
            barriers.extend(self.tree.prefix_schedule(&path)?.range().sets());
        }
        let all = |sets: &[Set], price: i64, gain: &mut Gain<'_>| {
            sets.iter().try_for_each(|set| gain.add(set, -price))
        };
        let price = in_picoseconds(self.device.launch_nanoseconds);
        let of_barrier = in_picoseconds(self.device.grid_barrier_nanoseconds);
        if all(&launches, price, gain).and(all(&barriers, of_barrier, gain)).is_none() {
            return Ok(None);
        }
        for own in &transfers.arrays {
            let copies = own.copy_in.iter().chain(&own.copy_out);
            for elements in copies {
                let Some(set) = self.elements(own, elements)? else { return Ok(None) };
                let bytes = self.array(own).element_bytes.unwrap_or(8) as i64;
                let price = bytes.saturating_mul(self.of_byte());
                if all(&[set], price, gain).is_none() {
                    return Ok(None);
                }
                gain.add_constant(-in_picoseconds(self.device.transfer_nanoseconds));
            }
        }
        Ok(Some(()))
    }

    /// What the device saves for the statements of a kernel, less what its threads need one after the other.
    fn add_work(&self, kernel: &KernelPart, gain: &mut Gain<'_>) -> Option<()> {
        let memory = self.device.memory_megabytes_per_second.max(1) as i64;
        let of_device = BYTES_OF_OPERATION * 1_000_000 / memory;
        for (name, shared) in &kernel.shared {
            let statement = self.scop.statement_named(name)?;
            let operations = operations(statement);
            let domain = statement.domain.intersect_params(&self.scop.context).ok()?;
            gain.add(&domain, operations.checked_mul(OF_PROCESSOR - of_device)?)?;
            let mut alone = domain;
            for &at in shared.iter().rev() {
                alone = alone.project_out(DimKind::Out, at, 1);
            }
            gain.add(&alone, -operations.checked_mul(OF_THREAD)?)?;
        }
        Some(())
    }

    /// Picoseconds of a byte on its way.
    fn of_byte(&self) -> i64 {
        1_000_000 / (self.device.transfer_megabytes_per_second.max(1) as i64)
    }

    fn array(&self, own: &DeviceArray) -> &Array {
        self.scop.array(own.array)
    }

    /// Elements that are copied; none if the array has no bounds that they need.
    fn elements(&self, own: &DeviceArray, elements: &Elements) -> Result<Option<Set>> {
        let array = self.array(own);
        let tuple = Tuple::named(&array.tuple_name, array.extents.len());
        let space = Space::set(self.scop.context.space().param_names(), tuple);
        let mut set = elements.as_set(&space)?.intersect_params(&self.scop.context)?;
        if elements.is_range {
            set = set.intersect(&array.elements(&space)?)?;
        }
        Ok(set.is_bounded(&self.effort.stage())?.then_some(set))
    }
}

/// The ways to the barriers across blocks in a tree.
fn grid_barriers(root: &Node) -> Vec<Vec<usize>> {
    fn visit(node: &Node, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        if matches!(node, Node::Mark(name, _) if GridBarrierMark::parse(name).is_some()) {
            found.push(path.clone());
        }
        for (position, child) in node.children().iter().enumerate() {
            path.push(position);
            visit(child, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    visit(root, &mut Vec::new(), &mut found);
    found
}

fn in_picoseconds(nanoseconds: u64) -> i64 {
    i64::try_from(nanoseconds.saturating_mul(1_000)).unwrap_or(LARGEST)
}

/// Picoseconds that the device saves: a sum of products of powers of symbolic constants.
struct Gain<'a> {
    nominal: &'a Nominal,
    effort: &'a Effort,
    terms: BTreeMap<Powers, Rational>,
}

impl Gain<'_> {
    /// Adds a price for each point of a set; none if their number is not known.
    fn add(&mut self, set: &Set, price: i64) -> Option<()> {
        let Instances { terms, divisor } = Instances::of_any(set, self.nominal, self.effort)?;
        for (factor, powers) in terms {
            let factor = Rational::new(Int::from(factor), Int::from(divisor));
            self.add_term(powers, &factor * &Rational::from(price));
        }
        Some(())
    }

    fn add_constant(&mut self, price: i64) {
        self.add_term(Vec::new(), Rational::from(price));
    }

    fn add_term(&mut self, powers: Powers, factor: Rational) {
        let known = self.terms.entry(powers).or_default();
        *known = &*known + &factor;
    }

    /// The condition that it is positive.
    fn condition(&self, scop: &Scop) -> WorthOnDevice {
        let Some(terms) = self.whole() else { return WorthOnDevice::Always };
        let (constants, others): (Vec<_>, Vec<_>) =
            terms.into_iter().partition(|(_, powers)| powers.is_empty());
        let constant = constants.iter().map(|(value, _)| *value).sum::<i64>();
        let at = |size: i64| {
            let of_term = |(factor, powers): &(i64, Powers)| {
                let degree: u32 = powers.iter().map(|(_, exponent)| exponent).sum();
                *factor as f64 * (size as f64).powi(degree as i32)
            };
            others.iter().map(of_term).sum::<f64>() + constant as f64
        };
        match () {
            () if others.is_empty() && constant > 0 => WorthOnDevice::Always,
            () if !SIZES.iter().any(|&size| at(size) > 0.0) => WorthOnDevice::Never,
            () if others.len() > MOST_TERMS => WorthOnDevice::Always,
            () => match polynomial_text(&others, &scop.parameters) {
                Some(text) => WorthOnDevice::If(format!("{text} > {}", -constant)),
                None => WorthOnDevice::Always,
            },
        }
    }

    /// The terms as whole numbers, the highest degree first, in any unit of time; none if they are too large.
    fn whole(&self) -> Option<Vec<(i64, Powers)>> {
        let factors = || self.terms.values().filter(|factor| !factor.is_zero());
        let common = factors().fold(Int::ONE, |all, factor| all.lcm(&factor.denominator));
        let scale = Rational::from(common);
        let scaled = |factor: &Rational| (factor * &scale).to_int();
        let divisor =
            factors().try_fold(Int::ZERO, |all, factor| Some(all.gcd(&scaled(factor)?)))?;
        let mut terms = Vec::new();
        for (powers, factor) in self.terms.iter().filter(|(_, factor)| !factor.is_zero()) {
            let whole = Rational::new(scaled(factor)?, divisor.clone()).to_int()?;
            terms.push((whole.to_i64().filter(|value| value.abs() < LARGEST)?, powers.clone()));
        }
        let degree = |powers: &[(String, u32)]| powers.iter().map(|(_, n)| *n).sum::<u32>();
        terms.sort_by_key(|(_, powers)| std::cmp::Reverse(degree(powers)));
        Some(terms)
    }
}
