//! Imperfect nests as a multifor statement of perfect nests.
//!
//! Section 4 of the paper proposes this as a transformation: each statement of a region becomes a nest of its
//! own, with all loops that the deepest statement has. One with fewer loops gets inner loops of a single
//! iteration. The nests then advance together, with the smallest offsets for which the order of the region is
//! kept ([`crate::offsets`]): where `y[i]` needs all of an inner loop, it is executed while that loop runs
//! for `i + 1`. Where no constant offsets are legal there is no such statement, and the error names two
//! instances that have to stay in order.
use crate::error::MultiforError;
use crate::intent::OffsetChoice;
use crate::lower::{LoweredStatement, lowered};
use crate::nest_text::NestText;
use crate::settings::LowerSettings;
use loopwright_cfront::{Code, Diagnostic, Region, diagnostic_at, replace_regions};
use loopwright_presburger::Budget;
use loopwright_scop::Statement;
use std::path::Path;

/// A file in which multifor statements stand in place of its regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerfectNests {
    /// The text.
    pub text: String,
    /// What became of each region: the offsets, for each level, and what there is to say about them.
    pub statements: Vec<LoweredStatement>,
}

/// The text of a file with a multifor statement of perfect nests in place of each of these regions, all of
/// its own; the pragmas around regions stay. `settings` say how the file is read and how many steps each
/// statement may take.
///
/// ```
/// use loopwright_cfront::{Options, read_text};
/// use loopwright_multifor::{LowerSettings, perfect_nests};
/// let text = "void f(int n, double a[n][n], double s[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    s[i] = 0;\n    for (int j = 0; j <= i; j++)\n      s[i] += a[i][j];\n  }\n#pragma endscop\n}\n";
/// let file = read_text("f.c".as_ref(), text, &Options::default()).unwrap();
/// let regions = file.extract().unwrap();
/// let nests = perfect_nests("f.c".as_ref(), text, &regions, &LowerSettings::default()).unwrap();
/// let head = "  multifor (int i0 = 0, int i1 = 0; i0 < n, i1 < n; i0++, i1++; 1, 1; 0, 0)\n";
/// assert!(nests.text.contains(head));
/// assert!(nests.text.contains("    1: s[i1] += a[i1][j1];\n"));
/// ```
///
/// *Cost.* That of [`lowered`] with the smallest offsets.
///
/// # Errors
/// Loops with several first or last values or steps other than 1 and -1, statements whose instances are in
/// several parts, variables that are declared in the region, and orders that no constant offsets keep.
pub fn perfect_nests(
    path: &Path,
    text: &str,
    regions: &[Region],
    settings: &LowerSettings,
) -> Result<PerfectNests, Vec<Diagnostic>> {
    let budget = Budget::steps(settings.steps);
    let refused = |error: MultiforError| {
        let MultiforError { code, byte, message, reasons } = error;
        let mut diagnostic = diagnostic_at(path, text, byte, code, message);
        diagnostic.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        vec![diagnostic]
    };
    let nests = regions.iter().map(|region| nests_of(region, &budget));
    let nests: Vec<Vec<NestText>> = nests.collect::<Result<_, _>>().map_err(refused)?;
    let with_offsets = |offsets: &dyn Fn(usize, usize) -> Vec<i64>| {
        let all = regions.iter().zip(&nests).enumerate();
        let of_region = |(position, (region, nests)): (usize, (&Region, &Vec<NestText>))| {
            let levels = nests[0].loops.len();
            let offsets: Vec<Vec<i64>> =
                (0..levels).map(|level| offsets(position, level)).collect();
            (region.statement_bytes.clone(), statement_text(region, nests, &offsets))
        };
        let replacements: Vec<_> = all.map(of_region).collect();
        replace_regions(text, &replacements)
    };
    let without = with_offsets(&|position, _| vec![0; nests[position].len()]);
    let settings = LowerSettings {
        originals: Some(regions.to_vec()),
        offsets: OffsetChoice::Smallest,
        check: false,
        ..settings.clone()
    };
    let plain = lowered(path, &without, &settings)
        .map_err(|all| about_regions(all, path, text, regions))?;
    let text = with_offsets(&|position, level| plain.statements[position].offsets[level].clone());
    Ok(PerfectNests { text, statements: plain.statements })
}

/// What is wrong with statements that the user does not see, as diagnostics about the first region.
fn about_regions(
    all: Vec<Diagnostic>,
    path: &Path,
    text: &str,
    regions: &[Region],
) -> Vec<Diagnostic> {
    let byte = regions.first().map_or(0, |region| region.statement_bytes.start);
    let moved = |each: Diagnostic| {
        let message = format!("the region is no multifor statement: {}", each.message);
        let mut diagnostic = diagnostic_at(path, text, byte, each.code, message);
        diagnostic.reason = each.reason;
        diagnostic
    };
    all.into_iter().map(moved).collect()
}

/// The nests of a region, all with the same number of loops.
fn nests_of(region: &Region, budget: &Budget) -> Result<Vec<NestText>, MultiforError> {
    let refused = |message: String| {
        MultiforError::new(Code::UnsupportedStatement, region.statement_bytes.start, message)
    };
    let executed = |statement: &&Statement| !statement.is_kill;
    let statements: Vec<&Statement> = region.scop.statements.iter().filter(executed).collect();
    let depth = statements.iter().map(|statement| statement.domain.n_dims()).max();
    let Some(depth) = depth.filter(|depth| *depth > 0) else {
        return Err(refused("the region has no loops".to_string()));
    };
    if let Some(array) = region.scop.arrays.iter().find(|array| array.declared_in_scop) {
        return Err(refused(format!("`{}` is declared in the region", array.name)));
    }
    let pieces = region.scop.schedule.flat_pieces();
    let pieces =
        pieces.map_err(|error| MultiforError::of_sets(region.statement_bytes.start, &error))?;
    let nest = |(number, statement): (usize, &&Statement)| {
        NestText::new((number, statement), depth, region, &pieces, budget).map_err(|reason| {
            refused(format!("the statement at line {}", statement.location.line)).because(reason)
        })
    };
    statements.iter().enumerate().map(nest).collect()
}

/// The multifor statement, as it stands in the file.
fn statement_text(region: &Region, nests: &[NestText], offsets: &[Vec<i64>]) -> String {
    let mut text = String::new();
    let margin = &region.indentation;
    for (level, offsets) in offsets.iter().enumerate() {
        let list = |part: &dyn Fn(&NestText) -> String| {
            nests.iter().map(part).collect::<Vec<_>>().join(", ")
        };
        let is_last = level + 1 == nests[0].loops.len();
        text.push_str(&format!(
            "{margin}{:width$}multifor ({}; {}; {}; {}; {}){}\n",
            "",
            list(&|nest| nest.loops[level].first.clone()),
            list(&|nest| nest.loops[level].condition.clone()),
            list(&|nest| nest.loops[level].step.clone()),
            list(&|_| "1".to_string()),
            offsets.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
            if is_last { " {" } else { "" },
            width = 2 * level,
        ));
    }
    let width = 2 * nests[0].loops.len();
    for (number, nest) in nests.iter().enumerate() {
        text.push_str(&format!("{margin}{:width$}{number}: {}\n", "", nest.body));
    }
    text.push_str(&format!("{margin}{:width$}}}\n", "", width = width - 2));
    text
}
