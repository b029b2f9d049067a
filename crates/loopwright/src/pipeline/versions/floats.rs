//! Floating numbers in regions of which several texts may run, on several threads.
//!
//! How numbers are rounded is state of a thread. Threads of OpenMP are made once and keep what they were made
//! with, so a loop calls them where the thread that comes to it has the state that programs start with, and
//! runs on that thread otherwise.
//!
//! Where the compiler may fuse products with sums, two texts with the same operations differ in the last
//! bits. So what clocks and threads decide must not choose between texts there.
use crate::pipeline::fused_products::may_fuse;
use crate::settings::options::CompileOptions;
use loopwright_cfront::Region;
use loopwright_scop::Scop;

/// The function that asks for the state of the thread, once for each file.
pub(crate) const HELPERS: &str = include_str!("floats.h");

/// Whether texts may differ in the last bits, once for each file.
pub(crate) const BITS: &str = include_str!("bits.h");

/// What is true where texts that have products to fuse may differ in the last bits.
pub(crate) const BITS_DIFFER: &str = "LOOPWRIGHT_BITS_DIFFER";

/// What is true where others may.
const SUMS_DIFFER: &str = "LOOPWRIGHT_SUMS_DIFFER";

/// What is true where the texts of a region may differ in the last bits, if there is such a thing.
pub(crate) fn bits_differ(scop: &Scop) -> Option<&'static str> {
    let name = || if may_fuse(scop) { BITS_DIFFER } else { SUMS_DIFFER };
    scop.computes_with_floats().then(name)
}

/// Whether the thread has the state that programs start with.
pub(crate) const IS_DEFAULT: &str = "loopwright_default_floats()";

/// The condition under which the loops of a region call threads, if there is one; the work of the region is
/// an expression of C, if it is known.
pub(crate) fn thread_condition(
    region: &Region,
    options: &CompileOptions,
    work: impl FnOnce() -> Option<String>,
) -> Option<String> {
    let (embedding, scop) = (&options.embedding, &region.scop);
    if region.is_fragment() {
        // There is no place for the function that asks.
        return scop.computes_with_floats().then(|| "0".to_string());
    }
    scop.computes_with_floats()
        .then(|| embedding.shares(may_fuse(scop), work).unwrap_or_else(|| IS_DEFAULT.to_string()))
}

/// What the declarations in front of a file need for its code.
pub(crate) fn helpers(code: &str) -> String {
    let floats = if code.contains(IS_DEFAULT) { HELPERS } else { "" };
    let asks = code.contains(BITS_DIFFER) || code.contains(SUMS_DIFFER);
    let bits = if asks { BITS } else { "" };
    format!("{floats}{bits}")
}

/// What is said about a text, if it asks for the state of the thread.
pub(crate) fn sentence(code: &str) -> Option<String> {
    let asks = code.contains("if(loopwright_");
    asks.then(|| {
        "checked at run time: numbers are rounded as programs start with, as other threads do; otherwise one thread runs all. \
         Assumed: exception flags of other threads are not looked at (this file does not)"
            .to_string()
    })
}
