//! The text of generated loops, with the bodies in their places and directives of OpenMP.
use crate::code::CodeOptions;
use crate::multifor::{Body, Multifor};
use crate::tree::{SECTION, SECTIONS};
use loopwright_astgen::{AstExpr, AstNode, ForLoop, FreshNames, Lowering};
use loopwright_cfront::MultiforText;
use loopwright_presburger::Name;

/// Which threads execute what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Team {
    /// One thread executes everything but parallel loops.
    #[default]
    One,
    /// Each part between sections is executed by one of several threads, which wait for each other behind
    /// them.
    Sections,
    /// As `Sections`, by threads that are there already and do not wait.
    SectionsNoWait,
    /// The threads share the parallel loops of each part, and begin the next part without waiting.
    Shared,
}

/// Values that symbolic constants of type `int` are expected to have where they are computed with; that they
/// are not less is said ([`margin`]).
const PARAMETERS: std::ops::RangeInclusive<i64> = -1_000_000_000..=(1 << 31) - 1;

/// What is taken for granted of symbolic constants that are computed with as they are.
pub(crate) fn margin(multifor: &Multifor, options: &CodeOptions) -> Option<String> {
    let is_plain = |name: &&Name| !options.parameters.contains_key(&***name);
    let names = multifor.parameters.iter().filter(is_plain).map(|name| format!("`{name}`"));
    let names = names.collect::<Vec<_>>().join(", ");
    let least = PARAMETERS.start();
    (!names.is_empty()).then(|| format!("assumed: {names} >= {least}"))
}

/// Writes the text of loops.
pub(crate) struct Text<'a> {
    multifor: &'a Multifor,
    options: &'a CodeOptions,
    iterator_type: &'static str,
    lowering: Lowering,
}

/// Where text is written.
#[derive(Clone, Copy, Default)]
struct Site {
    depth: usize,
    /// Whether different threads execute what is here already.
    is_shared: bool,
}

impl Site {
    fn deeper(self) -> Site {
        Site { depth: self.depth + 1, ..self }
    }

    fn shared(self) -> Site {
        Site { is_shared: true, ..self }
    }
}

impl<'a> Text<'a> {
    pub(crate) fn new(
        multifor: &'a Multifor,
        options: &'a CodeOptions,
        iterator_type: &'static str,
    ) -> Self {
        let mut lowering = Lowering::new(FreshNames::new(options.used_names.clone()));
        for name in &multifor.parameters {
            match options.parameters.get(&**name) {
                Some(text) => lowering.write_parameter(name, text),
                None => lowering.parameter_is_narrow(name, PARAMETERS, "long"),
            }
        }
        Text { multifor, options, iterator_type, lowering }
    }

    /// The whole as one statement.
    pub(crate) fn statement(&mut self, ast: &AstNode) -> String {
        let mut lines = String::from("{\n");
        for (name, text) in &self.options.parameters {
            lines.push_str(&format!("  const long {text} = {name};\n"));
        }
        let site = Site::default().deeper();
        let is_team = match self.options.team {
            Team::One | Team::SectionsNoWait => false,
            // One directive does both where nothing is around the sections.
            Team::Sections => !is_mark(ast, SECTIONS),
            Team::Shared => true,
        };
        match is_team {
            true => {
                lines.push_str(&format!("#pragma omp parallel{}\n  {{\n", self.clauses()));
                self.node(&mut lines, ast, site.deeper());
                lines.push_str("  }\n");
            }
            false => self.node(&mut lines, ast, site),
        }
        lines.push_str("}\n");
        lines
    }

    fn clauses(&self) -> String {
        with_blank(&self.options.clauses)
    }

    fn node(&mut self, lines: &mut String, node: &AstNode, site: Site) {
        match node {
            AstNode::For(each) => self.for_loop(lines, each, site),
            AstNode::If { condition, then, otherwise } => {
                let condition = self.expression(condition);
                line(lines, site.depth, &format!("if ({condition}) {{"));
                self.node(lines, then, site.deeper());
                if let Some(otherwise) = otherwise {
                    line(lines, site.depth, "} else {");
                    self.node(lines, otherwise, site.deeper());
                }
                line(lines, site.depth, "}");
            }
            AstNode::Block(children) => {
                children.iter().for_each(|child| self.node(lines, child, site));
            }
            AstNode::Mark { name, child, .. } if &**name == SECTIONS => {
                self.sections(lines, child, site);
            }
            AstNode::Mark { name, child, .. } if &**name == SECTION => {
                self.section(lines, child, site);
            }
            AstNode::Mark { child, .. } => self.node(lines, child, site),
            AstNode::User { statement, arguments, .. } => {
                let name = statement.output().and_then(|tuple| tuple.name());
                let body = self.multifor.bodies.iter().find(|body| Some(&body.name) == name);
                if let Some(body) = body {
                    self.body(lines, body, arguments, site);
                }
            }
        }
    }

    fn for_loop(&mut self, lines: &mut String, each: &ForLoop, site: Site) {
        let ForLoop { iterator, init, condition, increment, body, .. } = each;
        let (kind, iterator) = (self.iterator_type, self.lowering.iterator(iterator));
        let init = self.expression(init);
        if each.degenerate {
            line(lines, site.depth, "{");
            line(lines, site.depth + 1, &format!("const {kind} {iterator} = {init};"));
            self.node(lines, body, site.deeper());
            return line(lines, site.depth, "}");
        }
        let is_divided = each.coincident && !site.is_shared;
        if is_divided {
            let directive = match self.options.team {
                Team::Shared => "for nowait".to_string(),
                _ => format!("parallel for{}", self.clauses()),
            };
            let clauses = with_blank(&self.options.loop_clauses);
            lines.push_str(&format!("#pragma omp {directive}{clauses}\n"));
        }
        let condition = self.expression(condition);
        let head =
            format!("for ({kind} {iterator} = {init}; {condition}; {iterator} += {increment})");
        let site = if is_divided { site.shared() } else { site };
        let start = lines.len();
        self.node(lines, body, site.deeper());
        let inner = lines.split_off(start);
        let needs_braces = inner.matches('\n').count() > 1 || matches!(**body, AstNode::If { .. });
        line(lines, site.depth, &if needs_braces { format!("{head} {{") } else { head });
        lines.push_str(&inner);
        if needs_braces {
            line(lines, site.depth, "}");
        }
    }

    /// Parts that different threads may execute.
    fn sections(&mut self, lines: &mut String, child: &AstNode, site: Site) {
        let directive = match self.options.team {
            Team::One | Team::Shared => return self.node(lines, child, site),
            Team::SectionsNoWait => "sections nowait".to_string(),
            Team::Sections if site.depth == 1 => format!("parallel sections{}", self.clauses()),
            Team::Sections => "sections".to_string(),
        };
        lines.push_str(&format!("#pragma omp {directive}\n"));
        line(lines, site.depth, "{");
        for part in parts(child) {
            lines.push_str("#pragma omp section\n");
            line(lines, site.depth + 1, "{");
            self.node(lines, &part, site.deeper().deeper().shared());
            line(lines, site.depth + 1, "}");
        }
        line(lines, site.depth, "}");
    }

    /// One of these parts.
    fn section(&mut self, lines: &mut String, child: &AstNode, site: Site) {
        if self.options.team != Team::Shared || is_divided(child) {
            return self.node(lines, child, site);
        }
        lines.push_str("#pragma omp single nowait\n");
        line(lines, site.depth, "{");
        self.node(lines, child, site.deeper().shared());
        line(lines, site.depth, "}");
    }

    /// A body with its indices for these arguments.
    fn body(&mut self, lines: &mut String, body: &Body, arguments: &[AstExpr], site: Site) {
        let mut text = String::new();
        for (number, part) in body.statement.body.iter().enumerate() {
            match part {
                MultiforText::Plain(plain) => text.push_str(plain),
                MultiforText::Index { name, in_subscript } => {
                    let dimension = body.loops.iter().position(|each| each.index == *name);
                    let value = dimension.and_then(|d| Some((&body.loops[d], arguments.get(d)?)));
                    if let Some((each, value)) = value {
                        let value = self.index(value, &each.index_type, *in_subscript);
                        let next = body.statement.body.get(number + 1);
                        let is_alone = text.ends_with('[')
                            && matches!(next, Some(MultiforText::Plain(next)) if next.starts_with(']'));
                        let inner = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
                        text.push_str(match inner.filter(|_| is_alone) {
                            Some(inner) => inner,
                            None => &value,
                        });
                    }
                }
            }
        }
        let is_kept = text.contains("\\\n") || text.contains("\\\r");
        let lines_of_text: Vec<&str> = text.lines().collect();
        let margin = |text: &&str| text.len() - text.trim_start().len();
        let rest = lines_of_text.iter().skip(1).filter(|text| !text.trim().is_empty());
        let cut = rest.map(margin).min().unwrap_or(0);
        for (number, own) in lines_of_text.into_iter().enumerate() {
            match number {
                _ if is_kept && number > 0 => lines.push_str(&format!("{own}\n")),
                0 => line(lines, site.depth, own.trim_start()),
                _ => line(lines, site.depth, own.get(cut..).unwrap_or(own.trim_start())),
            }
        }
    }

    /// The value of an index as an operand in a body.
    fn index(&mut self, value: &AstExpr, index_type: &str, in_subscript: bool) -> String {
        let is_atom = matches!(value, AstExpr::Id(_))
            || matches!(value, AstExpr::Int(value) if !value.is_negative());
        let text = self.expression(value).to_string();
        let is_plain = matches!(value, AstExpr::Int(_)) && index_type == "int";
        let text = if is_atom { text } else { format!("({text})") };
        match in_subscript || is_plain || index_type == self.iterator_type {
            true => text,
            false => format!("({index_type}) {text}"),
        }
    }

    fn expression(&mut self, expression: &AstExpr) -> AstExpr {
        self.lowering.lower(&in_plain_c(expression))
    }
}

/// The expression without minima, maxima and floors, of which C has none.
pub(crate) fn in_plain_c(expression: &AstExpr) -> AstExpr {
    use AstExpr::*;
    let chosen = |operands: &[AstExpr], is_minimum: bool| {
        let mut operands = operands.iter().map(in_plain_c).rev();
        let last = operands.next().unwrap_or_else(|| AstExpr::int(0));
        operands.fold(last, |b, a| {
            let (left, right) = (Box::new(a.clone()), Box::new(b.clone()));
            let condition = if is_minimum { Lt(left, right) } else { Gt(left, right) };
            Select(Box::new(condition), Box::new(a), Box::new(b))
        })
    };
    match expression {
        Min(operands) => chosen(operands, true),
        Max(operands) => chosen(operands, false),
        DivFloor(a, b) => {
            let (a, b) = (in_plain_c(a), in_plain_c(b));
            let boxed = |e: &AstExpr| Box::new(e.clone());
            let last = match &b {
                AstExpr::Int(value) => AstExpr::Int(value - loopwright_presburger::Int::from(1)),
                _ => Sub(boxed(&b), Box::new(AstExpr::int(1))),
            };
            let below = DivNonneg(Box::new(Sub(Box::new(last), boxed(&a))), boxed(&b));
            let condition = Lt(boxed(&a), Box::new(AstExpr::int(0)));
            let above = DivNonneg(boxed(&a), boxed(&b));
            Select(Box::new(condition), Box::new(Neg(Box::new(below))), Box::new(above))
        }
        other => other.map_operands(&mut |operand| in_plain_c(operand)),
    }
}

/// Whether threads share all loops of a part.
fn is_divided(node: &AstNode) -> bool {
    match node {
        AstNode::For(each) => each.coincident && !each.degenerate,
        AstNode::If { then, otherwise, .. } => {
            is_divided(then) && otherwise.as_deref().is_none_or(is_divided)
        }
        AstNode::Block(children) => children.iter().all(is_divided),
        AstNode::Mark { child, .. } => is_divided(child),
        AstNode::User { .. } => false,
    }
}

/// The parts below a mark above sections, each with the conditions around it.
fn parts(node: &AstNode) -> Vec<AstNode> {
    match node {
        AstNode::Block(children) => children.iter().flat_map(parts).collect(),
        AstNode::If { condition, then, otherwise: None } => {
            let guarded = |part| AstNode::If {
                condition: condition.clone(),
                then: Box::new(part),
                otherwise: None,
            };
            parts(then).into_iter().map(guarded).collect()
        }
        other => vec![other.clone()],
    }
}

fn is_mark(node: &AstNode, mark: &str) -> bool {
    match node {
        AstNode::Mark { name, .. } => &**name == mark,
        AstNode::Block(children) => matches!(&children[..], [child] if is_mark(child, mark)),
        _ => false,
    }
}

fn with_blank(clauses: &str) -> String {
    if clauses.is_empty() { String::new() } else { format!(" {clauses}") }
}

fn line(lines: &mut String, depth: usize, text: &str) {
    lines.push_str(&format!("{:width$}{}\n", "", text.trim_end(), width = 2 * depth));
}
