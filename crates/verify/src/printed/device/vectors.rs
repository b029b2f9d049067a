//! Accesses of 16 bytes, beside the loops of copies below their mark.
//!
//! ```text
//! __pipeline_memcpy_async(&B_tile[..], &B[..], 16);                                          below `asynchronous` as well
//! *(double2 *) &B_tile[..] = *(const double2 *) &B[..];                                      into shared memory
//! { const double2 lw_vector = *(const double2 *) &A[..]; A_next[0] = lw_vector.x; .. }       into registers
//! ```
//!
//! For each value of the loops outside, the loop below the mark runs copies from as many elements as the
//! access has. The access is these copies, if
//!
//! 1. *side by side*: in iteration e the statement has the element that is e behind the one in the text, in
//!    the same row, on both sides;
//! 2. *apart*: it reads memory of the device and writes an array of the block or the thread. So no copy reads
//!    what another one has written, and it does not matter that the access reads all elements first;
//! 3. *aligned*: the first element lies at a multiple of 16 bytes. Memory of the device begins at a multiple
//!    of 256 bytes (CUDA C++ Programming Guide, "Size and alignment requirement", for all functions that
//!    allocate), in OpenCL at one of the size of the largest type, 128 bytes
//!    (`CL_DEVICE_MEM_BASE_ADDR_ALIGN`); shared memory begins where its declaration says. Rows have a whole
//!    number of vectors, and the last subscript is a multiple of their length.
use super::state::{Kernel, KernelLanguage, Stored};
use crate::printed::body::{Call, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Aff, Int, PwAff};
use loopwright_schedule::{LocalMark, MemorySpace, VectorCopyMark};
use loopwright_scop::{ArrayId, AssignmentOperator, Element};

/// The elements of a vector.
const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The variable that has a vector on its way into registers.
const VECTOR: &str = "lw_vector";

/// A copy of several elements: what the loop runs, and what it assigns.
#[derive(Clone, Copy)]
struct Vector<'a> {
    call: Call<'a>,
    each: &'a ForLoop,
    mark: VectorCopyMark,
    to: &'a Element,
    from: &'a Element,
}

impl<'a> TextWalk<'_, 'a> {
    /// Code below the mark of such copies.
    pub(in crate::printed) fn vector_copies(
        &mut self,
        mark: &str,
        child: &'a AstNode,
    ) -> Walked<()> {
        let mark = VectorCopyMark::parse(mark);
        let before = std::mem::replace(&mut self.kernel()?.vector, mark);
        let result = self.node(child, None);
        self.kernel()?.vector = before;
        result
    }

    /// The mark that loops stand below here.
    pub(in crate::printed) fn vector_here(&self) -> Option<VectorCopyMark> {
        self.device.as_ref()?.kernel.as_ref()?.vector
    }

    /// The access in place of a loop.
    pub(in crate::printed) fn vector_copy(
        &mut self,
        mark: VectorCopyMark,
        each: &'a ForLoop,
    ) -> Walked<()> {
        self.is_run_once()?;
        self.has_extent(each, i64::from(mark.elements))?;
        self.vector_on_conditions(mark, each, &each.body)
    }

    /// The access below conditions of the text, which hold for all of its elements where the tree's
    /// conditions inside of the loop do, and for none elsewhere.
    fn vector_on_conditions(
        &mut self,
        mark: VectorCopyMark,
        each: &'a ForLoop,
        inside: &'a AstNode,
    ) -> Walked<()> {
        let AstNode::If { condition, then, otherwise: None } = inside.single() else {
            return self.access_of_vector(mark, each, inside);
        };
        self.expect_words(&["if", "("])?;
        let line = self.cursor.line();
        let printed = self.expression()?;
        self.expect_words(&[")", "{"])?;
        let about = || format!("line {line} of the printed text: the condition holds elsewhere");
        self.around.enter(Around::Loop(each));
        let is_same = self.around.same_condition(&printed, condition, &about);
        self.around.leave();
        is_same?;
        self.around.enter(Around::Holds(printed));
        let found = self.vector_on_conditions(mark, each, then);
        self.around.leave();
        found?;
        self.cursor.expect("}")
    }

    fn access_of_vector(
        &mut self,
        mark: VectorCopyMark,
        each: &'a ForLoop,
        inside: &'a AstNode,
    ) -> Walked<()> {
        let call = self.call(inside.single())?;
        let assigned = call.statement.body.plain_assignment();
        let ends = assigned.filter(|own| own.operator == AssignmentOperator::Set);
        let ends = ends.and_then(|own| Some((own.target, own.value.as_element()?)));
        let Some((to, from)) = ends else {
            return Err(self.cursor.wrong("a statement that no copy of a vector is"));
        };
        let vector = Vector { call, each, mark, to, from };
        let is_shared = self.is_shared(to.array)?;
        let source = self.kernel()?.arrays.get(&from.array).copied();
        let target = self.kernel()?.arrays.get(&to.array).copied();
        if (target, source) != (Some(Stored::Own), Some(Stored::Linear)) {
            return Err(self.cursor.wrong("a vector from memory of the device into an own array"));
        }
        match (self.is_asynchronous(), is_shared) {
            (true, true) => self.asynchronous_vector(vector),
            (true, false) => {
                Err(Stop::Unread("an asynchronous copy to other than shared memory".into()))
            }
            (false, true) => self.vector_into_shared_memory(vector),
            (false, false) => self.vector_into_registers(vector),
        }
    }

    fn is_shared(&mut self, array: ArrayId) -> Walked<bool> {
        let name = &self.scop.array(array).tuple_name;
        let is_own = |mark: &LocalMark| mark.array == *name && mark.space == MemorySpace::Shared;
        Ok(self.kernel()?.marked.iter().any(is_own))
    }

    fn asynchronous_vector(&mut self, vector: Vector<'a>) -> Walked<()> {
        let bytes = VectorCopyMark::BYTES.to_string();
        for element in [vector.to, vector.from] {
            let bytes = self.scop.array(element.array).element_bytes;
            if bytes.and_then(VectorCopyMark::of_bytes) != Some(vector.mark) {
                return Err(self.cursor.wrong("as many bytes as the elements have"));
            }
        }
        self.expect_words(&["__pipeline_memcpy_async", "(", "&"])?;
        self.first_of_vector(vector, vector.to)?;
        self.expect_words(&[",", "&"])?;
        self.first_of_vector(vector, vector.from)?;
        self.expect_words(&[",", &bytes, ")", ";"])
    }

    fn vector_into_shared_memory(&mut self, vector: Vector<'a>) -> Walked<()> {
        self.expect_words(&["*", "("])?;
        if self.device()?.language == KernelLanguage::OpenCl {
            self.cursor.expect("__local")?;
        }
        self.type_of_vector(vector, vector.to)?;
        self.expect_words(&["*", ")", "&"])?;
        self.first_of_vector(vector, vector.to)?;
        self.cursor.expect("=")?;
        self.vector_of_memory(vector)?;
        self.cursor.expect(";")
    }

    fn vector_into_registers(&mut self, vector: Vector<'a>) -> Walked<()> {
        self.expect_words(&["{", "const"])?;
        self.type_of_vector(vector, vector.to)?;
        self.new_name(VECTOR)?;
        self.expect_words(&[VECTOR, "="])?;
        self.vector_of_memory(vector)?;
        self.cursor.expect(";")?;
        for (element, own) in ELEMENTS.iter().zip(0..i64::from(vector.mark.elements)) {
            let iterator = Box::new(AstExpr::Id(vector.each.iterator.clone()));
            let number = AstExpr::Eq(iterator, Box::new(AstExpr::int(own)));
            self.around.enter(Around::Loop(vector.each));
            self.around.enter(Around::Holds(number));
            let open = &mut Vec::new();
            let found =
                self.element_of_call(vector.call, vector.to, (&[], open), &mut Touched::default());
            self.around.leave();
            self.around.leave();
            found?;
            self.expect_words(&["=", VECTOR, ".", element, ";"])?;
        }
        self.cursor.expect("}")
    }

    /// `*(const double2 *) &A[..]`: the vector at the element that is read.
    fn vector_of_memory(&mut self, vector: Vector<'a>) -> Walked<()> {
        self.expect_words(&["*", "("])?;
        if self.device()?.language == KernelLanguage::OpenCl {
            self.cursor.expect("__global")?;
        }
        self.cursor.expect("const")?;
        self.type_of_vector(vector, vector.from)?;
        self.expect_words(&["*", ")", "&"])?;
        self.first_of_vector(vector, vector.from)
    }

    /// The type of as many elements as the access has.
    fn type_of_vector(&mut self, vector: Vector<'a>, element: &Element) -> Walked<()> {
        let array = self.scop.array(element.array);
        let is_whole = array.element_bytes.and_then(VectorCopyMark::of_bytes) == Some(vector.mark);
        let number = vector.mark.elements.to_string();
        let word = self.cursor.word()?;
        let words: &[&str] = match word.strip_suffix(number.as_str()).filter(|_| is_whole) {
            Some("uint") => &["unsigned", "int"],
            Some("ulong") => &["unsigned", "long"],
            Some("float") => &["float"],
            Some("double") => &["double"],
            Some("int") => &["int"],
            Some("long") => &["long"],
            _ => return Err(self.cursor.wrong(&format!("the type of {number} elements"))),
        };
        self.check_type(words, array)
    }

    /// The first element of an access, in memory.
    fn first_of_vector(&mut self, vector: Vector<'a>, element: &Element) -> Walked<()> {
        let (id, array) = (element.array, self.scop.array(element.array));
        let name = &array.name;
        let line = self.cursor.line();
        let printed = self.device_element(id, element.subscripts.len())?;
        self.check_known(id)?;
        let Kernel { arrays, aligned, .. } = self.kernel()?;
        let begins = arrays.get(&id) == Some(&Stored::Linear) || aligned.contains(&id);
        let (Some((last, others)), true) = (printed.split_last(), begins) else {
            return Err(self.cursor.wrong(&format!("`{name}` at a multiple of 16 bytes")));
        };
        let size = Int::from(i64::from(vector.mark.elements));
        if !others.is_empty() && !self.rows_are_multiples(id, &size)? {
            return Err(self.cursor.wrong(&format!("`{name}`, whose rows have whole vectors")));
        }
        let boxed = |value: AstExpr| Box::new(value);
        let number = boxed(AstExpr::int(i64::from(vector.mark.elements)));
        let quotient = AstExpr::DivFloor(boxed(last.clone()), number.clone());
        let multiple = AstExpr::Mul(number, boxed(quotient));
        let about = || {
            format!(
                "line {line} of the printed text: a vector of `{name}` is not aligned to 16 bytes"
            )
        };
        self.around.same_value(last, &multiple, &about)?;
        let iterator = boxed(AstExpr::Id(vector.each.iterator.clone()));
        let own = AstExpr::Add(boxed(last.clone()), iterator);
        let instance = (vector.call.tuple, vector.call.arguments);
        let about = || format!("line {line} of the printed text has other elements of `{name}`");
        self.around.enter(Around::Loop(vector.each));
        let all = others.iter().chain([&own]).zip(&element.subscripts);
        let found = all
            .map(|(printed, meant)| self.around.same_at_instance(printed, meant, instance, &about))
            .collect::<Walked<Vec<()>>>();
        self.around.leave();
        found.map(|_| ())
    }

    /// Whether rows of an array have a multiple of so many elements.
    fn rows_are_multiples(&self, id: ArrayId, size: &Int) -> Walked<bool> {
        let extent =
            self.scop.array(id).extents.last().and_then(|extent| extent.as_ref()?.as_aff());
        let Some(extent) = extent else { return Ok(false) };
        let rest = PwAff::from_aff(extent.modulo(size));
        let zero = PwAff::from_aff(Aff::zero(extent.domain_space()));
        let wrong = rest.ne_set(&zero)?.intersect(&self.scop.context)?;
        Ok(wrong.is_empty(self.budget)?)
    }
}
