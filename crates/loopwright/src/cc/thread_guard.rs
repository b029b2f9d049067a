//! Whether threads can be used where the library of OpenMP may be missing, and whether they gain at this
//! moment.
//!
//! The program that an object becomes a part of may be linked without that library, and by somebody else. So
//! all that is called of it is weak: where it is missing, the addresses are null, and the regions run as they
//! were. Where it is there, threads are used if two of them really run: a program may have functions of its
//! own with names of OpenMP. After a `fork` the library has no threads any more and would wait for them, so
//! the child uses none.
//!
//! The first call of threads creates them, which takes a hundred microseconds on one machine and ten
//! milliseconds on another. A program that is done before must not pay that. So regions run as they were
//! until they have done work, all together, for which the creation is cheap; a region that has so much at
//! once is not kept waiting.
//!
//! Where other processes have the cores, each thread waits in turn for one that does not run, milliseconds
//! instead of one microsecond. That is found out by calling threads for nothing, at most once a millisecond:
//! where this takes long, the regions run as they were for a while, and twice as long the next time.
use crate::pipeline::versions::floats::{BITS, HELPERS};
use crate::settings::embedding::ThreadGuard;
use std::fmt::Write;

/// The functions in front of code with threads; their last argument is the work of the region, in operations.
///
/// Where texts may differ in the last bits, code that computes with floating numbers is entered whenever the
/// library is there, which does not change while a program runs, and its loops ask whether there are threads
/// for them. Elsewhere the region runs as it was without threads, which may be faster on one core.
pub(super) const GUARD: ThreadGuard = ThreadGuard {
    has_threads: "loopwright_has_threads",
    enters: "loopwright_calls_threads",
    shares: "loopwright_shares",
};

/// Microseconds that regions run as they were, all together, before threads are created. On two cores of a
/// virtual machine the creation took 3 to 11 ms, each later call of threads 1 to 15 µs.
const TIME_BEFORE_THREADS: u64 = 100_000;

/// Operations, one per access, of a region that does not wait for that: 30 ms of fast ones.
const WORK_FOR_THREADS: u64 = 400_000_000;

/// A microsecond has at least so many operations, also where memory is slow: the time between two entries of
/// regions counts as that of the first region up to what its operations can take.
const SLOW_OPERATIONS: u64 = 500;

/// Microseconds in which a call of threads that are awake has to come back: more than 64 threads take, and
/// far less than the scheduler lets a process keep a core.
const PROMPT: u64 = 50;

/// Microseconds for which an answer holds.
const HOLDS: u64 = 1_000;

/// Microseconds without threads after they were late for the first time, and at most.
const PAUSES: (u64, u64) = (20_000, 1_280_000);

/// Microseconds that the first call of threads may take: the threads are new.
const CREATION: u64 = 20_000;

/// Operations of a region for each microsecond that it may wait for threads: about a twentieth of its time.
const WORK_OF_A_MICROSECOND: u64 = 80_000;

/// What GCC calls for the pragmas of generated code.
const GCC: &[&str] = &[
    "GOMP_parallel",
    "GOMP_barrier",
    "GOMP_atomic_start",
    "GOMP_atomic_end",
    "GOMP_critical_start",
    "GOMP_critical_end",
    "GOMP_loop_end",
    "GOMP_loop_end_nowait",
    "GOMP_loop_dynamic_start",
    "GOMP_loop_dynamic_next",
    "GOMP_loop_nonmonotonic_dynamic_start",
    "GOMP_loop_nonmonotonic_dynamic_next",
    "GOMP_loop_ull_dynamic_start",
    "GOMP_loop_ull_dynamic_next",
    "GOMP_loop_ull_nonmonotonic_dynamic_start",
    "GOMP_loop_ull_nonmonotonic_dynamic_next",
    "GOMP_loop_guided_start",
    "GOMP_loop_guided_next",
    "GOMP_loop_nonmonotonic_guided_start",
    "GOMP_loop_nonmonotonic_guided_next",
    "GOMP_parallel_loop_static",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
    "GOMP_loop_doacross_static_start",
    "GOMP_loop_static_next",
    "GOMP_loop_ordered_static_next",
    "GOMP_loop_ull_doacross_static_start",
    "GOMP_loop_ull_static_next",
    "GOMP_doacross_post",
    "GOMP_doacross_wait",
    "GOMP_doacross_ull_post",
    "GOMP_doacross_ull_wait",
    "GOMP_ordered_start",
    "GOMP_ordered_end",
    "GOMP_single_start",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_max_threads",
    "omp_in_parallel",
];

/// Declarations in front of a translation unit, with a marker in front, on as few lines as can be.
///
/// What decides about threads is kept even where the compiler finds that nobody asks: names are weak only
/// where somebody refers to them, and the code with threads may be kept although it cannot be reached.
pub(super) fn declarations() -> String {
    let mut text = String::from("# 1 \"<loopwright>\" 3\n");
    for name in GCC {
        text.push_str(&format!(
            "extern int loopwright_{name} (void) __asm__ (\"{name}\") __attribute__ ((weak));\n"
        ));
    }
    let all: Vec<String> = GCC.iter().map(|name| format!("loopwright_{name}")).collect();
    let names = all.join(" && ");
    text.push_str(STATE);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "static __attribute__ ((noinline, cold, unused)) int loopwright_are_prompt (double loopwright_operations) {{\n\
         double loopwright_from = loopwright_omp_get_wtime (), loopwright_last = loopwright_from, loopwright_now;\n\
         do {{\n\
         int loopwright_seen = 0;\n\
         #pragma omp parallel shared (loopwright_seen)\n\
         if (loopwright_omp_get_num_threads () >= 2 && loopwright_omp_get_thread_num () == 1) loopwright_seen = 1;\n\
         if (!loopwright_seen) return -1;\n\
         loopwright_now = loopwright_omp_get_wtime ();\n\
         if (loopwright_now - loopwright_last < {PROMPT}e-6) return 1;\n\
         if (loopwright_last == loopwright_from && loopwright_now - loopwright_last < 1e-3) loopwright_operations += {HOLDS}.0 * {WORK_OF_A_MICROSECOND};\n\
         loopwright_last = loopwright_now;\n\
         }} while ((loopwright_now - loopwright_from) * 1e6 * {WORK_OF_A_MICROSECOND} < loopwright_operations);\n\
         return 0;\n\
         }}\n\
         static __attribute__ ((noinline, cold, unused)) int loopwright_ask_threads (double loopwright_operations) {{\n\
         int loopwright_answer = loopwright_are_prompt (loopwright_operations), loopwright_pause = __atomic_load_n (&loopwright_late, 0);\n\
         long long loopwright_now = (long long) (loopwright_omp_get_wtime () * 1e6);\n\
         if (loopwright_answer < 0) __atomic_store_n (&loopwright_owner, -1, 3);\n\
         if (!loopwright_pause) loopwright_pause = {least};\n\
         if (loopwright_answer > 0) {{ __atomic_store_n (&loopwright_late, 0, 0); __atomic_store_n (&loopwright_until, loopwright_now + {HOLDS}, 0); return 1; }}\n\
         __atomic_store_n (&loopwright_until, -(loopwright_now + loopwright_pause), 0);\n\
         if (loopwright_pause < {most}) __atomic_store_n (&loopwright_late, 2 * loopwright_pause, 0);\n\
         return 0;\n\
         }}\n\
         static __attribute__ ((noinline, cold, unused)) int loopwright_first_threads (int loopwright_self, double loopwright_operations) {{\n\
         long long loopwright_now, loopwright_time, loopwright_most;\n\
         if (!({names})) {{ __atomic_store_n (&loopwright_owner, -1, 3); return 0; }}\n\
         if (loopwright_omp_in_parallel () || loopwright_omp_get_max_threads () < 2) return 0;\n\
         if (loopwright_operations < {WORK_FOR_THREADS}.0) {{\n\
         loopwright_now = (long long) (loopwright_omp_get_wtime () * 1e6);\n\
         loopwright_time = loopwright_now - __atomic_exchange_n (&loopwright_until, loopwright_now, 0);\n\
         loopwright_most = __atomic_exchange_n (&loopwright_work, loopwright_operations > 0 ? (long long) loopwright_operations / {SLOW_OPERATIONS} : 0, 0);\n\
         if (__atomic_add_fetch (&loopwright_late, (int) (loopwright_time < loopwright_most ? loopwright_time : loopwright_most), 0) < {TIME_BEFORE_THREADS}) return 0;\n\
         }}\n\
         __atomic_store_n (&loopwright_late, 0, 0);\n\
         __atomic_store_n (&loopwright_until, 0, 0);\n\
         __atomic_store_n (&loopwright_owner, loopwright_self, 3);\n\
         return loopwright_ask_threads ({CREATION}.0 * {WORK_OF_A_MICROSECOND});\n\
         }}\n\
         static __attribute__ ((used)) int loopwright_has_threads (double loopwright_operations) {{\n\
         int loopwright_known = __atomic_load_n (&loopwright_owner, 2), loopwright_self;\n\
         long long loopwright_limit, loopwright_now;\n\
         if (loopwright_known < 0) return 0;\n\
         loopwright_self = loopwright_getpid ();\n\
         if (!loopwright_known) return loopwright_first_threads (loopwright_self, loopwright_operations);\n\
         if (loopwright_known != loopwright_self || loopwright_omp_in_parallel ()) return 0;\n\
         loopwright_limit = __atomic_load_n (&loopwright_until, 0);\n\
         loopwright_now = (long long) (loopwright_omp_get_wtime () * 1e6);\n\
         if (loopwright_limit < 0 ? loopwright_now < -loopwright_limit : loopwright_now < loopwright_limit) return loopwright_limit > 0;\n\
         return loopwright_ask_threads (loopwright_operations);\n\
         }}\n\
         static __attribute__ ((noinline, cold, unused)) int loopwright_ask_library (void) {{\n\
         int loopwright_seen = 0;\n\
         if ({names}) {{\n\
         #pragma omp parallel if (0) shared (loopwright_seen)\n\
         loopwright_seen = loopwright_omp_get_num_threads () == 1;\n\
         }}\n\
         __atomic_store_n (&loopwright_library, loopwright_seen ? 1 : -1, 0);\n\
         return loopwright_seen;\n\
         }}\n\
         {HELPERS}{BITS}\
         static __attribute__ ((unused)) int loopwright_calls_threads (int loopwright_fuses, double loopwright_operations) {{\n\
         int loopwright_known = __atomic_load_n (&loopwright_library, 0);\n\
         if (!(loopwright_fuses ? LOOPWRIGHT_BITS_DIFFER : LOOPWRIGHT_SUMS_DIFFER)) return loopwright_default_floats () && loopwright_has_threads (loopwright_operations);\n\
         return loopwright_known ? loopwright_known > 0 : loopwright_ask_library ();\n\
         }}\n\
         static __attribute__ ((unused)) int loopwright_shares (int loopwright_fuses, double loopwright_operations) {{\n\
         return !(loopwright_fuses ? LOOPWRIGHT_BITS_DIFFER : LOOPWRIGHT_SUMS_DIFFER) || (loopwright_default_floats () && loopwright_has_threads (loopwright_operations));\n\
         }}\n",
        least = PAUSES.0,
        most = PAUSES.1,
    );
    text
}

/// What all translation units of a program know together: the process with threads (-1 if there cannot be
/// any); until when an answer holds (below zero: that there are none), before there are threads when a region
/// was last entered; how long the next pause is, before how long regions took; whether the library is there
/// (-1 if not); and the most that the last region took.
const STATE: &str = "\
    extern int loopwright_getpid (void) __asm__ (\"getpid\");\n\
    extern double loopwright_omp_get_wtime (void) __asm__ (\"omp_get_wtime\") __attribute__ ((weak));\n\
    __attribute__ ((weak, visibility (\"hidden\"))) int loopwright_owner, loopwright_late, loopwright_library;\n\
    __attribute__ ((weak, visibility (\"hidden\"))) long long loopwright_until, loopwright_work;\n";
