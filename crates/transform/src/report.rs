//! What was done to each band, and why.
use crate::Decision;
use std::collections::BTreeSet;
use std::fmt;

/// What was done to the bands of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One entry per band of the scheduler's tree, outermost first.
    pub bands: Vec<BandReport>,
}

/// What was done to one band.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BandReport {
    /// The names of the statements below.
    pub statements: Vec<String>,
    /// Whether the members could be permuted.
    pub permutable: bool,
    /// Which members were coincident.
    pub coincident: Vec<bool>,
    /// The order in which the members became point loops.
    pub order: Vec<usize>,
    /// The tile sizes, in the scheduler's order of the members; empty if not tiled.
    pub tile_sizes: Vec<i64>,
    /// The rows and columns of the tiles whose results stay in registers, if there are such tiles.
    pub register_tile: Option<(i64, i64)>,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

impl Report {
    /// The names of the statements that run in some parallel or tiled loop.
    pub fn improved_statements(&self) -> BTreeSet<&str> {
        let improved = self.bands.iter().filter(|band| band.is_improved());
        improved.flat_map(|band| band.statements.iter().map(String::as_str)).collect()
    }

    /// Whether some band has tiles whose results stay in registers.
    pub fn has_register_tiles(&self) -> bool {
        self.bands.iter().any(|band| band.register_tile.is_some())
    }

    /// Whether each of these statements, whose instances were cut in halves for deeper bands or for
    /// coincident members, is in a band that is tiled or whose outermost member was coincident and runs
    /// in parallel.
    ///
    /// ```
    /// use loopwright_transform::{BandReport, Report};
    /// let mut band = BandReport { statements: vec!["S".into()], ..BandReport::default() };
    /// assert!(!Report { bands: vec![band.clone()] }.profits_from(&["S".into()]));
    /// band.tile_sizes = vec![32, 32];
    /// assert!(Report { bands: vec![band] }.profits_from(&["S".into()]));
    /// ```
    pub fn profits_from(&self, cut: &[String]) -> bool {
        let profits = |band: &BandReport| {
            let is_coincident = band.coincident.first() == Some(&true);
            !band.tile_sizes.is_empty() || is_coincident && band.is_improved()
        };
        let profiting: Vec<&BandReport> = self.bands.iter().filter(|band| profits(band)).collect();
        cut.iter().all(|statement| profiting.iter().any(|band| band.statements.contains(statement)))
    }
}

impl BandReport {
    /// Whether a loop of the band runs in parallel, or the band is tiled.
    pub fn is_improved(&self) -> bool {
        !self.tile_sizes.is_empty() || self.decisions.iter().any(Decision::is_parallel)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, band) in self.bands.iter().enumerate() {
            write!(f, "band {position} of {}: ", band.statements.join(", "))?;
            let flags: Vec<_> =
                band.coincident.iter().map(|&c| if c { "parallel" } else { "serial" }).collect();
            let s = if flags.len() == 1 { "" } else { "s" };
            write!(f, "{} member{s} ({})", flags.len(), flags.join(", "))?;
            writeln!(f, "{}", if band.permutable { ", permutable" } else { "" })?;
            for decision in &band.decisions {
                writeln!(f, "  {decision}")?;
            }
        }
        Ok(())
    }
}
