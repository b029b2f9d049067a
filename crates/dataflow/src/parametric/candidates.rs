//! The candidates for the source of a read: what may have run last, and what has run for sure.
//!
//! All steps only look for facts that hold whenever the sink runs. Leaving one out leaves more candidates,
//! never fewer, so each of them has a limit of its own:
//!
//! 1. sources that cannot run if the sink does are no candidates;
//! 2. sources that run whenever the sink does are *sure*, and nothing before one of them is a candidate;
//! 3. where one of a few sources runs whenever the sink does, nothing before all of them is a candidate;
//! 4. a source is no candidate if another one runs after it whenever both it and the sink do.
//!
//! A pair is split into parts with different answers (the paper answers once for all pairs, 5.2).
use crate::engine::order::ProgramOrder;
use crate::parametric::blocks::{Blocks, with_dimensions};
use crate::parametric::elements::{NamedFilter, ValueKind};
use crate::parametric::refutation::{Claim, Refutation};
use loopwright_presburger::{Budget, DimKind, Map, Result, Set};
use loopwright_scop::{ReferenceId, StatementId};

/// Work limit for one question about a pair of statements.
const QUESTION_STEPS: u64 = 400_000;

/// Groups of so many sources are looked at in step 3, and of so many sources altogether.
const LARGEST_GROUP: usize = 4;
const MOST_GROUPED: usize = 8;

/// So many choices of failing filters are looked at for a group.
const MOST_CHOICES: usize = 32;

/// The reads of one reference: one element per read.
pub(crate) struct Sink {
    /// `S[k]`, or `S[k] -> A[e]` where an instance reads several elements.
    pub(crate) reads: Set,
    /// The filters of the reads.
    pub(crate) filters: Vec<NamedFilter>,
}

/// A write, or the start of a life of the variable, that may be before a sink.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) statement: StatementId,
    pub(crate) reference: ReferenceId,
    /// Whether an instance that runs surely sets the elements that it is related to.
    pub(crate) is_definite: bool,
    pub(crate) filters: Vec<NamedFilter>,
    /// From reads to writes of the element before them that may have run: those that have for sure.
    pub(crate) sure: Map,
    /// And those that may have or not.
    pub(crate) unknown: Map,
}

/// The sources of a sink, and the reads whose element may have its value from before the region.
pub(crate) struct Candidates {
    pub(crate) sources: Vec<Source>,
    pub(crate) unwritten: Set,
}

/// The steps for one sink.
pub(crate) struct Search<'a> {
    pub(crate) sink: &'a Sink,
    pub(crate) order: &'a ProgramOrder,
    pub(crate) budget: &'a Budget,
}

impl Search<'_> {
    /// The candidates among sources of which nothing is known yet: all of their pairs are unknown.
    pub(crate) fn candidates(&self, mut sources: Vec<Source>) -> Result<Candidates> {
        for source in &mut sources {
            self.classify(source)?;
        }
        let mut unwritten = self.sink.reads.clone();
        self.drop_before_sure(&mut sources, &mut unwritten)?;
        sources.retain(|source| !is_empty(&source.sure) || !is_empty(&source.unknown));
        self.drop_before_groups(&mut sources, &mut unwritten)?;
        self.drop_hidden(&mut sources)?;
        sources.retain(|source| !is_empty(&source.sure) || !is_empty(&source.unknown));
        Ok(Candidates { sources, unwritten })
    }

    /// The result of a step, if its limit is not reached.
    fn attempt<T>(&self, step: impl FnOnce(&Budget) -> Result<T>) -> Result<Option<T>> {
        self.budget.attempt(QUESTION_STEPS, step)
    }

    fn claims_sink(&self) -> Claim<'_> {
        Claim::Passes(&self.sink.filters)
    }

    /// The coordinates of the sink and of some sources.
    fn blocks(&self, sources: &[Source]) -> Blocks {
        let size = |source: &Source| source.unknown.n(DimKind::Out);
        let sizes = [self.sink.reads.n_dims()].into_iter().chain(sources.iter().map(size));
        Blocks::new(sizes.collect())
    }

    /// Which pairs of a source are impossible, sure and unknown (steps 1 and 2).
    fn classify(&self, source: &mut Source) -> Result<()> {
        let blocks = self.blocks(std::slice::from_ref(source));
        let space = source.unknown.space().clone();
        let question = |claim: Claim<'_>, pairs: &Map| {
            self.attempt(|budget| {
                let base = blocks.pairs(pairs, 0, 1)?;
                let claims = [self.claims_sink(), claim];
                let refuted = Refutation::new(&claims, &blocks, budget).within(&base)?;
                let refuted = blocks.relation(&refuted, 1, &space)?;
                let rest = pairs.subtract(&refuted, budget)?.coalesce(budget)?;
                Ok((refuted.coalesce(budget)?, rest))
            })
        };
        if !source.filters.is_empty()
            && let Some((_, possible)) = question(Claim::Passes(&source.filters), &source.unknown)?
        {
            source.unknown = possible;
        }
        if !source.is_definite {
            return Ok(());
        }
        source.sure = std::mem::replace(&mut source.unknown, Map::empty(space.clone()));
        for filter in &source.filters {
            let answer = question(Claim::Fails(filter), &source.sure)?;
            let (sure, unknown) =
                answer.unwrap_or_else(|| (Map::empty(space.clone()), source.sure.clone()));
            source.sure = sure;
            source.unknown = source.unknown.union(&unknown)?;
        }
        Ok(())
    }

    /// `{ first -> second : first writes before second }`; the references of an instance write in their
    /// order.
    pub(crate) fn before(&self, first: &Source, second: &Source) -> Result<Option<Map>> {
        let mut before: Option<Map> = None;
        if first.statement == second.statement && first.reference < second.reference {
            before = Some(Map::identity(&first.unknown.space().range()));
        }
        for level in self.order.levels(first.statement, second.statement) {
            let Some(here) = self.order.before_at(first.statement, second.statement, level)? else {
                continue;
            };
            before = Some(before.map_or(Ok(here.clone()), |before| before.union(&here))?);
        }
        Ok(before)
    }

    /// Whether two sources with at most one candidate per read have candidates for the same reads, and
    /// exactly one of the two runs whenever the sink does.
    pub(crate) fn are_complements(&self, first: &Source, second: &Source) -> Result<bool> {
        let pair = [first.clone(), second.clone()];
        if !are_related(&pair) || !first.is_definite || !second.is_definite {
            return Ok(false);
        }
        let answer = self.attempt(|budget| {
            let reads = [first.unknown.domain(), second.unknown.domain()];
            if !reads[0].is_equal(&reads[1], budget)? {
                return Ok(false);
            }
            let blocks = self.blocks(&pair);
            let both = blocks.pairs(&first.unknown, 0, 1)?;
            let both = both.intersect_within(&blocks.pairs(&second.unknown, 0, 2)?, budget)?;
            let claims =
                [self.claims_sink(), Claim::Passes(&first.filters), Claim::Passes(&second.filters)];
            let exclusive = Refutation::new(&claims, &blocks, budget).within(&both)?;
            if !both.is_subset(&exclusive, budget)? {
                return Ok(false);
            }
            match self.cover(&pair, budget)? {
                Some(cover) => both.is_subset(&cover, budget),
                None => Ok(false),
            }
        })?;
        Ok(answer.unwrap_or(false))
    }

    /// Drops what is before a sure source.
    fn drop_before_sure(&self, sources: &mut [Source], unwritten: &mut Set) -> Result<()> {
        for later in sources.to_vec().iter().filter(|later| !is_empty(&later.sure)) {
            *unwritten = self.without(unwritten, &later.sure.domain())?;
            for source in sources.iter_mut() {
                let Some(before) = self.before(source, later)? else { continue };
                self.drop_pairs(source, |budget| {
                    later.sure.apply_range_within(&before.reverse(), budget)
                })?;
            }
        }
        Ok(())
    }

    /// Drops pairs of a source, if it is found in time which.
    fn drop_pairs(
        &self,
        source: &mut Source,
        dead: impl FnOnce(&Budget) -> Result<Map>,
    ) -> Result<()> {
        let less = self.attempt(|budget| {
            let dead = dead(budget)?;
            let rest = |map: &Map| match is_empty(map) {
                true => Ok(map.clone()),
                false => map.subtract(&dead, budget)?.coalesce(budget),
            };
            Ok([rest(&source.sure)?, rest(&source.unknown)?])
        })?;
        if let Some([sure, unknown]) = less {
            source.sure = self.plainly(sure);
            source.unknown = self.plainly(unknown);
        }
        Ok(())
    }

    /// A relation, plainly empty if it has no points.
    fn plainly(&self, map: Map) -> Map {
        match map.is_empty(&self.budget.part(QUESTION_STEPS)) {
            Ok(true) => Map::empty(map.space().clone()),
            _ => map,
        }
    }

    fn without(&self, reads: &Set, served: &Set) -> Result<Set> {
        let rest = self.attempt(|budget| reads.subtract(served, budget)?.coalesce(budget))?;
        Ok(rest.unwrap_or_else(|| reads.clone()))
    }

    /// Drops what is before all of a group of sources of which one runs for sure (step 3).
    fn drop_before_groups(&self, sources: &mut [Source], unwritten: &mut Set) -> Result<()> {
        let is_open = |source: &Source| source.is_definite && !is_empty(&source.unknown);
        let members: Vec<usize> = (0..sources.len()).filter(|i| is_open(&sources[*i])).collect();
        if members.len() > MOST_GROUPED {
            return Ok(());
        }
        let mut covered: Vec<Vec<usize>> = Vec::new();
        for size in 2..=LARGEST_GROUP.min(members.len()) {
            for group in groups(&members, size) {
                // What a part of a group covers is known already.
                let is_known = |known: &Vec<usize>| known.iter().all(|i| group.contains(i));
                let chosen: Vec<Source> = group.iter().map(|i| sources[*i].clone()).collect();
                if covered.iter().any(is_known) || !are_related(&chosen) {
                    continue;
                }
                let cover = self.attempt(|budget| self.cover(&chosen, budget))?.flatten();
                let Some(cover) = cover else { continue };
                self.drop_before_group(sources, unwritten, &chosen, &cover)?;
                covered.push(group);
            }
        }
        Ok(())
    }

    /// The instances of a group of sources of which one runs whenever the sink does; none if there are none.
    fn cover(&self, group: &[Source], budget: &Budget) -> Result<Option<Set>> {
        let blocks = self.blocks(group);
        let mut cover: Option<Set> = None;
        for (position, source) in group.iter().enumerate() {
            let pairs = blocks.pairs(&source.unknown, 0, position + 1)?;
            cover =
                Some(cover.map_or(Ok(pairs.clone()), |all| all.intersect_within(&pairs, budget))?);
        }
        // One of the sources runs if it is impossible that each fails one of its filters, whichever that is.
        let n_choices = group.iter().map(|source| source.filters.len()).product::<usize>();
        if n_choices > MOST_CHOICES {
            return Ok(None);
        }
        for choice in 0..n_choices {
            let Some(base) = cover.filter(|cover| !cover.plain_is_empty()) else { return Ok(None) };
            let mut claims = vec![self.claims_sink()];
            let mut rest = choice;
            for source in group {
                claims.push(Claim::Fails(&source.filters[rest % source.filters.len()]));
                rest /= source.filters.len();
            }
            cover = Some(Refutation::new(&claims, &blocks, budget).within(&base)?);
        }
        match cover {
            Some(cover) if !cover.is_empty(budget)? => Ok(Some(cover)),
            _ => Ok(None),
        }
    }

    /// Drops what is before all sources of a group, one of which runs.
    fn drop_before_group(
        &self,
        sources: &mut [Source],
        unwritten: &mut Set,
        group: &[Source],
        cover: &Set,
    ) -> Result<()> {
        let n_sink = self.sink.reads.n_dims();
        let reads = cover.project_out(DimKind::Out, n_sink, cover.n_dims() - n_sink);
        *unwritten = self.without(unwritten, &reads.with_space_tuples(self.sink.reads.space())?)?;
        for source in sources.iter_mut() {
            let mut all = group.to_vec();
            all.push(source.clone());
            let blocks = self.blocks(&all);
            let last = group.len() + 1;
            let space = source.unknown.space().clone();
            self.drop_pairs(source, |budget| {
                let mut dead = with_dimensions(cover, space.n(DimKind::Out))?;
                for (position, member) in group.iter().enumerate() {
                    let Some(before) = self.before(&all[group.len()], member)? else {
                        return Ok(Map::empty(space.clone()));
                    };
                    let earlier = blocks.pairs(&before, last, position + 1)?;
                    dead = dead.intersect_within(&earlier, budget)?;
                }
                blocks.relation(&dead, last, &space)
            })?;
        }
        Ok(())
    }

    /// Drops the pairs of sources after which another source runs, if they and the sink do (step 4).
    fn drop_hidden(&self, sources: &mut [Source]) -> Result<()> {
        for index in 0..sources.len() {
            for hider in 0..sources.len() {
                let (source, hider) = (sources[index].clone(), sources[hider].clone());
                let pair = [source, hider];
                let is_open = !is_empty(&pair[0].unknown) && !is_empty(&pair[1].unknown);
                if !is_open || !pair[1].is_definite || !are_related(&pair) {
                    continue;
                }
                let Some(before) = self.before(&pair[0], &pair[1])? else { continue };
                self.drop_pairs(&mut sources[index], |budget| self.hidden(&pair, &before, budget))?;
            }
        }
        Ok(())
    }

    /// The pairs of a source that are hidden by another source, which is `before` it.
    fn hidden(&self, pair: &[Source; 2], before: &Map, budget: &Budget) -> Result<Map> {
        let [source, hider] = pair;
        let blocks = self.blocks(pair);
        let base = blocks.pairs(&source.unknown, 0, 1)?;
        let base = base.intersect_within(&blocks.pairs(&hider.unknown, 0, 2)?, budget)?;
        let mut hidden = base.intersect_within(&blocks.pairs(before, 1, 2)?, budget)?;
        for filter in &hider.filters {
            let claims = [self.claims_sink(), Claim::Passes(&source.filters), Claim::Fails(filter)];
            hidden = Refutation::new(&claims, &blocks, budget).within(&hidden)?;
        }
        blocks.relation(&hidden, 1, source.unknown.space())
    }
}

/// Whether the filters of some sources look at values of the same kinds.
fn are_related(sources: &[Source]) -> bool {
    let kinds = |source: &Source| -> Vec<ValueKind> {
        let accesses = source.filters.iter().flat_map(|filter| &filter.accesses);
        accesses.flat_map(|access| access.names.iter().map(|(kind, _)| *kind)).collect()
    };
    let all: Vec<Vec<ValueKind>> = sources.iter().map(kinds).collect();
    let meets = |a: &Vec<ValueKind>, b: &Vec<ValueKind>| a.iter().any(|kind| b.contains(kind));
    all.iter()
        .enumerate()
        .all(|(i, own)| all.iter().enumerate().any(|(j, other)| i != j && meets(own, other)))
}

/// The selections of some of the members.
fn groups(members: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (position, &first) in members.iter().enumerate() {
        for mut rest in groups(&members[position + 1..], size - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// Whether a relation has no points, as far as that was found out.
fn is_empty(map: &Map) -> bool {
    map.plain_is_empty()
}
