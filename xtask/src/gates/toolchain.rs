//! The promised version of Rust, and a target that is no system.
use super::workspace::{Package, read_toml};
use crate::repository;
use std::path::Path;
use std::process::{Command, Stdio};

/// The target of web assembly without a system.
const WEB_ASSEMBLY: &str = "wasm32-unknown-unknown";

/// The crates that are no libraries for it: tests, tools, programs.
const NOT_FOR_WEB_ASSEMBLY: [&str; 2] = ["testkit", "xtask"];

/// Looks whether the promised version of Rust is the one of the compiler here, so that every other check is
/// one of the promise.
///
/// A newer compiler tells nothing about it, which is a remark, and a failure where `LOOPWRIGHT_REQUIRE` says
/// that nothing may be left out.
pub(super) fn promised_version() -> Result<String, String> {
    let manifest = read_toml(&repository::root().join("Cargo.toml"))?;
    let package = manifest.get("workspace").and_then(|table| table.get("package"));
    let promised = package.and_then(|table| table.get("rust-version")?.as_str());
    let promised = promised.ok_or("no version is promised")?;
    let output = Command::new("rustc").arg("--version").current_dir(repository::root()).output();
    let output = output.map_err(|e| format!("cannot run rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let here = text.split_whitespace().nth(1).ok_or("rustc does not say its version")?;
    if is_release_of(here, promised) {
        return Ok(format!("everything is compiled with Rust {here}, and {promised} is promised"));
    }
    let remark = format!("left out: {promised} is promised, and this is Rust {here}");
    match std::env::var("LOOPWRIGHT_REQUIRE").is_ok_and(|list| list == "all") {
        true => Err(remark),
        false => Ok(format!("{remark} (lints guard it)")),
    }
}

/// Whether a full version is one of a version of two numbers.
fn is_release_of(full: &str, promised: &str) -> bool {
    full.strip_prefix(promised).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Compiles the libraries for web assembly, the compiler without what needs a system.
pub(super) fn web_assembly(packages: &[Package]) -> Result<String, String> {
    if !has_target() {
        return Err(format!("the target {WEB_ASSEMBLY} is not installed"));
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

#[cfg(test)]
mod tests {
    use super::is_release_of;

    #[test]
    fn a_promise_is_a_prefix_of_whole_numbers() {
        assert!(is_release_of("1.95.0", "1.95") && is_release_of("1.95.2-nightly", "1.95"));
        assert!(!is_release_of("1.97.0", "1.95") && !is_release_of("1.95.0", "1.9"));
    }
}
