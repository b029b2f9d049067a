//! What a file says about floating-point state, which each thread has for itself: exception flags, rounding,
//! traps.
//!
//! How numbers are rounded is asked when the program runs, in front of loops on threads. Flags that other
//! threads raise do not arrive in the thread that looks at them, so where a file names what reads flags, its
//! regions stay as they are; so do those that change the state themselves, between operations that depend on
//! it. Words are looked for in all of the text but system headers, also in strings (instructions of the
//! machine, names for the linker).
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::directives::Directive;
use crate::text::located::diagnostic_at;
use crate::text::preprocess::CleanText;
use std::ops::Range;

/// What looks at exception flags, or says that somebody does.
const READS_FLAGS: Words = Words {
    names: &[
        "fetestexcept",
        "fegetexceptflag",
        "fegetenv",
        "feholdexcept",
        "feupdateenv",
        "feclearexcept",
        "_mm_getcsr",
        "__builtin_ia32_stmxcsr",
        "__builtin_aarch64_get_fpsr",
        "__builtin_aarch64_get_fpsr64",
    ],
    instructions: &[
        "stmxcsr", "vstmxcsr", "fnstsw", "fstsw", "fnstenv", "fstenv", "fnsave", "fsave", "fxsave",
        "fxsave64", "xsave", "xsave64", "fpsr", "fpscr", "fflags", "frflags", "fcsr",
    ],
};

/// What changes how a thread computes.
const SETS_MODES: Words = Words {
    names: &[
        "fesetround",
        "fesetenv",
        "fesetmode",
        "feenableexcept",
        "fedisableexcept",
        "feraiseexcept",
        "fesetexceptflag",
        "_mm_setcsr",
        "__builtin_ia32_ldmxcsr",
        "__builtin_aarch64_set_fpcr",
        "__builtin_aarch64_set_fpcr64",
    ],
    instructions: &[
        "ldmxcsr",
        "vldmxcsr",
        "fldcw",
        "fldenv",
        "frstor",
        "fninit",
        "finit",
        "fxrstor",
        "fxrstor64",
        "xrstor",
        "fpcr",
        "fsrm",
    ],
};

/// Names of functions, and of instructions and registers, which mean something in strings only.
struct Words {
    names: &'static [&'static str],
    instructions: &'static [&'static str],
}

impl Words {
    /// The places where a text has one of the words.
    fn places<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (usize, &'static str)> + 't {
        let found = |name: &'static str| places(text, name).map(move |byte| (byte, name));
        let named = self.names.iter().flat_map(move |name| found(name));
        let instructions = self.instructions.iter().flat_map(move |name| found(name));
        named.chain(instructions.filter(|(byte, _)| is_quoted(text, *byte)))
    }
}

/// The function of results of this program, which only asks for the modes.
const OWN: (&str, &str) = ("loopwright_default_floats(void) {", "\n}");

/// What a file says about the state of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadState {
    /// Where something first reads flags, with its name.
    flags: Option<(usize, String)>,
    /// Whether something sets modes.
    sets_modes: bool,
}

impl ThreadState {
    /// Reads a file with these directives.
    pub(crate) fn of_file(clean: &CleanText, directives: &[Directive]) -> ThreadState {
        let text = &*clean.text;
        let own = text.find(OWN.0).map(|start| {
            let length = text[start..].find(OWN.1).unwrap_or(text.len() - start);
            start..start + length
        });
        let is_own = |byte: usize| own.as_ref().is_some_and(|own| own.contains(&byte));
        let first = READS_FLAGS.places(text).filter(|(byte, _)| !is_own(*byte)).min();
        let access = || {
            let found = directives.iter().find(|directive| allows_access(directive))?;
            Some((found.start, "FENV_ACCESS"))
        };
        let flags = first.or_else(access).map(|(byte, name)| (byte, name.to_string()));
        let sets_modes = SETS_MODES.places(text).any(|(byte, _)| !is_own(byte));
        ThreadState { flags, sets_modes }
    }

    /// Why a region that computes with floating numbers is refused; `calls` says whether it calls functions
    /// of the file.
    pub(crate) fn obstacle(
        &self,
        clean: &CleanText,
        region: &Range<usize>,
        calls: impl FnOnce() -> bool,
    ) -> Option<Diagnostic> {
        if let Some((byte, name)) = &self.flags {
            let message = format!("exception flags are looked at: {name}");
            let found = diagnostic_at(clean, Code::ThreadState, *byte, message);
            return Some(found.because(
                "each thread has flags of its own: those that other threads raise would not be seen",
            ));
        }
        if !self.sets_modes {
            return None;
        }
        let own = clean.text.get(region.clone()).unwrap_or("");
        let (byte, name) = match SETS_MODES.places(own).next() {
            Some((byte, name)) => (region.start + byte, name),
            None if calls() => (region.start, "a function of the file that it calls"),
            None => return None,
        };
        let message = format!("rounding, traps or flags may change inside of the region: {name}");
        let found = diagnostic_at(clean, Code::ThreadState, byte, message);
        Some(found.because("a model has no order between this and operations on floating numbers"))
    }
}

/// Where a name stands as a word of its own.
fn places<'t>(text: &'t str, name: &'static str) -> impl Iterator<Item = usize> + 't {
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let bytes = text.as_bytes();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !is_word(before) && !is_word(bytes.get(at + name.len()))
    })
}

/// Whether a byte is in a string of its line.
fn is_quoted(text: &str, byte: usize) -> bool {
    let before = text.get(..byte).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.matches('"').count() % 2 == 1
}

/// Whether a directive is `#pragma STDC FENV_ACCESS ON`, or what other compilers have for it.
fn allows_access(directive: &Directive) -> bool {
    let upper = directive.text.to_ascii_uppercase();
    upper.contains("FENV_ACCESS") && !upper.contains("OFF") && !upper.contains("DEFAULT")
}
