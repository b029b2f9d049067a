//! Regions whose new text and text as it was are timed on their first executions, of which the faster is
//! kept.
//!
//! The question whether the new text is to run is the last operand of its conditions, so that executions for
//! which these do not hold are not counted. What is known so far is in static variables of the region, for
//! each power of two of its work on its own: times divided by the work are compared.
use crate::pipeline::enough_work::work_text;
use crate::pipeline::versions::floats::bits_differ;
use crate::settings::effort::Effort;
use crate::settings::options::Adaptive;
use loopwright_cfront::Region;

/// Declarations and functions that the texts below use, once for each file.
pub(crate) const HELPERS: &str = include_str!("trials.h");

/// Classes of work, powers of two.
const CLASSES: usize = 64;

/// The trial of a region's new text against the text as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    /// The name of the variable of one execution.
    name: String,
    /// The work of an execution, of the type `double`; none if it is not known, then all executions are
    /// compared.
    work: Option<String>,
    /// What is true where the last bits of the two may differ, so that there is no trial.
    bits_differ: Option<&'static str>,
    /// Why there is one.
    reason: String,
}

impl Trial {
    /// The trial that options ask for; `unsure` says why the model does not know whether the new text is
    /// faster.
    pub(crate) fn wanted(
        adaptive: Adaptive,
        unsure: Option<&str>,
        region: &Region,
        position: usize,
        effort: &Effort,
    ) -> Option<Trial> {
        let reason = match (adaptive, unsure) {
            (Adaptive::Never, _) | (Adaptive::Unsure, None) => return None,
            (_, Some(reason)) => reason.to_string(),
            (Adaptive::Always, None) => "as --adaptive always asks for".to_string(),
        };
        let names = (position + 1..).map(|number| format!("loopwright_trial_{number}"));
        let name = { names }.find(|name| !region.used_names.contains(name))?;
        let (work, bits_differ) = (work_text(&region.scop, effort), bits_differ(&region.scop));
        Some(Trial { name, work, bits_differ, reason })
    }

    /// Whether the new text is to run, as an operand of `&&` that comes last.
    pub(crate) fn condition(&self) -> String {
        let work = self.work.as_deref().unwrap_or("1");
        let asked = format!("loopwright_takes_new(&{0}, {0}_known, {work})", self.name);
        match self.bits_differ {
            Some(differ) => format!("({differ} || {asked})"),
            None => asked,
        }
    }

    /// The text of a region in which the condition stands, with what belongs around it.
    pub(crate) fn around(&self, text: &str, region: &Region) -> String {
        let (name, indentation) = (&self.name, &region.indentation);
        let inside = format!(
            "{indentation}static struct loopwright_trials {name}_known[{CLASSES}];\n\
             {indentation}struct loopwright_trial {name} = {{0}};\n{text}{indentation}loopwright_ends(&{name});\n"
        );
        format!("{indentation}{{\n{inside}{indentation}}}\n")
    }

    /// What is done, in one sentence.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "timed at run time against the region as it was, the first executions of each size; the faster text is kept ({})",
            self.reason
        )
    }
}
