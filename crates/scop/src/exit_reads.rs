//! Which elements a loop that ends early would read behind its exit, and whether they are there.
use crate::body::{ArithmeticOperator, BinaryOperator, EarlyExit, Term, TermKind, UnaryOperator};
use crate::ids::ArrayId;
use crate::model::Scop;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Optimum, PwAff, Result, Set, Space};

/// For which values of symbolic constants an exit may be looked for behind itself.
#[derive(Clone, Debug)]
pub enum ExitReads {
    /// For all: whatever the conditions of all iterations read lies in arrays.
    Inside,
    /// For these.
    InsideWhere(Set),
    /// Arrays do not say how many elements they have, or the iterations are not known before: for what, in words.
    Unknown(String),
}

impl EarlyExit {
    /// For which values of symbolic constants all that the conditions read, in all iterations up to the bound of some instances of
    /// the statement, lies in arrays.
    ///
    /// *Exactness.* Exact for the iterations up to the bound. *Cost.* A difference of sets for each element in the text.
    ///
    /// # Errors
    /// Those of operations on sets.
    pub fn reads(&self, scop: &Scop, instances: &Set, budget: &Budget) -> Result<ExitReads> {
        let forms = Forms::new(self, instances);
        let depth = forms.depth;
        let unknown = |what: &str| Ok(ExitReads::Unknown(what.to_string()));
        let Some(iterations) = forms.iterations(scop, instances)? else {
            return unknown(
                "nothing that is known before it runs says where it ends if it is not left",
            );
        };
        let mut outside = Set::empty(scop.context.space().clone());
        let mut elements = Vec::new();
        self.evaluated().for_each(|term| term.for_each_element(&mut |a, i| elements.push((a, i))));
        for (array, indices) in elements {
            let array = scop.array(array);
            let mut inside = iterations.clone();
            for (index, extent) in indices.iter().zip(&array.extents) {
                let Some(extent) = extent else {
                    return unknown(&format!(
                        "nothing says how many elements `{}` has",
                        array.name
                    ));
                };
                let index = match index {
                    Index::Term(term) => forms.of(term)?,
                    Index::Form(form) => Some(form.insert_dims(DimKind::Out, depth, 1)),
                };
                let Some(index) = index else {
                    return unknown(&format!(
                        "it is not known which elements of `{}` it reads",
                        array.name
                    ));
                };
                let tuple = forms.space.output().cloned().unwrap_or_default();
                let extent = extent.insert_domain(&tuple)?;
                inside = inside.intersect(&index.nonneg_set())?;
                inside = inside.intersect(&index.lt_set(&extent)?)?;
            }
            let beyond = iterations.subtract(&inside, budget)?;
            outside = outside.union(&beyond.params())?;
        }
        let readable = scop.context.subtract(&outside, budget)?;
        Ok(match outside.is_empty(budget)? {
            true => ExitReads::Inside,
            false if readable.is_empty(budget)? => ExitReads::Unknown(
                "it would look outside of an array if it were not left before".to_string(),
            ),
            false => ExitReads::InsideWhere(readable),
        })
    }
}

impl EarlyExit {
    /// The most iterations that the loop has in one of some instances of the statement, if there is such a number and it is known.
    ///
    /// *Cost.* Two optima.
    ///
    /// # Errors
    /// Those of operations on sets.
    pub fn most_iterations(
        &self,
        scop: &Scop,
        instances: &Set,
        budget: &Budget,
    ) -> Result<Option<Int>> {
        let forms = Forms::new(self, instances);
        let Some(iterations) = forms.iterations(scop, instances)? else { return Ok(None) };
        let at = forms.depth;
        let least = iterations.dim_min_val(DimKind::Out, at, budget)?;
        let greatest = iterations.dim_max_val(DimKind::Out, at, budget)?;
        Ok(match (least, greatest) {
            (Optimum::Empty, _) | (_, Optimum::Empty) => Some(Int::ZERO),
            (Optimum::At(least), Optimum::At(greatest)) => Some(&(&greatest - &least) + &Int::ONE),
            _ => None,
        })
    }
}

/// A subscript: in the text, or regenerated.
enum Index<'a> {
    Term(&'a Term),
    Form(&'a PwAff),
}

impl Term {
    /// Calls `visit` with each element of an array in it.
    fn for_each_element<'a>(&'a self, visit: &mut impl FnMut(ArrayId, Vec<Index<'a>>)) {
        match (self.kind(), self.children()) {
            (TermKind::Subscript, [base, indices @ ..]) => {
                if let Some(element) = base.as_element() {
                    visit(element.array, indices.iter().map(Index::Term).collect());
                }
                indices.iter().for_each(|index| index.for_each_element(visit));
            }
            (TermKind::Element(element), _) => {
                visit(element.array, element.subscripts.iter().map(Index::Form).collect());
            }
            (_, children) => children.iter().for_each(|child| child.for_each_element(visit)),
        }
    }
}

/// Integer expressions over an instance of the statement and an iteration of its loop.
struct Forms<'a> {
    exit: &'a EarlyExit,
    depth: usize,
    space: Space,
}

impl<'a> Forms<'a> {
    fn new(exit: &'a EarlyExit, instances: &Set) -> Self {
        let depth = instances.space().n(DimKind::Out);
        let space = instances.space().insert_dims(DimKind::Out, depth, &[None]);
        Forms { exit, depth, space }
    }

    /// The iterations up to the bound; none if they are not known.
    fn iterations(&self, scop: &Scop, instances: &Set) -> Result<Option<Set>> {
        let (first, bound) = (self.exit.first(), self.exit.bound());
        let (Some(first), Some(bound)) = (first.root(), bound.root()) else { return Ok(None) };
        let (Some(first), Some(bound)) = (self.of(first)?, self.of(bound)?) else {
            return Ok(None);
        };
        let own = PwAff::from_aff(Aff::variable(&self.space, DimKind::Out, self.depth));
        let end = if self.exit.is_inclusive() { own.le_set(&bound)? } else { own.lt_set(&bound)? };
        let domain = instances.intersect_params(&scop.context)?;
        let all = domain.insert_dims(DimKind::Out, self.depth, 1);
        Ok(Some(all.intersect(&own.ge_set(&first)?)?.intersect(&end)?))
    }

    /// The value of a term; none if it is no sum of multiples of constants and the iterator.
    fn of(&self, term: &Term) -> Result<Option<PwAff>> {
        let of_aff = |aff| Ok(Some(PwAff::from_aff(aff)));
        if term.is_alike(self.exit.iterator()) {
            return of_aff(Aff::variable(&self.space, DimKind::Out, self.depth));
        }
        if let Some(value) = term.as_number() {
            return of_aff(Aff::constant(&self.space, &Int::from(value)));
        }
        Ok(match (term.kind(), term.children()) {
            (TermKind::Affine(form), _) => Some(form.0.insert_dims(DimKind::Out, self.depth, 1)),
            (TermKind::Name, _) => match self.space.find_param(term.text()) {
                Some(at) => return of_aff(Aff::variable(&self.space, DimKind::Param, at)),
                None => None,
            },
            (TermKind::Parenthesized | TermKind::Unary(UnaryOperator::Plus), [inner]) => {
                self.of(inner)?
            }
            (TermKind::Unary(UnaryOperator::Negate), [inner]) => {
                self.of(inner)?.map(|value| value.scale_val(&Int::from(-1).into()))
            }
            (TermKind::Binary(BinaryOperator::Arithmetic(operator)), [left, right]) => {
                let (Some(left), Some(right)) = (self.of(left)?, self.of(right)?) else {
                    return Ok(None);
                };
                match operator {
                    ArithmeticOperator::Add => Some(left.add(&right)?),
                    ArithmeticOperator::Subtract => Some(left.sub(&right)?),
                    ArithmeticOperator::Multiply => left.mul(&right).ok(),
                    _ => None,
                }
            }
            _ => None,
        })
    }
}
