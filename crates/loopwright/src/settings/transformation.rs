//! Transformations of the user's own, as a part of the options.
use loopwright_transform::Transformation;
use std::fmt;
use std::sync::Arc;

/// A [`Transformation`] that is plugged into a compilation by
/// [`CompileOptions::transformations`](crate::CompileOptions::transformations).
///
/// What it makes of the schedule that was found is proved at once, as any schedule is: what does not respect
/// all dependences is not used, and a note says so.
///
/// ```
/// use loopwright::presburger::{Budget, Result};
/// use loopwright::schedule::ScheduleTree;
/// use loopwright::transform::{Subject, Transformation};
/// use loopwright::{CompileOptions, Plugin, compile_text, read_schedule};
///
/// /// The order of a relation.
/// struct Order(&'static str);
///
/// impl Transformation for Order {
///     fn name(&self) -> &str {
///         "order"
///     }
///
///     fn apply(&self, subject: Subject<'_>, budget: &Budget) -> Result<ScheduleTree> {
///         let Subject { tree, scop, .. } = subject;
///         let found = read_schedule(self.0, &tree.domain, &scop.context, budget);
///         Ok(found.unwrap_or_else(|_| tree.clone()))
///     }
/// }
///
/// let text = "void f(int n, double a[n][n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    for (int j = 0; j < n; j++)\n      a[i][j] = 2 * a[i - 1][j];\n#pragma endscop\n}\n";
/// let mut options = CompileOptions::new();
/// options.transformations = vec![Plugin::new(Order("{ S0[i, j] -> [j, i] }"))];
/// let compiled = compile_text("f.c", text, &options)?;
/// assert!(compiled.report.regions[0].tried.contains(&"order: proved, taken".to_string()));
///
/// options.transformations = vec![Plugin::new(Order("{ S0[i, j] -> [-i, j] }"))];
/// let compiled = compile_text("f.c", text, &options)?;
/// let notes = &compiled.report.regions[0].notes;
/// assert!(notes.iter().any(|note| note.starts_with("order is not used: it is not true that")));
/// # Ok::<(), loopwright::Failure>(())
/// ```
#[derive(Clone)]
pub struct Plugin(Arc<dyn Transformation + Send + Sync>);

impl Plugin {
    /// A transformation as a part of a compilation.
    pub fn new(transformation: impl Transformation + Send + Sync + 'static) -> Self {
        Plugin(Arc::new(transformation))
    }

    /// The transformation.
    pub(crate) fn transformation(&self) -> &dyn Transformation {
        &*self.0
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plugin").field(&self.0.name()).finish()
    }
}
