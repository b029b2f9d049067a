//! Where a user node stands, for expressions over the instances of its statement.
use crate::AstExpr;
use crate::scope::Scope;
use loopwright_presburger::{Aff, Name, PwAff, PwMultiAff, Result, Set};

/// The place of a user node: which instance it is, and what the loops and conditions around it
/// guarantee.
///
/// The compiler asks it for subscripts and for uses of iterators in the statement's text: at a node
/// that runs `S[c0 + 2]`, the form `{ S[i] -> [(i - 1)] }` has the expression `c0 + 1`.
#[derive(Clone, Debug)]
pub struct Place {
    scope: Scope,
    instance: PwMultiAff,
}

impl Place {
    /// A place that runs the instance given by `instance`, a function of the scope's dimensions.
    pub(crate) fn new(scope: Scope, instance: PwMultiAff) -> Self {
        Place { scope, instance }
    }

    /// The names of the loop dimensions, over which [`Place::known`] and [`Place::instance`] are.
    pub fn iterators(&self) -> &[Name] {
        &self.scope.names
    }

    /// What is known about the loop dimensions and the parameters.
    pub fn known(&self) -> &Set {
        &self.scope.known
    }

    /// The instance as a function of the loop dimensions.
    pub fn instance(&self) -> &PwMultiAff {
        &self.instance
    }

    /// The expression whose value is that of `form`, a function of the statement's instances.
    ///
    /// An affine form of an instance that is affine in the iterators is a mere substitution;
    /// floors and pieces need proofs. A proof that exceeds its limit leaves a more general
    /// expression.
    pub fn expression(&self, form: &PwAff) -> Result<AstExpr> {
        if let [(_, instance)] = self.instance.pieces() {
            if let [(_, aff)] = form.pieces() {
                return self.scope.affine(&aff.pullback(instance)?);
            }
            return self.scope.piecewise(&form.pullback_multi_aff(instance)?);
        }
        self.scope.piecewise(&form.pullback_pw_multi_aff(&self.instance)?)
    }

    /// The expression of an affine form of the statement's instances, as [`Place::expression`].
    pub fn affine(&self, aff: &Aff) -> Result<AstExpr> {
        self.expression(&PwAff::from_aff(aff.clone()))
    }

    /// The condition that the instance is in `set`, a subset of the statement's instances.
    pub fn condition(&self, set: &Set) -> Result<AstExpr> {
        let budget = loopwright_presburger::Budget::steps(1_000_000);
        let reached = self.instance.to_map().intersect_range(set)?.domain();
        self.scope.condition(&reached.gist(&self.scope.known, &budget)?)
    }

    /// The values of the instance's coordinates.
    pub(crate) fn arguments(&self) -> Result<Vec<AstExpr>> {
        let n = self.instance.space().range().n_all() - self.instance.space().to_params().n_all();
        (0..n).map(|position| self.scope.piecewise(&self.instance.pw_aff(position))).collect()
    }
}
