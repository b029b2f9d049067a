//! Functions that call themselves for parts of time and space, and the first call.
//!
//! One function cuts a zoid as a [`ZoidRecursion`] says and calls itself for the pieces, those of a phase but
//! the last one as tasks of OpenMP; the other one executes a zoid moment by moment, with the loops of a
//! moment, which are printed already. Conditions and arguments are the forms of the recursion, whose proof is
//! about the same values.
use crate::parameters::ITERATOR_TYPE;
use crate::region::Target;
use loopwright_astgen::{AstExpr, Build, FreshNames, Lowering};
use loopwright_presburger::{Budget, Name, PwAff, Result, Set};
use loopwright_scop::{ZoidCut, ZoidForm, ZoidPiece, ZoidRecursion, ZoidValue};

/// The steps for finding out whether there always is something to execute.
const CONDITION_STEPS: u64 = 1_000_000;

/// An argument that functions pass on as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOn {
    /// Its declaration as a parameter.
    pub declaration: String,
    /// Its name.
    pub name: String,
}

/// What functions over zoids are printed for.
#[derive(Clone, Copy, Debug)]
pub struct ZoidLayout<'a> {
    /// What kind of text.
    pub target: Target,
    /// The name of the function that cuts.
    pub name: &'a str,
    /// The recursion.
    pub recursion: &'a ZoidRecursion,
    /// The variable that is a moment in the loops of one.
    pub moment: &'a Name,
    /// The variables that are bounds along each axis there: the first position, and the one behind the last.
    pub bounds: &'a [(Name, Name)],
    /// Parameters and arrays of the program.
    pub passed_on: &'a [PassedOn],
    /// The lines of the loops of a moment.
    pub step: &'a str,
    /// What the lines of the first call start with.
    pub indentation: &'a str,
}

/// The two functions. `names` knows what the program uses.
#[must_use]
pub fn print_zoid_functions(layout: &ZoidLayout<'_>, names: &mut FreshNames) -> String {
    let printer = Printer::new(layout, names);
    printer.steps() + &printer.cuts()
}

/// The call of the function for the zoid between the first and last moment, then position along each axis,
/// where there are some; the parameters of the program are in a context.
///
/// # Errors
/// Those of expressions.
pub fn print_first_zoid(
    layout: &ZoidLayout<'_>,
    first: &[(PwAff, PwAff)],
    context: &Set,
    names: FreshNames,
) -> Result<String> {
    let ZoidLayout { name, passed_on, indentation, .. } = layout;
    let Some(((start, last), axes)) = first.split_first() else { return Ok(String::new()) };
    let build = Build::from_context(context)?;
    let mut lowering = Lowering::new(names);
    for parameter in context.space().param_names() {
        lowering.write_parameter(parameter, &format!("({ITERATOR_TYPE}) {parameter}"));
    }
    let is_there = start.domain().intersect_params(context)?;
    let always = context.is_subset(&is_there, &Budget::steps(CONDITION_STEPS)).unwrap_or(false);
    let condition = match always {
        true => None,
        false => Some(lowering.lower(&build.condition(&start.domain())?).to_string()),
    };
    let inside = build.restricted(&is_there)?;
    let mut at = |form: &PwAff, more: i64| -> Result<String> {
        let value = inside.expression(form)?;
        let value = match more {
            0 => value,
            more => AstExpr::Add(Box::new(value), Box::new(AstExpr::int(more))),
        };
        Ok(lowering.lower(&value).to_string())
    };
    let mut arguments = vec![at(start, 0)?, at(last, 1)?];
    for (low, last) in axes {
        arguments.extend([at(low, 0)?, "0".to_string(), at(last, 1)?, "0".to_string()]);
    }
    arguments.extend(passed_on.iter().map(|argument| argument.name.clone()));
    let mut lines = Vec::new();
    let deeper = if condition.is_some() { "  " } else { "" };
    lines.extend(condition.iter().map(|condition| format!("{indentation}if ({condition}) {{")));
    if layout.target == Target::OpenMp {
        lines.push(format!("{indentation}{deeper}#pragma omp parallel"));
        lines.push(format!("{indentation}{deeper}#pragma omp single"));
    }
    lines.push(format!("{indentation}{deeper}{name}({});", arguments.join(", ")));
    lines.extend(condition.iter().map(|_| format!("{indentation}}}")));
    let definitions = lowering.definitions();
    let before = definitions.iter().map(|(_, definition)| definition.clone());
    let after = definitions.iter().map(|(name, _)| format!("#undef {name}"));
    let all = before.chain(lines).chain(after);
    Ok(all.map(|line| line + "\n").collect())
}

/// The names in both functions.
struct Printer<'a> {
    layout: &'a ZoidLayout<'a>,
    steps: String,
    first: String,
    end: String,
    height: String,
    middle: String,
    /// The slopes of the lines along each axis.
    slopes: Vec<(String, String)>,
}

impl<'a> Printer<'a> {
    fn new(layout: &'a ZoidLayout<'a>, names: &mut FreshNames) -> Self {
        let steps = names.get(&format!("{}_steps", layout.name));
        let [first, end, height, middle] =
            ["first", "end", "height", "middle"].map(|wanted| names.get(wanted));
        let mut slopes = Vec::new();
        for axis in 0..layout.bounds.len() {
            let mut slope = |side: &str| names.get(&format!("{side}_slope_{axis}"));
            slopes.push((slope("low"), slope("high")));
        }
        Printer { layout, steps, first, end, height, middle, slopes }
    }

    /// The name of a value along an axis.
    fn name(&self, value: ZoidValue, axis: usize) -> String {
        let (bounds, slopes) = (&self.layout.bounds[axis], &self.slopes[axis]);
        match value {
            ZoidValue::First => self.first.clone(),
            ZoidValue::End => self.end.clone(),
            ZoidValue::Height => self.height.clone(),
            ZoidValue::Low => bounds.0.to_string(),
            ZoidValue::LowSlope => slopes.0.clone(),
            ZoidValue::High => bounds.1.to_string(),
            ZoidValue::HighSlope => slopes.1.clone(),
            ZoidValue::Middle => self.middle.clone(),
        }
    }

    fn text(&self, form: &ZoidForm, axis: usize) -> String {
        form.text(&|value| self.name(value, axis))
    }

    fn head(&self, name: &str, bounds_change: bool) -> String {
        let own = ITERATOR_TYPE;
        let constant = format!("const {own}");
        let bound = if bounds_change { own } else { &constant };
        let mut parameters =
            vec![format!("{constant} {}", self.first), format!("{constant} {}", self.end)];
        for ((low, high), (low_slope, high_slope)) in self.layout.bounds.iter().zip(&self.slopes) {
            parameters.push(format!("{bound} {low}, {constant} {low_slope}"));
            parameters.push(format!("{bound} {high}, {constant} {high_slope}"));
        }
        parameters.extend(self.layout.passed_on.iter().map(|passed| passed.declaration.clone()));
        format!("static void {name}({})\n{{\n", parameters.join(", "))
    }

    /// The function that executes a zoid moment by moment.
    fn steps(&self) -> String {
        let ZoidLayout { moment, bounds, step, .. } = self.layout;
        let Printer { first, end, .. } = self;
        let mut text = self.head(&self.steps, true);
        text += &format!(
            "  for ({ITERATOR_TYPE} {moment} = {first}; {moment} < {end}; {moment}++) {{\n"
        );
        text += step;
        for ((low, high), (low_slope, high_slope)) in bounds.iter().zip(&self.slopes) {
            text += &format!("    {low} += {low_slope};\n    {high} += {high_slope};\n");
        }
        text + "  }\n}\n"
    }

    /// The function that cuts.
    fn cuts(&self) -> String {
        let Printer { first, end, height, .. } = self;
        let mut text = self.head(self.layout.name, false);
        text += &format!("  const {ITERATOR_TYPE} {height} = {end} - {first};\n");
        for cut in &self.layout.recursion.cuts {
            text += &self.cut(cut);
        }
        text += &format!("  {};\n", self.call(&self.steps, None, &ZoidPiece::whole()));
        text + "}\n"
    }

    fn cut(&self, cut: &ZoidCut) -> String {
        let axis = cut.axis.unwrap_or(0);
        let conditions =
            cut.conditions.iter().map(|form| format!("{} >= 0", self.text(form, axis)));
        let mut text = format!("  if ({}) {{\n", conditions.collect::<Vec<_>>().join(" && "));
        let twice = self.text(&cut.twice_middle, axis);
        text += &format!("    const {ITERATOR_TYPE} {} = ({twice}) / 2;\n", self.middle);
        for phase in &cut.phases {
            for (position, piece) in phase.iter().enumerate() {
                if self.layout.target == Target::OpenMp && position + 1 < phase.len() {
                    text += "    #pragma omp task\n";
                }
                text += &format!("    {};\n", self.call(self.layout.name, cut.axis, piece));
            }
            if self.layout.target == Target::OpenMp && phase.len() > 1 {
                text += "    #pragma omp taskwait\n";
            }
        }
        text + "    return;\n  }\n"
    }

    /// A call for a piece of the zoid, that differs from it along an axis, or along all.
    fn call(&self, function: &str, along: Option<usize>, piece: &ZoidPiece) -> String {
        let axis = along.unwrap_or(0);
        let mut arguments = vec![self.text(&piece.first, axis), self.text(&piece.end, axis)];
        let whole = ZoidPiece::whole();
        for axis in 0..self.layout.bounds.len() {
            let own = if along.is_none_or(|own| own == axis) { piece } else { &whole };
            let lines = [&own.low, &own.low_slope, &own.high, &own.high_slope];
            arguments.extend(lines.map(|form| self.text(form, axis)));
        }
        arguments.extend(self.layout.passed_on.iter().map(|passed| passed.name.clone()));
        format!("{function}({})", arguments.join(", "))
    }
}
