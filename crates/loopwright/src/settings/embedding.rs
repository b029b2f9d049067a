//! How a result becomes part of a translation unit that is compiled at once.
use crate::settings::effort::Effort;
use loopwright_backend::device::CopyOptions;
use loopwright_transform::cost::profitability::MINIMUM_PARALLEL_WORK;

/// What the text of a result has beside code, for a compiler that reads it instead of the user's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// Whether lines of code end with marks of the lines of the statements that they execute
    /// ([`loopwright_cfront::marked_line`]).
    pub line_marks: bool,
    /// The function of C that says whether threads may be called for so many operations, where code with threads is entered.
    pub thread_guard: Option<String>,
    /// Whether regions stay as they were where something is assumed about memory that neither the program nor an option
    /// says.
    pub only_checked: bool,
    /// What the names of functions for a device begin with: the name of the program's file, as far as it is one of C.
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
        let guard = self.thread_guard.as_ref().filter(|_| code.contains("#pragma omp parallel"))?;
        let work = work().unwrap_or_else(|| format!("{MINIMUM_PARALLEL_WORK}.0"));
        Some(format!("{guard}({work})"))
    }
}
