//! The options of a band as isl writes them: a union set with one set per loop type.
//!
//! `{ separate[x] : P(x) }` asks for type `separate` for every member at a position x that
//! satisfies P; `[isolate[] -> unroll[x]]` asks for it in the isolated part;
//! `isolate[[outer] -> [band]]` describes that part over the outer schedule dimensions and the
//! members.
use crate::tree::node::{AstLoopType, Band};
use loopwright_presburger::{Budget, DimKind, Error, Int, Result, Set, Space, Tuple, UnionSet};
use std::fmt;
use std::str::FromStr;

/// Steps allowed for deciding which positions an option covers; one position needs about ten.
const OPTION_STEPS: u64 = 1_000_000;

impl AstLoopType {
    /// The name in isl's options; none for the default.
    pub fn name(self) -> Option<&'static str> {
        match self {
            AstLoopType::Default => None,
            AstLoopType::Atomic => Some("atomic"),
            AstLoopType::Separate => Some("separate"),
            AstLoopType::Unroll => Some("unroll"),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(AstLoopType::Default),
            "atomic" => Some(AstLoopType::Atomic),
            "separate" => Some(AstLoopType::Separate),
            "unroll" => Some(AstLoopType::Unroll),
            _ => None,
        }
    }
}

impl FromStr for AstLoopType {
    type Err = Error;

    /// Reads the name in isl's options; `none` is the default type.
    fn from_str(name: &str) -> Result<Self> {
        AstLoopType::from_name(name).ok_or_else(|| {
            let reason = format!("`{name}` is no loop type (none, atomic, separate, unroll)");
            Error::Invalid { operation: "band options", reason }
        })
    }
}

impl fmt::Display for AstLoopType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("none"))
    }
}

impl Band {
    /// Sets loop types and isolation from isl's options.
    ///
    /// *Cost.* An emptiness test for each option and member.
    ///
    /// # Errors
    /// If a set is not an option, or two options ask for different types of one member.
    pub fn set_options(&mut self, options: &UnionSet) -> Result<()> {
        for set in options.sets() {
            let tuple = set.space().output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
            let name = tuple.name().map(|name| name.to_string());
            let kind = name.as_deref().and_then(AstLoopType::from_name);
            match (name.as_deref(), kind, tuple.as_nested()) {
                (_, Some(kind), None) if tuple.n_dims() == 1 => {
                    self.set_loop_type(kind, &set, false)?;
                }
                (Some("isolate"), _, Some((outer, band))) => {
                    let anonymous = Tuple::nested(outer.clone(), band.clone());
                    let space = Space::set(set.space().param_names(), anonymous);
                    self.isolate = Some(set.with_space_tuples(&space)?);
                }
                (None, _, Some((isolate, option)))
                    if isolate.n_dims() == 0
                        && isolate.name().is_some_and(|n| &**n == "isolate") =>
                {
                    let kind = option.name().and_then(|name| AstLoopType::from_name(name));
                    let kind = kind.filter(|_| option.n_dims() == 1);
                    self.set_loop_type(kind.ok_or_else(|| unknown(&tuple))?, &set, true)?;
                }
                _ => return Err(unknown(&tuple)),
            }
        }
        Ok(())
    }

    fn set_loop_type(&mut self, kind: AstLoopType, positions: &Set, isolated: bool) -> Result<()> {
        let budget = Budget::steps(OPTION_STEPS);
        for (position, member) in self.members.iter_mut().enumerate() {
            let here = positions.fix(DimKind::Out, 0, &Int::from(position as i64));
            if here.is_empty(&budget)? {
                continue;
            }
            let place = match isolated {
                true => &mut member.isolate_ast_loop_type,
                false => &mut member.ast_loop_type,
            };
            if *place != AstLoopType::Default && *place != kind {
                let reason = format!("two loop types for member {position}");
                return Err(Error::Invalid { operation: "band options", reason });
            }
            *place = kind;
        }
        Ok(())
    }

    /// The options in isl's notation; none if there are none.
    pub fn options_text(&self) -> Option<String> {
        let mut options = Vec::new();
        let mut params = String::new();
        for kind in [AstLoopType::Atomic, AstLoopType::Separate, AstLoopType::Unroll] {
            let name = kind.name().expect("only the default type has no name");
            for (position, member) in self.members.iter().enumerate() {
                if member.ast_loop_type == kind {
                    options.push(format!("{name}[{position}]"));
                }
                if member.isolate_ast_loop_type == kind {
                    options.push(format!("[isolate[] -> {name}[{position}]]"));
                }
            }
        }
        if let Some(isolate) = &self.isolate {
            let text = isolate_text(isolate);
            let brace = text.find('{').unwrap_or(0);
            params = text[..brace].to_string();
            options.push(text[brace..].trim_matches(['{', '}', ' ']).to_string());
        }
        (!options.is_empty()).then(|| format!("{params}{{ {} }}", options.join("; ")))
    }
}

/// `isolate` under its name.
fn isolate_text(isolate: &Set) -> String {
    let space = isolate.space();
    let tuple = space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let named = Space::set(space.param_names(), tuple.with_name(Some("isolate".into())));
    match isolate.with_space_tuples(&named) {
        Ok(set) => set.to_string(),
        Err(_) => isolate.to_string(),
    }
}

fn unknown(tuple: &Tuple) -> Error {
    let reason = format!("`{tuple}` is not an option (atomic, separate, unroll, isolate)");
    Error::Invalid { operation: "band options", reason }
}
