//! The statements of a kernel, with the values of the loops that are spread over blocks and threads.
use loopwright_presburger::{Aff, Budget, DimKind, MultiAff, Result, Set, Space, Tuple};
use loopwright_schedule::{Band, Reaching};
use loopwright_scop::{Scop, StatementId};

/// A coordinate of a statement by which a loop's value is known: `value = coordinate + rest`.
pub(crate) struct Known {
    pub(crate) coordinate: usize,
    /// What does not depend on the instance.
    rest: Aff,
}

impl Known {
    /// None if the value is another function of the instance.
    pub(crate) fn of(value: &Aff) -> Option<Known> {
        let space = value.domain_space();
        let n = space.n(DimKind::Out);
        let depends = |at: &usize| value.involves_dims(DimKind::Out, *at, 1);
        let coordinate = (0..n).find(depends)?;
        let rest = value.sub(&Aff::variable(space, DimKind::Out, coordinate)).ok()?;
        let is_free = rest.locals().is_empty() && !rest.involves_dims(DimKind::Out, 0, n);
        is_free.then_some(Known { coordinate, rest })
    }
}

/// A statement of a kernel.
pub(crate) struct SiteStatement {
    pub(crate) id: StatementId,
    /// The instances that reach the kernel.
    pub(crate) domain: Set,
    /// The values of the loops around the kernel.
    pub(crate) prefix: Vec<Aff>,
    /// The values of the independent loops, the slowest first.
    pub(crate) members: Vec<Aff>,
    /// How the coordinates are known from both, in this order.
    pub(crate) known: Vec<Known>,
}

impl SiteStatement {
    /// The space of the instances.
    pub(crate) fn space(&self) -> &Space {
        self.domain.space()
    }

    /// The values of all loops outside.
    pub(crate) fn outer(&self) -> impl Iterator<Item = &Aff> {
        self.prefix.iter().chain(&self.members)
    }

    /// From instances to a tuple of values.
    pub(crate) fn to_tuple(&self, tuple: Tuple, values: Vec<Aff>) -> Result<MultiAff> {
        let from = values
            .iter()
            .fold(self.space().clone(), |space, value| space.merge_params(value.domain_space()));
        let to = Space::set(from.param_names(), tuple);
        let values = values.iter().map(|value| value.align_params(&from)).collect();
        MultiAff::new(from.map_to(&to), values)
    }

    /// From a space of values back to instances, given the positions of values that say what coordinates are:
    /// 0 for others.
    pub(crate) fn section(&self, from: &Space, known: &[(usize, &Known)]) -> Result<MultiAff> {
        let n = self.space().n(DimKind::Out);
        let to = self.space().with_params(from.param_names());
        let nothing = MultiAff::new(from.map_to(&to), vec![Aff::zero(from); n])?;
        let mut coordinates = vec![Aff::zero(from); n];
        for (position, known) in known {
            let rest = known.rest.align_params(&to).pullback(&nothing)?;
            coordinates[known.coordinate] =
                Aff::variable(from, DimKind::Out, *position).sub(&rest)?;
        }
        MultiAff::new(from.map_to(&to), coordinates)
    }
}

/// What reaches a kernel.
pub(crate) struct Site {
    pub(crate) statements: Vec<SiteStatement>,
    /// The number of loops around the kernel.
    pub(crate) n_prefix: usize,
    /// The number of independent loops.
    pub(crate) n: usize,
}

impl Site {
    /// None if a value of a loop outside is no coordinate of a statement, up to what does not depend on the
    /// instance, or if a statement has instances elsewhere.
    pub(crate) fn of(
        reaching: &Reaching,
        (band, members): (&Band, &[usize]),
        scop: &Scop,
        budget: &Budget,
    ) -> Option<Site> {
        let mut statements: Vec<SiteStatement> = Vec::new();
        for piece in &reaching.pieces {
            let name = piece.domain.space().output()?.name()?;
            let id = scop.statement_named(name)?.id;
            if statements.iter().any(|known| known.id == id) {
                return None;
            }
            let own = |member: &usize| {
                let parts = band.schedule.members()[*member].parts();
                let space = piece.domain.space();
                let part = parts.iter().find(|p| p.domain_space().has_equal_tuples(space))?;
                part.as_aff()
            };
            let values: Vec<Aff> = members.iter().map(own).collect::<Option<_>>()?;
            let prefix = piece.schedule.clone();
            let known: Vec<Known> =
                prefix.iter().chain(&values).map(Known::of).collect::<Option<_>>()?;
            let mut coordinates: Vec<usize> = known.iter().map(|known| known.coordinate).collect();
            coordinates.sort_unstable();
            if coordinates.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            let all = scop.statement(id).domain.intersect_params(&scop.context).ok()?;
            let domain = piece.domain.intersect_params(&scop.context).ok()?;
            if !all.is_subset(&domain, budget).ok()? {
                return None;
            }
            statements.push(SiteStatement { id, domain, prefix, members: values, known });
        }
        let n_prefix = statements.first()?.prefix.len();
        Some(Site { statements, n_prefix, n: members.len() })
    }

    /// The statement with an id.
    pub(crate) fn statement(&self, id: StatementId) -> Option<&SiteStatement> {
        self.statements.iter().find(|statement| statement.id == id)
    }
}
