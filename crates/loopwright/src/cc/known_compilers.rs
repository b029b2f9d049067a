//! Which programs that a file names may be run.
//!
//! A `compile_commands.json` comes with the sources of somebody else. Of what it names only compilers are run
//! that the user has on PATH, with flags that make them run and load nothing else; or what the user has
//! allowed by its name.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Names of compilers; versions may follow them (`gcc-12`), and targets stand in front
/// (`aarch64-linux-gnu-gcc`).
const NAMES: [&str; 9] = ["cc", "gcc", "clang", "c89", "c99", "icc", "icx", "armclang", "nvc"];

/// Flags that only say how a text is read and what code is for, by how they begin.
const PLAIN: [&str; 15] = [
    "-O",
    "-g",
    "-f",
    "-m",
    "-p",
    "-std",
    "--std",
    "-ansi",
    "-undef",
    "-Q",
    "-arch",
    "-trigraphs",
    "--target",
    "-target",
    "--sysroot",
];

/// Words with a value, or alone, of the same kind.
const PLAIN_WORDS: [&str; 3] = ["-isysroot", "--param", "-v"];

/// Parts of flags that load programs, whatever they begin with.
const LOADS: [&str; 4] = ["plugin", "mapper", "-mllvm", "-print"];

/// The program to run for a compiler that a command of a folder names, with some flags.
///
/// # Errors
/// Why it is not run.
pub(super) fn program_of<'f>(
    compiler: &OsStr,
    mut flags: impl Iterator<Item = &'f OsString>,
    folder: &Path,
    allowed: &[OsString],
) -> Result<PathBuf, String> {
    let path = Path::new(compiler);
    let is_bare = path.components().count() == 1 && !compiler.to_string_lossy().contains('/');
    if allowed.iter().any(|word| word == compiler) {
        return Ok(if is_bare { path.to_path_buf() } else { folder.join(path) });
    }
    let shown = path.display();
    let name = path.file_name().unwrap_or_default();
    if !is_known(&name.to_string_lossy()) {
        return Err(format!("`{shown}` is not run: it is no compiler that is known by its name"));
    }
    let meant = folder.join(path).canonicalize();
    let on_path = |candidate: &PathBuf| match (candidate.canonicalize(), &meant) {
        (Ok(_), _) if is_bare => true,
        (Ok(found), Ok(meant)) => found == *meant,
        _ => false,
    };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    // A relative entry may lead into the folder itself.
    let folders = std::env::split_paths(&folders).filter(|entry| entry.is_absolute());
    let program = folders.map(|entry| entry.join(name)).find(on_path);
    let program = program.ok_or_else(|| format!("`{shown}` is not run: it is not on PATH"))?;
    match flags.find(|flag| !is_plain(flag)) {
        None => Ok(program),
        Some(flag) => Err(format!(
            "`{shown}` is not run: it may run or load another program because of `{}`",
            flag.to_string_lossy()
        )),
    }
}

fn is_known(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let version = |c: char| c.is_ascii_digit() || c == '.';
    let name = match name.rsplit_once('-') {
        Some((stem, digits)) if !digits.is_empty() && digits.chars().all(version) => stem,
        _ => name,
    };
    NAMES.iter().any(|known| {
        name.strip_suffix(known).is_some_and(|target| target.is_empty() || target.ends_with('-'))
    })
}

fn is_plain(flag: &OsStr) -> bool {
    let text = flag.to_string_lossy();
    let is_listed =
        PLAIN_WORDS.contains(&&*text) || PLAIN.iter().any(|start| text.starts_with(start));
    is_listed && !LOADS.iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::{is_known, is_plain};

    #[test]
    fn compilers_are_known_by_their_names() {
        for name in
            ["cc", "gcc", "gcc-12", "clang-15", "aarch64-linux-gnu-gcc-12.2", "icx", "gcc.exe"]
        {
            assert!(is_known(name), "{name}");
        }
        for name in ["cc.sh", "sh", "mygcc", "gcc-", "python3", "cc1", "-12", "gcc-latest.sh", ""] {
            assert!(!is_known(name), "{name}");
        }
    }

    #[test]
    fn flags_that_load_programs_are_not_plain() {
        for flag in ["-O2", "-fopenmp", "-march=native", "-pthread", "-isysroot", "-g"] {
            assert!(is_plain(flag.as_ref()), "{flag}");
        }
        for flag in [
            "-B.",
            "-B",
            "-fplugin=./x.so",
            "-wrapper",
            "-specs=x",
            "-Xclang",
            "-mllvm",
            "--config=x",
            "-fpass-plugin=x",
            "--gcc-toolchain=x",
            "-no-integrated-cpp",
            "--prefix=x",
        ] {
            assert!(!is_plain(flag.as_ref()), "{flag}");
        }
    }
}
