//! Expressions with fresh names, and the macros that they need.
use crate::expressions::expression::AstExpr;
use crate::print::fresh_names::FreshNames;
use crate::print::widen_parameters::NarrowParameters;
use loopwright_presburger::{Name, Set};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Renames iterators and replaces operations that C lacks by calls of macros.
///
/// ```
/// use loopwright_astgen::{AstExpr, FreshNames, Lowering};
/// let used = [String::from("min")].into_iter().collect();
/// let mut lowering = Lowering::new(FreshNames::new(used));
/// let least = AstExpr::min(vec![AstExpr::int(3), AstExpr::Id("n".into())]);
/// assert_eq!(lowering.lower(&least).to_string(), "min_1(3, n)");
/// let definition = "#define min_1(x, y) ((x) < (y) ? (x) : (y))";
/// assert_eq!(lowering.definitions(), [(String::from("min_1"), String::from(definition))]);
/// ```
#[derive(Clone, Debug)]
pub struct Lowering {
    names: FreshNames,
    iterators: BTreeMap<Name, Name>,
    narrow: NarrowParameters,
    used: BTreeSet<Macro>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Macro {
    Min,
    Max,
    Floor,
}

impl Macro {
    fn wanted_name(self) -> &'static str {
        match self {
            Macro::Min => "min",
            Macro::Max => "max",
            Macro::Floor => "floord",
        }
    }

    /// The definition under a name. Arguments are side-effect free integer expressions.
    fn definition(self, name: &str) -> String {
        match self {
            Macro::Min => format!("#define {name}(x, y) ((x) < (y) ? (x) : (y))"),
            Macro::Max => format!("#define {name}(x, y) ((x) > (y) ? (x) : (y))"),
            Macro::Floor => {
                format!("#define {name}(n, d) ((n) < 0 ? ~(~(n) / (d)) : (n) / (d))")
            }
        }
    }
}

impl Lowering {
    /// With names that are free in the program.
    pub fn new(names: FreshNames) -> Self {
        let narrow = NarrowParameters::default();
        Lowering { names, iterators: BTreeMap::new(), narrow, used: BTreeSet::new() }
    }

    /// The free name of a generated iterator.
    pub fn iterator(&mut self, iterator: &Name) -> Name {
        if let Some(name) = self.iterators.get(iterator) {
            return name.clone();
        }
        let name: Name = self.names.get(iterator).into();
        self.iterators.insert(iterator.clone(), name.clone());
        name
    }

    /// Writes a parameter of the program as `text` instead of its name, for example with a cast.
    pub fn write_parameter(&mut self, parameter: &Name, text: &str) {
        self.iterators.insert(parameter.clone(), text.into());
    }

    /// A parameter is an `int` or something narrower, with a value in a range: what is computed with such
    /// parameters alone, and may lie outside of an `int`, is computed in the type of the iterators.
    ///
    /// ```
    /// use loopwright_astgen::{AstExpr, FreshNames, Lowering};
    /// let mut lowering = Lowering::new(FreshNames::new(Default::default()));
    /// lowering.parameter_is_narrow(&"n".into(), 0..=2_000_000_000, "long");
    /// let n = || Box::new(AstExpr::Id("n".into()));
    /// let (next, double) = (AstExpr::Add(n(), Box::new(AstExpr::int(1))), AstExpr::Add(n(), n()));
    /// assert_eq!(lowering.lower(&next).to_string(), "n + 1");
    /// assert_eq!(lowering.lower(&double).to_string(), "(long) n + n");
    /// ```
    pub fn parameter_is_narrow(
        &mut self,
        parameter: &Name,
        values: RangeInclusive<i64>,
        iterator_type: &str,
    ) {
        self.narrow.insert(parameter, values, iterator_type);
    }

    /// Says what holds where the next expressions are computed, with the symbolic constants as parameters;
    /// what was said before.
    pub fn know(&mut self, known: Option<Set>) -> Option<Set> {
        self.narrow.know(known)
    }

    /// Runs with these texts for parameters, all of which are as wide as iterators meanwhile.
    ///
    /// ```
    /// use loopwright_astgen::{AstExpr, FreshNames, Lowering};
    /// let mut lowering = Lowering::new(FreshNames::new(Default::default()));
    /// lowering.parameter_is_narrow(&"n".into(), 0..=2_000_000_000, "long");
    /// let n = || Box::new(AstExpr::Id("n".into()));
    /// let double = AstExpr::Add(n(), n());
    /// let short = |lowering: &mut Lowering| lowering.lower(&double).to_string();
    /// assert_eq!(lowering.with_parameters(&[("n".into(), "(int) n".into())], short), "(int) n + (int) n");
    /// assert_eq!(lowering.lower(&double).to_string(), "(long) n + n");
    /// ```
    pub fn with_parameters<T>(
        &mut self,
        texts: &[(Name, Name)],
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let narrow = std::mem::take(&mut self.narrow);
        let before: Vec<Option<Name>> = texts
            .iter()
            .map(|(parameter, text)| self.iterators.insert(parameter.clone(), text.clone()))
            .collect();
        let result = inside(self);
        for ((parameter, _), before) in texts.iter().zip(before) {
            match before {
                Some(text) => self.iterators.insert(parameter.clone(), text),
                None => self.iterators.remove(parameter),
            };
        }
        self.narrow = narrow;
        result
    }

    /// The free form of a wanted name.
    pub fn fresh(&mut self, wanted: &str) -> String {
        self.names.get(wanted)
    }

    /// The definitions of the macros used so far, with their names.
    pub fn definitions(&mut self) -> Vec<(String, String)> {
        let used: Vec<Macro> = self.used.iter().copied().collect();
        let define = |each: Macro| {
            let name = self.names.get(each.wanted_name());
            let definition = each.definition(&name);
            (name, definition)
        };
        used.into_iter().map(define).collect()
    }

    fn call(&mut self, each: Macro, arguments: Vec<AstExpr>) -> AstExpr {
        self.used.insert(each);
        AstExpr::Call(self.names.get(each.wanted_name()).into(), arguments)
    }

    fn nested(&mut self, each: Macro, operands: &[AstExpr]) -> AstExpr {
        let lowered: Vec<AstExpr> = operands.iter().map(|e| self.renamed(e)).collect();
        let mut operands = lowered.into_iter().rev();
        let last = operands.next().unwrap_or_else(|| AstExpr::int(0));
        operands.fold(last, |rest, operand| self.call(each, vec![operand, rest]))
    }

    /// The expression as C has it.
    pub fn lower(&mut self, expression: &AstExpr) -> AstExpr {
        let widened = self.narrow.widened(expression);
        self.renamed(&widened)
    }

    fn renamed(&mut self, expression: &AstExpr) -> AstExpr {
        match expression {
            AstExpr::Id(name) => AstExpr::Id(self.iterators.get(name).unwrap_or(name).clone()),
            AstExpr::DivFloor(a, b) => {
                let arguments = vec![self.renamed(a), self.renamed(b)];
                self.call(Macro::Floor, arguments)
            }
            AstExpr::Min(list) => self.nested(Macro::Min, list),
            AstExpr::Max(list) => self.nested(Macro::Max, list),
            other => other.map_operands(&mut |operand| self.renamed(operand)),
        }
    }
}
