//! Calls and accesses from forms whose output tuple names a function or an array.
use crate::expressions::expression::AstExpr;
use loopwright_presburger::{DimKind, Error, Name, PwAff, PwMultiAff, Result};

/// The call of the function that the output tuple of `form` names, with `expression` for the
/// values.
pub(crate) fn call(
    form: &PwMultiAff,
    expression: impl Fn(&PwAff) -> Result<AstExpr>,
) -> Result<AstExpr> {
    Ok(AstExpr::Call(output_name(form)?, values(form, expression)?))
}

/// The element of the array that the output tuple of `form` names, with `expression` for the
/// subscripts.
pub(crate) fn access(
    form: &PwMultiAff,
    expression: impl Fn(&PwAff) -> Result<AstExpr>,
) -> Result<AstExpr> {
    let array = Box::new(AstExpr::Id(output_name(form)?));
    Ok(AstExpr::Access(array, values(form, expression)?))
}

fn values(
    form: &PwMultiAff,
    expression: impl Fn(&PwAff) -> Result<AstExpr>,
) -> Result<Vec<AstExpr>> {
    let n = form.space().n(DimKind::Out);
    (0..n).map(|position| expression(&form.pw_aff(position))).collect()
}

/// The name of the output tuple.
fn output_name(form: &PwMultiAff) -> Result<Name> {
    let name = form.space().output().and_then(|tuple| tuple.name().cloned());
    name.ok_or_else(|| Error::Invalid {
        operation: "expression generation",
        reason: "the tuple has no name".into(),
    })
}
