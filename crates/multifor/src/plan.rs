//! What bodies access decides about a statement: its offsets, whether it is legal, and which threads execute
//! what.
use crate::code::CodeOptions;
use crate::error::MultiforError;
use crate::intent::{Intent, OffsetChoice, Threads};
use crate::legality::{Orders, ViolatedPair, order_of_nests, refusal};
use crate::matching::order_in_region;
use crate::model::{Model, conflicts};
use crate::multifor::Multifor;
use crate::offsets::{Search, smallest_offsets};
use crate::settings::LowerSettings;
use crate::text::Team;
use crate::tree::Order;
use loopwright_cfront::{Code, FoundMultifor};
use loopwright_presburger::{Budget, Error};
use std::path::Path;

/// A file and its multifor statements.
pub(crate) struct File<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
    pub(crate) found: &'a [FoundMultifor],
    pub(crate) settings: &'a LowerSettings,
}

impl File<'_> {
    /// What bodies access decides about the offsets, legality and threads; returns the statement with its
    /// offsets, and what has to hold for threads.
    pub(crate) fn planned(
        &self,
        (position, intent): (usize, &Intent),
        multifor: Multifor,
        options: &mut CodeOptions,
        notes: &mut Vec<String>,
        budget: &Budget,
    ) -> Result<(Multifor, Vec<String>), MultiforError> {
        let has_original = self.settings.originals.is_some();
        let uses_threads = intent.parallel || intent.threads != Threads::One;
        let is_checked = intent.check || has_original || intent.offsets != OffsetChoice::Written;
        if !is_checked && !uses_threads {
            return Ok((multifor, Vec::new()));
        }
        let start = multifor.syntax.start;
        let of_sets = |error: Error| MultiforError::of_sets(start, &error);
        let reading = &self.settings.reading;
        let model = Model::of_statement(self.path, self.text, self.found, position, reading)?;
        let all = conflicts(&model, budget).map_err(of_sets)?;
        let original = match &self.settings.originals {
            Some(regions) => {
                let region = regions.get(position).ok_or_else(|| {
                    let message = format!("the sequential program has no region {}", position + 1);
                    MultiforError::new(Code::NoRegion, start, message)
                })?;
                order_in_region(&multifor, &model, region, budget)?
            }
            None => order_of_nests(&multifor, &model, budget).map_err(of_sets)?,
        };
        let orders = Orders::new(&multifor, &model, all.clone(), original.clone(), budget)
            .map_err(of_sets)?;
        let multifor = match intent.offsets {
            OffsetChoice::Written => multifor.clone(),
            choice => {
                let offsets =
                    smallest_offsets(&orders, &search(&multifor, choice, intent.threads))?;
                notes.push(format!("the smallest legal offsets are {}", offsets_text(&offsets)));
                multifor.with_offsets(&offsets, budget)?
            }
        };
        let orders = Orders::new(&multifor, &model, all, original, budget).map_err(of_sets)?;
        if is_checked {
            if let Some(pair) = orders.violation().map_err(of_sets)? {
                let what = "a multifor statement changes the order of the sequential program";
                return Err(refusal(&multifor, what, &pair));
            }
            let kept = "the order of the sequential program is kept";
            let needed = model.region.conditions.iter().map(|each| each.fact.statement());
            let needed: Vec<String> = needed.collect();
            notes.push(match needed.is_empty() {
                true => kept.to_string(),
                false => format!("{kept}, provided that {}", needed.join(", and ")),
            });
        }
        with_threads(&orders, intent, options, notes).map_err(|error| match error {
            Refused::Sets(error) => of_sets(error),
            Refused::Pair(what, pair) => refusal(&multifor, &what, &pair),
        })?;
        let conditions = match uses_threads {
            true => self.conditions(&model, start)?,
            false => Vec::new(),
        };
        Ok((multifor, conditions))
    }

    /// What has to hold so that no two iterations of any nests depend on each other.
    ///
    /// # Errors
    /// Iterations that do.
    pub(crate) fn independent(
        &self,
        position: usize,
        multifor: &Multifor,
        budget: &Budget,
    ) -> Result<Vec<String>, MultiforError> {
        let levels = multifor.root.all();
        let loops = levels.iter().flat_map(|level| {
            (0..level.loops.len()).map(|nest| (level.depth, nest)).collect::<Vec<_>>()
        });
        let loops: Vec<(usize, usize)> = loops.collect();
        let what = "the iterations of a multifor statement by ranks are not independent";
        self.without_pairs(position, multifor, what, budget, |orders| {
            let mut pair = orders.conflict_at_point(0)?;
            for (depth, nest) in &loops {
                if pair.is_none() {
                    pair = orders.carried(*depth, &[*nest])?;
                }
            }
            Ok(pair)
        })
    }

    /// What has to hold so that no iteration of a nest depends on one of another nest.
    ///
    /// # Errors
    /// Iterations that do.
    pub(crate) fn independent_nests(
        &self,
        position: usize,
        multifor: &Multifor,
        budget: &Budget,
    ) -> Result<Vec<String>, MultiforError> {
        let what = "the nests are not independent";
        self.without_pairs(position, multifor, what, budget, |orders| orders.conflict_at_point(0))
    }

    /// What has to hold for the model, if it has no pairs of a kind.
    fn without_pairs(
        &self,
        position: usize,
        multifor: &Multifor,
        what: &str,
        budget: &Budget,
        pairs: impl Fn(&Orders<'_>) -> Result<Option<ViolatedPair>, Error>,
    ) -> Result<Vec<String>, MultiforError> {
        let of_sets = |error: Error| MultiforError::of_sets(multifor.syntax.start, &error);
        let reading = &self.settings.reading;
        let model = Model::of_statement(self.path, self.text, self.found, position, reading)?;
        let all = conflicts(&model, budget).map_err(of_sets)?;
        let original = order_of_nests(multifor, &model, budget).map_err(of_sets)?;
        let orders = Orders::new(multifor, &model, all, original, budget).map_err(of_sets)?;
        match pairs(&orders).map_err(of_sets)? {
            Some(pair) => Err(refusal(multifor, what, &pair)),
            None => self.conditions(&model, multifor.syntax.start),
        }
    }

    /// What has to hold for the model, as C.
    fn conditions(&self, model: &Model, start: usize) -> Result<Vec<String>, MultiforError> {
        let needed = &model.region.conditions;
        let unclear = needed
            .iter()
            .find(|each| each.fact.declarations().is_some() || each.fact.text().is_none());
        if let Some(condition) = unclear {
            let message = "threads in a multifor statement rely on what is not checked here";
            return Err(MultiforError::new(Code::Overlap, start, message)
                .because(condition.fact.statement()));
        }
        Ok(needed.iter().filter_map(|each| each.fact.text()).collect())
    }
}

/// What is searched for a choice of offsets.
fn search(multifor: &Multifor, choice: OffsetChoice, threads: Threads) -> Search {
    let written = multifor.offsets();
    let least = match choice {
        OffsetChoice::Raised => written,
        _ => written.iter().map(|level| vec![0; level.len()]).collect(),
    };
    let parallel = match threads {
        Threads::LockStep(n_levels) => Some(n_levels),
        _ => None,
    };
    Search { least, parallel }
}

fn offsets_text(offsets: &[Vec<i64>]) -> String {
    let level = |level: &Vec<i64>| {
        let values: Vec<String> = level.iter().map(i64::to_string).collect();
        format!("({})", values.join(", "))
    };
    offsets.iter().map(level).collect::<Vec<_>>().join(" ")
}

enum Refused {
    Sets(Error),
    Pair(String, Box<ViolatedPair>),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Sets(error)
    }
}

/// Puts into `options` which threads execute what, if that is legal.
fn with_threads(
    orders: &Orders<'_>,
    intent: &Intent,
    options: &mut CodeOptions,
    notes: &mut Vec<String>,
) -> Result<(), Refused> {
    let n_nests = orders.multifor.syntax.loops.len();
    let all: Vec<usize> = (0..n_nests).collect();
    let depth = orders.multifor.root.all().iter().map(|level| level.depth + 1).max().unwrap_or(1);
    let n_levels = match intent.threads {
        Threads::One => {
            if intent.parallel {
                let depth = independent_level(orders, &all)?;
                notes.push(format!("the iterations of level {} are independent", depth + 1));
                options.parallel = vec![Some(depth); n_nests];
            } else if let Some(pair) = orders.conflict_at_point(depth)? {
                notes.push(format!("the result depends on the turn of bodies at a point: {pair}"));
            }
            return Ok(());
        }
        Threads::Sections => 0,
        Threads::LockStep(n_levels) => n_levels,
    };
    if let Some(pair) = orders.conflict_at_point(n_levels)? {
        let what = match n_levels {
            0 => "the nests of a multifor statement are not independent".to_string(),
            _ => "bodies of a multifor statement at the same point are not independent".to_string(),
        };
        return Err(Refused::Pair(what, Box::new(pair)));
    }
    options.order = Order::LockStep(n_levels);
    options.team = if intent.nowait { Team::SectionsNoWait } else { Team::Sections };
    if intent.parallel {
        options.team = Team::Shared;
        for nest in all {
            let is_independent = orders.carried(0, &[nest])?.is_none();
            options.parallel.push(is_independent.then_some(0));
        }
        let shared = options.parallel.iter().flatten().count();
        notes.push(format!("{shared} of {n_nests} nests are divided among threads"));
    }
    Ok(())
}

/// The depth of the outermost level whose iterations are independent.
fn independent_level(orders: &Orders<'_>, nests: &[usize]) -> Result<usize, Refused> {
    let depths = orders.multifor.root.all().iter().map(|level| level.depth + 1).max().unwrap_or(0);
    let mut refusal = None;
    for depth in 0..depths {
        match orders.carried(depth, nests)? {
            None => return Ok(depth),
            Some(pair) => refusal = refusal.or(Some(pair)),
        }
    }
    let what = "no loop of a multifor statement has independent iterations".to_string();
    Err(match refusal {
        Some(pair) => Refused::Pair(what, Box::new(pair)),
        None => Refused::Sets(Error::Invalid { operation: "multifor", reason: what }),
    })
}
