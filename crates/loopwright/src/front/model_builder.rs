//! Models that are built in code.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::diagnostics::failure::{Failure, Status};
use crate::pipeline::given_schedule::read_schedule;
use loopwright_interchange::{body_of_text, tree_from_map};
use loopwright_presburger::{
    Budget, DimKind, Error, Map, Name, PwAff, Set, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, ElementKind, Location, Parameter, ReferenceId, Scop,
    Statement, StatementId,
};

/// Steps for the order of the statements.
const STEPS: u64 = 20_000_000;

/// The parts of a model, from which [`ModelBuilder::build`] makes one that fits together. Sets and relations
/// are texts in isl's notation, bodies texts in C.
///
/// ```
/// use loopwright::{CompileOptions, ModelBuilder, StatementBuilder, compile_model};
/// let domain = "[n] -> { S[i, j] : 0 < i < n and 0 <= j < n }";
/// let scop = ModelBuilder::new("[n] -> { : n >= 1 }")
///     .array("A", "double", &["n", "n"])
///     .statement(
///         StatementBuilder::new(domain, &["i", "j"], "A[i][j] = 2.0 * A[i - 1][j];")
///             .reads("{ S[i, j] -> A[i - 1, j] }")
///             .writes("{ S[i, j] -> A[i, j] }"),
///     )
///     .build()?;
/// let compiled = compile_model("f", scop, &CompileOptions::new())?;
/// assert!(compiled.code.contains("A[c1][c2] = 2.0 * A[c1 - 1][c2];"), "{}", compiled.code);
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// All that is wrong is said at once:
///
/// ```
/// use loopwright::{ModelBuilder, StatementBuilder};
/// let failure = ModelBuilder::new("{ : }")
///     .array("A", "double", &["n"])
///     .statement(StatementBuilder::new("{ S[i] : 0 <= i < 9 }", &[], ";").reads("{ S[i] -> B[i] }"))
///     .build()
///     .unwrap_err();
/// let messages: Vec<&str> = failure.diagnostics.iter().map(|d| d.message.as_str()).collect();
/// assert_eq!(
///     messages,
///     [
///         "array A: its extent `n` uses a parameter that the context does not declare",
///         "statement S: it has 1 dimensions and 0 iterators",
///         "statement S: it accesses `B`, which is no array",
///     ]
/// );
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ModelBuilder {
    context: String,
    arrays: Vec<ArrayParts>,
    statements: Vec<StatementBuilder>,
    order: Option<String>,
}

#[derive(Clone, Debug)]
struct ArrayParts {
    name: String,
    element_type: String,
    extents: Vec<String>,
    live_out: bool,
}

/// The parts of a statement of a [`ModelBuilder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct StatementBuilder {
    domain: String,
    iterators: Vec<String>,
    body: String,
    accesses: Vec<(AccessKind, String)>,
}

impl StatementBuilder {
    /// A statement with these instances; the tuple's name is its name, `iterators` are the names of its
    /// dimensions in the text of the body.
    pub fn new(domain: &str, iterators: &[&str], body: &str) -> Self {
        StatementBuilder {
            domain: domain.to_string(),
            iterators: iterators.iter().map(ToString::to_string).collect(),
            body: body.to_string(),
            accesses: Vec::new(),
        }
    }

    /// The same, which also reads the elements that a relation leads to.
    pub fn reads(self, relation: &str) -> Self {
        self.accesses(AccessKind::Read, relation)
    }

    /// The same, which also writes the elements that a relation leads to.
    pub fn writes(self, relation: &str) -> Self {
        self.accesses(AccessKind::MustWrite, relation)
    }

    /// The same, which perhaps writes the elements that a relation leads to.
    pub fn may_write(self, relation: &str) -> Self {
        self.accesses(AccessKind::MayWrite, relation)
    }

    fn accesses(mut self, kind: AccessKind, relation: &str) -> Self {
        self.accesses.push((kind, relation.to_string()));
        self
    }
}

impl ModelBuilder {
    /// A model without statements, with what is known of its parameters: a set of them, all of which are
    /// `int`.
    pub fn new(context: &str) -> Self {
        let context = context.to_string();
        ModelBuilder { context, arrays: Vec::new(), statements: Vec::new(), order: None }
    }

    /// The same with one more array, or scalar if it has no extents. Extents are affine in the parameters;
    /// values are used after the region.
    pub fn array(self, name: &str, element_type: &str, extents: &[&str]) -> Self {
        self.variable(name, element_type, extents, true)
    }

    /// The same with one more array or scalar, whose values nobody uses after the region.
    pub fn temporary(self, name: &str, element_type: &str, extents: &[&str]) -> Self {
        self.variable(name, element_type, extents, false)
    }

    fn variable(
        mut self,
        name: &str,
        element_type: &str,
        extents: &[&str],
        live_out: bool,
    ) -> Self {
        self.arrays.push(ArrayParts {
            name: name.to_string(),
            element_type: element_type.to_string(),
            extents: extents.iter().map(ToString::to_string).collect(),
            live_out,
        });
        self
    }

    /// The same with one more statement.
    pub fn statement(mut self, statement: StatementBuilder) -> Self {
        self.statements.push(statement);
        self
    }

    /// The same with an order: a schedule tree, or a relation from instances to times. Otherwise statements
    /// run one after another, each in the lexicographic order of its instances.
    pub fn order(mut self, schedule: &str) -> Self {
        self.order = Some(schedule.to_string());
        self
    }

    /// The model.
    ///
    /// # Errors
    /// All texts that are not understood and all parts that do not fit together; if there are none, what
    /// [`Scop::check`] says about the whole.
    pub fn build(self) -> Result<Scop, Failure> {
        let mut wrong = Vec::new();
        let context = Set::parse(&self.context)
            .map_err(|error| wrong.push(about("the context", &error)))
            .unwrap_or_else(|()| Set::universe(loopwright_presburger::Space::params(&[])));
        if !context.space().is_params() {
            wrong.push(Diagnostic::error("the context: it is no set of parameters"));
        }
        let arrays = collected(self.arrays.iter().map(|parts| array(parts, &context)), &mut wrong);
        let statements = self.statements.iter().enumerate();
        let statements =
            collected(statements.map(|(at, parts)| statement(at, parts, &arrays)), &mut wrong);
        if !wrong.is_empty() {
            return Err(Failure { status: Status::Refused, diagnostics: wrong });
        }
        let schedule = order(self.order.as_deref(), &statements, &context)?;
        let parameter =
            |name: &Name| Parameter { name: name.clone(), c_type: "int".to_string(), value: None };
        let parameters = context.space().param_names().iter().map(parameter).collect();
        let assumptions = Vec::new();
        let scop = Scop { context, parameters, arrays, statements, schedule, assumptions };
        scop.checked().map_err(|error| Failure::refused(error.to_string()))
    }
}

/// The values, and what is wrong with those that are none.
fn collected<T>(
    parts: impl Iterator<Item = Result<T, Vec<Diagnostic>>>,
    wrong: &mut Vec<Diagnostic>,
) -> Vec<T> {
    let (good, bad): (Vec<_>, Vec<_>) = parts.partition(Result::is_ok);
    wrong.extend(bad.into_iter().filter_map(Result::err).flatten());
    good.into_iter().flatten().collect()
}

fn about(what: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error(format!("{what}: {error}"))
}

fn array(parts: &ArrayParts, context: &Set) -> Result<Array, Vec<Diagnostic>> {
    let what = format!("array {}", parts.name);
    let params = context.space().param_names();
    let names: Vec<&str> = params.iter().map(|name| &**name).collect();
    let extent = |text: &String| {
        PwAff::parse(&format!("[{}] -> {{ [({text})] }}", names.join(", "))).map_err(|_| {
            let why = "uses a parameter that the context does not declare";
            let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let why = if is_name { why } else { "is not affine in the parameters of the context" };
            format!("{what}: its extent `{text}` {why}")
        })
    };
    let (extents, wrong): (Vec<_>, Vec<_>) =
        parts.extents.iter().map(extent).partition(Result::is_ok);
    if !wrong.is_empty() {
        return Err(wrong.into_iter().filter_map(Result::err).map(Diagnostic::error).collect());
    }
    let (bytes, kind) = element(&parts.element_type);
    Ok(Array {
        name: Name::from(&*parts.name),
        tuple_name: Name::from(&*parts.name),
        element_type: parts.element_type.clone(),
        element_bytes: bytes,
        element_kind: kind,
        extents: extents.into_iter().flatten().map(Some).collect(),
        extent_texts: parts.extents.clone(),
        is_member: false,
        declared_in_scop: false,
        live_out: parts.live_out,
        declaration_depth: 0,
    })
}

/// The size and the kind of elements of a type.
fn element(c_type: &str) -> (Option<u64>, ElementKind) {
    match c_type {
        "float" => (Some(4), ElementKind::Floating),
        "double" => (Some(8), ElementKind::Floating),
        "int" => (Some(4), ElementKind::Signed),
        "unsigned" | "unsigned int" => (Some(4), ElementKind::Unsigned),
        _ => (None, ElementKind::Other),
    }
}

fn statement(
    position: usize,
    parts: &StatementBuilder,
    arrays: &[Array],
) -> Result<Statement, Vec<Diagnostic>> {
    let unnamed = format!("statement {position}");
    let domain = Set::parse(&parts.domain).map_err(|error| vec![about(&unnamed, &error)])?;
    let Some(name) = domain.space().output().and_then(Tuple::name).cloned() else {
        return Err(vec![about(&unnamed, &"its instances have no name")]);
    };
    let what = format!("statement {name}");
    let mut wrong = Vec::new();
    let n_dims = domain.n(DimKind::Out);
    if n_dims != parts.iterators.len() {
        let n_iterators = parts.iterators.len();
        wrong
            .push(about(&what, &format!("it has {n_dims} dimensions and {n_iterators} iterators")));
    }
    let accesses = parts.accesses.iter().enumerate();
    let accesses = accesses.map(|(at, (kind, text))| {
        access(at, *kind, text, &domain, arrays).map_err(|why| vec![about(&what, &why)])
    });
    let accesses = collected(accesses, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Statement {
        id: StatementId(position as u32),
        name,
        body: body_of_text(&parts.body, &domain, &parts.iterators, arrays),
        iterators: parts.iterators.iter().map(|name| Name::from(&**name)).collect(),
        iterator_types: vec!["int".to_string(); n_dims],
        domain,
        accesses,
        is_kill: false,
        location: Location::default(),
    })
}

fn access(
    position: usize,
    kind: AccessKind,
    text: &str,
    domain: &Set,
    arrays: &[Array],
) -> Result<Access, String> {
    let in_words = |error: Error| format!("the access `{text}`: {error}");
    let relation = Map::parse(text).map_err(in_words)?;
    let name = relation.space().output().and_then(Tuple::name).cloned();
    let name = name.ok_or_else(|| format!("the access `{text}` leads to no array"))?;
    let array = arrays
        .iter()
        .position(|array| array.tuple_name == name)
        .ok_or_else(|| format!("it accesses `{name}`, which is no array"))?;
    let relation = relation.intersect_domain(domain).map_err(in_words)?;
    let (reference, array) = (ReferenceId(position as u32), ArrayId(array as u32));
    Ok(Access { reference, array, kind, relation })
}

/// The order that a text says, or that of the statements one after another.
fn order(
    text: Option<&str>,
    statements: &[Statement],
    context: &Set,
) -> Result<ScheduleTree, Failure> {
    let in_stage = |error: Error| Failure::in_stage("the order of the statements", &error);
    let budget = Budget::steps(STEPS);
    let domains = statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&context.space().to_params(), domains);
    match text {
        Some(text) => match UnionMap::parse(text) {
            Ok(map) => {
                let map = map.intersect_domain(&domain).map_err(in_stage)?;
                let tree = tree_from_map(&map, &budget).map_err(in_stage)?;
                read_schedule(&tree.to_string(), &domain, context, &budget)
            }
            Err(_) => read_schedule(text, &domain, context, &budget),
        },
        None => {
            let times = statements.iter().enumerate().map(|(position, statement)| {
                let dims: Vec<String> =
                    (0..statement.iterators.len()).map(|dim| format!("i{dim}")).collect();
                let times = std::iter::once(position.to_string()).chain(dims.iter().cloned());
                let times: Vec<String> = times.collect();
                format!("{}[{}] -> [{}]", statement.name, dims.join(", "), times.join(", "))
            });
            let text = format!("{{ {} }}", times.collect::<Vec<_>>().join("; "));
            let map = UnionMap::parse(&text).and_then(|map| map.intersect_domain(&domain));
            match statements.is_empty() {
                true => Ok(ScheduleTree { domain, root: Node::Leaf }),
                false => map.and_then(|map| tree_from_map(&map, &budget)).map_err(in_stage),
            }
        }
    }
}
