#!/usr/bin/env python3
"""isl's side of `cargo xtask edits`: editing operations on schedule trees.

Needs islpy. Reads lines OPERATION <tab> PATH <tab> ARGUMENT <tab> TREE from standard input, where a path is a list of child
positions below the domain and line breaks of a tree are written as `\\n`; writes the edited tree, or `! REASON`.
"""
import sys

import islpy as isl


def values(text):
    numbers = [isl.Val(int(n)) for n in text.split()]
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(numbers))
    result = isl.MultiVal.zero(space)
    for position, number in enumerate(numbers):
        result = result.set_val(position, number)
    return result


def band_values(node, text):
    result = isl.MultiVal.zero(node.band_get_space())
    for position, number in enumerate(text.split()):
        result = result.set_val(position, isl.Val(int(number)))
    return result


def edited(operation, path, argument, schedule):
    whole = {
        "gist_params": lambda: schedule.gist_domain_params(isl.Set(argument)),
        "intersect_domain": lambda: schedule.intersect_domain(isl.UnionSet(argument)),
        "pullback": lambda: schedule.pullback_union_pw_multi_aff(isl.UnionPwMultiAff(argument)),
    }
    if operation in whole:
        return whole[operation]()
    node = schedule.get_root().get_child(0)
    for position in path:
        node = node.get_child(position)
    sets = lambda: [isl.UnionSet(part) for part in argument.split("|")]
    filters = lambda: isl.UnionSetList.from_union_set(sets()[0]).concat(
        isl.UnionSetList.from_union_set(sets()[1]))
    graft = lambda: isl.ScheduleNode.from_extension(isl.UnionMap(argument))
    steps = {
        "tile": lambda: node.band_tile(band_values(node, argument)),
        "scale": lambda: node.band_scale(band_values(node, argument)),
        "scale_down": lambda: node.band_scale_down(band_values(node, argument)),
        "modulo": lambda: node.band_mod(band_values(node, argument)),
        "shift": lambda: node.band_shift(isl.MultiUnionPwAff(argument)),
        "split": lambda: node.band_split(int(argument)),
        "sink": lambda: node.band_sink(),
        "delete": lambda: node.delete(),
        "cut": lambda: node.cut(),
        "insert_mark": lambda: node.insert_mark(isl.Id(argument)),
        "insert_filter": lambda: node.insert_filter(isl.UnionSet(argument)),
        "insert_sequence": lambda: node.insert_sequence(filters()),
        "insert_set": lambda: node.insert_set(filters()),
        "insert_partial_schedule": lambda: node.insert_partial_schedule(isl.MultiUnionPwAff(argument)),
        "order_before": lambda: node.order_before(isl.UnionSet(argument)),
        "order_after": lambda: node.order_after(isl.UnionSet(argument)),
        "graft_before": lambda: node.graft_before(graft()),
        "graft_after": lambda: node.graft_after(graft()),
        "group": lambda: node.group(isl.Id(argument)),
    }
    return steps[operation]().get_schedule()


def main():
    for line in sys.stdin:
        operation, path, argument, tree = line.rstrip("\n").split("\t")
        schedule = isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, tree.replace("\\n", "\n"))
        try:
            result = edited(operation, [int(p) for p in path.split()], argument, schedule)
            print(result.to_str().replace("\n", "\\n"), flush=True)
        except isl.Error as error:
            print("! " + str(error).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
