//! Copies of several elements by one access of 16 bytes, in place of the loop below their mark.
//!
//! ```text
//! __pipeline_memcpy_async(&B_tile[..], &B[..], 16);                      below `asynchronous` as well
//! *(double2 *) &B_tile[..] = *(const double2 *) &B[..];                  into shared memory
//! { const double2 lw_vector = *(const double2 *) &A[..]; A_next[0] = lw_vector.x; A_next[1] = lw_vector.y; }     into registers
//! ```
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use super::types::element_type;
use crate::body::Body;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Place};
use loopwright_presburger::{Aff, DimKind, Int, MultiAff, Name, Result};
use loopwright_schedule::VectorCopyMark;
use loopwright_scop::{Array, AssignmentOperator, Statement};
use std::cell::RefCell;

/// The elements of a vector.
const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];

impl KernelPrinter<'_> {
    /// Code whose loop is one access.
    pub(super) fn vector_copies(&mut self, mark: &str, child: &AstNode) -> Result<()> {
        let around = std::mem::replace(&mut self.vectors.mark, VectorCopyMark::parse(mark));
        let result = self.node(child);
        self.vectors.mark = around;
        result
    }

    /// Whether loops are such copies here.
    pub(super) fn has_vectors(&self) -> bool {
        self.vectors.mark.is_some()
    }

    /// A loop over the elements of an access. A condition inside holds for all of them or for none: it is
    /// that of the first one.
    pub(super) fn vector_copy(&mut self, each: &ForLoop) -> Result<()> {
        self.vector_of(each, &each.body)
    }

    fn vector_of(&mut self, each: &ForLoop, inside: &AstNode) -> Result<()> {
        if let AstNode::If { condition, then, otherwise: None } = inside.single() {
            let first = at_zero(condition, &each.iterator);
            let first = first.ok_or_else(|| misplaced("a condition on elements of a vector"))?;
            let condition = self.lowering.lower(&first);
            return self
                .block(&format!("if ({condition}) {{"), |printer| printer.vector_of(each, then));
        }
        let (Some(mark), AstNode::User { statement, place, .. }) =
            (self.vectors.mark, inside.single())
        else {
            return Err(misplaced("a vector of several statements"));
        };
        let statement = self.statement_of(statement)?;
        let ends = statement.body.plain_assignment();
        let ends = ends.filter(|own| own.operator == AssignmentOperator::Set);
        let ends = ends.and_then(|own| Some((own.target, own.value.as_element()?)));
        let Some((to, from)) = ends.map(|(to, from)| (to.array, from.array)) else {
            return Err(misplaced(&format!("{}, which is no copy,", statement.name)));
        };
        let (target, source) = (self.memory.array(to), self.memory.array(from));
        let is_shared = self.vectors.shared.contains(&target.tuple_name);
        if !self.memory.is_in_memory(from) || self.memory.is_in_memory(to) {
            return Err(misplaced("a vector that is not read from memory of the device"));
        }
        let language = self.memory.language;
        let types =
            vector_type((target, language), mark).zip(vector_type((source, language), mark));
        let Some((own, _)) = types.filter(|(own, other)| own == other) else {
            return Err(misplaced("a vector of a type that devices do not have"));
        };
        let (first, source) = self.ends((statement, place), (each, 0))?;
        if self.is_asynchronous {
            self.vectors.aligned.insert(target.tuple_name.clone());
            let bytes = VectorCopyMark::BYTES;
            self.writer.line(&format!("__pipeline_memcpy_async(&{first}, &{source}, {bytes});"));
            return Ok(());
        }
        let read = format!("*({}const {own} *) &{source}", language.of_device());
        if is_shared {
            self.vectors.aligned.insert(target.tuple_name.clone());
            self.writer.line(&format!("*({}{own} *) &{first} = {read};", language.of_block()));
            return Ok(());
        }
        self.writer.line("{");
        self.writer.depth_in();
        self.writer.line(&format!("const {own} lw_vector = {read};"));
        for (at, element) in (0..mark.elements).zip(ELEMENTS) {
            let (to, _) = self.ends((statement, place), (each, i64::from(at)))?;
            self.writer.line(&format!("{to} = lw_vector.{element};"));
        }
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }

    /// The element that is written, and that which is read, for one iteration of a loop.
    fn ends(
        &mut self,
        (statement, place): (&Statement, &Place),
        (each, iteration): (&ForLoop, i64),
    ) -> Result<(String, String)> {
        let space = place.known().space();
        let n = space.n(DimKind::Out);
        let variable = |at| Aff::variable(space, DimKind::Out, at);
        let mut values: Vec<Aff> = (0..n).map(variable).collect();
        values[each.dimension] = Aff::constant(space, &Int::from(iteration));
        let place = place.moved(&MultiAff::new(space.map_to(space), values)?)?;
        let body = Body::at(statement, &place, self.lowering)?;
        let elements = RefCell::new(Vec::new());
        body.statement(|element| {
            let text = self.element(element);
            elements.borrow_mut().push(text.clone());
            Some(text)
        });
        match <[String; 2]>::try_from(elements.into_inner()) {
            Ok([to, from]) => Ok((to, from)),
            Err(_) => Err(misplaced("a copy of several elements")),
        }
    }
}

/// The type of so many elements of an array; none if there is none of 16 bytes.
fn vector_type((array, language): (&Array, Language), mark: VectorCopyMark) -> Option<String> {
    let own = match element_type(array, language)? {
        "unsigned int" => "uint",
        "unsigned long" => "ulong",
        own @ ("float" | "double" | "int" | "long") => own,
        _ => return None,
    };
    let is_known = VectorCopyMark::of_bytes(array.element_bytes?) == Some(mark);
    is_known.then(|| format!("{own}{}", mark.elements))
}

/// An expression where a name is zero; none if it has an operator of another kind.
fn at_zero(expression: &AstExpr, name: &Name) -> Option<AstExpr> {
    use AstExpr::*;
    let zero = AstExpr::int(0);
    let part = |own: &AstExpr| at_zero(own, name);
    let two = |make: fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr, a: &AstExpr, b: &AstExpr| {
        Some(make(Box::new(part(a)?), Box::new(part(b)?)))
    };
    let all = |own: &[AstExpr]| own.iter().map(part).collect::<Option<Vec<_>>>();
    match expression {
        Id(own) if own == name => Some(zero),
        own if !own.mentions(name) => Some(own.clone()),
        Add(a, b) => match (part(a)?, part(b)?) {
            (a, b) if b == zero => Some(a),
            (a, b) if a == zero => Some(b),
            (a, b) => Some(Add(Box::new(a), Box::new(b))),
        },
        Sub(a, b) => match (part(a)?, part(b)?) {
            (a, b) if b == zero => Some(a),
            (a, b) => Some(Sub(Box::new(a), Box::new(b))),
        },
        Mul(a, b) => two(Mul, a, b),
        DivExact(a, b) => two(DivExact, a, b),
        DivNonneg(a, b) => two(DivNonneg, a, b),
        DivFloor(a, b) => two(DivFloor, a, b),
        RemNonneg(a, b) => two(RemNonneg, a, b),
        RemZero(a, b) => two(RemZero, a, b),
        Eq(a, b) => two(Eq, a, b),
        Le(a, b) => two(Le, a, b),
        Lt(a, b) => two(Lt, a, b),
        Ge(a, b) => two(Ge, a, b),
        Gt(a, b) => two(Gt, a, b),
        And(own) => Some(And(all(own)?)),
        Or(own) => Some(Or(all(own)?)),
        Min(own) => Some(Min(all(own)?)),
        Max(own) => Some(Max(all(own)?)),
        _ => None,
    }
}

impl Language {
    /// What stands before the type of memory of the device in a pointer's type.
    fn of_device(self) -> &'static str {
        match self {
            Language::Cuda => "",
            Language::OpenCl => "__global ",
        }
    }

    /// The same for shared memory.
    fn of_block(self) -> &'static str {
        match self {
            Language::Cuda => "",
            Language::OpenCl => "__local ",
        }
    }

    /// What says in the declaration of an array that it begins at a multiple of 16 bytes.
    pub(super) fn aligned(self) -> &'static str {
        match self {
            Language::Cuda => "__align__(16) ",
            Language::OpenCl => "__attribute__((aligned(16))) ",
        }
    }
}
