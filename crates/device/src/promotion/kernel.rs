//! The tree of a kernel with memory of its own.
use super::buffers::Buffers;
use super::copies::Run;
use super::dimension::Level;
use super::matrix_products::{adds_matrix_products, group_and_place};
use super::operands::{Reader, SumLoop, Tile, Tiles};
use super::promoting::Promoting;
use super::results::{Results, candidates};
use super::site::Site;
use super::spread::Spread;
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{
    Aff, MultiUnionPwAff, Name, Piecewise, Result, Set, Space, Tuple, UnionPwAff, UnionSet,
};
use loopwright_schedule::{
    AsynchronousMark, Axis, Band, BarrierMark, LocalMark, LoopKind, LoopMark, MatrixMark,
    MemorySpace, Node, Reaching, VectorCopyMark,
};
use loopwright_scop::{ArrayId, FloatingType, Scop, StatementId};

/// The subtree of a kernel whose independent loops are `members` of a band above `child`, the slowest first;
/// `rest` are the others. None if nothing is promoted.
///
/// # Errors
/// Those of operations on sets.
pub(crate) fn promoted_kernel(
    promoting: &mut Promoting<'_>,
    reaching: &Reaching,
    (band, members): (&Band, &[usize]),
    inside: &Node,
) -> Result<Option<PromotedKernel>> {
    let has_loops = !inside.every_descendant(&|node| !matches!(node, Node::Band(..)));
    if inside.is_anchored() {
        return Ok(None);
    }
    let site = Site::of(reaching, (band, members), &promoting.scop, promoting.budget);
    let Some(site) = site else { return Ok(None) };
    let matrices = promoting.matrices.each().map(|(of, mark)| Shape::Matrices(of, mark));
    let plain: &[Shape] = match (promoting.level, has_loops) {
        (Level::Shared, true) => &[Shape::FullTiles, Shape::Tiles, Shape::Plain],
        (Level::Shared, false) => &[Shape::Staged],
        (Level::Registers, true) => &[Shape::Plain],
        (Level::Registers, false) => &[],
    };
    if promoting.level == Level::Shared {
        let mut next = promoting.clone();
        if let Some(kernel) = next.stream(&site, inside)? {
            *promoting = next;
            return Ok(Some(kernel));
        }
    }
    let matrices = matrices.filter(|_| promoting.level == Level::Shared && has_loops);
    for shape in matrices.chain(plain.iter().copied()) {
        let mut next = promoting.clone();
        if let Some(kernel) = Kernel::of(&mut next, &site, shape, inside)? {
            *promoting = next;
            return Ok(Some(kernel));
        }
    }
    Ok(None)
}

/// A kernel with memory of its own.
pub(crate) struct PromotedKernel {
    pub(crate) node: Node,
    /// The threads of its blocks, the fastest axis first.
    pub(crate) threads: Vec<i64>,
}

/// The ways to promote, the best first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// As full tiles, with warps that compute products of matrices of a type.
    Matrices(FloatingType, MatrixMark),
    /// Shared operands and several results a thread; tiles at borders are padded.
    FullTiles,
    /// Shared operands and one result a thread.
    Tiles,
    /// Results only.
    Plain,
    /// Shared operands of statements without loops of their own.
    Staged,
}

struct Kernel<'a, 'b> {
    promoting: &'a mut Promoting<'b>,
    site: &'a Site,
    spread: Spread,
    /// What runs in the kernel: the program's statements first, then copies.
    running: Vec<Run>,
    tiles: Vec<ArrayId>,
    /// Registers that hold elements on their way into tiles.
    ahead: Vec<ArrayId>,
    shared_bytes: i64,
    /// Whether threads have loops of their own in each part, and not around all of them.
    has_phases: bool,
    /// Whether statements without loops have operands in shared memory.
    is_staged: bool,
    /// The sums that warps compute as products of matrices.
    n_products: usize,
}

impl<'a, 'b> Kernel<'a, 'b> {
    fn of(
        promoting: &'a mut Promoting<'b>,
        site: &'a Site,
        shape: Shape,
        inside: &Node,
    ) -> Result<Option<PromotedKernel>> {
        let spread = match shape {
            Shape::Matrices(of, mark) => Spread::of_matrices(site.n, (of, mark), promoting.results),
            Shape::Plain => Some(Spread::plain(site.n)),
            Shape::Tiles => Some(Spread::tiled(site.n, None)),
            Shape::FullTiles => Some(Spread::tiled(site.n, Some(promoting.results))),
            Shape::Staged => Some(Spread::staged(site.n)),
        };
        let Some(spread) = spread else { return Ok(None) };
        let is_full = matches!(shape, Shape::Matrices(..) | Shape::FullTiles);
        let has_phases = shape != Shape::Plain;
        let (running, tiles, ahead) = (Vec::new(), Vec::new(), Vec::new());
        let shared_bytes = promoting.shared_bytes;
        let is_staged = shape == Shape::Staged;
        let mut kernel = Kernel {
            promoting,
            site,
            spread,
            running,
            tiles,
            ahead,
            shared_bytes,
            has_phases,
            is_staged,
            n_products: 0,
        };
        if is_full {
            kernel.promoting.pad(site, &kernel.spread)?;
        }
        kernel.add_statements();
        let results = match shape {
            Shape::Staged => Some(Vec::new()),
            _ => kernel.results()?,
        };
        let Some(results) = results else { return Ok(None) };
        let phases = match has_phases {
            true => kernel.phases(inside, &kernel.all())?,
            false => inside.clone(),
        };
        let is_wanted = match shape {
            Shape::Plain => !results.is_empty(),
            Shape::Tiles | Shape::Staged => !kernel.tiles.is_empty(),
            Shape::Matrices(..) | Shape::FullTiles => {
                !kernel.tiles.is_empty()
                    && (shape == Shape::FullTiles || kernel.n_products > 0)
                    && kernel.promoting.is_harmless(site, &results)?
            }
        };
        if !is_wanted {
            return Ok(None);
        }
        if is_full && site.n_prefix == 0 && site.n > 1 {
            let iterations = results.first().map(|result| result.stored.clone());
            kernel.promoting.several_results.extend(iterations);
        }
        let node = kernel.tree(&results, phases)?;
        let threads = kernel.spread.axes().into_iter().rev().collect();
        Ok(Some(PromotedKernel { node, threads }))
    }

    fn all(&self) -> Vec<StatementId> {
        self.site.statements.iter().map(|own| own.id).collect()
    }

    /// The program's statements with their blocks and threads.
    fn add_statements(&mut self) {
        for own in &self.site.statements {
            self.running.push(Run {
                id: own.id,
                space: own.space().clone(),
                blocks: self.spread.blocks(&own.members),
                threads: self.spread.threads(&own.members),
                loops: self.spread.results(&own.members),
            });
        }
    }

    fn results(&mut self) -> Result<Option<Vec<Results>>> {
        let mut all = Vec::new();
        for id in candidates(self.site, &self.promoting.scop) {
            let Some(results) = self.promoting.promote_results(self.site, id, &self.spread)? else {
                return Ok(None);
            };
            self.running.extend(results.load.clone());
            self.running.push(results.store.clone());
            all.push(results);
        }
        Ok(Some(all))
    }

    /// What runs of some statements.
    fn running(&self, ids: &[StatementId]) -> Vec<&Run> {
        self.running.iter().filter(|run| ids.contains(&run.id)).collect()
    }

    /// A band of one member.
    fn member(&self, ids: &[StatementId], value: impl Fn(&Run) -> Aff) -> Band {
        member_of(&self.running(ids), value)
    }

    /// The loops over threads around what they run.
    fn threads(&self, ids: &[StatementId], below: Node) -> Node {
        let n = self.spread.axes().len();
        // The innermost loop has the fastest axis.
        Axis::ALL[..n].iter().enumerate().fold(below, |below, (at, axis)| {
            let member = n - 1 - at;
            let band = self.member(ids, |run| run.threads[member].clone());
            spread_over(LoopKind::Thread(*axis), band, below)
        })
    }

    /// The loops over the results of a thread at the leaves of a subtree.
    fn with_loops(&self, ids: &[StatementId], below: Node) -> Result<Node> {
        let n = self.running(ids).iter().map(|run| run.loops.len()).max().unwrap_or(0);
        let mut below = below;
        if n == 0 {
            return Ok(below);
        }
        let members = (0..n).map(|at| {
            let part = |run: &&Run| Piecewise::everywhere(run.loops[at].clone());
            UnionPwAff::from_parts(self.running(ids).iter().map(part).collect())
        });
        let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), members.collect()));
        below.sink(&band)?;
        Ok(below)
    }

    /// What each thread does of one part of the kernel.
    fn phase(&self, ids: &[StatementId], below: Node) -> Result<Node> {
        Ok(self.threads(ids, self.with_loops(ids, below)?))
    }

    /// What copies elements, several at a time where that is known to be possible.
    fn copies(&self, id: StatementId, vectors: Option<VectorCopyMark>) -> Result<Node> {
        let loops = self.running(&[id]).first().map_or(0, |run| run.loops.len());
        let (Some(mark), Some(n_outer)) = (vectors, loops.checked_sub(1)) else {
            return self.phase(&[id], Node::Leaf);
        };
        let elements = self.member(&[id], |run| run.loops[n_outer].clone());
        let access = Node::mark(&mark.to_string(), Node::band(elements, Node::Leaf));
        let below = (0..n_outer).rev().fold(access, |below, at| {
            Node::band(self.member(&[id], |run| run.loops[at].clone()), below)
        });
        Ok(self.threads(&[id], below))
    }

    /// The parts of a kernel that its threads run one after the other.
    fn phases(&mut self, node: &Node, ids: &[StatementId]) -> Result<Node> {
        match node {
            Node::Sequence(children) => {
                let mut phases = Vec::new();
                for child in children {
                    phases.push(self.phases(child, ids)?);
                }
                Ok(Node::Sequence(phases))
            }
            Node::Filter(filter, child) => {
                let passes = |id: &&StatementId| {
                    let space = self.promoting.scop.statement(**id).domain.space();
                    filter.sets().iter().any(|set| set.space().has_equal_tuples(space))
                };
                let own: Vec<StatementId> = ids.iter().filter(passes).copied().collect();
                Ok(Node::filter(filter.clone(), self.phases(child, &own)?))
            }
            Node::Band(band, child) if self.may_be_distributed(band, child) => {
                let mut parts = Vec::new();
                for part in child.children() {
                    let Node::Filter(filter, below) = part else { continue };
                    let band = band.intersect_domain(filter)?;
                    parts.push(Node::filter(filter.clone(), Node::band(band, (**below).clone())));
                }
                self.phases(&Node::Sequence(parts), ids)
            }
            Node::Band(band, child) => match (&ids, band.n_members()) {
                ([id], 1) if child.is_leaf() => match self.sum(*id, band)? {
                    Some(sum) => Ok(sum),
                    None => self.phase(ids, node.clone()),
                },
                _ => self.phase(ids, node.clone()),
            },
            Node::Leaf => match &ids {
                [id] => self.staged(*id),
                _ => self.phase(ids, Node::Leaf),
            },
            _ => self.phase(ids, node.clone()),
        }
    }

    /// Whether the parts of a sequence in a loop may have loops of their own, one after the other: nothing
    /// leads back from a later part to an earlier one.
    fn may_be_distributed(&self, band: &Band, child: &Node) -> bool {
        let Node::Sequence(children) = child else { return false };
        let part_of = |id: StatementId| {
            let space = self.promoting.scop.statement(id).domain.space();
            children.iter().position(|child| {
                let Node::Filter(filter, _) = child else { return false };
                filter.sets().iter().any(|set| set.space().has_equal_tuples(space))
            })
        };
        let is_leaf = |child: &Node| matches!(child, Node::Filter(_, below) if below.is_leaf());
        let Dependences { flow, order, forced, .. } = self.promoting.dependences;
        let leads_back = |dependence: &Dependence| {
            let ends = part_of(dependence.source.0).zip(part_of(dependence.sink.0));
            ends.is_some_and(|(source, sink)| source > sink)
        };
        band.n_members() == 1
            && children.iter().all(is_leaf)
            && !flow.iter().chain(order).chain(forced).any(leads_back)
    }

    /// A sum with operands in shared memory; none if it has no such operands.
    fn sum(&mut self, id: StatementId, band: &Band) -> Result<Option<Node>> {
        let Some(own) = self.site.statement(id) else { return Ok(None) };
        let parts = band.schedule.members()[0].parts();
        let part = parts.iter().find(|p| p.domain_space().has_equal_tuples(own.space()));
        let value = part.and_then(|part| part.as_aff());
        let reader = value.and_then(|value| Reader::of_sum(own, value));
        let Some(reader) = reader else { return Ok(None) };
        let Tiles { tiles, buffers, .. } = self.operands(&reader)?;
        let (Some(SumLoop { value, .. }), Some(buffers)) = (reader.sum, buffers) else {
            return Ok(None);
        };
        if tiles.is_empty() {
            return Ok(None);
        }
        let computes = match self.matrix_products((id, &value), (&tiles, &buffers), band)? {
            Some(products) => products,
            None => self.phase(&[id], Node::band(band.clone(), Node::Leaf))?,
        };
        self.steps((id, &value), (&tiles, &buffers), computes).map(Some)
    }

    /// A sum that warps compute as products of matrices, where as many of its iterations are there as are
    /// added up at a time; the others are computed as elsewhere. None if the kernel has no matrices, or the
    /// sum is no such sum.
    fn matrix_products(
        &mut self,
        (id, sum): (StatementId, &Aff),
        (tiles, buffers): (&[Tile], &Buffers),
        band: &Band,
    ) -> Result<Option<Node>> {
        let scop = &self.promoting.scop;
        let own = self.site.statement(id);
        let Some((own, fragments)) = own.zip(self.spread.fragments()) else { return Ok(None) };
        let n_added = fragments.products();
        let is_product =
            adds_matrix_products(scop.statement(id), tiles, (scop, self.site.n), fragments.of);
        if !is_product || buffers.sum_tile % n_added != 0 {
            return Ok(None);
        }
        let parts = self.promoting.parts_of_groups(own, id, (sum, n_added))?;
        if parts[1].is_empty(self.promoting.budget)? {
            return Ok(None);
        }
        let (group, place) = group_and_place(sum, n_added);
        let Some(row) = self.site.n.checked_sub(2).and_then(|at| own.members.get(at)) else {
            return Ok(None);
        };
        let (matrix, row) = fragments.matrix_and_row(row);
        let rows = self.member(&[id], |_| matrix.clone());
        let columns = self.member(&[id], |run| run.loops[1].clone());
        let mut inner = vec![self.member(&[id], |_| place.clone())];
        inner.extend(row.map(|row| self.member(&[id], |_| row.clone())));
        inner.push(self.member(&[id], |run| run.loops[2].clone()));
        let members = inner.iter().flat_map(|band| band.schedule.members().to_vec()).collect();
        let inner = Band::new(MultiUnionPwAff::new(Tuple::anonymous(inner.len()), members));
        let product = Node::mark(&fragments.mark.to_string(), Node::band(inner, Node::Leaf));
        let products = Node::band(rows, Node::band(columns, product));
        let products = Node::band(self.member(&[id], |_| group.clone()), products);
        let products = self.threads(&[id], products);
        self.n_products += 1;
        let others = self.phase(&[id], Node::band(band.clone(), Node::Leaf))?;
        let mut sequence = Vec::new();
        for (set, part) in parts.into_iter().zip([&others, &products, &others]) {
            if !set.is_empty(self.promoting.budget)? {
                let filter = UnionSet::from_sets(&Space::params(&[]), [set]);
                sequence.push((filter, part.clone()));
            }
        }
        Ok(Some(if sequence.len() == 1 { products } else { Node::sequence(sequence) }))
    }

    /// The loop over the tiles of a sum.
    fn steps(
        &self,
        (id, sum): (StatementId, &Aff),
        (tiles, buffers): (&[Tile], &Buffers),
        computes: Node,
    ) -> Result<Node> {
        let mut steps: Vec<(StatementId, Aff)> = vec![(id, buffers.tile(sum))];
        for tile in tiles {
            steps.extend(tile.tile.iter().map(|own| (tile.fill.id, buffers.step(own))));
            let fetches = tile.fetches.iter();
            steps.extend(fetches.map(|fetch| (fetch.run.id, buffers.step(&fetch.tile))));
        }
        let ids: Vec<StatementId> = steps.iter().map(|(id, _)| *id).collect();
        let step = |run: &Run| {
            let own = steps.iter().find(|(id, _)| *id == run.id);
            own.map_or_else(|| Aff::zero(&run.space), |(_, step)| step.clone())
        };
        let band = self.member(&ids, step);
        let below = match buffers.are_two() {
            true => after_barrier(Node::sequence(self.steps_ahead((id, computes), tiles)?)),
            false => Node::sequence(self.steps_in_turn((id, computes), tiles)?),
        };
        Ok(Node::band(band, below))
    }

    /// With one buffer: barrier, fill, barrier, compute.
    fn steps_in_turn(
        &self,
        (id, computes): (StatementId, Node),
        tiles: &[Tile],
    ) -> Result<Vec<(UnionSet, Node)>> {
        let mut parts = self.fills(tiles)?;
        if let Some((_, first)) = parts.first_mut() {
            // What is filled now was read for the last tile.
            *first = after_barrier(std::mem::replace(first, Node::Leaf));
        }
        parts.push((self.filter(&[id]), after_barrier(computes)));
        Ok(parts)
    }

    /// With two buffers, behind the barrier: begin to copy the next tile, compute, store what was read ahead.
    fn steps_ahead(
        &self,
        (id, computes): (StatementId, Node),
        tiles: &[Tile],
    ) -> Result<Vec<(UnionSet, Node)>> {
        let mut parts = Vec::new();
        for tile in tiles.iter().filter(|tile| tile.is_asynchronous) {
            let phase = self.copies(tile.fill.id, tile.vectors)?;
            let phase = Node::mark(&AsynchronousMark.to_string(), phase);
            parts.push((self.filter(&[tile.fill.id]), phase));
        }
        for fetch in tiles.iter().flat_map(|tile| &tile.fetches) {
            let id = fetch.run.id;
            parts.push((self.filter(&[id]), self.copies(id, fetch.vectors)?));
        }
        parts.push((self.filter(&[id]), computes));
        parts.extend(self.fills(tiles.iter().filter(|tile| !tile.is_asynchronous))?);
        Ok(parts)
    }

    /// A statement without loops of its own, with operands in shared memory if it has some.
    fn staged(&mut self, id: StatementId) -> Result<Node> {
        let phase = |kernel: &Self| kernel.phase(&[id], Node::Leaf);
        let own = self.site.statement(id).filter(|_| self.is_staged);
        let Some(own) = own else { return phase(self) };
        let Tiles { tiles, .. } = self.operands(&Reader { own, sum: None })?;
        if tiles.is_empty() {
            return phase(self);
        }
        let mut parts = self.fills(&tiles)?;
        parts.push((self.filter(&[id]), after_barrier(phase(self)?)));
        Ok(Node::sequence(parts))
    }

    /// The tiles of a statement, with what runs for them.
    fn operands(&mut self, reader: &Reader<'_>) -> Result<Tiles> {
        let left = self.shared_bytes;
        let found = self.promoting.promote_operands(self.site, reader, &self.spread, left)?;
        self.shared_bytes -= found.bytes;
        for tile in &found.tiles {
            self.running.push(tile.fill.clone());
            self.running.extend(tile.fetches.iter().map(|fetch| fetch.run.clone()));
            self.tiles.push(tile.cells);
            self.ahead.extend(tile.fetches.iter().map(|fetch| fetch.cells));
        }
        Ok(found)
    }

    /// What fills tiles, each as a phase of its own.
    fn fills<'t>(
        &self,
        tiles: impl IntoIterator<Item = &'t Tile>,
    ) -> Result<Vec<(UnionSet, Node)>> {
        let part = |tile: &Tile| {
            let id = tile.fill.id;
            Ok((self.filter(&[id]), self.copies(id, tile.vectors)?))
        };
        tiles.into_iter().map(part).collect()
    }

    fn filter(&self, ids: &[StatementId]) -> UnionSet {
        filter_of(&self.running(ids))
    }

    /// The whole kernel.
    fn tree(&self, results: &[Results], phases: Node) -> Result<Node> {
        let loads: Vec<StatementId> =
            results.iter().filter_map(|r| Some(r.load.as_ref()?.id)).collect();
        let stores: Vec<StatementId> = results.iter().map(|r| r.store.id).collect();
        let others: Vec<StatementId> = self.running.iter().map(|run| run.id).collect();
        let is_inner = |id: &StatementId| !loads.contains(id) && !stores.contains(id);
        let inner: Vec<StatementId> = others.iter().copied().filter(is_inner).collect();
        let mut parts = Vec::new();
        let leaf = |ids: &[StatementId]| match self.has_phases {
            true => self.phase(ids, Node::Leaf),
            false => Ok(Node::Leaf),
        };
        for id in &loads {
            parts.push((self.filter(&[*id]), leaf(&[*id])?));
        }
        // What the program's sequences let pass has to be what runs there now.
        parts.push((self.filter(&inner), self.with_fills(phases)?));
        for id in &stores {
            parts.push((self.filter(&[*id]), leaf(&[*id])?));
        }
        let mut below = if parts.len() == 1 { parts.remove(0).1 } else { Node::sequence(parts) };
        if !self.has_phases {
            below = self.threads(&others, below);
        }
        for cells in results.iter().map(|result| result.cells).chain(self.ahead.iter().copied()) {
            below = self.declared(MemorySpace::Registers, cells, below);
        }
        for tile in &self.tiles {
            below = self.declared(MemorySpace::Shared, *tile, below);
        }
        let axes = &Axis::ALL[..self.site.n];
        Ok(axes.iter().enumerate().fold(below, |below, (at, axis)| {
            let member = self.site.n - 1 - at;
            let band = self.member(&others, |run| run.blocks[member].clone());
            spread_over(LoopKind::Block(*axis), band, below)
        }))
    }

    fn declared(&self, space: MemorySpace, array: ArrayId, below: Node) -> Node {
        declared(&self.promoting.scop, (space, array), below)
    }

    /// The phases with filters that let the statements pass which have been added below them.
    fn with_fills(&self, phases: Node) -> Result<Node> {
        phases.map_bottom_up(&mut |node| match node {
            Node::Filter(filter, child) => {
                let mut filter = filter;
                let mut below: Vec<UnionSet> = Vec::new();
                child.for_each(&mut |node| {
                    if let Node::Filter(inner, _) = node {
                        below.push(inner.clone());
                    }
                });
                for inner in below {
                    let known = filter.sets();
                    let is_new =
                        |set: &&Set| !known.iter().any(|k| k.space().has_equal_tuples(set.space()));
                    let sets = inner.sets();
                    let new = sets.iter().filter(is_new).cloned();
                    filter = filter.union(&UnionSet::from_sets(&Space::params(&[]), new))?;
                }
                Ok(Node::filter(filter, *child))
            }
            other => Ok(other),
        })
    }
}

/// A band of one member.
pub(crate) fn member_of(running: &[&Run], value: impl Fn(&Run) -> Aff) -> Band {
    let part = |run: &&Run| Piecewise::everywhere(value(run));
    let member = UnionPwAff::from_parts(running.iter().map(part).collect());
    Band::new(MultiUnionPwAff::new(Tuple::anonymous(1), vec![member]))
}

/// All instances of what runs.
pub(crate) fn filter_of(running: &[&Run]) -> UnionSet {
    let sets = running.iter().map(|run| Set::universe(run.space.clone()));
    UnionSet::from_sets(&Space::params(&[]), sets)
}

/// The mark that declares an array.
pub(crate) fn declared(scop: &Scop, (space, array): (MemorySpace, ArrayId), below: Node) -> Node {
    let array: Name = scop.array(array).tuple_name.clone();
    Node::mark(&LocalMark { space, array }.to_string(), below)
}

/// A loop over blocks or threads.
pub(crate) fn spread_over(kind: LoopKind, band: Band, below: Node) -> Node {
    let mark = LoopMark { kind, private: Vec::new(), reductions: Vec::new() };
    Node::mark(&mark.to_string(), Node::band(band, below))
}

/// What all threads wait for in front.
pub(super) fn after_barrier(below: Node) -> Node {
    Node::mark(&BarrierMark.to_string(), below)
}
