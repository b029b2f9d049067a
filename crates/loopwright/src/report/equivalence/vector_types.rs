//! Vector types of GCC as arrays of their lanes.
//!
//! `typedef double v8 __attribute__((vector_size(64)));` names vectors of eight lanes. A variable of the type
//! becomes an array, and a statement about vectors a loop over lanes: `x += s * *(v8 *) &A[i][j];` is the
//! same as `for (lane = 0; lane < 8; lane++) x[lane] += s * A[i][j + lane];`. All lanes of a vector are
//! loaded before one is stored: where a statement stores in memory and loads from it, the lanes go through a
//! variable of their own. What has another form (vectors as arguments, comparisons and casts of vectors)
//! stays as it is, and the front end says that it does not understand it.
//!
//! Texts with vectors have many variables whose names differ in numbers (`x_r0_v1`). These are elements of
//! one array, and statements that differ in such numbers alone are loops ([`rerolled`]): so models are as
//! small as those of texts without vectors.
use super::c_text::{blanked, closing, is_word, tokens_at};
use super::lanes::{LaneText, Names, Variable, VectorType, expression, in_memory};
use super::rerolling::{Item, Lanes, rerolled, text as items_text};
use super::token_lists::{length_of_bracket, length_of_subscripts, split, subscripts};
use std::collections::BTreeMap;
use std::ops::Range;

/// The iterator of lanes.
const LANE: &str = "lane_of_vector";

/// The variable for lanes that are loaded before others are stored.
const VALUES: &str = "lanes_of_vector";

/// How the names of iterators of repeated statements begin.
const REPEAT: &str = "repeated_";

/// What a block declares.
#[derive(Clone, Debug, Default)]
struct Scope {
    types: Vec<VectorType>,
    variables: Vec<Variable>,
}

/// Scopes from the outermost to the innermost.
struct Scopes(Vec<Scope>);

impl Names for Scopes {
    fn type_of(&self, name: &str) -> Option<&VectorType> {
        let mut types = self.0.iter().rev().flat_map(|scope| scope.types.iter().rev());
        types.find(|own| own.name == name)
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        let mut variables = self.0.iter().rev().flat_map(|scope| scope.variables.iter().rev());
        variables.find(|own| own.name == name)
    }
}

/// A text with loops over lanes in place of statements about vectors, line by line as it was.
pub(super) fn without_vectors(text: &str) -> String {
    let code = blanked(text);
    if !code.contains("vector_size") {
        return text.to_string();
    }
    let mut scopes = Scopes(vec![Scope::default()]);
    let (mut result, mut copied) = (String::new(), 0);
    for (number, piece) in pieces(&code).into_iter().enumerate() {
        match piece {
            Piece::Open => scopes.0.push(Scope::default()),
            Piece::Close if scopes.0.len() > 1 => drop(scopes.0.pop()),
            Piece::Close => {}
            Piece::Statements(ranges) => {
                let mut run = Run::new([text, &code], &ranges, number, &mut scopes);
                for replaced in run.lowered() {
                    let lines = code[replaced.range.clone()].matches('\n').count();
                    result.push_str(&text[copied..replaced.range.start]);
                    result.push_str(&replaced.by);
                    result.push_str(&"\n".repeat(lines));
                    copied = replaced.range.end;
                }
            }
        }
    }
    result.push_str(&text[copied..]);
    result
}

/// A part of a text: the brackets of blocks, and statements without blocks.
enum Piece {
    Open,
    Close,
    /// Statements with nothing between them, each from its first character to its semicolon.
    Statements(Vec<Range<usize>>),
}

fn pieces(code: &str) -> Vec<Piece> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = code.as_bytes();
    // What a loop or a condition without braces has is one statement.
    let mut is_alone = false;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' => at = closing(code, at).unwrap_or(bytes.len() - 1),
            b'{' if code[start..at].trim_end().ends_with('=') => {
                at = closing(code, at).unwrap_or(bytes.len() - 1);
            }
            b'{' | b'}' => {
                found.push(if bytes[at] == b'{' { Piece::Open } else { Piece::Close });
                start = at + 1;
            }
            b';' => {
                let first = code.len() - code[start..].trim_start().len();
                let own = behind_heads(code, first);
                let own = own..at + 1;
                let has_head = own.start != first;
                match found.last_mut() {
                    Some(Piece::Statements(all)) if !has_head && !is_alone => all.push(own),
                    _ => found.push(Piece::Statements(vec![own])),
                }
                is_alone = has_head;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Where the statement begins that a loop or a condition has without braces.
fn behind_heads(code: &str, mut at: usize) -> usize {
    loop {
        let rest = &code[at..];
        let word = &rest[..rest.len() - rest.trim_start_matches(is_word).len()];
        let after = at + word.len();
        let next = code.len() - code[after..].trim_start().len();
        let behind = match word {
            "for" | "while" | "if" if code[next..].starts_with('(') => {
                closing(code, next).map(|close| close + 1)
            }
            "else" => Some(after),
            _ => None,
        };
        let Some(behind) = behind else { return at };
        at = code.len() - code[behind..].trim_start().len();
    }
}

/// A part of the text and what takes its place.
struct Replaced {
    range: Range<usize>,
    by: String,
}

/// What a statement becomes.
enum Lowered {
    Items(Vec<Item>),
    Text(String),
}

/// The name of a family, the type and the number of its lanes, and how many numbers its names have.
type Family = (String, String, Option<i64>, usize);

/// Statements with nothing between them.
struct Run<'a> {
    text: &'a str,
    /// The same without comments and directives.
    code: &'a str,
    ranges: &'a [Range<usize>],
    scopes: &'a mut Scopes,
    /// The variables that become elements of one array, by their names.
    members: BTreeMap<String, Variable>,
    declarations: String,
}

impl<'a> Run<'a> {
    fn new(
        [text, code]: [&'a str; 2],
        ranges: &'a [Range<usize>],
        number: usize,
        scopes: &'a mut Scopes,
    ) -> Self {
        let (members, declarations) = (BTreeMap::new(), String::new());
        let mut run = Run { text, code, ranges, scopes, members, declarations };
        run.find_families(number);
        run
    }

    fn tokens(&self, at: usize) -> Vec<&'a str> {
        let body = &self.code[self.ranges[at].clone()];
        tokens_at(body.trim_end_matches(';')).into_iter().map(|(_, token)| token).collect()
    }

    /// Finds the variables that the statements declare, and those whose names differ in numbers alone.
    fn find_families(&mut self, number: usize) {
        let mut families: BTreeMap<Family, Vec<(String, Vec<i64>)>> = BTreeMap::new();
        for at in 0..self.ranges.len() {
            let tokens = self.tokens(at);
            let is_inside = self.scopes.0.len() > 1;
            if let Some(mut of) = read_typedef(&tokens)
                && let Some(scope) = self.scopes.0.last_mut()
            {
                // In functions, another name of a type of numbers is one of vectors with one lane.
                of.lanes = of.lanes.or(is_inside.then_some(1));
                scope.types.push(of);
            }
            let Some((of, names)) = self.declared(&tokens) else { continue };
            for name in names {
                let (base, place) = numbered(&name);
                let key = (base, of.element.clone(), of.lanes, place.len());
                families.entry(key).or_default().push((name, place));
            }
        }
        for ((base, element, lanes, n), members) in families {
            if lanes.is_none()
                && (members.len() < 2 || !members.iter().all(|own| self.is_local(&own.0)))
            {
                continue;
            }
            let array = format!("{base}_{number}_all");
            let extent = |at: usize| members.iter().map(|own| own.1[at] + 1).max().unwrap_or(1);
            let mut extents: Vec<i64> = (0..n).map(extent).collect();
            match (lanes, extents.last_mut()) {
                (Some(lanes), Some(last)) => *last = last.saturating_mul(lanes),
                (Some(lanes), None) => extents.push(lanes),
                (None, _) => {}
            }
            let subscripts: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
            self.declarations.push_str(&format!("{element} {array}{subscripts}; "));
            for (name, place) in members {
                let (element, array, rank) = (element.clone(), array.clone(), 0);
                let own = Variable { name: name.clone(), element, lanes, rank, array, place };
                self.members.insert(name, own);
            }
        }
    }

    /// The type and the names that a statement declares, if they can be elements of arrays.
    fn declared(&self, tokens: &[&str]) -> Option<(VectorType, Vec<String>)> {
        let tokens = without_words(tokens);
        let (of, rest) = tokens.split_first()?;
        let of = match self.scopes.type_of(of) {
            Some(of) => of.clone(),
            None => {
                bytes_of(of)?;
                let (name, element) = (of.to_string(), of.to_string());
                VectorType { name, element, lanes: None }
            }
        };
        let name = |declarator: &&[&str]| match declarator {
            [name] | [name, "=", ..] if is_name(name) => Some(name.to_string()),
            _ => None,
        };
        let names: Option<Vec<String>> = split(rest, ",").iter().map(name).collect();
        names.map(|names| (of, names))
    }

    /// Whether all of the text that has a name is in these statements.
    fn is_local(&self, name: &str) -> bool {
        let count = |code: &str| tokens_at(code).iter().filter(|(_, token)| *token == name).count();
        let (Some(first), Some(last)) = (self.ranges.first(), self.ranges.last()) else {
            return false;
        };
        let own = first.start..last.end;
        // The block around ends where a bracket closes that has not been opened.
        let rest = &self.code[own.end..];
        let mut depth = 0i32;
        let end = rest.char_indices().find(|(_, c)| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth < 0
        });
        count(&rest[..end.map_or(rest.len(), |end| end.0)]) == 0
    }

    /// What takes the place of the statements.
    fn lowered(&mut self) -> Vec<Replaced> {
        let mut replaced: Vec<Replaced> = Vec::new();
        let mut pending: Option<(Range<usize>, Vec<Item>)> = None;
        let flush = |pending: &mut Option<(Range<usize>, Vec<Item>)>,
                     replaced: &mut Vec<Replaced>| {
            if let Some((range, items)) = pending.take() {
                let by = items_text(&rerolled(items), LANE, REPEAT);
                replaced.push(Replaced { range, by });
            }
        };
        for at in 0..self.ranges.len() {
            let range = self.ranges[at].clone();
            match self.statement(at) {
                Some(Lowered::Items(items)) => match &mut pending {
                    Some((own, all)) if is_blank(&self.text[own.end..range.start]) => {
                        own.end = range.end;
                        all.extend(items);
                    }
                    _ => {
                        flush(&mut pending, &mut replaced);
                        pending = Some((range, items));
                    }
                },
                Some(Lowered::Text(by)) => {
                    flush(&mut pending, &mut replaced);
                    replaced.push(Replaced { range, by });
                }
                None => flush(&mut pending, &mut replaced),
            }
        }
        flush(&mut pending, &mut replaced);
        if let (Some(first), Some(start)) = (replaced.first_mut(), self.ranges.first())
            && !self.declarations.is_empty()
        {
            match first.range.start == start.start {
                true => first.by.insert_str(0, &self.declarations),
                false => {
                    let (range, by) = (start.start..start.start, self.declarations.clone());
                    replaced.insert(0, Replaced { range, by });
                }
            }
        }
        replaced
    }

    /// What says the same without vectors; none for statements that stay.
    fn statement(&mut self, at: usize) -> Option<Lowered> {
        let tokens = self.tokens(at);
        if let Some(of) = read_typedef(&tokens) {
            let is_known = self.scopes.type_of(&of.name).is_some_and(|own| own.lanes.is_some());
            return is_known.then(|| Lowered::Items(Vec::new()));
        }
        if let Some(text) = zeros(&tokens) {
            return Some(Lowered::Text(text));
        }
        if let Some((_, names)) = self.declared(&tokens)
            && names.iter().all(|name| self.members.contains_key(name))
        {
            return self.declaration(&tokens);
        }
        if let Some(text) = self.array_of_vectors(&tokens) {
            return Some(Lowered::Text(text));
        }
        self.assignment(&tokens)
    }

    /// `v8 a = x, b;`, where the variables are elements of arrays.
    fn declaration(&mut self, tokens: &[&str]) -> Option<Lowered> {
        let mut lowered = Vec::new();
        let mut text = String::new();
        for declarator in split(&without_words(tokens)[1..], ",") {
            let own = self.members.get(*declarator.first()?)?.clone();
            let name = own.name.clone();
            let right = declarator.get(2..).unwrap_or_default();
            let value = match right {
                ["{", "0", "}"] => &["0"],
                ["{", ..] => return None,
                _ => right,
            };
            // The name is known behind its declarator; what is in front of it may mean another variable.
            let assigned = match value {
                [] => None,
                _ => Some(self.stored(&Target::of_variable(&own, self.scopes)?, "=", value)?),
            };
            self.scopes.0.last_mut()?.variables.push(Variable { name, ..own });
            match assigned {
                Some(Lowered::Items(items)) => lowered.extend(items),
                Some(Lowered::Text(own)) => text.push_str(&own),
                None => {}
            }
        }
        match (lowered.is_empty(), text.is_empty()) {
            (_, true) => Some(Lowered::Items(lowered)),
            (true, false) => Some(Lowered::Text(text)),
            (false, false) => None,
        }
    }

    /// `v8 a[4];`: an array of vectors.
    fn array_of_vectors(&mut self, tokens: &[&str]) -> Option<String> {
        let (of, rest) = without_words(tokens).split_first()?;
        let of = self.scopes.type_of(of)?.clone();
        let lanes = of.lanes?;
        let (name, extents) = rest.split_first()?;
        let rank = subscripts(extents).len();
        if !is_name(name) || rank == 0 || length_of_subscripts(extents) != extents.len() {
            return None;
        }
        let own = Variable {
            name: name.to_string(),
            element: of.element.clone(),
            lanes: Some(lanes),
            rank,
            array: name.to_string(),
            place: Vec::new(),
        };
        self.scopes.0.last_mut()?.variables.push(own);
        Some(format!("{} {}[{lanes}]; ", of.element, rest.join(" ")))
    }

    /// An assignment to a vector, in a variable or in memory, or one with variables that have become
    /// elements.
    fn assignment(&self, tokens: &[&str]) -> Option<Lowered> {
        const ASSIGN: [&str; 8] = ["=", "+=", "-=", "*=", "/=", "&=", "|=", "^="];
        let mut depth = 0i32;
        let at = tokens.iter().position(|token| {
            match *token {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && ASSIGN.contains(token)
        })?;
        let target = Target::read(&tokens[..at], self.scopes)?;
        self.stored(&target, tokens[at], &tokens[at + 1..])
    }

    /// An assignment, for all lanes.
    fn stored(&self, target: &Target, operator: &str, right: &[&str]) -> Option<Lowered> {
        let of = target.of.as_ref().filter(|of| of.lanes.is_some());
        let value = expression(self.scopes, right, of)?;
        let statement = |target: LaneText, operator: &str, value: LaneText| {
            let mut text = target;
            text.push(operator);
            text.append(value);
            let lanes = of.and_then(|of| of.lanes);
            let lanes = lanes.map(|count| Lanes { count, width: count, places: text.places });
            Item::Statement { parts: text.parts, lanes }
        };
        let (Some(of), true) = (of, target.may_overwrite(&value)) else {
            return Some(Lowered::Items(vec![statement(target.element.clone(), operator, value)]));
        };
        let of_values = Variable {
            name: VALUES.to_string(),
            element: of.element.clone(),
            lanes: of.lanes,
            rank: 0,
            array: VALUES.to_string(),
            place: Vec::new(),
        };
        let values = || of_values.element(self.scopes, &[], Some(of));
        let items = [
            statement(values()?, "=", value),
            statement(target.element.clone(), operator, values()?),
        ];
        let text = items_text(&items, LANE, REPEAT);
        let lanes = of.lanes.unwrap_or(1);
        Some(Lowered::Text(format!("{{ {} {VALUES}[{lanes}]; {text}}} ", of.element)))
    }
}

/// What a statement assigns to, for one lane.
struct Target {
    /// The type, if it is a name that has been defined.
    of: Option<VectorType>,
    element: LaneText,
    is_in_memory: bool,
}

impl Target {
    fn read(left: &[&str], scopes: &Scopes) -> Option<Self> {
        if let Some(load) = in_memory(scopes, left) {
            let is_all = load.n_tokens == left.len();
            let (of, element) = (Some(load.of), load.element);
            return is_all.then_some(Target { of, element, is_in_memory: true });
        }
        let (name, rest) = left.split_first()?;
        let variable = scopes.variable(name)?;
        let own = subscripts(rest);
        if length_of_subscripts(rest) != rest.len() {
            return None;
        }
        match own.len() == variable.rank {
            true => Target::of_subscripted(variable, &own, scopes),
            // One lane.
            false => {
                let element = variable.element(scopes, &own, None)?;
                Some(Target { of: None, element, is_in_memory: false })
            }
        }
    }

    fn of_variable(variable: &Variable, scopes: &Scopes) -> Option<Self> {
        Target::of_subscripted(variable, &[], scopes)
    }

    fn of_subscripted(variable: &Variable, own: &[&[&str]], scopes: &Scopes) -> Option<Self> {
        let (name, element, lanes) = (String::new(), variable.element.clone(), variable.lanes);
        let of = VectorType { name, element, lanes };
        let element = variable.element(scopes, own, Some(&of))?;
        Some(Target { of: Some(of), element, is_in_memory: false })
    }

    /// Whether a lane that is stored may be one that another lane loads.
    fn may_overwrite(&self, value: &LaneText) -> bool {
        let has_lanes = self.of.as_ref().is_some_and(|of| of.lanes.is_some());
        has_lanes && (value.chooses_lane || (self.is_in_memory && value.loads))
    }
}

/// Whether nothing but comments is between statements.
fn is_blank(text: &str) -> bool {
    !text.lines().any(|line| line.trim_start().starts_with('#'))
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Tokens without words in front that do not matter.
fn without_words<'a, 't>(tokens: &'a [&'t str]) -> &'a [&'t str] {
    let is_word = |word: &&&str| matches!(**word, "const" | "register");
    &tokens[tokens.iter().take_while(is_word).count()..]
}

/// `double a[8][4] = {{0}};` with loops that assign the zeros.
fn zeros(tokens: &[&str]) -> Option<String> {
    let (of, rest) = tokens.split_first()?;
    let (name, rest) = rest.split_first()?;
    bytes_of(of)?;
    let n = length_of_subscripts(rest);
    let extents = subscripts(&rest[..n]);
    let behind = match rest[n..].strip_prefix(&["__attribute__"]) {
        Some(attributes) => &attributes[length_of_bracket(attributes)?..],
        None => &rest[n..],
    };
    let value = behind.strip_prefix(&["="])?;
    let is_zero = value.iter().all(|token| matches!(*token, "{" | "0" | "}"));
    if extents.is_empty() || !is_zero || value.iter().filter(|token| **token == "0").count() != 1 {
        return None;
    }
    let mut text = format!("{of} {name}{}; ", rest[..n].join(" "));
    for (at, extent) in extents.iter().enumerate() {
        let (iterator, extent) = (format!("{REPEAT}{at}"), extent.join(" "));
        text.push_str(&format!("for (long {iterator} = 0; {iterator} < {extent}; {iterator}++) "));
    }
    let element: String = (0..extents.len()).map(|at| format!("[{REPEAT}{at}]")).collect();
    text.push_str(&format!("{name}{element} = 0; "));
    Some(text)
}

/// `x_r0_v12` as `x_r_v` with the numbers 0 and 12; a number at the end of other names is one, too.
fn numbered(name: &str) -> (String, Vec<i64>) {
    let (mut base, mut place, mut letters) = (name, Vec::new(), Vec::new());
    loop {
        let without = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &base[without.len()..];
        let stem = without.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_group = stem.ends_with('_') && stem.len() > 1 && !digits.is_empty();
        // More vectors than this have no names.
        let number = digits.parse::<i64>().ok().filter(|number| *number < 1000);
        let has_zero = digits.len() > 1 && digits.starts_with('0');
        let Some(number) = number.filter(|_| is_group && !has_zero && place.len() < 3) else {
            break;
        };
        place.insert(0, number);
        letters.insert(0, without[stem.len() - 1..].to_string());
        base = &stem[..stem.len() - 1];
    }
    (format!("{base}{}", letters.concat()), place)
}

/// `typedef double v8 __attribute__((vector_size(64)));`, or `typedef double number;`.
fn read_typedef(tokens: &[&str]) -> Option<VectorType> {
    let tokens = tokens.strip_prefix(&["typedef"])?;
    let at = tokens.iter().position(|token| *token == "__attribute__");
    let plain = match at {
        Some(at) => {
            let n = length_of_bracket(&tokens[at + 1..])?;
            [&tokens[..at], &tokens[at + 1 + n..]].concat()
        }
        None => tokens.to_vec(),
    };
    let (name, element) = plain.split_last()?;
    let element = element.join(" ");
    let bytes = bytes_of(&element)?;
    let lanes = match at {
        None => None,
        Some(at) => {
            let attributes = &tokens[at..];
            let is_size = |token: &&str| matches!(*token, "vector_size" | "__vector_size__");
            let size = attributes.iter().position(is_size)?;
            let n = length_of_bracket(&attributes[size + 1..])?;
            let all = product(&attributes[size + 2..size + n])?;
            Some(all.checked_div(bytes).filter(|lanes| *lanes > 0 && lanes * bytes == all)?)
        }
    };
    Some(VectorType { name: name.to_string(), element, lanes })
}

/// The bytes of a type of numbers that operators compute in.
fn bytes_of(element: &str) -> Option<i64> {
    match element {
        "double" | "long" | "long long" | "unsigned long" | "unsigned long long" => Some(8),
        "float" | "int" | "unsigned" | "unsigned int" => Some(4),
        _ => None,
    }
}

/// A product of numbers and sizes of types.
fn product(tokens: &[&str]) -> Option<i64> {
    let factor = |factor: &[&str]| match factor {
        ["sizeof", "(", of @ .., ")"] => bytes_of(&of.join(" ")),
        [number] => number.parse().ok(),
        _ => None,
    };
    let factors = split(tokens, "*").into_iter().map(factor);
    factors.collect::<Option<Vec<i64>>>()?.into_iter().try_fold(1i64, i64::checked_mul)
}

#[cfg(test)]
mod tests {
    use super::without_vectors;

    const TYPE: &str = "typedef double v4 __attribute__((vector_size(32), aligned(8)));";

    fn lowered(body: &str) -> String {
        let text = format!("{TYPE}\nvoid f() {{\n{body}\n}}\n");
        let result = without_vectors(&text);
        assert_eq!(result.lines().count(), text.lines().count());
        let body: Vec<&str> = result.lines().skip(2).take_while(|line| *line != "}").collect();
        let plain = body.join(" ").replace("lane_of_vector", "l").replace("lanes_of_vector", "t");
        let plain = plain.replace("repeated_", "r").replace("_2_all", "");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn statements_are_loops_over_lanes() {
        let over = "for (long l = 0; l < 4; l++)";
        let cases = [
            ("v4 x;", "double x[4];".to_string()),
            (
                "const v4 x = *(v4 *) &A[i][j + 4];",
                format!("double x[4]; {over} x [ (0 + l) ] = A [ i + 0 ] [ j + (4 + l) ] ;"),
            ),
            (
                "v4 x; x += s * x - 1.5e-3;",
                format!("double x[4]; {over} x [ (0 + l) ] += s * x [ (0 + l) ] - 1.5e-3 ;"),
            ),
            (
                "v4 x; *(v4 *) &A[i] = x;",
                format!("double x[4]; {over} A [ i + (0 + l) ] = x [ (0 + l) ] ;"),
            ),
            (
                "double x[2] __attribute__((aligned(64))) = {0};",
                "double x[ 2 ]; for (long r0 = 0; r0 < 2 ; r0++) x[r0] = 0;".replace("2 ;", "2;"),
            ),
            (
                "typedef double v1; v1 x = *(v1 *) &A[i];",
                "double x[1]; for (long l = 0; l < 1; l++) x [ (0 + l) ] = A [ i + (0 + l) ] ;"
                    .to_string(),
            ),
            ("v4 x = {0};", format!("double x[4]; {over} x [ (0 + l) ] = 0 ;")),
            (
                "v4 x[2]; x[i] = x[1] * s;",
                format!(
                    "double x [ 2 ][4]; {over} x [ i + 0 ] [ (0 + l) ] = x [ 1 ] [ (0 + l) ] * s ;"
                ),
            ),
            (
                "v4 x_r0, x_r1; x_r0 += s; x_r1 += s;",
                "double x_r[8]; for (long l = 0; l < 8; l++) x_r [ (0 + l) ] += s ;".to_string(),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(lowered(text), expected, "{text}");
        }
    }

    /// A vector is loaded before it is stored.
    #[test]
    fn lanes_that_overlap_are_loaded_first() {
        let over = "for (long l = 0; l < 4; l++)";
        let found = lowered("*(v4 *) &A[i + 1] = *(v4 *) &A[i];");
        let expected = format!(
            "{{ double t[4]; {over} t [ (0 + l) ] = A [ i + (0 + l) ] ; {over} A [ i + (1 + l) ] = t [ (0 + l) ] ; }}"
        );
        assert_eq!(found, expected);
        let found = lowered("v4 x; x *= x[3];");
        assert!(found.contains("t [ (0 + l) ] = x [ 0 + ( 3 ) ] ;"), "{found}");
    }

    #[test]
    fn heads_without_braces_keep_their_statement() {
        let found = lowered("v4 x; if (n > 0) for (i = 0; i < n; i++)\n  x += 1;");
        let expected = "double x[4]; if (n > 0) for (i = 0; i < n; i++) for (long l = 0; l < 4; l++) x [ (0 + l) ] += 1 ;";
        assert_eq!(found, expected);
        let found = lowered("v4 x; if (n > 0) x += 1; x += 1; x += 1;");
        assert_eq!(found.matches("for (long").count(), 3, "{found}");
        let found = lowered("v4 x; x += 1;\n#if N\nx += 1;\n#endif\nx += 1;");
        assert!(found.contains("#if N for") && found.contains("#endif for"), "{found}");
    }

    #[test]
    fn variables_with_numbers_are_elements() {
        let found = lowered(
            "v4 x_r0_v0, x_r0_v1, x_r1_v0, x_r1_v1; { const double s_r0 = A[0]; x_r0_v0 += s_r0; x_r0_v1 += s_r0; const double s_r1 = A[2]; x_r1_v0 += s_r1; x_r1_v1 += s_r1; }",
        );
        let expected = "double x_r_v[2][8]; { double s_r_4_all[2]; for (long r0 = 0; r0 < 2; r0++) { s_r_4_all [ (0 + 1 * r0) ] = A [ (0 + 2 * r0) ] ; for (long l = 0; l < 8; l++) x_r_v [ (0 + 1 * r0) ] [ (0 + l) ] += s_r_4_all [ (0 + 1 * r0) ] ; } }";
        assert_eq!(found, expected);
    }

    #[test]
    fn other_forms_stay() {
        for body in
            ["v4 x = f(y);", "v4 x; x = x > 1;", "v4 x = (v4) y;", "double x = 1;", "v4 *x;"]
        {
            let last = body.split("; ").last().unwrap();
            assert!(lowered(body).ends_with(last), "{body}: {}", lowered(body));
        }
    }
}
