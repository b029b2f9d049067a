//! Several instances side by side: sets over the concatenated coordinates of a sink and some sources.
use loopwright_presburger::{DimKind, Map, Result, Set, Space, Tuple};

/// How many coordinates each of some instances has; a flat set has those of one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    sizes: Vec<usize>,
}

impl Blocks {
    pub(crate) fn new(sizes: Vec<usize>) -> Self {
        Blocks { sizes }
    }

    /// The number of all coordinates.
    pub(crate) fn n(&self) -> usize {
        self.sizes.iter().sum()
    }

    fn start(&self, block: usize) -> usize {
        self.sizes[..block].iter().sum()
    }

    /// The space of flat sets.
    fn space(&self, like: &Space) -> Space {
        like.with_tuples(None, Some(Tuple::anonymous(self.n())))
    }

    /// A relation between the instances of two blocks, the others being anything.
    pub(crate) fn pairs(&self, relation: &Map, from: usize, to: usize) -> Result<Set> {
        let (relation, first, second) = match from < to {
            true => (relation.clone(), from, to),
            false => (relation.reverse(), to, from),
        };
        let flat = relation.wrap().flatten();
        let (n, end) = (self.n(), self.start(second) + self.sizes[second]);
        let between = self.start(second) - self.start(first) - self.sizes[first];
        let flat = flat.insert_dims(DimKind::Out, self.sizes[first], between);
        let flat = flat.insert_dims(DimKind::Out, 0, self.start(first));
        let flat = flat.insert_dims(DimKind::Out, end, n - end);
        flat.with_space_tuples(&self.space(flat.space()))
    }

    /// The instances of a block, the others being anything, with some more dimensions at the end; `inner`
    /// relates the block to those.
    pub(crate) fn values(
        &self,
        inner: &Map,
        block: usize,
        (before, after): (usize, usize),
    ) -> Result<Set> {
        let n_values = inner.n(DimKind::Out);
        let (start, end) = (self.start(block), self.start(block) + self.sizes[block]);
        let flat = inner.wrap().flatten();
        let flat = flat.insert_dims(DimKind::Out, self.sizes[block], self.n() - end + before);
        let flat = flat.insert_dims(DimKind::Out, 0, start);
        let width = self.n() + before + n_values;
        let flat = flat.insert_dims(DimKind::Out, width, after);
        flat.with_space_tuples(
            &flat.space().with_tuples(None, Some(Tuple::anonymous(width + after))),
        )
    }

    /// Some instances of a block, the others being anything.
    pub(crate) fn instances(&self, instances: &Set, block: usize) -> Result<Set> {
        let none = Map::universe(
            instances
                .space()
                .with_tuples(instances.space().output().cloned(), Some(Tuple::anonymous(0))),
        );
        self.values(&none.intersect_domain(instances)?, block, (0, 0))
    }

    /// The relation between the instances of the first block and those of another one in a flat set.
    pub(crate) fn relation(&self, flat: &Set, block: usize, space: &Space) -> Result<Map> {
        let (start, end) = (self.start(block), self.start(block) + self.sizes[block]);
        let without_later = flat.project_out(DimKind::Out, end, self.n() - end);
        let pairs = without_later.project_out(DimKind::Out, self.sizes[0], start - self.sizes[0]);
        pairs.split_dims(self.sizes[0]).with_space_tuples(space)
    }
}

/// A flat set with more dimensions at the end, which may be anything.
pub(crate) fn with_dimensions(flat: &Set, count: usize) -> Result<Set> {
    let wide = flat.insert_dims(DimKind::Out, flat.n_dims(), count);
    let tuple = Tuple::anonymous(flat.n_dims() + count);
    wide.with_space_tuples(&wide.space().with_tuples(None, Some(tuple)))
}
