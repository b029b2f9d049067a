//! What needs another toolchain or target; left out, with a word, where that is not installed.
use super::workspace::{Package, read_toml};
use crate::repository;
use std::path::Path;
use std::process::{Command, Stdio};

/// The target of web assembly without a system.
const WEB_ASSEMBLY: &str = "wasm32-unknown-unknown";

/// The crates that are no libraries for it: tests and tools.
const NOT_FOR_WEB_ASSEMBLY: [&str; 2] = ["testkit", "xtask"];

/// Compiles everything with the oldest version of Rust that is promised.
///
/// Where it is not installed, `clippy::incompatible_msrv` still guards what the standard library has.
pub(super) fn promised_version() -> Result<String, String> {
    let manifest = read_toml(&repository::root().join("Cargo.toml"))?;
    let package = manifest.get("workspace").and_then(|table| table.get("package"));
    let version = package.and_then(|table| table.get("rust-version")?.as_str());
    let version = version.ok_or("no version is promised")?;
    let Some(toolchain) = installed_toolchain(version) else {
        return Ok(format!("left out, since no toolchain {version} is installed (lints guard it)"));
    };
    // A folder of its own: the usual one would be compiled anew for each of the two compilers.
    let target = repository::root().join("target/promised-version");
    let rustup_cargo = ["run", &toolchain, "cargo", "check", "--workspace", "--quiet"];
    let mut command = Command::new("rustup");
    command.args(rustup_cargo).env("CARGO_TARGET_DIR", target);
    succeeds(&mut command)?;
    Ok(format!("everything compiles with Rust {version}"))
}

/// The name of the installed toolchain of a version.
fn installed_toolchain(version: &str) -> Option<String> {
    let output = Command::new("rustup").args(["toolchain", "list"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_version = |name: &&str| {
        let rest = name.strip_prefix(version);
        rest.is_some_and(|rest| rest.starts_with(['-', '.']))
    };
    text.lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(is_version)
        .map(String::from)
}

/// Compiles the libraries for web assembly, the compiler without what needs a system.
pub(super) fn web_assembly(packages: &[Package]) -> Result<String, String> {
    if !has_target() {
        return Ok(format!("left out, since the target {WEB_ASSEMBLY} is not installed"));
    }
    // What needs a system has to be a feature that can be left out.
    let needs_system = |package: &Package| {
        let features = package.table("features").is_some_and(|table| table.contains_key("default"));
        package.name == "loopwright" && !features
    };
    let libraries = packages.iter().filter(|package| {
        !needs_system(package)
            && !NOT_FOR_WEB_ASSEMBLY.contains(&package.name.as_str())
            && package.folder.join("src/lib.rs").exists()
    });
    let names: Vec<&str> =
        libraries.filter_map(|package| package.table("package")?.get("name")?.as_str()).collect();
    let mut command = Command::new(env!("CARGO"));
    command.args(["check", "--quiet", "--lib", "--no-default-features", "--target", WEB_ASSEMBLY]);
    for name in &names {
        command.args(["-p", name]);
    }
    succeeds(&mut command)?;
    Ok(format!("{} libraries compile", names.len()))
}

/// Whether the standard library of the target is there.
fn has_target() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    output.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_string();
        Path::new(&sysroot).join("lib/rustlib").join(WEB_ASSEMBLY).join("lib").exists()
    })
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    command.current_dir(repository::root()).stdin(Stdio::null());
    let output = command.output().map_err(|e| format!("cannot run {command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
