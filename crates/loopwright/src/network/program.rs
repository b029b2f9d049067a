//! A network as a program: C with POSIX threads and bounded queues.
//!
//! Processes are functions at the end of the file. In place of the region the caller starts them, receives
//! the last values, and waits for their end. Without memory or threads for them it runs the region as it was.
use crate::network::build::{is_hidden, is_kept_in_place, is_written};
use crate::network::slice::{Flow, Parts, Slice, Words};
use crate::network::{Channel, Network, Receiver, Tokens};
use loopwright_cfront::{ControlTree, DeclaredShape, Region, replace_regions};
use loopwright_scop::{Array, ArrayId, StatementId};
use std::fmt::Write;

/// What every program with networks contains.
const RUNTIME: &str = include_str!("runtime.h");

/// A file with its regions as networks.
pub(super) fn program(original: &str, networks: &[(&Region, &Network)]) -> String {
    let mut replacements = Vec::with_capacity(networks.len());
    let mut functions = String::new();
    for (region, network) in networks {
        let Some(printer) = Printer::new(region, network) else { continue };
        let as_it_was = original.get(region.statement_bytes.clone()).unwrap_or_default();
        replacements.push((region.bytes.clone(), printer.caller(as_it_was)));
        functions += &printer.processes();
    }
    let text = replace_regions(original, &replacements);
    format!("{text}\n{RUNTIME}{functions}")
}

/// A variable that processes are given: a symbolic constant, or an array or scalar of the model.
struct Variable<'a> {
    name: &'a str,
    c_type: &'a str,
    /// Its array; none of symbolic constants.
    array: Option<(ArrayId, &'a Array, &'a DeclaredShape)>,
}

struct Printer<'a> {
    region: &'a Region,
    network: &'a Network,
    control: &'a ControlTree,
    parts: Parts,
    variables: Vec<Variable<'a>>,
}

impl<'a> Printer<'a> {
    fn new(region: &'a Region, network: &'a Network) -> Option<Self> {
        let control = region.control.as_ref()?;
        let parts = Parts::new(region, control).ok()?;
        let constants = region.scop.parameters.iter().map(|parameter| Variable {
            name: parameter.value.as_deref().unwrap_or(&parameter.name),
            c_type: &parameter.c_type,
            array: None,
        });
        let arrays = (0u32..).map(ArrayId).zip(&region.scop.arrays).zip(&region.shapes);
        let arrays = arrays.filter(|((id, _), _)| !is_hidden(region, *id));
        let arrays = arrays.map(|((id, array), shape)| Variable {
            name: &array.name,
            c_type: &array.element_type,
            array: Some((id, array, shape)),
        });
        let variables = constants.chain(arrays).collect();
        Some(Printer { region, network, control, parts, variables })
    }

    /// The name of the function of a process.
    fn function(&self, process: usize) -> String {
        let Network { function, lines, processes, .. } = self.network;
        format!("loopwright_{function}_{}_{}", lines.0, processes[process].name)
    }

    /// The variables that the caller hands to the processes.
    fn given(&self) -> impl Iterator<Item = &Variable<'a>> {
        let is_outside = |variable: &&Variable<'a>| {
            variable.array.is_none_or(|(_, array, _)| !array.declared_in_scop)
        };
        self.variables.iter().filter(is_outside)
    }

    /// What stands in place of the region.
    fn caller(&self, as_it_was: &str) -> String {
        let pad = &self.region.indentation;
        let mut lines = vec!["{".to_string()];
        let mut line = |text: String| lines.push(format!("  {text}"));
        let n = self.network.processes.len();
        for process in 0..n {
            line(format!("void *{}(void *);", self.function(process)));
        }
        line("void *loopwright_start(void *(*const *)(void *), __SIZE_TYPE__, const __SIZE_TYPE__ *, const __SIZE_TYPE__ *, __SIZE_TYPE__, void **);".into());
        line("void loopwright_receive(void *, __SIZE_TYPE__, void *);".into());
        line("int loopwright_outcome(void *, __SIZE_TYPE__);".into());
        line("void loopwright_end(void *);".into());
        let functions: Vec<String> = (0..n).map(|process| self.function(process)).collect();
        line(format!(
            "void *(*const loopwright_processes[])(void *) = {{ {} }};",
            functions.join(", ")
        ));
        let channels = &self.network.channels;
        let size = |channel: &Channel| match &channel.tokens {
            Tokens::Values { c_type, .. } => format!("sizeof({c_type})"),
            Tokens::Outcomes => "sizeof(int)".to_string(),
        };
        let listed = |texts: Vec<String>| match texts.is_empty() {
            true => "1".to_string(),
            false => texts.join(", "),
        };
        let sizes = listed(channels.iter().map(size).collect());
        line(format!("const __SIZE_TYPE__ loopwright_sizes[] = {{ {sizes} }};"));
        let capacities = listed(channels.iter().map(|c| c.capacity.to_string()).collect());
        line(format!("const __SIZE_TYPE__ loopwright_capacities[] = {{ {capacities} }};"));
        let given: Vec<String> = self.given().map(address).collect();
        let given = if given.is_empty() { "0".to_string() } else { given.join(", ") };
        line(format!("void *loopwright_variables[] = {{ {given} }};"));
        line(format!(
            "void *loopwright_network = loopwright_start(loopwright_processes, {n}, loopwright_sizes, loopwright_capacities, {}, loopwright_variables);",
            channels.len()
        ));
        line("if (loopwright_network) {".into());
        let flow = self.flow(Receiver::After);
        let words = Process { printer: self, receiver: Receiver::After };
        let body = Slice::new(&flow, &self.parts).text(self.control, &words, 2);
        lines.extend(body.lines().map(str::to_string));
        lines.push("    loopwright_end(loopwright_network);".into());
        lines.push("  } else {".into());
        let mut text: String = lines.iter().map(|line| format!("{pad}{line}\n")).collect();
        text.push_str(as_it_was);
        let _ = writeln!(text, "{pad}  }}\n{pad}}}");
        text
    }

    /// What a process executes and receives.
    fn flow(&self, receiver: Receiver) -> Flow {
        let own = match receiver {
            Receiver::Process(position) => Some(self.network.processes[position].statement),
            Receiver::After => None,
        };
        let channels = self.network.channels.iter().filter(|channel| channel.to == receiver);
        let values = channels.filter(|channel| channel.tokens != Tokens::Outcomes);
        let senders = values.map(|channel| self.network.processes[channel.from].statement);
        Flow { own, senders: senders.collect() }
    }

    /// The functions of all processes.
    fn processes(&self) -> String {
        (0..self.network.processes.len()).map(|process| self.process(process)).collect()
    }

    fn process(&self, position: usize) -> String {
        let receiver = Receiver::Process(position);
        let flow = self.flow(receiver);
        let own = self.network.processes[position].statement;
        let mut text = format!(
            "\nvoid *{}(void *loopwright_given) {{\n  struct loopwright_network *loopwright_network = loopwright_given;\n  \
             int loopwright_has_memory = 1, loopwright_outcome_here;\n  (void)loopwright_outcome_here;\n",
            self.function(position)
        );
        let mut copies = Vec::new();
        let mut given = 0;
        for variable in &self.variables {
            let is_outside = variable.array.is_none_or(|(_, array, _)| !array.declared_in_scop);
            let place = is_outside.then(|| format!("loopwright_network->variables[{given}]"));
            given += usize::from(is_outside);
            let declared = self.declare(variable, place, own, &flow);
            text += &declared.text;
            copies.extend(declared.is_copied.then(|| variable.name.to_string()));
        }
        for iterator in &self.region.outer_iterators {
            let _ = writeln!(
                text,
                "  {} {} = 0;\n  (void){};",
                iterator.c_type, iterator.name, iterator.name
            );
        }
        let words = Process { printer: self, receiver };
        text += "  if (loopwright_ready(loopwright_network, loopwright_has_memory)) {\n";
        text += &Slice::new(&flow, &self.parts).text(self.control, &words, 2);
        text += "  }\n";
        for copy in copies {
            let _ = writeln!(text, "  free({copy});");
        }
        text + "  return NULL;\n}\n"
    }

    /// Declares a variable of a process: a copy of its own, or the one of the program where nobody else
    /// changes it.
    fn declare(
        &self,
        variable: &Variable<'_>,
        place: Option<String>,
        own: StatementId,
        flow: &Flow,
    ) -> Declared {
        let mut text = String::new();
        let Variable { name, c_type, array } = variable;
        let Some((id, _, shape)) = *array else {
            let place = place.unwrap_or_default();
            let _ = writeln!(text, "  {c_type} {name} = *({c_type} *){place};\n  (void){name};");
            return Declared { text, is_copied: false };
        };
        if shape.extents.is_empty() {
            let _ = match &place {
                Some(place) => writeln!(text, "  {c_type} {name} = *({c_type} *){place};"),
                None => writeln!(text, "  {c_type} {name};\n  memset(&{name}, 0, sizeof {name});"),
            };
            let _ = writeln!(text, "  (void){name};");
            return Declared { text, is_copied: false };
        }
        let inner: String = shape.extents[1..].iter().flatten().map(|e| format!("[{e}]")).collect();
        let pointer = match inner.is_empty() {
            true => format!("{c_type} *{name}"),
            false => format!("{c_type} (*{name}){inner}"),
        };
        let uses = |statement: StatementId| {
            let accesses = &self.region.scop.statement(statement).accesses;
            accesses.iter().any(|access| access.array == id)
        };
        let is_used = uses(own) || flow.senders.iter().any(|sender| uses(*sender));
        let is_shared = place.is_some()
            && (!is_written(self.region, id) || is_kept_in_place(self.region, id) || !is_used);
        if is_shared {
            let _ = writeln!(text, "  {pointer} = {};\n  (void){name};", place.unwrap_or_default());
            return Declared { text, is_copied: false };
        }
        let outer = shape.extents[0].as_deref().unwrap_or("1");
        let _ = writeln!(
            text,
            "  {pointer} = calloc({outer}, sizeof *{name});\n  loopwright_has_memory &= {name} != NULL;"
        );
        if let Some(place) = place {
            let _ = writeln!(
                text,
                "  if ({name})\n    memcpy({name}, {place}, ({outer}) * sizeof *{name});"
            );
        }
        Declared { text, is_copied: true }
    }
}

/// The declaration of a variable in a process.
struct Declared {
    text: String,
    /// Whether it is a copy in memory of its own.
    is_copied: bool,
}

/// The address of a variable in the caller.
fn address(variable: &Variable<'_>) -> String {
    let is_memory = variable.array.is_some_and(|(_, _, shape)| !shape.extents.is_empty());
    match is_memory {
        true => format!("(void *){}", variable.name),
        false => format!("(void *)&{}", variable.name),
    }
}

/// The words of one process, or of the caller.
struct Process<'a> {
    printer: &'a Printer<'a>,
    receiver: Receiver,
}

impl Process<'_> {
    fn channels(&self) -> impl Iterator<Item = (usize, &Channel)> {
        self.printer.network.channels.iter().enumerate()
    }

    fn position(&self, statement: StatementId) -> Option<usize> {
        let processes = &self.printer.network.processes;
        processes.iter().position(|process| process.statement == statement)
    }

    /// The first byte of an array or scalar.
    fn base(&self, array: ArrayId) -> String {
        let variables = &self.printer.variables;
        let found = variables.iter().find(|v| v.array.is_some_and(|(id, _, _)| id == array));
        found.map_or_else(String::new, |variable| match variable.array {
            Some((_, _, shape)) if shape.extents.is_empty() => format!("&{}", variable.name),
            _ => variable.name.to_string(),
        })
    }

    /// What the process sends after its statement, as expressions.
    fn sends(&self, statement: StatementId) -> Vec<String> {
        let Some(own) = self.position(statement) else { return Vec::new() };
        let mut sends = Vec::new();
        for (index, channel) in self.channels().filter(|(_, channel)| channel.from == own) {
            sends.push(match &channel.tokens {
                Tokens::Outcomes => format!(
                    "loopwright_send(loopwright_network, {index}, 0, &loopwright_outcome_here)"
                ),
                Tokens::Values { array, at, .. } => {
                    let base = self.base(*array);
                    let assigned = self.printer.parts.assigned(statement, *at);
                    let value =
                        assigned.map_or_else(|| base.clone(), |assigned| format!("&({assigned})"));
                    format!(
                        "loopwright_send(loopwright_network, {index}, (const char *){value} - (const char *){base}, {value})"
                    )
                }
            });
        }
        sends
    }

    /// What it receives where another statement stands, as expressions: values, and the channel of the
    /// outcome.
    fn receipts(&self, statement: StatementId) -> (Vec<String>, Option<usize>) {
        let (mut values, mut outcome) = (Vec::new(), None);
        let Some(other) = self.position(statement) else { return (values, outcome) };
        let towards =
            |(_, channel): &(usize, &Channel)| channel.from == other && channel.to == self.receiver;
        for (index, channel) in self.channels().filter(towards) {
            match &channel.tokens {
                Tokens::Outcomes => outcome = Some(index),
                Tokens::Values { array, .. } => values.push(format!(
                    "loopwright_receive(loopwright_network, {index}, {})",
                    self.base(*array)
                )),
            }
        }
        (values, outcome)
    }
}

impl Words for Process<'_> {
    fn statement(&self, statement: StatementId, is_own: bool) -> String {
        let parts = match is_own {
            true => {
                let text = self.printer.parts.text_of(statement).to_string();
                [vec![text], self.sends(statement)].concat()
            }
            false => self.receipts(statement).0,
        };
        parts.iter().map(|part| format!("{part};")).collect::<Vec<_>>().join(" ")
    }

    fn condition(&self, statement: StatementId, is_own: bool) -> String {
        let mut parts = Vec::new();
        if is_own {
            let text = self.printer.parts.text_of(statement);
            parts.push(format!("loopwright_outcome_here = ({text}) != 0"));
            parts.extend(self.sends(statement));
            parts.push("loopwright_outcome_here".to_string());
            return parts.join(", ");
        }
        let (values, outcome) = self.receipts(statement);
        parts.extend(values);
        let outcome = outcome.map_or_else(
            || "0".to_string(),
            |index| format!("loopwright_outcome(loopwright_network, {index})"),
        );
        parts.push(outcome);
        parts.join(", ")
    }
}
