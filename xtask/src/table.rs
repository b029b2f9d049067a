//! The table of run times, as Markdown.
use crate::peers;
use std::fmt::Write;

/// Programs that take less are too short to be measured at the size that was asked for.
pub(crate) const SHORT_SECONDS: f64 = 0.1;

/// What was measured for one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The kernel.
    pub(crate) kernel: String,
    /// The size that was measured.
    pub(crate) size: String,
    /// Whether the kernel is too short at the size that was asked for, so that this is another.
    pub(crate) is_short: bool,
    /// Seconds of the original, compiled with `gcc -O3`.
    pub(crate) gcc: f64,
    /// Seconds of the transformed program and of its compilation, or why there is none.
    pub(crate) ours: Result<Ours, String>,
}

/// What was measured for a kernel that is transformed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ours {
    /// Seconds of the transformed program.
    pub(crate) seconds: f64,
    /// Milliseconds that the transformation took, after preprocessing.
    pub(crate) compile_ms: f64,
    /// Whether all claims about the result were proved.
    pub(crate) proved: bool,
}

impl Row {
    fn speed_up(&self) -> Option<f64> {
        self.ours.as_ref().ok().map(|ours| self.gcc / ours.seconds)
    }

    /// The speed-ups in the order of the columns: ours, then the peers'.
    fn speed_ups(&self) -> Vec<Option<f64>> {
        let peers = peers::speed_ups(&self.kernel);
        [self.speed_up()].into_iter().chain(peers).collect()
    }

    fn line(&self) -> String {
        let (seconds, compile) = match &self.ours {
            Ok(ours) => {
                let mark = if ours.proved { "" } else { " (not proved)" };
                (format!("{:.4}", ours.seconds), format!("{:.1}{mark}", ours.compile_ms))
            }
            Err(_) => ("–".to_string(), "–".to_string()),
        };
        let ratios: Vec<String> = self.speed_ups().into_iter().map(ratio).collect();
        let (ours, peers) = ratios.split_first().expect("the first is our own");
        format!(
            "| {} | {} | {:.4} | {seconds} | **{ours}** | {} | {compile} |",
            self.kernel,
            self.size,
            self.gcc,
            peers.join(" | ")
        )
    }
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.2}"))
}

/// The header, the rows, the means and the sums, and the failures.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "| kernel | size | gcc -O3 s | Loopwright s | speed-up | {} | compile ms |\n",
        peers::NAMES.join(" | ")
    );
    text += &format!("|---|---|{}\n", "---:|".repeat(peers::NAMES.len() + 4));
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text += &mean_line("geometric mean", &rows.iter().collect::<Vec<_>>());
    let long: Vec<&Row> = rows.iter().filter(|row| !row.is_short).collect();
    text += &mean_line("geometric mean without the short ones", &long);
    text += &compile_times(rows);
    for row in rows {
        if let Err(reason) = &row.ours {
            let _ = write!(text, "\n{}: {}\n", row.kernel, reason.trim());
        }
    }
    text
}

fn mean_line(name: &str, rows: &[&Row]) -> String {
    let columns: Vec<Vec<Option<f64>>> = rows.iter().map(|row| row.speed_ups()).collect();
    let means: Vec<String> = (0..=peers::NAMES.len())
        .map(|column| {
            let known: Vec<f64> = columns.iter().filter_map(|values| values[column]).collect();
            match geometric_mean(&known) {
                Some(mean) if known.len() < rows.len() => format!("{mean:.2} ({})", known.len()),
                mean => ratio(mean),
            }
        })
        .collect();
    let (ours, peers) = means.split_first().expect("the first is our own");
    format!("| {name} ({}) | | | | **{ours}** | {} | |\n", rows.len(), peers.join(" | "))
}

/// The n-th root of the product; none for no values.
fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

fn compile_times(rows: &[Row]) -> String {
    let times =
        rows.iter().filter_map(|row| Some((&row.kernel, row.ours.as_ref().ok()?.compile_ms)));
    let total: f64 = times.clone().map(|(_, time)| time).sum();
    match times.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((kernel, most)) => format!(
            "\nTime to transform and prove, after preprocessing: {total:.0} ms for all, at most \
             {most:.0} ms ({kernel}).\n"
        ),
        None => String::new(),
    }
}
