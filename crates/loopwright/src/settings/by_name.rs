//! The choices of a compilation by name, as the command line and files of choices have them.
use crate::settings::devices;
use crate::settings::options::{Adaptive, CompileOptions, DataflowBy, Fusion, Scheduler, Storage};
use crate::settings::strategy::StrategyArguments;
use crate::settings::tiles::{self, sizes_text, tile_sizes};
use crate::settings::words::{word, word_of};
use loopwright_backend::device::Language;
use loopwright_backend::{Target, VectorPragma};
use loopwright_scheduler::{Algorithm, Fuse, Options as SchedulerOptions};
use loopwright_transform::{ConcurrentStart, TileSizes};

/// What is printed, and the language of kernels for what runs on a device.
const TARGETS: [(&str, (Target, Option<Language>)); 4] = [
    ("c", (Target::C, None)),
    ("openmp", (Target::OpenMp, None)),
    ("cuda", (Target::OpenMp, Some(Language::Cuda))),
    ("opencl", (Target::OpenMp, Some(Language::OpenCl))),
];
const FUSES: [(&str, Fusion); 5] = [
    ("model", Fusion::Model),
    ("min", Fusion::Rule(Fuse::Min)),
    ("max", Fusion::Rule(Fuse::Max)),
    ("smart", Fusion::Rule(Fuse::Smart)),
    ("typed", Fusion::Rule(Fuse::Typed)),
];
const VECTOR_PRAGMAS: [(&str, VectorPragma); 3] =
    [("omp", VectorPragma::OpenMp), ("gcc", VectorPragma::Gcc), ("clang", VectorPragma::Clang)];
const STARTS: [(&str, ConcurrentStart); 3] = [
    ("partial", ConcurrentStart::Partial),
    ("full", ConcurrentStart::Full),
    ("none", ConcurrentStart::None),
];
const ADAPTIVE: [(&str, Adaptive); 3] =
    [("never", Adaptive::Never), ("unsure", Adaptive::Unsure), ("always", Adaptive::Always)];
const STORAGES: [(&str, Storage); 3] =
    [("keep", Storage::Keep), ("contract", Storage::Contract), ("expand", Storage::Expand)];
const DATAFLOWS: [(&str, DataflowBy); 2] =
    [("accesses", DataflowBy::Accesses), ("parametric", DataflowBy::Parametric)];
/// Whether tiles wait for single ones, and whether they are tasks.
const SYNCHRONISATIONS: [(&str, (bool, bool)); 3] =
    [("point-to-point", (true, false)), ("barrier", (false, false)), ("tasks", (true, true))];
const SCHEDULERS: [(&str, Scheduler); 3] =
    [("pluto", Scheduler::Pluto), ("feautrier", Scheduler::Feautrier), ("none", Scheduler::None)];

/// The scheduler's own options for the rule of fusion.
const FUSE_OPTIONS: [&str; 3] =
    ["schedule-fuse", "schedule-whole-component", "schedule-serialize-sccs"];

/// A place for a flag.
type Flag = fn(&mut CompileOptions) -> &mut bool;

const FLAGS: [(&str, Flag); 29] = [
    ("device-always", |options| &mut options.devices.always),
    ("double-buffers", |options| &mut options.devices.double_buffers),
    ("streaming", |options| &mut options.devices.streaming),
    ("asynchronous-copies", |options| &mut options.devices.asynchronous_copies),
    ("vector-loads", |options| &mut options.devices.vector_loads),
    ("short-subscripts", |options| &mut options.devices.short_subscripts),
    ("shuffles", |options| &mut options.devices.shuffles),
    ("atomic-updates", |options| &mut options.devices.atomic_updates),
    ("embed-kernels", |options| &mut options.devices.embedded),
    ("unified-memory", |options| &mut options.devices.unified_memory),
    ("overlap-copies", |options| &mut options.devices.overlap_copies),
    ("pinned-memory", |options| &mut options.devices.pinned_memory),
    ("group-chains", |options| &mut options.group_chains),
    ("input-reuse", |options| &mut options.input_reuse),
    ("register-tiles", |options| &mut options.register_tiles),
    ("panels", |options| &mut options.panels),
    ("parametric-tiles", |options| &mut options.parametric_tiles),
    ("point-to-point", |options| &mut options.point_to_point),
    ("expansion", |options| &mut options.expansion),
    ("eliminate-dead-code", |options| &mut options.eliminate_dead_code),
    ("reassociate", |options| &mut options.reassociate),
    ("unchanged", |options| &mut options.unchanged),
    ("reschedule", |options| &mut options.reschedule),
    ("live-range-reordering", |options| &mut options.live_range_reordering),
    ("always-rewrite", |options| &mut options.always_rewrite),
    ("device-registers", |options| &mut options.device_registers),
    ("shared-memory", |options| &mut options.shared_memory),
    ("time-tiles", |options| &mut options.time_tiles),
    ("persistent-kernels", |options| &mut options.persistent_kernels),
];

impl CompileOptions {
    /// Whether an option needs a value; none if there is no such option. The name is that of the
    /// command line without the dashes in front.
    ///
    /// ```
    /// use loopwright::CompileOptions;
    /// assert_eq!(CompileOptions::takes_value("tile-sizes"), Some(true));
    /// assert_eq!(CompileOptions::takes_value("no-group-chains"), Some(false));
    /// assert_eq!(CompileOptions::takes_value("schedule-max-coefficient"), Some(true));
    /// assert_eq!(CompileOptions::takes_value("colour"), None);
    /// ```
    pub fn takes_value(name: &str) -> Option<bool> {
        match name {
            "target" | "vector-pragma" | "tiling" | "concurrent-start" | "fuse" | "scheduler"
            | "adaptive" | "storage" | "dataflow" | "synchronisation" => Some(true),
            _ if tiles::OPTIONS.contains(&name) => Some(true),
            _ if devices::OPTIONS.contains(&name) => Some(true),
            "no-tile" => Some(false),
            _ if flag(name).is_some() => Some(false),
            _ => SchedulerOptions::takes_value(name),
        }
    }

    /// Sets an option by its name on the command line, without the dashes in front.
    ///
    /// ```
    /// use loopwright::CompileOptions;
    /// use loopwright_transform::TileSizes;
    /// let mut options = CompileOptions::new();
    /// options.set("tile-sizes", Some("32,64"))?;
    /// options.set("no-group-chains", None)?;
    /// assert_eq!(options.tile_sizes, TileSizes::Given(vec![32, 64]));
    /// assert!(!options.group_chains);
    /// assert!(options.set("tile-sizes", Some("0")).is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// In words, if there is no such option or if the value is none for it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        match (name, value) {
            ("target", Some(value)) => {
                (self.target, self.device) = word(name, value, &TARGETS)?;
            }
            ("vector-pragma", Some(value)) => {
                self.vector_pragma = word(name, value, &VECTOR_PRAGMAS)?;
            }
            ("fuse", Some(value)) => self.fuse = word(name, value, &FUSES)?,
            ("scheduler", Some(value)) => self.scheduler = word(name, value, &SCHEDULERS)?,
            (_, Some(value)) if tiles::OPTIONS.contains(&name) => {
                tiles::set(self, name, value)?;
            }
            (_, Some(value)) if devices::OPTIONS.contains(&name) => {
                devices::set(self, name, value)?;
            }
            ("tiling", Some(value)) => self.tiling = tiles::tiling(value)?,
            ("concurrent-start", Some(value)) => {
                self.concurrent_start = word(name, value, &STARTS)?;
            }
            ("adaptive", Some(value)) => self.adaptive = word(name, value, &ADAPTIVE)?,
            ("synchronisation", Some(value)) => {
                (self.point_to_point, self.tasks) = word(name, value, &SYNCHRONISATIONS)?;
            }
            ("storage", Some(value)) => self.storage = word(name, value, &STORAGES)?,
            ("dataflow", Some(value)) => self.dataflow = word(name, value, &DATAFLOWS)?,
            ("no-tile", None) => self.tile_sizes = TileSizes::None,
            (_, None) if flag(name).is_some() => {
                if let Some((place, value)) = flag(name) {
                    *place(self) = value;
                }
            }
            _ => self.set_scheduling(name, value)?,
        }
        Ok(())
    }

    /// Sets one of the scheduler's own options.
    fn set_scheduling(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let fuse = self.fuse.first_rule();
        let mut scheduling = SchedulerOptions { fuse, ..self.scheduling };
        scheduling.set(name, value)?;
        if scheduling.algorithm != self.scheduling.algorithm {
            self.scheduler = match scheduling.algorithm {
                Algorithm::Pluto => Scheduler::Pluto,
                Algorithm::Feautrier => Scheduler::Feautrier,
            };
        }
        if name.ends_with("schedule-outer-coincidence") {
            self.second_attempt = false;
        }
        if scheduling.fuse != fuse || FUSE_OPTIONS.iter().any(|option| name.ends_with(option)) {
            self.fuse = Fusion::Rule(scheduling.fuse);
        }
        self.scheduling = scheduling;
        Ok(())
    }

    /// Sets an option to a value as files of choices have it: flags by `yes` and `no`, and
    /// `strategy` with its own options (see [`StrategyArguments::parse`]), `band N tile-sizes` for a
    /// single band.
    ///
    /// # Errors
    /// As [`CompileOptions::set`].
    pub fn set_to(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == "strategy" {
            self.strategy = StrategyArguments::parse(value)?.strategy()?;
            return Ok(());
        }
        if let Some(band) = name.strip_prefix("band ") {
            self.band_tiles.insert(band_position(band)?, tile_sizes(value)?);
            return Ok(());
        }
        match (Self::takes_value(name), value) {
            (None, _) => Err(format!("unknown choice `{name}`")),
            (Some(_), _) if name.starts_with("no-") => Err(format!("unknown choice `{name}`")),
            (Some(true), _) => self.set(name, Some(value)),
            (Some(false), "yes") => self.set(name, None),
            (Some(false), "no") => self.set(&format!("no-{name}"), None),
            (Some(false), _) => Err(format!("`{name}` is yes or no, not `{value}`")),
        }
    }

    /// The choices for one region as names and values that [`CompileOptions::set_to`] takes back.
    ///
    /// The front end's options and a schedule given by the user are none of them.
    pub fn settings(&self) -> Vec<(String, String)> {
        // Every field is named, so that a new one is not forgotten: here, or in `FLAGS`.
        let CompileOptions {
            target,
            device,
            devices: on_device,
            vector_pragma,
            scheduler,
            fuse,
            tile_sizes: _,
            tile_factors: _,
            machine: _,
            tiling,
            concurrent_start,
            adaptive,
            strategy,
            band_tiles,
            scheduling,
            second_attempt,
            group_chains: _,
            register_tiles: _,
            input_reuse: _,
            eliminate_dead_code: _,
            reassociate: _,
            unchanged: _,
            reschedule: _,
            live_range_reordering: _,
            always_rewrite: _,
            device_registers: _,
            shared_memory: _,
            time_tiles: _,
            persistent_kernels: _,
            panels: _,
            parametric_tiles: _,
            point_to_point: _,
            expansion: _,
            storage,
            dataflow,
            tasks,
            profiling: _,
            front_end: _,
            context: _,
            non_negative_parameters: _,
            assume_readable: _,
            verify: _,
            keep_going: _,
            transformations: _,
            choices: _,
            multifor: _,
            amounts: _,
            embedding: _,
        } = self;
        let yes_no = |value: bool| if value { "yes" } else { "no" }.to_string();
        let mut settings = vec![
            ("target".to_string(), word_of(&(*target, *device), &TARGETS)),
            ("scheduler".to_string(), word_of(scheduler, &SCHEDULERS)),
            ("fuse".to_string(), word_of(fuse, &FUSES)),
            ("strategy".to_string(), StrategyArguments::words(strategy)),
        ];
        settings.extend(tiles::settings(self));
        settings.extend(devices::settings(on_device));
        let mut copy = self.clone();
        let standard = CompileOptions::new();
        for (name, place) in FLAGS {
            let value = *place(&mut copy);
            if value != *place(&mut standard.clone()) {
                settings.push((name.to_string(), yes_no(value)));
            }
        }
        if *vector_pragma != standard.vector_pragma {
            let pragma = word_of(vector_pragma, &VECTOR_PRAGMAS);
            settings.push(("vector-pragma".to_string(), pragma));
        }
        if let Some(tiling) = tiling {
            settings.push(("tiling".to_string(), tiling.name().to_string()));
        }
        if *concurrent_start != standard.concurrent_start {
            let start = word_of(concurrent_start, &STARTS);
            settings.push(("concurrent-start".to_string(), start));
        }
        if *adaptive != standard.adaptive {
            settings.push(("adaptive".to_string(), word_of(adaptive, &ADAPTIVE)));
        }
        if *tasks {
            settings.push(("synchronisation".to_string(), "tasks".to_string()));
        }
        if *storage != standard.storage {
            settings.push(("storage".to_string(), word_of(storage, &STORAGES)));
        }
        if *dataflow != standard.dataflow {
            settings.push(("dataflow".to_string(), word_of(dataflow, &DATAFLOWS)));
        }
        if !second_attempt && !scheduling.outer_coincidence {
            settings.push(("schedule-outer-coincidence".to_string(), yes_no(false)));
        }
        let base = SchedulerOptions {
            fuse: scheduling.fuse,
            algorithm: scheduling.algorithm,
            ..standard.scheduling
        };
        settings.extend(scheduling.changes_from(&base));
        let band = |(position, sizes): (&usize, &TileSizes)| {
            (format!("band {position} tile-sizes"), sizes_text(sizes))
        };
        settings.extend(band_tiles.iter().map(band));
        settings
    }
}

/// The position in `N tile-sizes`, the rest of a name that begins with `band`.
fn band_position(text: &str) -> Result<usize, String> {
    let position =
        text.strip_suffix("tile-sizes").and_then(|position| position.trim().parse().ok());
    position.ok_or_else(|| format!("unknown choice `band {text}` (`band N tile-sizes` is known)"))
}

/// The flag that an option sets, and its value.
fn flag(name: &str) -> Option<(Flag, bool)> {
    let (plain, value) = name.strip_prefix("no-").map_or((name, true), |plain| (plain, false));
    FLAGS.iter().find(|(known, _)| *known == plain).map(|(_, place)| (*place, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options that settings lead to.
    fn read(settings: &[(String, String)]) -> CompileOptions {
        let mut options = CompileOptions::new();
        for (name, value) in settings {
            options.set_to(name, value).unwrap_or_else(|e| panic!("{name} = {value}: {e}"));
        }
        options
    }

    #[test]
    fn settings_are_read_back() {
        for words in [
            "target=c tile-sizes=none fuse=max vector-pragma=gcc",
            "concurrent-start=full adaptive=always",
            "concurrent-start=none tile-sizes=8",
            "tiling=overlapped tile-sizes=8,32",
            "parametric-tiles=yes tile-sizes=8,32",
            "synchronisation=tasks",
            "dataflow=parametric",
            "tiling=trapezoid tile-sizes=8,32",
            "scheduler=feautrier group-chains=no input-reuse=yes",
            "tile-sizes=7,9 strategy=hull reassociate=yes eliminate-dead-code=yes",
            "schedule-outer-coincidence=yes schedule-max-coefficient=4 schedule-wavefront=yes",
            "schedule-outer-coincidence=no schedule-split-scaled=no fuse=typed unchanged=yes",
            "scheduler=none schedule-fallback=validity",
            "tile-sizes=default register-tiles=no",
        ] {
            let mut options = CompileOptions::new();
            for word in words.split(' ') {
                let (name, value) = word.split_once('=').unwrap();
                options.set_to(name, value).unwrap();
            }
            let settings = options.settings();
            assert_eq!(read(&settings).settings(), settings, "{words}");
            for word in words.split(' ') {
                let (name, value) = word.split_once('=').unwrap();
                let pair = (name.to_string(), value.to_string());
                assert!(settings.contains(&pair), "{word} in {settings:?}");
            }
        }
    }

    #[test]
    fn bad_settings_are_named() {
        for (name, value) in [
            ("colour", "red"),
            ("target", "gpu"),
            ("tile-sizes", "32,x"),
            ("tiling", "round"),
            ("tile-sizes", ""),
            ("tile-sizes", "99999999999999999999"),
            ("reassociate", "perhaps"),
            ("no-tile", "yes"),
            ("no-group-chains", "yes"),
            ("schedule-max-coefficient", "many"),
            ("strategy", "components copy-cost=1"),
        ] {
            let message = CompileOptions::new().set_to(name, value).unwrap_err();
            assert!(message.len() > 10, "{name} = {value}: {message}");
        }
    }
}
