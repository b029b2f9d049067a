//! What a schedule says about the levels of a band.
use crate::cut::shift::{Shift, common_shift, refers_to_outer_dimensions};
use crate::level::Level;
use crate::level::plain_sets::is_universe;
use crate::model::statement::Statement;
use loopwright_presburger::{DimKind, Result, Set};
use loopwright_schedule::{AstLoopType, Member, Node};

/// The levels of a band, or of the dimensions of instances that are left unordered.
pub(crate) struct BandLevels<'a> {
    /// The first dimension.
    pub(crate) start: usize,
    /// The first dimension after the band.
    pub(crate) end: usize,
    /// The members of the band; none where there is no band.
    pub(crate) members: Vec<Member>,
    /// For every dimension of a flat schedule, the types of loops by part.
    pub(crate) settings: Vec<Vec<(AstLoopType, Set)>>,
    /// What is isolated, at the depth of the band's end.
    pub(crate) isolate: Option<Set>,
    /// What is inside.
    pub(crate) child: &'a Node,
}

/// A level of a band at some point of the descent.
#[derive(Clone, Copy)]
pub(crate) struct BandLevel<'a> {
    pub(crate) band: &'a BandLevels<'a>,
    pub(crate) level: Level<'a>,
    /// Whether this is inside of an isolated part.
    pub(crate) isolated: bool,
}

impl BandLevel<'_> {
    /// The member of the band to which the level belongs, or what holds without one.
    pub(crate) fn member(&self) -> Member {
        let position = self.level.dimension - self.band.start;
        self.band.members.get(position).copied().unwrap_or_default()
    }
}

impl BandLevels<'_> {
    /// The shift that lets the statements share a loop over `dimension`, unless something further
    /// inside refers to the dimensions of the schedule.
    pub(crate) fn shift(
        &self,
        statements: &[&Statement],
        dimension: usize,
        scale_strides: bool,
    ) -> Result<Option<Shift>> {
        let mut own = self.settings.iter().skip(dimension - self.start).take(1).flatten();
        let is_free = own.all(|(_, part)| is_universe(part));
        if !is_free || refers_to_outer_dimensions(self.child) {
            return Ok(None);
        }
        let shift = common_shift(statements, dimension, scale_strides)?;
        Ok(shift.filter(|shift| self.isolate.is_none() || shift.is_uniform()))
    }

    /// With the new dimension of a shift before `dimension`, which takes the type of its loop.
    pub(crate) fn shifted(&self, dimension: usize, shift: &Shift) -> Self {
        let position = dimension - self.start;
        let mut settings = self.settings.clone();
        for (_, part) in settings.iter_mut().skip(position + 1).flatten() {
            *part = part.insert_dims(DimKind::Out, dimension, 1);
        }
        if !settings.is_empty() {
            settings.insert(position + 1, Vec::new());
        }
        let mut members = self.members.clone();
        if let Some(member) = members.get(position).copied() {
            let coincident = member.coincident;
            members.insert(position + 1, Member { coincident, ..Member::default() });
        }
        let isolate = self.isolate.as_ref().map(|set| shift.applied(set, dimension));
        BandLevels { end: self.end + 1, members, settings, isolate, ..*self }
    }
}
