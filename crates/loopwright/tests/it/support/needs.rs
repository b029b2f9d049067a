//! Programs and libraries that some tests need besides a C compiler: a test without them does nothing, and
//! says so.
use std::io::Write;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The environment variable with what has to be there, names separated by commas, or `all`.
const REQUIRED: &str = "LOOPWRIGHT_REQUIRE";

/// Whether a program can be run.
pub(crate) fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    found || left_out(program)
}

/// Says that a test does nothing because something is missing, and how many that are by now; fails where it
/// is required.
///
/// The word goes past the capture of the test harness: tests that pass are silent otherwise.
#[track_caller]
pub(crate) fn left_out(what: &str) -> bool {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let required = std::env::var(REQUIRED).unwrap_or_default();
    assert!(!is_required(&required, what), "{what} is not there, and {REQUIRED} is `{required}`");
    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "left out ({count} so far): {test} in part or whole, without {what}");
    false
}

/// Whether a list of names has this one.
fn is_required(list: &str, what: &str) -> bool {
    list.split(',').map(str::trim).any(|name| name == "all" || name == what)
}

/// Whether something is there, asked once, and said for each test that asks.
pub(crate) struct Probe {
    what: &'static str,
    found: OnceLock<bool>,
}

impl Probe {
    pub(crate) const fn new(what: &'static str) -> Probe {
        Probe { what, found: OnceLock::new() }
    }

    pub(crate) fn is_there(&self, look: impl FnOnce() -> bool) -> bool {
        *self.found.get_or_init(look) || left_out(self.what)
    }
}

#[test]
fn a_list_of_requirements_names_what_is_missing() {
    assert!(is_required("all", "cmake") && is_required("gcc, OpenCL", "OpenCL"));
    assert!(!is_required("", "gcc") && !is_required("gcc,g++", "cc"));
}
