//! Ranking polynomials and their exact inverse.
use crate::error::MultiforError;
use crate::multifor::{Body, Multifor};
use loopwright_cfront::Code;
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, MultiAff, PwAff, PwQPolynomial, Result, Set, Space, Tuple,
    Value,
};

/// The ranks of the iterations of a nest.
///
/// Iterations are tuples `(n1, .., nd)` of the numbers of iterations of each loop, from 0 on. For each loop
/// there is a polynomial `Q(n1, .., n, x)`: how many iterations there are for given outer ones in which that
/// of this loop is less than `x`. The rank of an iteration is their sum, from 0 on.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// All iterations.
    pub(crate) iterations: Set,
    /// Their ranks as elements of a set.
    elements: loopwright_presburger::Ranking,
    /// For each loop, from the outside in.
    pub(crate) loops: Vec<LoopRanks>,
}

/// The ranks of the iterations of one loop for given outer ones.
#[derive(Clone, Debug)]
pub(crate) struct LoopRanks {
    /// On tuples `(n1, .., x)`.
    pub(crate) below: PwQPolynomial,
    /// The tuples that are asked about: `x` up to one behind the last iteration that has one inside.
    pub(crate) valid: Set,
    /// One more than the last iteration that has one inside, on tuples of outer iterations.
    pub(crate) end: PwAff,
}

impl Ranking {
    /// The ranks of the iterations of a nest of a multifor statement.
    ///
    /// ```
    /// use loopwright_cfront::multifor_statements;
    /// use loopwright_multifor::{Multifor, Ranking};
    /// use loopwright_presburger::Budget;
    /// let text = "multifor (i = 1; i < N; i++; 1; 0) multifor (j = 0; j < i; j++; 1; 0) { 0: S(i, j); }";
    /// let found = multifor_statements("f.c".as_ref(), text).unwrap();
    /// let budget = Budget::unlimited();
    /// let ranking = Ranking::of_nest(&Multifor::new(&found[0].statement, &budget)?, 0, &budget)?;
    /// // Iteration (3, 2) is i = 4, j = 2; six iterations have a smaller i.
    /// let parameters = [9.into()];
    /// assert_eq!(ranking.rank(&parameters, &[3.into(), 2.into()], &budget).unwrap(), 8);
    /// assert_eq!(ranking.iteration(&parameters, &8.into(), &budget).unwrap().unwrap(), [3, 2]);
    /// # Ok::<(), loopwright_multifor::MultiforError>(())
    /// ```
    ///
    /// # Errors
    /// Nests with statements between their loops, and limits.
    pub fn of_nest(
        multifor: &Multifor,
        nest: usize,
        budget: &Budget,
    ) -> std::result::Result<Ranking, MultiforError> {
        let body = perfect_body(multifor, nest)?;
        Ranking::of_body(body, budget).map_err(|e| MultiforError::of_sets(body.statement.start, &e))
    }

    fn of_body(body: &Body, budget: &Budget) -> Result<Ranking> {
        let mut numbers = body.iterations[0].to_map();
        for n in &body.iterations[1..] {
            numbers = numbers.flat_range_product_within(&n.to_map(), budget)?;
        }
        let iterations = body.domain.apply_within(&numbers, budget)?.coalesce(budget)?;
        let elements = loopwright_presburger::Ranking::new(&iterations, budget)?;
        let below = elements.before().iter().enumerate();
        let loops = below.map(|(depth, below)| LoopRanks::new(&iterations, depth, below, budget));
        let loops = loops.collect::<Result<_>>()?;
        Ok(Ranking { iterations, elements, loops })
    }

    /// The rank of an iteration for given values of the symbolic constants (in the order of
    /// [`Multifor::parameters`]).
    ///
    /// # Errors
    /// Limits.
    pub fn rank(&self, parameters: &[Int], iteration: &[Int], budget: &Budget) -> Result<Int> {
        let mut rank = Int::from(0);
        for (depth, ranks) in self.loops.iter().enumerate() {
            rank =
                &rank + &ranks.below(parameters, &iteration[..depth], &iteration[depth], budget)?;
        }
        Ok(rank)
    }

    /// The number of iterations.
    ///
    /// # Errors
    /// Limits.
    pub fn count(&self, parameters: &[Int], budget: &Budget) -> Result<Int> {
        match self.loops[0].end(parameters, &[], budget)? {
            Some(end) => self.loops[0].below(parameters, &[], &end, budget),
            None => Ok(Int::from(0)),
        }
    }

    /// The iteration of a rank; none if there are not as many. By bisection, loop by loop.
    ///
    /// # Errors
    /// Limits.
    pub fn iteration(
        &self,
        parameters: &[Int],
        rank: &Int,
        budget: &Budget,
    ) -> Result<Option<Vec<Int>>> {
        self.elements.element(rank, parameters, budget)
    }
}

impl LoopRanks {
    fn new(
        iterations: &Set,
        depth: usize,
        below: &PwQPolynomial,
        budget: &Budget,
    ) -> Result<LoopRanks> {
        let n_inside = iterations.n_dims() - depth - 1;
        let own = iterations.project_out(DimKind::Out, depth + 1, n_inside);
        let end = own.split_dims(depth).dim_max(0, budget)?.add_constant(&Int::from(1));
        // `x` is at most one behind an iteration `y`: less than `y + 2`.
        let valid = shifted(&own, depth, 2)?
            .insert_dims(DimKind::Out, depth, 1)
            .split_dims(depth + 1)
            .order_lt(DimKind::In, depth, DimKind::Out, 0)
            .domain()
            .lower_bound(DimKind::Out, depth, &Int::from(0));
        Ok(LoopRanks { below: below.coalesce(budget)?, valid, end })
    }

    /// How many iterations there are below `x`.
    fn below(&self, parameters: &[Int], outer: &[Int], x: &Int, budget: &Budget) -> Result<Int> {
        let point = [parameters, outer, std::slice::from_ref(x)].concat();
        let value = self.below.eval(&point, budget)?;
        whole(&value)
    }

    fn end(&self, parameters: &[Int], outer: &[Int], budget: &Budget) -> Result<Option<Int>> {
        let value = self.end.eval(&[parameters, outer].concat(), budget)?;
        Ok(value.map(|value| value.floor()))
    }
}

/// The tuples of a set with something added to the entry at a position.
fn shifted(set: &Set, position: usize, by: i64) -> Result<Set> {
    let n = set.n_dims();
    let names = set.space().param_names();
    let domain = Space::set(names, Tuple::anonymous(n));
    let members = (0..n).map(|at| {
        let variable = Aff::variable(&domain, DimKind::Out, at);
        if at == position { variable.add_constant(&by.into()) } else { variable }
    });
    let space = Space::map(names, Tuple::anonymous(n), Tuple::anonymous(n));
    set.apply(&MultiAff::new(space, members.collect())?.to_map())
}

/// A count as an integer.
fn whole(value: &Value) -> Result<Int> {
    value.to_int().ok_or_else(|| Error::Invalid {
        operation: "a rank",
        reason: format!("it would be {value}"),
    })
}

/// The innermost body of a nest without statements between its loops.
pub(crate) fn perfect_body(
    multifor: &Multifor,
    nest: usize,
) -> std::result::Result<&Body, MultiforError> {
    let own: Vec<&Body> = multifor.bodies.iter().filter(|body| body.nest == nest).collect();
    let start = multifor.syntax.start;
    let Some(first) = own.first() else {
        let message = format!("loop {nest} has no statement, so its iterations have no ranks");
        return Err(MultiforError::new(Code::LoopForm, start, message));
    };
    match own.iter().all(|body| body.loops == first.loops) {
        true => Ok(first),
        false => {
            let message = format!("nest {nest} has statements at several levels");
            Err(MultiforError::new(Code::LoopForm, start, message)
                .because("ranks are those of the iterations of the innermost loop"))
        }
    }
}
