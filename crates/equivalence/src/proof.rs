//! Proofs of equality by induction over recurrences.
//!
//! # Method
//! Verdoolaege, Janssens and Bruynooghe, "Equivalence checking of static affine programs using widening to
//! handle recurrences", TOPLAS 2012. An [`Obligation`] says that the values at two points are equal for all
//! pairs of a relation. It is discharged by going back in time: through reads to the writes that they see,
//! and operator by operator. Pairs of points that have been met are hypotheses: what is asked of them again
//! is already assumed. That is sound because the flow of values goes back in time in both programs, so the
//! values at two points never depend on themselves.
//!
//! A recurrence asks for ever new pairs of the same points. Then the relation is widened, to the affine hull
//! of what was asked before and what is asked now, and the widened relation is the new hypothesis. What of it
//! turns out to be wrong is known from then on (`refuted`), and the proof starts again without it. A pair is
//! only ever called refuted if the two values have different operators, integers or elements at some place
//! back in time, so a refutation that reaches the results is one of the programs.
use crate::contributions::KnownReads;
use crate::hypotheses::Hypotheses;
use crate::laws::Laws;
use crate::obligation::{Matching, Obligation, Origin, Pair, Point, Step, Way, ways};
use crate::program::Program;
use crate::same_contributions::{Compared, Partners, Sums};
use crate::value::NodeKind;
use crate::widening::Widening;
use loopwright_presburger::{Budget, Map, Result, Set};
use rustc_hash::{FxHashMap, FxHashSet};

/// What came of a proof.
pub(crate) enum Outcome {
    /// All obligations are closed; the pairs of points with what has been shown of them.
    Proved(Vec<(Pair, Map)>),
    /// The values of these pairs of elements of a result are not equal by the rules. Sums seem to be
    /// different for symbolic constants in `suspects`.
    Refuted { pairs: Map, at: Pair, suspects: Vec<Set> },
    /// A limit was reached.
    Stopped { at: Pair, why: String },
}

/// How often a proof starts again with what it has learned.
const MOST_ATTEMPTS: usize = 120;

/// The most obligations of one attempt.
const MOST_OBLIGATIONS: usize = 20_000;

/// Steps for taking two sums apart and giving what they add up partners.
const STEPS_OF_A_SUM: u64 = 20_000_000;

/// After so many sums that were too large no more are taken apart: the steps are needed for the rest.
const MOST_TOO_LARGE: usize = 4;

/// A proof that two programs compute the same.
pub(crate) struct Proof<'a> {
    pub(crate) programs: [&'a Program; 2],
    /// `A[x] -> B[y]`: elements that hold the same before, by arrays.
    pub(crate) equal_before: &'a FxHashMap<(usize, usize), Map>,
    pub(crate) laws: &'a Laws,
    pub(crate) budget: &'a Budget,
    pub(crate) refuted: FxHashMap<Pair, Map>,
    /// The matching of operands to try for a pair of operations.
    pub(crate) choices: FxHashMap<Pair, usize>,
    /// Pairs that are not compared by what they add up: no longer, or not at all.
    not_by_contributions: FxHashSet<Pair>,
    known_reads: [KnownReads; 2],
    /// How many sums were too large to be taken apart.
    too_large: usize,
    /// Symbolic constants for which sums seem to be different.
    suspects: Vec<Set>,
    /// How often a widened relation of a pair was wrong.
    failures: FxHashMap<Pair, usize>,
    /// Relations that executions suggest, and those of them that were wrong.
    hypotheses: Hypotheses,
    wrong_hypotheses: FxHashSet<Pair>,
    assumed: FxHashMap<Pair, Map>,
    /// Equations between instances that are assumed of all instances that satisfy them.
    assumed_equations: FxHashMap<Pair, Map>,
    pub(crate) obligations: Vec<Obligation>,
    open: Vec<usize>,
}

/// A hypothesis that executions suggest.
struct Suggested {
    /// Equations between instances.
    equations: Map,
    /// The instances that satisfy them.
    relation: Map,
}

/// What an attempt ended with.
enum Attempt {
    Closed,
    Again,
    Refuted { pairs: Map },
}

/// A wrong pair of an obligation.
pub(crate) struct Mismatch {
    pub(crate) obligation: usize,
    pub(crate) pairs: Map,
}

impl<'a> Proof<'a> {
    pub(crate) fn new(
        programs: [&'a Program; 2],
        equal_before: &'a FxHashMap<(usize, usize), Map>,
        laws: &'a Laws,
        hypotheses: Hypotheses,
        budget: &'a Budget,
    ) -> Self {
        Proof {
            programs,
            equal_before,
            laws,
            budget,
            refuted: FxHashMap::default(),
            choices: FxHashMap::default(),
            not_by_contributions: FxHashSet::default(),
            known_reads: Default::default(),
            too_large: 0,
            suspects: Vec::new(),
            failures: FxHashMap::default(),
            hypotheses,
            wrong_hypotheses: FxHashSet::default(),
            assumed: FxHashMap::default(),
            assumed_equations: FxHashMap::default(),
            obligations: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Tries to show that the values at the roots are equal.
    pub(crate) fn run(mut self, roots: &[(Pair, Map)]) -> Outcome {
        let mut last = roots.first().map_or((Point::Undefined, Point::Undefined), |root| root.0);
        for _ in 0..MOST_ATTEMPTS {
            let attempt = self.attempt(roots, &mut last);
            match attempt {
                Ok(Attempt::Closed) => return Outcome::Proved(self.assumed.into_iter().collect()),
                Ok(Attempt::Again) => {}
                Ok(Attempt::Refuted { pairs }) => {
                    return Outcome::Refuted { pairs, at: last, suspects: self.suspects };
                }
                Err(error) => return Outcome::Stopped { at: last, why: error.to_string() },
            }
        }
        let why = format!("{MOST_ATTEMPTS} attempts to widen hypotheses were not enough");
        Outcome::Stopped { at: last, why }
    }

    fn attempt(&mut self, roots: &[(Pair, Map)], last: &mut Pair) -> Result<Attempt> {
        self.assumed.clear();
        self.assumed_equations.clear();
        self.obligations.clear();
        self.open.clear();
        for (points, relation) in roots {
            let (points, relation) = (*points, relation.clone());
            self.obligations.push(Obligation {
                points,
                relation,
                origin: None,
                asked: None,
                is_suggested: false,
                matched: None,
            });
        }
        self.open.extend((0..roots.len()).rev());
        while let Some(next) = self.open.pop() {
            *last = self.obligations[next].points;
            if let Some(mismatch) = self.discharge(next)? {
                *last = self.obligations[mismatch.obligation].points;
                return self.blame(mismatch);
            }
            if self.obligations.len() > MOST_OBLIGATIONS {
                return Err(self.budget.exceeded("equivalence"));
            }
        }
        Ok(Attempt::Closed)
    }

    /// Takes an obligation one step back in time; what of it is wrong.
    fn discharge(&mut self, at: usize) -> Result<Option<Mismatch>> {
        let (a, b) = self.obligations[at].points;
        let relation = self.obligations[at].relation.clone();
        if let Some(partners) = self.contributions((a, b), &relation)? {
            self.obligations[at].matched = Some(Matching::Contributions);
            self.add_hypothesis((a, b), &relation)?;
            for Partners { points, relation, steps: [first, second] } in partners {
                let steps = [Some(first), Some(second)];
                if let Some(mismatch) = self.assume(at, points, relation, steps)? {
                    return Ok(Some(mismatch));
                }
            }
            return Ok(None);
        }
        let from_a = ways(self.programs[0], a, self.budget)?;
        let from_b = ways(self.programs[1], b, self.budget)?;
        if from_a.is_some() || from_b.is_some() {
            let stay = |point| vec![Way { to: point, step: Step::Stay }];
            let ways_a = from_a.unwrap_or_else(|| stay(a));
            let ways_b = from_b.unwrap_or_else(|| stay(b));
            return self.go_on(at, &relation, ways_a, ways_b);
        }
        if let (Point::Node(x), Point::Node(y)) = (a, b)
            && let (NodeKind::Operation(f, operands), NodeKind::Operation(g, others)) =
                (self.programs[0].kind(x), self.programs[1].kind(y))
            && f == g
        {
            if self.laws.hold_for(f) {
                return self.match_operands(at, &relation, [x, y]);
            }
            if operands.len() == others.len() {
                let both: Vec<_> = operands.iter().copied().zip(others.iter().copied()).collect();
                for (x, y) in both.into_iter().rev() {
                    let points = (Point::Node(x), Point::Node(y));
                    self.ask(at, points, relation.clone(), [None, None]);
                }
                return Ok(None);
            }
        }
        let wrong = self.wrong(a, b, &relation)?;
        let is_right = wrong.is_empty(self.budget)?;
        Ok((!is_right).then_some(Mismatch { obligation: at, pairs: wrong }))
    }

    /// What two values add up, with partners, if they are sums by an operator of a law and everything has a
    /// partner.
    fn contributions(&mut self, points: Pair, relation: &Map) -> Result<Option<Vec<Partners>>> {
        if self.laws.are_none()
            || self.too_large >= MOST_TOO_LARGE
            || self.not_by_contributions.contains(&points)
        {
            return Ok(None);
        }
        let part = self.budget.part(STEPS_OF_A_SUM);
        let (programs, equal_before, laws) = (self.programs, self.equal_before, self.laws);
        let sums = Sums { programs, equal_before, laws, budget: &part };
        let Some(operator) = sums.operator(points) else { return Ok(None) };
        let found = sums.partners(points, relation, &operator, &mut self.known_reads);
        self.budget.charge(&part);
        if let Ok(Compared::Partners(partners)) = found {
            return Ok(Some(partners));
        }
        self.not_by_contributions.insert(points);
        self.too_large += usize::from(found.is_err());
        if let Ok(Compared::Alone(constants)) = found {
            self.suspects.push(constants);
        }
        Ok(None)
    }

    /// The pairs of which the values are different: of integers and elements those that are not equal, of
    /// others all.
    pub(crate) fn wrong(&self, a: Point, b: Point, relation: &Map) -> Result<Map> {
        match (a, b) {
            (Point::Before(a), Point::Before(b)) => {
                match self.equal_before.get(&(a.0 as usize, b.0 as usize)) {
                    Some(equal) => relation.subtract(equal, self.budget),
                    None => Ok(relation.clone()),
                }
            }
            (Point::Node(x), Point::Node(y)) => {
                match (self.programs[0].kind(x), self.programs[1].kind(y)) {
                    (NodeKind::Integer(x), NodeKind::Integer(y)) => {
                        let equal = x.to_map().apply_range(&y.to_map().reverse())?;
                        relation.subtract(&equal, self.budget)
                    }
                    _ => Ok(relation.clone()),
                }
            }
            _ => Ok(relation.clone()),
        }
    }

    /// Adds an obligation for operands of one pair of operations: nothing is assumed, since bodies end.
    pub(crate) fn ask(
        &mut self,
        parent: usize,
        points: Pair,
        relation: Map,
        steps: [Option<Map>; 2],
    ) {
        let origin = Some(Origin { parent, steps });
        self.open.push(self.obligations.len());
        self.obligations.push(Obligation {
            points,
            relation,
            origin,
            asked: None,
            is_suggested: false,
            matched: None,
        });
    }

    /// Follows both sides back, each pair of ways for the instances that take them.
    fn go_on(
        &mut self,
        at: usize,
        relation: &Map,
        ways_a: Vec<Way>,
        ways_b: Vec<Way>,
    ) -> Result<Option<Mismatch>> {
        for way_a in ways_a {
            let first = way_a.step.after_first(relation, self.budget)?;
            if first.is_empty(self.budget)? {
                continue;
            }
            let step_a = way_a.step.map();
            for way_b in &ways_b {
                let both = way_b.step.after_second(&first, self.budget)?;
                if both.is_empty(self.budget)? {
                    continue;
                }
                let step_b = match &way_b.step {
                    Step::By(map) => Some(map.clone()),
                    Step::On(_) | Step::Stay => None,
                };
                let points = (way_a.to, way_b.to);
                if let Some(mismatch) = self.assume(at, points, both, [step_a.clone(), step_b])? {
                    return Ok(Some(mismatch));
                }
            }
        }
        Ok(None)
    }

    /// Makes a hypothesis of what is asked, widened if the pair asks for itself, and an obligation unless it
    /// is one already.
    fn assume(
        &mut self,
        parent: usize,
        points: Pair,
        relation: Map,
        steps: [Option<Map>; 2],
    ) -> Result<Option<Mismatch>> {
        if let (Point::Before(_), Point::Before(_)) = points {
            self.ask(parent, points, relation, steps);
            return Ok(None);
        }
        if let Some(refuted) = self.refuted.get(&points) {
            let wrong = relation.intersect_within(refuted, self.budget)?;
            if !wrong.is_empty(self.budget)? {
                self.ask(parent, points, relation, steps);
                let obligation = self.obligations.len() - 1;
                return Ok(Some(Mismatch { obligation, pairs: wrong }));
            }
        }
        if self.is_assumed(points, &relation)? {
            return Ok(None);
        }
        if let Some(suggested) = self.suggested(points, &relation)? {
            self.assumed_equations.insert(points, suggested.equations);
            self.add_hypothesis(points, &suggested.relation)?;
            self.ask(parent, points, suggested.relation, steps);
            if let Some(last) = self.obligations.last_mut() {
                (last.asked, last.is_suggested) = (Some(relation), true);
            }
            return Ok(None);
        }
        let relation = relation.coalesce(self.budget)?;
        let wide = self.widened(parent, points, &relation)?;
        let (relation, asked) = match wide {
            Some(wide) => (wide, Some(relation)),
            None => (relation, None),
        };
        self.add_hypothesis(points, &relation)?;
        self.ask(parent, points, relation, steps);
        if let Some(last) = self.obligations.last_mut() {
            last.asked = asked;
        }
        Ok(None)
    }

    /// Whether what is asked is a hypothesis already. Relations only have instances that run, so equations
    /// need no domains.
    fn is_assumed(&self, points: Pair, relation: &Map) -> Result<bool> {
        if let Some(equations) = self.assumed_equations.get(&points)
            && relation.is_subset(equations, self.budget)?
        {
            return Ok(true);
        }
        match self.assumed.get(&points) {
            Some(known) => relation.is_subset(known, self.budget),
            None => Ok(false),
        }
    }

    fn add_hypothesis(&mut self, points: Pair, relation: &Map) -> Result<()> {
        let all = match self.assumed.get(&points) {
            Some(known) => known.union(relation)?.coalesce(self.budget)?,
            None => relation.clone(),
        };
        self.assumed.insert(points, all);
        Ok(())
    }

    /// The hypothesis that executions suggest, if it has what is asked.
    fn suggested(&mut self, points: Pair, asked: &Map) -> Result<Option<Suggested>> {
        if self.wrong_hypotheses.contains(&points) || self.assumed_equations.contains_key(&points) {
            return Ok(None);
        }
        let Some(equations) = self.hypotheses.of(self.programs, points).cloned() else {
            return Ok(None);
        };
        if !asked.is_subset(&equations, self.budget)? {
            return Ok(None);
        }
        let relation = self.of_instances(points, equations.clone())?;
        Ok(Some(Suggested { equations, relation }))
    }

    /// The pairs of a relation of which both are instances that run.
    fn of_instances(&self, (a, b): Pair, relation: Map) -> Result<Map> {
        let mut relation = relation;
        if let Point::Node(a) = a {
            relation = relation.intersect_domain_within(self.programs[0].domain(a), self.budget)?;
        }
        if let Point::Node(b) = b {
            relation = relation.intersect_range_within(self.programs[1].domain(b), self.budget)?;
        }
        relation.intersect_params_within(&self.programs[0].context, self.budget)
    }

    /// The obligations about the same points that this one comes from, the nearest first, at most `n` of
    /// them.
    fn earlier(&self, parent: usize, points: Pair, n: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = Some(parent);
        while let Some(position) = at.filter(|_| found.len() < n) {
            let own = &self.obligations[position];
            if own.points == points {
                found.push(position);
            }
            at = own.origin.as_ref().map(|origin| origin.parent);
        }
        found
    }

    /// What is asked as part of a relation that recurrences end in, if the points ask for themselves.
    fn widened(&self, parent: usize, (a, b): Pair, asked: &Map) -> Result<Option<Map>> {
        let failures = self.failures.get(&(a, b)).copied().unwrap_or(0);
        let Some(widening) = Widening::after(failures) else { return Ok(None) };
        let earlier = self.earlier(parent, (a, b), 1 + widening.delay);
        let (Some(nearest), true) = (earlier.first(), earlier.len() > widening.delay) else {
            return Ok(None);
        };
        let nearest = &self.obligations[*nearest];
        let nearest = nearest.asked.as_ref().unwrap_or(&nearest.relation);
        let wide = widening.hull(asked, nearest, self.budget)?;
        let mut wide = self.of_instances((a, b), wide)?;
        if let Some(refuted) = self.refuted.get(&(a, b)).filter(|_| widening.leaves_refuted) {
            wide = wide.subtract(refuted, self.budget)?;
        }
        Ok(Some(wide))
    }

    /// Finds out which hypothesis a wrong pair refutes: one that was widened, or the results.
    fn blame(&mut self, mismatch: Mismatch) -> Result<Attempt> {
        let Mismatch { mut obligation, mut pairs } = mismatch;
        loop {
            let own = &self.obligations[obligation];
            let points = own.points;
            let all = match self.refuted.get(&points) {
                Some(known) => known.union(&pairs)?.coalesce(self.budget)?,
                None => pairs.clone(),
            };
            self.refuted.insert(points, all);
            if let Some(asked) = &own.asked {
                let wrong = pairs.intersect_within(asked, self.budget)?;
                if wrong.is_empty(self.budget)? && own.is_suggested {
                    self.wrong_hypotheses.insert(points);
                    return Ok(Attempt::Again);
                }
                if wrong.is_empty(self.budget)? {
                    *self.failures.entry(points).or_default() += 1;
                    return Ok(Attempt::Again);
                }
                pairs = wrong;
            }
            let Some(origin) = &own.origin else {
                return Ok(Attempt::Refuted { pairs });
            };
            let parent = &self.obligations[origin.parent];
            match parent.matched {
                Some(Matching::Operands) => {
                    *self.choices.entry(parent.points).or_default() += 1;
                    return Ok(Attempt::Again);
                }
                Some(Matching::Contributions) => {
                    self.not_by_contributions.insert(parent.points);
                    return Ok(Attempt::Again);
                }
                None => {}
            }
            pairs = origin.back(&parent.relation, &pairs, self.budget)?;
            obligation = origin.parent;
        }
    }
}
