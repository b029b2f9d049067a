//! Updates of an element by one instruction: `atomicAdd(&h[a[c0]], 1)`, in OpenCL `atomic_add(&h[a[c0]], 1)`.
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use crate::body::{Body, Element};
use loopwright_astgen::{AstNode, Place};
use loopwright_presburger::Result;
use loopwright_scop::{ArithmeticOperator, PlacedPiece, Statement};

/// Integers of 64 bits are updated by another type of as many bits.
const WIDE: &str = "(unsigned long long *)";

impl KernelPrinter<'_> {
    /// Code whose statements are such updates.
    pub(super) fn atomics(&mut self, child: &AstNode) -> Result<()> {
        let before = std::mem::replace(&mut self.is_atomic, true);
        let result = self.node(child);
        self.is_atomic = before;
        result
    }

    /// The text of a statement that updates an element, as such an update.
    pub(super) fn atomic_update(&mut self, statement: &Statement, place: &Place) -> Result<String> {
        let no_update = || misplaced(&format!("{}, which is no update,", statement.name));
        let update = statement.body.operator_update().ok_or_else(no_update)?;
        let array = self.memory.array(update.array);
        if self.private.contains(&array.tuple_name) || !self.memory.is_in_memory(update.array) {
            return Err(misplaced("an update by one instruction of what threads have"));
        }
        let bytes = array.element_bytes.unwrap_or_default();
        let found = instruction(self.memory.language, update.operator, bytes);
        let (function, cast) = found.ok_or_else(|| {
            misplaced(&format!("an update that no instruction is, of {bytes} bytes"))
        })?;
        let parts = update.pieces(&statement.body);
        let mut text = |pieces: Vec<PlacedPiece<'_>>| -> Result<String> {
            let body = Body::of_pieces(pieces, place, self.lowering)?;
            Ok(body.text(|element: &Element| Some(self.element(element))))
        };
        let (before, after) = (text(parts.before)?, text(parts.after)?);
        let (target, value) = (text(parts.target)?, text(parts.value)?);
        let end = if after.ends_with('}') { "" } else { ";" };
        Ok(format!("{before}{function}({cast}&{target}, {value}){after}{end}"))
    }
}

/// The function that updates an integer of so many bytes, and what its address is cast to; none if there is
/// none.
fn instruction(
    language: Language,
    operator: ArithmeticOperator,
    bytes: u64,
) -> Option<(String, &'static str)> {
    use ArithmeticOperator as A;
    let name = match operator {
        A::Add => "Add",
        A::Subtract => "Sub",
        A::And => "And",
        A::Or => "Or",
        A::ExclusiveOr => "Xor",
        A::Multiply | A::Divide | A::Remainder | A::ShiftLeft | A::ShiftRight => return None,
    };
    match (language, bytes) {
        (Language::Cuda, 4) => Some((format!("atomic{name}"), "")),
        (Language::Cuda, 8) if operator != A::Subtract => Some((format!("atomic{name}"), WIDE)),
        // OpenCL C 1.2 has those of 64 bits in an extension.
        (Language::OpenCl, 4) => Some((format!("atomic_{}", name.to_lowercase()), "")),
        _ => None,
    }
}
