//! Tiles of every shape, and other sizes for those of the fastest ones.
//!
//! Each shape of [`Tiling`] is compiled with the sizes of the tool's choice; a region that has no such tiles,
//! or none that are proved, says why. From there the sizes of the fastest shapes are searched one after the
//! other, by lines: a size is doubled as long as that helps, otherwise halved, until no size gets better.
use super::candidates::{self, Candidate, OpenBand};
use super::search::{IMPROVEMENT, Search};
use crate::settings::choices::RegionChoices;
use loopwright_transform::Tiling;

/// The number of shapes whose sizes are searched: the first guess at sizes is good enough to tell those that
/// may be the fastest.
const SEARCHED_SHAPES: usize = 2;

/// The most members of a band for which trapezoids are tried: of more dimensions there are eight kinds of
/// tiles and more, whose proof takes minutes.
const MOST_MEMBERS_OF_TRAPEZOIDS: usize = 3;

/// A region in tiles of a shape.
struct Shaped {
    label: String,
    choices: RegionChoices,
    sizes: Vec<i64>,
    seconds: f64,
}

impl Search<'_, '_> {
    /// Whether shapes are searched: not where one is asked for, and not where sizes are variables.
    pub(super) fn has_open_shape(&self) -> bool {
        let options = &self.options.compile;
        !options.parametric_tiles && options.tiling.is_none_or(|asked| asked == Tiling::Auto)
    }

    /// All shapes for one region, then sizes for the fastest ones.
    pub(super) fn search_shapes(&mut self, region: usize) {
        // Each shape has a schedule of its own: nothing that the model has settled holds for it.
        let given = self.options.compile.choices.region(region).cloned().unwrap_or_default();
        let made = self.made(region).and_then(|made| made.get("tiling").map(String::from));
        let mut found: Vec<Shaped> = Vec::new();
        for (shape, candidate) in candidates::shapes(&given) {
            if made.as_deref() == Some(shape.name()) {
                continue;
            }
            let deepest = found.iter().map(|shaped| shaped.sizes.len()).max().unwrap_or(0);
            let n_members = self.n_members(region).max(deepest);
            if shape == Tiling::Trapezoid && n_members > MOST_MEMBERS_OF_TRAPEZOIDS {
                continue;
            }
            found.extend(self.shaped(region, candidate));
        }
        found.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        for shaped in found.into_iter().take(SEARCHED_SHAPES) {
            self.descend_in_shape(region, shaped);
        }
    }

    fn shaped(&mut self, region: usize, candidate: Candidate) -> Option<Shaped> {
        let (seconds, sizes) = self.attempt(region, &candidate)?;
        let Candidate { label, choices } = candidate;
        Some(Shaped { label, choices, sizes, seconds })
    }

    /// Moves along one size after the other until none gets better.
    fn descend_in_shape(&mut self, region: usize, mut shaped: Shaped) {
        loop {
            let before = shaped.seconds;
            for member in 0..shaped.sizes.len() {
                if !self.moves(region, &mut shaped, member, candidates::doubled) {
                    self.moves(region, &mut shaped, member, candidates::halved);
                }
            }
            if shaped.seconds >= before || !self.has_time() {
                return;
            }
        }
    }

    /// Changes the size of a member as long as that helps; whether it has helped.
    fn moves(
        &mut self,
        region: usize,
        shaped: &mut Shaped,
        member: usize,
        change: fn(i64) -> Option<i64>,
    ) -> bool {
        let before = shaped.seconds;
        loop {
            let band = OpenBand::of_all_bands(&shaped.sizes);
            let next = candidates::with_member(&shaped.choices, &band, member, change);
            let Some(mut next) = next else { break };
            next.label = format!("{}, {}", shaped.label, next.label);
            let Some(found) = self.shaped(region, next) else { break };
            if found.seconds >= shaped.seconds * IMPROVEMENT {
                break;
            }
            *shaped = Shaped { label: std::mem::take(&mut shaped.label), ..found };
        }
        shaped.seconds < before
    }
}
