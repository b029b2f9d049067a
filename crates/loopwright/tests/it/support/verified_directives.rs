//! What `verify` says of two texts of which one has a directive that the other has not: for each row of the
//! table, at each place, in each spelling, and the other way around.
#![allow(dead_code)] // each program of tests uses a part of this
use crate::support::scratch;
use loopwright::{CompileOptions, EquivalenceOptions, Status, compare_files};
use loopwright_cfront::directives::{Family, Meaning, Row};
use std::fmt::Write;
use std::path::Path;

/// Where a directive stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Inside,
    Front,
    Around,
    Callee,
    /// In front of the function.
    Function,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Line,
    Operator,
    Macro,
    Include,
}

impl Place {
    pub(crate) const IN_FUNCTIONS: [Place; 4] =
        [Place::Inside, Place::Front, Place::Around, Place::Callee];
}

impl Written {
    pub(crate) const ALL: [Written; 4] =
        [Written::Line, Written::Operator, Written::Macro, Written::Include];
}

/// A directive with the word of its family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried {
    family: Family,
    word: &'static str,
    row: &'static Row,
}

/// Directives that the preprocessor acts on, or that make every function of the file another one.
const ALONE: [&str; 14] = [
    "warning",
    "dependency",
    "error",
    "poison",
    "pch_preprocess",
    "push_macro",
    "pop_macro",
    "include_alias",
    "once",
    "system_header",
    "FENV_ACCESS",
    "FENV_ROUND",
    "FENV_DEC_ROUND",
    "fenv_access",
];

/// All directives of some families that one file can have beside each other, in that order.
pub(crate) fn tried(families: &[Family]) -> Vec<Tried> {
    let word = |family| match family {
        Family::OpenMp => "omp ",
        Family::OpenAcc => "acc ",
        Family::Gcc => "GCC ",
        Family::Clang => "clang ",
        Family::Stdc => "STDC ",
        Family::Own | Family::Other => "",
    };
    let of = |family: &Family| {
        let family = *family;
        let rows = family.rows().iter().filter(|row| !ALONE.contains(&row.name));
        rows.map(move |row| Tried { family, word: word(family), row })
    };
    let mut all: Vec<Tried> = families.iter().flat_map(of).collect();
    // Those that may hold for the functions behind them come last.
    all.sort_by_key(|own| matches!(own.row.meaning, Meaning::Setting | Meaning::Obstacle));
    all
}

impl Tried {
    /// What may be said of two texts, one of which has the directive.
    fn expected(&self, place: Place, written: Written) -> Status {
        let is_promise = self.row.name.contains("assume") && self.family == Family::OpenMp;
        let is_seen = matches!(written, Written::Line | Written::Operator);
        let shares_a_loop = ["for", "for simd", "loop"].contains(&self.row.name);
        let is_equal = match self.row.meaning {
            Meaning::Harmless => !is_promise,
            Meaning::Loop | Meaning::Hint => place == Place::Inside && is_seen,
            Meaning::TeamLoop => place == Place::Inside && is_seen && shares_a_loop,
            _ => false,
        };
        if is_equal { Status::Done } else { Status::Limit }
    }
}

/// A file with a function for each directive, with these or without.
fn program(
    all: &[Tried],
    (place, written): (Place, Written),
    has_them: bool,
    folder: &Path,
) -> String {
    let mut text = String::from("#define PRAGMA(x) _Pragma(#x)\n");
    for (number, own) in all.iter().enumerate() {
        let words = format!("{}{}", own.word, own.row.name);
        let line = match (has_them, written) {
            (false, _) => String::new(),
            (true, Written::Line) => format!("#pragma {words}\n"),
            (true, Written::Operator) => format!("_Pragma(\"{words}\")\n"),
            (true, Written::Macro) => format!("PRAGMA({words})\n"),
            (true, Written::Include) => {
                let name = format!("d{number}.inc");
                std::fs::write(folder.join(&name), format!("#pragma {words}\n")).unwrap();
                format!("#include \"{name}\"\n")
            }
        };
        let at = |own: Place| if own == place { &*line } else { "" };
        let value =
            if place == Place::Callee { format!("g{number}(a[i])") } else { "2 * a[i]".into() };
        let _ = write!(
            text,
            "static double g{number}(double x) {{\n{}  for (int k = 0; k < 3; k++)\n    x += 1;\n  return x;\n}}\n\
             {}void f{number}(int n, double a[restrict n]) {{\n{}  {{\n{}#pragma scop\n{}  \
             for (int i = 0; i < n; i++)\n    a[i] = {value};\n#pragma endscop\n  }}\n}}\n",
            at(Place::Callee),
            at(Place::Function),
            at(Place::Around),
            at(Place::Front),
            at(Place::Inside)
        );
    }
    text
}

/// Functions in one file: each region is compared with all that stands around it.
const IN_ONE_FILE: usize = 12;

/// Compares the files without directives with those that have them, and the other way around; returns how
/// many answers were looked at.
pub(crate) fn verify_all(all: &[Tried], place: Place, written: Written) -> usize {
    let parts = all.chunks(IN_ONE_FILE);
    let found: Vec<Vec<String>> = parts.map(|part| wrong_answers(part, place, written)).collect();
    let wrong: Vec<String> = found.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(9)].join("\n"));
    2 * all.len()
}

fn wrong_answers(all: &[Tried], place: Place, written: Written) -> Vec<String> {
    let folder = scratch(&format!("verified_directives_{place:?}_{written:?}"));
    let [without, with] = [false, true].map(|has_them| {
        let path = folder.join(format!("{has_them}.c"));
        std::fs::write(&path, program(all, (place, written), has_them, &folder)).unwrap();
        path
    });
    let mut wrong = Vec::new();
    for (before, after) in [(&without, &with), (&with, &without)] {
        let options = (CompileOptions::new(), EquivalenceOptions::default());
        let found = compare_files(before, after, &options.0, &options.1).unwrap();
        assert_eq!(found.regions.len(), all.len());
        for region in &found.regions {
            let own = &all[region.function[1..].parse::<usize>().unwrap()];
            let (word, name) = (own.word, own.row.name);
            if region.status() != own.expected(place, written) {
                wrong.push(format!("{place:?} {written:?} {word}{name}: {region:?}"));
            }
        }
    }
    wrong
}
