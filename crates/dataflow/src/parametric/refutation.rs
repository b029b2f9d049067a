//! What cannot be: for which instances some statements cannot run, or not run, together.
//!
//! A [`Claim`] says that an instance passes all of its filters, or that it fails one of them. Claims about
//! several instances are *refuted* where no values make all of them true. Values have names (`elements.rs`);
//! equal names mean equal values. A *matching* is a set of pairs of accesses of different claims; where all
//! of its pairs have equal names, the values of the pairs are equal, and if there are then no values that
//! satisfy the filters, the claims are refuted there. All matchings are tried, as far as limits allow; fewer
//! refutations are always right.
//!
//! # Accesses to several values
//! An instance that passes a filter has allowed values for *every* choice of one value per access. Of such an
//! access a matching uses one pair, which chooses the value (two pairs might choose different ones). An
//! instance fails a filter by *some* choice: there a pair is only used where every value of the access is one
//! of the other's, so that it holds whatever the choice is. Instances are coordinates here, never projected
//! out before the refutation is complete, so that no values of different instances are taken together (the
//! steps of A.2 and A.3 of the paper do that).
use crate::parametric::blocks::{Blocks, with_dimensions};
use crate::parametric::elements::{NamedAccess, NamedFilter};
use loopwright_presburger::{Budget, DimKind, Map, Result, Set};

/// So many matchings are tried.
const MOST_MATCHINGS: usize = 64;

/// What is said about an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claim<'a> {
    /// It passes all of these.
    Passes(&'a [NamedFilter]),
    /// It fails this one.
    Fails(&'a NamedFilter),
}

impl<'a> Claim<'a> {
    fn filters(&self) -> &'a [NamedFilter] {
        match self {
            Claim::Passes(filters) => filters,
            Claim::Fails(filter) => std::slice::from_ref(*filter),
        }
    }

    fn is_failure(&self) -> bool {
        matches!(self, Claim::Fails(_))
    }
}

/// The place of an access: claim, filter, position.
type Place = (usize, usize, usize);

/// Two accesses, and where their names are equal.
struct Match {
    places: [Place; 2],
    equal: Set,
}

/// Claims about one instance per block.
pub(crate) struct Refutation<'a> {
    claims: &'a [Claim<'a>],
    blocks: &'a Blocks,
    budget: &'a Budget,
}

impl<'a> Refutation<'a> {
    pub(crate) fn new(claims: &'a [Claim<'a>], blocks: &'a Blocks, budget: &'a Budget) -> Self {
        Refutation { claims, blocks, budget }
    }

    /// The instances of `base` for which the claims are refuted.
    pub(crate) fn within(&self, base: &Set) -> Result<Set> {
        let matches = self.matches(base)?;
        let mut refuted = self.never_asked(base)?.union(&self.refuted_alone(base)?)?;
        let mut n_tried = 0;
        // Each matching with where it holds, and the first match that it may be extended by.
        let mut open: Vec<(Vec<usize>, Set, usize)> = vec![(Vec::new(), base.clone(), 0)];
        while let Some((chosen, holds, first)) = open.pop() {
            for next in first..matches.len() {
                if n_tried == MOST_MATCHINGS {
                    return Ok(refuted);
                }
                if !self.is_compatible(&chosen, next, &matches) {
                    continue;
                }
                n_tried += 1;
                let here = holds.intersect_within(&matches[next].equal, self.budget)?;
                if here.is_empty(self.budget)? {
                    continue;
                }
                let mut matching = chosen.clone();
                matching.push(next);
                let possible = self.possible(&here, &matching, &matches)?;
                refuted = refuted.union(&here.subtract(&possible, self.budget)?)?;
                open.push((matching, here, next + 1));
            }
        }
        refuted.coalesce(self.budget)
    }

    /// The instances that cannot fail, because they are not asked for any value.
    fn never_asked(&self, base: &Set) -> Result<Set> {
        let mut never = Set::empty(base.space().clone());
        for (block, claim) in self.claims.iter().enumerate() {
            if let Claim::Fails(filter) = claim {
                let asked = self.blocks.instances(&filter.asked, block)?;
                never = never.union(&base.subtract(&asked, self.budget)?)?;
            }
        }
        Ok(never)
    }

    /// The instances of which one filter says that no value makes the claim about them true.
    fn refuted_alone(&self, base: &Set) -> Result<Set> {
        let mut refuted = Set::empty(base.space().clone());
        for (block, claim) in self.claims.iter().enumerate() {
            for filter in claim.filters() {
                let never = &filter.never[usize::from(claim.is_failure())];
                if !never.plain_is_empty() {
                    let never = self.blocks.instances(never, block)?;
                    refuted = refuted.union(&base.intersect_within(&never, self.budget)?)?;
                }
            }
        }
        Ok(refuted)
    }

    /// The instances that are asked by the filter of an access; of a filter with one access that follows from
    /// the access.
    fn asked(&self, (claim, filter, _): Place) -> Result<Option<Set>> {
        let filter = &self.claims[claim].filters()[filter];
        let several = filter.accesses.len() > 1;
        several.then(|| self.blocks.instances(&filter.asked, claim)).transpose()
    }

    fn access(&self, (claim, filter, position): Place) -> &NamedAccess {
        &self.claims[claim].filters()[filter].accesses[position]
    }

    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for (claim, said) in self.claims.iter().enumerate() {
            for (filter, named) in said.filters().iter().enumerate() {
                places.extend((0..named.accesses.len()).map(|access| (claim, filter, access)));
            }
        }
        places
    }

    /// All pairs of accesses of which some names are equal.
    fn matches(&self, base: &Set) -> Result<Vec<Match>> {
        let places = self.places();
        let mut matches = Vec::new();
        for (index, &first) in places.iter().enumerate() {
            for &second in places[index + 1..].iter().filter(|second| second.0 != first.0) {
                let Some(equal) = self.equal_names(first, second)? else { continue };
                let blocks = (first.0, second.0);
                let equal = self.blocks.pairs(&equal, blocks.0, blocks.1)?;
                let mut equal = equal.intersect_within(base, self.budget)?;
                for asked in [self.asked(first)?, self.asked(second)?].into_iter().flatten() {
                    equal = equal.intersect_within(&asked, self.budget)?;
                }
                if !equal.is_empty(self.budget)? {
                    matches.push(Match { places: [first, second], equal });
                }
            }
        }
        Ok(matches)
    }

    /// The pairs of instances for which two accesses have equal names; where one belongs to a claim of
    /// failure, for all of its values.
    fn equal_names(&self, first: Place, second: Place) -> Result<Option<Map>> {
        let sides = [first, second].map(|place| self.access(place));
        let strict =
            [first, second].map(|p| self.claims[p.0].is_failure() && !self.access(p).is_single);
        if strict == [true, true] {
            return Ok(None);
        }
        let mut equal: Option<Map> = None;
        for (kind, a) in &sides[0].names {
            let Some((_, b)) = sides[1].names.iter().find(|(other, _)| other == kind) else {
                continue;
            };
            let here = a.apply_range_within(&b.reverse(), self.budget)?;
            equal = Some(equal.map_or(Ok(here.clone()), |equal| equal.union(&here))?);
        }
        let Some(equal) = equal else { return Ok(None) };
        let missing = match strict {
            [true, _] => self.unmatched(sides[0], sides[1])?.map(|map| map.reverse()),
            [_, true] => self.unmatched(sides[1], sides[0])?,
            _ => None,
        };
        let equal = match missing {
            Some(missing) => equal.subtract(&missing, self.budget)?,
            None => equal,
        };
        Ok(Some(equal))
    }

    /// Pairs `other -> all` for which `all` looks at a value that `other` does not look at.
    fn unmatched(&self, all: &NamedAccess, other: &NamedAccess) -> Result<Option<Map>> {
        let others = other.names.iter().map(|(_, map)| map.domain()).map(Ok);
        let union = |a: Result<Set>, b: Result<Set>| a?.union(&b?);
        let Some(others) = others.reduce(union).transpose()? else { return Ok(None) };
        let mut missing: Option<Map> = None;
        for (kind, names) in &all.names {
            let every = Map::from_domain_and_range_within(&others, &names.range(), self.budget)?;
            let same = other.names.iter().find(|(other, _)| other == kind);
            let unseen = match same {
                Some((_, seen)) => every.subtract(seen, self.budget)?,
                None => every,
            };
            let here = unseen.apply_range_within(&names.reverse(), self.budget)?;
            missing = Some(missing.map_or(Ok(here.clone()), |missing| missing.union(&here))?);
        }
        Ok(missing)
    }

    /// Whether a matching may be extended: of an access to several values there is one pair, unless it
    /// belongs to a claim of failure, of which all values are those of the other one.
    fn is_compatible(&self, chosen: &[usize], next: usize, matches: &[Match]) -> bool {
        let is_choice =
            |place: Place| !self.access(place).is_single && !self.claims[place.0].is_failure();
        let chosen = chosen.iter().flat_map(|index| matches[*index].places);
        let mut used = chosen.filter(|place| is_choice(*place));
        !used.any(|place| matches[next].places.contains(&place))
    }

    /// The instances for which some values satisfy the claims if the pairs of a matching are equal.
    fn possible(&self, here: &Set, matching: &[usize], matches: &[Match]) -> Result<Set> {
        let pairs: Vec<[Place; 2]> = matching.iter().map(|index| matches[*index].places).collect();
        let mut involved: Vec<(usize, usize)> =
            pairs.iter().flatten().map(|(claim, filter, _)| (*claim, *filter)).collect();
        involved.sort_unstable();
        involved.dedup();
        let n_values =
            |(claim, filter): (usize, usize)| self.claims[claim].filters()[filter].accesses.len();
        let total: usize = involved.iter().map(|filter| n_values(*filter)).sum();
        let mut all = with_dimensions(here, total)?;
        let mut before = 0;
        let mut firsts = Vec::with_capacity(involved.len());
        for &(claim, filter) in &involved {
            let named = &self.claims[claim].filters()[filter];
            let values =
                if self.claims[claim].is_failure() { &named.forbidden } else { &named.allowed };
            let n = n_values((claim, filter));
            let satisfied = self.blocks.values(values, claim, (before, total - before - n))?;
            all = all.intersect_within(&satisfied, self.budget)?;
            firsts.push(before);
            before += n;
        }
        let column = |(claim, filter, access): Place| {
            let index = involved.iter().position(|other| *other == (claim, filter));
            self.blocks.n() + index.map_or(0, |index| firsts[index]) + access
        };
        for [first, second] in pairs {
            all = all.equate(DimKind::Out, column(first), DimKind::Out, column(second));
        }
        let possible = all.project_out(DimKind::Out, self.blocks.n(), total);
        possible.with_space_tuples(here.space())
    }
}
