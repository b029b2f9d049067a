//! Cache-oblivious tiles: a band as a recursion over zoids, which cuts itself until pieces are small.
//!
//! The band has a time and positions of its instances ([`crate::tile::cone`]), along which all dependences
//! advance by a step of time at least and between two slopes per step. So instances of one step are
//! independent of each other, and a recursion over zoids of time and positions ([`ZoidRecursion`]) that cuts
//! by these slopes is legal. Each piece fits into each cache from some depth on, whatever the sizes of caches
//! are. What remains is a loop over the steps of a small zoid, and in it, for each statement, the loops of
//! one step: those of the program with the step and the bounds of positions as parameters ([`ZoidProgram`]).
//!
//! *Source.* Frigo and Strumpen, "Cache oblivious stencil computations", ICS 2005, and "The cache complexity
//! of multithreaded cache oblivious algorithms", SPAA 2006, for stencils; here for all bands with a cone.
//! Cuts are made along one dimension after the other.
use crate::decision::Decision;
use crate::overlapped::with_vector_loops;
use crate::report::{BandReport, Report};
use crate::storage::names::free_name;
use crate::tile::cone::{Cone, cone};
use crate::tile::phases::MOST_DIMENSIONS;
use crate::tile::tiling::Refusal;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{
    Budget, Error, MultiUnionPwAff, Name, PwAff, Result, Set, Tuple, UnionMap, UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::{Parameter, Scop, ZoidAxis, ZoidRecursion};
use std::collections::BTreeSet;

/// Values of the time member and of others down to which zoids are cut, for bands of two, three and more
/// members; the last one is that of the innermost dimension.
const DEFAULT_STEPS: [i64; 3] = [64, 16, 8];
const DEFAULT_WIDTH: [i64; 3] = [1024, 32, 16];
const DEFAULT_ROW: [i64; 3] = [1024, 512, 256];

/// The type of C that moments and positions have.
const POSITION_TYPE: &str = "long";

/// A program whose band is a recursion over zoids.
#[derive(Clone, Debug)]
pub struct ZoidProgram {
    /// The program, with a moment and bounds of positions as further parameters.
    pub scop: Scop,
    /// The loops of that moment between these bounds.
    pub tree: ScheduleTree,
    /// From instances to their moment and positions.
    pub points: UnionMap,
    /// The parameter that is a moment.
    pub moment: Name,
    /// The parameters that are bounds of positions along each axis: the first one, and the one behind the
    /// last.
    pub bounds: Vec<(Name, Name)>,
    /// How zoids are cut.
    pub recursion: ZoidRecursion,
    /// The least and the greatest moment, then position along each axis, of all instances.
    pub extremes: Vec<(PwAff, PwAff)>,
    /// What was done.
    pub report: Report,
}

/// What came of the search for a recursion.
#[derive(Clone, Debug)]
pub enum Zoids {
    /// The program as a recursion.
    Found(Box<ZoidProgram>),
    /// There is none, for this reason: a clause.
    Refused(String),
}

/// The outermost band of a tree as a recursion over zoids, which are cut down to `sizes` by member: values of
/// the time member, widths of pieces along others, the last one repeated as often as needed; none for sizes
/// of our choice. `taken` are names that the program uses.
///
/// *Cost.* That of the cone, some parametric minima, and emptiness tests for vector loops.
///
/// # Errors
/// For malformed trees. A limit that is reached is a reason for refusal.
pub fn zoids(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    sizes: &[i64],
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Zoids> {
    let found = outermost_band(tree).map_or_else(
        |reason| Ok(Err(reason)),
        |(band, child)| Site { tree, band, child, scop, dependences, budget }.program(sizes, taken),
    );
    match found {
        Ok(Ok(program)) => Ok(Zoids::Found(Box::new(program))),
        Ok(Err(reason)) => Ok(Zoids::Refused(reason)),
        Err(Error::Exceeded { operation, .. }) => {
            Ok(Zoids::Refused(format!("a limit was reached ({operation})")))
        }
        Err(error) => Err(error),
    }
}

/// The band that holds all statements.
fn outermost_band(tree: &ScheduleTree) -> std::result::Result<(&Band, &Node), String> {
    match &tree.root {
        Node::Band(band, child) if band.n_members() >= 2 && band.permutable => Ok((band, child)),
        Node::Band(band, _) if band.n_members() >= 2 => Err(Refusal::NotPermutable.to_string()),
        Node::Sequence(parts) | Node::Set(parts) if parts.len() > 1 => Err(format!(
            "there are {} bands of loops one after the other, and a recursion is one band that holds all statements",
            parts.len()
        )),
        _ => Err("there is no band of two loops or more that holds all statements".to_string()),
    }
}

struct Site<'a> {
    tree: &'a ScheduleTree,
    band: &'a Band,
    /// What is inside of the band.
    child: &'a Node,
    scop: &'a Scop,
    dependences: &'a Dependences,
    budget: &'a Budget,
}

impl Site<'_> {
    fn program(
        &self,
        sizes: &[i64],
        taken: &BTreeSet<String>,
    ) -> Result<std::result::Result<ZoidProgram, String>> {
        let n = self.band.n_members();
        if n - 1 > MOST_DIMENSIONS {
            return Ok(Err(Refusal::TooManyDimensions.to_string()));
        }
        let all = self.dependences.memory_map()?.union(&self.reassociated()?)?;
        let reaching = Reaching::root(self.tree);
        let cone = match cone(self.band, n - 1, &reaching, &all, self.budget)? {
            Ok(cone) => cone,
            Err(none) => return Ok(Err(Refusal::NoCone(none).to_string())),
        };
        let sizes = self.sizes(&cone, sizes);
        let width = |member: usize, scale: i64| sizes[member].saturating_mul(scale);
        let axes = cone.axes.iter().map(|axis| ZoidAxis {
            least: axis.least,
            greatest: axis.greatest,
            width: width(axis.member, axis.scale),
        });
        let recursion =
            ZoidRecursion::new(sizes[cone.face].saturating_mul(cone.steps), axes.collect());
        let points = points(&cone)?;
        let extremes = match self.extremes(&points)? {
            Some(extremes) => extremes,
            None => return Ok(Err("there is nothing to execute".to_string())),
        };
        let names = Names::new(cone.axes.len(), taken);
        let scop = names.as_parameters_of(self.scop);
        let tree = self.step(&cone, &points, &names, &scop)?;
        let Names { moment, bounds } = names;
        let report = self.report(sizes);
        Ok(Ok(ZoidProgram { scop, tree, points, moment, bounds, recursion, extremes, report }))
    }

    /// Updates that may run in any order, but not at one time.
    fn reassociated(&self) -> Result<UnionMap> {
        let pairs = self.dependences.reassociated().iter().map(|pair| pair.relation.clone());
        pairs.map(UnionMap::from_map).try_fold(UnionMap::empty(), |all, pair| all.union(&pair))
    }

    /// The given sizes by member, or those of our choice.
    fn sizes(&self, cone: &Cone, given: &[i64]) -> Vec<i64> {
        let n = self.band.n_members();
        let by_members = |table: [i64; 3]| table[(n - 2).min(2)];
        let innermost = cone.axes.last().map_or(0, |axis| axis.member);
        let own = |member: usize| match member {
            _ if member == cone.face => by_members(DEFAULT_STEPS),
            _ if member == innermost => by_members(DEFAULT_ROW),
            _ => by_members(DEFAULT_WIDTH),
        };
        let size = |member: usize| given.get(member).or(given.last()).copied();
        (0..n).map(|member| size(member).unwrap_or_else(|| own(member)).max(1)).collect()
    }

    /// The least and greatest coordinates of all points; none if there are no points.
    fn extremes(&self, points: &UnionMap) -> Result<Option<Vec<(PwAff, PwAff)>>> {
        let executed = points.intersect_domain(&self.tree.domain)?;
        let executed = executed.intersect_params_within(&self.scop.context, self.budget)?;
        let Some(all) = executed.range().coalesce(self.budget)?.sets().into_iter().next() else {
            return Ok(None);
        };
        let extreme =
            |at: usize| Ok((all.dim_min(at, self.budget)?, all.dim_max(at, self.budget)?));
        let n = all.n(loopwright_presburger::DimKind::Out);
        (0..n).map(extreme).collect::<Result<Vec<_>>>().map(Some)
    }

    /// The loops of a moment, statement by statement: its instances are independent of each other.
    fn step(
        &self,
        cone: &Cone,
        points: &UnionMap,
        names: &Names,
        scop: &Scop,
    ) -> Result<ScheduleTree> {
        let here = points.intersect_range(&names.points_of_moment()?)?.domain();
        let domain = self.tree.domain.intersect(&here)?;
        let members: Vec<UnionPwAff> = cone.axes.iter().map(|axis| axis.position.clone()).collect();
        let n = members.len();
        let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), members))
            .with_permutable(true)
            .with_coincident(&vec![true; n]);
        let part = |statement: &Set| {
            let own = UnionSet::from_set(Set::universe(statement.space().clone()));
            let inside = of_statement(self.child, &own)?;
            Ok((own.clone(), Node::band(band.intersect_domain(&own)?, inside)))
        };
        let parts = domain.sets().iter().map(part).collect::<Result<Vec<_>>>()?;
        let root = match <[_; 1]>::try_from(parts) {
            Ok([(_, only)]) => only,
            Err(parts) => Node::sequence(parts),
        };
        // The moment is known, so this is no loop: it says that moments are in order.
        let tree =
            ScheduleTree::new(domain, Node::band(Band::from_member(cone.time.clone()), root));
        with_vector_loops(&tree, scop, self.dependences, self.budget)
    }

    fn report(&self, sizes: Vec<i64>) -> Report {
        let executed = self.scop.statements.iter().filter(|statement| !statement.is_kill);
        let n = self.band.n_members();
        let band = BandReport {
            statements: executed.map(|statement| statement.name.to_string()).collect(),
            coincident: self.band.members.iter().map(|member| member.coincident).collect(),
            order: (0..n).collect(),
            tile_sizes: sizes.clone(),
            decisions: vec![Decision::Zoids { sizes }],
            ..BandReport::default()
        };
        Report { bands: vec![band] }
    }
}

/// What is inside of a band for the instances of one statement: a sequence of statements orders nothing
/// there.
fn of_statement(node: &Node, own: &UnionSet) -> Result<Node> {
    Ok(match node {
        Node::Sequence(children) | Node::Set(children) => {
            let mut kept = Vec::new();
            for child in children {
                let is_there = match child {
                    Node::Filter(filter, _) => !filter.intersect(own)?.plain_is_empty(),
                    _ => true,
                };
                if is_there {
                    kept.push(child);
                }
            }
            match kept[..] {
                [Node::Filter(_, only)] => of_statement(only, own)?,
                _ => node.clone(),
            }
        }
        Node::Band(band, child) => {
            Node::band(band.intersect_domain(own)?, of_statement(child, own)?)
        }
        other => other.clone(),
    })
}

/// From instances to their moment and positions.
fn points(cone: &Cone) -> Result<UnionMap> {
    let positions = cone.axes.iter().map(|axis| axis.position.clone());
    let coordinates: Vec<UnionPwAff> = [cone.time.clone()].into_iter().chain(positions).collect();
    MultiUnionPwAff::new(Tuple::anonymous(coordinates.len()), coordinates).to_union_map()
}

/// The names of what the loops of a moment are given.
struct Names {
    moment: Name,
    bounds: Vec<(Name, Name)>,
}

impl Names {
    fn new(n_axes: usize, taken: &BTreeSet<String>) -> Names {
        let free = |wanted: &str| -> Name { free_name(wanted, |name| taken.contains(name)).into() };
        let bounds = (0..n_axes).map(|k| (free(&format!("low_{k}")), free(&format!("high_{k}"))));
        Names { moment: free("moment"), bounds: bounds.collect() }
    }

    fn all(&self) -> Vec<Name> {
        let bounds = self.bounds.iter().flat_map(|(low, high)| [low.clone(), high.clone()]);
        [self.moment.clone()].into_iter().chain(bounds).collect()
    }

    fn as_parameters_of(&self, scop: &Scop) -> Scop {
        let mut scop = scop.clone();
        let c_type = POSITION_TYPE.to_string();
        let parameter = |name: Name| Parameter { name, c_type: c_type.clone(), value: None };
        // What has another value in the program is an argument of the function.
        for known in &mut scop.parameters {
            known.value = None;
        }
        scop.parameters.extend(self.all().into_iter().map(parameter));
        scop
    }

    /// The points of the moment between the bounds.
    fn points_of_moment(&self) -> Result<UnionSet> {
        let mut coordinates = vec!["f".to_string()];
        let mut conditions = vec![format!("f = {}", self.moment)];
        for (k, (low, high)) in self.bounds.iter().enumerate() {
            coordinates.push(format!("x{k}"));
            conditions.push(format!("{low} <= x{k} < {high}"));
        }
        let parameters: Vec<String> = self.all().iter().map(ToString::to_string).collect();
        UnionSet::parse(&format!(
            "[{}] -> {{ [{}] : {} }}",
            parameters.join(", "),
            coordinates.join(", "),
            conditions.join(" and ")
        ))
    }
}
