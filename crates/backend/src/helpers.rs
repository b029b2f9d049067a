//! Expressions with fresh names, and the helper macros that they need.
use crate::FreshNames;
use loopwright_astgen::AstExpr;
use loopwright_presburger::Name;
use std::collections::{BTreeMap, BTreeSet};

/// Renames iterators and replaces operations that C lacks by calls of helper macros.
pub(crate) struct Lowering {
    names: FreshNames,
    iterators: BTreeMap<Name, Name>,
    used: BTreeSet<Helper>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Helper {
    Min,
    Max,
    Floor,
}

impl Helper {
    fn wanted_name(self) -> &'static str {
        match self {
            Helper::Min => "min",
            Helper::Max => "max",
            Helper::Floor => "floord",
        }
    }

    /// The definition under a name. Arguments are side-effect free integer expressions.
    fn definition(self, name: &str) -> String {
        match self {
            Helper::Min => format!("#define {name}(x, y) ((x) < (y) ? (x) : (y))"),
            Helper::Max => format!("#define {name}(x, y) ((x) > (y) ? (x) : (y))"),
            Helper::Floor => {
                format!("#define {name}(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))")
            }
        }
    }
}

impl Lowering {
    pub(crate) fn new(names: FreshNames) -> Self {
        Lowering { names, iterators: BTreeMap::new(), used: BTreeSet::new() }
    }

    /// The free name of a generated iterator.
    pub(crate) fn iterator(&mut self, iterator: &Name) -> Name {
        if let Some(name) = self.iterators.get(iterator) {
            return name.clone();
        }
        let name: Name = self.names.get(iterator).into();
        self.iterators.insert(iterator.clone(), name.clone());
        name
    }

    /// The free form of a wanted name.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        self.names.get(wanted)
    }

    /// The definitions of the helpers used so far, with their names.
    pub(crate) fn definitions(&mut self) -> Vec<(String, String)> {
        let used: Vec<Helper> = self.used.iter().copied().collect();
        let define = |helper: Helper| {
            let name = self.names.get(helper.wanted_name());
            let definition = helper.definition(&name);
            (name, definition)
        };
        used.into_iter().map(define).collect()
    }

    fn call(&mut self, helper: Helper, arguments: Vec<AstExpr>) -> AstExpr {
        self.used.insert(helper);
        AstExpr::Call(self.names.get(helper.wanted_name()).into(), arguments)
    }

    fn nested(&mut self, helper: Helper, operands: &[AstExpr]) -> AstExpr {
        let lowered: Vec<AstExpr> = operands.iter().map(|e| self.lower(e)).collect();
        let mut operands = lowered.into_iter().rev();
        let last = operands.next().unwrap_or_else(|| AstExpr::int(0));
        operands.fold(last, |rest, operand| self.call(helper, vec![operand, rest]))
    }

    /// The expression as C has it.
    pub(crate) fn lower(&mut self, expression: &AstExpr) -> AstExpr {
        use AstExpr::*;
        let mut boxed = |e: &AstExpr| Box::new(self.lower(e));
        match expression {
            Int(_) => expression.clone(),
            Id(name) => Id(self.iterators.get(name).unwrap_or(name).clone()),
            Neg(a) => Neg(boxed(a)),
            Add(a, b) => Add(boxed(a), boxed(b)),
            Sub(a, b) => Sub(boxed(a), boxed(b)),
            Mul(a, b) => Mul(boxed(a), boxed(b)),
            DivExact(a, b) => DivExact(boxed(a), boxed(b)),
            DivNonneg(a, b) => DivNonneg(boxed(a), boxed(b)),
            RemNonneg(a, b) => RemNonneg(boxed(a), boxed(b)),
            RemZero(a, b) => RemZero(boxed(a), boxed(b)),
            Eq(a, b) => Eq(boxed(a), boxed(b)),
            Le(a, b) => Le(boxed(a), boxed(b)),
            Lt(a, b) => Lt(boxed(a), boxed(b)),
            Ge(a, b) => Ge(boxed(a), boxed(b)),
            Gt(a, b) => Gt(boxed(a), boxed(b)),
            Select(a, b, c) => Select(boxed(a), boxed(b), boxed(c)),
            DivFloor(a, b) => {
                let arguments = vec![self.lower(a), self.lower(b)];
                self.call(Helper::Floor, arguments)
            }
            Min(list) => self.nested(Helper::Min, list),
            Max(list) => self.nested(Helper::Max, list),
            And(list) => And(list.iter().map(|e| self.lower(e)).collect()),
            Or(list) => Or(list.iter().map(|e| self.lower(e)).collect()),
            Call(name, list) => Call(name.clone(), list.iter().map(|e| self.lower(e)).collect()),
        }
    }
}
