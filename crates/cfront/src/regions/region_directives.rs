//! What the directives of a file mean to a region: those in it, directly in front of it, around it, in
//! functions that it calls, and those that name variables which it uses.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::directives::{
    Answer, Clause, ClauseMeaning, Directive, Family, Meaning, Position, Reach, reduction_list,
};
use crate::facts::function_names::function_name;
use crate::facts::side_effects::Functions;
use crate::regions::extraction::Run;
use crate::regions::one_thread::{governed, runs_in_one_thread};
use crate::regions::parsed::Parsed;
use crate::regions::places::StatementPlaces;
use crate::regions::sequential::{Construct, vanishing};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{strip_parentheses, text};
use crate::syntax::tree::Node;
use crate::text::located::diagnostic_at;
use crate::text::preprocess::CleanText;
use loopwright_scop::StatementId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a region has of directives.
#[derive(Debug, Default)]
pub(crate) struct RegionDirectives {
    /// Why it is refused.
    pub(crate) refused: Vec<Diagnostic>,
    /// One sentence for each directive that is not in the result.
    pub(crate) remarks: Vec<String>,
    /// The variables of clauses `reduction`, with the bytes of the loops that these are about.
    pub(crate) reductions: Vec<(Range<usize>, String)>,
    /// What is taken for granted about other threads.
    pub(crate) assumptions: Vec<String>,
}

/// What the directives of a file mean to a run of its statements.
///
/// *Cost.* Nothing in files whose directives change nothing; otherwise linear in the functions that the run
/// calls, for each directive.
pub(crate) fn region_directives<'t>(
    clean: &CleanText,
    parsed: &'t Parsed,
    functions: &Functions<'t>,
    run: &Run<'t>,
) -> RegionDirectives {
    let mut reader = Reader { clean, parsed, run, found: RegionDirectives::default() };
    let changing: Vec<&Directive> = parsed.directives.iter().filter(|d| changes(d)).collect();
    if changing.is_empty() && !clean.system_text.contains(THREADPRIVATE) {
        return reader.found;
    }
    let called = called_functions(&parsed.source, functions, run);
    for directive in parsed.directives_in(run.function.byte_range()).iter().filter(|d| changes(d)) {
        reader.place(directive);
    }
    for directive in &changing {
        reader.function(directive, &called);
    }
    reader.callees(&called);
    reader.names(&called);
    reader.found
}

const THREADPRIVATE: &str = "threadprivate";

/// Whether a directive can change anything about a region.
fn changes(directive: &Directive) -> bool {
    !matches!(directive.meaning(), Meaning::Harmless | Meaning::Own)
}

/// The names of the functions that a run calls, with their definitions and those that these call, if the file
/// has them.
fn called_functions<'t>(source: &str, functions: &Functions<'t>, run: &Run<'t>) -> Called<'t> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(Node<'t>, Option<Node<'t>>)> =
        run.statements.iter().map(|statement| (*statement, None)).collect();
    while let Some((node, first)) = open.pop() {
        for call in node.of_kind(Kind::CallExpression) {
            let callee = call.field(Field::Function).map(strip_parentheses);
            let Some(callee) = callee.filter(|callee| callee.kind() == Kind::Identifier) else {
                continue;
            };
            let name = text(source, callee).to_string();
            if found.contains_key(&name) {
                continue;
            }
            let definition = functions.definition(&name);
            let site = first.unwrap_or(call);
            open.extend(definition.map(|definition| (definition, Some(site))));
            found.insert(name, (definition, site));
        }
    }
    found
}

/// Functions by name: the definition, and where the run calls it, perhaps by others.
type Called<'t> = BTreeMap<String, (Option<Node<'t>>, Node<'t>)>;

struct Reader<'s, 't> {
    clean: &'s CleanText,
    parsed: &'t Parsed,
    run: &'s Run<'t>,
    found: RegionDirectives,
}

impl<'t> Reader<'_, 't> {
    /// The line of a directive in its file.
    fn line(&self, directive: &Directive) -> u32 {
        let line = self.clean.line_of(directive.start);
        self.clean.origins.get(line).map_or(directive.line, |origin| origin.line)
    }

    fn refuse(&mut self, at: usize, byte: usize, message: String, (why, hint): (String, &str)) {
        let mut diagnostic = diagnostic_at(self.clean, Code::Directive, at, message);
        let line = self.clean.line_text(self.clean.line_of(at));
        diagnostic.length = line.trim().chars().count() as u32;
        // A search for regions leaves out the statement that this is about.
        diagnostic.byte = Some(byte);
        self.found.refused.push(diagnostic.because(why).hint(hint));
    }

    /// A directive in, directly in front of or around the run.
    fn place(&mut self, directive: &Directive) {
        let bytes = &self.run.bytes;
        let governed = governed(self.parsed, directive);
        let first = self.run.statements.first().map(|first| first.id());
        let position = if bytes.contains(&directive.start) {
            Position::Inside
        } else if directive.start < bytes.start && governed.map(Node::id) == first {
            Position::Front
        } else if directive.row().reach != Reach::Alone
            && governed.is_some_and(|node| {
                node.start_byte() <= bytes.start && node.end_byte() >= bytes.end
            })
        {
            Position::Around
        } else {
            return;
        };
        match directive.answer(position) {
            Answer::Refused if self.goes_with_the_run(directive, position) => {}
            Answer::Accepted => {}
            Answer::Refused => self.refuse_place(directive, position, governed),
            Answer::ByClauses => self.sequential(directive, governed),
            Answer::InOneThread => match runs_in_one_thread(self.parsed, self.run.function) {
                true => {
                    self.sequential(directive, governed);
                    self.assume_alone(directive);
                }
                false => self.refuse_team(directive, governed),
            },
        }
    }

    /// Whether a hint in front of a run that was found stands on lines that belong to this.
    fn goes_with_the_run(&self, directive: &Directive, position: Position) -> bool {
        let is_between =
            |other: &&Directive| (directive.start..self.run.bytes.start).contains(&other.start);
        let mut between = self.parsed.directives.iter().filter(is_between);
        position == Position::Front
            && self.run.is_detected
            && between.all(|other| other.meaning() == Meaning::Hint)
    }

    fn refuse_place(
        &mut self,
        directive: &Directive,
        position: Position,
        governed: Option<Node<'t>>,
    ) {
        let is_hint = directive.meaning() == Meaning::Hint;
        let place = match position {
            Position::Inside => "in the region",
            Position::Around => "around the region",
            _ => "directly in front of the region",
        };
        let hint = match (position, directive.meaning()) {
            (_, Meaning::Hint) => "put it into the region, directly in front of its loop",
            (Position::Inside, Meaning::Setting) => "put it in front of the function",
            (Position::Inside, _) => {
                "leave the statements that it is about to it: put them, with it, \
                 outside of the region"
            }
            _ => "leave these statements to the directive, and put regions elsewhere",
        };
        let why = match is_hint {
            true => "the loop behind it would be another one".to_string(),
            false => format!("it {}", directive.row().why),
        };
        let byte = match position {
            Position::Inside => governed.map_or(directive.start, Node::start_byte),
            _ => self.run.bytes.start,
        };
        let message = format!("the directive `{}` stands {place}", directive.text);
        self.refuse(directive.start, byte, message, (why, hint));
    }

    /// Directives about memory that threads share are also about threads which other files may start.
    fn assume_alone(&mut self, directive: &Directive) {
        if matches!(&*directive.name, "atomic" | "critical" | "flush") {
            let line = self.line(directive);
            let assumed = format!(
                "no other thread of the program uses what the directive `{}` in line {line} is \
                 about while the region runs",
                directive.text
            );
            self.found.assumptions.push(assumed);
        }
    }

    fn refuse_team(&mut self, directive: &Directive, governed: Option<Node<'t>>) {
        let function = function_name(&self.parsed.source, self.run.function);
        let message = format!("the directive `{}` stands in the region", directive.text);
        let why = format!("it {}, and several threads may call `{function}`", directive.row().why);
        let hint = "leave the statements that it is about to it, outside of the region; or have \
                    one thread run the function, which is seen where it is `static` and all its \
                    calls are outside of directives";
        let byte = governed.map_or(directive.start, Node::start_byte);
        self.refuse(directive.start, byte, message, (why, hint));
    }

    /// A directive that says nothing where statements run one after the other, if its clauses allow that.
    fn sequential(&mut self, directive: &Directive, governed: Option<Node<'t>>) {
        let line = self.line(directive);
        let construct = Construct { parsed: self.parsed, run: self.run, directive, governed };
        match vanishing(&construct) {
            Ok(()) => {
                let said = format!(
                    "the directive `{}` in line {line} is not in the result: what it is about is \
                     a part of the region",
                    directive.text
                );
                self.found.remarks.push(said);
                let lists = directive.clauses_named("reduction").filter_map(reduction_list);
                let items = lists.flat_map(|(_, items)| items);
                for (item, node) in items.flat_map(|item| Some((item, governed?))) {
                    let name = item.split('[').next().unwrap_or("").trim().to_string();
                    self.found.reductions.push((node.byte_range(), name));
                }
            }
            Err(refusal) => {
                let byte = governed.map_or(directive.start, Node::start_byte);
                let message = format!("the directive `{}` stands in the region", directive.text);
                self.refuse(directive.start, byte, message, (refusal.why, refusal.hint));
            }
        }
    }

    /// A directive about the function of the run, or about the declaration of one that it calls.
    fn function(&mut self, directive: &Directive, called: &Called<'t>) {
        let source = &self.parsed.source;
        let own = self.run.function;
        let name = function_name(source, own);
        let is_about_own = match directive.row().reach {
            Reach::Declaration | Reach::Statement => {
                let between = source.get(directive.end..own.start_byte()).unwrap_or("else");
                between.trim_start().is_empty()
                    || directive.row().reach == Reach::Declaration
                        && governed(self.parsed, directive).is_some_and(|node| {
                            node.kind() == Kind::Declaration && declares(source, node, &name)
                        })
            }
            Reach::Behind => self.is_open(directive) || lists(directive, &name),
            Reach::Alone => false,
        };
        if is_about_own && directive.answer(Position::Function) == Answer::Refused {
            let message = format!("the directive `{}` is about `{name}`", directive.text);
            let why = format!("it {}", directive.row().why);
            let hint = "move the loops into a function that no directive is about";
            return self.refuse(directive.start, self.run.bytes.start, message, (why, hint));
        }
        let is_declaration = directive.row().reach == Reach::Declaration;
        if !is_declaration || directive.answer(Position::Callee) != Answer::Refused {
            return;
        }
        let Some(node) = governed(self.parsed, directive) else { return };
        let about = called.iter().find(|(name, _)| declares(source, node, name));
        if let Some((name, (_, site))) = about {
            let message = format!("a call of `{name}`, which a directive is about");
            let line = self.line(directive);
            let why = format!("`{}` in line {line} {}", directive.text, directive.row().why);
            let hint = "move the call out of the region";
            self.refuse(site.start_byte(), site.start_byte(), message, (why, hint));
        }
    }

    /// Whether what a directive begins outside of functions is not ended in front of the run's function.
    fn is_open(&self, directive: &Directive) -> bool {
        let start = self.run.function.start_byte();
        let key =
            |name: &str| name.trim_start_matches("begin ").trim_start_matches("end ").to_string();
        let begins = directive.name.starts_with("begin ")
            || directive.name == "declare target"
                && directive.argument.is_none()
                && directive.clauses.iter().all(|clause| clause.argument.is_none());
        let ends = |other: &&Directive| {
            (directive.start..start).contains(&other.start)
                && other.name.starts_with("end ")
                && key(&other.name) == key(&directive.name)
        };
        begins && directive.start < start && !self.parsed.directives.iter().any(|d| ends(&d))
    }

    /// The directives in functions that the run calls.
    fn callees(&mut self, called: &Called<'t>) {
        for (name, (definition, site)) in called {
            let Some(definition) = definition else { continue };
            let mut inside = self.parsed.directives_in(definition.byte_range()).iter();
            if let Some(directive) = inside.find(|directive| !stays_in_callees(directive)) {
                let line = self.line(directive);
                let message = format!("a call of `{name}`, which has a directive");
                let why = format!("`{}` in line {line} {}", directive.text, directive.row().why);
                let hint = "move the call out of the region";
                self.refuse(site.start_byte(), site.start_byte(), message, (why, hint));
            }
        }
    }

    /// The variables that exist once for each thread.
    fn names(&mut self, called: &Called<'t>) {
        let of_headers = match self.clean.system_text.contains(THREADPRIVATE) {
            true => crate::directives::read(&self.clean.system_text),
            false => Vec::new(),
        };
        let all = self.parsed.directives.iter().chain(&of_headers);
        let named = all.filter(|directive| directive.meaning() == Meaning::Names);
        let lists = named.filter_map(|directive| directive.argument.as_deref());
        let names: BTreeSet<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
        if names.is_empty() {
            return;
        }
        let mentioned = mention(self.parsed, self.run, called, &|name| names.contains(name));
        if let Some((name, site)) = mentioned {
            let message = format!("`{name}` exists once for each thread");
            let why =
                "a directive `threadprivate` names it: other threads would use their own copies";
            let hint = "copy it to a local variable in front of the region, and use that";
            self.refuse(site.start_byte(), site.start_byte(), message, (why.to_string(), hint));
        }
    }
}

/// Refuses a run that uses names which may stand for other objects, or calls functions that do.
pub(crate) fn refuse_linker_names<'t>(
    clean: &CleanText,
    parsed: &'t Parsed,
    functions: &Functions<'t>,
    run: &Run<'t>,
) -> Option<Diagnostic> {
    let all = &parsed.linker_names;
    if all.is_empty() {
        return None;
    }
    let called = called_functions(&parsed.source, functions, run);
    let (name, site) = mention(parsed, run, &called, &|name| all.get(name).is_some())?;
    let renamed = all.get(name)?;
    let line = clean.line_of(renamed.byte);
    let line = clean.origins.get(line).map_or(0, |origin| origin.line);
    let code = if renamed.is_pragma { Code::Directive } else { Code::Type };
    let message = format!("`{name}` may stand for another object");
    let why = format!(
        "`{}` in line {line} gives it another name for the linker, or lets another file define it",
        renamed.by
    );
    let hint = "copy a variable to a local one in front of the region; move a call out of it";
    Some(diagnostic_at(clean, code, site.start_byte(), message).because(why).hint(hint))
}

/// The first name of a run, or of functions that it calls, of some kind, with its place in the run.
fn mention<'t>(
    parsed: &'t Parsed,
    run: &Run<'t>,
    called: &Called<'t>,
    is_it: &dyn Fn(&str) -> bool,
) -> Option<(&'t str, Node<'t>)> {
    let source = &parsed.source;
    let mention = |node: Node<'t>| {
        let mut all = node.of_kind(Kind::Identifier);
        all.find(|mention| is_it(text(source, *mention)))
    };
    let own = run.statements.iter().find_map(|statement| mention(*statement));
    let by_calls =
        || called.values().find_map(|(definition, site)| Some((mention((*definition)?)?, *site)));
    let (node, site) = own.map(|node| (node, node)).or_else(by_calls)?;
    Some((text(source, node), site))
}

/// Whether a call of a function with a directive does what its text says, whichever thread calls it.
fn stays_in_callees(directive: &Directive) -> bool {
    let is_plain = |clause: &Clause| {
        use ClauseMeaning::{Depth, Expression, Harmless, Reduction};
        matches!(directive.clause(clause).0, Depth | Expression | Harmless | Reduction)
    };
    match directive.answer(Position::Callee) {
        Answer::Accepted => true,
        Answer::ByClauses => directive.clauses.iter().all(is_plain),
        Answer::InOneThread | Answer::Refused => false,
    }
}

impl RegionDirectives {
    /// The statements whose updates of a variable clauses allow in any order.
    pub(crate) fn in_any_order(&self, places: &[StatementPlaces]) -> Vec<(StatementId, String)> {
        let mut found = Vec::new();
        for (index, place) in (0..).zip(places) {
            let own = self.reductions.iter().filter(|(bytes, _)| bytes.contains(&place.at));
            found.extend(own.map(|(_, name)| (StatementId(index), name.clone())));
        }
        found
    }
}

/// Whether a list of a directive has a name.
fn lists(directive: &Directive, name: &str) -> bool {
    let own = directive
        .argument
        .iter()
        .chain(directive.clauses.iter().filter_map(|c| c.argument.as_ref()));
    own.flat_map(|list| list.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .any(|word| word == name)
}

/// Whether a declaration or definition is one of a function.
fn declares(source: &str, node: Node<'_>, name: &str) -> bool {
    node.all_in_field(Field::Declarator).any(|inner| {
        crate::facts::ctypes::declarator(source, inner)
            .is_some_and(|parts| parts.is_function && text(source, parts.name) == name)
    })
}

/// Whether a function has directives about threads or devices, which a search for regions leaves to it.
pub(crate) fn is_about_threads(directive: &Directive) -> bool {
    matches!(directive.family, Family::OpenMp | Family::OpenAcc)
}
