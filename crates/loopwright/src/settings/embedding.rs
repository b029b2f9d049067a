//! How a result becomes part of a translation unit that is compiled at once.
use crate::settings::effort::Effort;
use loopwright_backend::device::CopyOptions;
use loopwright_transform::cost::profitability::MINIMUM_PARALLEL_WORK;

/// Functions of C that say of so many operations whether threads may be called for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadGuard {
    /// Where code with threads is entered that computes with integers only.
    pub has_threads: &'static str,
    /// Where code with threads is entered that computes with floating numbers: its last bits may be others
    /// than those of the region as it was. The first argument says whether there are products to fuse with
    /// sums.
    pub enters: &'static str,
    /// The same at the loops of such code.
    pub shares: &'static str,
}

/// What the text of a result has beside code, for a compiler that reads it instead of the user's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// Whether lines of code end with marks of the lines of the statements that they execute
    /// ([`loopwright_cfront::marked_line`]).
    pub line_marks: bool,
    /// What says whether threads may be called, where nobody knows whether they are there.
    pub thread_guard: Option<ThreadGuard>,
    /// Whether regions stay as they were where something is assumed about memory that neither the program nor
    /// an option says.
    pub only_checked: bool,
    /// What the names of functions for a device begin with: the name of the program's file, as far as it is
    /// one of C.
    pub program: String,
    /// How all functions for a device copy: they have one file.
    pub copies: CopyOptions,
    /// How much work the regions may take.
    pub effort: Effort,
}

impl Embedding {
    /// The assumption because of which a region stays as it was.
    pub(crate) fn assumption<'a>(&self, assumptions: &'a [String]) -> Option<&'a String> {
        assumptions.iter().find(|text| self.only_checked && text.contains("not overlap"))
    }

    /// The condition in front of code, if it has threads; its work is an expression of C, if it is known.
    pub(crate) fn guard_of(
        &self,
        code: &str,
        work: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let guard = self.thread_guard.filter(|_| code.contains("#pragma omp parallel"))?;
        let asked = calls_for(work());
        let is_shared = |fuses: bool| code.contains(&asked(guard.shares, Some(fuses)));
        Some(match () {
            () if is_shared(true) => asked(guard.enters, Some(true)),
            () if is_shared(false) => asked(guard.enters, Some(false)),
            () => asked(guard.has_threads, None),
        })
    }

    /// The condition at loops on threads that compute with floating numbers.
    pub(crate) fn shares(
        &self,
        fuses: bool,
        work: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let guard = self.thread_guard?;
        Some(calls_for(work())(guard.shares, Some(fuses)))
    }
}

/// Calls of functions for so many operations.
fn calls_for(work: Option<String>) -> impl Fn(&'static str, Option<bool>) -> String {
    let work = work.unwrap_or_else(|| format!("{MINIMUM_PARALLEL_WORK}.0"));
    move |function, fuses| match fuses {
        Some(fuses) => format!("{function}({}, {work})", u8::from(fuses)),
        None => format!("{function}({work})"),
    }
}
