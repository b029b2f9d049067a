//! A multifor statement as a value: its bodies with their domains and places in the referential domain.
use crate::affine::{NoForm, function};
use crate::error::MultiforError;
use loopwright_cfront::{
    Code, MultiforExpression, MultiforItem, MultiforLoop, MultiforRelation, MultiforStatement,
    MultiforSyntax,
};
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, Name, PwAff, Set, Space, Tuple, is_keyword,
};
use std::collections::BTreeSet;

/// A multifor statement whose expressions are quasi-affine.
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// use loopwright_multifor::Multifor;
/// use loopwright_presburger::Budget;
/// let text = "multifor (i = 0, j = 10; i < n, j < 15; i++, j++; 1, 4; 0, 2) { 0: S(i); 1: T(j); }";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// let statement = Multifor::new(&found[0].statement, &Budget::unlimited())?;
/// assert_eq!(statement.bodies[0].domain.to_string(), "[n] -> { S0[i] : 0 <= i < n }");
/// assert_eq!(statement.bodies[1].positions()[0].to_string(), "[n] -> { S1[j] -> [(-38 + 4j)] }");
/// # Ok::<(), loopwright_multifor::MultiforError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multifor {
    /// What it was made of.
    pub syntax: MultiforSyntax,
    /// Its outermost level.
    pub root: Level,
    /// Its bodies, in the order of the text; of a statement for several loops one for each.
    pub bodies: Vec<Body>,
    /// The symbolic constants of its bounds.
    pub parameters: Vec<Name>,
}

/// A multifor statement in one of them: loops that advance together, and what they do.
#[derive(Clone, Debug)]
pub struct Level {
    /// The number of the level, in the order of the text.
    pub number: usize,
    /// The number of levels around it.
    pub depth: usize,
    /// Its loops.
    pub loops: Vec<MultiforLoop>,
    /// What happens at a point, in this order.
    pub phases: Vec<Phase>,
}

/// A part of what happens at a point of a level.
#[derive(Clone, Debug)]
pub enum Phase {
    /// Bodies (their numbers), in the order in which those that are active at the point are executed.
    Bodies(Vec<usize>),
    /// A level inside.
    Inner(Level),
}

/// A statement of one of the loops.
#[derive(Clone, Debug)]
pub struct Body {
    /// The name of its instances in sets.
    pub name: Name,
    /// The number of its loops.
    pub nest: usize,
    /// The statement.
    pub statement: MultiforStatement,
    /// The loops around it, the outermost first.
    pub loops: Vec<MultiforLoop>,
    /// Its instances: the values of the indices.
    pub domain: Set,
    /// For each loop around it the number of its iteration, from 0 on.
    pub iterations: Vec<PwAff>,
}

impl Body {
    /// Its place in the referential domain: for each loop around it the offset and so many grains as there
    /// were iterations (section 2 of the paper). The values of indices do not matter.
    pub fn positions(&self) -> Vec<PwAff> {
        let position = |(each, n): (&MultiforLoop, &PwAff)| {
            n.scale(&each.grain.into()).add_constant(&each.offset.into())
        };
        self.loops.iter().zip(&self.iterations).map(position).collect()
    }
}

impl Level {
    /// The numbers of all bodies in it.
    pub fn bodies(&self) -> Vec<usize> {
        let of_phase = |phase: &Phase| match phase {
            Phase::Bodies(bodies) => bodies.clone(),
            Phase::Inner(level) => level.bodies(),
        };
        self.phases.iter().flat_map(of_phase).collect()
    }

    /// It and all levels in it, in the order of the text.
    pub fn all(&self) -> Vec<&Level> {
        let inner = self.phases.iter().flat_map(|phase| match phase {
            Phase::Bodies(_) => Vec::new(),
            Phase::Inner(level) => level.all(),
        });
        std::iter::once(self).chain(inner).collect()
    }
}

impl Multifor {
    /// The statement with sets for its loops.
    ///
    /// # Errors
    /// Bounds that are not quasi-affine in the indices around of the same nest and in symbolic constants;
    /// limits.
    pub fn new(syntax: &MultiforSyntax, budget: &Budget) -> Result<Multifor, MultiforError> {
        let parameters = parameters(syntax)?;
        let mut reader =
            Reader { parameters: &parameters, budget, bodies: Vec::new(), n_levels: 0 };
        let around = vec![Vec::new(); syntax.loops.len()];
        let root = reader.level(syntax, &around)?;
        let bodies = reader.bodies;
        Ok(Multifor { syntax: syntax.clone(), root, bodies, parameters })
    }

    /// The same statement with other offsets: for each level, in the order of the text, those of its loops.
    ///
    /// # Errors
    /// As [`Multifor::new`]; entries that are missing stay as they are.
    pub fn with_offsets(
        &self,
        offsets: &[Vec<i64>],
        budget: &Budget,
    ) -> Result<Multifor, MultiforError> {
        let mut syntax = self.syntax.clone();
        set_offsets(&mut syntax, &mut offsets.iter());
        Multifor::new(&syntax, budget)
    }

    /// The offsets of each level.
    pub fn offsets(&self) -> Vec<Vec<i64>> {
        let of_level = |level: &&Level| level.loops.iter().map(|each| each.offset).collect();
        self.root.all().iter().map(of_level).collect()
    }
}

fn set_offsets<'a>(syntax: &mut MultiforSyntax, offsets: &mut impl Iterator<Item = &'a Vec<i64>>) {
    if let Some(own) = offsets.next() {
        syntax.loops.iter_mut().zip(own).for_each(|(each, offset)| each.offset = *offset);
    }
    for item in &mut syntax.items {
        if let MultiforItem::Inner(inner) = item {
            set_offsets(inner, offsets);
        }
    }
}

/// The names in bounds that are no indices, each once.
fn parameters(syntax: &MultiforSyntax) -> Result<Vec<Name>, MultiforError> {
    let (mut indices, mut names) = (BTreeSet::new(), Vec::new());
    collect_names(syntax, &mut indices, &mut names);
    let mut found: Vec<Name> = Vec::new();
    for name in names {
        if is_keyword(&name) {
            let message = format!("`{name}` cannot be the name of a symbolic constant in a bound");
            return Err(MultiforError::new(Code::NonAffineCondition, syntax.start, message));
        }
        if !indices.contains(&name) && !found.iter().any(|known| **known == *name) {
            found.push(name.as_str().into());
        }
    }
    Ok(found)
}

fn collect_names(syntax: &MultiforSyntax, indices: &mut BTreeSet<String>, names: &mut Vec<String>) {
    for each in &syntax.loops {
        indices.insert(each.index.clone());
        let used = each.first.names().into_iter().chain(each.bound.names());
        names.extend(used.map(str::to_string));
    }
    for item in &syntax.items {
        if let MultiforItem::Inner(inner) = item {
            collect_names(inner, indices, names);
        }
    }
}

/// Reads levels from the outside in.
struct Reader<'a> {
    parameters: &'a [Name],
    budget: &'a Budget,
    bodies: Vec<Body>,
    n_levels: usize,
}

impl Reader<'_> {
    fn level(
        &mut self,
        syntax: &MultiforSyntax,
        around: &[Vec<MultiforLoop>],
    ) -> Result<Level, MultiforError> {
        let number = self.n_levels;
        self.n_levels += 1;
        let nests: Vec<Vec<MultiforLoop>> = around
            .iter()
            .zip(&syntax.loops)
            .map(|(around, own)| [around.clone(), vec![own.clone()]].concat())
            .collect();
        let mut phases = Vec::new();
        for item in &syntax.items {
            match item {
                MultiforItem::Inner(inner) => phases.push(Phase::Inner(self.level(inner, &nests)?)),
                MultiforItem::Statement(statement) => {
                    let body = self.body(statement, &nests[statement.nest])?;
                    let number = self.bodies.len();
                    self.bodies.push(body);
                    match phases.last_mut() {
                        Some(Phase::Bodies(bodies)) => bodies.push(number),
                        _ => phases.push(Phase::Bodies(vec![number])),
                    }
                }
            }
        }
        for phase in &mut phases {
            if let Phase::Bodies(bodies) = phase {
                // Stable: statements of one loop stay in the order of the text.
                bodies.sort_by_key(|body| self.bodies[*body].nest);
            }
        }
        let depth = around.first().map_or(0, Vec::len);
        Ok(Level { number, depth, loops: syntax.loops.clone(), phases })
    }

    fn body(
        &self,
        statement: &MultiforStatement,
        loops: &[MultiforLoop],
    ) -> Result<Body, MultiforError> {
        let name: Name = format!("S{}", self.bodies.len()).as_str().into();
        let dims: Vec<Option<Name>> =
            loops.iter().map(|each| Some(each.index.as_str().into())).collect();
        let tuple = Tuple::named(&name, loops.len()).with_dim_names(&dims);
        let space = Space::set(self.parameters, tuple);
        let mut domain = Set::universe(space.clone());
        let mut iterations = Vec::new();
        for (depth, each) in loops.iter().enumerate() {
            let (values, n) =
                self.loop_values(&space, loops, depth).map_err(|e| no_form(each, e))?;
            domain = domain
                .intersect_within(&values, self.budget)
                .map_err(|e| MultiforError::of_sets(each.start, &e))?;
            iterations.push(n);
        }
        let domain = domain
            .coalesce(self.budget)
            .map_err(|e| MultiforError::of_sets(statement.start, &e))?;
        let (nest, loops) = (statement.nest, loops.to_vec());
        Ok(Body { name, nest, statement: statement.clone(), loops, domain, iterations })
    }

    /// The values of the index of a loop for given ones around, and the numbers of their iterations.
    fn loop_values(
        &self,
        space: &Space,
        loops: &[MultiforLoop],
        depth: usize,
    ) -> Result<(Set, PwAff), NoForm> {
        let each = &loops[depth];
        let dimension = |position| Aff::variable(space, DimKind::Out, position);
        let variable = |name: &str| {
            let dim = loops[..depth].iter().position(|around| around.index == name);
            dim.map(dimension).or_else(|| {
                let position = space.find_param(name)?;
                Some(Aff::variable(space, DimKind::Param, position))
            })
        };
        let form = |e: &MultiforExpression| function(e, space, &variable, self.budget);
        let (first, bound) = (form(&each.first)?, form(&each.bound)?);
        let index = PwAff::everywhere(dimension(depth));
        let way = match each.step > 0 {
            true => index.sub(&first)?,
            false => first.sub(&index)?,
        };
        let step = Int::from(i128::from(each.step).abs());
        let goes_on = match each.relation {
            MultiforRelation::Less => index.lt_set(&bound)?,
            MultiforRelation::LessEqual => index.le_set(&bound)?,
            MultiforRelation::Greater => index.gt_set(&bound)?,
            MultiforRelation::GreaterEqual => index.ge_set(&bound)?,
        };
        let n = way.scale_down(&step).floor();
        let is_reached = way.eq_set(&n.scale(&step))?.intersect(&way.nonneg_set())?;
        Ok((goes_on.intersect(&is_reached)?, n))
    }
}

/// The error that an expression of a head has no form.
fn no_form(each: &MultiforLoop, why: NoForm) -> MultiforError {
    let of = |message| MultiforError::new(Code::NonAffineCondition, each.start, message);
    let index = &each.index;
    match why {
        NoForm::NotAffine(text) => {
            of(format!("`{text}`, in the bounds of `{index}`, is not affine"))
        }
        NoForm::Unknown(name) => of(format!("the bounds of `{index}` use `{name}`")).because(
            "only indices of loops around in the same nest, and what no multifor statement changes",
        ),
        NoForm::Sets(error @ Error::Exceeded { .. }) => MultiforError::of_sets(each.start, &error),
        NoForm::Sets(error) => of(format!("the bounds of `{index}`: {error}")),
    }
}
