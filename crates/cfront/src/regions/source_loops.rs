//! The loops of a file as they stand in the text.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::facts::function_names::function_name;
use crate::regions::parsed::parse_text;
use crate::regions::source::SourceFile;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{text, visit};
use crate::syntax::tree::Node;
use crate::text::preprocess::CleanText;

/// A place in the user's file: line and column (bytes of the preprocessed line), 1-based.
pub type Position = (u32, u32);

/// A loop of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLoop {
    /// The function.
    pub function: String,
    /// What stands before the body, on one line: `for (i = 0; i < n; i++)`.
    pub header: String,
    /// Where it begins.
    pub start: Position,
    /// The last character of it.
    pub end: Position,
    /// The number of loops around.
    pub depth: usize,
}

impl SourceLoop {
    /// Whether a place is in the loop.
    pub fn contains(&self, position: Position) -> bool {
        self.start <= position && position <= self.end
    }
}

impl SourceFile {
    /// All loops of the functions that the file itself defines, in the order of the file.
    ///
    /// ```
    /// let text = "void f(int n, double A[n]) {\n  for (int i = 0; i < n; i++)\n    A[i] = 1;\n}\n";
    /// let loops = loopwright_cfront::SourceFile::from_text("f.c", text).source_loops().unwrap();
    /// assert_eq!(loops[0].header, "for (int i = 0; i < n; i++)");
    /// assert!(loops[0].contains((3, 5)) && !loops[0].contains((4, 1)));
    /// ```
    ///
    /// # Errors
    /// If the file cannot be parsed.
    pub fn source_loops(&self) -> Result<Vec<SourceLoop>, Vec<Diagnostic>> {
        let clean = &self.clean;
        let (source, tree) = parse_text(clean);
        let source = &source;
        let mut found = Vec::new();
        // The loops and functions around the current place, by their last bytes.
        let mut around: Vec<usize> = Vec::new();
        let mut function = (String::new(), 0);
        visit(tree.root_node(), |node, _| {
            if node.kind() == Kind::FunctionDefinition {
                function = (function_name(source, node), node.end_byte());
            }
            let is_loop = matches!(
                node.kind(),
                Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement
            );
            let origin = clean.origins.get(clean.line_of(node.start_byte()));
            if is_loop
                && node.start_byte() < function.1
                && origin.is_some_and(|origin| origin.file == 0)
            {
                around.retain(|end| node.start_byte() < *end);
                found.push(SourceLoop {
                    function: function.0.clone(),
                    header: header(source, node),
                    start: position(clean, node.start_byte()),
                    end: position(clean, node.end_byte().saturating_sub(1)),
                    depth: around.len(),
                });
                around.push(node.end_byte());
            }
            true
        });
        Ok(found)
    }
}

fn header(source: &str, node: Node<'_>) -> String {
    let body = node.field(Field::Body).map_or(node.end_byte(), |body| body.start_byte());
    let end = if node.kind() == Kind::DoStatement { node.start_byte() + 2 } else { body };
    let whole = text(source, node);
    let head = whole.get(..end - node.start_byte()).unwrap_or(whole);
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn position(clean: &CleanText, byte: usize) -> Position {
    let line = clean.line_of(byte);
    let start = clean.starts.get(line).copied().unwrap_or(0);
    let origin = clean.origins.get(line).map_or(0, |origin| origin.line);
    (origin, (byte - start) as u32 + 1)
}
