//! The steps of `whole_pass`: from C text to a model, and from a schedule to C text with its proofs.
use loopwright_astgen::{FreshNames, Options, generate};
use loopwright_backend::{Layout, Synchronisation, Target, VectorPragma, print_region};
use loopwright_cfront::{Region, SourceFile, replace_regions};
use loopwright_dataflow::{Dependences, untagged};
use loopwright_presburger::{Budget, Result, Space, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::ScheduleConstraints;
use loopwright_verify::{check_ast, check_parallel_loops, check_printed, check_schedule};

/// More than the examples need; what runs longer than this ends with an error.
pub fn budget() -> Budget {
    Budget::steps(20_000_000)
}

/// The only region of a C text.
///
/// # Panics
/// If the text has another number of regions, or one that is refused.
pub fn region_of(text: &str) -> Region {
    let regions = SourceFile::from_text("example.c", text).extract().expect("a region");
    let [region] = <[Region; 1]>::try_from(regions).expect("one region");
    region
}

/// What a scheduler has to respect: values that are read, and elements that are overwritten.
pub fn constraints(region: &Region, dependences: &Dependences) -> Result<ScheduleConstraints> {
    let instances = region.scop.statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), instances);
    let Dependences { flow, forced, false_nearest, .. } = dependences;
    let validity = untagged(flow.iter().chain(forced).chain(false_nearest))?;
    Ok(ScheduleConstraints {
        coincidence: validity.clone(),
        proximity: untagged(flow.iter().chain(false_nearest))?,
        validity,
        ..ScheduleConstraints::on_domain(domain, region.scop.context.clone())
    })
}

/// The C text with the region in the order of the tree, if all of it is proved.
///
/// # Panics
/// If something is refuted or not proved.
pub fn proved_text(
    text: &str,
    region: &Region,
    dependences: &Dependences,
    tree: &ScheduleTree,
) -> Result<String> {
    let scop = &region.scop;
    let order = check_schedule(scop, dependences, tree, &budget())?;
    assert!(order.is_proved(), "the order: {order:?}");
    let threads = check_parallel_loops(scop, dependences, tree, &budget())?;
    assert!(threads.is_proved(), "parallel loops: {threads:?}");

    let options = Options { conditional_bounds: false, ..Options::STANDARD };
    let ast = generate(tree, &scop.context, &options, &budget())?;
    let loops = check_ast(&ast, tree, &scop.context, &budget())?;
    assert!(loops.is_proved(), "loops: {loops:?}");

    let layout = Layout {
        target: Target::OpenMp,
        vector_pragma: VectorPragma::OpenMp,
        vector_bytes: 0,
        synchronisation: Synchronisation::PointToPoint,
        asks_for_work: true,
        indentation: &region.indentation,
        unused: &[],
    };
    let names = FreshNames::new((*region.used_names).clone());
    let printed = print_region(scop, &ast, &layout, names)?;
    let read_back = check_printed(scop, &ast, &printed.text, &budget())?;
    assert!(read_back.proof.is_some_and(|proof| proof.is_proved()), "the text");

    let code = region.in_place(&printed.text, text);
    Ok(replace_regions(text, &[(region.bytes.clone(), code)]))
}
