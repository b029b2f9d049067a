//! Which trees may be walked over recursively.
use crate::syntax::tree::Node;

/// Statements nested deeper than this are refused instead of being walked over recursively.
pub(crate) const MAX_DEPTH: usize = 200;

/// Whether text is understood, and not nested too deeply for a recursive walk.
pub(crate) fn is_well_shaped(root: Node<'_>) -> bool {
    !root.has_error() && root.levels() <= MAX_DEPTH
}
