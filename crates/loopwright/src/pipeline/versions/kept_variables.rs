//! Variables that a device leaves to the processor if their result is a zero: which of two zeros it is
//! depends on the order in which values are compared. They have their values from before then, and nothing
//! else has changed.
use std::collections::BTreeSet;

/// Such a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptVariable {
    /// Its name in the program.
    pub(crate) name: String,
    /// Its type.
    pub(crate) c_type: String,
    /// What has its value from before.
    pub(crate) before: String,
}

impl KeptVariable {
    /// A variable of the program; `used` are names that it uses.
    pub(crate) fn of(name: &str, c_type: &str, used: &BTreeSet<String>) -> KeptVariable {
        let numbered = (2u32..).map(|number| format!("{name}_before{number}"));
        let mut names = std::iter::once(format!("{name}_before")).chain(numbered);
        let before = names.find(|name| !used.contains(name)).unwrap_or_default();
        KeptVariable { name: name.to_string(), c_type: c_type.to_string(), before }
    }
}

/// Whether the device has done it, once it has run; if not, the variables have their values from before.
pub(crate) fn condition(kept: &[KeptVariable]) -> Option<String> {
    let is_other = |kept: &KeptVariable| format!("{} != 0", kept.name);
    let back = |kept: &KeptVariable| format!("{} = {}, ", kept.name, kept.before);
    let others: Vec<String> = kept.iter().map(is_other).collect();
    let back: String = kept.iter().map(back).collect();
    let all = match &others[..] {
        [] => return None,
        [one] => one.clone(),
        _ => format!("({})", others.join(" && ")),
    };
    Some(format!("({all} || ({back}0))"))
}

/// A text that uses values from before, with their declarations in front.
pub(crate) fn around(kept: &[KeptVariable], text: &str, indentation: &str) -> String {
    if kept.is_empty() {
        return text.to_string();
    }
    let declaration = |kept: &KeptVariable| {
        let KeptVariable { name, c_type, before } = kept;
        format!("{indentation}const {c_type} {before} = {name};\n")
    };
    let declarations: String = kept.iter().map(declaration).collect();
    format!("{indentation}{{\n{declarations}{text}{indentation}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_from_before_come_back() {
        let used = ["s_before".to_string()].into();
        let s = KeptVariable::of("s", "double", &used);
        let t = KeptVariable::of("t", "float", &used);
        assert_eq!(condition(&[]), None);
        assert_eq!(
            condition(std::slice::from_ref(&s)).as_deref(),
            Some("(s != 0 || (s = s_before2, 0))")
        );
        let both = condition(&[s.clone(), t]).expect("there are two");
        assert_eq!(both, "((s != 0 && t != 0) || (s = s_before2, t = t_before, 0))");
        assert_eq!(around(&[s], "  x;\n", "  "), "  {\n  const double s_before2 = s;\n  x;\n  }\n");
    }
}
