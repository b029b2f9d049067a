//! The subcommands and their options, those that take programs in C here and the others in
//! [`super::tool_tables`]: one table, from which help, completions and the manual page are made, and by which
//! names are checked.
use super::table::{Choices, CommandTable, Row, Value};
use super::tool_tables::{CALC, COLOR, COLOR_ONLY, COMPLETIONS, FLOW, MACHINE, MAN, SCHEDULE};
use Value::{File, Folder, Nothing, Text, Words};

/// All subcommands, in the order of help.
pub(super) const COMMANDS: &[&CommandTable] = &[
    &COMPILE,
    &CC,
    &TUNE,
    &REPORT,
    &EXPLAIN,
    &SCALABILITY,
    &STORAGE,
    &DATAFLOW,
    &VERIFY,
    &CODEGEN,
    &FLOW,
    &SCHEDULE,
    &MACHINE,
    &CALC,
    &COMPLETIONS,
    &MAN,
];

/// The table of a subcommand.
pub(super) fn command(name: &str) -> Option<&'static CommandTable> {
    COMMANDS.iter().copied().find(|command| command.name == name)
}

const MESSAGE_FORMATS: &[&str] = &["text", "json", "sarif"];
const FORMATS: &[&str] = &["openscop", "jscop", "pet"];
const STRATEGIES: &[&str] = &["components", "separation", "kelly-pugh", "bounding-box", "hull"];

/// How a C file is preprocessed.
const PREPROCESSING: &[Row] = &[
    Row::letter('I', "", Folder("DIR"), "a folder with headers, as for the C compiler"),
    Row::of_compilers("isystem", Folder("DIR"), "a folder with headers of the system"),
    Row::letter('D', "", Text("NAME[=VALUE]"), "a macro"),
    Row::letter('U', "", Text("NAME"), "no such macro"),
    Row::of_compilers("include", File("FILE"), "a file that comes before the text"),
    Row::of_compilers("std", Text("STANDARD"), "the version of C, such as c99 or gnu17"),
];

/// What is said about a program.
const FACTS: &[Row] = &[
    Row::new("assume-no-alias", Nothing, "pointers that may lead to the same memory never do"),
    Row::new("pure", Text("NAME,..."), "functions that change nothing and have no output"),
    Row::new(
        "ctx",
        Text("'[n] -> { : n > 1 }'"),
        "what holds for symbolic constants, as a set in isl's notation",
    ),
    Row::new("assume-non-negative-parameters", Nothing, "symbolic constants are not negative"),
    Row::new(
        "assume-readable",
        Nothing,
        "arrays have elements for all iterations of loops that end early, up to their bounds",
    ),
    Row::new(
        "machine",
        File("FILE"),
        "the machine that the code is to be fast on, as printed by `loopwright machine`; facts that FILE does not \
         give are those of this machine",
    ),
];

/// What runs of the program tell.
const PROFILES: &[Row] = &[
    Row::new(
        "profile-gen",
        Nothing,
        "write the program as it was with what measures its regions, by values of integers in front of them; \
         when it ends it writes a profile, see docs/profiles.md",
    ),
    Row::new(
        "profile-file",
        File("FILE"),
        "the name of that profile, to which the number of the process is added (default loopwright.profile; \
         $LOOPWRIGHT_PROFILE_FILE when the program runs)",
    ),
];

/// What is made of what they have told.
const PROFILE_USE: &[Row] = &[
    Row::new(
        "profile-use",
        File("FILE"),
        "make versions for the values that took the time, as profiles of this name tell, of all processes and \
         as often as needed; a folder stands for its files",
    ),
    Row::new(
        "profile-share",
        Text("PERCENT"),
        "the least share of a region's time for a version of its own (default 10)",
    ),
    Row::new("profile-versions", Text("N"), "the most versions for values of a region (default 4)"),
];

/// How much there is to compute and to move.
const AMOUNTS: &[Row] = &[
    Row::new(
        "amounts",
        Nothing,
        "also report how much regions compute and touch: operations, elements, cache lines, see docs/reports.md",
    ),
    Row::new(
        "sizes",
        Text("NAME=VALUE,..."),
        "values of symbolic constants: with --amounts, also report values there, what limits the region, and how evenly \
         threads share its loops; or, with --target cuda or opencl, sizes of kernels in isl's notation: \
         '{ kernel[0] -> tile[64, 32]; kernel[i] -> block[16, 8] }', see docs/devices.md",
    ),
];

/// How messages are printed.
const MESSAGES: &[Row] = &[
    Row::letter('q', "quiet", Nothing, "print nothing but errors and results"),
    Row::letter('v', "verbose", Nothing, "also print the settings and the time of each stage"),
    COLOR,
    Row::new(
        "message-format",
        Words(MESSAGE_FORMATS),
        "how errors, warnings and notes are printed on the standard error: text (default), a line of JSON for each, \
         or one SARIF log",
    ),
];

/// The choices of a compilation.
const CHOICES: &[Row] = &[
    Row::new(
        "target",
        Words(&["c", "openmp", "cuda", "opencl"]),
        "sequential C, or C with OpenMP pragmas (default); or a second file with kernels, and calls of it",
    ),
    Row::new(
        "device",
        Text("NAME|FILE"),
        "with --target cuda or opencl: the device that kernels are to be fast on, hopper, ampere, ada or generic (default), or \
         a description as printed by `loopwright machine --device NAME`",
    ),
    Row::switch(
        "device-always",
        "regions run on the device whatever their sizes are; otherwise small ones run on the processor as they were",
    ),
    Row::switch(
        "embed-kernels",
        "with --target opencl: kernels are in the code itself, and there is no second file",
    ),
    Row::switch(
        "unified-memory",
        "memory of the device is such that the host has it as well, so that there may be more than the device has",
    ),
    Row::switch(
        "overlap-copies",
        "with --target cuda or opencl: copies have streams of their own, and kernels wait for what they need alone",
    ),
    Row::switch(
        "pinned-memory",
        "with --target cuda: arrays stay in their pages while the device copies them",
    ),
    Row::new(
        "tile-sizes",
        Text("32,32,32"),
        "tile sizes, outermost loop first; loops beyond are as the last; none and default are sizes as well",
    ),
    Row::new("tile-factors", Text("8"), "tiles of so many tiles along each loop, too"),
    Row::new(
        "tile-model",
        Words(&["default", "fixed", "footprint", "sica"]),
        "how tile sizes are chosen: 32 and, for the vector loop, 256 (default, fixed); by what tiles load into each \
         cache; or by SICA, with",
    ),
    Row::new(
        "sica-levels",
        Words(&["1", "2"]),
        "the vector loop or also the outermost other loop tiled (default 2),",
    ),
    Row::new(
        "sica-share",
        Text("0.9"),
        "the share of the first level cache that a tile fills, and",
    ),
    Row::new(
        "sica-blocks",
        Words(&["own", "min", "max"]),
        "sizes by block, or the least or greatest of them for all",
    ),
    Row::new("no-tile", Nothing, "no tiling"),
    Row::new(
        "tiling",
        Words(&[
            "default",
            "pipelined",
            "tube",
            "diamond",
            "trapezoid",
            "molecular",
            "hexagonal",
            "overlapped",
            "cache-oblivious",
            "auto",
        ]),
        "the shape of tiles, see docs/tilings.md: a region has such tiles or is refused, and nothing is asked about gain",
    ),
    Row::new(
        "concurrent-start",
        Words(&["partial", "full", "none"]),
        "tiles of time loops are diamonds that start at the same time along one dimension of the data (default), \
         along all, or not",
    ),
    Row::switch(
        "parametric-tiles",
        "the sizes of tiles are chosen when the program runs, see docs/tilings.md",
    ),
    Row::new(
        "synchronisation",
        Words(&["point-to-point", "barrier", "tasks"]),
        "how tiles wait that need others of earlier rows and steps (default point-to-point): for single tiles, at the ends of diagonals, \
         or as tasks of OpenMP",
    ),
    Row::switch("no-point-to-point", "tiles on diagonals wait at barriers, not for each other"),
    Row::switch(
        "no-register-tiles",
        "no further tiles inside of these that keep results in registers",
    ),
    Row::new(
        "vector-pragma",
        Words(&["omp", "gcc", "clang"]),
        "what comes before vector loops (default omp, with --target openmp)",
    ),
    Row::new(
        "fuse",
        Words(&["model", "min", "max", "smart", "typed"]),
        "which statements share loops (default model: by estimated cost)",
    ),
    Row::switch("no-panels", "no part of a statement is computed ahead into a buffer per tile"),
    Row::switch("no-shared-memory", "kernels keep no operands in memory that a block shares"),
    Row::new(
        "max-shared-memory",
        Text("BYTES"),
        "the most shared memory that a block may have (default: what the device gives)",
    ),
    Row::switch(
        "no-device-registers",
        "nor results and elements that loops use again in registers of threads",
    ),
    Row::switch("no-time-tiles", "no launch of a kernel does several steps of a loop over time"),
    Row::switch(
        "no-streaming",
        "with --target cuda or opencl: no block of a stencil walks along one dimension of the data",
    ),
    Row::switch(
        "no-double-buffers",
        "kernels fill a tile in shared memory and then use it, and do not fill the next one meanwhile",
    ),
    Row::switch(
        "no-asynchronous-copies",
        "with --target cuda: copies into shared memory go through registers on all devices",
    ),
    Row::switch(
        "no-vector-loads",
        "with --target cuda or opencl: threads copy one element at a time, also where 16 bytes are known to be aligned",
    ),
    Row::switch(
        "no-short-subscripts",
        "with --target cuda or opencl: iterators and subscripts of kernels have 64 bits, for arrays of more than a thousand million elements",
    ),
    Row::switch(
        "no-shuffles",
        "with --target cuda and --reassociate: lanes of a warp combine values in shared memory, and not by __shfl_down_sync",
    ),
    Row::switch(
        "no-atomic-updates",
        "with --target cuda or opencl: integers at places that data decide are not updated by one instruction each, so such loops run in order",
    ),
    Row::new(
        "thread-results",
        Words(&["4", "8"]),
        "with --target cuda or opencl: the results of a thread along each of two loops where several share operands (default: both, \
         and a choice at run time)",
    ),
    Row::new(
        "tensor-cores",
        Words(&["fp64", "tf32", "no"]),
        "with --target cuda and --reassociate: what warps compute as products of matrices, where the device can do that: those of double (default \
         fp64), also those of float with factors rounded to 10 bits of mantissa (tf32), or none",
    ),
    Row::switch(
        "no-persistent-kernels",
        "each kernel is a launch; otherwise those of host loops, and those that follow each other, are one with barriers across blocks (CUDA)",
    ),
    Row::switch("no-expansion", "no scalar becomes an array with an element per point of a tile"),
    Row::new(
        "storage",
        Words(&["keep", "contract", "expand"]),
        "whether elements of arrays share cells, or arrays have copies per iteration (default keep)",
    ),
    Row::new(
        "dataflow",
        Words(&["accesses", "parametric"]),
        "which values flow where: by accesses alone (default), or also by the conditions on data around them",
    ),
    Row::switch(
        "no-group-chains",
        "statements that hand on values to each other are scheduled one by one",
    ),
    Row::switch("input-reuse", "loops are also chosen for instances that read the same value"),
    Row::new(
        "scheduler",
        Words(&["pluto", "feautrier", "none"]),
        "how loops are found (default pluto); none keeps the program's order",
    ),
    Row::switch(
        "no-reschedule",
        "no schedule is looked for: tiles and parallel loops in the program's own order",
    ),
    Row::switch(
        "no-live-range-reordering",
        "values keep their order in one place of memory, as anti and output dependences say",
    ),
    Row::switch(
        "eliminate-dead-code",
        "leave out what does not matter for what is seen after the region",
    ),
    Row::switch("reassociate", "sums, products and the like may be computed in any order"),
    Row::switch("unchanged", "regions stay as they were"),
    Row::switch(
        "always-rewrite",
        "new loops also where nothing is gained, and for all sizes; otherwise such regions stay byte for byte, and \
         small ones run as they were",
    ),
    Row::new(
        "adaptive",
        Words(&["unsure", "always", "never"]),
        "which regions are timed when they run first, new text against text as it was, to keep the faster: where the \
         model does not know (default), all or none",
    ),
    Row::new(
        "strategy",
        Words(STRATEGIES),
        "how loops are generated, see `loopwright codegen --help`; with",
    ),
    Row::new("separate-from", Text("N"), "the first and"),
    Row::new("separate-to", Text("N"), "the last dimension at which loops are cut apart,"),
    Row::new("remove-dead-loops", Nothing, "loops cut where a loop inside would be empty,"),
    Row::new("copy-cost", Text("N"), "the conditions that a copy of a statement has to save,"),
    Row::new("sequential-levels", Text("K"), "the dimensions that carry all dependences"),
];

static COMPILE: CommandTable = CommandTable {
    name: "compile",
    operands: &["FILE.c...", "-"],
    summary: "turn the regions between `#pragma scop` and `#pragma endscop` of C files into fast parallel code and \
              prove that it does the same",
    about: "\
Turns the regions between `#pragma scop` and `#pragma endscop` of FILE.c into fast parallel code
and proves that it does the same. Without -o the code of one file goes to the standard output; that of
several files goes to FILE.opt.c each. - is the standard input.",
    rows: &[
        &[
            Row::letter(
                'o',
                "output",
                File("OUT.c"),
                "write the code there (whole or not at all); the report is printed. - is the standard output, as \
                 without the option; DIR/ takes FILE.opt.c of each file",
            ),
            Row::new(
                "autodetect",
                Nothing,
                "find regions where there are no pragmas, too; with --emit also code without loops, in a file where \
                 nothing else is found",
            ),
            Row::new(
                "transform",
                Text("SCRIPT"),
                "edit the program's order, for example `interchange S0 1 2`, see docs/transform.md; `--emit mapping` \
                 shows what there is to edit",
            ),
            Row::new(
                "schedule",
                File("FILE"),
                "use this schedule if it is legal: a tree, as printed by --emit schedule, a map from instances to \
                 times, or a file of another tool (see --from)",
            ),
            Row::new(
                "from",
                Words(FORMATS),
                "the input is a model in the format of another tool instead of C: OpenScop, the JSCoP of Polly, the \
                 YAML of pet; see docs/interchange.md",
            ),
            Row::new(
                "into",
                File("FILE.c"),
                "with --from: the code takes the place of the regions of FILE.c",
            ),
            Row::new(
                "multifor",
                Words(&["guards", "separated"]),
                "how multifor statements become loops: with conditions, or one nest for each part of the domain with \
                 the same bodies (default); see docs/multifor.md",
            ),
            Row::new(
                "multifor-check",
                Text("loops|FILE.c"),
                "refuse multifor statements that change the order of their nests one after the other, or of the regions \
                 of FILE.c",
            ),
            Row::new(
                "multifor-offsets",
                Words(&["written", "smallest", "raised"]),
                "the offsets of multifor statements: as they are written (default), the smallest legal ones, or the \
                 smallest legal ones that are not smaller than those that are written",
            ),
            Row::new(
                "no-keep-going",
                Nothing,
                "write nothing if a region is refused; otherwise the others are compiled, and the exit status is 1",
            ),
            Row::new("no-verify", Nothing, "leave out the proofs"),
            Row::new("report", File("OUT.html"), "write a report, as a page or (OUT.json) as JSON"),
            Row::new(
                "scalability-report",
                Nothing,
                "also report how far the tiles scale with the data, see docs/scalability.md",
            ),
            Row::new(
                "write-choices",
                File("FILE"),
                "write all choices that were made, see docs/tuning.md",
            ),
            Row::new(
                "choices",
                File("FILE"),
                "make these choices, which come before those of other options",
            ),
            Row::new(
                "emit",
                Words(&[
                    "scop",
                    "deps",
                    "constraints",
                    "schedule",
                    "mapping",
                    "ast",
                    "code",
                    "multifor",
                    "network",
                    "network=dot",
                    "network=c",
                    "scop=openscop",
                    "scop=jscop",
                    "scop=pet",
                    "schedule=openscop",
                    "schedule=jscop",
                    "schedule=pet",
                ]),
                "what to print (default code); with a format, the model for another tool, in the program's order or \
                 with the schedule that was found",
            ),
        ],
        AMOUNTS,
        PROFILES,
        PROFILE_USE,
        FACTS,
        PREPROCESSING,
        MESSAGES,
    ],
    choices: Choices::Listed(CHOICES),
    after: "The preprocessor is `$CC -E` (default cc).",
};

static CC: CommandTable = CommandTable {
    name: "cc",
    operands: &["COMPILER ARGS..."],
    summary: "a compiler for builds: runs COMPILER, with faster loops where there are any",
    about: "\
Runs COMPILER (GCC or Clang) with its arguments, as in `CC=\"loopwright cc gcc\" make`. Sources in C that are
compiled with -O2 or more are transformed first; messages, dependency files and the exit status are those of
COMPILER itself, which also runs alone where anything is unusual. Options come before COMPILER, or from
$LOOPWRIGHT_CC_OPTIONS. docs/wrapper.md has recipes for make, CMake, Meson and ccache.",
    rows: &[
        &[
            Row::new("loopwright-report", Folder("DIR"), "write what was done with each command there, as JSON"),
            Row::new(
                "summary",
                Folder("DIR"),
                "instead of compiling: sum up the reports of a build, and write the page DIR/index.html about it",
            ),
            Row::new("time-limit", Text("SECONDS"), "the most processor time for one source (default 10)"),
            Row::new(
                "no-cache",
                Nothing,
                "results are not kept (otherwise in $LOOPWRIGHT_CACHE, or loopwright/cc in $XDG_CACHE_HOME or ~/.cache)",
            ),
            Row::new("no-verify", Nothing, "leave out the proofs"),
            Row::letter('q', "quiet", Nothing, "print nothing but what COMPILER prints"),
            Row::letter(
                'v',
                "verbose",
                Nothing,
                "print a line about the loops of each source, as $LOOPWRIGHT_VERBOSE does (on a terminal: of each \
                 source that has new loops)",
            ),
        ],
        PROFILES,
        PROFILE_USE,
        FACTS,
    ],
    choices: Choices::Named(CHOICES),
    after: "",
};

static TUNE: CommandTable = CommandTable {
    name: "tune",
    operands: &["FILE.c"],
    summary: "the same with the fastest choices that a search by compiling and running finds",
    about: "\
Looks for the fastest choices for the regions of FILE.c, which has to be a program (or a part of one,
with --with): candidates around the model's choice are compiled, run and compared with the original.
What is kept is never slower than the original. docs/tuning.md tells more.",
    rows: &[
        &[
            Row::letter('o', "output", File("OUT.c"), "write the best code there"),
            Row::new(
                "write-choices",
                File("FILE"),
                "write the best choices, for `loopwright compile --choices FILE`",
            ),
            Row::new("report", File("OUT.json"), "write all that was tried and measured"),
            Row::new("time-limit", Text("SECONDS"), "the time for all (default 60)"),
            Row::new("runs", Text("N"), "how often good candidates run (default 3)"),
            Row::new(
                "cc",
                Text("'gcc -O3 -march=native -fopenmp'"),
                "the C compiler with its flags (this is the default)",
            ),
            Row::new(
                "nvcc",
                Text("'nvcc -O3 -fmad=false'"),
                "with --target cuda: the compiler of kernels with its flags (this is the default)",
            ),
            Row::new(
                "with",
                File("FILE"),
                "another file of the program (C or object), as often as needed",
            ),
            Row::new(
                "link",
                Text("FLAG"),
                "a flag after the files, as often as needed (-lm is always there)",
            ),
            Row::new(
                "run-args",
                Text("'A B'"),
                "what the program is called with, as often as needed",
            ),
            Row::new("threads", Text("N"), "OMP_NUM_THREADS"),
            Row::new(
                "time",
                Words(&["process", "printed"]),
                "the time of the whole process (default), or the number of seconds that is the last word of the \
                 standard output",
            ),
            Row::new(
                "cache",
                Folder("DIR"),
                "where results are kept (default: loopwright/tune in $XDG_CACHE_HOME or ~/.cache)",
            ),
            Row::new("no-cache", Nothing, "results are not kept"),
            Row::new("choices", File("FILE"), "where to start, as the choices below"),
            Row::new("autodetect", Nothing, "find regions where there are no pragmas, too"),
        ],
        FACTS,
        PREPROCESSING,
        COLOR_ONLY,
    ],
    choices: Choices::Named(CHOICES),
    after: "",
};

static REPORT: CommandTable = CommandTable {
    name: "report",
    operands: &["FILE.c..."],
    summary: "list every loop with what becomes of it, or all reasons why nothing does",
    about: "\
Lists every loop of every function, with and without pragmas: whether it is parallel or tiled, or all
reasons why it is refused and what can be done about them; and how often which cause refuses loops.",
    rows: &[
        &[
            Row::letter(
                'p',
                "",
                Folder("BUILD"),
                "the sources in C that BUILD/compile_commands.json names, with the flags there, side by side",
            ),
            Row::new(
                "allow-compiler",
                Text("PROGRAM"),
                "run this program if the commands of -p name it; otherwise only known compilers on PATH",
            ),
            Row::new("autodetect", Nothing, "no effect: loops without pragmas are looked at in any case"),
            Row::new("format", Words(&["text", "json", "html"]), "how it is written (default text)"),
            Row::letter('o', "output", File("FILE"), "where it is written (standard output otherwise)"),
            Row::new(
                "time-data",
                File("FILE"),
                "lines of a profiler with a number and FILE:LINE: also say how much time loops took",
            ),
            Row::new("no-verify", Nothing, "leave out the proofs"),
        ],
        AMOUNTS,
        PROFILE_USE,
        FACTS,
        PREPROCESSING,
        MESSAGES,
    ],
    choices: Choices::Named(CHOICES),
    after: "",
};

static EXPLAIN: CommandTable = CommandTable {
    name: "explain",
    operands: &["FILE.c[:LINE]", "CF12"],
    summary: "tell why loops are or are not parallel, tilable, fused; or what a code means",
    about: "\
Tells for the loops of FILE.c, or those at a line, why they are or are not parallel, tilable and
fused: the dependence with two instances of statements, the element on which they meet and the
distance, and what became of it in the result. Or tells what the code of a diagnostic means.",
    rows: &[FACTS, PREPROCESSING, COLOR_ONLY],
    choices: Choices::Named(CHOICES),
    after: "",
};

static SCALABILITY: CommandTable = CommandTable {
    name: "scalability",
    operands: &["FILE.c"],
    summary: "tell whether tiles of a program run on as many processors as its data grow",
    about: "\
Tells for the regions of FILE.c how the longest path of tiles that wait for each other grows with each
symbolic constant, for tiles as they are, with concurrent start, and for single instances: a tiling
scales with a dimension of the data (1) or does not (0), because of its shape or of the dataflow. The
graphs for small sizes are listed, and their waves and times on some processors printed. Nothing
is compiled. See docs/scalability.md.",
    rows: &[
        &[
            Row::new("tile-size", Text("4"), "values along each member of a band in a tile"),
            Row::new(
                "tiling",
                Words(&[
                    "default",
                    "pipelined",
                    "tube",
                    "diamond",
                    "trapezoid",
                    "molecular",
                    "hexagonal",
                    "cache-oblivious",
                    "auto",
                ]),
                "only tiles of this shape, as compile --tiling makes them,",
            ),
            Row::new("tile-sizes", Text("4,16"), "with these sizes"),
            Row::new("from", Text("8"), "the value of symbolic constants; one at a time is doubled, three times"),
            Row::new("processors", Text("2,4,8"), "numbers of processors"),
            Row::new("format", Words(&["text", "json"]), "how it is printed (default text)"),
        ],
        FACTS,
        PREPROCESSING,
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "",
};

static STORAGE: CommandTable = CommandTable {
    name: "storage",
    operands: &["FILE.c"],
    summary: "tell which values of a program can share cells in tiles of any size",
    about: "\
Tells for the arrays that the regions of FILE.c write how many elements they have, at which distances
the values of each statement are read along the loops of a schedule, which vectors lead to the next
value that may be written to a cell, and how many cells that makes. Nothing is compiled: compile
with --storage contract. See docs/storage.md.",
    rows: &[
        &[Row::new("format", Words(&["text", "json"]), "how it is printed (default text)")],
        FACTS,
        PREPROCESSING,
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "",
};

static DATAFLOW: CommandTable = CommandTable {
    name: "dataflow",
    operands: &["FILE.c"],
    summary: "tell which write each read has its value from, also where control depends on data",
    about: "\
Tells for each read in the regions of FILE.c which instances of which statements have written its value.
Conditions on data, loops that end when data say so, and jumps out of loops are taken into account;
where it is not known before the program runs which instances do, the relations have parameters, whose
meaning is printed. Nothing is compiled. See docs/dataflow.md.",
    rows: &[
        &[
            Row::new("projected", Nothing, "relations without parameters: what may be the source"),
            Row::new("format", Words(&["text", "json"]), "how it is printed (default text)"),
        ],
        FACTS,
        PREPROCESSING,
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "",
};

static VERIFY: CommandTable = CommandTable {
    name: "verify",
    operands: &["BEFORE.c", "AFTER.c"],
    summary: "decide whether two programs compute the same values",
    about: "\
Decides whether the regions of AFTER.c compute the same values as those of BEFORE.c, in all elements that
matter and for all values of symbolic constants, whatever tools have made them: order, loops, temporary
variables and storage may be anything. The answer is equal (proved; exit status 0), different (with an
element, the smallest symbolic constants that show it, and the two histories; 1), or not decided (with the
cause; 3). Parallel loops of AFTER.c must carry no dependence. See docs/verify.md.",
    rows: &[
        &[
            Row::new(
                "live-out",
                Text("NAME,..."),
                "the arrays whose final values matter (default: all that may be used afterwards)",
            ),
            Row::new(
                "associative",
                Text("+,*"),
                "operators whose operands may be grouped and ordered in any way",
            ),
            Row::new(
                "layout",
                Text("'{ A[i,j] -> A[j,i] }'"),
                "elements of BEFORE.c and those of AFTER.c that stand for them",
            ),
            Row::new("timeout", Text("SECONDS"), "how long it may take for each region (default 60)"),
            Row::new("json", Nothing, "print JSON"),
        ],
        FACTS,
        PREPROCESSING,
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "",
};

static CODEGEN: CommandTable = CommandTable {
    name: "codegen",
    operands: &["FILE.in"],
    summary: "print C for a schedule in isl's notation",
    about: "\
Prints code for a schedule in isl's notation: a schedule tree (.st), or a flat schedule, a context
and options (.in). The code is checked against the schedule, by a proof or, where that takes too
long, by running it for some values of the parameters; the result is reported.",
    rows: &[
        &[
            Row::new(
                "format",
                Words(&["c", "tree", "json"]),
                "C (default), an outline of the syntax tree, or JSON",
            ),
            Row::new("no-macros", Nothing, "C without definitions of min, max and floord"),
            Row::new("no-verify", Nothing, "no check"),
            Row::new(
                "iterators",
                Text("NAME,NAME,..."),
                "names of the iterators, from the outermost loop in",
            ),
            Row::new("iterator-type", Text("TYPE"), "the C type of iterators (default: long)"),
            Row::new("always-print-block", Nothing, "braces around every body"),
            Row::new("no-outermost-block", Nothing, "no braces around the whole text"),
            Row::new(
                "assume",
                Text("'[n] -> { : n >= 8 }'"),
                "code of its own for these values of the parameters, chosen at run time",
            ),
            Row::new("no-atomic-upper-bound", Nothing, "conditions of loops may be conjunctions"),
            Row::new("no-prefer-pdiv", Nothing, "floord instead of divisions and remainders of C"),
            Row::new(
                "no-exploit-nested-bounds",
                Nothing,
                "conditions also where loops would run zero times",
            ),
            Row::new(
                "separation-bounds",
                Words(&["explicit", "implicit"]),
                "whether `separate` also cuts at bounds that follow from inner loops",
            ),
            Row::new("no-scale-strides", Nothing, "iterators keep a common factor of the schedule"),
            Row::new("no-else", Nothing, "no else"),
            Row::new("no-or", Nothing, "no disjunctions in conditions"),
            Row::new(
                "group-coscheduled",
                Nothing,
                "statements at the same point of the schedule share loops",
            ),
            Row::new(
                "detect-min-max",
                Nothing,
                "min and max instead of conditional expressions, where possible",
            ),
            Row::new("single-bounds", Nothing, "no min and max in bounds; loops are split"),
            Row::new(
                "most-pieces",
                Text("N"),
                "the most loops that the values of an innermost dimension are cut into",
            ),
            Row::new(
                "strategy",
                Words(STRATEGIES),
                "how the values of the schedule dimensions are cut into loops",
            ),
            Row::new(
                "separate-from",
                Text("N"),
                "separation, kelly-pugh: cut loops apart at dimensions N, N+1, ... (counted from 0),",
            ),
            Row::new("separate-to", Text("N"), "and before dimension N; conditions elsewhere"),
            Row::new(
                "remove-dead-loops",
                Nothing,
                "separation: split loops also where a loop inside would be empty",
            ),
            Row::new(
                "copy-cost",
                Text("N"),
                "separation: cut loops apart only where each copy of a statement saves more than N evaluations of \
                 conditions, for a typical size",
            ),
            Row::new(
                "sequential-levels",
                Text("K"),
                "separation: the first K dimensions carry all dependences; below, every statement gets a parallel \
                 nest of its own",
            ),
        ],
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "docs/codegen.md says what each of them does, with isl's names.",
};
