//! Names for arrays and statements that the program does not have.

/// A name that is not taken: the wanted one, or that with a number.
pub(crate) fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_string();
    for number in 1.. {
        if !is_taken(&name) {
            break;
        }
        name = format!("{wanted}_{number}");
    }
    name
}
