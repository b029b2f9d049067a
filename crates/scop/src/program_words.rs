//! What a program's own names mean where only the words of C are known.
use std::collections::BTreeMap;

/// The meaning of names of a program in the words of C: for text that is compiled apart from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramWords {
    /// Types of numbers by their spelling (`int32_t`, `enum op`), constants of enumerations by their names
    /// and sizes as they are written (`sizeof(real)`), of which each has one meaning in the region.
    pub meanings: BTreeMap<String, String>,
    /// The functions of the file that the region calls and that do nothing but compute a value from their
    /// arguments and use the memory behind them, with those that these call: by name the text of type,
    /// declarator and body, in the words of C where these are known.
    pub functions: BTreeMap<String, String>,
}
