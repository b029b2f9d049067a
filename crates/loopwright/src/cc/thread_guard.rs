//! Whether threads can be used where the library of OpenMP may be missing.
//!
//! The program that an object becomes a part of may be linked without that library, and by somebody else. So all that is
//! called of it is weak: where it is missing, the addresses are null, and the regions run as they were. Where it is there,
//! threads are used if two of them really run: a program may have functions of its own with names of OpenMP. After a `fork`
//! the library has no threads any more and would wait for them, so the child uses none.

/// The condition in front of code with threads.
pub(super) const CONDITION: &str = "loopwright_has_threads()";

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
/// What decides about threads is kept even where the compiler finds that nobody asks: names are weak only where
/// somebody refers to them, and the code with threads may be kept although it cannot be reached.
pub(super) fn declarations() -> String {
    let mut text = String::from("# 1 \"<loopwright>\" 3\n");
    for name in GCC {
        text.push_str(&format!(
            "extern int loopwright_{name} (void) __asm__ (\"{name}\") __attribute__ ((weak));\n"
        ));
    }
    let all: Vec<String> = GCC.iter().map(|name| format!("loopwright_{name}")).collect();
    text.push_str("extern int loopwright_getpid (void) __asm__ (\"getpid\");\n");
    text.push_str(&format!(
        "static __attribute__ ((noinline, cold, unused)) int loopwright_threads (int loopwright_self, int *loopwright_owner) {{\n\
         int loopwright_seen = 0;\n\
         if (!({})) {{ __atomic_store_n (loopwright_owner, -1, 3); return 0; }}\n\
         if (loopwright_omp_in_parallel ()) return 0;\n\
         if (loopwright_omp_get_max_threads () < 2) return 0;\n\
         #pragma omp parallel num_threads (2) shared (loopwright_seen)\n\
         if (loopwright_omp_get_num_threads () == 2 && loopwright_omp_get_thread_num () == 1) loopwright_seen = 1;\n\
         __atomic_store_n (loopwright_owner, loopwright_seen ? loopwright_self : -1, 3);\n\
         return loopwright_seen;\n\
         }}\n\
         static __attribute__ ((used)) int loopwright_has_threads (void) {{\n\
         static int loopwright_owner;\n\
         int loopwright_known = __atomic_load_n (&loopwright_owner, 2), loopwright_self;\n\
         if (loopwright_known < 0) return 0;\n\
         loopwright_self = loopwright_getpid ();\n\
         if (loopwright_known) return loopwright_known == loopwright_self && !loopwright_omp_in_parallel ();\n\
         return loopwright_threads (loopwright_self, &loopwright_owner);\n\
         }}\n",
        all.join(" && ")
    ));
    text
}
