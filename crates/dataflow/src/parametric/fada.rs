//! The method of comparison: a fresh parameter for each maximisation, and a tree of all their comparisons.
//!
//! Fuzzy array dataflow analysis (Barthou, Collard and Feautrier, 1997) introduces for each write and each
//! level of the order at which it may be before a read the coordinates of its last instance there that has
//! run, if its statement is under conditions on data. The source is the latest of them. Without
//! simplification the tree of comparisons has a leaf for each way in which they may come out.
use crate::engine::order::ProgramOrder;
use crate::engine::reference::Reference;
use loopwright_presburger::{Budget, DimKind, Error, Map, Name, Result, Set};
use loopwright_scop::FilteredScop;

/// More leaves of one read than this are not made.
const MOST_LEAVES: usize = 20_000;

/// How large the answers of that method are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuzzySize {
    /// The parameters of all reads; hidden truth values are not counted.
    pub parameters: usize,
    /// The leaves of all reads.
    pub leaves: usize,
}

/// A leaf: where it is reached, and the source: none, or a position among the maxima.
type Leaf = (Set, Option<usize>);

/// The last instance of a write at a level.
struct Maximum {
    reference: Reference,
    /// The names of its coordinates.
    names: Vec<Name>,
}

impl FuzzySize {
    /// The parameters and leaves of all reads of one element per instance.
    ///
    /// ```
    /// use loopwright_dataflow::FuzzySize;
    /// use loopwright_presburger::Budget;
    /// use loopwright_scop::{FilteredScop, Scop};
    /// // for (int i = 0; i < 9; i++) s += A[0];
    /// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sum.scop"));
    /// let filtered = FilteredScop::unfiltered(Scop::parse(text)?);
    /// let size = FuzzySize::of_filtered_scop(&filtered, &Budget::unlimited())?;
    /// assert_eq!(size.parameters, 0, "everything runs");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* A few set operations per leaf, of which there may be exponentially many in the number of
    /// maxima.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the budget is used up, or if a read has more than 20,000 leaves; those of
    /// [`loopwright_scop::Scop::check`].
    pub fn of_filtered_scop(filtered: &FilteredScop, budget: &Budget) -> Result<FuzzySize> {
        filtered.scop.check()?;
        let schedule = filtered.scop.schedule.flatten_on_whole_spaces()?;
        let order = ProgramOrder::new(&filtered.scop, &schedule);
        let references = Reference::all(&filtered.scop);
        let mut size = FuzzySize::default();
        let reads = references.iter().filter(|read| read.is_read() && read.is_single_valued);
        for read in reads {
            let tree = Tree { filtered, order: &order, references: &references, read, budget };
            let own = tree.size()?;
            size.parameters += own.parameters;
            size.leaves += own.leaves;
        }
        Ok(size)
    }
}

struct Tree<'a> {
    filtered: &'a FilteredScop,
    order: &'a ProgramOrder,
    references: &'a [Reference],
    read: &'a Reference,
    budget: &'a Budget,
}

impl Tree<'_> {
    fn size(&self) -> Result<FuzzySize> {
        let mut leaves: Vec<Leaf> = vec![(self.read.relation.domain(), None)];
        let mut maxima: Vec<Maximum> = Vec::new();
        let mut parameters = 0;
        let is_source = |other: &&Reference| {
            other.array == self.read.array && (other.is_may_write() || other.cuts())
        };
        for write in self.references.iter().filter(is_source) {
            let is_filtered = !self.filtered.filters_of(write.statement).is_empty();
            for level in self.order.levels(write.statement, self.read.statement) {
                let before = self.order.before_at(write.statement, self.read.statement, level)?;
                let Some(before) = before else { continue };
                let same = self
                    .read
                    .relation
                    .apply_range_within(&write.relation.reverse(), self.budget)?;
                let pairs = same.intersect_within(&before.reverse(), self.budget)?;
                if pairs.is_empty(self.budget)? {
                    continue;
                }
                let n = write.relation.n(DimKind::In);
                let name = |dim| Name::from(format!("alpha_{}_{dim}", maxima.len()));
                let names: Vec<Name> = (0..n).map(name).collect();
                parameters += if is_filtered { n } else { 0 };
                maxima.push(Maximum { reference: write.clone(), names });
                let pairs = match is_filtered {
                    true => pairs,
                    false => pairs.lexmax(self.budget)?,
                };
                leaves = self.with(leaves, &maxima, &pairs, is_filtered)?;
            }
        }
        Ok(FuzzySize { parameters, leaves: leaves.len() })
    }

    /// The leaves after the comparison with one more maximum.
    fn with(
        &self,
        leaves: Vec<Leaf>,
        maxima: &[Maximum],
        pairs: &Map,
        is_filtered: bool,
    ) -> Result<Vec<Leaf>> {
        let new = maxima.len() - 1;
        let exists = at_names(pairs, DimKind::Out, &maxima[new].names).domain();
        let served = pairs.domain();
        let mut next: Vec<Leaf> = Vec::new();
        for (reached, source) in leaves {
            // Nothing has run there.
            let rest = match is_filtered {
                true => reached.clone(),
                false => reached.subtract(&served, self.budget)?,
            };
            self.add(&mut next, rest, source)?;
            let here = reached.intersect_within(&exists, self.budget)?;
            let Some(old) = source else {
                self.add(&mut next, here, Some(new))?;
                continue;
            };
            let earlier = self.is_before(&maxima[old], &maxima[new])?;
            let later = match &earlier {
                Some(earlier) => here.intersect_params_within(earlier, self.budget)?,
                None => Set::empty(here.space().clone()),
            };
            let stays = here.subtract(&later, self.budget)?;
            self.add(&mut next, later, Some(new))?;
            self.add(&mut next, stays, source)?;
            if next.len() > MOST_LEAVES {
                return Err(Error::too_large("the tree of fuzzy dataflow analysis"));
            }
        }
        Ok(next)
    }

    /// Adds a leaf for each way in which a condition may hold.
    fn add(&self, leaves: &mut Vec<Leaf>, reached: Set, source: Option<usize>) -> Result<()> {
        for piece in reached.basic_sets() {
            let piece = Set::from_basic_set(piece.clone());
            if !piece.is_empty(self.budget)? {
                leaves.push((piece, source));
            }
        }
        Ok(())
    }

    /// Where the instance of one maximum is before that of another one, as a condition on their names.
    fn is_before(&self, first: &Maximum, second: &Maximum) -> Result<Option<Set>> {
        let (one, other) = (&first.reference, &second.reference);
        let mut all: Option<Set> = None;
        for level in self.order.levels(one.statement, other.statement) {
            let Some(before) = self.order.before_at(one.statement, other.statement, level)? else {
                continue;
            };
            let named = at_names(&before, DimKind::In, &first.names);
            let here = at_names(&named, DimKind::Out, &second.names).params();
            all = Some(match all {
                Some(all) => all.union(&here)?,
                None => here,
            });
        }
        Ok(all)
    }
}

/// A relation at coordinates that have names.
fn at_names(map: &Map, kind: DimKind, names: &[Name]) -> Map {
    let mut all = map.space().param_names().to_vec();
    all.extend(names.iter().filter(|name| !map.space().param_names().contains(name)).cloned());
    let wide = map.align_params(&map.space().with_params(&all));
    names.iter().enumerate().fold(wide, |map, (dim, name)| match map.find_param(name) {
        Some(position) => map.equate(DimKind::Param, position, kind, dim),
        None => map,
    })
}
