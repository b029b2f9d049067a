//! Variables of which a file does not say the type.
use loopwright_presburger::Name;
use loopwright_scop::{Array, ElementKind};

/// A variable of which only the name and the number of dimensions are known. Its type is what the
/// compiler knows about the variable of this name.
pub(crate) fn unknown_array(name: &str, n_dims: usize) -> Array {
    Array {
        name: Name::from(name),
        tuple_name: Name::from(name),
        element_type: format!("__typeof__({name}{})", "[0]".repeat(n_dims)),
        element_bytes: None,
        element_kind: ElementKind::Other,
        extents: vec![None; n_dims],
        extent_texts: vec![String::new(); n_dims],
        is_member: false,
        declared_in_scop: false,
        live_out: true,
        declaration_depth: 0,
    }
}
