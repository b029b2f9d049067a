//! A point of the generated code, for expressions over what is visible there.
//!
//! Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning polyhedra" (TOPLAS
//! 37(4), 2015), section 4: conditions and values are generated from sets and piecewise
//! quasi-affine forms, specialised to what the loops and conditions around guarantee.
use crate::expressions::expression::AstExpr;
use crate::expressions::expression_choices::ExpressionChoices;
use crate::expressions::named_form::{access, call};
use crate::expressions::scope::Scope;
use crate::model::depth::set_at_depth;
use loopwright_presburger::*;
use std::fmt;

/// The steps for simplifying a set before it becomes a condition.
const SIMPLIFICATION_STEPS: u64 = 1_000_000;

/// A point of the generated code: the schedule dimensions outside with the names of their
/// iterators, and what the loops and conditions around guarantee.
///
/// Forms and sets are over the parameters alone, or over the first of the schedule dimensions (an
/// anonymous tuple of at most [`Build::depth`] dimensions). Parameters that the code does not have
/// yet are allowed.
///
/// ```
/// use loopwright_astgen::Build;
/// use loopwright_presburger::{PwAff, Set};
/// let build = Build::from_context(&Set::parse("[n] -> { : n >= 1 }")?)?;
/// let even = Set::parse("[n] -> { : n mod 2 = 0 and n >= 0 }")?;
/// assert_eq!(build.condition(&even)?.to_string(), "n % 2 == 0");
/// let half = PwAff::parse("[n] -> { [(floor(n/2))] }")?;
/// assert_eq!(build.expression(&half)?.to_string(), "n / 2");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
pub struct Build {
    pub(crate) scope: Scope,
}

impl Build {
    /// The point outside of all code, where a parameter set is known.
    ///
    /// ```
    /// use loopwright_astgen::Build;
    /// use loopwright_presburger::Set;
    /// let build = Build::from_context(&Set::parse("[n] -> { : n >= 0 }")?)?;
    /// assert_eq!(build.depth(), 0);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if `context` has set dimensions.
    pub fn from_context(context: &Set) -> Result<Build> {
        let known = match context.space().is_params() {
            true => context.from_params(Tuple::anonymous(0)),
            false if context.n(DimKind::Out) == 0 => context.clone(),
            false => {
                return Err(Error::Invalid {
                    operation: "AST generation",
                    reason: "the context is not a set of parameters".into(),
                });
            }
        };
        Ok(Build { scope: Scope::root(known, ExpressionChoices::STANDARD) })
    }

    /// The number of schedule dimensions outside, those without a loop included.
    pub fn depth(&self) -> usize {
        self.scope.names.len()
    }

    /// The names of the schedule dimensions; those of dimensions without a loop are not in the code.
    pub fn iterators(&self) -> &[Name] {
        &self.scope.names
    }

    /// What is known here about the schedule dimensions and the parameters.
    pub fn known(&self) -> &Set {
        &self.scope.known
    }

    /// The same point, where `set` is known as well. It may have parameters that the code outside
    /// does not have, such as the number of a thread.
    ///
    /// ```
    /// use loopwright_astgen::Build;
    /// use loopwright_presburger::{PwAff, Set};
    /// let build = Build::from_context(&Set::parse("{ : }")?)?;
    /// let thread = build.restricted(&Set::parse("[t] -> { : 0 <= t < 32 }")?)?;
    /// let half = PwAff::parse("[t] -> { [(floor(t/2))] }")?;
    /// assert_eq!(build.expression(&half)?.to_string(), "floord(t, 2)");
    /// assert_eq!(thread.expression(&half)?.to_string(), "t / 2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if `set` has more dimensions than are outside.
    pub fn restricted(&self, set: &Set) -> Result<Build> {
        let set = self.at_depth(set)?;
        let scope = self.scope.with_params(set.space())?;
        Ok(Build { scope: scope.knowing(&set)? })
    }

    /// The expression whose value is that of `form`; nested conditionals if it has several pieces
    /// that are reached.
    ///
    /// *Cost.* A few optimizations over [`Build::known`] per floor and piece, each with a limit; a
    /// proof that exceeds it leaves a more general expression.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `form` has more dimensions than are outside.
    pub fn expression(&self, form: &PwAff) -> Result<AstExpr> {
        let n = form.domain_space().n(DimKind::Out);
        let to_first = self.to_first(n, form.domain_space())?;
        self.scope.piecewise(&form.pullback_multi_aff(&to_first)?)
    }

    /// The condition that the dimensions are in `set`, where what is known holds.
    ///
    /// *Cost.* One simplification of the set, with a limit, and what [`Build::expression`] says for each form
    /// in it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `set` has more dimensions than are outside.
    pub fn condition(&self, set: &Set) -> Result<AstExpr> {
        let set = self.at_depth(set)?;
        let budget = Budget::steps(SIMPLIFICATION_STEPS);
        let known = self.scope.known.align_params(set.space());
        let simpler = match set.gist(&known, &budget) {
            Err(Error::Exceeded { .. }) => set,
            other => other?,
        };
        self.scope.condition(&simpler)
    }

    /// The call of the function that the output tuple of `form` names.
    ///
    /// ```
    /// use loopwright_astgen::Build;
    /// use loopwright_presburger::{PwMultiAff, Set};
    /// let build = Build::from_context(&Set::parse("{ : }")?)?;
    /// let form = PwMultiAff::parse("[n] -> { f[(n + 1), (2n)] }")?;
    /// assert_eq!(build.call(&form)?.to_string(), "f(n + 1, 2 * n)");
    /// assert_eq!(build.access(&form)?.to_string(), "f[n + 1][2 * n]");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Build::expression`]; and if the output tuple has no name.
    pub fn call(&self, form: &PwMultiAff) -> Result<AstExpr> {
        call(form, |value| self.expression(value))
    }

    /// The element of the array that the output tuple of `form` names.
    ///
    /// # Errors
    /// As [`Build::call`].
    pub fn access(&self, form: &PwMultiAff) -> Result<AstExpr> {
        access(form, |value| self.expression(value))
    }

    /// A set over parameters or the first dimensions as one over all of them.
    fn at_depth(&self, set: &Set) -> Result<Set> {
        let n = if set.space().is_params() { 0 } else { set.n(DimKind::Out) };
        check_depth(n, self.depth())?;
        set_at_depth(set, self.scope.known.space(), 0, self.depth())
    }

    /// All dimensions to the first `n` of them.
    fn to_first(&self, n: usize, form: &Space) -> Result<MultiAff> {
        check_depth(n, self.depth())?;
        let space = &self.scope.known.align_params(form).space().clone();
        let all = MultiAff::identity(space);
        let target = match form.is_params() {
            true => Space::params(space.param_names()),
            false => form.with_params(space.param_names()),
        };
        MultiAff::new(space.map_to(&target), all.affs()[..n].to_vec())
    }
}

/// What is known at the point.
impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Build").field(&format_args!("{}", self.known())).finish()
    }
}

fn check_depth(n: usize, depth: usize) -> Result<()> {
    if n <= depth {
        return Ok(());
    }
    Err(Error::Invalid {
        operation: "expression generation",
        reason: format!("{n} dimensions where there are {depth} outside"),
    })
}
