//! How a signal ends this process: what it has started ends as well, and nothing is left of temporary files.
//!
//! One thread waits for the signals that ask for the end (SIGINT, SIGTERM, SIGHUP). It ends all processes
//! below this one, removes what [`crate::scratch`] lists, and lets the signal do what it does by default, so
//! that whoever waits for this process sees how it ended. What was ignored when the process began stays
//! ignored (`nohup`).
use crate::scratch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether the process ends because of a signal.
static ENDS: AtomicBool = AtomicBool::new(false);

/// From now on signals that ask for the end leave no process and no temporary file behind.
pub fn end_in_order() {
    #[cfg(unix)]
    on_signals(|signal| end(signal));
}

/// From now on signals that ask for the end also end what the compiler and the like do below this process,
/// but for what has a group of processes of its own, which is somebody else's affair. That goes on until this
/// process ends: what sees a process end may start the next one.
pub(crate) fn end_those_in_group() {
    #[cfg(unix)]
    on_signals(|_| {
        let group = |process| rustix::process::getpgid(process).ok();
        let own = group(None);
        loop {
            for process in below(std::process::id()) {
                if own.is_some() && group(Some(process)) == own {
                    let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
                }
            }
            std::thread::sleep(PAUSE);
        }
    });
}

/// Calls a function in a thread of its own for each signal that asks for the end and is not ignored.
#[cfg(unix)]
fn on_signals(act: fn(i32)) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let wanted = wanted.filter(|signal| (ignored >> (signal - 1)) & 1 == 0);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    let handle = signals.handle();
    let waits = move || signals.forever().for_each(act);
    // Without a thread signals do what they do by default.
    if std::thread::Builder::new().stack_size(1 << 18).spawn(waits).is_err() {
        handle.close();
    }
}

/// Returns at once, or never where a signal is ending this process: its exit status is that of the signal.
pub fn wait_for_end() {
    while ENDS.load(Ordering::SeqCst) {
        std::thread::park_timeout(Duration::from_secs(1));
    }
}

/// The signals that this process ignores, one bit each.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Between two looks at what is still there.
#[cfg(unix)]
const PAUSE: Duration = Duration::from_millis(10);

/// So often processes are asked to end before they are made to, and looked at at all.
#[cfg(unix)]
const ASKED: usize = 50;
#[cfg(unix)]
const MOST_LOOKS: usize = 200;

#[cfg(unix)]
fn end(signal: i32) -> ! {
    ENDS.store(true, Ordering::SeqCst);
    let left = scratch::closed();
    // Whoever loses its parent in the meantime is a child of this process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let mut quiet = 0;
    for look in 0..MOST_LOOKS {
        let below = below(std::process::id());
        // Another thread that sees its process end may start one more.
        quiet = if below.is_empty() { quiet + 1 } else { 0 };
        if quiet == 2 {
            break;
        }
        for process in below {
            let how = match look < ASKED {
                true => rustix::process::Signal::TERM,
                false => rustix::process::Signal::KILL,
            };
            let _ = rustix::process::kill_process(process, how);
        }
        std::thread::sleep(PAUSE);
    }
    left.remove();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

/// The processes below one that have not ended, as the system lists them; none where it does not.
#[cfg(unix)]
fn below(process: u32) -> Vec<rustix::process::Pid> {
    let Ok(listed) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in listed.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(number) = name.parse::<u32>() else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // `NUMBER (NAME) STATE PARENT ..`, where the name may have any characters.
        let words = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let mut words = words.split_ascii_whitespace();
        let has_ended = matches!(words.next(), None | Some("Z" | "X"));
        if let Some(parent) = words.next().and_then(|word| word.parse().ok())
            && !has_ended
        {
            parents.push((number, parent));
        }
    }
    let mut found = vec![process];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        at += 1;
        found.extend(parents.iter().filter(|(_, other)| *other == parent).map(|(one, _)| *one));
    }
    let pid = |number: &u32| rustix::process::Pid::from_raw(i32::try_from(*number).ok()?);
    found[1..].iter().filter_map(pid).collect()
}
