//! How the iterations of all independent loops of a kernel are spread over blocks, threads and the results of
//! a thread.
use super::dimension::{
    Dimension, PLAIN_THREADS, STAGED_RESULTS, STAGED_THREADS, TILE_THREADS, ThreadResults,
    dimensions,
};
use super::fragments::Fragments;
use loopwright_presburger::Aff;
use loopwright_schedule::MatrixMark;
use loopwright_scop::FloatingType;

/// The iterations of all independent loops, the slowest loop first.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    /// Each loop.
    pub(crate) dimensions: Vec<Dimension>,
    /// How the two fastest loops are spread over the rows and columns of matrices, if warps have matrices of
    /// results.
    fragments: Option<Fragments>,
}

impl Spread {
    /// One result a thread, with coordinates of threads that are iterations.
    pub(crate) fn plain(n: usize) -> Spread {
        Spread::of(dimensions(PLAIN_THREADS[n - 1], &[1; 3][..n], true))
    }

    /// Blocks with shared tiles; several results a thread if tiles are full.
    pub(crate) fn tiled(n: usize, results: Option<ThreadResults>) -> Spread {
        let results = results.map_or_else(|| vec![1; n], |results| results.along(n));
        Spread::of(dimensions(TILE_THREADS[n - 1], &results, false))
    }

    /// Blocks of statements without sums, whose operands are shared.
    pub(crate) fn staged(n: usize) -> Spread {
        Spread::of(dimensions(STAGED_THREADS[n - 1], STAGED_RESULTS[n - 1], false))
    }

    /// Blocks as large as those of full tiles, whose warps have matrices of results. None for one loop.
    pub(crate) fn of_matrices(
        n: usize,
        of: (FloatingType, MatrixMark),
        results: ThreadResults,
    ) -> Option<Spread> {
        let fragments = Fragments::of(of, results);
        let own = fragments.dimensions();
        let outer = n.checked_sub(own.len())?;
        let one = Dimension { threads: 1, results: 1, is_fastest: false, is_plain: false };
        let dimensions = std::iter::repeat_n(one, outer).chain(own).collect();
        Some(Spread { dimensions, fragments: Some(fragments) })
    }

    fn of(dimensions: Vec<Dimension>) -> Spread {
        Spread { dimensions, fragments: None }
    }

    /// The matrices of results that warps have.
    pub(super) fn fragments(&self) -> Option<&Fragments> {
        self.fragments.as_ref()
    }

    /// The threads of a block along each axis, the slowest first.
    pub(crate) fn axes(&self) -> Vec<i64> {
        match (&self.fragments, &self.dimensions[..]) {
            (Some(own), [.., rows, _]) => vec![own.warps, rows.threads, Fragments::LANES],
            _ => self.dimensions.iter().map(|dimension| dimension.threads).collect(),
        }
    }

    /// The block of some iterations.
    pub(crate) fn blocks(&self, members: &[Aff]) -> Vec<Aff> {
        self.each(members).map(|(value, own)| own.block(value)).collect()
    }

    /// Their thread, along each axis.
    pub(crate) fn threads(&self, members: &[Aff]) -> Vec<Aff> {
        match (&self.fragments, members) {
            (Some(own), [.., row, column]) => own.threads(row, column),
            _ => self.each(members).map(|(value, own)| own.thread(value)).collect(),
        }
    }

    /// Their number among the results of their thread, along each loop that it has several of; of matrices at
    /// last the number of the column among those that a thread has of one.
    pub(crate) fn results(&self, members: &[Aff]) -> Vec<Aff> {
        match (&self.fragments, members) {
            (Some(own), [.., row, column]) => own.results(row, column),
            _ => self.each(members).filter_map(|(value, own)| own.result(value)).collect(),
        }
    }

    /// How many there are of each of these.
    pub(crate) fn extents(&self) -> Vec<i64> {
        match &self.fragments {
            Some(own) => own.extents(),
            None => {
                let several = self.dimensions.iter().filter(|dimension| dimension.results > 1);
                several.map(|dimension| dimension.results).collect()
            }
        }
    }

    fn each<'m>(&'m self, members: &'m [Aff]) -> impl Iterator<Item = (&'m Aff, &'m Dimension)> {
        members.iter().zip(&self.dimensions)
    }
}
