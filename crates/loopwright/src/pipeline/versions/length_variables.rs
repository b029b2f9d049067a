//! Numbers of elements that are known when the program runs: variables in front of a region, with the text
//! that finds their values.

/// Such a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LengthVariable {
    /// Its name, which is that of a symbolic constant of the region.
    pub(crate) name: String,
    /// The lines that declare it and give it its value, without indentation: one beyond the greatest
    /// subscript, or -1 if one is negative.
    pub(crate) lines: Vec<String>,
}

/// Where the device may run the region.
pub(crate) fn conditions(lengths: &[LengthVariable]) -> impl Iterator<Item = String> {
    lengths.iter().map(|length| format!("{} >= 0", length.name))
}

/// A text that uses such variables, with their declarations in front.
pub(crate) fn around(lengths: &[LengthVariable], text: &str, indentation: &str) -> String {
    if lengths.is_empty() {
        return text.to_string();
    }
    let lines = lengths.iter().flat_map(|length| &length.lines);
    let lines: String = lines.map(|line| format!("{indentation}{line}\n")).collect();
    format!("{indentation}{{\n{lines}{text}{indentation}}}\n")
}
