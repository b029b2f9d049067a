//! The projected dataflow of the repository's programs against the dependences of the model in which
//! conditions on data are parts of statements: nothing may be added between statements that both models have.
use loopwright_cfront::{Options, Region, read_file};
use loopwright_dataflow::{Dependences, ParametricFlow, ReadFlow};
use loopwright_presburger::{Budget, Map};
use loopwright_scop::{Scop, Statement};
use std::path::{Path, PathBuf};

/// Steps for the analysis of a region.
const STEPS: u64 = 30_000_000;

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) n_regions: usize,
    pub(crate) n_pairs: usize,
    /// Relations that have fewer pairs than those of today.
    pub(crate) n_smaller: usize,
    /// Relations that have pairs which those of today have not.
    pub(crate) added: Vec<String>,
    /// Regions with filters.
    pub(crate) n_filtered: usize,
    /// Regions without a model with filters, and for which a limit was reached.
    pub(crate) not_analysed: Vec<String>,
}

/// The C files of a folder beside this crate.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

/// The statement of another model that stands at the same place in as many loops, if that is clear.
fn same<'a>(statement: &Statement, scop: &Scop, other: &'a Scop) -> Option<&'a Statement> {
    let is_it = |candidate: &&Statement| {
        (candidate.location, candidate.domain.n_dims())
            == (statement.location, statement.domain.n_dims())
            && candidate.is_kill == statement.is_kill
    };
    let clear = scop.statements.iter().filter(is_it).count() == 1;
    let mut found = other.statements.iter().filter(is_it);
    found.next().filter(|_| clear && found.next().is_none())
}

/// Compares all regions of the files of a folder.
pub(crate) fn compare(folder: &str, into: &mut Comparison) {
    for path in files(folder) {
        let options = Options { autodetect: true, ..Options::default() };
        let Ok(source) = read_file(&path, &options) else { continue };
        let Ok(coarser) = source.extract_each() else { continue };
        let Ok(finer) = source.clone().with_filters().extract_each() else { continue };
        for region in finer {
            let name = path.file_name().unwrap().to_string_lossy();
            let region = match region {
                Ok(region) => region,
                Err(refused) => {
                    let why = &refused.diagnostics[0].message;
                    into.not_analysed.push(format!("{name}:{}: {why}", refused.first_line));
                    continue;
                }
            };
            let is_same = |other: &&Region| other.first_line == region.first_line;
            if let Some(coarser) = coarser.iter().flatten().find(is_same) {
                compare_region(&region, coarser, &name, into);
            }
        }
    }
}

fn compare_region(finer: &Region, coarser: &Region, name: &str, into: &mut Comparison) {
    let filtered = finer.filtered_scop();
    into.n_regions += 1;
    into.n_filtered += usize::from(!filtered.evaluations().is_empty());
    let started = std::time::Instant::now();
    let flow = ParametricFlow::of_filtered_scop(&filtered, &Budget::steps(STEPS));
    if std::env::var_os("LOOPWRIGHT_SHOW_PROGRAMS").is_some() {
        eprintln!(
            "{name}:{} {:.3} s {}",
            finer.first_line,
            started.elapsed().as_secs_f64(),
            flow.is_ok()
        );
    }
    let Ok(flow) = flow else {
        into.not_analysed.push(format!("{name}:{}: limit", finer.first_line));
        return;
    };
    let today = Dependences::of_scop(&coarser.scop, &Budget::unlimited()).unwrap();
    for read in &flow.reads {
        compare_read(read, (finer, coarser), &today, name, into);
    }
}

fn compare_read(
    read: &ReadFlow,
    (finer, coarser): (&Region, &Region),
    today: &Dependences,
    name: &str,
    into: &mut Comparison,
) {
    let (scop, other) = (&finer.scop, &coarser.scop);
    let Some(sink) = same(scop.statement(read.statement), scop, other) else { return };
    let is_single = read.reads.n_dims() == sink.domain.n_dims();
    let array = &scop.array(read.array).tuple_name;
    for disjunct in read.projected(&Budget::unlimited()).unwrap() {
        let (loopwright_dataflow::Origin::Write(statement, _), Some(relation)) =
            (disjunct.origin, disjunct.relation)
        else {
            continue;
        };
        let Some(source) = same(scop.statement(statement), scop, other) else { continue };
        let between = today.flow.iter().filter(|d| {
            (d.source.0, d.sink.0) == (source.id, sink.id)
                && other.array(d.array).tuple_name == *array
        });
        let space = source.domain.space().map_to(sink.domain.space());
        let known =
            between.fold(Map::empty(space.clone()), |all, d| all.union(&d.relation).unwrap());
        if !is_single {
            continue;
        }
        let found = relation.reverse().with_space_tuples(&space).unwrap();
        let budget = Budget::steps(STEPS);
        let Ok(is_within) = found.is_subset(&known, &budget) else { continue };
        let line = scop.statement(read.statement).location.line;
        if !is_within {
            into.added.push(format!("{name}: line {line}, {array}: {found} was {known}"));
            continue;
        }
        into.n_pairs += 1;
        into.n_smaller += usize::from(!known.is_subset(&found, &budget).unwrap_or(true));
    }
}

#[test]
fn projections_add_nothing_to_the_dependences_of_examples() {
    let mut found = Comparison::default();
    compare("examples", &mut found);
    assert!(found.n_regions >= 5 && found.n_pairs >= 5, "{found:?}");
    assert!(found.added.is_empty(), "{:#?}", found.added);
}
