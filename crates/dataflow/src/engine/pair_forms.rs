//! Pairs of references by the form of their relations and times.
//!
//! A program of many statements has few forms of statements: which instances of two references touch one
//! element in order depends on what their access relations and times look like, not on the names of the
//! statements or on the positions of these in a sequence. So it is computed once per form, and named anew for
//! each pair.
use crate::engine::order::ProgramOrder;
use crate::engine::reference::{Key, Reference};
use loopwright_presburger::{Budget, Map, PlainForm, Result};
use rustc_hash::FxHashMap;

/// Steps for finding out whether two relations one after the other contain a third.
const COVER_STEPS: u64 = 20_000;

/// A form of pairs; equal forms have equal relations but for the names.
pub(crate) type PairForm = u32;

/// What a relation between two references depends on: the forms of both ends, and the levels at which they
/// may be in order (bits).
pub(crate) type PairKey = (u32, u32, u64);

/// The forms that were met, and what is known of each.
#[derive(Debug, Default)]
pub(crate) struct PairForms {
    relations: FxHashMap<PlainForm, u32>,
    /// By the form of the access relation, the form of the varying times, and the levels with constants.
    ends: FxHashMap<(u32, u32, Vec<bool>), u32>,
    references: FxHashMap<Key, Option<u32>>,
    pairs: FxHashMap<PairKey, (PairForm, Option<Map>)>,
    covers: FxHashMap<[PairForm; 3], bool>,
}

impl PairForms {
    /// The form of a pair in order at `least_level` or deeper; none where the order of the two is no
    /// matter of form.
    pub(crate) fn key(
        &mut self,
        order: &ProgramOrder,
        (source, sink): (&Reference, &Reference),
        least_level: usize,
    ) -> Option<PairKey> {
        if order.n_levels() > 64 || !order.is_by_form(source.statement, sink.statement) {
            return None;
        }
        let levels = order.levels(source.statement, sink.statement).into_iter();
        let levels = levels.filter(|&level| level >= least_level).fold(0, |all, l| all | 1 << l);
        Some((self.end(order, source)?, self.end(order, sink)?, levels))
    }

    /// The form of a reference with the time of its statement; none without a time.
    fn end(&mut self, order: &ProgramOrder, reference: &Reference) -> Option<u32> {
        if let Some(&known) = self.references.get(&reference.key()) {
            return known;
        }
        let end = order.varying(reference.statement).map(|(is_constant, times)| {
            let relation = self.relation(&reference.relation);
            let times = self.relation(times);
            let next = number(self.ends.len());
            *self.ends.entry((relation, times, is_constant.to_vec())).or_insert(next)
        });
        self.references.insert(reference.key(), end);
        end
    }

    fn relation(&mut self, relation: &Map) -> u32 {
        let next = number(self.relations.len());
        *self.relations.entry(PlainForm::new(relation.clone())).or_insert(next)
    }

    /// What is known of a form.
    pub(crate) fn get(&self, key: &PairKey) -> Option<(PairForm, &Option<Map>)> {
        self.pairs.get(key).map(|(form, pairs)| (*form, pairs))
    }

    pub(crate) fn insert(&mut self, key: PairKey, pairs: Option<Map>) {
        let form = number(self.pairs.len());
        self.pairs.entry(key).or_insert((form, pairs));
    }

    /// Whether every pair of a relation is one of `first` and then one of `second`.
    pub(crate) fn is_covered(
        &mut self,
        (form, pairs): (PairForm, &Map),
        (first_form, first): (PairForm, &Map),
        (second_form, second): (PairForm, &Map),
    ) -> bool {
        *self.covers.entry([form, first_form, second_form]).or_insert_with(|| {
            let budget = Budget::steps(COVER_STEPS);
            let covered = || -> Result<bool> {
                let both = first.apply_range_within(second, &budget)?;
                pairs.is_subset(&both, &budget)
            };
            covered().unwrap_or(false)
        })
    }
}

/// The next number; forms are as many as references at most.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
