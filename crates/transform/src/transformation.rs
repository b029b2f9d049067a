//! Transformations as values, and how those of users of this crate take their place among its own.
use crate::driver::optimise;
use crate::settings::Options;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;

/// What a transformation starts from.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// A tree that respects the dependences, and whose flags are right with respect to them.
    pub tree: &'a ScheduleTree,
    /// The program.
    pub scop: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
}

/// A change of the order in which the instances of a program run.
///
/// It takes part in no proof: whether the new order is right is decided by whoever applies it
/// ([`apply_proved`]), so an implementation may be wrong without making code wrong.
///
/// [`Options`] are one, the whole of [`optimise`].
///
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_dataflow::Dependences;
/// use loopwright_presburger::{Budget, Int, Result};
/// use loopwright_schedule::{Band, Node, ScheduleTree};
/// use loopwright_transform::{Subject, Transformation, apply_proved};
/// use loopwright_verify::check_schedule;
///
/// /// Every loop in strips of four iterations.
/// struct Strips;
///
/// impl Transformation for Strips {
///     fn name(&self) -> &str {
///         "strips"
///     }
///
///     fn apply(&self, subject: Subject<'_>, _: &Budget) -> Result<ScheduleTree> {
///         let mut change = |node: Node| -> Result<Node> {
///             let Node::Band(band, child) = node else { return Ok(node) };
///             let member = band.schedule.members()[0].clone();
///             let strips = Band::from_member(member.scale_down(&Int::from(4)).floor());
///             Ok(Node::band(strips, Node::Band(band, child)))
///         };
///         let root = subject.tree.root.clone().map_bottom_up(&mut change)?;
///         Ok(ScheduleTree { domain: subject.tree.domain.clone(), root })
///     }
/// }
///
/// let text = "void f(int n, double a[n]) {\n#pragma scop\n\
///     for (int i = 1; i < n; i++) a[i] += a[i - 1];\n#pragma endscop\n}\n";
/// let scop = SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop;
/// let budget = Budget::steps(10_000_000);
/// let dependences = Dependences::of_scop(&scop, &budget)?;
/// let subject = Subject { tree: &scop.schedule, scop: &scop, dependences: &dependences };
/// let is_right = |tree: &ScheduleTree| {
///     Ok(check_schedule(&scop, &dependences, tree, &budget)?.is_proved())
/// };
/// let applied = apply_proved(&[&Strips], subject, is_right, &budget)?;
/// assert_eq!(applied.applied, ["strips"]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub trait Transformation {
    /// What it is called in reports.
    fn name(&self) -> &str;

    /// The new tree, with the same instances; the given one if nothing is to be changed.
    ///
    /// # Errors
    /// If the tree is malformed. Where the budget runs out, an implementation may return what it has.
    fn apply(&self, subject: Subject<'_>, budget: &Budget) -> Result<ScheduleTree>;
}

/// The result of [`apply_proved`].
#[derive(Clone, Debug)]
pub struct Applied {
    /// The tree after all transformations whose results were proved.
    pub tree: ScheduleTree,
    /// The names of these, in their order.
    pub applied: Vec<String>,
    /// The names of the others: their results were refuted, or not proved within a limit.
    pub refused: Vec<String>,
}

/// Applies transformations one after the other, and goes on without those whose result `is_right` does not
/// prove: that is a question for the verifier (`loopwright_verify::check_schedule`).
///
/// *Cost.* That of the transformations, and one proof for each.
///
/// # Errors
/// Those of the transformations and of the proofs.
pub fn apply_proved(
    transformations: &[&dyn Transformation],
    subject: Subject<'_>,
    is_right: impl Fn(&ScheduleTree) -> Result<bool>,
    budget: &Budget,
) -> Result<Applied> {
    let mut found =
        Applied { tree: subject.tree.clone(), applied: Vec::new(), refused: Vec::new() };
    for transformation in transformations {
        let tree = transformation.apply(Subject { tree: &found.tree, ..subject }, budget)?;
        let name = transformation.name().to_string();
        if is_right(&tree)? {
            found.tree = tree;
            found.applied.push(name);
        } else {
            found.refused.push(name);
        }
    }
    Ok(found)
}

impl Transformation for Options {
    fn name(&self) -> &str {
        "optimise"
    }

    fn apply(&self, subject: Subject<'_>, budget: &Budget) -> Result<ScheduleTree> {
        let Subject { tree, scop, dependences } = subject;
        Ok(optimise(tree, scop, dependences, self, budget)?.tree)
    }
}
