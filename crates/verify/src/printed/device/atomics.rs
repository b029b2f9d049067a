//! Updates of an element by one instruction.
//!
//! ```text
//! atomicAdd(&h[a[c0]], 1);                               h[a[i]]++ below `atomic`, CUDA
//! atomic_sub(&h[a[c0]], w[c0]);                          h[a[i]] -= w[i] below `atomic`, OpenCL
//! atomicOr((unsigned long long *)&h[a[c0]], 4);          h[a[i]] |= 4 below `atomic`, CUDA, integers of 64 bits
//! ```
use super::state::{KernelLanguage, Stored};
use crate::printed::body::{Call, Touched, ends_with_brace};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstNode;
use loopwright_scop::{ArithmeticOperator, BodyPiece, ElementKind, PlacedPiece};

impl<'a> TextWalk<'_, 'a> {
    /// Code below the mark of updates by one instruction.
    pub(in crate::printed) fn atomics(&mut self, child: &'a AstNode) -> Walked<()> {
        let before = std::mem::replace(&mut self.kernel()?.is_atomic, true);
        let result = self.node(child, None);
        self.kernel()?.is_atomic = before;
        result
    }

    /// Whether statements are updates by one instruction here.
    pub(in crate::printed) fn is_atomic(&self) -> bool {
        let kernel = self.device.as_ref().and_then(|device| device.kernel.as_ref());
        kernel.is_some_and(|kernel| kernel.is_atomic)
    }

    /// A statement that updates an element, by one instruction.
    pub(in crate::printed) fn atomic_update(&mut self, call: Call<'_>) -> Walked<Touched> {
        let body = &call.statement.body;
        let Some(update) = body.operator_update() else {
            return Err(self.cursor.wrong("a statement that is no update by one instruction"));
        };
        if self.kernel()?.arrays.get(&update.array) != Some(&Stored::Linear) {
            return Err(Stop::Unread("an update by one instruction of a copy".to_string()));
        }
        let array = self.scop.array(update.array);
        let is_integer = matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned);
        let language = self.device()?.language;
        let (true, Some((function, is_wide))) =
            (is_integer, instruction(language, update.operator, array.element_bytes))
        else {
            return Err(self.cursor.wrong("an update that is no instruction of the device"));
        };
        let mut touched = Touched::default();
        let parts = update.pieces(body);
        let after = own(parts.after);
        let ends_with_brace = ends_with_brace(&after);
        self.pieces(call, own(parts.before), &[], &mut touched)?;
        self.expect_words(&[function, "("])?;
        if is_wide {
            self.expect_words(&["(", "unsigned", "long", "long", "*", ")"])?;
        }
        self.cursor.expect("&")?;
        self.pieces(call, own(parts.target), &[], &mut touched)?;
        self.cursor.expect(",")?;
        self.pieces(call, own(parts.value), &[], &mut touched)?;
        self.cursor.expect(")")?;
        self.pieces(call, after, &[], &mut touched)?;
        if !ends_with_brace {
            self.cursor.expect(";")?;
        }
        Ok(touched)
    }
}

fn own(pieces: Vec<PlacedPiece<'_>>) -> Vec<BodyPiece<'_>> {
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// The function that updates an integer of so many bytes, and whether it takes the address of another type.
fn instruction(
    language: KernelLanguage,
    operator: ArithmeticOperator,
    bytes: Option<u64>,
) -> Option<(&'static str, bool)> {
    use ArithmeticOperator as A;
    let [cuda, opencl] = match operator {
        A::Add => ["atomicAdd", "atomic_add"],
        A::Subtract => ["atomicSub", "atomic_sub"],
        A::And => ["atomicAnd", "atomic_and"],
        A::Or => ["atomicOr", "atomic_or"],
        A::ExclusiveOr => ["atomicXor", "atomic_xor"],
        A::Multiply | A::Divide | A::Remainder | A::ShiftLeft | A::ShiftRight => return None,
    };
    match (language, bytes?) {
        (KernelLanguage::Cuda, 4) => Some((cuda, false)),
        (KernelLanguage::Cuda, 8) if operator != A::Subtract => Some((cuda, true)),
        (KernelLanguage::OpenCl, 4) => Some((opencl, false)),
        _ => None,
    }
}
