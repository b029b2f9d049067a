//! The entry point, and the walk over the tree.
//!
//! For each band, outermost first, data flows one way:
//!
//! ```text
//! what reaches it, options ──▶ BandSite ──▶ BandPlan ──▶ report, costs
//!                                              │
//!                       bands inside ──▶ node ─┴─ assemble ──▶ node
//! ```
//!
//! A [`BandSite`] is what is known, a [`BandPlan`] what is decided; both are values, and nothing that is
//! decided about one band changes what another one sees, except whether a loop around it is parallel. What
//! the walk finds out ([`Rewritten`]) is handed up as values, too.
use crate::band::plan::BandPlan;
use crate::band::planned_cost::PlannedBand;
use crate::cost::estimate::{Below, CostNode, Estimate};
use crate::cost::trip_counts::Nominal;
use crate::legality::independence::Independence;
use crate::loops::distribute;
use crate::report::{BandReport, Report};
use crate::settings::{Options, TileSizes};
use crate::site::{BandSite, TreeFacts};
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;

/// The result of [`optimise`].
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The new tree.
    pub tree: ScheduleTree,
    /// What was done.
    pub report: Report,
    /// What it costs, if the options ask for that.
    pub estimate: Option<Estimate>,
}

/// Rewrites a tree for speed; the documentation of the crate lists the steps.
///
/// `tree` has to respect `dependences`, and its flags have to be right with respect to them.
///
/// *Cost.* A choice per band, of which exact tests on the dependences of the statements below take most: one
/// per member, twice the number of pairs of dependent statements each.
///
/// # Errors
/// For malformed trees only (a band that is not defined on a statement, tile sizes that are not
/// positive). When the budget runs out in a step, that step is left out.
pub fn optimise(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> Result<Optimised> {
    let (result, vector_tiles) = rewrite(tree, scop, dependences, options, budget)?;
    if let TileSizes::Sica(sica) = &options.tile_sizes
        && let Some(uniform) = sica.uniform(&vector_tiles)
    {
        let options = Options { tile_sizes: TileSizes::Sica(uniform), ..options.clone() };
        return Ok(rewrite(tree, scop, dependences, &options, budget)?.0);
    }
    Ok(result)
}

/// What the loops of a tree cost as they are, on one core, with innermost loops in vectors where their
/// iterations are independent.
///
/// The bands have to be those of the loops; flags are not used.
///
/// # Errors
/// For malformed trees.
pub fn estimate_as_written(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    machine: &Machine,
    budget: &Budget,
) -> Result<Estimate> {
    let independence = Independence::new(scop, dependences, budget)?;
    let facts = TreeFacts { scop, independence, nominal: Nominal::of_scop(scop) };
    let options = Options { machine: machine.clone(), ..Options::default() };
    let below = costs_as_written(&tree.root, &Reaching::root(tree), &facts, &options)?;
    let whole = CostNode { below: Below::Parts(below), ..CostNode::default() };
    Ok(whole.estimate(machine))
}

/// What the outermost bands below a node cost as they are.
fn costs_as_written(
    node: &Node,
    reaching: &Reaching,
    facts: &TreeFacts,
    options: &Options,
) -> Result<Vec<CostNode>> {
    let mut inside = Vec::new();
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        inside.extend(costs_as_written(child, &below, facts, options)?);
    }
    let Node::Band(band, child) = node else { return Ok(inside) };
    if band.n_members() == 0 {
        return Ok(inside);
    }
    let below = reaching.descend(node, 0)?;
    let site = BandSite::new(facts, (band, child), (reaching, &below), options);
    let plan = BandPlan::as_written(&site)?;
    Ok(vec![PlannedBand { site: &site, plan: &plan, position: 0 }.cost(inside, 1.0)])
}

/// As [`optimise`], with the tile sizes of the vector loops that SICA has found, block by block.
fn rewrite(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> Result<(Optimised, Vec<i64>)> {
    let independence = Independence::new(scop, dependences, budget)?;
    let nominal = Nominal::of_scop(scop).with_loops_inside(options.loops_in_statements);
    let facts = TreeFacts { scop, independence, nominal };
    let driver = Driver { facts: &facts, options };
    let place = Place { inside_parallel: false, cores: 1.0, n_before: 0 };
    let (root, found) = driver.node(&tree.root, &Reaching::root(tree), place)?;
    let tree = ScheduleTree { domain: tree.domain.clone(), root };
    let whole = CostNode { below: Below::Parts(found.costs), ..CostNode::default() };
    let estimate = options.estimate.then(|| whole.estimate(&options.machine));
    let report = Report { bands: found.bands };
    Ok((Optimised { tree, report, estimate }, found.vector_tiles))
}

/// What is the same for the whole walk.
struct Driver<'a> {
    facts: &'a TreeFacts<'a>,
    options: &'a Options,
}

/// What the walk knows of the tree around a node.
#[derive(Clone, Copy)]
struct Place {
    /// Whether a loop around is parallel.
    inside_parallel: bool,
    /// How many cores work on what is here, on average.
    cores: f64,
    /// The number of bands before in the report.
    n_before: usize,
}

/// What the walk found out about the bands of a subtree.
#[derive(Default)]
struct Rewritten {
    /// Outermost first.
    bands: Vec<BandReport>,
    /// The tile sizes of the vector loops that SICA has found.
    vector_tiles: Vec<i64>,
    /// What the outermost bands cost, if that is asked for.
    costs: Vec<CostNode>,
}

impl Rewritten {
    /// The same with what was found in a later subtree beside.
    fn and(mut self, other: Rewritten) -> Rewritten {
        self.bands.extend(other.bands);
        self.vector_tiles.extend(other.vector_tiles);
        self.costs.extend(other.costs);
        self
    }
}

impl Driver<'_> {
    fn node(&self, node: &Node, reaching: &Reaching, place: Place) -> Result<(Node, Rewritten)> {
        if let Node::Band(band, child) = node {
            if band.n_members() == 0 {
                return self.node(child, reaching, place);
            }
            let independence = &self.facts.independence;
            return match distribute::distribute(band, child, reaching, independence)? {
                Some(parts) => self.node(&parts, reaching, place),
                None => self.band(node, reaching, place),
            };
        }
        let mut rewritten = node.clone();
        let mut found = Rewritten::default();
        for (child, below) in rewritten.children_mut().iter_mut().zip(reaching.below(node)?) {
            let place = Place { n_before: place.n_before + found.bands.len(), ..place };
            let (own, more) = self.node(&child.take(), &below, place)?;
            *child = own;
            found = found.and(more);
        }
        Ok((rewritten, found))
    }

    fn band(&self, node: &Node, reaching: &Reaching, place: Place) -> Result<(Node, Rewritten)> {
        let Node::Band(band, child) = node else { return Ok((node.clone(), Rewritten::default())) };
        let below = reaching.descend(node, 0)?;
        let options = self.options.of_band(place.n_before, place.inside_parallel);
        let site = BandSite {
            may_be_parallel: options.parallel && !place.inside_parallel,
            may_run_rows_together: options.register_tiles
                && !matches!(self.options.tile_sizes, TileSizes::None),
            ..BandSite::new(self.facts, (band, child), (reaching, &below), &options)
        };
        let plan = BandPlan::new(&site)?;
        let planned = PlannedBand { site: &site, plan: &plan, position: place.n_before };
        let cores = place.cores * planned.cores();
        let inside = Place {
            inside_parallel: place.inside_parallel || plan.is_parallel(),
            cores,
            n_before: place.n_before + 1,
        };
        let (inner, found) = self.node(child, &below, inside)?;
        let own = Rewritten {
            bands: vec![plan.report(&site)],
            vector_tiles: plan.points.vector_tile.into_iter().collect(),
            costs: Vec::new(),
        };
        let costs = match options.estimate {
            true => vec![planned.cost(found.costs, cores)],
            false => Vec::new(),
        };
        let tree = plan.assemble(band, inner)?;
        Ok((tree, Rewritten { costs, ..own.and(Rewritten { costs: Vec::new(), ..found }) }))
    }
}
