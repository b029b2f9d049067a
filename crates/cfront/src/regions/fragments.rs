//! Fragments: regions that stand in no function, as Clan and Pluto read them.
//!
//! A file may hold just the loops, to be included where everything is declared. Here each such region
//! gets a function around it, and each name that the file does not declare a declaration in front of it:
//!
//! * what `for` loops assign is an iterator, an `int` of the function;
//! * a name with `n` subscripts is an array with `n` dimensions of unknown extents;
//! * another name in a subscript or the header of a loop is an `int`, any other one a variable.
//!
//! Declared in the file, all of these are different memory and used afterwards. The types of elements
//! are left open: generated variables have the type `__typeof__(A[0])`. What has been made up is said as
//! an assumption of the region.
use crate::facts::control::declared_names;
use crate::facts::file_scope::scopes_of_file;
use crate::regions::pragmas::{Pragmas, find_pragmas};
use crate::regions::region::Region;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::parser::parse;
use crate::syntax::queries::{name_of, named_children, strip_parentheses, text, visit};
use crate::syntax::tree::Node;
use crate::text::preprocess::CleanText;
use crate::text::system_types::system_types;
use std::collections::{BTreeMap, BTreeSet};

/// The function around a fragment.
pub(crate) const FUNCTION: &str = "fragment_of_the_file";

/// The regions of a file that stand in no function.
#[derive(Clone, Debug)]
pub(crate) struct Fragments {
    /// The names that have been given a declaration.
    made_up: BTreeMap<String, Role>,
}

/// What a name without a declaration stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Role {
    /// The number of its subscripts.
    rank: usize,
    /// Whether it is used as a subscript or in the header of a loop.
    is_integer: bool,
}

/// The names of a fragment that are not declared in it.
#[derive(Default)]
struct Names {
    iterators: BTreeSet<String>,
    others: BTreeMap<String, Role>,
}

impl Fragments {
    /// The fragments of a text, and its lines with functions around them; none if all of its regions stand in
    /// functions, or are no C.
    pub(crate) fn enclosed(clean: &CleanText) -> Option<(CleanText, Fragments)> {
        let pairs = outside(clean, find_pragmas(clean).ok()?);
        if pairs.is_empty() {
            return None;
        }
        let rest = blanked(clean, &pairs);
        let file = parse(&rest, system_types(&clean.system_text).into_iter());
        let scopes = scopes_of_file(&rest, file.root_node());
        let mut made_up: BTreeMap<String, Role> = BTreeMap::new();
        let mut iterators = Vec::new();
        for pair in &pairs {
            let names = Names::of_lines(clean, *pair)?;
            let is_known = |name: &String| scopes.lookup(name).is_some();
            iterators.push(names.iterators.into_iter().filter(|i| !is_known(i)).collect());
            for (name, role) in names.others.into_iter().filter(|(name, _)| !is_known(name)) {
                let known = made_up.entry(name).or_insert(role);
                known.rank = known.rank.max(role.rank);
                known.is_integer |= role.is_integer;
            }
        }
        Some((enclosed(clean, &pairs, &made_up, &iterators), Fragments { made_up }))
    }

    /// Leaves the types of what has been made up open, and says what is assumed.
    pub(crate) fn adapt(&self, region: &mut Region) {
        if region.function != FUNCTION {
            return;
        }
        let mut arrays = Vec::new();
        for array in &mut region.scop.arrays {
            let Some(role) = self.made_up.get(&*array.name) else { continue };
            array.element_type = format!("__typeof__({}{})", array.name, "[0]".repeat(role.rank));
            array.element_bytes = None;
            arrays.push(format!("`{}`", array.name));
        }
        if !arrays.is_empty() {
            arrays.sort_unstable();
            let arrays = arrays.join(", ");
            let sentence =
                format!("{arrays} are different variables, with as many dimensions as subscripts");
            region.scop.assumptions.push(sentence);
        }
        let sentence =
            "symbolic constants and iterators are `int`, iterators are not used afterwards";
        region.scop.assumptions.push(sentence.to_string());
    }
}

/// The regions outside of all braces.
fn outside(clean: &CleanText, pairs: Vec<Pragmas>) -> Vec<Pragmas> {
    let mut depths = Vec::with_capacity(clean.starts.len());
    let mut depth = 0i64;
    for line in 0..clean.starts.len() {
        depths.push(depth);
        let line = clean.line_text(line);
        if !line.trim_start().starts_with('#') {
            depth += braces(line);
        }
    }
    pairs.into_iter().filter(|pair| depths[pair.scop] == 0 && depths[pair.endscop] == 0).collect()
}

/// How many more braces open than close on a line, outside of strings and characters.
fn braces(line: &str) -> i64 {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for character in line.chars() {
        match (quote, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// The text without its directives and without the lines of the regions.
fn blanked(clean: &CleanText, pairs: &[Pragmas]) -> String {
    let mut rest = String::with_capacity(clean.text.len());
    for line in 0..clean.starts.len() {
        let is_in_region = pairs.iter().any(|pair| (pair.scop..=pair.endscop).contains(&line));
        let text = clean.line_text(line);
        if !is_in_region && !text.trim_start().starts_with('#') {
            rest.push_str(text);
        }
        rest.push('\n');
    }
    rest
}

/// The lines with declarations and functions around the regions.
fn enclosed(
    clean: &CleanText,
    pairs: &[Pragmas],
    made_up: &BTreeMap<String, Role>,
    iterators: &[BTreeSet<String>],
) -> CleanText {
    let mut result = CleanText {
        files: clean.files.clone(),
        system_text: clean.system_text.clone(),
        ..CleanText::default()
    };
    for line in 0..clean.starts.len() {
        let origin = clean.origins[line];
        if let Some(index) = pairs.iter().position(|pair| pair.scop == line) {
            if index == 0 {
                result.push_line(&declarations(made_up), origin);
            }
            let own: String = iterators[index].iter().map(|name| format!("int {name}; ")).collect();
            result.push_line(&format!("void {FUNCTION}(void) {{ {own}"), origin);
        }
        result.push_line(clean.line_text(line), origin);
        if pairs.iter().any(|pair| pair.endscop == line) {
            result.push_line("}", origin);
        }
    }
    result
}

fn declarations(made_up: &BTreeMap<String, Role>) -> String {
    let declaration = |(name, role): (&String, &Role)| {
        let kind = if role.is_integer { "int" } else { "double" };
        format!("extern {kind} {name}{}; ", "[]".repeat(role.rank))
    };
    made_up.iter().map(declaration).collect()
}

impl Names {
    /// The names between two pragmas; none if there is no C, or nothing but declarations.
    fn of_lines(clean: &CleanText, pair: Pragmas) -> Option<Names> {
        let mut source = format!("void {FUNCTION}(void) {{\n");
        for line in pair.scop + 1..pair.endscop {
            let line = clean.line_text(line);
            if !line.trim_start().starts_with('#') {
                source.push_str(line);
            }
            source.push('\n');
        }
        source.push('}');
        let tree = parse(&source, system_types(&clean.system_text).into_iter());
        let mut names = Names::default();
        let body = tree.root_node().named_child(0)?.field(Field::Body)?;
        if named_children(body).all(|item| item.kind() == Kind::Declaration) {
            return None;
        }
        names.find_iterators(&source, body);
        names.find_others(&source, body, false);
        let declared = declared_names(&source, body);
        names.iterators.retain(|name| !declared.contains(name.as_str()));
        let is_iterator = |name: &String| names.iterators.contains(name);
        names.others.retain(|name, _| !declared.contains(name.as_str()) && !is_iterator(name));
        Some(names)
    }

    fn find_iterators(&mut self, source: &str, body: Node<'_>) {
        visit(body, |node, _| {
            let first = (node.kind() == Kind::ForStatement)
                .then(|| node.field(Field::Initializer))
                .flatten();
            if let Some(first) = first {
                visit(first, |node, _| {
                    let target = (node.kind() == Kind::AssignmentExpression)
                        .then(|| node.field(Field::Left))
                        .flatten();
                    let name = target.and_then(|target| name_of(source, target));
                    self.iterators.extend(name.map(str::to_string));
                    true
                });
            }
            true
        });
    }

    /// The other names below a node; whether it is where integers are needed.
    fn find_others(&mut self, source: &str, node: Node<'_>, is_integer: bool) {
        match node.kind() {
            Kind::Identifier => self.add(source, node, Role { rank: 0, is_integer }),
            Kind::SubscriptExpression => {
                let (mut rank, mut base) = (0, node);
                while base.kind() == Kind::SubscriptExpression {
                    rank += 1;
                    if let Some(index) = base.field(Field::Index) {
                        self.find_others(source, index, true);
                    }
                    let Some(next) = base.field(Field::Argument) else { return };
                    base = strip_parentheses(next);
                }
                match base.kind() {
                    Kind::Identifier => self.add(source, base, Role { rank, is_integer }),
                    _ => self.find_others(source, base, false),
                }
            }
            Kind::CallExpression => {
                let arguments = node.field(Field::Arguments);
                for argument in arguments.into_iter().flat_map(named_children) {
                    self.find_others(source, argument, is_integer);
                }
            }
            Kind::ForStatement => {
                let body = node.field(Field::Body);
                for part in named_children(node) {
                    self.find_others(source, part, Some(part) != body);
                }
            }
            _ => {
                for child in named_children(node) {
                    self.find_others(source, child, is_integer);
                }
            }
        }
    }

    fn add(&mut self, source: &str, name: Node<'_>, role: Role) {
        let known = self.others.entry(text(source, name).to_string()).or_insert(role);
        known.rank = known.rank.max(role.rank);
        known.is_integer |= role.is_integer;
    }
}

#[cfg(test)]
mod tests {
    use crate::SourceFile;

    const TEXT: &str = "#pragma scop\nfor (i = 0; i < n; i++)\n  for (j = 0; j < 9; j++)\n    \
                        A[i][k[j]] = x[i] * f + y;\n#pragma endscop\n";

    #[test]
    fn names_get_the_roles_that_their_uses_show() {
        let regions = SourceFile::from_text("f.c", TEXT).extract().expect("it is a region");
        let scop = &regions[0].scop;
        assert_eq!((regions[0].first_line, regions[0].last_line), (1, 5));
        let parameters: Vec<&str> = scop.parameters.iter().map(|p| &*p.name).collect();
        assert_eq!(parameters, ["n"]);
        let mut arrays: Vec<(&str, usize, &str)> = scop
            .arrays
            .iter()
            .map(|array| (&*array.name, array.extents.len(), array.element_type.as_str()))
            .collect();
        arrays.sort_unstable();
        let expected = [
            ("A", 2, "__typeof__(A[0][0])"),
            ("f", 0, "__typeof__(f)"),
            ("k", 1, "__typeof__(k[0])"),
            ("x", 1, "__typeof__(x[0])"),
            ("y", 0, "__typeof__(y)"),
        ];
        assert_eq!(arrays, expected);
        assert!(scop.arrays.iter().all(|array| array.live_out));
    }

    #[test]
    fn what_the_file_declares_is_left_as_it_is() {
        let text = format!("static float x[20];\nvoid g(void) {{ }}\n{TEXT}");
        let regions = SourceFile::from_text("f.c", &text).extract().expect("it is a region");
        let x = regions[0].scop.arrays.iter().find(|array| &*array.name == "x");
        assert_eq!(x.map(|x| x.element_type.as_str()), Some("float"));
    }

    #[test]
    fn regions_in_functions_that_are_no_c_are_no_fragments() {
        let text = format!("void g(void) {{ int = ;\n{TEXT} }}\n");
        assert!(SourceFile::from_text("f.c", &text).extract().is_err());
        let text = format!("{TEXT}#pragma scop\n");
        assert!(SourceFile::from_text("f.c", &text).extract().is_err());
    }
}
