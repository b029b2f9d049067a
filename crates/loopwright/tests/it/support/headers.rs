//! What programs for devices are built with on the processor: probed and compiled once for all tests of a
//! program.
use super::needs::Probe;
use super::scratch;
use loopwright_testkit::emulation::write_headers;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};

fn shell(folder: &Path, command: &str) -> Output {
    Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch("headers").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The headers of the emulation that counts, compiled for these flags.
pub(crate) fn of_counting(flags: &str) -> PathBuf {
    compiled(flags, "counting", |folder| write_headers(folder).unwrap())
}

/// Those of `tests/emulation`.
pub(crate) fn of_threads(flags: &str) -> PathBuf {
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emulation");
    compiled(flags, "threads", |folder| {
        assert!(shell(folder, &format!("cp {from}/*.h .")).status.success());
    })
}

/// Flags and kind of what was compiled, and where it is.
type Compiled = HashMap<(String, &'static str), PathBuf>;

fn compiled(flags: &str, kind: &'static str, write: impl FnOnce(&Path)) -> PathBuf {
    static ALL: OnceLock<Mutex<Compiled>> = OnceLock::new();
    // A test that failed here leaves nothing that is wrong.
    let all = ALL.get_or_init(Mutex::default).lock();
    let mut all = all.unwrap_or_else(|own| own.into_inner());
    let key = (flags.to_string(), kind);
    if let Some(folder) = all.get(&key) {
        return folder.clone();
    }
    let folder = folder(&format!("{kind}{}", all.len()));
    write(&folder);
    let output = shell(&folder, &format!("g++ {flags} -w -x c++-header cuda_runtime.h"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    all.insert(key, folder.clone());
    folder
}

/// Whether there is a platform of OpenCL (packages `ocl-icd-opencl-dev`, `pocl-opencl-icd`).
pub(crate) fn has_opencl() -> bool {
    static OPENCL: Probe = Probe::new("OpenCL");
    OPENCL.is_there(|| {
        let folder = folder("opencl");
        let probe = "#include <CL/cl.h>\nint main(void) { cl_uint n = 0; return clGetPlatformIDs(0, 0, &n) || !n; }\n";
        std::fs::write(folder.join("probe.c"), probe).unwrap();
        let build = "gcc -DCL_TARGET_OPENCL_VERSION=120 probe.c -o probe -lOpenCL && ./probe";
        shell(&folder, build).status.success()
    })
}

/// Whether programs can be built with ThreadSanitizer.
pub(crate) fn has_sanitizer() -> bool {
    static SANITIZER: Probe = Probe::new("ThreadSanitizer");
    SANITIZER.is_there(|| {
        let probe = "echo 'int main() {}' > p.cpp && g++ -fsanitize=thread p.cpp -o p && ./p";
        shell(&folder("sanitizer"), probe).status.success()
    })
}
