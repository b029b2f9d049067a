//! The table of causes in the classes of the literature over a set of programs, with the share of the time.
use super::coverage::Coverage;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Loop nests of one program or several: how many, and the share of the time in loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Counted {
    nests: usize,
    time: Option<f64>,
}

/// A class of causes, as `loopwright report` counts it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    class: String,
    refused: Counted,
    alone: Counted,
    up_to_here: Counted,
    checked: Counted,
    profiled: Counted,
}

/// The table of one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Classes {
    candidates: Counted,
    accepted: Counted,
    with_checks: Counted,
    with_profile: Counted,
    rows: Vec<Row>,
}

/// Nests of all programs, and the mean of their shares over the programs whose time is known.
#[derive(Default)]
struct Total {
    nests: usize,
    times: Vec<f64>,
}

impl Total {
    fn of<'a>(counted: impl Iterator<Item = &'a Counted>) -> Total {
        let mut total = Total::default();
        for Counted { nests, time } in counted {
            total.nests += nests;
            total.times.extend(time);
        }
        total
    }

    fn cell(&self) -> String {
        // A sum of nothing is -0.
        let share = self.times.iter().sum::<f64>() / self.times.len().max(1) as f64 + 0.0;
        let share =
            if self.times.is_empty() { String::new() } else { format!("{:.1} %", 100.0 * share) };
        format!(" {} | {share} |", self.nests)
    }
}

/// The table over some programs; nothing if it is known of none.
pub(super) fn markdown(name: &str, covered: &[&Coverage]) -> String {
    let all: Vec<&Classes> = covered.iter().filter_map(|found| found.classes.as_ref()).collect();
    let Some(first) = all.first() else { return String::new() };
    let mut text = format!(
        "\n| {name}: {} programs | A: refused with it | time | B: with no other | time | C: only those so far | time | \
         saved by a check | time | with a profile | time |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        all.len()
    );
    for (position, Row { class, .. }) in first.rows.iter().enumerate() {
        let rows = || all.iter().filter_map(|classes| classes.rows.get(position));
        let columns = [
            Total::of(rows().map(|row| &row.refused)),
            Total::of(rows().map(|row| &row.alone)),
            Total::of(rows().map(|row| &row.up_to_here)),
            Total::of(rows().map(|row| &row.checked)),
            Total::of(rows().map(|row| &row.profiled)),
        ];
        let _ = writeln!(text, "| {class} |{}", columns.map(|total| total.cell()).concat());
    }
    let sums = [
        ("candidates", Total::of(all.iter().map(|classes| &classes.candidates))),
        ("accepted", Total::of(all.iter().map(|classes| &classes.accepted))),
        ("accepted with checks at run time", Total::of(all.iter().map(|c| &c.with_checks))),
        ("refused but for a profile", Total::of(all.iter().map(|c| &c.with_profile))),
    ];
    for (words, total) in sums {
        let _ = writeln!(text, "| *{words}* |{} | | | | | | | |", total.cell());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_added_and_their_times_averaged() {
        let of = |nests: usize, time: f64| Counted { nests, time: Some(time) };
        let program = |refused: Counted, checked: Counted| {
            let row = Row {
                class: "aliasing".to_string(),
                refused,
                alone: refused,
                up_to_here: refused,
                checked,
                profiled: of(0, 0.0),
            };
            let classes = Classes {
                candidates: of(5, 1.0),
                accepted: of(1, 0.0),
                with_checks: checked,
                with_profile: of(0, 0.0),
                rows: vec![row],
            };
            Coverage { classes: Some(classes), ..Coverage::default() }
        };
        let programs = [program(of(2, 0.5), of(0, 0.0)), program(of(1, 0.0), of(3, 1.0))];
        let text = markdown("numeric", &[&programs[0], &programs[1]]);
        assert!(text.contains("| numeric: 2 programs |"), "{text}");
        let row = "| aliasing | 3 | 25.0 % | 3 | 25.0 % | 3 | 25.0 % | 3 | 50.0 % | 0 | 0.0 % |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| *candidates* | 10 | 100.0 % |"), "{text}");
        assert_eq!(markdown("none", &[]), "");
    }
}
