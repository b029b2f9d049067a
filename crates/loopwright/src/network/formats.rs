//! Networks as JSON and as graphs.
use crate::network::{Channel, LEAST_CAPACITY, Network, Receiver, Tokens};
use crate::report::dataflow::read_json;
use serde_json::{Value, json};
use std::fmt::Write;

/// A list of networks, whose fields docs/networks.md lists.
pub(super) fn json(networks: &[Network]) -> String {
    let all: Vec<Value> = networks.iter().map(network).collect();
    format!("{:#}\n", Value::from(all))
}

fn network(network: &Network) -> Value {
    let process = |process: &crate::network::Process| {
        json!({
            "name": process.name,
            "line": process.line,
            "kind": if process.is_evaluation { "evaluation" } else { "statement" },
            "text": process.text,
        })
    };
    let channel = |channel: &Channel| {
        let (variable, c_type, exact) = match &channel.tokens {
            Tokens::Values { name, c_type, exact, .. } => (Some(name), Some(c_type), &exact[..]),
            Tokens::Outcomes => (None, None, &[][..]),
        };
        json!({
            "from": network.processes[channel.from].name,
            "to": receiver(network, channel),
            "kind": if variable.is_some() { "data" } else { "control" },
            "variable": variable,
            "type": c_type,
            "relation": channel.relation,
            "exact": exact.iter().map(read_json).collect::<Vec<_>>(),
            "capacity": channel.capacity,
            "least_capacity": LEAST_CAPACITY,
        })
    };
    json!({
        "function": network.function,
        "lines": [network.lines.0, network.lines.1],
        "processes": network.processes.iter().map(process).collect::<Vec<_>>(),
        "channels": network.channels.iter().map(channel).collect::<Vec<_>>(),
    })
}

fn receiver<'a>(network: &'a Network, channel: &Channel) -> &'a str {
    match channel.to {
        Receiver::Process(position) => &network.processes[position].name,
        Receiver::After => "after",
    }
}

/// A graph per network, in the language of Graphviz: conditions are diamonds, control channels are dashed.
pub(super) fn dot(networks: &[Network]) -> String {
    let mut text = String::new();
    for network in networks {
        let _ = writeln!(text, "digraph {} {{", network.function);
        for process in &network.processes {
            let shape = if process.is_evaluation { "diamond" } else { "box" };
            let label = quoted(&format!("{}: {}", process.name, process.text));
            let _ = writeln!(text, "  {} [shape={shape}, label={label}];", process.name);
        }
        let _ = writeln!(text, "  after [shape=plaintext];");
        for channel in &network.channels {
            let (from, to) = (&network.processes[channel.from].name, receiver(network, channel));
            let _ = match &channel.tokens {
                Tokens::Values { name, .. } => {
                    writeln!(text, "  {from} -> {to} [label={}];", quoted(name))
                }
                Tokens::Outcomes => writeln!(text, "  {from} -> {to} [style=dashed];"),
            };
        }
        text += "}\n";
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
