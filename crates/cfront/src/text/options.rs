//! How a file is preprocessed and read.
use std::ffi::OsString;
use std::path::PathBuf;

/// How to preprocess.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler command: a path, or words as a shell takes them; `$CC` or `cc`.
    pub cc: String,
    /// Whether the result is compiled with OpenMP, which programs see in `_OPENMP`.
    pub openmp: bool,
    /// Folders for `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Folders for `-isystem`.
    pub system_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE` for `-D`.
    pub defines: Vec<String>,
    /// Names for `-U`.
    pub undefines: Vec<String>,
    /// Files for `-include`.
    pub included: Vec<PathBuf>,
    /// The version of C for `-std=`.
    pub standard: Option<String>,
    /// Whether variables that may be the same memory are taken to be different; each such pair is an
    /// assumption of the region.
    pub assume_no_alias: bool,
    /// Functions that change nothing and have no output, as if they were declared with
    /// `__attribute__((pure))`.
    pub pure_functions: Vec<String>,
    /// Whether regions are also found where there are no pragmas.
    pub autodetect: bool,
    /// Whether regions without loops are found in a file in which no region is found otherwise.
    pub without_loops: bool,
    /// Whether conditions on data are kept apart from the statements under them, as filters
    /// ([`Region::filtered_scop`](crate::Region::filtered_scop)). Such a model is for analysis only.
    pub filters: bool,
    /// Whether a quotient whose rounding a condition makes one towards minus infinity (`floord`, `ceild` of
    /// other tools) is one case and not two, and one of a number that the loops around say is not negative:
    /// models have fewer pieces then.
    pub folds_floors: bool,
    /// Whether values of integers are followed in such a model, so that they are not read where they are
    /// known.
    pub follows_values: bool,
    /// Whether directives decide about regions ([`directives`](crate::directives)). Where they are read
    /// otherwise, models are those of the text without them.
    pub directives_decide: bool,
}

impl Default for Options {
    fn default() -> Self {
        let cc = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty());
        Options {
            cc: cc.unwrap_or_else(|| "cc".to_string()),
            openmp: true,
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            defines: Vec::new(),
            undefines: Vec::new(),
            included: Vec::new(),
            standard: None,
            assume_no_alias: false,
            pure_functions: Vec::new(),
            autodetect: false,
            without_loops: false,
            filters: false,
            folds_floors: false,
            follows_values: true,
            directives_decide: true,
        }
    }
}

impl Options {
    /// The words of a compiler's command line that say how a file is preprocessed.
    ///
    /// ```
    /// use loopwright_cfront::Options;
    /// let mut options = Options::default();
    /// options.defines.push("N=9".to_string());
    /// options.standard = Some("c99".to_string());
    /// assert_eq!(options.preprocessor_words(), ["-std=c99", "-DN=9"]);
    /// ```
    pub fn preprocessor_words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        words.extend(self.standard.iter().map(|standard| format!("-std={standard}").into()));
        let folders = [("-I", &self.include_dirs), ("-isystem", &self.system_dirs)];
        for (option, folders) in folders.into_iter().chain([("-include", &self.included)]) {
            for folder in folders {
                words.extend([option.into(), folder.clone().into_os_string()]);
            }
        }
        words.extend(self.defines.iter().map(|define| format!("-D{define}").into()));
        words.extend(self.undefines.iter().map(|name| format!("-U{name}").into()));
        words
    }

    /// Whether macros may have another meaning than the file and the compiler give them.
    pub(crate) fn changes_macros(&self) -> bool {
        !(self.defines.is_empty() && self.undefines.is_empty() && self.included.is_empty())
    }
}
