//! What a search for regions has found.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::regions::region::{RefusedRegion, Region};
use std::path::PathBuf;

/// What became of a loop.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is part of the region with this position in [`Detection::regions`].
    Region(usize),
    /// It cannot be part of a region, for all of these reasons.
    Refused(Vec<Diagnostic>),
}

/// A loop of a function that is not inside another loop, or only inside of loops that are refused.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The function.
    pub function: String,
    /// The line of the loop in the user's file (1-based).
    pub first_line: u32,
    /// Its last line.
    pub last_line: u32,
    /// The number of (refused) loops around it.
    pub depth: usize,
    /// What became of it.
    pub outcome: Outcome,
}

/// The regions of a file, and what became of every loop.
#[derive(Clone, Debug, Default)]
pub struct Detection {
    /// All regions, in the order of the file.
    pub regions: Vec<Region>,
    /// The loops, in the order of the file.
    pub nests: Vec<Nest>,
    /// The regions between pragmas that are refused, in the order of the file.
    pub refused: Vec<RefusedRegion>,
    /// The user's included files that define functions with loops, with the number of these loops: they are
    /// not looked at.
    pub included: Vec<(PathBuf, usize)>,
}

impl Detection {
    /// The regions one by one, with those between pragmas that are refused, in the order of the file.
    ///
    /// # Errors
    /// If there is no region at all, the refusals of all loops.
    pub fn into_each(self) -> Result<Vec<Result<Region, RefusedRegion>>, Vec<Diagnostic>> {
        if !self.regions.is_empty() || !self.refused.is_empty() {
            let regions = self.regions.into_iter().map(Ok);
            let mut all: Vec<_> = regions.chain(self.refused.into_iter().map(Err)).collect();
            all.sort_by_key(|region: &Result<Region, RefusedRegion>| match region {
                Ok(region) => region.first_line,
                Err(refused) => refused.first_line,
            });
            return Ok(all);
        }
        let mut diagnostics = vec![
            Diagnostic::new(Code::NoRegion, "no loop of this file can be part of a region")
                .hint("the refusals of the loops follow, each with what can be done about it"),
        ];
        for nest in self.nests {
            if let Outcome::Refused(found) = nest.outcome {
                diagnostics.extend(found);
            }
        }
        if diagnostics.len() == 1 {
            let none = Diagnostic::new(Code::NoRegion, "there is no loop in this file");
            return Err(vec![none.hint("name a file with loops")]);
        }
        let mut seen = Vec::new();
        diagnostics.retain(|diagnostic| {
            let is_new = !seen.contains(diagnostic);
            if is_new {
                seen.push(diagnostic.clone());
            }
            is_new
        });
        Err(diagnostics)
    }
}
