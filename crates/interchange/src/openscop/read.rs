//! Reading files.
use super::OWN_EXTENSION;
use super::extensions::{StatementBody, array_names, extended_body, place, statement_body};
use super::lines::{Lines, opening_tag};
use super::relation::Relation;
use crate::body_reader::{Names, read_body};
use crate::body_text::{body_text, iterator_names};
use crate::kept_in_memory::keep_in_memory;
use crate::model::problem_of_times;
use crate::statement_call::statement_call;
use crate::unknown_array::unknown_array;
use crate::{Foreign, order::tree_from_map};
use loopwright_presburger::{
    Budget, Constraint, DimKind, Map, Name, Result, Set, Space, Tuple, UnionMap,
};
use loopwright_scop::body::tokens::is_closed;
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Body, BodyPiece, Location, Parameter, ReferenceId, Scop,
    Statement, StatementId,
};
use std::collections::BTreeMap;

/// Reads all regions of a file.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Vec<Foreign>> {
    let mut lines = Lines::new(text);
    let mut regions = Vec::new();
    let mut messages = Vec::new();
    while let Some((line, content)) = lines.peek() {
        if let Some(is_error) = message_of_a_tool(content) {
            if is_error {
                let message = format!("in place of a model there is a message: {content}");
                return Err(lines.error_at(line, message));
            }
            messages.push(format!("line {line} is passed over: {content}"));
            lines.take("`<OpenScop>`")?;
            continue;
        }
        if content == "SCoP" {
            let message = "this is the older format SCoP, which is not read: have the tool write \
                           OpenScop";
            return Err(lines.error_at(line, message));
        }
        lines.expect("<OpenScop>")?;
        let mut found = region(&mut lines, budget)?;
        found.remarks.append(&mut messages);
        regions.push(found);
    }
    match regions.is_empty() {
        true => Err(lines.error_at(1, "expected `<OpenScop>`")),
        false => Ok(regions),
    }
}

/// Whether a line is what a tool says (`[Clan] Info: parsing file`), which lands in front of a model that is
/// written to the standard output; and whether that is an error.
fn message_of_a_tool(line: &str) -> Option<bool> {
    let (tool, said) = line.strip_prefix('[')?.split_once("] ")?;
    let is_name = !tool.is_empty() && tool.chars().all(char::is_alphanumeric);
    let kinds = [("Info:", false), ("Warning:", false), ("Error:", true)];
    let kind = kinds.iter().find(|(kind, _)| said.starts_with(kind))?;
    is_name.then_some(kind.1)
}

/// A statement as it stands in the file.
struct Raw {
    line: usize,
    relations: Vec<Relation>,
    body: Option<StatementBody>,
}

fn region(lines: &mut Lines<'_>, budget: &Budget) -> Result<Foreign> {
    let (_, language) = lines.take("the language")?;
    let is_c = matches!(language, "C" | "c" | "c++" | "C++");
    let context = Relation::read(lines)?;
    if context.kind != "CONTEXT" {
        let message = format!("expected `CONTEXT`, found `{}`", context.kind);
        return Err(lines.error_at(context.line, message));
    }
    let params = parameters(lines, &context)?;
    let (_, count) = lines.count("the number of statements")?;
    let mut raw = Vec::new();
    for _ in 0..count {
        raw.push(raw_statement(lines)?);
    }
    let mut extensions = Vec::new();
    loop {
        let (line, content) = lines.take("`</OpenScop>`")?;
        if content == "</OpenScop>" {
            break;
        }
        let Some(tag) = opening_tag(content) else {
            let message = format!("expected an extension or `</OpenScop>`, found `{content}`");
            return Err(lines.error_at(line, message));
        };
        let (first, content) = lines.verbatim(tag)?;
        extensions.push((tag, first, content));
    }
    let extension = |name: &str| extensions.iter().find(|(tag, ..)| *tag == name);
    let names = extension("arrays").map(|(_, first, content)| array_names(lines, *first, content));
    let mut remarks = Vec::new();
    let own = extension(OWN_EXTENSION).and_then(|(_, _, content)| {
        let own = Scop::parse(&content.join("\n"));
        if let Err(error) = &own {
            remarks.push(format!("the extension `{OWN_EXTENSION}` is not used: {error}"));
        }
        own.ok()
    });
    let builder = Builder {
        lines,
        params,
        names: names.transpose()?.unwrap_or_default(),
        own,
        is_c,
        remarks,
        arrays: Vec::new(),
        ids: BTreeMap::new(),
    };
    let (scop, remarks) = builder.build(&context, &raw, budget)?;
    let place = extension("coordinates").map(|(_, _, content)| place(content)).unwrap_or_default();
    Ok(Foreign { scop, name: String::new(), place, remarks })
}

/// The names of the parameters, made up if the file has none.
fn parameters(lines: &mut Lines<'_>, context: &Relation) -> Result<Vec<Name>> {
    let count = context.shape.parameters;
    let (line, is_given) = lines.count("whether there are names of parameters (0 or 1)")?;
    if is_given == 0 {
        return Ok((0..count).map(|position| Name::from(format!("P{position}"))).collect());
    }
    lines.expect("<strings>")?;
    let (_, content) = lines.verbatim("strings")?;
    let words = content.iter().map(|line| line.split('#').next().unwrap_or_default());
    let names: Vec<Name> = words.flat_map(str::split_whitespace).map(Name::from).collect();
    for (position, name) in names.iter().enumerate() {
        if names[..position].contains(name) {
            return Err(lines.error_at(line, format!("the parameter `{name}` appears twice")));
        }
    }
    match names.len() == count {
        true => Ok(names),
        false => {
            let message = format!("{} names for {count} parameters", names.len());
            Err(lines.error_at(line, message))
        }
    }
}

fn raw_statement(lines: &mut Lines<'_>) -> Result<Raw> {
    let (line, count) = lines.count("the number of relations of a statement")?;
    let mut relations = Vec::new();
    for _ in 0..count {
        relations.push(Relation::read(lines)?);
    }
    let (_, count) = lines.count("the number of extensions of a statement")?;
    let mut body = None;
    for _ in 0..count {
        let (at, content) = lines.take("an extension")?;
        let Some(tag) = opening_tag(content) else {
            let message = format!("expected an extension (`<body>`), found `{content}`");
            return Err(lines.error_at(at, message));
        };
        let (first, content) = lines.verbatim(tag)?;
        match tag {
            "body" => body = Some(statement_body(lines, first, &content)?),
            "extbody" => body = Some(extended_body(lines, first, &content)?),
            _ => {}
        }
    }
    Ok(Raw { line, relations, body })
}

/// Whether a dimension has a constraint from below, whatever the others are.
fn begins(instances: &Set, dimension: usize) -> bool {
    let after = instances.n_dims() - dimension - 1;
    let line = instances.project_out(DimKind::Out, dimension + 1, after);
    let line = line.project_out(DimKind::Out, 0, dimension);
    let column = 1 + line.n(DimKind::Param);
    line.basic_sets().iter().all(|piece| {
        let is_lower = |constraint: &Constraint| match constraint.is_equality {
            true => !constraint.row.is_zero_at(column),
            false => constraint.row.sign(column) > 0,
        };
        piece.constraints().iter().any(is_lower)
    })
}

/// Makes a model of what stands in the file.
struct Builder<'l, 'a> {
    lines: &'l Lines<'a>,
    params: Vec<Name>,
    names: BTreeMap<i64, String>,
    own: Option<Scop>,
    is_c: bool,
    remarks: Vec<String>,
    arrays: Vec<Array>,
    ids: BTreeMap<i64, ArrayId>,
}

impl Builder<'_, '_> {
    fn build(
        mut self,
        context: &Relation,
        raw: &[Raw],
        budget: &Budget,
    ) -> Result<(Scop, Vec<String>)> {
        let context = context.to_set(&self.params, None)?;
        let mut statements = Vec::new();
        let mut times = Vec::new();
        for (position, raw) in raw.iter().enumerate() {
            let name = self.statement_name(position);
            statements.push(self.statement(position, &name, raw)?);
            let times_of = self.times(raw, &mut statements[position], &context, budget)?;
            times.push(times_of);
        }
        self.widen_accesses(&mut statements)?;
        for (position, (raw, statement)) in raw.iter().zip(&mut statements).enumerate() {
            self.add_body(raw, statement);
            if let Some(own) = self.own_body(position, statement, raw, budget) {
                statement.body = own;
            }
        }
        keep_in_memory(&mut statements, &self.arrays);
        let times = UnionMap::from_maps(&Space::params(&self.params), times);
        let parameters = self.params.iter().map(|name| self.parameter(name)).collect();
        let schedule = tree_from_map(&times, budget)?;
        let assumptions = self.own.map(|own| own.assumptions).unwrap_or_default();
        let arrays = self.arrays;
        let scop = Scop { context, parameters, arrays, statements, schedule, assumptions };
        Ok((scop, self.remarks))
    }

    fn parameter(&self, name: &Name) -> Parameter {
        let own = self.own.iter().flat_map(|own| &own.parameters).find(|own| own.name == *name);
        let unknown = || Parameter { name: name.clone(), c_type: "int".to_string(), value: None };
        own.cloned().unwrap_or_else(unknown)
    }

    /// What our own extension says about the statement at a position.
    fn own_statement(&self, position: usize) -> Option<&Statement> {
        self.own.as_ref()?.statements.get(position)
    }

    fn statement_name(&self, position: usize) -> Name {
        let own = self.own_statement(position).map(|own| own.name.clone());
        own.unwrap_or_else(|| Name::from(format!("S{position}")))
    }

    /// The only relation of a kind.
    fn only<'r>(&self, raw: &'r Raw, kind: &str) -> Result<&'r Relation> {
        let mut found = raw.relations.iter().filter(|relation| relation.kind == kind);
        match (found.next(), found.next()) {
            (Some(relation), None) => Ok(relation),
            (Some(_), Some(second)) => {
                Err(self.lines.error_at(second.line, format!("a second `{kind}` of a statement")))
            }
            _ => Err(self.lines.error_at(raw.line, format!("a statement without `{kind}`"))),
        }
    }

    fn statement(&mut self, position: usize, name: &Name, raw: &Raw) -> Result<Statement> {
        let domain = self.only(raw, "DOMAIN")?;
        let iterators = raw.body.iter().map(|body| &body.iterators);
        let iterators = iterators.filter(|names| names.len() == domain.shape.output);
        let names: Vec<Option<Name>> =
            iterators.flatten().map(|name| Some(Name::from(name.as_str()))).collect();
        let tuple = Tuple::named(name, domain.shape.output);
        let tuple = if names.is_empty() { tuple } else { tuple.with_dim_names(&names) };
        let domain = domain.to_set(&self.params, Some(tuple.clone()))?;
        let mut accesses = Vec::new();
        for relation in &raw.relations {
            let kind = match relation.kind.as_str() {
                "DOMAIN" | "SCATTERING" => continue,
                "READ" => AccessKind::Read,
                "WRITE" => AccessKind::MustWrite,
                "MAY_WRITE" => AccessKind::MayWrite,
                other => {
                    let message = format!("`{other}` is not a relation of a statement");
                    return Err(self.lines.error_at(relation.line, message));
                }
            };
            let reference = ReferenceId(u32::try_from(accesses.len()).unwrap_or(u32::MAX));
            let (array, elements) = self.access(relation, &tuple)?;
            let relation = elements.intersect_domain(&domain)?;
            accesses.push(Access { reference, array, kind, relation });
        }
        let own = self.own_statement(position).filter(|own| own.domain.n_dims() == domain.n_dims());
        Ok(Statement {
            id: StatementId(u32::try_from(position).unwrap_or(u32::MAX)),
            name: name.clone(),
            iterators: Vec::new(),
            iterator_types: own.map(|own| own.iterator_types.clone()).unwrap_or_default(),
            location: own.map_or(Location::default(), |own| own.location),
            domain,
            accesses,
            body: Body::default(),
            is_kill: false,
        })
    }

    /// The variable and the elements of an access; the first output dimension names the variable.
    fn access(&mut self, relation: &Relation, statement: &Tuple) -> Result<(ArrayId, Map)> {
        let Some(n_dims) = relation.shape.output.checked_sub(1) else {
            let message = "an access without output dimension: the first one names the variable";
            return Err(self.lines.error_at(relation.line, message));
        };
        let with_name = Tuple::anonymous(relation.shape.output);
        let map = relation.to_map(&self.params, Some(statement.clone()), Some(with_name))?;
        let id = map.range().plain_get_val_if_fixed(DimKind::Out, 0).and_then(|id| id.to_i64());
        // Relations without elements have no value.
        let id = id.or_else(|| relation.first_number()?.to_i64());
        let Some(id) = id else {
            let message = "the variable of an access is not a constant (`-Arr + id = 0`)";
            return Err(self.lines.error_at(relation.line, message));
        };
        let array = self.array(id, n_dims, relation.line)?;
        let name = self.arrays[array.0 as usize].tuple_name.clone();
        let elements = map.project_out(DimKind::Out, 0, 1);
        let input = map.space().input().cloned();
        let space = elements.space().with_tuples(input, Some(Tuple::named(&name, n_dims)));
        Ok((array, elements.with_space_tuples(&space)?))
    }

    fn array(&mut self, id: i64, n_dims: usize, line: usize) -> Result<ArrayId> {
        if let Some(known) = self.ids.get(&id) {
            let array = &mut self.arrays[known.0 as usize];
            if array.extents.len() < n_dims {
                *array = unknown_array(&array.name, n_dims);
            }
            return Ok(*known);
        }
        let name = self.names.get(&id).cloned().unwrap_or_else(|| format!("A{id}"));
        let is_taken = |name: &str| self.arrays.iter().any(|array| &*array.tuple_name == name);
        if is_taken(&name) {
            let message = format!("two variables have the name `{name}`");
            return Err(self.lines.error_at(line, message));
        }
        let own = self.own.iter().flat_map(|own| &own.arrays);
        let mut own = own.filter(|own| *own.tuple_name == *name && own.extents.len() == n_dims);
        let array = own.next().cloned().unwrap_or_else(|| unknown_array(&name, n_dims));
        let position = ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX));
        self.arrays.push(array);
        self.ids.insert(id, position);
        Ok(position)
    }

    /// Accesses with fewer subscripts than others of the same variable may be to all elements that begin with
    /// these.
    fn widen_accesses(&mut self, statements: &mut [Statement]) -> Result<()> {
        for statement in statements {
            for access in &mut statement.accesses {
                let array = &self.arrays[access.array.0 as usize];
                let (n_dims, most) = (access.relation.n(DimKind::Out), array.extents.len());
                if n_dims == most {
                    continue;
                }
                let wider = access.relation.insert_dims(DimKind::Out, n_dims, most - n_dims);
                let input = wider.space().input().cloned();
                let tuple = Tuple::named(&array.tuple_name, most);
                let space = wider.space().with_tuples(input, Some(tuple));
                access.relation = wider.with_space_tuples(&space)?;
                if access.kind == AccessKind::MustWrite {
                    access.kind = AccessKind::MayWrite;
                }
                self.remarks.push(format!(
                    "`{}` has {n_dims} subscripts in {} and {most} elsewhere: {} may use all elements \
                     that begin with these",
                    array.name, statement.name, statement.name
                ));
            }
        }
        Ok(())
    }

    /// The times of the instances. Instances without a time are not executed: they are none of the
    /// statement's.
    fn times(
        &mut self,
        raw: &Raw,
        statement: &mut Statement,
        context: &Set,
        budget: &Budget,
    ) -> Result<Map> {
        let relation = self.only(raw, "SCATTERING")?;
        let domain = &statement.domain;
        let input = Tuple::named(&statement.name, domain.n_dims());
        let output = Tuple::anonymous(relation.shape.output);
        let times = relation.to_map(&self.params, Some(input), Some(output))?;
        let instances = domain.intersect_params(context)?;
        let times = times.intersect_domain(domain)?;
        let is_timed = instances.is_subset(&times.domain(), budget)?;
        let instances = if is_timed { instances } else { instances.intersect(&times.domain())? };
        if let Some(problem) = problem_of_times(&instances, &times, budget)? {
            return Err(self.lines.error_at(relation.line, problem));
        }
        if !instances.is_bounded(budget)?
            && let Some(dimension) = (0..instances.n_dims()).find(|d| !begins(&instances, *d))
        {
            let line = self.only(raw, "DOMAIN")?.line;
            let number = dimension + 1;
            let message =
                format!("dimension {number} of the instances has no lower bound: no first one");
            return Err(self.lines.error_at(line, message));
        }
        if !is_timed {
            statement.domain = statement.domain.intersect(&times.domain())?;
            for access in &mut statement.accesses {
                access.relation = access.relation.intersect_domain(&statement.domain)?;
            }
            self.remarks.push(format!(
                "instances of {} have no time: they are not executed",
                statement.name
            ));
        }
        Ok(times)
    }

    /// The body that our own extension has, if it has the text that the file has.
    fn own_body(
        &self,
        position: usize,
        statement: &Statement,
        raw: &Raw,
        budget: &Budget,
    ) -> Option<Body> {
        let body = raw.body.as_ref().filter(|_| self.is_c)?;
        let own = self.own_statement(position)?;
        let has_text = own.domain.n_dims() == statement.domain.n_dims()
            && iterator_names(own) == body.iterators
            && body_text(own, budget).ok()? == body.text.trim().strip_suffix(';')?;
        let of_file = |array: &ArrayId| {
            let own = &self.own.as_ref()?.arrays.get(array.0 as usize)?.tuple_name;
            let position = self.arrays.iter().position(|array| array.tuple_name == *own)?;
            Some(ArrayId(u32::try_from(position).ok()?))
        };
        let pieces = own.body.pieces().into_iter().filter(|_| has_text);
        let pieces = pieces.map(|piece| match piece {
            BodyPiece::Element(element) => {
                let mut element = element.into_owned();
                element.array = of_file(&element.array)?;
                Some(BodyPiece::element(element))
            }
            BodyPiece::Hidden(array) => Some(BodyPiece::Hidden(of_file(&array)?)),
            piece => Some(piece),
        });
        let body = Body::read(pieces.collect::<Option<Vec<_>>>()?);
        (!body.is_empty()).then_some(body)
    }

    /// The text, if there is one over iterators that are the dimensions of the domain.
    fn add_body(&mut self, raw: &Raw, statement: &mut Statement) {
        let n_dims = statement.domain.n_dims();
        let usable = raw
            .body
            .as_ref()
            .filter(|body| self.is_c && body.iterators.len() == n_dims && is_closed(&body.text));
        match usable {
            Some(body) => {
                let (domain, arrays) = (&statement.domain, self.arrays.as_slice());
                let names = Names { domain, iterators: &body.iterators, arrays };
                statement.body = read_body(&body.text, &names);
                statement.iterators =
                    body.iterators.iter().map(|name| Name::from(name.as_str())).collect();
            }
            None => {
                statement.body = statement_call(&statement.name, &statement.domain);
                statement.iterators = (0..n_dims).map(|d| Name::from(format!("i{d}"))).collect();
                let reason = match &raw.body {
                    Some(_) if !self.is_c => "a text that is not C",
                    Some(body) if body.iterators.len() == n_dims => {
                        "a text that leaves something open"
                    }
                    Some(_) => "a text over other iterators",
                    None => "no text",
                };
                self.remarks.push(format!(
                    "statement {} has {reason}: it is printed as a call `{}(...)`",
                    statement.name, statement.name
                ));
            }
        }
        statement.iterator_types.resize(n_dims, "int".to_string());
    }
}
