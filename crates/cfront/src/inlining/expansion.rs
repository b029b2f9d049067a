//! The text of a file with bodies in place of calls.
//!
//! ```c
//! for (j = 0; j < m; j++)            for (j = 0; j < m; j++)
//!   scale(n, &a[j * n], s);            { double *x_1 = (&a[j * n]); { int i_1; for (i_1 = 0; i_1 < n; i_1++) x_1[i_1] *= s; } }
//! ```
//!
//! Parameters are variables that begin with their arguments; where the argument is a number, or a local
//! variable of the same type, and the body does not change the parameter, they are the argument itself. What
//! the function returns is kept in a variable, and a `return` in the middle jumps to the end of the body.
//! Functions that call themselves stay calls; so do those that are not worth it: which have no loop and which
//! a region may call.
//!
//! What the file says about its calls (which objects are given to a function, whose address is taken) must
//! not be lost with them: behind all the others, in lines that are no part of the file, a copy of each
//! function that has changed keeps it.
use crate::facts::control::declared_names;
use crate::facts::ctypes::declarator;
use crate::facts::function_names::function_name;
use crate::facts::function_options::FunctionOptions;
use crate::facts::side_effects::{Functions, parameter_names};
use crate::inlining::call_site::{
    SiteKind, comes_first, replaceable_part, site_kind, unconditional_calls,
};
use crate::inlining::callee::{Callee, is_effect, may_write};
use crate::inlining::first_declarations::FirstDeclarations;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    children, named_children, old_style_declarations, parameters, strip_parentheses, text, visit,
};
use crate::syntax::tree::Node;
use crate::text::edits::{Edit, edited};
use crate::text::preprocess::{CleanText, LineOrigin};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

/// Calls inside of each other whose bodies are written.
const MAX_DEPTH: usize = 4;

/// More bytes are not added to a function.
const MAX_GROWTH: usize = 24_000;

/// A file with bodies in place of calls.
pub(crate) struct Inlined {
    pub(crate) clean: CleanText,
    /// The functions in which calls have been replaced.
    pub(crate) functions: BTreeSet<String>,
    /// The lines of the file with a call, and the names of the functions that they call.
    pub(crate) calls: BTreeSet<(u32, String)>,
}

/// What is read.
pub(crate) struct FileText<'s, 't> {
    pub(crate) clean: &'s CleanText,
    /// The text of `clean` as it was parsed.
    pub(crate) source: &'s str,
    pub(crate) root: Node<'t>,
    pub(crate) functions: &'s Functions<'t>,
    pub(crate) options: &'s FunctionOptions,
    pub(crate) used_names: &'s BTreeSet<String>,
}

/// The file with bodies in place of calls in loops, in some of its functions and not in the lines `kept` of
/// the file; none if no call can be replaced.
///
/// *Cost.* Linear in the text that is read and written; what is added to a function is limited.
pub(crate) fn inlined<'t>(
    file: &FileText<'_, 't>,
    is_chosen: impl Fn(Node<'t>) -> bool,
    kept: &BTreeSet<u32>,
) -> Option<Inlined> {
    let definitions = named_children(file.root).filter(|n| n.kind() == Kind::FunctionDefinition);
    let is_meant = |node: &Node<'t>| {
        let is_own = file.clean.origins.get(file.clean.line_of(node.start_byte()));
        is_own.is_some_and(|origin| origin.file == 0)
            && !node.has_error()
            && node.has_kind(&[Kind::ForStatement, Kind::WhileStatement, Kind::DoStatement])
            && is_chosen(*node)
    };
    let declared = FirstDeclarations::of_file(file.source, file.root);
    let (callees, names) = (HashMap::new(), HashSet::new());
    let calls = BTreeSet::new();
    let mut inliner = Inliner { file, declared, callees, names, growth: 0, calls, kept };
    let (mut edits, mut functions, mut copies) = (Vec::new(), BTreeSet::new(), String::new());
    for definition in definitions.filter(is_meant) {
        inliner.growth = 0;
        let found = inliner.edits_of_function(definition);
        if found.is_empty() {
            continue;
        }
        let name = function_name(file.source, definition);
        copies.push_str(&inliner.copy(definition, &name));
        functions.insert(name);
        edits.extend(found);
    }
    if edits.is_empty() {
        return None;
    }
    let clean = rewritten_file(file.clean, &edits, &copies);
    Some(Inlined { clean, functions, calls: inliner.calls })
}

/// The text with edits, each on the line where it begins, and one more line.
fn rewritten_file(clean: &CleanText, edits: &[Edit], copies: &str) -> CleanText {
    let mut found = edited(clean, edits);
    found.files.push(PathBuf::from("copies of functions"));
    let file = found.files.len() as u32 - 1;
    found.push_line(copies, LineOrigin { file, line: 1 });
    found
}

/// What names mean in text that is written.
#[derive(Clone, Default)]
struct Meaning {
    /// What stands for names.
    names: BTreeMap<String, String>,
    /// The types of the plain variables whose address is not taken.
    types: BTreeMap<String, String>,
    /// The names that the function around declares.
    around: Rc<BTreeSet<String>>,
    /// The byte where it starts.
    start: usize,
    /// The functions whose bodies are being written.
    active: Vec<String>,
    /// What becomes of `return`, if the text is the body of a function that is called.
    end: Option<End>,
}

/// The end of a body.
#[derive(Clone)]
struct End {
    /// The variable for the value; none if nobody wants it.
    result: Option<String>,
    label: String,
    /// The `return` at the end, which needs no jump.
    last: Option<usize>,
}

/// A function whose body can be written in place of its calls.
struct Written<'t> {
    callee: Rc<Callee<'t>>,
    /// Whether there are loops in it and in what it calls.
    has_loop: bool,
    /// Whether it may change memory of others.
    writes: bool,
}

struct Inliner<'f, 's, 't> {
    file: &'f FileText<'s, 't>,
    declared: FirstDeclarations,
    callees: HashMap<String, Option<Rc<Callee<'t>>>>,
    /// The names that have been made.
    names: HashSet<String>,
    /// The bytes that have been added to the function.
    growth: usize,
    /// The lines with calls that are replaced, and the names of the functions.
    calls: BTreeSet<(u32, String)>,
    /// The lines whose calls stay.
    kept: &'f BTreeSet<u32>,
}

impl<'s, 't> Inliner<'_, 's, 't> {
    fn text(&self, node: Node<'_>) -> &'s str {
        text(self.file.source, node)
    }

    fn edits_of_function(&mut self, definition: Node<'t>) -> Vec<Edit> {
        let Some(body) = definition.field(Field::Body) else { return Vec::new() };
        let source = self.file.source;
        let own = declared_names(source, body).into_iter().map(str::to_string);
        let around = own.chain(parameter_names(source, definition)).collect();
        let meaning = Meaning {
            types: plain_variables(source, definition),
            around: Rc::new(around),
            start: definition.start_byte(),
            active: vec![function_name(source, definition)],
            ..Meaning::default()
        };
        self.edits(body, &meaning, &[])
    }

    /// A copy of a function under another name, on one line.
    fn copy(&mut self, definition: Node<'t>, name: &str) -> String {
        let parts =
            definition.field(Field::Declarator).and_then(|d| declarator(self.file.source, d));
        let Some(parts) = parts else { return String::new() };
        let new = self.fresh(name);
        let words =
            apply(self.file.source, definition.byte_range(), &[(parts.name.byte_range(), new)]);
        format!("{words} ")
    }

    /// A name that the file does not have.
    fn fresh(&mut self, name: &str) -> String {
        let mut new = format!("{name}_{}", self.names.len() + 1);
        while self.file.used_names.contains(&new) || self.names.contains(&new) {
            new.push('_');
        }
        self.names.insert(new.clone());
        new
    }

    /// A part of the text with other names, bodies for calls, and values in place of calls that are replaced.
    fn rewritten(&mut self, node: Node<'t>, meaning: &Meaning, replaced: &[Edit]) -> String {
        let edits = self.edits(node, meaning, replaced);
        apply(self.file.source, node.byte_range(), &edits)
    }

    fn edits(&mut self, node: Node<'t>, meaning: &Meaning, replaced: &[Edit]) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        visit(node, |inner, _| {
            let range = inner.byte_range();
            if let Some(edit) = replaced.iter().find(|(own, _)| *own == range) {
                edits.push(edit.clone());
                return false;
            }
            if inner != node
                && (meaning.end.is_some() || is_in_loop(inner))
                && let Some(kind) = site_kind(inner)
                && let Some(new) = self.site(inner, kind, meaning)
            {
                edits.extend(new);
                return false;
            }
            match (inner.kind(), &meaning.end) {
                (Kind::Identifier, _) => {
                    if let Some(new) = meaning.names.get(self.text(inner)) {
                        edits.push((range, new.clone()));
                    }
                    false
                }
                (Kind::ReturnStatement, Some(end)) => {
                    let new = self.returned(inner, meaning, end);
                    edits.push((range, new));
                    false
                }
                _ => true,
            }
        });
        edits.sort_by_key(|(range, _)| range.start);
        edits
    }

    /// What stands for a `return`.
    fn returned(&mut self, node: Node<'t>, meaning: &Meaning, end: &End) -> String {
        let value = node.named_child(0);
        let has_effect = |value: &Node<'t>| {
            value.has_kind(&[
                Kind::CallExpression,
                Kind::AssignmentExpression,
                Kind::UpdateExpression,
            ])
        };
        let value = match (&end.result, value) {
            (Some(result), Some(value)) => {
                format!("{result} = ({}); ", self.rewritten(value, meaning, &[]))
            }
            (None, Some(value)) if has_effect(&value) => {
                format!("(void) ({}); ", self.rewritten(value, meaning, &[]))
            }
            _ => String::new(),
        };
        let jump = match end.last == Some(node.id()) {
            true => String::new(),
            false => format!("goto {};", end.label),
        };
        let is_listed = node.parent().is_some_and(|p| p.kind() == Kind::CompoundStatement);
        match format!("{value}{jump}") {
            nothing if nothing.is_empty() => ";".to_string(),
            text if is_listed || value.is_empty() => text,
            text => format!("{{ {text} }}"),
        }
    }

    /// What becomes of a statement with bodies in place of its calls; none if they stay. The other parts stay
    /// where they are.
    fn site(
        &mut self,
        statement: Node<'t>,
        kind: SiteKind,
        meaning: &Meaning,
    ) -> Option<Vec<Edit>> {
        let part = replaceable_part(statement);
        if !part.has_kind(&[Kind::CallExpression]) || has_directive(self.file.clean, part) {
            return None;
        }
        let stays =
            |call: &Node<'t>| meaning.end.is_none() && self.kept.contains(&self.line_of(*call));
        let may_go: Vec<Node<'t>> =
            unconditional_calls(part).into_iter().filter(|call| !stays(call)).collect();
        let calls: Vec<(Node<'t>, Rc<Callee<'t>>)> = may_go
            .into_iter()
            .filter_map(|call| Some((call, self.callee_of(call, meaning)?)))
            .collect();
        let all: Vec<Node<'t>> = part.of_kind(Kind::CallExpression).collect();
        let n_writing = all.into_iter().filter(|call| self.writes(*call, meaning)).count();
        let is_alone = || match calls[..] {
            [(call, _)] => n_writing == 1 && comes_first(statement, call),
            _ => false,
        };
        if calls.is_empty() || n_writing > 0 && !is_alone() {
            return None;
        }
        let (mut replaced, mut before) = (Vec::new(), String::new());
        for (call, callee) in calls {
            let is_wanted = kind != SiteKind::Call || !is_whole(statement, call);
            let result = callee.returned.as_ref().filter(|_| is_wanted);
            let result = result.map(|words| (words.clone(), self.fresh("result")));
            if result.is_none() && is_wanted {
                return None;
            }
            if meaning.end.is_none() {
                self.calls.insert((self.line_of(call), callee.name.clone()));
            }
            let body =
                self.body(call, &callee, (meaning, &replaced), result.as_ref().map(|r| &*r.1))?;
            if let Some((words, name)) = result {
                before.push_str(&format!("{words} {name}; "));
                replaced.push((call.byte_range(), name));
            }
            before.push_str(&body);
            before.push(' ');
        }
        let Range { start, end } = statement.byte_range();
        if kind == SiteKind::Call && replaced.is_empty() {
            return Some(vec![(start..end, before.trim_end().to_string())]);
        }
        let is_block = kind != SiteKind::Declaration;
        let mut edits =
            vec![(start..start, format!("{}{before}", if is_block { "{ " } else { "" }))];
        edits.extend(self.edits(statement, meaning, &replaced));
        edits.extend(is_block.then(|| (end..end, " }".to_string())));
        Some(edits)
    }

    /// The line of the file in which a node begins.
    fn line_of(&self, node: Node<'t>) -> u32 {
        let clean = self.file.clean;
        clean.origins.get(clean.line_of(node.start_byte())).map_or(0, |origin| origin.line)
    }

    fn called_name(&self, call: Node<'t>) -> &'s str {
        let callee = call.field(Field::Function).map(strip_parentheses);
        callee.filter(|c| c.kind() == Kind::Identifier).map_or("", |c| self.text(c))
    }

    /// The function that can be written in place of a call, if that is worth it.
    fn callee_of(&mut self, call: Node<'t>, meaning: &Meaning) -> Option<Rc<Callee<'t>>> {
        let name = self.called_name(call);
        if name.is_empty() || meaning.around.contains(name) || meaning.names.contains_key(name) {
            return None;
        }
        let written = self.inlinable(name, &mut meaning.active.clone())?;
        let effects = self.file.functions.effects(self.file.source, name);
        let is_worth = written.has_loop || effects.everything.writes;
        let callee = written.callee;
        let n_given = call.field(Field::Arguments).into_iter().flat_map(named_children).count();
        let is_captured = |name: &String| meaning.around.contains(name);
        let is_placed = n_given == callee.parameters.len()
            && !callee.free.iter().any(is_captured)
            && self.declared.has_before(&callee, meaning.start);
        (is_worth && is_placed && self.growth <= MAX_GROWTH).then_some(callee)
    }

    /// A function all of whose effects are understood once its body is written.
    fn inlinable(&mut self, name: &str, active: &mut Vec<String>) -> Option<Written<'t>> {
        if active.len() > MAX_DEPTH || active.iter().any(|known| known == name) {
            return None;
        }
        let (source, functions) = (self.file.source, self.file.functions);
        let known = self.callees.entry(name.to_string());
        let found = || Callee::of(source, functions, name).map(Rc::new);
        let callee = known.or_insert_with(found).clone()?;
        let has_own_options = self.file.options.changes(name, callee.definition.start_byte());
        if has_own_options || has_directive(self.file.clean, callee.body) {
            return None;
        }
        let (mut has_loop, mut writes) = (callee.has_loop(), callee.writes_memory(source));
        active.push(name.to_string());
        let mut is_understood = true;
        for called in callee.called(source)? {
            match self.inlinable(called, active) {
                Some(inner) => {
                    has_loop |= inner.has_loop;
                    writes |= inner.writes;
                }
                None => {
                    let effects = functions.effects(source, called);
                    is_understood &= !is_effect(&effects);
                    writes |= may_write(&effects);
                }
            }
        }
        active.pop();
        is_understood.then_some(Written { callee, has_loop, writes })
    }

    /// Whether a call may change memory of others.
    fn writes(&mut self, call: Node<'t>, meaning: &Meaning) -> bool {
        let name = self.called_name(call);
        let written = self.inlinable(name, &mut meaning.active.clone());
        let effects = || may_write(&self.file.functions.effects(self.file.source, name));
        written.map_or_else(effects, |written| written.writes)
    }

    /// The body of a called function, as a block.
    fn body(
        &mut self,
        call: Node<'t>,
        callee: &Callee<'t>,
        (meaning, replaced): (&Meaning, &[Edit]),
        result: Option<&str>,
    ) -> Option<String> {
        let source = self.file.source;
        let mut names: BTreeMap<String, String> =
            callee.own.iter().map(|name| (name.clone(), self.fresh(name))).collect();
        let mut declared = String::new();
        let arguments = call.field(Field::Arguments).into_iter().flat_map(named_children);
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            let is_plain = parameter.declarator.is_none_or(|d| d.kind() == Kind::Identifier);
            if is_plain
                && !parameter.is_changed
                && let Some(same) = self.same_value(argument, &parameter.specifiers, meaning)
            {
                names.insert(parameter.name.clone(), same);
                continue;
            }
            let value = self.rewritten(argument, meaning, replaced);
            let name = match parameter.declarator {
                Some(declarator) => pointer_declarator(source, declarator, &names)?,
                None => names.get(&parameter.name)?.clone(),
            };
            declared.push_str(&format!("{} {name} = ({value}); ", parameter.specifiers));
        }
        let last = named_children(callee.body).last().filter(|n| n.kind() == Kind::ReturnStatement);
        let label = self.fresh("end");
        let last = last.map(Node::id);
        let end = End { result: result.map(str::to_string), label: label.clone(), last };
        let inner = Meaning {
            names,
            types: plain_variables(source, callee.definition),
            around: meaning.around.clone(),
            start: meaning.start,
            active: meaning.active.iter().cloned().chain([callee.name.clone()]).collect(),
            end: Some(end),
        };
        let statements: Vec<String> = children(callee.body)
            .filter(|c| !matches!(c.kind(), token!("{") | token!("}")))
            .map(|statement| self.statement(statement, &inner))
            .collect();
        let is_early =
            callee.body.of_kind(Kind::ReturnStatement).any(|node| Some(node.id()) != last);
        let at_end = if is_early { format!(" {label}: ;") } else { String::new() };
        let text = format!("{{ {declared}{}{at_end} }}", statements.join(" "));
        self.growth += text.len();
        (self.growth <= MAX_GROWTH).then_some(text)
    }

    /// A statement of a body.
    fn statement(&mut self, node: Node<'t>, meaning: &Meaning) -> String {
        if let (Kind::ReturnStatement, Some(end)) = (node.kind(), &meaning.end) {
            return self.returned(node, meaning, end);
        }
        match site_kind(node).and_then(|kind| self.site(node, kind, meaning)) {
            Some(edits) => apply(self.file.source, node.byte_range(), &edits),
            None => self.rewritten(node, meaning, &[]),
        }
    }

    /// An argument that can stand for the parameter everywhere: a number, or a variable that only the
    /// caller's own statements change.
    fn same_value(
        &self,
        argument: Node<'t>,
        specifiers: &str,
        meaning: &Meaning,
    ) -> Option<String> {
        let argument = strip_parentheses(argument);
        let own = self.text(argument);
        match argument.kind() {
            Kind::NumberLiteral => {
                let is_integer = own.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                let is_int = matches!(specifiers, "int" | "const int");
                (is_integer && is_int && own.len() < 10).then(|| format!("({own})"))
            }
            Kind::Identifier => {
                let specifiers = specifiers.strip_prefix("const ").unwrap_or(specifiers);
                let is_same = meaning.types.get(own).is_some_and(|known| known == specifiers);
                is_same.then(|| meaning.names.get(own).cloned().unwrap_or_else(|| own.to_string()))
            }
            _ => None,
        }
    }
}

/// Whether a statement stands in a loop of its function.
fn is_in_loop(node: Node<'_>) -> bool {
    let around = std::iter::successors(node.parent(), |node| node.parent());
    let kinds = [Kind::ForStatement, Kind::WhileStatement, Kind::DoStatement];
    around.take_while(|n| n.kind() != Kind::FunctionDefinition).any(|n| kinds.contains(&n.kind()))
}

/// Whether a call is all of a statement.
fn is_whole(statement: Node<'_>, call: Node<'_>) -> bool {
    statement.named_child(0).map(strip_parentheses) == Some(call)
}

/// Whether a directive stands among the lines of a node.
fn has_directive(clean: &CleanText, node: Node<'_>) -> bool {
    let lines = clean.line_of(node.start_byte()) + 1..=clean.line_of(node.end_byte());
    lines.into_iter().any(|line| clean.line_text(line).trim_start().starts_with('#'))
}

/// The variables of a function with a plain type whose address is not taken, and that are declared once.
fn plain_variables(source: &str, definition: Node<'_>) -> BTreeMap<String, String> {
    let listed = parameters(definition).filter(|p| p.kind() == Kind::ParameterDeclaration);
    let body = definition.field(Field::Body);
    let inside = body.into_iter().flat_map(|body| body.of_kind(Kind::Declaration));
    let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
    for declaration in listed.chain(old_style_declarations(definition)).chain(inside) {
        let Some(first) = declaration.field(Field::Declarator) else { continue };
        let words = source.get(declaration.start_byte()..first.start_byte()).unwrap_or("");
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        for node in declaration.all_in_field(Field::Declarator) {
            let Some(parts) = declarator(source, node) else { continue };
            let is_plain = parts.dimensions.is_empty() && !parts.is_function;
            let of_type = is_plain.then(|| words.clone());
            let known = found.entry(text(source, parts.name).to_string());
            known.and_modify(|known| *known = None).or_insert(of_type);
        }
    }
    let addresses = definition.of_kind(Kind::PointerExpression);
    let addressed = addresses.filter(|node| text(source, *node).starts_with('&'));
    for name in addressed.flat_map(|node| node.of_kind(Kind::Identifier)) {
        found.remove(text(source, name));
    }
    found.into_iter().filter_map(|(name, words)| Some((name, words?))).collect()
}

/// The declarator of a parameter as one of a variable, under its new name: what is declared as an array is a
/// pointer.
fn pointer_declarator(
    source: &str,
    node: Node<'_>,
    names: &BTreeMap<String, String>,
) -> Option<String> {
    let name = declarator(source, node)?.name;
    let new = names.get(text(source, name))?;
    let mut edits: Vec<Edit> = vec![(name.byte_range(), new.clone())];
    let renamed = |edits: &mut Vec<Edit>, node: Node<'_>| {
        for inner in node.of_kind(Kind::Identifier).filter(|inner| *inner != name) {
            edits.extend(
                names.get(text(source, inner)).map(|new| (inner.byte_range(), new.clone())),
            );
        }
    };
    if let Some(array) = name.parent().filter(|p| p.kind() == Kind::ArrayDeclarator) {
        let is_last = array.parent().is_none_or(|p| p.kind() != Kind::ArrayDeclarator);
        let pointer = if is_last { format!("*{new}") } else { format!("(*{new})") };
        edits = vec![(array.byte_range(), pointer)];
        let mut outer = array;
        while let Some(around) = outer.parent().filter(|p| p.kind() == Kind::ArrayDeclarator) {
            around.field(Field::Size).into_iter().for_each(|size| {
                edits.push((size.byte_range(), apply_names(source, size, names)));
            });
            outer = around;
        }
    } else {
        renamed(&mut edits, node);
    }
    let qualifiers =
        node.of_kind(Kind::TypeQualifier).filter(|q| text(source, *q).contains("restrict"));
    let inside = |range: &Range<usize>, edits: &[Edit]| {
        edits.iter().any(|(own, _)| own.start <= range.start && range.end <= own.end)
    };
    for range in qualifiers.map(Node::byte_range) {
        if !inside(&range, &edits) {
            edits.push((range, String::new()));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    Some(apply(source, node.byte_range(), &edits))
}

fn apply_names(source: &str, node: Node<'_>, names: &BTreeMap<String, String>) -> String {
    let found = node.of_kind(Kind::Identifier);
    let edits: Vec<Edit> = found
        .filter_map(|inner| Some((inner.byte_range(), names.get(text(source, inner))?.clone())))
        .collect();
    apply(source, node.byte_range(), &edits)
}

/// A range of the text on one line, with edits in order.
fn apply(source: &str, range: Range<usize>, edits: &[Edit]) -> String {
    let mut found = String::new();
    let mut at = range.start;
    let push = |found: &mut String, range: Range<usize>| {
        found.extend(
            source.get(range).unwrap_or("").chars().map(|c| if c == '\n' { ' ' } else { c }),
        );
    };
    for (own, new) in edits {
        push(&mut found, at..own.start);
        found.push_str(new);
        at = own.end;
    }
    push(&mut found, at..range.end);
    found
}
