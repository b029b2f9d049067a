//! Memory that new text needs beside the program's: declared around it, and given back behind it.
//!
//! Where there is no memory the region runs as it was: that there is some is a condition of the new text.
use loopwright_scop::Array;

/// An array that new text uses and the program does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    name: String,
    declaration: String,
}

impl Buffer {
    /// Memory for an array of known extents; none for others.
    ///
    /// Extents that are no numbers may be no sizes where nothing is executed: then there is room for one
    /// element.
    pub(crate) fn of(array: &Array) -> Option<Buffer> {
        let (first, rows) = array.extent_texts.split_first()?;
        if array.extent_texts.iter().any(String::is_empty) {
            return None;
        }
        let size = |extent: &String| match extent.parse::<u64>() {
            Ok(_) => extent.clone(),
            Err(_) => format!("(({extent}) > 0 ? ({extent}) : 1)"),
        };
        let (name, element) = (array.name.to_string(), &array.element_type);
        let rows: String = rows.iter().map(|extent| format!("[{}]", size(extent))).collect();
        let (declared, pointer) = match rows.is_empty() {
            true => (format!("{element} *{name}"), format!("{element} *")),
            false => (format!("{element} (*{name}){rows}"), format!("{element} (*){rows}")),
        };
        let first = size(first);
        let declaration =
            format!("{declared} = ({pointer}) __builtin_malloc({first} * sizeof(*{name}));");
        Some(Buffer { name, declaration })
    }

    /// Whether there is memory, as an operand of `&&`.
    pub(crate) fn condition(&self) -> String {
        format!("{} != 0", self.name)
    }
}

/// A text that uses buffers, with these around it.
pub(crate) fn around(buffers: &[Buffer], text: &str, indentation: &str) -> String {
    if buffers.is_empty() {
        return text.to_string();
    }
    let line = |text: String| format!("{indentation}{text}\n");
    let declared: String = buffers.iter().map(|buffer| line(buffer.declaration.clone())).collect();
    let freed = buffers.iter().map(|buffer| line(format!("__builtin_free({});", buffer.name)));
    let freed: String = freed.collect();
    format!("{indentation}{{\n{declared}{text}{freed}{indentation}}}\n")
}
