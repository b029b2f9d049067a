//! Versions of a region: what may run in its place, each under conditions of its own.
use crate::regions::region::{Region, indented};

/// Code that does what a region does where its conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// What has to hold, as operands of `&&`.
    pub conditions: Vec<String>,
    /// Lines of C.
    pub code: String,
}

impl Region {
    /// The first version whose conditions hold, as it can stand in place of the region in the text of its
    /// file; the statements of the region as they are written where none holds.
    ///
    /// What comes after a version without conditions is left out. Where the region is the only statement
    /// under a loop or a condition, or follows a label, the result gets braces.
    ///
    /// ```
    /// use loopwright_cfront::{SourceFile, Version};
    /// let text = "void f(int n, double *a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n#pragma endscop\n}\n";
    /// let regions = SourceFile::from_text("f.c", text).extract().unwrap();
    /// let version = |condition: &str, code: &str| Version { conditions: vec![condition.to_string()], code: code.to_string() };
    /// let placed = regions[0].in_place_of(&[version("n == 8", "  g8();\n"), version("n > 9", "  g();\n")], text);
    /// let own = "  for (int i = 0; i < n; i++)\n    a[i] = 1;\n";
    /// assert_eq!(placed, format!("  if (n == 8) {{\n    g8();\n  }} else if (n > 9) {{\n    g();\n  }} else {{\n{own}  }}\n"));
    /// ```
    pub fn in_place_of(&self, versions: &[Version], original: &str) -> String {
        let own = original.get(self.statement_bytes.clone()).unwrap_or("");
        self.in_front_of(versions, own)
    }

    /// The same with another text for the statements of the region: lines that do what they do.
    pub fn in_front_of(&self, versions: &[Version], own: &str) -> String {
        let indentation = &self.indentation;
        let always = versions.iter().position(|version| version.conditions.is_empty());
        let (conditional, rest) = versions.split_at(always.unwrap_or(versions.len()));
        let last = rest.first().map(|version| version.code.as_str());
        let mut code = String::new();
        for version in conditional {
            let condition = version.conditions.join(&format!("\n{indentation}    && "));
            let start = if code.is_empty() { indentation } else { " else " };
            let body = indented(&version.code);
            code.push_str(&format!("{start}if ({condition}) {{\n{body}{indentation}}}"));
        }
        match (last, conditional.is_empty()) {
            (Some(last), true) => code.push_str(last),
            (Some(last), false) => {
                code.push_str(&format!(" else {{\n{}{indentation}}}\n", indented(last)));
            }
            (None, true) => code.push_str(own),
            (None, false) => {
                let end = if own.ends_with('\n') { "" } else { "\n" };
                code.push_str(&format!(" else {{\n{own}{end}{indentation}}}\n"));
            }
        }
        match self.in_block {
            true => code,
            // The statements of the region stay as they are.
            false if !conditional.is_empty() => {
                format!("{indentation}{{\n{code}{indentation}}}\n")
            }
            false => format!("{indentation}{{\n{}{indentation}}}\n", indented(&code)),
        }
    }
}
