//! Transformations of the user's own, as a part of the options.
use crate::diagnostics::failure::Failure;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::Budget;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use std::fmt;

/// A transformation of schedules that is plugged into a compilation by
/// [`CompileOptions::transformations`](crate::CompileOptions::transformations).
///
/// What it makes of the schedule that was found is proved at once, as any schedule is: what does not respect all
/// dependences is not used, and a note says so. Marks of parallel loops need no lists of private variables.
///
/// ```
/// use loopwright::schedule::ScheduleTree;
/// use loopwright::{CompileOptions, Failure, Subject, Transformation, compile_text, read_schedule};
/// use std::sync::Arc;
///
/// /// The order of a relation.
/// #[derive(Debug)]
/// struct Order(&'static str);
///
/// impl Transformation for Order {
///     fn name(&self) -> &str {
///         "order"
///     }
///
///     fn apply(
///         &self,
///         tree: &ScheduleTree,
///         subject: Subject<'_>,
///     ) -> Result<Option<ScheduleTree>, Failure> {
///         let Subject { scop, budget, .. } = subject;
///         read_schedule(self.0, &tree.domain, &scop.context, budget).map(Some)
///     }
/// }
///
/// let text = "void f(int n, double a[n][n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    for (int j = 0; j < n; j++)\n      a[i][j] = 2 * a[i - 1][j];\n#pragma endscop\n}\n";
/// let mut options = CompileOptions::new();
/// options.transformations = vec![Arc::new(Order("{ S0[i, j] -> [j, i] }"))];
/// let compiled = compile_text("f.c", text, &options)?;
/// assert!(compiled.report.regions[0].tried.contains(&"order: proved, taken".to_string()));
///
/// options.transformations = vec![Arc::new(Order("{ S0[i, j] -> [-i, j] }"))];
/// let compiled = compile_text("f.c", text, &options)?;
/// let notes = &compiled.report.regions[0].notes;
/// assert!(notes.iter().any(|note| note.starts_with("order is not used: it is not true that")));
/// # Ok::<(), Failure>(())
/// ```
pub trait Transformation: fmt::Debug + Send + Sync {
    /// The name in reports.
    fn name(&self) -> &str;

    /// Another schedule of the same instances; none if there is nothing to do.
    ///
    /// # Errors
    /// What is said in the report; the schedule stays as it was.
    fn apply(
        &self,
        tree: &ScheduleTree,
        subject: Subject<'_>,
    ) -> Result<Option<ScheduleTree>, Failure>;
}

/// What a [`Transformation`] may look at.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub scop: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The machine that the code is for.
    pub machine: &'a Machine,
    /// The work that it may take.
    pub budget: &'a Budget,
}
