//! The table of results.
use super::classes;
use super::record::{BuildRecord, Record, geometric_mean};
use super::way::Way;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the table is about.
pub(super) struct Setting {
    pub(super) title: String,
    pub(super) ways: Vec<Way>,
    /// Processor, compilers, threads.
    pub(super) machine: String,
}

/// The share of the time in loops from which on a program counts as one with an affine hot loop.
const HOT_SHARE: f64 = 0.1;

/// All results as Markdown.
pub(super) fn markdown(setting: &Setting, records: &[Record]) -> String {
    let mut text =
        format!("# {}\n\nMade by `cargo xtask programs`. {}\n", setting.title, setting.machine);
    text += &summary(setting, records);
    text += &means(setting, records);
    text += &causes(records);
    for (name, is_numeric) in [("numeric", true), ("others", false)] {
        let group = records.iter().filter(|record| record.numeric == is_numeric);
        let covered: Vec<_> = group.filter_map(|record| record.coverage.as_ref()).collect();
        text += &classes::markdown(name, &covered);
    }
    text += &programs(setting, records);
    text += &findings(records);
    text
}

/// Builds and outputs in numbers.
fn summary(setting: &Setting, records: &[Record]) -> String {
    let mut text =
        String::from("\n| | built | outputs equal to the plain build's |\n|---|---|---|\n");
    for way in &setting.ways {
        let builds: Vec<&BuildRecord> = records.iter().filter_map(|r| r.build(*way)).collect();
        let built = builds.iter().filter(|build| build.failure.is_none()).count();
        let right = builds.iter().filter(|build| build.is_right()).count();
        let _ = writeln!(text, "| {} | {built} of {} | {right} |", way.name(), builds.len());
    }
    text
}

/// A name and the programs that it stands for.
type Group<'a> = (&'a str, &'a dyn Fn(&&Record) -> bool);

/// Means over the programs, and over the numeric ones.
fn means(setting: &Setting, records: &[Record]) -> String {
    let mut text = String::from("\n| | programs |");
    let others: Vec<Way> = setting.ways.iter().copied().filter(|w| *w != Way::Plain).collect();
    for way in &others {
        let _ = write!(text, " {} | least |", way.name());
    }
    text += " time in loops that is transformed | parallel or tiled |\n|---|---|";
    text += &"---|".repeat(2 * others.len() + 2);
    text += "\n";
    let groups: [Group; 4] = [
        ("all", &|_| true),
        ("numeric", &|r| r.numeric),
        ("numeric, with an affine hot loop", &|r| r.numeric && has_affine_hot_loop(r)),
        ("others", &|r| !r.numeric),
    ];
    for (name, holds) in groups {
        let group: Vec<&Record> = records.iter().filter(holds).collect();
        let _ = write!(text, "| {name} | {} |", group.len());
        for way in &others {
            let speeds: Vec<f64> = group.iter().filter_map(|r| r.speed(*way)).collect();
            let least = speeds.iter().copied().min_by(f64::total_cmp);
            let _ = write!(text, " {} | {} |", number(geometric_mean(&speeds)), number(least));
        }
        let covered: Vec<_> = group.iter().filter_map(|r| r.coverage.as_ref()).collect();
        let covered: Vec<_> = covered.into_iter().filter(|c| !c.verdicts.is_empty()).collect();
        let mean = |of: &dyn Fn(&super::coverage::Coverage) -> f64| {
            let sum: f64 = covered.iter().map(|coverage| of(coverage)).sum();
            (!covered.is_empty()).then(|| sum / covered.len() as f64)
        };
        let parallel = mean(&|c| c.share(&PARALLEL_OR_TILED));
        let _ =
            writeln!(text, " {} | {} |", percent(mean(&|c| c.transformed())), percent(parallel));
    }
    text + "\nSpeeds are those of the plain build divided by those of the column: geometric means, and the least; shares are means over programs.\n"
}

const PARALLEL_OR_TILED: [&str; 3] = ["parallel and tiled", "parallel", "tiled"];

fn has_affine_hot_loop(record: &Record) -> bool {
    let affine = record.coverage.as_ref().map(|coverage| {
        coverage.in_loops * (coverage.transformed() + coverage.share(&["left as it was"]))
    });
    affine.is_some_and(|share| share >= HOT_SHARE)
}

/// Why loops are refused, by their share of the time, over the numeric programs.
fn causes(records: &[Record]) -> String {
    let covered: Vec<_> = records
        .iter()
        .filter(|record| record.numeric)
        .filter_map(|record| record.coverage.as_ref())
        .filter(|coverage| !coverage.verdicts.is_empty())
        .collect();
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    for coverage in &covered {
        let left = coverage.share(&["left as it was"]);
        *shares.entry("left as it was").or_default() += left;
        for (causes, share) in &coverage.causes {
            *shares.entry(causes).or_default() += share;
        }
    }
    let mut sorted: Vec<(&str, f64)> = shares.into_iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut text = String::from(
        "\n| time in loops of numeric programs that is not transformed | share |\n|---|---|\n",
    );
    for (cause, share) in sorted.into_iter().filter(|(_, share)| *share > 0.0) {
        let _ = writeln!(text, "| {cause} | {} |", percent(Some(share / covered.len() as f64)));
    }
    text
}

/// A line per program.
fn programs(setting: &Setting, records: &[Record]) -> String {
    let mut text = String::from("\n| program | plain, s |");
    for way in setting.ways.iter().filter(|way| **way != Way::Plain) {
        let _ = write!(text, " {} |", way.name());
    }
    text += " in loops | parallel and tiled | parallel | tiled | sequential | left | refused | causes |\n|---|---|";
    text += &"---|".repeat(setting.ways.len().saturating_sub(1) + 8);
    text += "\n";
    for record in records {
        let plain = record.build(Way::Plain).and_then(BuildRecord::median);
        let name = if record.numeric {
            record.name.clone()
        } else {
            format!("{} (not numeric)", record.name)
        };
        let _ = write!(text, "| {name} | {} |", number(plain));
        for way in setting.ways.iter().filter(|way| **way != Way::Plain) {
            let _ = write!(text, " {} |", cell(record, *way));
        }
        text += &shares(record);
    }
    text
}

/// The speed of a way, or what is wrong with it.
fn cell(record: &Record, way: Way) -> String {
    match record.build(way) {
        None => String::new(),
        Some(BuildRecord { failure: Some(_), .. }) => "fails".to_string(),
        Some(BuildRecord { difference: Some(_), .. }) => "differs".to_string(),
        Some(_) => number(record.speed(way)),
    }
}

fn shares(record: &Record) -> String {
    let Some(coverage) = &record.coverage else { return "  | | | | | | | |\n".to_string() };
    let mut text = format!(" {} |", percent(Some(coverage.in_loops)));
    for verdict in loopwright::Verdict::ALL {
        let share = coverage.verdicts.get(verdict.as_str()).copied();
        let _ = write!(text, " {} |", percent(share));
    }
    let mut causes: Vec<_> = coverage.causes.iter().collect();
    causes.sort_by(|a, b| b.1.total_cmp(a.1));
    let causes: Vec<String> = causes
        .iter()
        .take(3)
        .map(|(code, share)| format!("{code} {}", percent(Some(**share))))
        .collect();
    let _ = writeln!(text, " {} |", causes.join(", "));
    text
}

/// What is wrong, and where there is no profile.
fn findings(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        for (way, build) in &record.builds {
            let said = [("fails", &build.failure), ("differs", &build.difference)];
            for (what, said) in
                said.into_iter().filter_map(|(what, said)| Some((what, said.as_ref()?)))
            {
                let said: String =
                    said.lines().take(3).collect::<Vec<_>>().join(" ").chars().take(300).collect();
                let _ = writeln!(text, "* {}, {way} {what}: {said}", record.name);
            }
        }
        if let Some(reason) = &record.no_coverage {
            let reason = reason.lines().next().unwrap_or_default();
            let _ = writeln!(text, "* {}: time in loops is not known: {reason}", record.name);
        }
    }
    if text.is_empty() { text } else { format!("\n## Findings\n\n{text}") }
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.2}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{:.0} %", 100.0 * value))
}
