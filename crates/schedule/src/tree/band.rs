//! Editing of bands: splitting, joining, tiling, interchange.
//!
//! Reordering a band is legal without further proof if it is *permutable*: every dependence that
//! is not carried outside has a non-negative distance along every member. Then any
//! permutation of the members, and any tiling with rectangular tiles, respects the dependences: the
//! distance along `⌊m / s⌋` is non-negative as well, because `m` does not decrease (Irigoin and
//! Triolet, "Supernode partitioning", POPL 1988).
use crate::tree::node::{AstLoopType, Band, Member};
use loopwright_presburger::{Error, Int, MultiUnionPwAff, Result, Tuple, UnionPwAff, UnionSet};

/// How tile loops count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileLoops {
    /// By the origin of the tile: 0, 32, 64, ... (`32 * floor(m / 32)`).
    Scaled,
    /// By the number of the tile: 0, 1, 2, ... (`floor(m / 32)`).
    Unscaled,
}

impl Band {
    /// A band that is neither permutable nor coincident, without options.
    pub fn new(schedule: MultiUnionPwAff) -> Self {
        let members = vec![Member::default(); schedule.n_members()];
        Band { schedule, permutable: false, members, isolate: None }
    }

    /// A band of one member.
    pub fn from_member(member: UnionPwAff) -> Self {
        Band::new(MultiUnionPwAff::new(Tuple::anonymous(1), vec![member]))
    }

    /// The band with the claim that its members may be permuted freely, or without it. Nothing checks it.
    #[must_use]
    pub fn with_permutable(self, permutable: bool) -> Self {
        Band { permutable, ..self }
    }

    /// The band with flags that say which of its first members carry no (coincidence) dependence. Nothing
    /// checks them; flags without a member are passed over.
    #[must_use]
    pub fn with_coincident(mut self, flags: &[bool]) -> Self {
        for (member, &coincident) in self.members.iter_mut().zip(flags) {
            member.coincident = coincident;
        }
        self
    }

    /// The band whose first members get loops of these types; types without a member are passed over.
    ///
    /// ```
    /// use loopwright_presburger::MultiUnionPwAff;
    /// use loopwright_schedule::{AstLoopType, Band};
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [i] }]")?);
    /// let band = band.with_loop_types(&[AstLoopType::Unroll]);
    /// assert_eq!(band.options_text().as_deref(), Some("{ unroll[0] }"));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    #[must_use]
    pub fn with_loop_types(mut self, types: &[AstLoopType]) -> Self {
        for (member, &kind) in self.members.iter_mut().zip(types) {
            member.ast_loop_type = kind;
        }
        self
    }

    /// The number of members.
    pub fn n_members(&self) -> usize {
        self.members.len()
    }

    /// The number of leading coincident members.
    pub fn n_outer_coincident(&self) -> usize {
        self.members.iter().take_while(|member| member.coincident).count()
    }

    /// The first `at` members, and the others as a band to be nested below.
    ///
    /// The order does not change. An isolation is dropped: it is a matter of tuning and is
    /// expressed in all members.
    ///
    /// # Panics
    /// If there are fewer than `at` members.
    pub fn split(&self, at: usize) -> (Band, Band) {
        let part = |range: std::ops::Range<usize>| Band {
            schedule: self.schedule.slice(range.clone()),
            permutable: self.permutable,
            members: self.members[range].to_vec(),
            isolate: None,
        };
        (part(0..at), part(at..self.n_members()))
    }

    /// Tiles the band: an outer band that enumerates the tiles, an inner one that enumerates the
    /// points of a tile. Member `i` gets tiles of `sizes[i]` values; members without a size (or
    /// with size 1, where a tile loop would be the point loop again) keep theirs in the
    /// outer band as they are.
    ///
    /// The result respects every dependence that the band does only if the band is permutable.
    ///
    /// # Errors
    /// If a size is not positive, or the band is not permutable and has several members.
    pub fn tile(&self, sizes: &[Int], loops: TileLoops) -> Result<(Band, Band)> {
        if sizes.iter().any(|size| !size.is_positive()) {
            return Err(invalid("tile", "tile sizes must be positive".into()));
        }
        if !self.permutable && self.n_members() > 1 {
            return Err(invalid("tile", "the band is not permutable".into()));
        }
        let tile = |(position, member): (usize, &UnionPwAff)| match sizes.get(position) {
            Some(size) if !size.is_one() => {
                let tile = member.scale_down(size).floor();
                match loops {
                    TileLoops::Scaled => tile.scale(size),
                    TileLoops::Unscaled => tile,
                }
            }
            _ => member.clone(),
        };
        let members = self.schedule.members().iter().enumerate().map(tile).collect();
        let outer = Band { isolate: None, ..self.clone() }.with_members(members);
        Ok((outer, Band { isolate: None, ..self.clone() }))
    }

    /// The band with the members in another order: `order[i]` is the old position of member `i`.
    ///
    /// # Errors
    /// If the band is not permutable or `order` is not a permutation.
    pub fn permute(&self, order: &[usize]) -> Result<Band> {
        let is_identity = order.iter().enumerate().all(|(i, &old)| i == old);
        if !self.permutable && !is_identity {
            return Err(invalid("permute", "the band is not permutable".into()));
        }
        self.permute_unchecked(order)
    }

    /// Like [`Self::permute`], for callers who have proved otherwise that the order is legal.
    ///
    /// # Errors
    /// If `order` is not a permutation.
    pub fn permute_unchecked(&self, order: &[usize]) -> Result<Band> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.n_members()) {
            return Err(invalid("permute", format!("{order:?} is not a permutation")));
        }
        let schedule = self.schedule.members();
        let members = order.iter().map(|&old| schedule[old].clone()).collect();
        let mut band = Band { isolate: None, ..self.clone() }.with_members(members);
        band.members = order.iter().map(|&old| self.members[old]).collect();
        Ok(band)
    }

    /// The members of both bands, those of `inner` inside, as one band that is not permutable.
    pub fn join(&self, inner: &Band) -> Band {
        let schedule = self.schedule.flat_range_product(&inner.schedule);
        let members = [&self.members[..], &inner.members[..]].concat();
        Band { schedule, permutable: false, members, isolate: None }
    }

    /// The same flags with other expressions for the members.
    #[must_use]
    pub fn with_members(mut self, members: Vec<UnionPwAff>) -> Band {
        self.schedule = MultiUnionPwAff::new(self.schedule.tuple().clone(), members);
        self
    }

    /// The band restricted to some instances.
    ///
    /// # Errors
    /// Those of the intersection.
    pub fn intersect_domain(&self, instances: &UnionSet) -> Result<Band> {
        let schedule = self.schedule.intersect_domain(instances)?;
        Ok(Band { schedule, ..self.clone() })
    }
}

pub(crate) fn invalid(operation: &'static str, reason: String) -> Error {
    Error::Invalid { operation, reason }
}
