//! The choices for one band: order of the loops, tile sizes, innermost loop.
use crate::distribute::{self, SplitPart};
use crate::independence::Independence;
use crate::nest::Nest;
use crate::ranges::{Range, independent_ranges};
use crate::tile::rectangular;
use crate::{Options, TileSizes, loop_order, profit};
use loopwright_presburger::{Name, Result, UnionPwAff};
use loopwright_schedule::{Band, Node, Reaching};
use loopwright_scop::Scop;

/// What becomes of the innermost loop.
#[derive(Clone, Debug, Default)]
pub enum Innermost {
    /// It carries a dependence, or is not innermost.
    #[default]
    Serial,
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
    /// What becomes of the last point loop.
    pub innermost: Innermost,
    /// What was decided, as sentences.
    pub decisions: Vec<String>,
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
            plan.choose_innermost(band, child, nest, reaching, independence)?;
        }
        let wanted = match &options.tile_sizes {
            TileSizes::None => false,
            TileSizes::Given(_) => true,
            TileSizes::Default => profit::tiling_pays(nest, scop, &options.machine),
        };
        if wanted && band.permutable && n >= 2 {
            let innermost = plan.order.last().copied().unwrap_or(0);
            let sizes = rectangular::sizes(&options.tile_sizes, n, innermost);
            plan.decisions.push(format!("tiled with {sizes:?}"));
            plan.sizes = Some(sizes);
        } else if n >= 2 {
            let reason = if wanted { "not permutable" } else { "no reuse beyond the caches" };
            plan.decisions.push(format!("not tiled: {reason}"));
        }
        Ok(plan)
    }

    fn choose_innermost(
        &mut self,
        band: &Band,
        child: &Node,
        nest: &Nest,
        reaching: &Reaching,
        independence: &Independence,
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
        let innermost = loop_order::best_innermost(nest, candidates, |m| private[m].is_some());
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
            let text = format!("the innermost loop is split into {} loops", parts.len());
            self.decisions.push(text);
        }
        if let Innermost::Ranges(_) = &self.innermost {
            let text = "the innermost loop is split where it carries dependences";
            self.decisions.push(text.into());
        }
        if innermost != n - 1 {
            self.decisions.push(format!("member {innermost} runs innermost: better strides"));
        }
        Ok(())
    }
}

fn contains_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| found |= matches!(node, Node::Band(..)));
    found
}
