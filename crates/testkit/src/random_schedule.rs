//! Random schedules in isl's notation, for loop generators.
//!
//! Domains are small whatever the parameters are, and may be unions, have congruences, floors and
//! existentials. Schedules are sums of iterators, floors, remainders and parameters; they may be
//! piecewise, give several instances one time, or one instance several times.
use crate::Choices;

/// A schedule, what is known about the parameters, and how loops are to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RandomSchedule {
    /// A flat schedule, a context, and types of loops.
    Map {
        /// A union of relations.
        schedule: String,
        /// A parameter set.
        context: String,
        /// Types of loops, by dimension.
        settings: String,
    },
    /// A schedule tree: a band, and perhaps a sequence with further bands inside.
    Tree(String),
}

/// A schedule for which code can be generated whatever it looks like.
///
/// ```
/// use loopwright_testkit::{Choices, random_schedule};
/// let first = random_schedule(&mut Choices::from_seed(3));
/// assert_eq!(first, random_schedule(&mut Choices::from_seed(3)));
/// ```
pub fn random_schedule(choices: &mut Choices) -> RandomSchedule {
    let n_params = choices.below(3);
    let n_statements = 1 + choices.below(3);
    let statements: Vec<Statement> =
        (0..n_statements).map(|number| statement(number, n_params, choices)).collect();
    if choices.percent(30) {
        return RandomSchedule::Tree(tree(&statements, n_params, choices));
    }
    let depth = 1 + choices.below(3);
    let mut pieces = Vec::new();
    for each in &statements {
        pieces.extend(flat_pieces(each, depth, n_params, choices));
    }
    RandomSchedule::Map {
        schedule: format!("{} -> {{ {} }}", parameters(n_params), pieces.join("; ")),
        context: context(n_params, choices),
        settings: settings(depth, choices),
    }
}

/// The names of the parameters.
const PARAMETERS: [&str; 2] = ["n", "m"];

fn parameters(n: usize) -> String {
    format!("[{}]", PARAMETERS[..n].join(", "))
}

/// A statement: its tuple, its iterators, and alternatives of conditions on them.
struct Statement {
    name: String,
    iterators: Vec<&'static str>,
    domains: Vec<String>,
}

impl Statement {
    fn tuple(&self) -> String {
        format!("{}[{}]", self.name, self.iterators.join(", "))
    }
}

fn statement(number: usize, n_params: usize, choices: &mut Choices) -> Statement {
    let iterators = ["i", "j"][..1 + choices.below(2)].to_vec();
    let n_domains = if choices.percent(25) { 2 } else { 1 };
    let domains = (0..n_domains).map(|_| domain(&iterators, n_params, choices)).collect();
    Statement { name: format!("S{number}"), iterators, domains }
}

fn domain(iterators: &[&str], n_params: usize, choices: &mut Choices) -> String {
    let mut conditions = Vec::new();
    for (position, iterator) in iterators.iter().enumerate() {
        let low = choices.between(-2, 3);
        let high = low + choices.between(0, 7);
        conditions.push(format!("{low} <= {iterator} <= {high}"));
        if choices.percent(50) {
            let bound = bound(&iterators[..position], n_params, choices);
            let relation = ["<", "<=", ">="][choices.below(3)];
            conditions.push(format!("{iterator} {relation} {bound}"));
        }
    }
    let (first, last) = (iterators[0], iterators[iterators.len() - 1]);
    let (modulus, rest) = (choices.between(2, 4), choices.between(0, 2));
    match choices.below(9) {
        0 => conditions.push(format!("{first} mod {modulus} = {}", rest % modulus)),
        1 => conditions.push(format!("exists (e : {last} = {modulus} e + {rest})")),
        2 => conditions.push(format!(
            "exists (e : {modulus} e <= {first} + {last} + {rest} and {last} <= {} e + 1)",
            modulus + 1
        )),
        3 => conditions.push(format!("{modulus}*floor(({first} + {rest})/{modulus}) <= {last}")),
        4 if n_params > 0 => conditions.push(format!("({first} + n) mod {modulus} = 0")),
        _ => {}
    }
    conditions.join(" and ")
}

/// A constant, a parameter, or an outer iterator, plus a constant.
fn bound(outer: &[&str], n_params: usize, choices: &mut Choices) -> String {
    let offset = choices.between(-2, 4);
    match choices.below(3) {
        0 if n_params > 0 => format!("{} + {offset}", PARAMETERS[choices.below(n_params)]),
        1 if !outer.is_empty() => format!("{} + {offset}", outer[0]),
        _ => offset.to_string(),
    }
}

fn context(n_params: usize, choices: &mut Choices) -> String {
    if n_params == 0 || choices.percent(60) {
        return "{ : }".to_string();
    }
    let condition = ["n >= 1", "0 <= n <= 6", "n mod 2 = 0", "n >= 3"][choices.below(4)];
    format!("{} -> {{ : {condition} }}", parameters(n_params))
}

/// A quasi-affine form of the iterators and parameters.
fn form(iterators: &[&str], n_params: usize, choices: &mut Choices) -> String {
    let iterator = iterators[choices.below(iterators.len())];
    let (factor, offset) = (choices.between(2, 4), choices.between(-2, 3));
    let sum = iterators.join(" + ");
    match choices.below(12) {
        0..=2 => iterator.to_string(),
        3 => offset.to_string(),
        4 => format!("{factor}*{iterator} + {offset}"),
        5 => format!("{offset} - {iterator}"),
        6 => format!("{sum} + {offset}"),
        7 => format!("floor(({iterator} + {offset})/{factor})"),
        8 => format!("{factor}*floor({iterator}/{factor})"),
        9 => format!("({sum}) mod {factor}"),
        10 if n_params > 0 => format!("n - {iterator}"),
        _ => format!("{factor}*{iterator}"),
    }
}

/// Relations from a statement to times.
fn flat_pieces(
    statement: &Statement,
    depth: usize,
    n_params: usize,
    choices: &mut Choices,
) -> Vec<String> {
    let times: Vec<String> = (0..depth).map(|level| format!("t{level}")).collect();
    let head = format!("{} -> [{}]", statement.tuple(), times.join(", "));
    let mut result = Vec::new();
    let split = choices.percent(20).then(|| choices.between(0, 4));
    let conditions: Vec<String> = match split {
        Some(at) => vec![format!(" and i < {at}"), format!(" and i >= {at}")],
        None => vec![String::new()],
    };
    for condition in conditions {
        let mut equalities = Vec::new();
        for time in &times {
            let form = form(&statement.iterators, n_params, choices);
            equalities.push(match choices.percent(5) {
                true => format!("{form} <= {time} <= {form} + 1"),
                false => format!("{time} = {form}"),
            });
        }
        let equalities = equalities.join(" and ");
        for domain in &statement.domains {
            result.push(format!("{head} : {domain}{condition} and {equalities}"));
        }
    }
    result
}

/// Types of loops; the same for all values of a dimension, or for some of them.
fn settings(depth: usize, choices: &mut Choices) -> String {
    let times: Vec<String> = (0..depth).map(|level| format!("t{level}")).collect();
    let times = times.join(", ");
    let mut parts = Vec::new();
    for level in 0..depth {
        let kind = ["", "", "atomic", "separate", "unroll"][choices.below(5)];
        if !kind.is_empty() {
            let condition = if choices.percent(15) { " : t0 >= 2" } else { "" };
            parts.push(format!("[{times}] -> {kind}[{level}]{condition}"));
        }
    }
    format!("{{ {} }}", parts.join("; "))
}

fn tree(statements: &[Statement], n_params: usize, choices: &mut Choices) -> String {
    let parameters = parameters(n_params);
    let domains: Vec<String> = statements
        .iter()
        .flat_map(|s| s.domains.iter().map(|domain| format!("{} : {domain}", s.tuple())))
        .collect();
    let depth = 1 + choices.below(2);
    let band = band(statements, depth, n_params, choices);
    let child = match choices.below(3) {
        0 => String::new(),
        1 => format!(", child: {{ {} }}", self::band(statements, 1, n_params, choices)),
        _ => {
            let order = ["sequence", "set"][choices.below(2)];
            let children: Vec<String> =
                statements.iter().map(|each| filtered(each, n_params, choices)).collect();
            format!(", child: {{ {order}: [ {} ] }}", children.join(", "))
        }
    };
    let domains = domains.join("; ");
    format!(
        "{{ domain: \"{parameters} -> {{ {domains} }}\", child: {{ {band}{}{child} }} }}",
        options(depth, choices)
    )
}

/// A filter, perhaps with a band inside.
fn filtered(statement: &Statement, n_params: usize, choices: &mut Choices) -> String {
    let filter = format!("filter: \"{{ {} }}\"", statement.tuple());
    if choices.percent(50) {
        return format!("{{ {filter} }}");
    }
    let band = band(std::slice::from_ref(statement), 1, n_params, choices);
    format!("{{ {filter}, child: {{ {band} }} }}")
}

fn band(statements: &[Statement], depth: usize, n_params: usize, choices: &mut Choices) -> String {
    let members: Vec<String> = (0..depth)
        .map(|_| {
            let parts: Vec<String> = statements
                .iter()
                .map(|each| {
                    let form = form(&each.iterators, n_params, choices);
                    format!("{} -> [({form})]", each.tuple())
                })
                .collect();
            format!("{{ {} }}", parts.join("; "))
        })
        .collect();
    format!("schedule: \"{} -> [{}]\"", parameters(n_params), members.join(", "))
}

fn options(depth: usize, choices: &mut Choices) -> String {
    let mut parts = Vec::new();
    for level in 0..depth {
        let kinds = ["", "atomic", "separate", "unroll"];
        let (outside, inside) = (kinds[choices.below(4)], kinds[choices.below(4)]);
        if !outside.is_empty() {
            parts.push(format!("{outside}[{level}]"));
        }
        if !inside.is_empty() {
            parts.push(format!("[isolate[] -> {inside}[{level}]]"));
        }
    }
    if choices.percent(60) {
        let times: Vec<String> = (0..depth).map(|level| format!("t{level}")).collect();
        let conditions: Vec<String> = times
            .iter()
            .map(|time| {
                let low = choices.between(-1, 3);
                format!("{low} <= {time} <= {}", low + choices.between(0, 4))
            })
            .collect();
        let (times, conditions) = (times.join(", "), conditions.join(" and "));
        parts.push(format!("isolate[[] -> [{times}]] : {conditions}"));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(", options: \"{{ {} }}\"", parts.join("; ")),
    }
}
