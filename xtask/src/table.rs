//! The table of run times, as Markdown.
use crate::contestant::{Compiler, Contestant};
use crate::measurements::{COMPILE_MS, Measurements, PROVED, RUNS};
use crate::peers;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Programs that take less are too short to be measured at the size that was asked for.
pub(crate) const SHORT_SECONDS: f64 = 0.1;

/// The size that published figures belong to.
const PUBLISHED_SIZE: &str = "LARGE";

/// Ours is not behind a peer if it is no more than this much slower, which timing cannot tell.
const TOLERANCE: f64 = 0.005;

/// The values of one kernel.
struct Row<'m> {
    kernel: &'m str,
    size: &'m str,
    values: &'m BTreeMap<String, f64>,
}

/// Who is compared.
struct Columns {
    /// All that are measured.
    measured: Vec<Contestant>,
    /// The others, by position in [`peers::NAMES`].
    published: Vec<usize>,
}

impl Columns {
    fn new(all: &Measurements, with_published: bool) -> Self {
        let measured = all.contestants();
        let is_measured =
            |compiler: &usize| peers::SAME_AS[*compiler].is_some_and(|c| measured.contains(&c));
        let published = (0..peers::NAMES.len()).filter(|_| with_published);
        let published = published.filter(|compiler| !is_measured(compiler));
        Columns { published: published.collect(), measured }
    }

    /// The measured ones but gcc.
    fn others(&self) -> impl Iterator<Item = Contestant> + '_ {
        let is_other = |contestant: &Contestant| *contestant != Contestant::Plain(Compiler::Gcc);
        self.measured.iter().copied().filter(is_other)
    }
}

impl Row<'_> {
    fn seconds(&self, contestant: Contestant) -> Option<f64> {
        self.values.get(&contestant.key()).copied()
    }

    fn gcc(&self) -> Option<f64> {
        self.seconds(Contestant::Plain(Compiler::Gcc))
    }

    /// Seconds here, if a published speed-up over gcc held here.
    fn published(&self, compiler: usize) -> Option<f64> {
        let is_same_size = self.size == PUBLISHED_SIZE;
        let speed_up = peers::speed_up(self.kernel, compiler).filter(|_| is_same_size)?;
        Some(self.gcc()? / speed_up)
    }

    /// The least seconds among some contestants, with the name.
    fn best(&self, among: &[Contestant]) -> Option<(String, f64)> {
        let measured = among
            .iter()
            .filter_map(|&contestant| Some((contestant.to_string(), self.seconds(contestant)?)));
        measured.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The fastest other compiler.
    fn best_peer(&self, columns: &Columns) -> Option<(String, f64)> {
        let peers: Vec<Contestant> =
            columns.measured.iter().copied().filter(|c| c.is_peer()).collect();
        let published = columns.published.iter().filter_map(|&compiler| {
            Some((format!("{} (published)", peers::NAMES[compiler]), self.published(compiler)?))
        });
        let best = self.best(&peers).into_iter().chain(published);
        best.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn best_plain(&self) -> Option<f64> {
        let plain = [Compiler::Gcc, Compiler::Clang].map(Contestant::Plain);
        self.best(&plain).map(|(_, seconds)| seconds)
    }
}

/// The rows for a size: each kernel at that size, or at the largest if it is too short there.
fn rows<'m>(all: &'m Measurements, size: &'m str, largest: &'m str) -> Vec<Row<'m>> {
    let row = |kernel| {
        let at = |size| all.of(kernel, size).map(|values| Row { kernel, size, values });
        at(size).or_else(|| at(largest))
    };
    all.kernels().into_iter().filter_map(row).collect()
}

/// The table for a size with what follows from it, with the columns of published figures if these belong to
/// the programs.
pub(crate) fn table(all: &Measurements, size: &str, largest: &str, with_published: bool) -> String {
    let rows = rows(all, size, largest);
    let columns = Columns::new(all, with_published);
    let mut text = String::from("| kernel | size | runs | gcc -O3 s |");
    for contestant in columns.others() {
        let _ = write!(text, " {contestant} |");
    }
    for &compiler in &columns.published {
        let _ = write!(text, " {} (published) |", peers::NAMES[compiler]);
    }
    text += " best peer | over best peer | over best plain | compile ms |\n|---|---|---:|---:|";
    text += &"---:|".repeat(columns.others().count() + columns.published.len());
    text += "---|---:|---:|---:|\n";
    for row in &rows {
        text += &line(row, &columns);
    }
    text += &mean_line(&rows, &columns);
    text += &summaries(&rows, &columns);
    text += &compile_times(&rows);
    text
}

fn line(row: &Row, columns: &Columns) -> String {
    let gcc = row.gcc();
    let over_gcc = |seconds: Option<f64>| ratio(gcc.zip(seconds).map(|(gcc, own)| gcc / own));
    let runs = row.values.get(RUNS).map_or("–".to_string(), f64::to_string);
    let mut text = format!("| {} | {} | {runs} | {} |", row.kernel, row.size, seconds(gcc));
    for contestant in columns.others() {
        let _ = write!(text, " {} |", over_gcc(row.seconds(contestant)));
    }
    for &compiler in &columns.published {
        let _ = write!(text, " {} |", over_gcc(row.published(compiler)));
    }
    let best_peer = row.best_peer(columns);
    let ours = row.best(&ours(columns)).map(|(_, seconds)| seconds);
    let over = |peer: Option<f64>| ratio(peer.zip(ours).map(|(peer, own)| peer / own));
    let name = best_peer.as_ref().map_or("–", |(name, _)| name.as_str());
    let compile = row.values.get(COMPILE_MS).map_or("–".to_string(), |ms| format!("{ms:.1}"));
    let mark = if row.values.get(PROVED) == Some(&0.0) { " (not proved)" } else { "" };
    let over_peer = over(best_peer.as_ref().map(|(_, seconds)| *seconds));
    let over_plain = over(row.best_plain());
    let _ = writeln!(text, " {name} | **{over_peer}** | {over_plain} | {compile}{mark} |");
    text
}

/// Our programs with most threads.
fn ours(columns: &Columns) -> Vec<Contestant> {
    let is_ours = |contestant: &&Contestant| matches!(contestant, Contestant::Ours(..));
    let all: Vec<Contestant> = columns.measured.iter().filter(is_ours).copied().collect();
    let most = all.iter().map(|contestant| contestant.threads()).max();
    all.into_iter().filter(|contestant| Some(contestant.threads()) == most).collect()
}

fn seconds(value: Option<f64>) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.4}"))
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.2}"))
}

/// The geometric means of the speed-ups over gcc.
fn mean_line(rows: &[Row], columns: &Columns) -> String {
    let mean = |value: &dyn Fn(&Row) -> Option<f64>| {
        let known: Vec<f64> =
            rows.iter().filter_map(|row| Some(row.gcc()? / value(row)?)).collect();
        match geometric_mean(&known) {
            Some(mean) if known.len() < rows.len() => format!("{mean:.2} ({})", known.len()),
            mean => ratio(mean),
        }
    };
    let mut text = format!("| geometric mean ({}) | | | |", rows.len());
    for contestant in columns.others() {
        let _ = write!(text, " {} |", mean(&|row: &Row| row.seconds(contestant)));
    }
    for &compiler in &columns.published {
        let _ = write!(text, " {} |", mean(&|row: &Row| row.published(compiler)));
    }
    text + " | | | |\n"
}

/// What the table says about ours: with each compiler, and with the better of them.
fn summaries(rows: &[Row], columns: &Columns) -> String {
    let ours = ours(columns);
    let mut groups: Vec<(String, Vec<Contestant>)> =
        ours.iter().map(|&one| (one.to_string(), vec![one])).collect();
    if ours.len() > 1 {
        groups.push(("ours, the better compiler".to_string(), ours.clone()));
    }
    let mut text = String::from(
        "\n| | over best peer, geometric mean | not behind | over best plain, least |\n|---|---:|---:|---|\n",
    );
    for (name, group) in &groups {
        text += &summary(rows, columns, name, group);
    }
    let tuned =
        columns.measured.iter().find(|contestant| matches!(contestant, Contestant::Tuned(_)));
    if let Some(&tuned) = tuned {
        text += &quality(rows, tuned);
    }
    text
}

fn summary(rows: &[Row], columns: &Columns, name: &str, group: &[Contestant]) -> String {
    let own = |row: &Row| row.best(group).map(|(_, seconds)| seconds);
    let over_peer: Vec<f64> =
        rows.iter().filter_map(|row| Some(row.best_peer(columns)?.1 / own(row)?)).collect();
    let not_behind = over_peer.iter().filter(|&&ratio| ratio >= 1.0 - TOLERANCE).count();
    let over_plain =
        rows.iter().filter_map(|row| Some((row.best_plain()? / own(row)?, row.kernel)));
    let least = over_plain.min_by(|a, b| a.0.total_cmp(&b.0));
    let least = least.map_or("–".to_string(), |(ratio, kernel)| format!("{ratio:.2} ({kernel})"));
    format!(
        "| {name} | {} | {not_behind} of {} | {least} |\n",
        ratio(geometric_mean(&over_peer)),
        over_peer.len()
    )
}

/// How much faster the choices are that `tune` finds.
fn quality(rows: &[Row], tuned: Contestant) -> String {
    let ours = Contestant::Ours(Compiler::Gcc, tuned.threads());
    let gains =
        rows.iter().filter_map(|row| Some((row.seconds(ours)? / row.seconds(tuned)?, row.kernel)));
    let gains: Vec<(f64, &str)> = gains.collect();
    let ratios: Vec<f64> = gains.iter().map(|(gain, _)| *gain).collect();
    let Some(mean) = geometric_mean(&ratios) else { return String::new() };
    let most = gains.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let most = most.map_or(String::new(), |(gain, kernel)| format!(", most {gain:.2} ({kernel})"));
    format!(
        "\nModel quality: tuned choices are {mean:.3} times as fast as the model's (geometric mean of \
         {}{most}).\n",
        ratios.len()
    )
}

/// The n-th root of the product; none for no values.
/// The geometric mean; none of nothing.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

fn compile_times(rows: &[Row]) -> String {
    let times = rows.iter().filter_map(|row| Some((row.kernel, *row.values.get(COMPILE_MS)?)));
    let total: f64 = times.clone().map(|(_, time)| time).sum();
    match times.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((kernel, most)) => format!(
            "\nTime to transform and prove, after preprocessing: {total:.0} ms for all, at most \
             {most:.0} ms ({kernel}).\n"
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_counts() {
        let mut all = Measurements::default();
        // The peers' best is Polly for gemm, gcc itself for atax.
        for (kernel, gcc, polly, one, two) in
            [("gemm", 8.0, 4.0, 3.0, 2.0), ("atax", 1.0, 2.0, 1.5, 1.25)]
        {
            for (name, value) in
                [("gcc", gcc), ("polly-2", polly), ("ours-gcc-1", one), ("ours-gcc-2", two)]
            {
                all.set(kernel, "EXTRALARGE", name, value);
            }
        }
        all.set("gemm", "EXTRALARGE", "tuned-2", 1.0);
        all.set("gemm", "EXTRALARGE", RUNS, 3.0);
        let text = table(&all, "LARGE", "EXTRALARGE", true);
        let line = "| gemm | EXTRALARGE | 3 | 8.0000 | 2.00 | 2.67 | 4.00 | 8.00 | – | – | – | – | \
                    Polly, 2 | **2.00** | 4.00 |";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("| gcc -O3 | **0.80** | 0.80 |"), "{text}");
        assert!(text.contains("| ours, gcc, 2 | 1.26 | 1 of 2 | 0.80 (atax) |"), "{text}");
        assert!(text.contains("tuned choices are 2.000 times as fast"), "{text}");
    }
}
