//! What a tiled nest loads: cache lines and pages, level by level.
//!
//! A nest of loops is a list of loops over members of a band, outermost first; a member occurs once
//! per level of tiling. While one iteration of a loop runs, each array is accessed in a box of
//! elements, from which the lines and pages that it touches follow. If those of one iteration of some
//! loop fit in a cache, then consecutive iterations of that loop find what they share in the cache; the
//! loops outside of it find nothing. So the lines that are loaded are those of one run of the
//! outermost loop whose iterations fit, times the number of its runs: the working-set model of
//! Coleman and McKinley ("Tile size selection using cache organization and data layout", PLDI 1995)
//! and of Sarkar and Megiddo ("An analytical model for loop tiling and its solution", ISPASS 2000),
//! applied to every level of the caches and to address translation alike.
//!
//! Costs are in cycles of a core. They only have to rank tile sizes.
use crate::cost::nest::{Nest, NestAccess, NestStatement};
use crate::cost::profitability::element_bytes;
use loopwright_exact::{Int, Row};
use loopwright_machine::Machine;
use loopwright_presburger::PwAff;
use loopwright_scop::Scop;

/// Statements with fewer instances than this part of the largest one do not count.
pub(crate) const NEGLIGIBLE_PART: i64 = 16;

/// Cycles until the next level has delivered a line, with the prefetchers' help: second level cache,
/// last level cache, memory.
const LINE_CYCLES: [f64; 3] = [2.0, 8.0, 24.0];

/// Cycles for an address that is in the second level of translation buffers only, or in none.
const PAGE_CYCLES: [f64; 2] = [4.0, 30.0];

/// Cycles to enter and leave an innermost loop: a branch that is predicted wrongly, and iterations
/// before and after the vector code.
pub(crate) const ENTRY_CYCLES: f64 = 16.0;

/// The part of a cache that the model fills: the rest is for what it does not see, and for lines
/// that compete for the same places.
const USABLE_PART: f64 = 0.75;

/// A loop of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiledLoop {
    /// The member of the band that it runs over.
    pub member: usize,
    /// How many values of the member one iteration stands for.
    pub step: i64,
}

/// References to one array that move alike with the members of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) array: usize,
    bytes: i64,
    /// By subscript but the last, how many bytes lie between neighbours; none where that is not known.
    strides: Vec<Option<i64>>,
    /// By subscript and member, how far one value of the member moves; none if that is not known.
    pub(crate) motion: Option<Vec<Vec<i64>>>,
}

/// The references of a band and the sizes of its loops.
#[derive(Clone, Debug)]
pub struct Footprint {
    groups: Vec<Group>,
    /// Values per member.
    extents: Vec<i64>,
}

/// A store of lines or pages.
pub(crate) struct Store {
    /// Bytes of a line or page.
    pub(crate) unit: f64,
    /// How many of them it holds.
    pub(crate) capacity: f64,
    /// Cycles for one that it does not hold.
    pub(crate) cycles: f64,
    /// Where units compete for places; none where each can be anywhere.
    places: Option<Places>,
}

/// How a cache is divided: units whose addresses differ by a multiple of `bytes` share `ways` places.
#[derive(Clone, Copy)]
struct Places {
    bytes: i64,
    ways: f64,
}

/// What runs inside of some loops.
#[derive(Clone, Debug)]
struct Level {
    /// How often it runs.
    runs: f64,
    /// How many values of each member it stands for.
    spans: Vec<i64>,
}

impl Footprint {
    /// The references of the statements of `nest` that matter.
    pub fn new(nest: &Nest, scop: &Scop) -> Self {
        let most = nest.statements.iter().map(|s| s.instances).max().unwrap_or(1);
        let mut groups: Vec<Group> = Vec::new();
        for statement in nest.statements.iter().filter(|s| s.instances > most / NEGLIGIBLE_PART) {
            let steps = steps(nest, statement);
            for access in &statement.accesses {
                let group = Group::new(access, steps.as_deref(), scop);
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        }
        let extents = (0..nest.n_members).map(|member| nest.extent(member)).collect();
        Footprint { groups, extents }
    }

    /// `C[i][j] += A[i][k] * B[k][j]` over i, j, k with these numbers of values.
    #[cfg(test)]
    pub(crate) fn of_product(extents: [i64; 3]) -> Self {
        let group = |array, first: [i64; 3], last: [i64; 3]| {
            let motion = Some(vec![first.to_vec(), last.to_vec()]);
            Group { array, bytes: 8, strides: vec![None], motion }
        };
        let (i, j, k) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
        let groups = vec![group(0, i, j), group(1, i, k), group(2, k, j)];
        Footprint { groups, extents: extents.to_vec() }
    }

    /// The values of each member.
    pub fn extents(&self) -> &[i64] {
        &self.extents
    }

    /// The estimated cycles for all loads that miss a cache or a translation buffer and all entries of
    /// the innermost loop, when the band runs as `loops` on one core of `machine`.
    ///
    /// Cost: a few operations per loop, group of references and level of the caches.
    pub fn cycles(&self, loops: &[TiledLoop], machine: &Machine) -> f64 {
        let levels = self.levels(loops);
        let loads: f64 = stores(machine).iter().map(|store| self.loads(&levels, store)).sum();
        let entries = levels.iter().rev().nth(1).map_or(1.0, |level| level.runs);
        loads + entries * ENTRY_CYCLES
    }

    /// The cycles for what is loaded into a store.
    fn loads(&self, levels: &[Level], store: &Store) -> f64 {
        let units = |level: &Level| -> f64 {
            self.groups.iter().map(|group| group.units(&level.spans, store.unit)).sum()
        };
        // One run of the outermost loop whose iterations fit, or of the innermost one if none fits.
        let iterations = levels.iter().skip(1);
        let fits = |level: &Level| {
            units(level) <= store.capacity
                && self.groups.iter().all(|group| group.finds_places(&level.spans, store))
        };
        let fitting = levels.iter().zip(iterations).find(|(_, each)| fits(each));
        let run = fitting.map(|(run, _)| run).or_else(|| levels.iter().rev().nth(1));
        run.map_or(0.0, |level| level.runs * units(level) * store.cycles)
    }

    /// The whole nest, and one iteration of each loop.
    fn levels(&self, loops: &[TiledLoop]) -> Vec<Level> {
        let mut level = Level { runs: 1.0, spans: self.extents.clone() };
        let mut levels = vec![level.clone()];
        for each in loops {
            let span = &mut level.spans[each.member];
            let step = each.step.clamp(1, (*span).max(1));
            level.runs *= *span as f64 / step as f64;
            *span = step;
            levels.push(level.clone());
        }
        levels
    }
}

impl Group {
    /// The references like `access`, of a statement whose members make these `steps`.
    pub(crate) fn new(access: &NestAccess, steps: Option<&[Row]>, scop: &Scop) -> Self {
        let (array, bytes) = (access.array, element_bytes(scop, access.array));
        let motion = steps.and_then(|steps| motion(steps, access));
        Group { array, bytes, strides: strides(scop, array, bytes), motion }
    }

    /// By subscript, how many values it takes, nearly, while the members take `spans` values.
    pub(crate) fn sides(&self, spans: &[i64]) -> Option<Vec<i64>> {
        let motion = self.motion.as_ref()?;
        Some(motion.iter().map(|row| extent(row, spans) as i64).collect())
    }

    /// The lines or pages of `unit` bytes that are touched while the members take `spans` values.
    pub(crate) fn units(&self, spans: &[i64], unit: f64) -> f64 {
        let Some(motion) = &self.motion else {
            return spans.iter().map(|&span| span as f64).product();
        };
        let moving = |member: usize| motion.iter().any(|row| row[member] != 0);
        let iterations =
            (0..spans.len()).filter(|&m| moving(m)).map(|m| spans[m] as f64).product::<f64>();
        let Some((last, outer)) = motion.split_last() else { return 1.0 };
        let rows: f64 = outer.iter().map(|row| extent(row, spans)).product();
        let in_row = (extent(last, spans) * self.bytes as f64 / unit).max(1.0);
        (rows * in_row).min(iterations.max(1.0))
    }

    /// Whether the lines that are touched while the members take `spans` values have places in a cache.
    ///
    /// Rows that are a power of two apart, or nearly, begin in few of the sets of a cache: with a way of `w`
    /// bytes, rows that are `s` bytes apart in at most `w / gcd(s, w)` of them.
    pub(crate) fn finds_places(&self, spans: &[i64], store: &Store) -> bool {
        let (Some(motion), Some(places)) = (&self.motion, &store.places) else { return true };
        let Some((last, outer)) = motion.split_last() else { return true };
        let strides: Option<Vec<i64>> = self.strides.iter().copied().collect();
        let Some(strides) = strides.filter(|strides| strides.len() == outer.len()) else {
            return true;
        };
        let rows = outer.iter().map(|row| extent(row, spans)).product::<f64>();
        let way = Int::from(places.bytes);
        let apart = strides.iter().fold(way, |gcd, stride| gcd.gcd(&Int::from(*stride)));
        let starts = rows.min(places.bytes as f64 / apart.to_i64().unwrap_or(1).max(1) as f64);
        let in_row = (extent(last, spans) * self.bytes as f64 / store.unit).max(1.0);
        let sets = (starts * in_row).min(places.bytes as f64 / store.unit);
        self.units(spans, store.unit) / sets <= places.ways
    }
}

/// How far a subscript moves while the members take `spans` values.
fn extent(motion: &[i64], spans: &[i64]) -> f64 {
    let steps = motion.iter().zip(spans);
    1.0 + steps.map(|(by, span)| by.unsigned_abs() as f64 * (span - 1) as f64).sum::<f64>()
}

/// The bytes between neighbours along each subscript of an array but the last.
fn strides(scop: &Scop, array: usize, bytes: i64) -> Vec<Option<i64>> {
    let Some(array) = scop.arrays.get(array) else { return Vec::new() };
    let constant = |extent: &Option<PwAff>| -> Option<i64> {
        let [(_, value)] = extent.as_ref()?.pieces() else { return None };
        let value = value.constant_value()?;
        value.to_int()?.to_i64()
    };
    let mut stride = Some(bytes);
    let mut strides: Vec<Option<i64>> = Vec::new();
    for extent in array.extents.iter().skip(1).rev() {
        stride = stride.zip(constant(extent)).and_then(|(stride, n)| stride.checked_mul(n));
        strides.push(stride);
    }
    strides.reverse();
    strides
}

/// The caches and translation buffers of one core.
pub(crate) fn stores(machine: &Machine) -> Vec<Store> {
    let line = machine.cache_line_bytes as f64;
    let cache = |bytes: u64, ways: u64, cores: u64, cycles| {
        let threads = machine.threads_per_core.max(1);
        let part = USABLE_PART / (cores.max(1) * threads) as f64;
        let capacity = bytes as f64 * part / line;
        let way = i64::try_from(bytes.checked_div(ways).unwrap_or(0)).unwrap_or(0);
        let places =
            (way > 0).then_some(Places { bytes: way, ways: (ways as f64 * part).max(1.0) });
        Store { unit: line, capacity, cycles, places }
    };
    let pages = |entries: u64, cycles| {
        let capacity = entries as f64 * USABLE_PART;
        Store { unit: machine.array_page_bytes() as f64, capacity, cycles, places: None }
    };
    let [second, last, memory] = LINE_CYCLES;
    let sharing = machine.l3_cores.min(machine.cores);
    let mut stores = vec![
        cache(machine.l1_bytes, machine.l1_ways, 1, second),
        cache(machine.l2_bytes, machine.l2_ways, machine.l2_cores, last),
        pages(machine.l1_tlb_entries, PAGE_CYCLES[0]),
    ];
    if machine.l3_bytes > 0 {
        stores.push(cache(machine.l3_bytes, machine.l3_ways, sharing, memory));
    }
    if machine.l2_tlb_entries > 0 {
        stores.push(pages(machine.l2_tlb_entries, PAGE_CYCLES[1]));
    }
    stores
}

/// What one value of each member of a nest moves a statement; none where that is not known.
pub(crate) fn steps(nest: &Nest, statement: &NestStatement) -> Option<Vec<Row>> {
    let members = nest.first..nest.first + nest.n_members;
    members.map(|dimension| statement.direction(dimension)).collect()
}

/// How far one value of each member moves each subscript of an access.
fn motion(steps: &[Row], access: &NestAccess) -> Option<Vec<Vec<i64>>> {
    let small = |by: &Int| by.to_i64().filter(|by| by.unsigned_abs() < 1 << 20);
    let row = |subscript: &Row| {
        steps.iter().map(|step| small(&subscript.dot(step))).collect::<Option<Vec<i64>>>()
    };
    access.drift.as_ref()?.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: i64 = 40;

    fn product() -> Footprint {
        Footprint::of_product([N; 3])
    }

    fn tiled(sizes: [i64; 3], order: [usize; 3]) -> Vec<TiledLoop> {
        let tiles = (0..3).map(|member| TiledLoop { member, step: sizes[member] });
        tiles.chain(order.map(|member| TiledLoop { member, step: 1 })).collect()
    }

    /// The values of the members, in the order in which the loops run over them.
    fn iterations(loops: &[TiledLoop]) -> Vec<[i64; 3]> {
        let mut boxes = vec![([0i64; 3], [N; 3])];
        for each in loops {
            let cut = |(first, end): ([i64; 3], [i64; 3])| {
                let starts = (first[each.member]..end[each.member]).step_by(each.step as usize);
                starts.map(move |start| {
                    let (mut first, mut end) = (first, end);
                    first[each.member] = start;
                    end[each.member] = end[each.member].min(start + each.step);
                    (first, end)
                })
            };
            boxes = boxes.into_iter().flat_map(cut).collect();
        }
        boxes.into_iter().map(|(first, _)| first).collect()
    }

    /// The lines that a cache of `capacity` lines loads that forgets what was used longest ago.
    fn simulated(footprint: &Footprint, loops: &[TiledLoop], capacity: usize) -> usize {
        let mut cache: Vec<(usize, i64)> = Vec::new();
        let mut loads = 0;
        for values in iterations(loops) {
            for group in &footprint.groups {
                let dot = |row: &Vec<i64>| row.iter().zip(values).map(|(a, b)| a * b).sum::<i64>();
                let place =
                    group.motion.as_ref().unwrap().iter().fold(0, |at, row| at * N + dot(row));
                let line = (group.array, place * group.bytes / 64);
                match cache.iter().position(|&known| known == line) {
                    Some(at) => drop(cache.remove(at)),
                    None => loads += 1,
                }
                cache.push(line);
                if cache.len() > capacity {
                    cache.remove(0);
                }
            }
        }
        loads
    }

    /// The estimate is within a factor of two and a half of what a cache loads, in any order and for
    /// any sizes, and mostly much closer.
    #[test]
    fn estimates_agree_with_a_simulated_cache() {
        let footprint = product();
        let mut close = 0;
        let orders = [[0, 2, 1], [0, 1, 2], [2, 0, 1]];
        let sizes = [[40, 40, 40], [8, 8, 8], [4, 40, 8], [20, 8, 8], [8, 16, 4], [1, 40, 1]];
        for (order, capacity) in orders.iter().flat_map(|&order| [(order, 60), (order, 200)]) {
            for size in sizes {
                let loops = tiled(size, order);
                let store =
                    Store { unit: 64.0, capacity: capacity as f64, cycles: 1.0, places: None };
                let found = footprint.loads(&footprint.levels(&loops), &store);
                let wanted = simulated(&footprint, &loops, capacity) as f64;
                let ratio = found / wanted;
                assert!((0.4..2.5).contains(&ratio), "{size:?} {order:?}: {found} for {wanted}");
                close += usize::from((0.6..1.6).contains(&ratio));
            }
        }
        assert!(close >= 27, "{close} of 36 are close");
    }

    /// Lines that a cache loads whose addresses at multiples of `sets` lines share `ways` places, when a box
    /// of rows of `row_lines` lines, `stride` lines apart, is read twice.
    fn loaded_again(rows: i64, row_lines: i64, stride: i64, sets: i64, ways: usize) -> usize {
        let mut places: Vec<Vec<i64>> = vec![Vec::new(); sets as usize];
        let mut again = 0;
        for pass in 0..2 {
            for line in (0..rows).flat_map(|row| (0..row_lines).map(move |l| row * stride + l)) {
                let set = &mut places[(line % sets) as usize];
                match set.iter().position(|&known| known == line) {
                    Some(at) => drop(set.remove(at)),
                    None => again += pass,
                }
                set.push(line);
                if set.len() > ways {
                    set.remove(0);
                }
            }
        }
        again
    }

    /// Where every line has a place, nothing is loaded again; where rows compete, something is.
    #[test]
    fn rows_that_are_a_power_of_two_apart_compete_for_places() {
        let (sets, ways) = (64, 8);
        let places = Some(Places { bytes: sets * 64, ways: ways as f64 });
        let store = Store { unit: 64.0, capacity: 512.0, cycles: 1.0, places };
        for stride in [16, 32, 64, 128, 48, 96, 65, 63, 100] {
            for (rows, row_lines) in
                [(4, 1), (8, 1), (9, 1), (32, 1), (8, 4), (16, 4), (64, 2), (32, 16)]
            {
                let motion = Some(vec![vec![1, 0], vec![0, 1]]);
                let group = Group { array: 0, bytes: 8, strides: vec![Some(stride * 64)], motion };
                let fits = group.finds_places(&[rows, row_lines * 8], &store);
                let again = loaded_again(rows, row_lines, stride, sets, ways);
                if stride % 2 == 0 || rows * row_lines <= 64 {
                    assert_eq!(fits, again == 0, "{rows} x {row_lines}, {stride} apart");
                }
            }
        }
        let unknown =
            Group { array: 0, bytes: 8, strides: vec![None], motion: Some(vec![vec![1], vec![0]]) };
        assert!(unknown.finds_places(&[1000], &store), "nothing is known");
    }

    #[test]
    fn lines_of_boxes() {
        let footprint = product();
        let units = |spans: [i64; 3]| -> Vec<f64> {
            footprint.groups.iter().map(|group| group.units(&spans, 64.0)).collect()
        };
        assert_eq!(units([1, 1, 1]), [1.0, 1.0, 1.0]);
        assert_eq!(
            units([4, 9, 1]),
            [4.5, 4.0, 1.125],
            "4 rows of 9 elements, each a line and an eighth"
        );
        let unknown = Group { array: 0, bytes: 8, strides: Vec::new(), motion: None };
        assert_eq!(unknown.units(&[3, 4, 1], 64.0), 12.0, "each iteration loads a line");
        let diagonal = Group { motion: Some(vec![vec![1, 0, 0]; 2]), ..unknown.clone() };
        assert_eq!(diagonal.units(&[9, 4, 1], 64.0), 9.0, "9 elements, not 81");
        let scalar = Group { motion: Some(Vec::new()), ..unknown };
        assert_eq!(scalar.units(&[9, 4, 1], 64.0), 1.0);
    }

    #[test]
    fn a_machine_without_optional_levels() {
        let machine = Machine { l3_bytes: 0, l2_tlb_entries: 0, ..Machine::generic() };
        assert_eq!(stores(&machine).len(), 3);
        assert!(product().cycles(&tiled([8, 8, 8], [0, 2, 1]), &machine).is_finite());
        assert!(product().cycles(&[], &machine).is_finite(), "no loops at all");
    }
}
