//! Tiles whose sizes are chosen when the program runs: a region for which they are asked has them, proved for
//! all sizes, or is refused.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::generated::{Generated, NoCode};
use crate::pipeline::loops::loops;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::print::printed;
use crate::pipeline::prove::prove_variable_tiles;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::versions::tile_variables::{TileVariable, prefix};
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{AstNode, Strategy, with_multiples};
use loopwright_cfront::Region;
use loopwright_presburger::{Error, Name};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_transform::ConcurrentStart;
use loopwright_transform::tile::full_tiles::with_full_tiles_apart;
use loopwright_transform::tile::origins::{TiledProgram, with_tile_origins};
use loopwright_verify::Proof;

/// The greatest size that the run may choose (`tile_sizes.h`).
pub(crate) const MOST_SIZE: i64 = 1 << 30;

/// The options for regions with such tiles: nothing inside of tiles, and no shape of tiles, that needs sizes
/// to be numbers; none if the options do not ask for them.
pub(crate) fn for_variable_tiles(options: &CompileOptions) -> Option<CompileOptions> {
    options.parametric_tiles.then(|| CompileOptions {
        register_tiles: false,
        panels: false,
        expansion: false,
        concurrent_start: ConcurrentStart::None,
        always_rewrite: true,
        ..options.clone()
    })
}

/// What came of a schedule.
pub(crate) enum VariableTiles {
    Taken(Box<RegionResult>),
    /// No band is tiled.
    None(Box<ScheduleChoice>),
}

/// The region with the tiles of a schedule that was transformed for them.
///
/// # Errors
/// If there is no code for them, or not all is proved, with the reason.
pub(crate) fn in_variable_tiles(
    analysed: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> Result<VariableTiles, Failure> {
    let region = &analysed.region;
    let failed = |error: &Error| Failure::in_stage("tiles of variable sizes", error);
    let variables = variables(region, &chosen).map_err(|error| failed(&error))?;
    if variables.is_empty() {
        let note =
            "there are no tiles of variable sizes: no band of two loops or more may be permuted";
        chosen.notes.push(note.to_string());
        return Ok(VariableTiles::None(Box::new(chosen)));
    }
    let refused = |reason: String| {
        let line = region.first_line;
        Failure::refused(format!(
            "the region at line {line} has no tiles of variable sizes: {reason}"
        ))
    };
    let marked = chosen.tree.clone();
    let tiled = run.time(Stage::Transform, || with_tile_origins(&region.scop, &marked));
    let TiledProgram { scop, tree } = tiled.map_err(|error| failed(&error))?;
    let apart = run.time(Stage::Transform, || with_full_tiles_apart(&marked, &tree));
    let apart = apart.map_err(|error| failed(&error))?;
    let of_tree = |tree: ScheduleTree, chosen: &ScheduleChoice| {
        proved_loops(analysed, (&marked, &scop), tree, chosen, run)
    };
    let found = match apart {
        Some(apart) => match of_tree(apart, &chosen) {
            Ok(found) if found.is_proved() => Ok(found),
            _ => {
                chosen.notes.push(
                    "full tiles have no loops of their own: a limit was reached for these".into(),
                );
                of_tree(tree, &chosen)
            }
        },
        None => of_tree(tree, &chosen),
    };
    let TiledLoops { tree, ast, strategy, note, proofs } = found.map_err(|error| failed(&error))?;
    chosen.settled.strategy = strategy;
    chosen.notes.extend(note);
    chosen.notes.push(sentence(&variables));
    if let Some((claim, proof)) = proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return Err(refused(format!("it is not proved that {claim}")).with_notes(reasons(proof)));
    }
    let generated = Generated { scop, tree, ast, proofs, loops: None };
    let result = printed(analysed, chosen, generated, run).map_err(|reason| match reason {
        NoCode::Failed(failure) => failure,
        other => refused(other.to_string()),
    })?;
    let result = RegionResult { tile_variables: variables, ..result };
    Ok(VariableTiles::Taken(Box::new(result)))
}

/// The loops of a tree with the origins of tiles, and their proofs.
struct TiledLoops {
    tree: ScheduleTree,
    ast: AstNode,
    strategy: Strategy,
    note: Option<String>,
    proofs: Proofs,
}

impl TiledLoops {
    fn is_proved(&self) -> bool {
        self.proofs.iter().all(|(_, proof)| proof.is_proved())
    }
}

/// The loops of `tree`, of the program with origins; `marked` is the tree of the program without.
fn proved_loops(
    analysed: &Analysed,
    (marked, scop): (&ScheduleTree, &Scop),
    tree: ScheduleTree,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> loopwright_presburger::Result<TiledLoops> {
    let found = run.time(Stage::Ast, || loops(scop, &tree, chosen.settled.strategy, run.effort()));
    let (ast, strategy, note) = found?;
    let ast = with_multiples(ast);
    let proofs = match run.options.verify {
        true => {
            let prove = || prove(analysed, marked, &scop.context, &ast, run.effort());
            run.time(Stage::Verify, prove)?
        }
        false => Vec::new(),
    };
    Ok(TiledLoops { tree, ast, strategy, note, proofs })
}

fn prove(
    analysed: &Analysed,
    tree: &ScheduleTree,
    context: &loopwright_presburger::Set,
    ast: &AstNode,
    effort: &Effort,
) -> loopwright_presburger::Result<Proofs> {
    prove_variable_tiles(&analysed.region.scop, &analysed.dependences, tree, (context, ast), effort)
}

/// The sizes that a tree needs, with the least ones that its bands are estimated with.
fn variables(
    region: &Region,
    chosen: &ScheduleChoice,
) -> loopwright_presburger::Result<Vec<TileVariable>> {
    let prefix = prefix(region);
    let mut names: Vec<Name> =
        chosen.tree.origin_loops()?.into_iter().flat_map(|loops| loops.sizes).collect();
    names.sort();
    names.dedup();
    let member = |name: &Name| name.strip_prefix(&*prefix)?.strip_prefix('_')?.parse().ok();
    let variable = |name: Name| {
        let member: usize = member(&name)?;
        let bands = chosen.bands.bands.iter();
        let sizes = bands.filter_map(|band| band.tile_sizes.get(member).copied());
        Some(TileVariable { name, member, otherwise: sizes.min().unwrap_or(1).min(MOST_SIZE) })
    };
    let mut variables: Vec<TileVariable> = names.into_iter().filter_map(variable).collect();
    variables.sort_by_key(|variable| variable.member);
    Ok(variables)
}

fn sentence(variables: &[TileVariable]) -> String {
    let sizes: Vec<String> =
        variables.iter().map(|v| format!("{} = {}", v.name, v.otherwise)).collect();
    format!(
        "the sizes of tiles are chosen when the program runs (LOOPWRIGHT_TILES, loopwright_tile_sizes); otherwise {}",
        sizes.join(", ")
    )
}

fn reasons(proof: &Proof) -> Vec<String> {
    match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        Proof::OutOfBudget(operation) => vec![format!("a limit was reached in {operation}")],
        Proof::Proved => Vec::new(),
    }
}
