//! Kernels whose arrays are parameters that nothing is known about: pointers to rows, and pointers to
//! elements.
//!
//! A kernel's file has one function `static void NAME(..)` with array parameters `VECTOR(a, n)`,
//! `MATRIX(a, n, m)` and `CUBE(a, n, m, l)`, or `type a[n]`, and a `main` that makes them by
//! `NEW_MATRIX(a, n, m)` and so on.

/// What array parameters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `double (*A)[m]` with `A[i][j]`.
    Rows,
    /// `double *A` with `A[(i) * (m) + (j)]`.
    Flat,
}

/// The text of a kernel with its arrays in a form, in a function that other files may call; none if it has no
/// such function.
///
/// ```
/// use loopwright_testkit::kernel_forms::{Form, in_form};
/// let text = "static void f(int n, int m, MATRIX(A, n, m))\n{\n  A[0][m - 1] = 1;\n}\nint main(void) { NEW_MATRIX(A, 9, 8); }\n";
/// let flat = in_form(text, Form::Flat).unwrap();
/// assert_eq!(flat, "void f(int n, int m, DATA *A)\n{\n  A[(0) * (m) + (m - 1)] = 1;\n}\nint main(void) { DATA *A = new_array((9) * (8)); }\n");
/// let rows = in_form(text, Form::Rows).unwrap();
/// assert!(rows.starts_with("void f(int n, int m, DATA (*A)[m])\n{\n  A[0][m - 1] = 1;\n"));
/// ```
pub fn in_form(kernel: &str, form: Form) -> Option<String> {
    let start = kernel.find("static void ")?;
    let open = start + kernel[start..].find('(')?;
    let close = open + closing(&kernel[open..], '(', ')')?;
    let end = close + kernel[close..].find("\n}\n")?;
    let arrays = arrays(&kernel[open + 1..close]);
    let name = kernel[start..open].strip_prefix("static ")?;
    let mut parameters = kernel[open..close].to_string();
    let mut body = kernel[close..end].to_string();
    let mut rest = kernel[end..].to_string();
    for array in &arrays {
        parameters = parameters.replace(&array.text, &array.parameter(form));
        if form == Form::Flat && array.extents.len() > 1 {
            body = array.flattened(&body);
            let kind = if array.extents.len() == 2 { "MATRIX" } else { "CUBE" };
            rest = array.made_flat(&rest, kind);
        }
    }
    Some(format!("{}{name}{parameters}{body}{rest}", &kernel[..start]))
}

/// An array parameter.
struct ArrayParameter {
    /// As it is written.
    text: String,
    element: String,
    name: String,
    extents: Vec<String>,
}

/// The array parameters in a list.
fn arrays(parameters: &str) -> Vec<ArrayParameter> {
    let mut found = Vec::new();
    for text in split(parameters) {
        let text = text.trim();
        if let Some((_, arguments)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            let mut words = split(arguments).into_iter().map(|word| word.trim().to_string());
            let Some(name) = words.next() else { continue };
            let element = "DATA".to_string();
            found.push(ArrayParameter {
                text: text.to_string(),
                element,
                name,
                extents: words.collect(),
            });
        } else if let Some((declared, extent)) =
            text.strip_suffix(']').and_then(|t| t.split_once('['))
        {
            let Some((element, name)) = declared.rsplit_once(' ') else { continue };
            let (element, name) = (element.to_string(), name.to_string());
            let extents = vec![extent.to_string()];
            found.push(ArrayParameter { text: text.to_string(), element, name, extents });
        }
    }
    found
}

impl ArrayParameter {
    fn parameter(&self, form: Form) -> String {
        let ArrayParameter { element, name, extents, .. } = self;
        match (form, &extents[..]) {
            (Form::Rows, [_, inner @ ..]) if !inner.is_empty() => {
                format!("{element} (*{name})[{}]", inner.join("]["))
            }
            _ => format!("{element} *{name}"),
        }
    }

    /// A text with one subscript for each element.
    fn flattened(&self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(&format!("{}[", self.name)) {
            let (before, from) = rest.split_at(at);
            result.push_str(before);
            let mut behind = &from[self.name.len()..];
            let is_part = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let mut subscripts = Vec::new();
            while !is_part && subscripts.len() < self.extents.len() && behind.starts_with('[') {
                let Some(end) = closing(behind, '[', ']') else { break };
                subscripts.push(self.flattened(&behind[1..end]));
                behind = &behind[end + 1..];
            }
            result.push_str(&self.name);
            if subscripts.len() == self.extents.len() {
                let mut sum = format!("({})", subscripts[0]);
                for (subscript, extent) in subscripts.iter().zip(&self.extents).skip(1) {
                    let whole = if sum.contains(" + (") { format!("({sum})") } else { sum };
                    sum = format!("{whole} * ({extent}) + ({subscript})");
                }
                result.push_str(&format!("[{sum}]"));
            }
            rest = behind;
        }
        result + rest
    }

    /// A text that makes an array of elements.
    fn made_flat(&self, text: &str, kind: &str) -> String {
        let start = format!("NEW_{kind}({},", self.name);
        let Some(at) = text.find(&start) else { return text.to_string() };
        let open = at + "NEW_(".len() - 1 + kind.len();
        let Some(end) = closing(&text[open..], '(', ')') else { return text.to_string() };
        let arguments = split(&text[open + 1..open + end]);
        let extents: Vec<String> =
            arguments.iter().skip(1).map(|extent| format!("({})", extent.trim())).collect();
        let made = format!("{} *{} = new_array({})", self.element, self.name, extents.join(" * "));
        format!("{}{made}{}", &text[..at], &text[open + end + 1..])
    }
}

/// The position of the bracket that closes the one with which a text begins.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The parts of a list between commas that stand in no parentheses.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0;
    list.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .collect()
}
