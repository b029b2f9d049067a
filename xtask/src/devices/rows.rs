//! The figures of one program.
use super::emulated::Run;
use super::registers::Kernel;
use loopwright_testkit::emulation::Counts;

/// A run, compared with the original.
pub(super) struct Outcome {
    /// Whether it printed the same.
    pub(super) is_same: bool,
    pub(super) counts: Counts,
}

impl Outcome {
    pub(super) fn new(run: Run, expected: &str) -> Self {
        Outcome { is_same: run.printed == expected, counts: run.counts }
    }

    fn sum(&self, names: &[&str]) -> f64 {
        names.iter().map(|name| self.counts.get(name)).sum::<u64>() as f64
    }

    pub(super) fn launches(&self) -> f64 {
        self.sum(&["launches"])
    }

    /// Bytes copied in both directions.
    pub(super) fn bytes(&self) -> f64 {
        self.sum(&["bytes_in", "bytes_out"])
    }

    /// Sectors of global memory that are loaded and stored.
    pub(super) fn sectors(&self) -> f64 {
        self.sum(&["load_sectors", "store_sectors"])
    }

    /// Loads and stores of global memory by threads for each operation on floating-point numbers.
    pub(super) fn accesses_per_operation(&self) -> Option<f64> {
        let operations = self.sum(&["operations"]);
        (operations > 0.0).then(|| self.sum(&["loads", "stores"]) / operations)
    }

    /// The part of the sectors that would do if elements lay side by side.
    pub(super) fn coalescing(&self) -> f64 {
        self.sum(&["ideal_sectors"]) / self.sectors().max(1.0)
    }

    /// Barriers of a thread in the mean.
    pub(super) fn barriers_per_thread(&self) -> f64 {
        self.sum(&["thread_barriers"]) / self.sum(&["threads"]).max(1.0)
    }

    pub(super) fn shared_accesses(&self) -> f64 {
        self.sum(&["shared_loads", "shared_stores"])
    }

    /// Cycles of shared memory over those that would do without conflicts.
    pub(super) fn conflicts(&self) -> Option<f64> {
        let ideal = self.sum(&["ideal_shared_cycles"]);
        (ideal > 0.0).then(|| self.sum(&["shared_cycles"]) / ideal)
    }
}

/// All about one program.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ours: Option<Outcome>,
    /// Why a region stays on the processor.
    pub(super) stays: Option<String>,
    pub(super) is_proved: bool,
    pub(super) transformation_ms: f64,
    pub(super) compiled: Vec<Kernel>,
    /// None if there is no text; an error if it cannot be built.
    pub(super) peer: Option<Result<Outcome, String>>,
    pub(super) peer_compiled: Vec<Kernel>,
    /// Seconds on a GPU.
    pub(super) seconds: Option<f64>,
}

impl Row {
    /// Both outcomes, if the peer's can be compared.
    pub(super) fn pair(&self) -> Option<(&Outcome, &Outcome)> {
        let peer = self.peer.as_ref()?.as_ref().ok().filter(|peer| peer.is_same)?;
        Some((self.ours.as_ref()?, peer))
    }

    /// What is wrong with our program.
    pub(super) fn wrong(&self) -> Option<String> {
        let name = &self.name;
        let Some(ours) = &self.ours else {
            let reason = self.stays.as_deref().unwrap_or("nothing runs on the device");
            return Some(format!("{name}: {reason}"));
        };
        let findings = ours.counts.findings();
        match (ours.is_same, findings.as_slice()) {
            (false, _) => Some(format!("{name} prints something else")),
            (true, []) => None,
            (true, [(kind, count), ..]) => Some(format!("{name}: {count} {kind}")),
        }
    }
}
