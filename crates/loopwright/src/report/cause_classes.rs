//! Causes of refusals in the classes of Doerfert, Hammacher, Streit and Hack, "SPolly: speculative
//! optimizations in the polyhedral model", 2013, table 1, beside what checks at run time and profiles make of
//! them.
use crate::report::survey::{NestSurvey, Survey, Verdict};
use loopwright_cfront::{Code, Fact, RunTimeCondition};
use std::collections::BTreeSet;

/// A class of causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CauseClass {
    /// Subscripts that are not affine.
    NonAffineExpression,
    /// Different variables may be the same memory.
    Aliasing,
    /// Bounds and conditions that are not affine.
    NonAffineBound,
    /// Calls.
    Call,
    /// Iterators and forms of loops.
    InductionVariable,
    /// Control flow.
    ControlFlow,
    /// Unsigned values that may wrap around.
    Unsigned,
    /// All others.
    Other,
}

impl CauseClass {
    /// All classes in the order of the paper's table.
    pub const ALL: [CauseClass; 8] = [
        CauseClass::NonAffineExpression,
        CauseClass::Aliasing,
        CauseClass::NonAffineBound,
        CauseClass::Call,
        CauseClass::InductionVariable,
        CauseClass::ControlFlow,
        CauseClass::Unsigned,
        CauseClass::Other,
    ];

    /// The class in the words of the paper.
    pub fn as_str(self) -> &'static str {
        match self {
            CauseClass::NonAffineExpression => "non-affine expressions",
            CauseClass::Aliasing => "aliasing",
            CauseClass::NonAffineBound => "non-affine loop bounds",
            CauseClass::Call => "function call",
            CauseClass::InductionVariable => "non-canonical induction variables",
            CauseClass::ControlFlow => "complex control flow",
            CauseClass::Unsigned => "unsigned comparison",
            CauseClass::Other => "others",
        }
    }

    /// The class of a refusal.
    pub fn of(code: Code) -> CauseClass {
        match code {
            Code::NonAffineSubscript => CauseClass::NonAffineExpression,
            Code::Overlap | Code::Pointer => CauseClass::Aliasing,
            Code::NonAffineCondition => CauseClass::NonAffineBound,
            Code::Call => CauseClass::Call,
            Code::LoopForm | Code::Iterator => CauseClass::InductionVariable,
            Code::UnsupportedStatement | Code::Directive => CauseClass::ControlFlow,
            _ => CauseClass::Other,
        }
    }

    /// The class of the refusal that a check at run time stands for.
    pub(crate) fn of_check(condition: &RunTimeCondition) -> CauseClass {
        match &condition.fact {
            Fact::Constants { values, .. } if values.iter().any(|value| !value.is_signed) => {
                CauseClass::Unsigned
            }
            Fact::Constants { .. } => CauseClass::NonAffineExpression,
            _ => CauseClass::Aliasing,
        }
    }
}

/// Some loop nests: how many, and what share of the time in loops they take, if that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counted {
    /// The number of nests.
    pub nests: usize,
    /// Their share of the time in loops.
    pub time: Option<f64>,
}

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassRow {
    /// The class.
    pub class: CauseClass,
    /// The refused nests that have a cause of the class (column A of the paper).
    pub refused: Counted,
    /// Those of them without a cause of another class (B).
    pub alone: Counted,
    /// The refused nests that have only causes of this class and those before it (C).
    pub up_to_here: Counted,
    /// The nests of regions that would have a cause of the class without their checks at run time.
    pub checked: Counted,
    /// The refused nests with a cause of the class that have versions for values of a profile.
    pub profiled: Counted,
}

/// The table of classes, with what is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassTable {
    /// All nests.
    pub candidates: Counted,
    /// Those that are part of regions whatever the run brings.
    pub accepted: Counted,
    /// Those of regions that are entered after checks at run time.
    pub with_checks: Counted,
    /// Refused nests that have versions for values of a profile.
    pub with_profile: Counted,
    /// A line per class, in the order of the paper.
    pub rows: Vec<ClassRow>,
}

impl Survey {
    /// The table of classes.
    pub fn classes(&self) -> ClassTable {
        let is_refused = |nest: &NestSurvey| nest.verdict == Verdict::Refused;
        let is_profiled = |nest: &NestSurvey| is_refused(nest) && nest.n_versions > 0;
        let mut so_far = BTreeSet::new();
        let rows = CauseClass::ALL.into_iter().map(|class| {
            so_far.insert(class);
            ClassRow {
                class,
                refused: self.counted(|nest| is_refused(nest) && classes_of(nest).contains(&class)),
                alone: self.counted(|nest| is_refused(nest) && classes_of(nest) == [class].into()),
                up_to_here: self
                    .counted(|nest| is_refused(nest) && classes_of(nest).is_subset(&so_far)),
                checked: self.counted(|nest| !is_refused(nest) && nest.checks.contains(&class)),
                profiled: self
                    .counted(|nest| is_profiled(nest) && classes_of(nest).contains(&class)),
            }
        });
        let rows = rows.collect();
        ClassTable {
            candidates: self.counted(|_| true),
            accepted: self.counted(|nest| !is_refused(nest) && nest.checks.is_empty()),
            with_checks: self.counted(|nest| !is_refused(nest) && !nest.checks.is_empty()),
            with_profile: self.counted(is_profiled),
            rows,
        }
    }

    fn counted(&self, holds: impl Fn(&NestSurvey) -> bool) -> Counted {
        let found: Vec<_> = self.timed_nests().filter(|(nest, _)| holds(nest)).collect();
        // A sum of nothing is -0.
        let sum = || found.iter().filter_map(|(_, time)| *time).sum::<f64>() + 0.0;
        let time = self.time.as_ref().map(|_| sum());
        Counted { nests: found.len(), time }
    }
}

fn classes_of(nest: &NestSurvey) -> BTreeSet<CauseClass> {
    nest.refusals.iter().map(|refusal| CauseClass::of(refusal.code)).collect()
}
