//! Dimensions of the domain of a piecewise function: insertion, removal, moves, fixed values.
use crate::core::basic_map::BasicMap;
use crate::core::constraint::Constraint;
use crate::core::error::{Error, Result};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::functions::expression::Expression;
use crate::functions::piecewise::Piecewise;
use crate::set_operations::project::dim_columns;
use loopwright_exact::{Int, Row};

impl<E: Expression> Piecewise<E> {
    /// The function with `count` more dimensions of the domain before `position`, on which it does
    /// not depend; the tuple becomes anonymous.
    ///
    /// ```
    /// use loopwright_presburger::{DimKind, PwAff};
    /// let function = PwAff::parse("{ A[i, j] -> [(i + 2j)] : i > j }")?;
    /// let wider = function.insert_dims(DimKind::Out, 1, 1);
    /// assert_eq!(wider.to_string(), "{ [i, i1, j] -> [(i + 2j)] : j < i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `position` is beyond the last dimension.
    pub fn insert_dims(&self, kind: DimKind, position: usize, count: usize) -> Self {
        let own = self.own_domain();
        let at = dim_columns(&own, kind, position, 0).start;
        let space = own.insert_dims(kind, position, &vec![None; count]);
        let place: Vec<usize> = (0..at).chain(at + count..1 + own.n_all() + count).collect();
        self.place_columns(&space, &place)
    }

    /// The function without dimensions on which it does not depend; a tuple that loses dimensions
    /// becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, PwAff};
    /// let function = PwAff::parse("{ A[i, j] -> [(2j)] : j > 0 }")?;
    /// assert_eq!(
    ///     function.drop_dims(DimKind::Out, 0, 1)?.to_string(),
    ///     "{ [j] -> [(2j)] : j > 0 }"
    /// );
    /// assert!(function.drop_dims(DimKind::Out, 1, 1).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if an expression or a piece involves one of the dimensions.
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn drop_dims(&self, kind: DimKind, first: usize, count: usize) -> Result<Self> {
        let own = self.own_domain();
        let columns = dim_columns(&own, kind, first, count);
        if self.involves_dims(kind, first, count) {
            return Err(Error::Invalid {
                operation: "the removal of dimensions",
                reason: format!("a function over {own} depends on them"),
            });
        }
        let space = own.drop_dims(kind, first, count);
        let place = (0..1 + own.n_all()).map(|column| match column {
            c if c < columns.start => c,
            c if columns.contains(&c) => 0,
            c => c - count,
        });
        Ok(self.place_columns(&space, &place.collect::<Vec<_>>()))
    }

    /// The function with dimensions of the domain as parameters, or the converse; they keep their
    /// names, and a tuple that changes becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, PwAff};
    /// let function = PwAff::parse("[n] -> { A[i, j] -> [(i + 2j)] : j < n }")?;
    /// let moved = function.move_dims(DimKind::Param, 1, DimKind::Out, 0, 1);
    /// assert_eq!(moved.to_string(), "[n, i] -> { [j] -> [(i + 2j)] : j < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions, or if both kinds are the same.
    pub fn move_dims(
        &self,
        dst: DimKind,
        dst_position: usize,
        src: DimKind,
        src_position: usize,
        count: usize,
    ) -> Self {
        assert_ne!(dst, src, "dimensions move between different kinds");
        let own = self.own_domain();
        let source = dim_columns(&own, src, src_position, count);
        let target = dim_columns(&own, dst, dst_position, 0).start;
        let names = own.dim_names(src)[src_position..src_position + count].to_vec();
        let space = own.drop_dims(src, src_position, count);
        let space = space.insert_dims(dst, dst_position, &names);
        let place = crate::set_operations::project::moved_places(1 + own.n_all(), source, target);
        self.place_columns(&space, &place)
    }

    /// Restricted to a value of a dimension.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, PwAff};
    /// let function = PwAff::parse("{ A[i, j] -> [(i + 2j)] : j > 0 }")?;
    /// let line = function.fix(DimKind::Out, 0, &Int::from(7));
    /// assert_eq!(line.to_string(), "{ A[i, j] -> [(i + 2j)] : i = 7 and j > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let space = self.own_domain();
        let column = dim_columns(&space, kind, position, 1).start;
        let mut row = Row::zeros(1 + space.n_all());
        row.set(0, -value);
        row.set(column, Int::ONE);
        let fixed = BasicMap::from_constraints(space, Vec::new(), vec![Constraint::equality(row)]);
        let piece = |(domain, e): &(Set, E)| (domain.conjoin_each(&fixed), e.clone());
        let pieces = self.pieces.iter().map(piece).collect();
        Piecewise::from_pieces(self.space.clone(), pieces)
    }
}
