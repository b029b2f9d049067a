//! The library of OpenMP where objects ask for it.
use crate::cc::command_line::{CommandLine, Part};
use crate::cc::flags::Kind;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A name that transformed objects with threads have, and no others.
const NAME: &[u8] = b"loopwright_has_threads";

/// The name of what they call, for objects from which names of functions that others do not see were taken
/// out.
const CALLED: &[u8] = b"GOMP_loop_ull_doacross_static_start";

/// The words of a command line that link the library of GCC, also where it is referred to weakly only.
pub(super) fn words() -> Vec<OsString> {
    ["-Wl,--push-state,--no-as-needed", "-lgomp", "-Wl,--pop-state"].map(OsString::from).to_vec()
}

/// Whether an object or archive of the command line has been transformed and uses threads if it can.
pub(super) fn is_wanted(line: &CommandLine) -> bool {
    let objects = line.parts.iter().filter_map(|part| match part {
        Part::Input(path) => Some(PathBuf::from(path)),
        _ => None,
    });
    objects.chain(archives(line)).any(|path| has_threads(&path))
}

fn has_threads(path: &Path) -> bool {
    let contains = |bytes: &[u8], name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    std::fs::read(path).is_ok_and(|bytes| contains(&bytes, CALLED) || contains(&bytes, NAME))
}

/// The archives that `-lNAME` may lead to, in the folders of the command line.
fn archives(line: &CommandLine) -> Vec<PathBuf> {
    let values = |start: &str| -> Vec<String> {
        let linking = line.words(|kind| kind == Kind::Linking);
        let mut found = Vec::new();
        let mut words = linking.iter().filter_map(|word| word.to_str());
        while let Some(word) = words.next() {
            match word.strip_prefix(start) {
                Some("") => found.extend(words.next().map(String::from)),
                Some(value) => found.push(value.to_string()),
                None => {}
            }
        }
        found
    };
    let libraries = values("-l");
    let folders = values("-L");
    let paths = folders.iter().flat_map(|folder| {
        libraries.iter().map(move |name| Path::new(folder).join(format!("lib{name}.a")))
    });
    paths.filter(|path| path.is_file()).collect()
}
