//! What overlapped tiles of a program would need, before any have sizes.
use crate::overlapped::default_sizes::LONGEST;
use crate::overlapped::growth::Growth;
use crate::overlapped::site::{Site, Stop, Tiled};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Error, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Scop};

/// What is known of a program's tiles whatever their sizes are.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// How much tiles grow; its sizes mean nothing.
    pub growth: Growth,
    /// The arrays that each tile has for itself.
    pub arrays: Vec<ArrayId>,
    /// Those of them whose values flow from one time step to another, so that tiles read and store them.
    pub carried: Vec<ArrayId>,
}

/// What tiles of a program need; otherwise the reason why it has none.
///
/// *Cost.* Some integer optima per flow dependence.
///
/// # Errors
/// For malformed trees. A limit that is reached is a reason for refusal.
///
/// # Examples
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_dataflow::Dependences;
/// use loopwright_presburger::Budget;
/// use loopwright_transform::overlapped::prospect;
/// let text = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int t = 0; t < n; t++) {\n\
///     for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n\
///     for (int i = 1; i < n - 1; i++) a[i] = b[i];\n  }\n#pragma endscop\n}";
/// let scop = &SourceFile::from_text("f.c", text).extract().unwrap()[0].scop;
/// let budget = Budget::unlimited();
/// let found = prospect(&scop.schedule, scop, &Dependences::of_scop(scop, &budget)?, &budget)?;
/// let found = found.expect("values move by one place in a step");
/// let [lower, upper] = &found.growth.sides[0];
/// assert_eq!((lower.per_step, upper.per_step), (1, 1));
/// assert_eq!((found.arrays.len(), found.carried.len()), (2, 1));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn prospect(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<std::result::Result<Prospect, String>> {
    let found = || -> Tiled<Prospect> {
        let site = Site::new(tree, scop, dependences, &LONGEST, budget)?;
        let growth = Growth::of(&site)?;
        let carried = carried(&site)?;
        Ok(Prospect { growth, carried, arrays: site.written })
    };
    match found() {
        Ok(found) => Ok(Ok(found)),
        Err(Stop::Refused(reason)) => Ok(Err(reason)),
        Err(Stop::Error(Error::Exceeded { operation, .. })) => {
            Ok(Err(format!("a limit was reached ({operation})")))
        }
        Err(Stop::Error(error)) => Err(error),
    }
}

/// The arrays with a flow from one time step to another.
fn carried(site: &Site<'_>) -> Tiled<Vec<ArrayId>> {
    let mut carried = Vec::new();
    for flow in &site.dependences.flow {
        let is_known = !site.written.contains(&flow.array) || carried.contains(&flow.array);
        let ends = [flow.source.0, flow.sink.0];
        if is_known || !ends.iter().all(|id| site.statements.contains(id)) {
            continue;
        }
        let relation = flow.relation.intersect_params(&site.scop.context)?;
        let relation = relation.apply_domain(&site.coordinates(flow.source.0)?.to_map())?;
        let distances = relation.apply_range(&site.coordinates(flow.sink.0)?.to_map())?.deltas()?;
        let later = Aff::variable(distances.space(), DimKind::Out, 0);
        let same_step = distances.intersect(&later.zero_set())?;
        if !distances.is_subset(&same_step, site.budget)? {
            carried.push(flow.array);
        }
    }
    Ok(carried)
}
