//! Directives whose statement means the same one after the other: what their clauses say about variables must
//! not be seen outside of it.
//!
//! `private(t)` leaves the `t` outside as it was. Without the directive `t` is assigned, which is the same
//! where nothing reads it before it is assigned again. `firstprivate` variables that the statement changes
//! depend on threads; those of a `reduction` are only ever updated by its operator, so that no sum of a part
//! is seen.
use crate::directives::{ClauseMeaning, Directive, Meaning, reduction_list};
use crate::facts::for_header::header;
use crate::regions::extraction::Run;
use crate::regions::one_thread::governed;
use crate::regions::parsed::Parsed;
use crate::regions::updates::is_only_updated;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    changed_names, has_storage, mentions, strip_parentheses, text, written_places,
};
use crate::syntax::tree::Node;

/// A directive in a run, with the statement that it is about.
pub(crate) struct Construct<'a, 't> {
    pub(crate) parsed: &'t Parsed,
    pub(crate) run: &'a Run<'t>,
    pub(crate) directive: &'a Directive,
    pub(crate) governed: Option<Node<'t>>,
}

/// Why a directive cannot vanish, and what to do.
pub(crate) struct NotSequential {
    pub(crate) why: String,
    pub(crate) hint: &'static str,
}

type Checked = Result<(), NotSequential>;

const DECLARE_INSIDE: &str = "declare the variable in the statement that the directive is about";
const LEAVE: &str =
    "leave the statements that it is about to it: put them, with it, outside of the region";

fn refuse(why: String, hint: &'static str) -> Checked {
    Err(NotSequential { why, hint })
}

/// Whether the region means the same without the directive.
pub(crate) fn vanishing(construct: &Construct<'_, '_>) -> Checked {
    let directive = construct.directive;
    let is_loop = matches!(directive.meaning(), Meaning::Loop | Meaning::TeamLoop);
    match construct.governed {
        Some(node) if node.end_byte() <= construct.run.bytes.end => {
            if is_loop && node.kind() != Kind::ForStatement {
                return refuse("no `for` loop follows it".to_string(), LEAVE);
            }
        }
        _ if construct.is_alone() => {}
        _ => return refuse("no statement of the region follows it".to_string(), LEAVE),
    }
    let iterators = if is_loop { construct.iterators()? } else { Vec::new() };
    for clause in &directive.clauses {
        let (meaning, why) = directive.clause(clause);
        let argument = clause.argument.as_deref().unwrap_or("");
        match meaning {
            ClauseMeaning::Harmless | ClauseMeaning::Depth => {}
            ClauseMeaning::Expression if is_plain(argument) => {}
            ClauseMeaning::Expression => {
                return refuse(format!("computing `{argument}` may have effects"), LEAVE);
            }
            ClauseMeaning::Obstacle => {
                return refuse(format!("its clause `{}` {why}", clause.name), LEAVE);
            }
            ClauseMeaning::Private | ClauseMeaning::FirstPrivate => {
                for name in clause.items() {
                    construct.is_the_only_name(&name)?;
                    construct.keeps(&name, meaning)?;
                }
            }
            ClauseMeaning::LastPrivate => {
                for name in clause.items() {
                    construct.is_the_only_name(&name)?;
                }
            }
            ClauseMeaning::Linear => {
                let is_iterator = |name: &String| iterators.contains(name);
                if !clause.items().iter().all(is_iterator) {
                    return refuse(format!("its clause `linear({argument})` {why}"), LEAVE);
                }
            }
            ClauseMeaning::Reduction => construct.reduction(clause)?,
        }
    }
    // The iterators of loops that threads share are private; those of `simd` have their last values.
    let shares = is_loop && !matches!(&*directive.name, "simd" | "tile" | "unroll");
    if shares {
        for name in &iterators {
            construct.is_the_only_name(name)?;
            construct.keeps(name, ClauseMeaning::Private)?;
        }
    }
    Ok(())
}

/// Whether an expression has no effects: no calls and no assignments.
fn is_plain(expression: &str) -> bool {
    let calls = expression.match_indices('(').any(|(at, _)| {
        let before = expression[..at].trim_end();
        before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && !["omp_get_max_threads", "omp_get_num_procs", "sizeof"]
                .iter()
                .any(|known| before.ends_with(known))
    });
    let without = ["==", "<=", ">=", "!="]
        .iter()
        .fold(expression.to_string(), |text, sign| text.replace(sign, "<"));
    !calls && !without.contains('=') && !without.contains("++") && !without.contains("--")
}

impl<'t> Construct<'_, 't> {
    fn source(&self) -> &'t str {
        &self.parsed.source
    }

    fn is_alone(&self) -> bool {
        self.directive.row().reach == crate::directives::Reach::Alone
    }

    /// The iterators, declared before the loop, of the loops that the directive is about.
    fn iterators(&self) -> Result<Vec<String>, NotSequential> {
        let depth = |clause: &crate::directives::Clause| {
            let argument = clause.argument.as_deref();
            argument.map_or(Some(1), |argument| argument.trim().parse::<usize>().ok())
        };
        let mut loops = 1;
        for name in ["collapse", "ordered"] {
            for clause in self.directive.clauses_named(name) {
                let unclear = || NotSequential {
                    why: format!("the number of loops of its clause `{name}` is not a number"),
                    hint: LEAVE,
                };
                loops = loops.max(depth(clause).ok_or_else(unclear)?);
            }
        }
        let mut found = Vec::new();
        let mut next = self.governed;
        for _ in 0..loops {
            let own = next.filter(|node| node.kind() == Kind::ForStatement);
            let parts = own.and_then(|node| Some((node, header(self.source(), node)?)));
            let Some((node, parts)) = parts else {
                let why = "the iterators of its loops are not clear".to_string();
                return Err(NotSequential { why, hint: LEAVE });
            };
            if parts.declaration.is_none() {
                found.push(parts.iterator.to_string());
            }
            next = node.field(Field::Body);
            while let Some(block) = next.filter(|node| node.kind() == Kind::CompoundStatement) {
                let mut inner = block.named_children();
                let is_for = |node: &Node<'t>| node.kind() == Kind::ForStatement;
                next = inner.find(is_for);
            }
        }
        Ok(found)
    }

    /// Whether a variable is reached by its name only: what pointers and called functions see is not the
    /// thread's own.
    fn is_the_only_name(&self, name: &str) -> Checked {
        let (Some(own), source) = (self.governed, self.source()) else { return Ok(()) };
        let is_address = |node: &Node<'t>| {
            text(source, *node).starts_with('&') && mentions(source, *node, name).next().is_some()
        };
        let is_addressed =
            self.run.function.of_kind(Kind::PointerExpression).any(|node| is_address(&node));
        let is_seen = self.declared(name).is_none() && own.has_kind(&[Kind::CallExpression]);
        match is_addressed || is_seen {
            true => refuse(
                format!("`{name}` may be reached in other ways, which lead to the one outside"),
                DECLARE_INSIDE,
            ),
            false => Ok(()),
        }
    }

    /// Whether nobody sees that a variable of the thread is the one outside.
    fn keeps(&self, name: &str, meaning: ClauseMeaning) -> Checked {
        let Some(own) = self.governed else { return Ok(()) };
        let source = self.source();
        if meaning == ClauseMeaning::FirstPrivate {
            let elements = written_places(own).filter(|place| place.kind() != Kind::Identifier);
            let mut bases = elements.filter_map(|place| place.of_kind(Kind::Identifier).next());
            let is_changed = changed_names(source, own).contains(name)
                || self.is_array(name) && bases.any(|base| text(source, base) == name);
            return match is_changed {
                true => refuse(format!("each thread changes its own `{name}`"), DECLARE_INSIDE),
                false => Ok(()),
            };
        }
        let function = self.run.function;
        let Some(is_static) = self.declared(name) else {
            return refuse(
                format!("`{name}` keeps its value outside, where other functions may read it"),
                DECLARE_INSIDE,
            );
        };
        let around = std::iter::successors(own.parent(), |node| node.parent());
        let mut inside = around.take_while(|node| node.id() != function.id());
        let is_loop = |node: Node<'t>| {
            matches!(node.kind(), Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement)
        };
        let repeats = is_static
            || inside.any(is_loop)
            || function.has_kind(&[Kind::LabeledStatement, Kind::GotoStatement]);
        let seen = mentions(source, function, name).find(|mention| {
            let is_own = own.byte_range().contains(&mention.start_byte());
            let is_later = repeats || mention.start_byte() > own.start_byte();
            !is_own && is_later && !self.is_set_first(*mention, name)
        });
        match seen {
            Some(_) => refuse(
                format!("`{name}` keeps its value outside, which the function uses"),
                DECLARE_INSIDE,
            ),
            None => Ok(()),
        }
    }

    /// Whether the function declares a variable, and if so whether it lives on.
    fn declared(&self, name: &str) -> Option<bool> {
        let source = self.source();
        let names = |node: Node<'t>| {
            node.all_in_field(Field::Declarator).any(|inner| {
                crate::facts::ctypes::declarator(source, inner)
                    .is_some_and(|parts| text(source, parts.name) == name)
            })
        };
        let function = self.run.function;
        let all = function.of_kinds(&[Kind::Declaration, Kind::ParameterDeclaration]);
        let own: Vec<Node<'t>> = all.into_iter().filter(|node| names(*node)).collect();
        let lives_on = |node: &Node<'t>| {
            has_storage(source, *node, "static") || has_storage(source, *node, "extern")
        };
        (!own.is_empty()).then(|| own.iter().any(lives_on))
    }

    /// Whether a variable of the function is an array.
    fn is_array(&self, name: &str) -> bool {
        let all = self.run.function.of_kind(Kind::ArrayDeclarator);
        all.flat_map(|node| node.of_kind(Kind::Identifier).next())
            .any(|first| text(self.source(), first) == name)
    }

    /// Whether a mention of a variable does not see what it had before: it is a declaration, or stands in a
    /// loop whose head sets it, or in what another directive has it private in.
    fn is_set_first(&self, mention: Node<'t>, name: &str) -> bool {
        let source = self.source();
        let Some(parent) = mention.parent() else { return false };
        if parent.kind() == Kind::PointerExpression {
            return false;
        }
        let is_declared = parent.kind().is_declarator() || parent.kind() == Kind::Declaration;
        let is_value =
            parent.field(Field::Value).map(strip_parentheses).map(Node::id) == Some(mention.id());
        if is_declared && !is_value {
            return true;
        }
        let sets = |node: &Node<'t>| {
            node.kind() == Kind::ForStatement
                && header(source, *node).is_some_and(|parts| {
                    parts.iterator == name
                        && !parts.value.byte_range().contains(&mention.start_byte())
                })
        };
        let around = std::iter::successors(Some(parent), |node| node.parent());
        let mut inside = around.take_while(|node| node.id() != self.run.function.id());
        inside.any(|node| sets(&node)) || self.is_private_elsewhere(mention, name)
    }

    fn is_private_elsewhere(&self, mention: Node<'t>, name: &str) -> bool {
        self.parsed.directives_in(self.run.function.byte_range()).iter().any(|other| {
            other.items_of(ClauseMeaning::Private).iter().any(|item| item == name)
                && governed(self.parsed, other)
                    .is_some_and(|node| node.byte_range().contains(&mention.start_byte()))
        })
    }

    /// A reduction whose variables are only updated by its operator.
    fn reduction(&self, clause: &crate::directives::Clause) -> Checked {
        let argument = clause.argument.as_deref().unwrap_or("");
        let Some((operator, items)) = reduction_list(clause) else {
            return refuse(format!("the reduction `{argument}` is not one of the language"), LEAVE);
        };
        let Some(own) = self.governed else { return Ok(()) };
        let is_defined = self.parsed.directives.iter().any(|other| {
            let argument = other.argument.as_deref().unwrap_or("").trim();
            other.name == "declare reduction" && argument.starts_with(&*operator)
        });
        if is_defined {
            return refuse(format!("the program defines a reduction `{operator}`"), LEAVE);
        }
        for item in items {
            let name = item.split('[').next().unwrap_or("").trim();
            self.is_the_only_name(name)?;
            let seen = mentions(self.source(), own, name)
                .find(|mention| !is_only_updated(self.source(), *mention, &operator));
            if seen.is_some() {
                let why =
                    format!("the loop does more with `{name}` than the reduction `{operator}`");
                return refuse(why, LEAVE);
            }
        }
        Ok(())
    }
}
