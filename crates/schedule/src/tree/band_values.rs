//! Changing the values of band members, as isl's operations on bands do.
//!
//! The flags of the members are kept: scaling and tiling cannot make them wrong; after shifts and
//! remainders they are what the caller has to prove.
use crate::tree::band::{TileLoops, invalid};
use crate::tree::node::Band;
use loopwright_presburger::{Int, MultiUnionPwAff, Result, UnionPwAff};

/// How point loops count inside a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointLoops {
    /// As the loops that were tiled: `m`.
    Absolute,
    /// From the origin of the tile: `m - 32 * floor(m / 32)`.
    Shifted,
}

impl Band {
    /// The band with member `i` multiplied by `factors[i]`. The order stays for positive factors;
    /// negative ones reverse it.
    ///
    /// ```
    /// use loopwright_presburger::{Int, MultiUnionPwAff};
    /// use loopwright_schedule::Band;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")?);
    /// let scaled = band.scale(&[Int::from(2), Int::from(3)])?;
    /// assert_eq!(scaled.schedule.to_string(), "[{ S[i, j] -> [(2i)] }, { S[i, j] -> [(3j)] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one factor per member, or a factor is zero.
    pub fn scale(&self, factors: &[Int]) -> Result<Band> {
        if factors.iter().any(Int::is_zero) {
            return Err(invalid("scale", "a factor is zero".into()));
        }
        self.with_each("scale", factors, |member, factor| member.scale(factor))
    }

    /// The band with member `i` replaced by `floor(m / divisors[i])`.
    ///
    /// ```
    /// use loopwright_presburger::{Int, MultiUnionPwAff};
    /// use loopwright_schedule::Band;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(i)] }]")?);
    /// let scaled = band.scale_down(&[Int::from(4)])?;
    /// assert_eq!(scaled.schedule.to_string(), "[{ S[i] -> [(floor((i)/4))] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one positive divisor per member.
    pub fn scale_down(&self, divisors: &[Int]) -> Result<Band> {
        positive("scale_down", divisors)?;
        self.with_each("scale_down", divisors, |member, by| member.scale_down(by).floor())
    }

    /// The band with member `i` replaced by its remainder modulo `divisors[i]`.
    ///
    /// ```
    /// use loopwright_presburger::{Int, MultiUnionPwAff};
    /// use loopwright_schedule::Band;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(i)] }]")?);
    /// let remainder = band.modulo(&[Int::from(4)])?;
    /// assert_eq!(remainder.schedule.to_string(), "[{ S[i] -> [(i - 4*floor((i)/4))] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one positive divisor per member.
    pub fn modulo(&self, divisors: &[Int]) -> Result<Band> {
        positive("modulo", divisors)?;
        self.with_each("modulo", divisors, UnionPwAff::modulo)
    }

    /// The band with `shift` added, member by member.
    ///
    /// ```
    /// use loopwright_presburger::MultiUnionPwAff;
    /// use loopwright_schedule::Band;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(i)]; T[i] -> [(i)] }]")?);
    /// let shift = MultiUnionPwAff::parse("[{ S[i] -> [(0)]; T[i] -> [(5)] }]")?;
    /// let expected = "[{ S[i] -> [(i)]; T[i] -> [(5 + i)] }]";
    /// assert_eq!(band.shift(&shift)?.schedule.to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the number of members differs; those of the addition.
    pub fn shift(&self, shift: &MultiUnionPwAff) -> Result<Band> {
        if shift.n_members() != self.n_members() {
            return Err(invalid("shift", wrong_number(self.n_members(), shift.n_members())));
        }
        let members = self.schedule.members().iter().zip(shift.members());
        let members = members.map(|(member, by)| member.add(by)).collect::<Result<_>>()?;
        Ok(Band { isolate: None, ..self.clone() }.with_members(members))
    }

    /// Like [`Band::tile`], with a choice of how the point loops count. One positive size per
    /// member is needed; isl's defaults are [`TileLoops::Scaled`] and [`PointLoops::Shifted`].
    ///
    /// ```
    /// use loopwright_presburger::{Int, MultiUnionPwAff};
    /// use loopwright_schedule::{Band, PointLoops, TileLoops};
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(i)] }]")?);
    /// let sizes = [Int::from(4)];
    /// let (tiles, points) = band.tile_with(&sizes, TileLoops::Unscaled, PointLoops::Shifted)?;
    /// assert_eq!(tiles.schedule.to_string(), "[{ S[i] -> [(floor((i)/4))] }]");
    /// assert_eq!(points.schedule.to_string(), "[{ S[i] -> [(i - 4*floor((i)/4))] }]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Band::tile`]; if there is not one size per member.
    pub fn tile_with(
        &self,
        sizes: &[Int],
        tiles: TileLoops,
        points: PointLoops,
    ) -> Result<(Band, Band)> {
        if sizes.len() != self.n_members() {
            return Err(invalid("tile", wrong_number(self.n_members(), sizes.len())));
        }
        let (outer, inner) = self.tile(sizes, tiles)?;
        match points {
            PointLoops::Absolute => Ok((outer, inner)),
            PointLoops::Shifted => Ok((outer, inner.modulo(sizes)?)),
        }
    }

    fn with_each(
        &self,
        operation: &'static str,
        values: &[Int],
        change: impl Fn(&UnionPwAff, &Int) -> UnionPwAff,
    ) -> Result<Band> {
        if values.len() != self.n_members() {
            return Err(invalid(operation, wrong_number(self.n_members(), values.len())));
        }
        let members = self.schedule.members().iter().zip(values);
        let members = members.map(|(member, value)| change(member, value)).collect();
        Ok(Band { isolate: None, ..self.clone() }.with_members(members))
    }
}

fn positive(operation: &'static str, values: &[Int]) -> Result<()> {
    match values.iter().all(Int::is_positive) {
        true => Ok(()),
        false => Err(invalid(operation, "divisors must be positive".into())),
    }
}

fn wrong_number(wanted: usize, found: usize) -> String {
    format!("{found} values for {wanted} members")
}
