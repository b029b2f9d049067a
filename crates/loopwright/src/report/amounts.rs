//! How much a region computes and touches, as JSON and as a part of a page.
use crate::report::page::markup::escape;
use loopwright_amounts::{
    ArrayAmounts, LoopBalance, OperationAmount, Quantity, RegionAmounts, Roofline,
    StatementAmounts, TileAmounts,
};
use loopwright_presburger::Int;
use loopwright_scop::{OperationKind, Operations};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The amounts of a region as an object: functions of symbolic constants as text in isl's notation, values as
/// numbers (as text from 2^53 on, where numbers of JSON are not exact everywhere). What is not known is null.
pub(crate) fn amounts_json(amounts: &RegionAmounts) -> Value {
    let RegionAmounts { sizes, statements, operations, arrays, line_bytes, roofline, tiles, loops } =
        amounts;
    json!({
        "sizes": sizes.to_string(),
        "statements": statements.iter().map(statement_json).collect::<Vec<_>>(),
        "operations": operations.iter().map(operation_json).collect::<Vec<_>>(),
        "arrays": arrays.iter().map(array_json).collect::<Vec<_>>(),
        "line_bytes": line_bytes,
        "roofline": roofline.as_ref().map(roofline_json),
        "tiles": tiles.iter().map(tile_json).collect::<Vec<_>>(),
        "loops": loops.iter().map(loop_json).collect::<Vec<_>>(),
    })
}

fn quantity_json(quantity: &Quantity) -> Value {
    let value = quantity.value().map(number_json);
    json!({ "function": quantity.form().map(ToString::to_string), "value": value })
}

fn number_json(value: &Int) -> Value {
    const MOST: i64 = 1 << 53;
    match value.to_i64() {
        Some(small) if small.abs() < MOST => Value::from(small),
        _ => Value::from(value.to_string()),
    }
}

fn statement_json(statement: &StatementAmounts) -> Value {
    let StatementAmounts { name, line, instances, operations, arrays } = statement;
    json!({
        "name": name,
        "line": line,
        "instances": quantity_json(instances),
        "operations_of_an_instance": operations_json(operations),
        "arrays": arrays.iter().map(array_json).collect::<Vec<_>>(),
    })
}

/// For each kind how many there are at least and at most.
fn operations_json(operations: &Operations) -> Value {
    let of = |kind: &OperationKind| {
        let (least, most) = (operations.at_least(*kind), operations.at_most(*kind));
        (kind.as_str().to_string(), json!([least, most]))
    };
    let is_there = |kind: &&OperationKind| operations.at_most(**kind) != Some(0);
    Value::Object(OperationKind::ALL.iter().filter(is_there).map(of).collect::<Map<_, _>>())
}

fn operation_json(amount: &OperationAmount) -> Value {
    let OperationAmount { kind, least, most, is_exact } = amount;
    json!({
        "kind": kind.as_str(),
        "at_least": quantity_json(least),
        "at_most": most.as_ref().map(quantity_json),
        "exact": is_exact,
    })
}

fn array_json(array: &ArrayAmounts) -> Value {
    let ArrayAmounts { name, element_bytes, elements, lines, written_lines, is_exact } = array;
    json!({
        "name": name,
        "element_bytes": element_bytes,
        "elements": quantity_json(elements),
        "lines": lines.as_ref().map(quantity_json),
        "written_lines": written_lines.as_ref().map(quantity_json),
        "exact": is_exact,
    })
}

fn roofline_json(roofline: &Roofline) -> Value {
    let Roofline { operations, bytes, intensity, peak, bandwidth, attainable, limit } = roofline;
    json!({
        "operations": operations,
        "bytes": bytes,
        "operations_per_byte": intensity,
        "peak_per_second": peak,
        "bytes_per_second": bandwidth,
        "attainable_per_second": attainable,
        "limit": limit.as_str(),
    })
}

fn tile_json(tile: &TileAmounts) -> Value {
    let TileAmounts { statements, depth, tiles, instances, operations, arrays, bytes } = tile;
    json!({
        "statements": statements,
        "loops": depth,
        "tiles": quantity_json(tiles),
        "instances": number_json(instances),
        "operations": number_json(operations),
        "arrays": arrays.iter().map(array_json).collect::<Vec<_>>(),
        "bytes_of_lines": bytes.as_ref().map(number_json),
    })
}

fn loop_json(balance: &LoopBalance) -> Value {
    let LoopBalance { statements, depth, iterations, around, work, threads, shares } = balance;
    json!({
        "statements": statements,
        "loops_around": depth,
        "iterations": iterations,
        "looked_at_of_iterations_around": [around.0, around.1],
        "operations_of_an_iteration": [work.0, work.1],
        "threads": threads,
        "largest_share_over_mean": {
            "static_blocks": shares.blocks,
            "in_turn": shares.in_turn,
            "equal_blocks": shares.equal,
        },
    })
}

/// The amounts of a region as a section of a page.
pub(crate) fn amounts_section(amounts: &RegionAmounts) -> String {
    let mut text = String::from("<h3>Amounts</h3>\n");
    if !amounts.sizes.is_empty() {
        let _ =
            writeln!(text, "<p>Values are those for {}.</p>", escape(&amounts.sizes.to_string()));
    }
    text += &table(
        &["statement", "line", "instances", "operations of an instance"],
        amounts.statements.iter().map(|of| {
            let operations = of.operations.to_string();
            [of.name.clone(), of.line.to_string(), of.instances.to_string(), operations]
        }),
    );
    text += &table(
        &["operations", "at least", "at most"],
        amounts.operations.iter().map(|of| {
            let most = of.most.as_ref().map_or("not known".to_string(), ToString::to_string);
            [of.kind.as_str().to_string(), of.least.to_string(), most]
        }),
    );
    text += &table(
        &["array", "elements touched", "cache lines", "of them written", "exact"],
        amounts.arrays.iter().map(array_cells),
    );
    if amounts.statements.len() > 1 {
        let arrays = amounts.statements.iter().flat_map(|of| {
            of.arrays.iter().map(|array| {
                let [name, cells @ ..] = array_cells(array);
                let [elements, lines, written, exact] = cells;
                [format!("{}: {name}", of.name), elements, lines, written, exact]
            })
        });
        text += &table(
            &["statement: array", "elements touched", "cache lines", "of them written", "exact"],
            arrays,
        );
    }
    text += &table(
        &["tile of", "loops", "tiles", "instances in one", "operations", "bytes of lines"],
        amounts.tiles.iter().map(|tile| {
            let bytes = tile.bytes.as_ref().map_or("not known".to_string(), ToString::to_string);
            let (instances, operations) = (tile.instances.to_string(), tile.operations.to_string());
            let names = tile.statements.join(", ");
            [names, tile.depth.to_string(), tile.tiles.to_string(), instances, operations, bytes]
        }),
    );
    let sentences = amounts.roofline.iter().map(ToString::to_string);
    for sentence in sentences.chain(amounts.loops.iter().map(ToString::to_string)) {
        let _ = writeln!(text, "<p>{}.</p>", escape(&sentence));
    }
    text
}

fn array_cells(of: &ArrayAmounts) -> [String; 5] {
    let known = |lines: &Option<Quantity>| {
        lines.as_ref().map_or("not known".to_string(), ToString::to_string)
    };
    let exact = if of.is_exact { "yes" } else { "at most" }.to_string();
    let elements = of.elements.to_string();
    [of.name.clone(), elements, known(&of.lines), known(&of.written_lines), exact]
}

fn table<const N: usize>(heads: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let row = |cells: [String; N]| {
        let cells = cells.iter().enumerate().map(|(position, cell)| match position {
            0 => format!("<th scope=\"row\"><code>{}</code></th>", escape(cell)),
            _ => format!("<td class=\"words\">{}</td>", escape(cell)),
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.map(row).collect();
    match rows.is_empty() {
        true => String::new(),
        false => format!(
            "<div class=\"wide\"><table>\n<thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        ),
    }
}
