//! Where a user node stands, for expressions over the instances of its statement.
use crate::expressions::expression::AstExpr;
use crate::expressions::floors_as_iterators::with_loops_for_floors;
use crate::expressions::named_form::{access, call};
use crate::places::build::Build;
use loopwright_presburger::{Aff, DimKind, MultiAff, Name, PwAff, PwMultiAff, Result, Set};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The place of a user node: which instance it is, and what the loops and conditions around it
/// guarantee.
///
/// The compiler asks it for subscripts and for uses of iterators in the statement's text: at a node
/// that runs `S[c0 + 2]`, the form `{ S[i] -> [(i - 1)] }` has the expression `c0 + 1`.
///
/// ```
/// use loopwright_astgen::{AstNode, Options, generate_from_map};
/// use loopwright_presburger::{Budget, PwAff, PwMultiAff, Set, UnionMap};
/// let schedule = UnionMap::parse("[n] -> { S[i] -> [i - 2] : 2 <= i < n }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let budget = Budget::steps(1_000_000);
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// let AstNode::For(each) = ast else { panic!("a loop") };
/// let AstNode::User { place, .. } = *each.body else { panic!("a call") };
/// let before = PwAff::parse("{ S[i] -> [(i - 1)] }")?;
/// assert_eq!(place.expression(&before)?.to_string(), "c0 + 1");
/// let element = PwMultiAff::parse("{ S[i] -> A[(i), (2i)] }")?;
/// assert_eq!(place.access(&element)?.to_string(), "A[c0 + 2][2 * c0 + 4]");
/// assert_eq!(place.condition(&Set::parse("{ S[i] : i >= 2 }")?)?.to_string(), "1");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
pub struct Place {
    build: Build,
    instance: PwMultiAff,
    subscripts: Subscripts,
}

/// The subscripts of a place that have been asked for: those of kernels are needed by what looks at their
/// values, and by each text.
#[derive(Clone, Default)]
struct Subscripts(Arc<Mutex<Vec<(Aff, AstExpr)>>>);

impl Subscripts {
    /// The subscript of a form, found out if it is not known.
    fn of(&self, form: &Aff, find: impl FnOnce() -> Result<AstExpr>) -> Result<AstExpr> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().iter().find(|(own, _)| own.plain_is_equal(form)) {
            return Ok(known.clone());
        }
        let found = find()?;
        lock().push((form.clone(), found.clone()));
        Ok(found)
    }
}

impl Place {
    /// A place that runs the instance given by `instance`, a function of the scope's dimensions.
    pub(crate) fn new(build: Build, instance: PwMultiAff) -> Self {
        Place { build, instance, subscripts: Subscripts::default() }
    }

    /// What is visible here, for expressions over the schedule dimensions and for code inside.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// The names of the loop dimensions, over which [`Place::known`] and [`Place::instance`] are.
    pub fn iterators(&self) -> &[Name] {
        self.build.iterators()
    }

    /// What is known about the loop dimensions and the parameters.
    pub fn known(&self) -> &Set {
        self.build.known()
    }

    /// The instance as a function of the loop dimensions.
    pub fn instance(&self) -> &PwMultiAff {
        &self.instance
    }

    /// The same place where `set`, over parameters or the first schedule dimensions, is known as
    /// well: [`Build::restricted`].
    ///
    /// # Errors
    /// As [`Build::restricted`].
    pub fn restricted(&self, set: &Set) -> Result<Place> {
        Ok(Place::new(self.build.restricted(set)?, self.instance.clone()))
    }

    /// The same place for another instance: that of the values of the loop dimensions that `to` gives for the
    /// values here. What is known here is all that is known about these.
    ///
    /// ```
    /// use loopwright_astgen::{AstNode, Options, generate_from_map};
    /// use loopwright_presburger::{Budget, MultiAff, PwAff, Set, UnionMap};
    /// let schedule = UnionMap::parse("{ S[i] -> [i] : 0 <= i < 32 }")?;
    /// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
    /// let budget = Budget::steps(1_000_000);
    /// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
    /// let AstNode::For(each) = ast else { panic!("a loop") };
    /// let AstNode::User { place, .. } = *each.body else { panic!("a call") };
    /// let quarter = MultiAff::parse("{ [i] -> [(floor(i/4))] }")?;
    /// let own = PwAff::parse("{ S[i] -> [(2i)] }")?;
    /// assert_eq!(place.moved(&quarter)?.expression(&own)?.to_string(), "2 * (c0 / 4)");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `to` is not from the loop dimensions to themselves.
    pub fn moved(&self, to: &MultiAff) -> Result<Place> {
        let instance = self.instance.pullback_multi_aff(to)?;
        Ok(Place::new(self.build.clone(), instance))
    }

    /// The expression whose value is that of `form`, a function of the statement's instances.
    ///
    /// An affine form of an instance that is affine in the iterators is a mere substitution;
    /// floors and pieces need proofs. A proof that exceeds its limit leaves a more general
    /// expression.
    ///
    /// # Errors
    /// If `form` is over another statement's instances.
    pub fn expression(&self, form: &PwAff) -> Result<AstExpr> {
        let scope = &self.build.scope;
        if let [(_, instance)] = self.instance.pieces() {
            if let [(_, aff)] = form.pieces() {
                return scope.affine(&aff.pullback(instance)?);
            }
            return scope.piecewise(&form.pullback_multi_aff(instance)?);
        }
        scope.piecewise(&form.pullback_pw_multi_aff(&self.instance)?)
    }

    /// [`Place::expression`] with floors that an outer loop has as its value written with that loop's
    /// iterator: inside of a tile `32 * floor(i / 32)` is the iterator of the tile's loop.
    ///
    /// *Cost.* Up to four emptiness tests per floor and loop, each with a limit; a test that exceeds
    /// it leaves the floor. The place, and its copies, keep what they are asked for.
    ///
    /// # Errors
    /// As [`Place::expression`].
    pub fn subscript(&self, form: &PwAff) -> Result<AstExpr> {
        if let ([(_, instance)], Some(aff)) = (self.instance.pieces(), form.as_aff())
            && !aff.locals().is_empty()
        {
            return self.subscripts.of(&aff, || {
                let over_loops = with_loops_for_floors(&aff.pullback(instance)?, self.known())?;
                self.build.scope.affine(&over_loops)
            });
        }
        self.expression(form)
    }

    /// The expression of an affine form of the statement's instances, as [`Place::expression`].
    ///
    /// # Errors
    /// As [`Place::expression`].
    pub fn affine(&self, aff: &Aff) -> Result<AstExpr> {
        self.expression(&PwAff::from_aff(aff.clone()))
    }

    /// The condition that the instance is in `set`, a subset of the statement's instances.
    ///
    /// *Cost.* As [`Build::condition`].
    ///
    /// # Errors
    /// If `set` is over another statement's instances.
    pub fn condition(&self, set: &Set) -> Result<AstExpr> {
        self.build.condition(&self.instance.to_map().intersect_range(set)?.domain())
    }

    /// The call of the function that the output tuple of `form`, over the statement's instances,
    /// names.
    ///
    /// # Errors
    /// As [`Place::expression`]; and if the output tuple has no name.
    pub fn call(&self, form: &PwMultiAff) -> Result<AstExpr> {
        call(form, |value| self.expression(value))
    }

    /// The element of the array that the output tuple of `form`, over the statement's instances,
    /// names.
    ///
    /// # Errors
    /// As [`Place::call`].
    pub fn access(&self, form: &PwMultiAff) -> Result<AstExpr> {
        access(form, |value| self.expression(value))
    }

    /// The values of the instance's coordinates.
    pub(crate) fn arguments(&self) -> Result<Vec<AstExpr>> {
        let n = self.instance.space().n(DimKind::Out);
        let scope = &self.build.scope;
        (0..n).map(|position| scope.piecewise(&self.instance.pw_aff(position))).collect()
    }
}

/// The instance.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Place").field(&format_args!("{}", self.instance)).finish()
    }
}
