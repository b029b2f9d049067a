//! Machines as text: one `key = value` per line, `#` starts a comment.
use crate::Machine;
use std::fmt;

/// What is wrong with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// The line (1-based).
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for DescriptionError {}

impl Machine {
    /// The keys of a description, with their values.
    fn fields(&mut self) -> [(&'static str, &mut u64); 7] {
        [
            ("cores", &mut self.cores),
            ("cache-line-bytes", &mut self.cache_line_bytes),
            ("l1-bytes", &mut self.l1_bytes),
            ("l2-bytes", &mut self.l2_bytes),
            ("l3-bytes", &mut self.l3_bytes),
            ("vector-bytes", &mut self.vector_bytes),
            ("vector-registers", &mut self.vector_registers),
        ]
    }

    /// Reads a description; keys that are not given keep the value of [`Machine::generic`].
    ///
    /// # Errors
    /// An unknown key, a line without `=`, or a value that is not a positive integer (only
    /// `l3-bytes` may be 0).
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::Machine;
    /// let machine = Machine::parse("cores = 2 # of 64\nvector-bytes = 64\n")?;
    /// assert_eq!((machine.cores, machine.vector_bytes), (2, 64));
    /// assert_eq!(Machine::parse(&machine.to_string())?, machine);
    /// # Ok::<(), loopwright_machine::DescriptionError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        let mut machine = Machine::generic();
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let error = |message| DescriptionError { line: index + 1, message };
            let (key, value) =
                content.split_once('=').ok_or_else(|| error("expected `key = value`".into()))?;
            let (key, value) = (key.trim(), value.trim());
            let mut fields = machine.fields();
            let Some((_, field)) = fields.iter_mut().find(|(name, _)| *name == key) else {
                let names: Vec<_> = fields.iter().map(|(name, _)| *name).collect();
                return Err(error(format!("unknown key `{key}` (known: {})", names.join(", "))));
            };
            **field = match value.parse() {
                Ok(0) if key != "l3-bytes" => Err(error(format!("`{key}` must be positive"))),
                Ok(number) => Ok(number),
                Err(_) => Err(error(format!("`{value}` is not a positive integer"))),
            }?;
        }
        Ok(machine)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in self.clone().fields() {
            writeln!(f, "{key} = {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("cores = 2\ncolour = 3\n", 2),
            ("cores\n", 1),
            ("# x\n\ncores = -1", 3),
            ("cores = 0", 1),
            ("cores = 99999999999999999999999", 1),
        ] {
            assert_eq!(Machine::parse(text).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn no_last_level_cache() {
        assert_eq!(Machine::parse("l3-bytes = 0").unwrap().l3_bytes, 0);
    }
}
