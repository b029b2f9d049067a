//! A condition under which threads are called at all.

/// How the lines begin that call threads.
const CALL: &str = "#pragma omp parallel";

/// A text whose loops run on one thread, the one that comes to them, where a condition does not hold.
///
/// The condition is an operand of `&&`. It joins the one that a loop has already.
///
/// ```
/// use loopwright_backend::with_thread_condition;
/// let text = "  #pragma omp parallel for\n  #pragma omp parallel for if(n > 9)\n  for (;;) {\n";
/// let asked = with_thread_condition(text, "f()");
/// assert_eq!(asked, "  #pragma omp parallel for if(f())\n  #pragma omp parallel for if(f() && n > 9)\n  for (;;) {\n");
/// ```
#[must_use]
pub fn with_thread_condition(text: &str, condition: &str) -> String {
    let asked = |line: &str| match line.trim_start().starts_with(CALL) {
        false => format!("{line}\n"),
        true if line.contains(" if(") => {
            format!("{}\n", line.replacen(" if(", &format!(" if({condition} && "), 1))
        }
        true => format!("{line} if({condition})\n"),
    };
    text.lines().map(asked).collect()
}
