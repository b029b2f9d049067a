//! Whether two files compute the same, as text and as JSON.
use super::{ComparedRegions, FileEquivalence};
use loopwright_equivalence::{Answer, EqualPlaces, Method, Proved, Witness};
use serde_json::{Value, json};
use std::fmt;

impl fmt::Display for FileEquivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.regions.iter().try_for_each(|region| region.write(&self.files, f))
    }
}

impl ComparedRegions {
    fn write(&self, files: &[String; 2], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.function)?;
        if let [Some(first), Some(second)] = self.lines {
            write!(f, ", lines {}-{} and {}-{}", first.0, first.1, second.0, second.1)?;
        }
        match (&self.answer, &self.race) {
            (Answer::Different(witness), _) => {
                writeln!(f, ": different")?;
                write_witness(witness, files, f)?;
            }
            (_, Some(race)) => writeln!(f, ": different\n  {race}")?,
            (Answer::Equal(proof), None) => {
                let constants = match &self.parameters[..] {
                    [] => String::new(),
                    names => format!(" for all values of {}", names.join(", ")),
                };
                writeln!(f, ": equal{constants}")?;
                writeln!(f, "  {}", proof_text(proof))?;
                if self.n_parallel > 0 {
                    let loops = counted(self.n_parallel, "parallel loop");
                    writeln!(f, "  proved: no iteration of {loops} disturbs another")?;
                }
            }
            (Answer::Undecided { cause, lines }, None) => {
                writeln!(f, ": not decided\n  {cause}")?;
                let at = lines.iter().zip(files);
                let at = at.filter_map(|(line, file)| Some(format!("line {} of {file}", (*line)?)));
                let at: Vec<String> = at.collect();
                if !at.is_empty() {
                    writeln!(f, "  at {}", at.join(" and "))?;
                }
            }
        }
        self.assumptions.iter().try_for_each(|sentence| writeln!(f, "  assumed: {sentence}"))
    }

    fn word(&self) -> &'static str {
        match (&self.answer, &self.race) {
            (Answer::Different(_), _) | (_, Some(_)) => "different",
            (Answer::Equal(_), None) => "equal",
            (Answer::Undecided { .. }, None) => "undecided",
        }
    }

    fn to_json(&self) -> Value {
        let lines = self.lines.map(|lines| lines.map(|(first, last)| [first, last]));
        let (mut witness, mut pairs, mut cause, mut at) = (None, Vec::new(), None, None);
        let mut method = None;
        match &self.answer {
            Answer::Equal(proof) => {
                pairs = proof.places.iter().map(place_json).collect();
                method = Some(method_word(proof.method));
            }
            Answer::Different(found) => witness = Some(witness_json(found)),
            Answer::Undecided { cause: why, lines } => (cause, at) = (Some(why), Some(lines)),
        }
        json!({
            "function": self.function,
            "lines": lines,
            "answer": self.word(),
            "method": method,
            "pairs": pairs,
            "witness": witness,
            "race": self.race,
            "parallel_loops": self.n_parallel,
            "cause": cause,
            "cause_lines": at,
            "parameters": self.parameters,
            "assumptions": self.assumptions,
        })
    }
}

impl FileEquivalence {
    /// All of it as an object, whose fields docs/verify.md lists.
    pub fn to_json(&self) -> Value {
        json!({
            "files": self.files,
            "answer": match self.status() {
                crate::Status::Done => "equal",
                crate::Status::Refused => "different",
                _ => "undecided",
            },
            "regions": self.regions.iter().map(ComparedRegions::to_json).collect::<Vec<_>>(),
        })
    }
}

fn proof_text(proof: &Proved) -> String {
    let n = proof.places.len();
    match proof.method {
        Method::Induction => format!("proved by induction over {}", counted(n, "pair of places")),
        Method::Correspondence => format!(
            "proved: instances of {} correspond one to one, and all dependences keep their order",
            counted(n, "pair of statements")
        ),
    }
}

fn method_word(method: Method) -> &'static str {
    match method {
        Method::Induction => "induction",
        Method::Correspondence => "correspondence",
    }
}

/// So many of the numbers that elements held before are printed.
const MOST_INPUTS: usize = 8;

fn write_witness(
    witness: &Witness,
    files: &[String; 2],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let values: Vec<String> =
        witness.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !values.is_empty() {
        writeln!(f, "  for {}", values.join(", "))?;
    }
    for ((file, element), history) in files.iter().zip(&witness.elements).zip(&witness.histories) {
        writeln!(f, "  {element} of {file} is {history}")?;
    }
    if witness.differences != witness.histories {
        let [first, second] = &witness.differences;
        writeln!(f, "  they differ in {first} and {second}")?;
    }
    let shown = witness.inputs.iter().take(MOST_INPUTS);
    let mut inputs: Vec<String> = shown.map(|(name, value)| format!("{name} = {value}")).collect();
    if witness.inputs.len() > MOST_INPUTS {
        inputs.push("...".to_string());
    }
    let [first, second] = &witness.results;
    let values = match &witness.calls[..] {
        [] => format!("they are {first} and {second}"),
        [name, ..] => format!(
            "they are different, if `{name}` returns different values for different operands"
        ),
    };
    match &inputs[..] {
        [] => writeln!(f, "  {values}")?,
        inputs => writeln!(f, "  with {} {values}", inputs.join(", "))?,
    }
    Ok(())
}

fn witness_json(witness: &Witness) -> Value {
    let parameters = witness.parameters.iter().map(|(name, value)| (name.clone(), json!(value)));
    json!({
        "parameters": parameters.collect::<serde_json::Map<_, _>>(),
        "elements": witness.elements,
        "histories": witness.histories,
        "differences": witness.differences,
        "inputs": witness.inputs.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "results": witness.results,
    })
}

fn place_json(place: &EqualPlaces) -> Value {
    json!({ "lines": place.lines, "relation": place.relation })
}

/// A number of things.
fn counted(n: usize, thing: &str) -> String {
    match (n, thing.strip_prefix("pair")) {
        (1, _) => format!("1 {thing}"),
        (_, Some(rest)) => format!("{n} pairs{rest}"),
        _ => format!("{n} {thing}s"),
    }
}
