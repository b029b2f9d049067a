//! What a compiler says about itself and its flags.
use crate::cc::cache::{sealed, unsealed};
use crate::cc::command_line::CommandLine;
use crate::cc::flags::Kind;
use crate::tune::digest::Digest;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a compiler with its flags makes code for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) is_clang: bool,
    /// Whether pragmas of OpenMP have a meaning.
    pub(super) openmp: bool,
    /// Whether sums of floating point numbers may be computed in any order.
    pub(super) reassociates: bool,
    /// Bytes of a vector register.
    pub(super) vector_bytes: u64,
    /// Vector registers that instructions can name.
    pub(super) vector_registers: u64,
    /// Whether a multiplication and an addition are one instruction.
    pub(super) fused_multiply_add: bool,
    /// The macros that generated code asks for.
    pub(super) macros: Vec<&'static str>,
}

/// The macros that generated code asks for.
const ASKED_FOR: [&str; 14] = [
    "__clang__",
    "__AVX512F__",
    "__x86_64__",
    "__i386__",
    "__aarch64__",
    "__linux__",
    "__LP64__",
    "__APPLE__",
    "__SSE__",
    "__riscv_flen",
    "__FAST_MATH__",
    "__STRICT_ANSI__",
    "__FP_FAST_FMA",
    "__FP_FAST_FMAF",
];

impl Target {
    /// Asks the compiler, or a folder that remembers the answer.
    ///
    /// # Errors
    /// Why nothing is transformed.
    pub(super) fn of(line: &CommandLine, folder: Option<&Path>) -> Result<Target, String> {
        let flags = line.words(|kind| matches!(kind, Kind::Other | Kind::Standard));
        let file = folder.zip(key(line.own_compiler(), &flags));
        let file = file.map(|(folder, key)| (folder.join(format!("compiler-{}", key.hex())), key));
        let known = file.as_ref().and_then(|(file, key)| {
            let text = std::fs::read_to_string(file).ok()?;
            unsealed(*key, &text).map(str::to_string)
        });
        if let Some(Ok(target)) = known.map(|text| Target::from_macros(&text)) {
            return Ok(target);
        }
        let text = predefined(line.own_compiler(), &flags)?;
        if let Some((file, key)) = file {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = crate::output::write_whole(&file, sealed(key, &text));
        }
        Target::from_macros(&text)
    }

    fn from_macros(text: &str) -> Result<Target, String> {
        let definitions = text.lines().filter_map(|line| {
            let rest = line.strip_prefix("#define ")?;
            Some(rest.split_once(' ').unwrap_or((rest, "")))
        });
        let macros: BTreeMap<&str, &str> = definitions.collect();
        let has = |name: &str| macros.contains_key(name);
        if !has("__GNUC__") {
            return Err("the compiler is neither GCC nor Clang".to_string());
        }
        for (name, value) in
            [("__SIZEOF_LONG__", "8"), ("__SIZEOF_INT__", "4"), ("__SIZEOF_POINTER__", "8")]
        {
            if macros.get(name) != Some(&value) {
                return Err(format!("{name} is not {value}"));
            }
        }
        if has("__CHAR_UNSIGNED__") || !has("__SIZEOF_INT128__") || !has("__OPTIMIZE__") {
            return Err("types are others, or it does not optimize".to_string());
        }
        let vector_bytes = match () {
            () if has("__AVX512F__") => 64,
            () if has("__AVX__") => 32,
            () => 16,
        };
        Ok(Target {
            is_clang: has("__clang__"),
            openmp: has("_OPENMP"),
            reassociates: has("__FAST_MATH__") || has("__ASSOCIATIVE_MATH__"),
            vector_bytes,
            vector_registers: if has("__AVX512F__") || has("__aarch64__") { 32 } else { 16 },
            fused_multiply_add: has("__FMA__") || has("__ARM_FEATURE_FMA"),
            macros: ASKED_FOR.into_iter().filter(|name| has(name)).collect(),
        })
    }
}

/// The macros that are defined before a file begins.
fn predefined(compiler: &OsStr, flags: &[OsString]) -> Result<String, String> {
    let mut command = Command::new(compiler);
    command.args(flags).args(["-w", "-E", "-dM", "-x", "c", "/dev/null"]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => Err("the compiler does not say what it defines".to_string()),
    }
}

/// What the answer depends on: the program (by its place, size and time) and the flags.
fn key(compiler: &OsStr, flags: &[OsString]) -> Option<Digest> {
    let identity = identity(compiler)?;
    let words = flags.iter().map(|flag| flag.to_string_lossy());
    Some(words.fold(Digest::EMPTY.text(&identity), |digest, word| digest.text(&word)))
}

/// Which program a compiler is.
pub(super) fn identity(compiler: &OsStr) -> Option<String> {
    let path = found(compiler)?;
    let data = std::fs::metadata(&path).ok()?;
    let time = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", path.display(), data.len(), time.as_nanos()))
}

/// The file of a program.
fn found(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return std::fs::canonicalize(path).ok();
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).find_map(|folder| std::fs::canonicalize(folder.join(path)).ok())
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn macros_say_what_code_is_for() {
        let usual = "#define __GNUC__ 12\n#define __SIZEOF_LONG__ 8\n#define __SIZEOF_INT__ 4\n\
            #define __SIZEOF_POINTER__ 8\n#define __SIZEOF_INT128__ 16\n#define __OPTIMIZE__ 1\n";
        let target = Target::from_macros(usual).unwrap();
        assert_eq!((target.vector_bytes, target.openmp, target.is_clang), (16, false, false));
        assert_eq!(target.vector_registers, 16);
        let more =
            format!("{usual}#define __AVX__ 1\n#define __FAST_MATH__ 1\n#define _OPENMP 201511\n");
        let target = Target::from_macros(&more).unwrap();
        assert_eq!((target.vector_bytes, target.openmp, target.reassociates), (32, true, true));
        let widest = Target::from_macros(&format!("{usual}#define __AVX512F__ 1\n")).unwrap();
        assert_eq!((widest.vector_bytes, widest.vector_registers), (64, 32));
        let small = usual.replace("LONG__ 8", "LONG__ 4");
        assert_eq!(Target::from_macros(&small).unwrap_err(), "__SIZEOF_LONG__ is not 8");
        assert!(Target::from_macros("").is_err());
    }
}
