//! What this program puts into its own texts beside the loops: the condition under which threads run, and
//! totals in unsigned arithmetic.
//!
//! A text is taken to be its own if the definition stands there word for word, and its names are used in
//! clauses as this program uses them, and nowhere else. The condition has no effects, and loops with threads
//! must compute the same without them anyway. A total in unsigned arithmetic is that of `+` or `*` where
//! these do not overflow.
use crate::pipeline::integer_totals;
use crate::pipeline::versions::floats;

/// A definition in front of a file, and the clauses that use it.
struct Helper {
    definition: &'static str,
    /// Clauses, and what means the same without the definition.
    clauses: Vec<(String, String)>,
}

fn helpers() -> [Helper; 2] {
    let total = |(operator, ours)| (format!("reduction({ours}:"), format!("reduction({operator}:"));
    [
        Helper {
            definition: floats::HELPERS,
            clauses: vec![(format!(" if({})", floats::IS_DEFAULT), String::new())],
        },
        Helper {
            definition: integer_totals::HELPERS,
            clauses: integer_totals::OPERATORS.map(total).to_vec(),
        },
    ]
}

/// A text without the helpers of this program, line by line; what is not quite as this program writes it
/// stays.
pub(super) fn without_own_helpers(text: &str) -> String {
    let without = |text: String, own: &Helper| own.taken_from(&text).unwrap_or(text);
    helpers().iter().fold(text.to_string(), without)
}

impl Helper {
    fn taken_from(&self, text: &str) -> Option<String> {
        let at = text.find(self.definition).filter(|at| is_code(&text[..*at]))?;
        let behind = &text[at + self.definition.len()..];
        let lines = "\n".repeat(self.definition.matches('\n').count());
        let clauses = |line: &str| match line.trim_start().starts_with("#pragma omp") {
            true => self
                .clauses
                .iter()
                .fold(line.to_string(), |line, (clause, plain)| line.replace(clause, plain)),
            false => line.to_string(),
        };
        let behind: String = behind.split_inclusive('\n').map(clauses).collect();
        let result = format!("{}{lines}{behind}", &text[..at]);
        (!self.names().any(|name| result.contains(name))).then_some(result)
    }

    /// The names of this program in the definition.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let words = self.definition.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| word.to_ascii_lowercase().starts_with("loopwright_"))
    }
}

/// Whether what follows a text is read by a compiler, whatever macros there are.
fn is_code(before: &str) -> bool {
    let directives = |start: &str| {
        let words = before.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        words.filter(|words| words.trim_start().starts_with(start)).count()
    };
    let last = |mark: &str| before.rfind(mark).map_or(0, |at| at + 1);
    directives("if") == directives("endif")
        && last("/*") <= last("*/")
        && (before.is_empty() || before.ends_with('\n') && !before.ends_with("\\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_helpers_are_those_that_this_program_writes() {
        let (condition, totals) = (floats::HELPERS, integer_totals::HELPERS);
        let loops = "#pragma omp parallel for reduction(loopwright_sum: s) if(loopwright_default_floats())\nfor (;;) ;\n";
        let text = format!("int k;\n{condition}{totals}{loops}");
        let plain = without_own_helpers(&text);
        assert!(
            plain.ends_with("\n#pragma omp parallel for reduction(+: s)\nfor (;;) ;\n"),
            "{plain}"
        );
        assert_eq!(plain.lines().count(), text.lines().count());
        let changed = condition.replace("return 0;", "return k++;");
        for other in [
            text.replace(condition, &changed),
            text.replace(condition, ""),
            text.replace("int k;", "#define loopwright_default_floats() k++"),
            text.replace("int k;", "#define LOOPWRIGHT_FLOATS"),
            text.replace("int k;", "#if 0"),
            text.replace("int k;", "/*"),
            text.replace("floats())\n", "floats() + k++)\n"),
            format!("{text}int g(void) {{ return loopwright_default_floats(); }}\n"),
        ] {
            assert!(without_own_helpers(&other).contains("loopwright_default_floats()"), "{other}");
        }
        let product = text.replace("int k;", "#define loopwright_sum -");
        assert!(without_own_helpers(&product).contains("loopwright_sum: s"));
    }
}
