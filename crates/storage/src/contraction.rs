//! Arrays with fewer cells than elements: moduli in some dimensions.
//!
//! The element `A[i][j]` becomes `A[i mod g][j]`. The program has the same statements and the same order;
//! which values are read in it is for `loopwright_verify` to prove, and that another order keeps them is a
//! question to the dependences of the new program.
use loopwright_dataflow::Dependences;
use loopwright_exact::Int;
use loopwright_presburger::{
    Aff, AffineValues, Budget, DimKind, Map, MultiAff, PwAff, Result, Set, Space,
};
use loopwright_scop::{Access, AccessKind, Array, ArrayId, Scop, Term};

/// The moduli of an array's dimensions; none where the subscript stays.
#[derive(Clone, Debug)]
pub struct Contraction {
    /// The array.
    pub array: ArrayId,
    /// One for each dimension.
    pub moduli: Vec<Option<Int>>,
    /// The elements that are copied out of their cells at the end of the region, for uses after it; none if
    /// there are no such uses.
    pub copied_out: Option<Set>,
}

impl Contraction {
    /// From elements to cells, in the space of the array.
    ///
    /// # Errors
    /// If the space has another number of dimensions.
    pub fn cells(&self, elements: &Space) -> Result<Map> {
        let subscript = |(at, modulus): (usize, &Option<Int>)| {
            let variable = Aff::variable(elements, DimKind::Out, at);
            modulus.as_ref().map_or(variable.clone(), |modulus| variable.modulo(modulus))
        };
        let affs = self.moduli.iter().enumerate().map(subscript).collect();
        Ok(MultiAff::new(elements.map_to(elements), affs)?.to_map())
    }

    /// The program with cells in place of the elements of the array. An array that the region declares is
    /// declared with the cells only. Behind the others there is a statement that copies out what is used
    /// after the region.
    ///
    /// ```
    /// use loopwright_cfront::SourceFile;
    /// use loopwright_exact::Int;
    /// use loopwright_scop::ArrayId;
    /// use loopwright_storage::Contraction;
    /// let text = "void f(int n, double x[n]) { double a[100][n];\n#pragma scop\n\
    ///     for (int t = 1; t < 100; t++) for (int i = 0; i < n; i++) a[t][i] = x[i] * a[t - 1][i];\n#pragma endscop\n}";
    /// let scop = &SourceFile::from_text("f.c", text).extract().unwrap()[0].scop;
    /// let a = (0..).zip(&scop.arrays).find(|(_, array)| &*array.name == "a").unwrap().0;
    /// let contraction = Contraction { array: ArrayId(a), moduli: vec![Some(Int::from(2)), None], copied_out: None };
    /// let contracted = contraction.apply(scop)?;
    /// assert!(contracted.to_string().contains("mod 2"));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the array has another number of dimensions.
    pub fn apply(&self, scop: &Scop) -> Result<Scop> {
        let mut contracted = scop.clone();
        for statement in &mut contracted.statements {
            for access in statement.accesses.iter_mut().filter(|a| a.array == self.array) {
                let cells = self.cells(&access.relation.space().range())?;
                access.relation = access.relation.apply_range(&cells)?;
            }
            statement.body.for_each_element_mut(&mut |element| {
                if element.array == self.array {
                    for (subscript, modulus) in element.subscripts.iter_mut().zip(&self.moduli) {
                        if let Some(modulus) = modulus {
                            *subscript = subscript.map_affs(&|aff: &Aff| aff.modulo(modulus));
                        }
                    }
                }
            });
        }
        if let Some(array) = contracted.arrays.get_mut(self.array.0 as usize)
            && array.declared_in_scop
        {
            self.declare(array);
        }
        if let Some(elements) = &self.copied_out {
            self.copy_out(&mut contracted, elements)?;
        }
        Ok(contracted)
    }

    fn declare(&self, array: &mut Array) {
        let params = Space::params(&[]);
        for (at, modulus) in self.moduli.iter().enumerate() {
            let Some(modulus) = modulus else { continue };
            if let (Some(extent), Some(text)) =
                (array.extents.get_mut(at), array.extent_texts.get_mut(at))
            {
                *extent = Some(PwAff::from_aff(Aff::constant(&params, modulus)));
                *text = modulus.to_string();
            }
        }
    }
}

/// Whether values from before the region are in elements that the region reads.
///
/// # Errors
/// If the budget runs out.
pub fn is_read_before_written(
    scop: &Scop,
    array: ArrayId,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<bool> {
    for live in dependences.live_in.iter().filter(|live| live.array == array) {
        let existing = scop.array(array).elements(&live.relation.space().range())?;
        let seen = live.relation.intersect_range_within(&existing, budget)?;
        if !seen.intersect_params_within(&scop.context, budget)?.is_empty(budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The elements of an array that executed statements access, of those that it has: conditions inside of
/// expressions are not looked at. None if there are no accesses.
///
/// # Errors
/// If the budget runs out.
pub fn accessed_elements(scop: &Scop, array: ArrayId, budget: &Budget) -> Result<Option<Set>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accesses = executed.flat_map(|statement| &statement.accesses);
    let mut all: Option<Set> = None;
    for access in accesses.filter(|access| access.array == array) {
        let accessed = access.relation.range();
        let existing = scop.array(array).elements(accessed.space())?;
        let own = accessed.intersect_within(&existing, budget)?;
        let own = own.intersect_params_within(&scop.context, budget)?;
        all = Some(all.map_or(Ok(own.clone()), |others| others.union(&own))?);
    }
    Ok(all)
}

/// The arrays whose elements may become cells: each access is to one element, and is written in the text as
/// such; nothing outside of the region sees their values, or it is known which of them are used after the
/// region (`used_after`, for each array).
///
/// # Errors
/// If the budget runs out.
pub fn contractible_arrays(
    scop: &Scop,
    dependences: &Dependences,
    used_after: &[Option<Set>],
    budget: &Budget,
) -> Result<Vec<ArrayId>> {
    let mut arrays = Vec::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        let is_known = used_after.get(id.0 as usize).is_some_and(Option::is_some);
        if !array.extents.is_empty()
            && !array.is_member
            && is_accessed_by_elements(scop, id)
            && (is_known
                || !array.live_out && !is_read_before_written(scop, id, dependences, budget)?)
        {
            arrays.push(id);
        }
    }
    Ok(arrays)
}

/// Whether every access of executed statements is one that the text names, with as many subscripts as the
/// array has dimensions, and writes are sure; and statements that read and write it are assignments, which do
/// it in this order.
fn is_accessed_by_elements(scop: &Scop, array: ArrayId) -> bool {
    let n_dims = scop.array(array).extents.len();
    scop.statements.iter().filter(|statement| !statement.is_kill).all(|statement| {
        let own: Vec<&Access> = statement.accesses.iter().filter(|a| a.array == array).collect();
        let elements = statement.body.elements();
        let mut named = elements.iter().filter(|element| element.array == array).peekable();
        let n_writes = own.iter().filter(|access| access.kind != AccessKind::Read).count();
        let assigned = statement.body.root().and_then(Term::as_assignment);
        let target = assigned.and_then(|(_, target, _)| target.without_parentheses().as_element());
        let is_target = target.is_some_and(|target| target.array == array);
        let is_in_order = n_writes == 0 || own.len() == 1 || n_writes == 1 && is_target;
        (own.is_empty() || named.peek().is_some())
            && is_in_order
            && own.iter().all(|access| access.kind != AccessKind::MayWrite)
            && !statement.body.hidden().contains(&array)
            && named.all(|element| element.subscripts.len() == n_dims)
    })
}
