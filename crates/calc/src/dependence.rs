//! Dependences between accesses, from two access relations and a schedule.
//!
//! For every pair of a sink instance and an element that it touches, the sources that touch the
//! element before form the relation `[sink -> element] -> source`; the last ones are those at its
//! lexicographically greatest times. (Feautrier, "Dataflow analysis of array and scalar
//! references", 1991; for programs, `loopwright_dataflow` does the same per statement and level.)
use loopwright_presburger::{Budget, Result, UnionMap};

/// The last sources before each access of a sink, and the accesses without one.
pub(super) struct LastSources {
    pub(super) flow: UnionMap,
    pub(super) no_source: UnionMap,
}

/// One dependence problem.
pub(super) struct Problem<'a> {
    pub(super) sinks: &'a UnionMap,
    /// From instances to times in one space.
    pub(super) schedule: &'a UnionMap,
    pub(super) budget: &'a Budget,
}

impl Problem<'_> {
    /// All pairs of a source and a later sink that touch a common element.
    pub(super) fn any(&self, sources: &UnionMap) -> Result<UnionMap> {
        let meeting = sources.apply_range(&self.sinks.reverse())?;
        let source_times = self.schedule.intersect_domain(&meeting.domain())?;
        let sink_times = self.schedule.intersect_domain(&meeting.range())?;
        let before = source_times.lex_lt_union_map(&sink_times)?;
        meeting.intersect(&before)?.coalesce(self.budget)
    }

    /// `[sink -> element] -> source` for sources before the sink.
    fn earlier(&self, sources: &UnionMap) -> Result<UnionMap> {
        let element = self.sinks.range_map();
        let touching = element.apply_range(&sources.reverse())?;
        let sink_times = self.schedule.intersect_domain(&self.sinks.domain())?;
        let source_times = self.schedule.intersect_domain(&sources.domain())?;
        let before = sink_times.lex_gt_union_map(&source_times)?;
        touching.intersect(&self.sinks.domain_map().apply_range(&before)?)
    }

    /// From `[sink -> element] -> source` to `source -> sink`.
    fn pairs(&self, found: &UnionMap) -> Result<UnionMap> {
        let to_sink = self.sinks.domain_map();
        found.reverse().apply_range(&to_sink)?.coalesce(self.budget)
    }

    /// The last sources before each access.
    pub(super) fn last(&self, sources: &UnionMap) -> Result<LastSources> {
        let earlier = self.earlier(sources)?;
        let latest = earlier.apply_range(self.schedule)?.lexmax(self.budget)?;
        let last = latest.apply_range(&self.schedule.reverse())?.intersect(&earlier)?;
        let accesses = self.sinks.wrap();
        let covered = earlier.domain();
        let no_source = accesses.subtract(&covered, self.budget)?.coalesce(self.budget)?;
        Ok(LastSources { flow: self.pairs(&last)?, no_source: no_source.unwrap()? })
    }

    /// The last of the sure sources, and those other sources that are not before it.
    pub(super) fn any_or_last(&self, may: &UnionMap, must: &UnionMap) -> Result<UnionMap> {
        let sure = self.last(must)?.flow;
        let perhaps = self.earlier(may)?;
        let latest = self.earlier(must)?.apply_range(self.schedule)?.lexmax(self.budget)?;
        let overwritten =
            latest.lex_gt_union_map(&self.schedule.intersect_domain(&may.domain())?)?;
        let alive = perhaps.subtract(&overwritten, self.budget)?;
        sure.union(&self.pairs(&alive)?)?.coalesce(self.budget)
    }
}
