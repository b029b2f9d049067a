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
    /// Arrays do not say how many elements they have, or the iterations are not known before: for what, in
    /// words.
    Unknown(String),
}

impl EarlyExit {
    /// For which values of symbolic constants all that the conditions read, in all iterations up to the bound
    /// of some instances of the statement, lies in arrays.
    ///
    /// A loop that counts on from what its iterator is has run some iterations when others are looked at
    /// before their turn. These have read what iterations read that are not left ([`EarlyExit::sure_parts`]),
    /// so subscripts that grow with the iterator are no less than those, or no greater if it counts down.
    ///
    /// *Exactness.* Exact for the iterations up to the bound if the step is 1. *Cost.* A difference of sets
    /// for each element in the text.
    ///
    /// # Errors
    /// Those of operations on sets.
    pub fn reads(&self, scop: &Scop, instances: &Set, budget: &Budget) -> Result<ExitReads> {
        let forms = Forms::new(self, instances);
        let depth = forms.depth;
        let unknown = |what: &str| Ok(ExitReads::Unknown(what.to_string()));
        let iterations = match self.counts_on() {
            true => forms.iterations_up_to_bound(scop, instances)?,
            false => forms.iterations(scop, instances)?,
        };
        let Some(iterations) = iterations else {
            return unknown(
                "nothing that is known before it runs says where it ends if it is not left",
            );
        };
        let mut outside = Set::empty(scop.context.space().clone());
        let mut elements = Vec::new();
        self.evaluated().for_each(|term| term.for_each_element(&mut |a, i| elements.push((a, i))));
        if self.counts_on() {
            let mut n_sure = 0;
            self.sure_parts(&mut |term| term.for_each_element(&mut |_, _| n_sure += 1));
            if n_sure < elements.len() {
                return unknown("it is not known where it begins");
            }
        }
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
                let moves = match index {
                    Index::Term(term) => self.moves(term),
                    Index::Form(_) => false,
                };
                let is_fixed = match index {
                    Index::Term(term) => !term.mentions(self.iterator()),
                    Index::Form(_) => true,
                };
                if self.counts_on() && is_fixed {
                    // The first iteration has read there.
                    continue;
                }
                if self.counts_on() && !moves {
                    return unknown("it is not known where it begins");
                }
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
                // An iteration before those of threads has read there, at a smaller subscript; a greater one
                // if they count down.
                if !self.counts_on() || self.counts_down() {
                    inside = inside.intersect(&index.nonneg_set())?;
                }
                if !self.counts_on() || !self.counts_down() {
                    inside = inside.intersect(&index.lt_set(&extent)?)?;
                }
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
    /// The most iterations that the loop has in one of some instances of the statement, if there is such a
    /// number and it is known.
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
            (Optimum::At(least), Optimum::At(greatest)) => {
                let steps = (&greatest - &least).div_floor(&Int::from(self.step()));
                Some(&steps + &Int::ONE)
            }
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

    /// All values of the iterator up to the bound; none if that is not known.
    fn iterations_up_to_bound(&self, scop: &Scop, instances: &Set) -> Result<Option<Set>> {
        let bound = self.exit.bound();
        let Some(bound) = bound.root().map(|bound| self.of(bound)).transpose()?.flatten() else {
            return Ok(None);
        };
        let own = PwAff::from_aff(Aff::variable(&self.space, DimKind::Out, self.depth));
        let end = match (self.exit.counts_down(), self.exit.is_inclusive()) {
            (false, true) => own.le_set(&bound)?,
            (false, false) => own.lt_set(&bound)?,
            (true, true) => own.ge_set(&bound)?,
            (true, false) => own.gt_set(&bound)?,
        };
        let domain = instances.intersect_params(&scop.context)?;
        Ok(Some(domain.insert_dims(DimKind::Out, self.depth, 1).intersect(&end)?))
    }

    /// The iterations up to the bound; none if they are not known.
    fn iterations(&self, scop: &Scop, instances: &Set) -> Result<Option<Set>> {
        let first = self.exit.first();
        let Some(first) = first.root().map(|first| self.of(first)).transpose()?.flatten() else {
            return Ok(None);
        };
        let Some(all) = self.iterations_up_to_bound(scop, instances)? else { return Ok(None) };
        let own = PwAff::from_aff(Aff::variable(&self.space, DimKind::Out, self.depth));
        let begin = if self.exit.counts_down() { own.le_set(&first)? } else { own.ge_set(&first)? };
        Ok(Some(all.intersect(&begin)?))
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
