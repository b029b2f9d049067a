//! Small C programs that are compiled, and the instructions that one of their functions executes.
use std::path::PathBuf;
use std::process::Command;

/// A folder of its own, removed at the end.
pub(crate) struct Workplace {
    folder: PathBuf,
}

impl Workplace {
    /// An empty folder for one program.
    pub(crate) fn new(purpose: &str) -> Result<Self, String> {
        let name = format!("loopwright-{purpose}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Workplace { folder })
    }

    /// The path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.folder.join(name), text).map_err(|e| e.to_string())
    }

    /// What a tool prints that runs in the folder.
    pub(crate) fn output(&self, tool: &str, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(tool)
            .args(arguments)
            .current_dir(&self.folder)
            .output()
            .map_err(|e| format!("cannot run {tool}: {e}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Whether `./program` ends with success.
    pub(crate) fn runs(&self) -> bool {
        Command::new(self.folder.join("program")).status().is_ok_and(|status| status.success())
    }

    /// The size of a function of `loops.o`.
    pub(crate) fn function_bytes(&self, function: &str) -> Result<u64, String> {
        let symbols = self.output("nm", &["-S", "loops.o"])?;
        let end = format!(" T {function}");
        let line = symbols.lines().find(|line| line.ends_with(&end)).ok_or("no function")?;
        let size = line.split_whitespace().nth(1).ok_or("no size")?;
        u64::from_str_radix(size, 16).map_err(|e| e.to_string())
    }

    /// How many instructions a function of `./program` executes, with what it calls.
    pub(crate) fn executed_instructions(&self, function: &str) -> Result<f64, String> {
        let toggle = format!("--toggle-collect={function}");
        let tool = ["--tool=callgrind", "--callgrind-out-file=counts", &toggle, "./program"];
        self.output("valgrind", &tool)?;
        let counts =
            std::fs::read_to_string(self.folder.join("counts")).map_err(|e| e.to_string())?;
        let total = counts.lines().find_map(|line| line.strip_prefix("summary:"));
        total.and_then(|text| text.trim().parse().ok()).ok_or("no summary".to_string())
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
