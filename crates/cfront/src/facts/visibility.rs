//! Who else may know where a variable is.
use crate::facts::points_to::File;
use crate::facts::scope::Scopes;
use crate::facts::variables::Origin;
use crate::syntax::tree::Node;

/// Whether a function takes the address of a variable, or others see it.
pub(crate) fn is_visible_elsewhere<'t>(
    source: &str,
    scopes: &Scopes<'t>,
    function: Node<'t>,
    variable: u32,
) -> bool {
    let file = File { source, root: function.root(), types: &scopes.types, index: &scopes.index };
    let variable = &scopes.variables[variable as usize];
    matches!(variable.origin, Origin::File { .. } | Origin::Local { is_static: true })
        || file.values(function, &variable.name).is_none()
}
