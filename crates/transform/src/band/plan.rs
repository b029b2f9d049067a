//! The choices for one band: order of the loops, tile sizes, innermost loop.
use crate::cost::nest::Nest;
use crate::cost::profitability;
use crate::legality::independence::Independence;
use crate::loops::distribute::SplitPart;
use crate::loops::split_at_carried_iteration::{Range, independent_ranges};
use crate::loops::{distribute, interleave, loop_order};
use crate::tile::model::TileProblem;
use crate::tile::register_tile::RegisterTile;
use crate::tile::sica::Block;
use crate::tile::trailing_update::Updates;
use crate::tile::{rectangular, trailing_update};
use crate::{Decision, Options, TileSizes};
use loopwright_presburger::{Name, Result, UnionPwAff};
use loopwright_schedule::{Band, Node, Reaching};
use loopwright_scop::Scop;

/// What becomes of the innermost loop.
#[derive(Clone, Debug, Default)]
pub enum Innermost {
    /// It carries a dependence, or is not innermost.
    #[default]
    Serial,
    /// It carries a dependence, and several rows of it advance in step.
    InStep,
    /// Its iterations are independent, given private copies of these scalars.
    Vector(Vec<Name>),
    /// It is split into one loop per child of the sequence below.
    Split(Vec<SplitPart>),
    /// It is split at the one iteration from or to which it carries dependences.
    Ranges(Vec<Range>),
}

/// The choices for one band.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The order of the point loops: positions of members.
    pub order: Vec<usize>,
    /// Tile sizes per member in the original order; none if the band is not tiled.
    pub sizes: Option<Vec<i64>>,
    /// The tile size of the vector loop that SICA has found.
    pub vector_tile: Option<i64>,
    /// The tiles inside of these, if the results of the band can be kept in registers.
    pub register_tile: Option<RegisterTile>,
    /// The parts of the tiles' points that are updates, with register tiles of their own.
    pub updates: Option<Updates>,
    /// What becomes of the last point loop.
    pub innermost: Innermost,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

impl Plan {
    /// Decides on the innermost loop, the order and the tile sizes of `band`, which stands above
    /// `child` and is reached as `reaching` says.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn new(
        band: &Band,
        child: &Node,
        nest: &Nest,
        reaching: &Reaching,
        independence: &Independence,
        scop: &Scop,
        options: &Options,
    ) -> Result<Plan> {
        let n = band.n_members();
        let mut plan = Plan { order: (0..n).collect(), ..Plan::default() };
        if !contains_band(child) {
            let packs = options.panels
                && n >= 2
                && band.permutable
                && tiling_is_wanted(nest, scop, options);
            plan.choose_innermost(band, child, nest, reaching, independence, packs)?;
        }
        let may_tile = matches!(options.tile_sizes, TileSizes::Default | TileSizes::Given(_));
        if band.permutable && may_tile && options.register_tiles {
            plan.choose_register_tile(child, nest, reaching, band, scop, options)?;
            let candidate = trailing_update::Candidate {
                band,
                child,
                nest,
                reaching,
                scop,
                independence,
                options,
            };
            if plan.register_tile.is_none() && tiling_is_wanted(nest, scop, options) {
                plan.choose_updates(candidate)?;
            }
        }
        match plan.choose_sizes(band, nest, reaching, independence, scop, options)? {
            Ok(sizes) => {
                plan.decisions.push(Decision::Tiled(sizes.clone()));
                plan.sizes = Some(sizes);
            }
            Err(reason) if n >= 2 => plan.decisions.push(Decision::NotTiled(reason)),
            Err(_) => {}
        }
        Ok(plan)
    }

    /// The order of loops over tiles, of which `outermost` is the first if it is given, that suits panels in
    /// tiles for registers; none if there are no such tiles.
    pub fn tile_order(&self, outermost: Option<usize>, options: &Options) -> Option<Vec<usize>> {
        let tile = self.register_tile.as_ref().filter(|_| options.panels)?;
        let is_one_level = options.tile_factors.is_empty();
        is_one_level.then(|| tile.tile_order(self.order.len(), outermost))
    }

    fn choose_register_tile(
        &mut self,
        child: &Node,
        nest: &Nest,
        reaching: &Reaching,
        band: &Band,
        scop: &Scop,
        options: &Options,
    ) -> Result<()> {
        let is_free = matches!(&self.innermost, Innermost::Vector(private) if private.is_empty());
        let (true, Node::Leaf, Some(&column)) = (is_free, child, self.order.last()) else {
            return Ok(());
        };
        let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
        let tile = RegisterTile::choose(nest, &below, column, scop, options)?;
        if let Some(tile) = tile {
            self.order = tile.order(band.n_members());
            let (rows, columns) = (tile.rows, tile.columns);
            self.decisions.push(Decision::RegisterTiles { rows, columns });
            self.register_tile = Some(tile);
        }
        Ok(())
    }

    fn choose_updates(&mut self, candidate: trailing_update::Candidate) -> Result<()> {
        self.updates = Updates::find(candidate)?;
        if let Some(updates) = &self.updates {
            self.decisions.push(updates.decision());
        }
        Ok(())
    }

    /// The rows and columns of the tiles whose results stay in registers.
    pub fn register_tile_shape(&self) -> Option<(i64, i64)> {
        let own = self.register_tile.as_ref().map(|tile| (tile.rows, tile.columns));
        own.or_else(|| self.updates.as_ref()?.register_tile())
    }

    /// The tile sizes, or why the band is not tiled.
    fn choose_sizes(
        &mut self,
        band: &Band,
        nest: &Nest,
        reaching: &Reaching,
        independence: &Independence,
        scop: &Scop,
        options: &Options,
    ) -> Result<std::result::Result<Vec<i64>, &'static str>> {
        let n = band.n_members();
        let innermost = self.order.last().copied().unwrap_or(0);
        if matches!(options.tile_sizes, TileSizes::None) {
            return Ok(Err("not wanted"));
        }
        if n < 2 || !tiling_is_wanted(nest, scop, options) {
            let sizes = self.transposition_sizes(band, nest, scop, options);
            return Ok(sizes.ok_or("no reuse beyond the caches"));
        }
        if !band.permutable {
            return Ok(Err("not permutable"));
        }
        if let (Some(tile), TileSizes::Default) = (&self.register_tile, &options.tile_sizes) {
            return Ok(Ok(tile.cache_tile_sizes(nest, band, options)));
        }
        if let Some(updates) = &self.updates {
            return Ok(Ok(updates.sizes.clone()));
        }
        let sica = match &options.tile_sizes {
            TileSizes::Sica(sica) => sica,
            TileSizes::Default | TileSizes::Footprint => {
                return Ok(Ok(self.modelled_sizes(band, nest, scop, options)));
            }
            fixed => return Ok(Ok(rectangular::sizes(fixed, n, innermost))),
        };
        if !matches!(self.innermost, Innermost::Vector(_)) {
            return Ok(Err("no vector loop"));
        }
        let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
        let budget = independence.budget();
        let block = Block::new(nest, &below, nest.first + innermost, scop, budget)?;
        let extents: Vec<i64> = (0..n).map(|member| nest.extent(member)).collect();
        let sizes = sica.sizes(&block, &extents, innermost, &options.machine);
        self.vector_tile = sizes.as_ref().and_then(|sizes| sizes.get(innermost)).copied();
        Ok(sizes.ok_or("a single loop, or nothing moves with the vector loop"))
    }

    /// The sizes of tiles for a band of independent members in which lines are used again, but no elements.
    fn transposition_sizes(
        &self,
        band: &Band,
        nest: &Nest,
        scop: &Scop,
        options: &Options,
    ) -> Option<Vec<i64>> {
        let innermost = *self.order.last()?;
        let is_free = matches!(&self.innermost, Innermost::Vector(private) if private.is_empty())
            && band.permutable
            && band.members.iter().all(|member| member.coincident);
        let is_wanted = matches!(options.tile_sizes, TileSizes::Default);
        (is_free && is_wanted && profitability::transposes(nest, innermost, scop, &options.machine))
            .then(|| vec![rectangular::DEFAULT_TILE; nest.n_members])
    }

    /// The sizes of the model of footprints. Bands whose tiles run in diagonals have fixed sizes: there the
    /// number of diagonals matters, which the model does not see.
    fn modelled_sizes(&self, band: &Band, nest: &Nest, scop: &Scop, options: &Options) -> Vec<i64> {
        match band.members.iter().position(|member| member.coincident) {
            Some(coincident) => {
                let parallel = options.parallel.then_some(coincident);
                TileProblem::new(nest, &self.order, parallel, scop, &options.machine).sizes()
            }
            None => {
                let innermost = self.order.last().copied().unwrap_or(0);
                rectangular::sizes(&TileSizes::Fixed, band.n_members(), innermost)
            }
        }
    }

    fn choose_innermost(
        &mut self,
        band: &Band,
        child: &Node,
        nest: &Nest,
        reaching: &Reaching,
        independence: &Independence,
        packs: bool,
    ) -> Result<()> {
        let n = band.n_members();
        let candidates = if band.permutable { 0..n } else { n - 1..n };
        let mut private = vec![None; n];
        for member in candidates.clone() {
            let order = loop_order::with_innermost(n, member);
            let members = band.schedule.members();
            let loops: Vec<UnionPwAff> = order.iter().map(|&m| members[m].clone()).collect();
            private[member] = independence.private_scalars(reaching, &loops)?;
        }
        let innermost =
            loop_order::best_innermost(nest, candidates, |m| private[m].is_some(), packs);
        self.order = loop_order::with_innermost(n, innermost);
        let ordered = band.permute(&self.order)?;
        self.innermost = match private.swap_remove(innermost) {
            Some(private) => distribute::guarded_split(&ordered, child, reaching, independence)?
                .map_or(Innermost::Vector(private), Innermost::Split),
            None => match distribute::may_split(&ordered, child, reaching, independence)? {
                Some(parts) => Innermost::Split(parts),
                None => independent_ranges(reaching, ordered.schedule.members(), independence)?
                    .map_or(Innermost::Serial, Innermost::Ranges),
            },
        };
        if let Innermost::Split(parts) = &self.innermost {
            self.decisions.push(Decision::InnermostInParts(parts.len()));
        }
        if matches!(self.innermost, Innermost::Serial) && interleave::pays(&ordered, child) {
            self.innermost = Innermost::InStep;
            self.decisions.push(Decision::InStep);
        }
        if let Innermost::Ranges(_) = &self.innermost {
            self.decisions.push(Decision::InnermostInRanges);
        }
        if innermost != n - 1 {
            self.decisions.push(Decision::RunsInnermost(innermost));
        }
        Ok(())
    }
}

/// Whether the options ask for tiles, or tiles pay.
fn tiling_is_wanted(nest: &Nest, scop: &Scop, options: &Options) -> bool {
    match &options.tile_sizes {
        TileSizes::None => false,
        TileSizes::Given(_) | TileSizes::Sica(_) => true,
        TileSizes::Default | TileSizes::Fixed | TileSizes::Footprint => {
            profitability::tiling_pays(nest, scop, &options.machine)
        }
    }
}

fn contains_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| found |= matches!(node, Node::Band(..)));
    found
}
