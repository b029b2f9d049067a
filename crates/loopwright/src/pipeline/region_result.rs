//! All that was computed for a region, and its stages as text.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::dependence_text::dependences_text;
use crate::pipeline::enough_work::EnoughWork;
use crate::pipeline::foreign_region::to_foreign;
use crate::pipeline::outcome::RegionReport;
use crate::pipeline::prove::{printed_device_text, printed_text};
use crate::pipeline::transformed::mapping_text;
use crate::pipeline::versions::buffers::{Buffer, around};
use crate::pipeline::versions::floats;
use crate::pipeline::versions::kept_variables::{self, KeptVariable};
use crate::pipeline::versions::length_variables::{self, LengthVariable};
use crate::pipeline::versions::tile_variables::{self, TileVariable};
use crate::pipeline::versions::trials::Trial;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use crate::settings::options::Emit;
use loopwright_astgen::AstNode;
use loopwright_backend::device::{CopyOptions, DeviceRegion, Language};
use loopwright_cfront::{Region, RunTimeCondition, Version};
use loopwright_dataflow::Dependences;
use loopwright_device::Transfers;
use loopwright_interchange::Format;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Scop, StatementId};
use loopwright_transform::Estimate;

/// Functions that a region's code calls.
#[derive(Clone, Debug)]
pub(crate) struct Functions {
    /// The byte of the file in front of which they stand.
    pub(crate) before: usize,
    pub(crate) text: String,
}

/// A region on a device.
#[derive(Debug)]
pub(crate) struct DeviceResult {
    pub(crate) language: Language,
    /// The program as the text has it.
    pub(crate) scop: Scop,
    /// What is copied.
    pub(crate) transfers: Transfers,
    /// How.
    pub(crate) copies: CopyOptions,
    pub(crate) region: DeviceRegion,
}

impl DeviceResult {
    /// The kernels, and behind them the function that stands for the region.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.region.kernel_text, self.region.function_text)
    }
}

/// Everything that was computed for one region.
#[derive(Debug)]
pub(crate) struct RegionResult {
    pub(crate) code: String,
    /// The lines of the code (1-based) that execute a statement, with it.
    pub(crate) code_statements: Vec<(usize, StatementId)>,
    /// The kernels and the function that stand for it, if it runs on a device; the code is what is left then.
    pub(crate) device: Option<DeviceResult>,
    /// Why the region stays as it was, if it does: then the code is not used.
    pub(crate) left: Option<String>,
    /// Functions that the code calls, in front of the one around it.
    pub(crate) functions: Option<Functions>,
    /// Memory that the code needs: declared around it.
    pub(crate) buffers: Vec<Buffer>,
    /// Sizes of tiles that the code uses: declared around it.
    pub(crate) tile_variables: Vec<TileVariable>,
    /// Versions for narrower conditions, which are tried before this one.
    pub(crate) narrower: Vec<RegionResult>,
    /// What holds where this version is better than those behind it, as a condition of C.
    pub(crate) taken_if: Option<String>,
    /// Under which conditions what the code computes has room in its types: elsewhere the region runs as it
    /// was.
    pub(crate) room: Vec<RunTimeCondition>,
    /// Variables that a device gives the value of the program unless that is a zero: then they get their
    /// values from before, and the region runs as it was.
    pub(crate) kept: Vec<KeptVariable>,
    /// Numbers of elements that the code uses: declared around it, with the text that finds them.
    pub(crate) lengths: Vec<LengthVariable>,
    /// When the code is used: elsewhere the region runs as it was.
    pub(crate) enough_work: Option<EnoughWork>,
    /// What the code is estimated to cost, if its schedule was found.
    pub(crate) estimate: Option<Estimate>,
    /// What has to hold for the threads of the code, if it has any and something has to: elsewhere the region
    /// runs as it was.
    pub(crate) thread_guard: Option<String>,
    /// Why the model does not know whether the code is faster than the region as it was, as a clause.
    pub(crate) unsure: Option<String>,
    /// The trial of the code against the region as it was.
    pub(crate) trial: Option<Trial>,
    /// Whether the code has threads, vectors, or variables that the program did not have.
    pub(crate) is_improved: bool,
    /// Whether the code costs something that little work does not earn.
    pub(crate) has_overhead: bool,
    /// As in [`RegionText`](loopwright_backend::RegionText).
    pub(crate) keeps_results: bool,
    /// As in [`RegionText`](loopwright_backend::RegionText).
    pub(crate) loops_around_threads: Option<usize>,
    /// As in [`RegionText`](loopwright_backend::RegionText).
    pub(crate) searches: bool,
    /// Whether elements of arrays share cells.
    pub(crate) has_cells: bool,
    /// Whether instances are left out that the program has.
    pub(crate) drops_instances: bool,
    pub(crate) report: RegionReport,
    pub(crate) region: Region,
    pub(crate) dependences: Dependences,
    /// What runs: with panels, the region's program with the statements that fill them.
    pub(crate) code_scop: Scop,
    pub(crate) tree: ScheduleTree,
    pub(crate) ast: AstNode,
    pub(crate) wanted: Wanted,
    /// How much work may be done about it later.
    pub(crate) effort: Effort,
}

impl RegionResult {
    /// A result without text and without anything to say.
    pub(crate) fn bare(
        analysed: &Analysed,
        (tree, ast): (ScheduleTree, AstNode),
        options: &CompileOptions,
    ) -> Self {
        RegionResult {
            code: String::new(),
            code_statements: Vec::new(),
            device: None,
            left: None,
            functions: None,
            buffers: Vec::new(),
            tile_variables: Vec::new(),
            narrower: Vec::new(),
            taken_if: None,
            room: Vec::new(),
            kept: Vec::new(),
            lengths: Vec::new(),
            enough_work: None,
            estimate: None,
            thread_guard: None,
            unsure: None,
            trial: None,
            is_improved: false,
            has_overhead: false,
            keeps_results: false,
            loops_around_threads: None,
            searches: false,
            has_cells: false,
            drops_instances: analysed.drops_instances,
            report: RegionReport::unchanged(&analysed.region),
            region: analysed.region.clone(),
            dependences: analysed.dependences.clone(),
            code_scop: analysed.region.scop.clone(),
            tree,
            ast,
            wanted: Wanted::by(options),
            effort: Effort { region_end: None, ..options.embedding.effort.clone() },
        }
    }

    /// The text of a stage.
    pub(crate) fn emit(&self, stage: Emit, file: &str) -> std::result::Result<String, Failure> {
        match stage {
            Emit::Scop => Ok(self.region.scop.to_string()),
            Emit::ScopIn(format) => self.written(format, self.region.scop.clone(), file),
            Emit::ScheduleIn(format) => self.written(format, self.scheduled()?, file),
            Emit::Deps => dependences_text(&self.region.scop, &self.dependences, &self.effort)
                .map_err(|e| Failure::in_stage("printing", &e)),
            Emit::Constraints => {
                constraints(&self.region.scop, &self.dependences, self.wanted, &self.effort)
                    .map(|constraints| constraints.to_string())
                    .map_err(|e| Failure::in_stage("printing", &e))
            }
            Emit::Schedule => Ok(self.tree.to_string()),
            Emit::Mapping => mapping_text(&self.code_scop, &self.tree),
            Emit::Ast => Ok(self.ast.to_string()),
            Emit::Network(_) => Err(Failure::refused(
                "networks are made of the text of a file, before its regions are compiled",
            )),
            Emit::Multifor => Err(Failure::refused(
                "multifor statements are made of the text of a file, before its regions are compiled",
            )),
            Emit::Code if self.device.is_some() => {
                Ok(self.device.iter().map(DeviceResult::text).collect())
            }
            Emit::Code => match &self.left {
                None => {
                    let code = around(&self.buffers, &self.code, &self.region.indentation);
                    let functions = self.functions.as_ref().map_or("", |functions| &functions.text);
                    let code = tile_variables::around(
                        &self.tile_variables,
                        &code,
                        &self.region.indentation,
                    );
                    Ok(format!("{functions}{code}"))
                }
                Some(reason) => {
                    Err(Failure::refused(format!("the region stays as it is written: {reason}")))
                }
            },
        }
    }
}

impl RegionResult {
    /// The lines of the code (1-based) that execute statements, with the lines of these in the source. Lines
    /// that fill panels are not among them.
    pub(crate) fn lines_of_statements(&self) -> Vec<(u32, u32)> {
        let of_source = |&(line, statement): &(usize, StatementId)| {
            let statement = self.code_scop.statements.get(statement.0 as usize)?;
            (statement.location.line > 0).then_some((line as u32, statement.location.line))
        };
        self.code_statements.iter().filter_map(of_source).collect()
    }

    /// Whether a text does what the region's loops do.
    pub(crate) fn check_text(
        &self,
        text: &str,
    ) -> std::result::Result<loopwright_verify::Printed, Failure> {
        let found = match &self.device {
            Some(device) => printed_device_text(&self.ast, device, text, &self.effort),
            None => printed_text(&self.code_scop, &self.ast, text, &self.effort),
        };
        found.map_err(|e| Failure::in_stage("verification of the text", &e))
    }

    /// A model of the region in a format of other tools.
    fn written(
        &self,
        format: Format,
        scop: Scop,
        file: &str,
    ) -> std::result::Result<String, Failure> {
        let region = to_foreign(&self.region, scop, file);
        loopwright_interchange::write(format, &region, &self.effort.stage())
            .map_err(|e| Failure::in_stage("writing", &e))
    }

    /// Whether the code is estimated to cost less than another one for the same region.
    pub(crate) fn is_cheaper_than(&self, other: &RegionResult) -> bool {
        let pair = self.estimate.as_ref().zip(other.estimate.as_ref());
        pair.is_some_and(|(own, other)| own.cycles < other.cycles)
    }

    /// Tries another version before this one, with what there is to say about it.
    pub(crate) fn adds_version(&mut self, version: RegionResult) {
        self.adds_claims_of(&version);
        let where_taken = version.taken_if.as_deref().unwrap_or("1");
        let notes = version.report.notes.iter().filter(|note| note.starts_with("storage: "));
        let said = notes.map(|note| format!("where {where_taken}: {note}"));
        self.report.notes.extend(said);
        self.report.n_versions += 1;
        self.narrower.push(version);
    }

    /// Takes the proofs of a version into the report, and what is only tested of it.
    pub(crate) fn adds_claims_of(&mut self, version: &RegionResult) {
        for (claim, proof) in &version.report.proofs {
            let is_said = |(c, p): &(&str, _)| c == claim && p == proof;
            if !self.report.proofs.iter().any(is_said) {
                self.report.proofs.push((claim, proof.clone()));
            }
        }
        self.report.only_tested.extend(version.report.only_tested.iter().cloned());
    }

    /// Leaves the region as it was, for a reason.
    pub(crate) fn left_for(mut self, reason: String) -> Self {
        self.leave(reason);
        self
    }

    fn leave(&mut self, reason: String) {
        self.report.notes.push(format!("the region stays as it is written: {reason}"));
        self.report.is_left = true;
        // They are about loops that nobody gets.
        self.report.proofs.clear();
        self.report.only_tested.clear();
        self.left = Some(reason);
    }

    /// Remarks about what the new loops rely on.
    pub(crate) fn with_what_is_assumed(mut self) -> Self {
        self.say_what_is_assumed();
        self
    }

    /// The result with numbers of elements that it and its versions use.
    pub(crate) fn with_lengths(mut self, lengths: &[LengthVariable]) -> Self {
        self.narrower.iter_mut().for_each(|version| version.lengths = lengths.to_vec());
        self.lengths = lengths.to_vec();
        let notes = lengths.iter().map(|length| {
            format!(
                "checked at run time: `{} >= 0`, which is found by reading subscripts in front of the region",
                length.name
            )
        });
        self.report.notes.extend(notes);
        self
    }

    fn say_what_is_assumed(&mut self) {
        let Region { scop, conditions, .. } = &self.region;
        let notes = &mut self.report.notes;
        notes.extend(scop.assumptions.iter().map(|text| format!("assumed: {text}")));
        let checked = conditions.iter().chain(&self.room);
        notes.extend(checked.map(|c| format!("checked at run time: {}", c.sentence())));
        notes.extend(self.enough_work.as_ref().map(EnoughWork::sentence));
        notes.extend(self.trial.as_ref().map(Trial::sentence));
        notes.extend(floats::sentence(&self.code));
    }

    /// The region's text with the new code; `own` is the text of its statements as it was.
    pub(crate) fn in_front_of(&self, own: &str) -> String {
        let mut versions: Vec<Version> = self.narrower.iter().map(RegionResult::version).collect();
        versions.push(self.version());
        let text = self.region.in_front_of(&versions, own);
        let text = kept_variables::around(&self.all_kept(), &text, &self.region.indentation);
        let text = length_variables::around(&self.lengths, &text, &self.region.indentation);
        let text = around(&self.buffers, &text, &self.region.indentation);
        let text =
            tile_variables::around(&self.all_tile_variables(), &text, &self.region.indentation);
        let narrower = self.narrower.iter().filter_map(|version| version.trial.as_ref());
        let trials = self.trial.iter().chain(narrower);
        trials.fold(text, |text, trial| trial.around(&text, &self.region))
    }

    /// The variables whose values from before its texts use.
    fn all_kept(&self) -> Vec<KeptVariable> {
        let mut all = self.kept.clone();
        for kept in self.narrower.iter().flat_map(|version| &version.kept) {
            if !all.contains(kept) {
                all.push(kept.clone());
            }
        }
        all
    }

    /// The sizes of tiles that its texts use.
    fn all_tile_variables(&self) -> Vec<TileVariable> {
        let mut all = self.tile_variables.clone();
        for variable in self.narrower.iter().flat_map(|version| &version.tile_variables) {
            if !all.iter().any(|known| known.name == variable.name) {
                all.push(variable.clone());
            }
        }
        all
    }

    /// Whether some of its texts have tiles of variable sizes.
    pub(crate) fn has_tile_variables(&self) -> bool {
        !self.all_tile_variables().is_empty()
    }

    /// Whether some of its texts are timed when they run first.
    pub(crate) fn has_trials(&self) -> bool {
        self.trial.is_some() || self.narrower.iter().any(RegionResult::has_trials)
    }

    /// The new code with the conditions under which it is used.
    fn version(&self) -> Version {
        let [mut conditions, costly] = self.region.condition_texts_by_cost();
        conditions.extend(self.room.iter().filter_map(|condition| condition.fact.text()));
        match &self.enough_work {
            Some(enough) if enough.is_plain => conditions.insert(0, enough.text.clone()),
            Some(enough) => conditions.push(enough.text.clone()),
            None => {}
        }
        conditions.extend(length_variables::conditions(&self.lengths));
        conditions.extend(self.taken_if.clone());
        conditions.extend(self.buffers.iter().map(Buffer::condition));
        conditions.extend(self.thread_guard.clone());
        // Only where there is work enough for them.
        conditions.extend(costly);
        conditions
            .extend(self.device.as_ref().map(|device| format!("{} == 0", device.region.call)));
        conditions.extend(kept_variables::condition(&self.kept));
        conditions.extend(self.trial.as_ref().map(Trial::condition));
        Version { conditions, code: self.code.clone() }
    }

    /// The model with the final schedule as its order, without kill statements.
    fn scheduled(&self) -> std::result::Result<Scop, Failure> {
        if self.code_scop.statements.len() != self.region.scop.statements.len()
            || self.code_scop.arrays.len() != self.region.scop.arrays.len()
        {
            return Err(Failure::refused(
                "the schedule has local arrays, which other tools do not know: compile with \
                 --no-panels --no-expansion",
            ));
        }
        let mut scop = self.region.scop.clone();
        scop.statements.retain(|statement| !statement.is_kill);
        scop.schedule = self.tree.clone();
        Ok(scop)
    }
}
