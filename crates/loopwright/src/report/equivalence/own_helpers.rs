//! What this program puts into its own texts beside the loops: the condition under which threads run, totals
//! in unsigned arithmetic, and conditions that are asked when the program runs: whether rows of memory
//! overlap, and which of two texts was faster so far.
//!
//! A text is taken to be its own if the definition stands there word for word, in front of all that is
//! included, and its names are used as this program uses them, and nowhere else; no macro may have changed
//! them. The condition on threads has no effects, and loops with threads must compute the same without them
//! anyway. A total in unsigned arithmetic is that of `+` or `*` where these do not overflow. What chooses
//! between two texts becomes a number that may be anything, so that both are compared.
use super::alternatives::{Alternatives, next_word, only_computes, skip_blanks};
use super::c_text::{blanked, closing, is_word};
use crate::pipeline::integer_totals;
use crate::pipeline::versions::{floats, trials};
use loopwright_cfront::ROWS_APART;
use std::ops::Range;

/// A definition in front of a file, and what uses it.
struct Helper {
    definition: &'static str,
    uses: Uses,
}

enum Uses {
    /// Clauses, and what means the same without the definition.
    Clauses(Vec<(String, String)>),
    /// Regions of which two texts are timed.
    Trials,
    /// Conditions on rows of memory.
    Rows,
    /// None that are left.
    Nothing,
}

/// What stands for a choice when the program runs: a number that nothing is known of.
const CHOICE: &str = "chosen_at_run_time";

fn helpers() -> [Helper; 5] {
    let total = |(operator, ours)| (format!("reduction({ours}:"), format!("reduction({operator}:"));
    let helper = |definition, uses| Helper { definition, uses };
    let condition = (format!(" if({})", floats::IS_DEFAULT), String::new());
    [
        helper(trials::HELPERS, Uses::Trials),
        helper(floats::BITS, Uses::Nothing),
        helper(ROWS_APART, Uses::Rows),
        helper(floats::HELPERS, Uses::Clauses(vec![condition])),
        helper(
            integer_totals::HELPERS,
            Uses::Clauses(integer_totals::OPERATORS.map(total).to_vec()),
        ),
    ]
}

/// A text without the helpers of this program, line by line; what is not quite as this program writes it
/// stays. The second text is the first one after preprocessing.
pub(super) fn without_own_helpers(text: &str, preprocessed: &str) -> String {
    if !text.to_ascii_lowercase().contains("loopwright_") || text.contains(CHOICE) {
        return text.to_string();
    }
    let without = |text: String, own: &Helper| own.taken_from(&text, preprocessed).unwrap_or(text);
    helpers().iter().fold(text.to_string(), without)
}

impl Helper {
    fn taken_from(&self, text: &str, preprocessed: &str) -> Option<String> {
        let at = text.find(self.definition).filter(|at| is_code(&text[..*at]))?;
        let behind = &text[at + self.definition.len()..];
        if !self.names().all(|name| is_as_written(name, behind, &text[at..], preprocessed)) {
            return None;
        }
        let behind = match &self.uses {
            Uses::Clauses(clauses) => without_clauses(behind, clauses),
            Uses::Trials => without_trials(behind),
            Uses::Rows => without_rows(behind),
            Uses::Nothing => behind.to_string(),
        };
        let is_asked = matches!(self.uses, Uses::Trials | Uses::Rows);
        let declared = format!("extern double {CHOICE};");
        let declared = if is_asked && !text.contains(CHOICE) { &*declared } else { "" };
        let lines = "\n".repeat(self.definition.matches('\n').count());
        let result = format!("{}{declared}{lines}{behind}", &text[..at]);
        (!self.names().any(|name| words(&result).any(|word| word == name))).then_some(result)
    }

    /// The names of this program in the definition.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        words(self.definition).filter(|word| word.to_ascii_lowercase().starts_with("loopwright_"))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// Whether the preprocessor leaves a name of the definition and its uses as they are written, and nothing
/// else that is included has it.
fn is_as_written(name: &str, behind: &str, text: &str, preprocessed: &str) -> bool {
    let count = |text: &str| words(text).filter(|word| *word == name).count();
    let is_used = name.starts_with('l') && count(behind) > 0;
    !is_used || count(text) == count(preprocessed)
}

/// A text without clauses of directives.
fn without_clauses(text: &str, clauses: &[(String, String)]) -> String {
    let of_line = |line: &str| match line.trim_start().starts_with("#pragma omp") {
        true => clauses
            .iter()
            .fold(line.to_string(), |line, (clause, plain)| line.replace(clause, plain)),
        false => line.to_string(),
    };
    text.split_inclusive('\n').map(of_line).collect()
}

/// A text with other parts in place of some; lines stay.
fn replaced(text: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(range, _)| range.start);
    let (mut result, mut from) = (String::new(), 0);
    for (range, part) in parts {
        result.push_str(&text[from..range.start]);
        result.push_str(&part);
        result.extend(text[range.clone()].chars().filter(|c| *c == '\n'));
        from = range.end;
    }
    result + &text[from..]
}

/// A condition of which nothing is known.
fn choice() -> String {
    format!("((double) {CHOICE} > 0.5)")
}

/// A text in which conditions on rows of memory are a choice: each is a part of the condition of an `if`
/// between two blocks.
fn without_rows(text: &str) -> String {
    const CALL: &str = "loopwright_rows_apart(";
    const LIST: &str = "__extension__ (const struct loopwright_rows[]) ";
    let (code, mut parts, mut from) = (blanked(text), Vec::new(), 0);
    while let Some(at) = next_word(&code, "if", from) {
        from = at + 2;
        let Some(found) = Alternatives::at(&code, at) else { continue };
        let condition = &code[found.condition.clone()];
        let Some(call) = condition.find(CALL).map(|call| found.condition.start + call) else {
            continue;
        };
        let Some(close) = closing(&code, call + CALL.len() - 1) else { continue };
        let arguments = code[call + CALL.len()..close].replacen(LIST, "", 1);
        if only_computes(&arguments) {
            parts.push((call..close + 1, choice()));
        }
        from = found.condition.end;
    }
    replaced(text, parts)
}

/// A text in which regions that are timed choose between two texts, without the variables of that.
fn without_trials(text: &str) -> String {
    let (code, mut parts, mut from) = (blanked(text), Vec::new(), 0);
    while let Some(found) = code[from..].find(KNOWN).map(|found| from + found) {
        from = found + KNOWN.len();
        parts.extend(trial(&code, found).unwrap_or_default());
    }
    replaced(text, parts)
}

/// What the declaration of a trial begins with.
const KNOWN: &str = "static struct loopwright_trials ";

/// The parts of a trial whose declaration is at a place, and what stands for them; none if anything is not
/// as this program writes it.
fn trial(code: &str, at: usize) -> Option<Vec<(Range<usize>, String)>> {
    let open = code[..at].trim_end().len().checked_sub(1)?;
    let close = code[open..].starts_with('{').then(|| closing(code, open)).flatten()?;
    let rest = &code[at + KNOWN.len()..];
    let name = rest[..rest.find(|c: char| !is_word(c))?].strip_suffix("_known")?;
    let first = at + KNOWN.len() + name.len() + "_known".len();
    let first = behind(code, first, "[64];")?;
    let second = behind(code, first, &format!("struct loopwright_trial {name} = {{0}};"))?;
    let if_at = behind(code, second, "if")? - 2;
    let alternatives = Alternatives::at(code, if_at)?;
    let ends = skip_blanks(code, alternatives.otherwise.end);
    let end = behind(code, ends, &format!("loopwright_ends(&{name});"))?;
    let is_whole = skip_blanks(code, end) == close;
    let of_trial = words(&code[open..close])
        .filter(|word| word.strip_prefix(name).is_some_and(|rest| matches!(rest, "" | "_known")));
    if !is_whole || of_trial.count() != 5 {
        return None;
    }
    let asked = format!("loopwright_takes_new(&{name}, {name}_known, ");
    let condition = &code[alternatives.condition.clone()];
    let call = alternatives.condition.start + condition.find(&asked)?;
    let call_end = closing(code, call + "loopwright_takes_new".len())?;
    if !only_computes(&code[call + asked.len()..call_end]) {
        return None;
    }
    // Where last bits may differ the new text runs.
    let before = ["(LOOPWRIGHT_BITS_DIFFER || ", "(LOOPWRIGHT_SUMS_DIFFER || "];
    let before = before.iter().find(|own| code[..call].ends_with(**own));
    let range = match before {
        Some(before) => call - before.len()..behind(code, call_end + 1, ")")?,
        None => call..call_end + 1,
    };
    let nothing = String::new;
    Some(vec![
        (open..open + 1, nothing()),
        (at..second, nothing()),
        (range, choice()),
        (ends..end, nothing()),
        (close..close + 1, nothing()),
    ])
}

/// The place behind some words, where they are next.
fn behind(code: &str, at: usize, words: &str) -> Option<usize> {
    let at = skip_blanks(code, at);
    code[at..].starts_with(words).then_some(at + words.len())
}

/// Whether what follows a text is read by a compiler, whatever macros there are.
fn is_code(before: &str) -> bool {
    let directives = |start: &str| {
        let words = before.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        words.filter(|words| words.trim_start().starts_with(start)).count()
    };
    let last = |mark: &str| before.rfind(mark).map_or(0, |at| at + 1);
    directives("if") == directives("endif")
        && directives("include") == 0
        && last("/*") <= last("*/")
        && (before.is_empty() || before.ends_with('\n') && !before.ends_with("\\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a compiler sees of the uses of a text without includes and macros.
    fn without(text: &str) -> String {
        without_own_helpers(text, text)
    }

    #[test]
    fn own_helpers_are_those_that_this_program_writes() {
        let (condition, totals) = (floats::HELPERS, integer_totals::HELPERS);
        let loops = "#pragma omp parallel for reduction(loopwright_sum: s) if(loopwright_default_floats())\nfor (;;) ;\n";
        let text = format!("int k;\n{condition}{totals}{loops}");
        let plain = without(&text);
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
            text.replace("int k;", "#include \"loopwright_default_floats.h\""),
            text.replace("int k;", "#if 0"),
            text.replace("int k;", "/*"),
            text.replace("floats())\n", "floats() + k++)\n"),
            format!("{text}int g(void) {{ return loopwright_default_floats(); }}\n"),
        ] {
            assert!(without(&other).contains("loopwright_default_floats()"), "{other}");
        }
        let expanded = text.replace("loopwright_default_floats())\n", "k++)\n");
        assert!(without_own_helpers(&text, &expanded).contains("if(loopwright_default_floats())"));
        let product = text.replace("int k;", "#define loopwright_sum -");
        assert!(without(&product).contains("loopwright_sum: s"));
    }

    #[test]
    fn choices_at_run_time_may_be_either() {
        let body = "void f(int n) {\n  {\n  static struct loopwright_trials t_known[64];\n  struct loopwright_trial t = {0};\n  if (n > 5\n      && (LOOPWRIGHT_BITS_DIFFER || loopwright_takes_new(&t, t_known, (double) n * 2))) {\n    a();\n  } else {\n    b();\n  }\n  loopwright_ends(&t);\n  }\n}\n";
        let text = format!("{}{}{body}", trials::HELPERS, floats::BITS);
        let plain = without(&text);
        assert!(plain.ends_with("void f(int n) {\n  \n  \n\n  if (n > 5\n      && ((double) chosen_at_run_time > 0.5)) {\n    a();\n  } else {\n    b();\n  }\n  \n  \n}\n"), "{plain}");
        assert!(plain.contains("extern double chosen_at_run_time;"));
        assert_eq!(plain.lines().count(), text.lines().count());
        for (from, to) in [
            ("(double) n * 2", "n++"),
            ("(double) n * 2", "g(n)"),
            ("[64]", "[8]"),
            ("= {0}", "= {1}"),
            ("    b();\n", "    b(&t);\n"),
            ("  loopwright_ends(&t);\n", "  c();\n  loopwright_ends(&t);\n"),
            ("  loopwright_ends(&t);\n", ""),
            ("trial->text = begun >= 4", "trial->text = begun >= 3"),
            ("void f", "int loopwright_ticks;\nvoid f"),
            ("LOOPWRIGHT_BITS_DIFFER || loopwright_takes_new(&t", "n || loopwright_takes_new(&t"),
        ] {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text);
            let is_known = to.starts_with("n ||");
            let names = if is_known { "(n || ((double)" } else { "loopwright_t" };
            assert!(without(&other).contains(names), "{to}: {}", without(&other));
        }
    }

    #[test]
    fn rows_that_may_overlap_are_a_choice() {
        let body = "void f(int n) {\n  if (n > 5 && loopwright_rows_apart(2, __extension__ (const struct loopwright_rows[]) {{(const void *) A, 0, 1, {0}, {0}, 0, n >= 2 ? 8 : 9}, {0}})) {\n    a();\n  } else {\n    b();\n  }\n}\n";
        let text = format!("{ROWS_APART}{body}");
        let plain = without(&text);
        assert!(plain.contains("if (n > 5 && ((double) chosen_at_run_time > 0.5)) {\n    a();"));
        for (from, to) in [
            ("(const void *) A", "(const void *) g(A)"),
            ("8 : 9", "(n = 8) : 9"),
            ("} else {", "}\n  {"),
            ("list->room *= 4", "list->room *= 5"),
            ("  if (n > 5 &&", "  n = loopwright_rows_apart(0, 0);\n  if (n > 5 &&"),
        ] {
            let other = text.replacen(from, to, 1);
            assert_ne!(other, text);
            assert!(without(&other).contains("if (n > 5 && loopwright_rows"), "{to}");
        }
    }
}
