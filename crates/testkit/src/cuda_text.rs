//! CUDA text rewritten so that a C++ compiler builds it with the headers of [`emulation`](crate::emulation).
//!
//! Launches become calls. In kernels pointers become classes that see every access, floating-point types
//! become classes that count operations, and arrays in shared memory become classes that do both. All else
//! stays as it is, wherever the text comes from.

/// CUDA text for the emulation.
///
/// # Errors
///
/// What the emulation does not have, or brackets that do not close.
///
/// ```
/// use loopwright_testkit::cuda_text::emulated;
/// let text = "__global__ void k(int n, const double *__restrict__ A, float x) { __shared__ double s[2][3]; double y = A[0]; }";
/// assert_eq!(
///     emulated(text).unwrap(),
///     "__global__ void k(int n, emulation::global<const double> A, emulation::number<float> x) \
///      { static emulation::tile<double, 2, 3> s; emulation::number<double> y = emulation::number<double>(A[0]); }"
/// );
/// assert_eq!(
///     emulated("k<<<g, b>>>(1, p);").unwrap(),
///     "emulation::launch(\"k\", k, emulation::Sizes(g, b), 1, p);"
/// );
/// ```
pub fn emulated(text: &str) -> Result<String, String> {
    let tokens = tokens(text);
    let (mut out, mut names) = (String::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        at = match tokens[at] {
            "__global__" => {
                names.extend(name_of_kernel(&tokens, at));
                kernel(&tokens, at, &mut out)?
            }
            "__device__" if has_instructions(&tokens, at) => {
                function_with_instructions(&tokens, at, &mut out)?
            }
            word if is_word(word) && is_launch(&tokens, at) => launch(&tokens, at, &mut out)?,
            other => {
                out.push_str(other);
                at + 1
            }
        };
    }
    // Launches by a function of the library do not tell the name.
    if text.contains("cudaLaunchCooperativeKernel") {
        for name in names {
            out.push_str(&format!(
                "static const bool {name}_is_named = (emulation::names[(const void *) {name}] = \"{name}\", true);\n"
            ));
        }
    }
    Ok(out)
}

/// Texts of kernels as one text, which a C++ compiler reads quicker than each for itself: headers are included
/// once, and each text has a namespace of its own. Functions with `extern "C"` keep their names, which have to
/// differ; messages of the compiler name the text and its line.
///
/// ```
/// use loopwright_testkit::cuda_text::together;
/// let texts = [("a", "#include <x.h>\nstatic int f();\n"), ("b", "#include <x.h>\nstatic long f();\n")];
/// assert_eq!(
///     together(texts),
///     "#include <x.h>\nnamespace text_0 {\n#line 1 \"a\"\n\nstatic int f();\n}\n\
///      namespace text_1 {\n#line 1 \"b\"\n\nstatic long f();\n}\n"
/// );
/// ```
pub fn together<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> String {
    let (mut headers, mut all) = (Vec::new(), String::new());
    for (number, (name, text)) in texts.into_iter().enumerate() {
        all += &format!("namespace text_{number} {{\n#line 1 \"{name}\"\n");
        for line in text.lines() {
            if line.starts_with("#include") {
                headers.extend((!headers.contains(&line)).then_some(line));
            } else {
                all += line;
            }
            all.push('\n');
        }
        all += "}\n";
    }
    headers.into_iter().map(|line| format!("{line}\n")).collect::<String>() + &all
}

/// The name of the kernel whose head begins at a position.
fn name_of_kernel<'s>(tokens: &[&'s str], at: usize) -> Option<&'s str> {
    let mut open = at;
    while *tokens.get(open)? != "(" {
        let is_bounds = tokens[open] == "__launch_bounds__";
        open = if is_bounds { closing(tokens, skip_spaces(tokens, open + 1)).ok()? } else { open };
        open += 1;
    }
    tokens[..open].iter().rev().copied().find(|token| is_word(token))
}

/// The text in pieces: words, spaces with comments and lines of the preprocessor, strings, and single
/// characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    let mut is_line_start = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' if is_line_start => directive_length(rest),
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => string_length(rest, first),
            _ if first.is_whitespace() => {
                rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
            }
            _ if is_word_letter(first) => {
                rest.find(|c: char| !is_word_letter(c)).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        is_line_start = if is_space(token) { is_line_start || token.contains('\n') } else { false };
        all.push(token);
        rest = after;
    }
    all
}

/// Up to the end of a line that is not continued.
fn directive_length(text: &str) -> usize {
    let mut from = 0;
    while let Some(end) = text[from..].find('\n') {
        if !text[from..from + end].ends_with('\\') {
            return from + end;
        }
        from += end + 1;
    }
    text.len()
}

fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (position, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return position + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether a token means nothing: spaces, comments, lines of the preprocessor.
fn is_space(token: &str) -> bool {
    token.starts_with(char::is_whitespace)
        || token.starts_with("//")
        || token.starts_with("/*")
        || token.starts_with('#')
}

/// The first token from a position on that means something.
fn skip_spaces(tokens: &[&str], at: usize) -> usize {
    (at..tokens.len()).find(|&at| !is_space(tokens[at])).unwrap_or(tokens.len())
}

/// The position of the bracket that closes the one at a position.
fn closing(tokens: &[&str], open: usize) -> Result<usize, String> {
    let mut depth = 0usize;
    for (position, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth <= 1 => return Ok(position),
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    Err("a bracket is not closed".to_string())
}

/// The parts of some tokens between commas outside of brackets.
fn parts<'t, 's>(tokens: &'t [&'s str]) -> Vec<&'t [&'s str]> {
    let mut depth = 0usize;
    let is_comma = |token: &&str| {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        *token == "," && depth == 0
    };
    tokens.split(is_comma).collect()
}

fn is_launch(tokens: &[&str], at: usize) -> bool {
    let next = skip_spaces(tokens, at + 1);
    tokens.get(next..next + 3).is_some_and(|three| three == ["<"; 3])
}

/// `kernel<<<sizes>>>(` becomes the beginning of a call; the position behind it.
fn launch(tokens: &[&str], at: usize, out: &mut String) -> Result<usize, String> {
    let start = skip_spaces(tokens, at + 1) + 3;
    let is_end = |&at: &usize| tokens.get(at..at + 3).is_some_and(|three| three == [">"; 3]);
    let end = (start..tokens.len()).find(is_end).ok_or("a launch without its end")?;
    let open = skip_spaces(tokens, end + 3);
    if tokens.get(open) != Some(&"(") {
        return Err("a launch without arguments".to_string());
    }
    let kernel = tokens[at];
    let sizes = tokens[start..end].concat();
    out.push_str(&format!("emulation::launch(\"{kernel}\", {kernel}, emulation::Sizes({sizes})"));
    if tokens.get(skip_spaces(tokens, open + 1)) != Some(&")") {
        out.push_str(", ");
    }
    Ok(open + 1)
}

/// Whether the function whose head begins at a position has instructions of PTX.
fn has_instructions(tokens: &[&str], at: usize) -> bool {
    let is_head = |token: &&str| !matches!(*token, "{" | ";" | "__global__");
    let open = at + tokens[at..].iter().take_while(|token| is_head(token)).count();
    let end = closing(tokens, open).unwrap_or(open);
    tokens.get(open) == Some(&"{") && tokens[open..end].contains(&"asm")
}

/// A function with instructions of PTX, which become calls: what it passes by value may be of any class.
fn function_with_instructions(
    tokens: &[&str],
    at: usize,
    out: &mut String,
) -> Result<usize, String> {
    let open = tokens[at..].iter().position(|token| *token == "(").map(|found| at + found);
    let open = open.ok_or("a function without parameters")?;
    let close = closing(tokens, open)?;
    let parameter = |part: &[&str]| {
        let is_reference = part.contains(&"&");
        let word = |token: &&str| match *token {
            "double" | "float" if !is_reference => "auto".to_string(),
            token => number(token),
        };
        part.iter().map(word).collect::<String>()
    };
    let parameters = parts(&tokens[open + 1..close]).into_iter().map(parameter);
    tokens[at..=open].iter().for_each(|token| out.push_str(&number(token)));
    out.push_str(&parameters.collect::<Vec<_>>().join(","));
    let start = close + tokens[close..].iter().take_while(|token| **token != "{").count();
    let end = closing(tokens, start)?;
    out.push_str(&tokens[close..start].concat());
    let inside: Vec<String> = tokens[start..=end].iter().map(|token| number(token)).collect();
    let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
    out.push_str(&with_calls(&inside)?);
    Ok(end + 1)
}

/// CUDA text whose instructions of PTX are calls: `asm volatile("text" : "+d"(x) : "d"(y));` becomes
/// `emulation::ptx("text", x, y);`.
///
/// # Errors
///
/// Brackets that do not close, or an instruction without text.
///
/// ```
/// use loopwright_testkit::cuda_text::with_instructions_as_calls;
/// let text = "asm volatile(\"mma {%0}, {%1};\" : \"+d\"(x[0]) : \"d\"(y + 1));";
/// assert_eq!(
///     with_instructions_as_calls(text).unwrap(),
///     "emulation::ptx(\"mma {%0}, {%1};\", x[0], y + 1);"
/// );
/// ```
pub fn with_instructions_as_calls(text: &str) -> Result<String, String> {
    with_calls(&tokens(text))
}

fn with_calls(tokens: &[&str]) -> Result<String, String> {
    let (mut out, mut at) = (String::new(), 0);
    while at < tokens.len() {
        if tokens[at] != "asm" {
            out.push_str(tokens[at]);
            at += 1;
            continue;
        }
        let open = tokens[at..].iter().position(|token| *token == "(").map(|found| at + found);
        let open = open.ok_or("an instruction without text")?;
        let close = closing(tokens, open)?;
        let text =
            tokens.get(skip_spaces(tokens, open + 1)).ok_or("an instruction without text")?;
        out.push_str(&format!("emulation::ptx({text}"));
        let mut inside = skip_spaces(tokens, open + 1) + 1;
        while inside < close {
            match tokens[inside] {
                "(" => {
                    let end = closing(tokens, inside)?;
                    out.push_str(&format!(", {}", tokens[inside + 1..end].concat()));
                    inside = end + 1;
                }
                _ => inside += 1,
            }
        }
        out.push(')');
        at = close + 1;
    }
    Ok(out)
}

/// A kernel's head, and its body if it has one; the position behind it.
fn kernel(tokens: &[&str], mut at: usize, out: &mut String) -> Result<usize, String> {
    while tokens.get(at).is_some_and(|&token| token != "(") {
        let is_bounds = tokens[at] == "__launch_bounds__";
        let end = if is_bounds { closing(tokens, skip_spaces(tokens, at + 1))? } else { at };
        tokens[at..=end].iter().for_each(|token| out.push_str(token));
        at = end + 1;
    }
    if at == tokens.len() {
        return Err("a kernel without parameters".to_string());
    }
    let close = closing(tokens, at)?;
    let parameters = parts(&tokens[at + 1..close]).into_iter().map(parameter);
    out.push_str(&format!("({})", parameters.collect::<Result<Vec<_>, _>>()?.join(", ")));
    let next = skip_spaces(tokens, close + 1);
    tokens[close + 1..next].iter().for_each(|token| out.push_str(token));
    if tokens.get(next) != Some(&"{") {
        return Ok(next);
    }
    let end = closing(tokens, next)?;
    body(&tokens[next..=end], out)?;
    Ok(end + 1)
}

fn parameter(tokens: &[&str]) -> Result<String, String> {
    let is_restrict = |token: &str| matches!(token, "__restrict__" | "__restrict" | "restrict");
    let meant = tokens.iter().copied().filter(|token| !is_space(token) && !is_restrict(token));
    let words: Vec<&str> = meant.collect();
    let star = words.iter().position(|&word| word == "*");
    match (star, words.as_slice()) {
        (Some(star), [_, .., name]) if star + 2 == words.len() => {
            Ok(format!("emulation::global<{}> {name}", words[..star].join(" ")))
        }
        (None, words) if !words.contains(&"[") => {
            Ok(words.iter().map(|word| number(word)).collect::<Vec<_>>().join(" "))
        }
        _ => Err(format!("the emulation has no parameters such as `{}`", words.join(" "))),
    }
}

/// A word, where it is the name of a floating-point type that of the class.
fn number(word: &str) -> String {
    match word {
        "double" | "float" => format!("emulation::number<{word}>"),
        word => word.to_string(),
    }
}

fn body(tokens: &[&str], out: &mut String) -> Result<(), String> {
    let mut at = 0;
    while at < tokens.len() {
        at = match tokens[at] {
            "extern" => return Err("the emulation has no dynamic shared memory".to_string()),
            "__shared__" => shared(tokens, at, out)?,
            "__pipeline_memcpy_async" => asynchronous_copy(tokens, at, out)?,
            word if atomic_operator(word).is_some() => atomic_update(tokens, at, out)?,
            "double" | "float" if is_declared(tokens, at) => declaration(tokens, at, out)?,
            "*" if vector_access(tokens, at).is_some() => {
                let (access, end) = vector_access(tokens, at).unwrap_or_default();
                out.push_str(&access);
                end
            }
            token if vector_type(token).is_some() => {
                out.push_str(&format!(
                    "emulation::vector<{}>",
                    vector_type(token).unwrap_or_default()
                ));
                at + 1
            }
            token => {
                out.push_str(&number(token));
                at + 1
            }
        };
    }
    Ok(())
}

/// `__pipeline_memcpy_async(&to, &from, bytes)` becomes `emulation::copy_asynchronously(to, from)`.
fn asynchronous_copy(tokens: &[&str], at: usize, out: &mut String) -> Result<usize, String> {
    let unknown = || "the emulation has asynchronous copies of single elements only".to_string();
    let open = skip_spaces(tokens, at + 1);
    let close = closing(tokens, open)?;
    let place = |part: &[&str]| {
        let start = skip_spaces(part, 0);
        let is_address = part.get(start) == Some(&"&");
        is_address.then(|| part[start + 1..].concat()).ok_or_else(unknown)
    };
    let arguments = parts(&tokens[open + 1..close]);
    let [to, from, bytes] = &arguments[..] else { return Err(unknown()) };
    if bytes.concat().trim() == "16" {
        let spot = |part: &[&str]| -> Result<String, String> {
            let start = skip_spaces(part, 0);
            let found = spot(part, start + 1).filter(|_| part.get(start) == Some(&"&"));
            found.map(|(text, _)| text).ok_or_else(unknown)
        };
        let (to, from) = (spot(to)?, spot(from)?);
        out.push_str(&format!("emulation::copy_vector_asynchronously({to}, {from})"));
        return Ok(close + 1);
    }
    let (to, from) = (place(to)?, place(from)?);
    out.push_str(&format!("emulation::copy_asynchronously({to}, {from})"));
    Ok(close + 1)
}

/// The operator of a function that updates an integer by one instruction.
fn atomic_operator(word: &str) -> Option<char> {
    Some(match word {
        "atomicAdd" => '+',
        "atomicSub" => '-',
        "atomicAnd" => '&',
        "atomicOr" => '|',
        "atomicXor" => '^',
        _ => return None,
    })
}

/// `atomicAdd(&h[i], v)`, perhaps with a cast of the address to that of a type of the same size, becomes
/// `emulation::update<'+'>(h[i], v)`.
fn atomic_update(tokens: &[&str], at: usize, out: &mut String) -> Result<usize, String> {
    let unknown =
        || "the emulation has updates by one instruction of single elements only".to_string();
    let operator = atomic_operator(tokens[at]).ok_or_else(unknown)?;
    let open = skip_spaces(tokens, at + 1);
    let close = closing(tokens, open)?;
    let arguments = parts(&tokens[open + 1..close]);
    let [target, value] = &arguments[..] else { return Err(unknown()) };
    let mut start = skip_spaces(target, 0);
    if target.get(start) == Some(&"(") {
        start = skip_spaces(target, closing(target, start)? + 1);
    }
    if target.get(start) != Some(&"&") {
        return Err(unknown());
    }
    let target = target[start + 1..].concat();
    out.push_str(&format!("emulation::update<'{operator}'>({target},{})", value.concat()));
    Ok(close + 1)
}

/// The element type and the number of elements of a type of vectors: `double, 2` of `double2`.
fn vector_type(token: &str) -> Option<&'static str> {
    Some(match token {
        "double2" => "double, 2",
        "float4" => "float, 4",
        "int4" => "int, 4",
        "uint4" => "unsigned, 4",
        "long2" => "long, 2",
        "ulong2" => "unsigned long, 2",
        _ => return None,
    })
}

/// `*(const double2 *) &A[i]` at a position becomes `emulation::vector_at<double, 2>(emulation::spot(A, i))`;
/// that and the position behind.
fn vector_access(tokens: &[&str], at: usize) -> Option<(String, usize)> {
    let mut at = at;
    let mut next = |expected: &[&str]| {
        at = skip_spaces(tokens, at + 1);
        expected.contains(tokens.get(at)?).then_some(())
    };
    next(&["("])?;
    let is_constant = next(&["const"]).is_some();
    let own = if is_constant { skip_spaces(tokens, at + 1) } else { at };
    let own_type = vector_type(tokens.get(own)?)?;
    at = own;
    let mut next = |expected: &str| {
        at = skip_spaces(tokens, at + 1);
        (*tokens.get(at)? == expected).then_some(())
    };
    next("*")?;
    next(")")?;
    next("&")?;
    let (spot, end) = spot(tokens, skip_spaces(tokens, at + 1))?;
    Some((format!("emulation::vector_at<{own_type}>({spot})"), end))
}

/// `A[i]` at a position becomes `emulation::spot(A, i)`; that and the position behind.
fn spot(tokens: &[&str], at: usize) -> Option<(String, usize)> {
    let mut brackets = Vec::new();
    let mut end = at + 1;
    while tokens.get(end) == Some(&"[") {
        let close = closing(tokens, end).ok()?;
        brackets.push((end, close));
        end = close + 1;
    }
    let (open, close) = brackets.pop()?;
    let (before, inside) = (tokens[at..open].concat(), tokens[open + 1..close].concat());
    Some((format!("emulation::spot({before}, {inside})"), end))
}

/// Whether the type at a position begins a declaration.
fn is_declared(tokens: &[&str], at: usize) -> bool {
    tokens.get(skip_spaces(tokens, at + 1)).is_some_and(|token| is_word(token))
}

/// The end of the statement that a position is in.
fn statement_end(tokens: &[&str], at: usize) -> Result<usize, String> {
    (at..tokens.len()).find(|&at| tokens[at] == ";").ok_or("a declaration without end".to_string())
}

/// Local numbers: what they begin with is converted explicitly.
fn declaration(tokens: &[&str], at: usize, out: &mut String) -> Result<usize, String> {
    let class = number(tokens[at]);
    let end = statement_end(tokens, at)?;
    let mut declared = Vec::new();
    for part in parts(&tokens[at + 1..end]) {
        let Some(equals) = part.iter().position(|&token| token == "=") else {
            declared.push(part.concat());
            continue;
        };
        let value = initial(&class, &part[skip_spaces(part, equals + 1)..])?;
        declared.push(format!("{}= {value}", part[..equals].concat()));
    }
    out.push_str(&class);
    out.push_str(&declared.join(","));
    Ok(end)
}

/// What a local number begins with, or a list of such values.
fn initial(class: &str, tokens: &[&str]) -> Result<String, String> {
    if tokens.first() != Some(&"{") {
        let mut value = String::new();
        body(tokens, &mut value)?;
        return Ok(format!("{class}({value})"));
    }
    let close = closing(tokens, 0)?;
    let part = |part: &[&str]| initial(class, &part[skip_spaces(part, 0)..]);
    let values = parts(&tokens[1..close]).into_iter().map(part);
    Ok(format!("{{{}}}", values.collect::<Result<Vec<_>, _>>()?.join(", ")))
}

/// Arrays and single elements in shared memory.
fn shared(tokens: &[&str], at: usize, out: &mut String) -> Result<usize, String> {
    let end = statement_end(tokens, at)?;
    let mut words: Vec<&str> =
        tokens[at + 1..end].iter().copied().filter(|token| !is_space(token)).collect();
    if words.first() == Some(&"__align__") {
        // Arrays of the emulation are aligned anyway.
        words.drain(..=closing(&words, 1)?);
    }
    let unknown = || format!("the emulation has no shared memory such as `{}`", words.join(" "));
    let first = words.iter().position(|&word| word == "[" || word == ",").unwrap_or(words.len());
    if first < 2 {
        return Err(unknown());
    }
    let element = words[..first - 1].join(" ");
    let mut declared = Vec::new();
    for part in parts(&words[first - 1..]) {
        let [name, sizes @ ..] = part else { return Err(unknown()) };
        let mut rest = sizes;
        let mut arguments = vec![element.clone()];
        while !rest.is_empty() {
            let close = closing(rest, 0)?;
            arguments.push(rest[1..close].join(" "));
            rest = &rest[close + 1..];
        }
        declared.push(match sizes.is_empty() {
            false => format!("static emulation::tile<{}> {name}", arguments.join(", ")),
            true => format!(
                "static emulation::tile<{element}, 1> {name}_tile; auto {name} = {name}_tile[0]"
            ),
        });
    }
    out.push_str(&declared.join("; "));
    Ok(end)
}
