#!/usr/bin/env python3
"""isl's side of `cargo xtask schedules`: for each file of schedule constraints, the seconds of the scheduling call
alone (the least of some runs) and, per statement, the members of its outermost band and how many are coincident.

Needs islpy. One line per file: NAME <tab> SECONDS <tab> STATEMENT=MEMBERS/COINCIDENT,...; a file that takes
longer than the limit has `-` instead of the seconds.
"""
import argparse
import multiprocessing
import queue
import time


def outer_bands(node, kinds, found):
    """The outermost band above each statement."""
    if node.get_type() == kinds.band and node.band_n_member() > 0:
        n = node.band_n_member()
        coincident = sum(bool(node.band_member_get_coincident(k)) for k in range(n))
        sets = []
        node.get_domain().foreach_set(sets.append)
        for s in sets:
            found[s.get_tuple_name() or "?"] = (n, coincident)
        return
    for child in range(node.n_children()):
        outer_bands(node.get_child(child), kinds, found)


def measure(path, switches, runs, answers):
    import islpy as isl
    context = isl.Context()
    context.set_schedule_maximize_band_depth(1)
    context.set_schedule_maximize_coincidence(1)
    for name, value in switches:
        getattr(context, "set_schedule_" + name)(value)
    text = "\n".join(l for l in open(path) if not l.startswith("#"))
    best = None
    for _ in range(runs):
        constraints = isl.ScheduleConstraints.read_from_str(context, text)
        start = time.perf_counter()
        schedule = constraints.compute_schedule()
        seconds = time.perf_counter() - start
        best = seconds if best is None else min(best, seconds)
    found = {}
    outer_bands(schedule.get_root(), isl.schedule_node_type, found)
    answers.put((best, found))


def answer(answers, worker, limit):
    """What the worker found; `queue.Empty` when the limit is reached or the worker ended without an answer."""
    end = time.monotonic() + limit
    while True:
        alive = worker.is_alive()
        try:
            return answers.get(timeout=0.1)
        except queue.Empty:
            if not alive or time.monotonic() > end:
                raise


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="one of isl's options, without its leading schedule_")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    switches = [(name, int(value)) for name, value in (text.split("=") for text in options.set)]
    for path in options.files:
        answers = multiprocessing.Queue()
        worker = multiprocessing.Process(target=measure, args=(path, switches, options.runs, answers))
        worker.start()
        try:
            seconds, found = answer(answers, worker, options.limit)
            time_text = "%.6f" % seconds
        except Exception:
            time_text, found = "-", {}
        worker.kill()
        worker.join()
        bands = ",".join("%s=%d/%d" % (s, *found[s]) for s in sorted(found))
        name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        print("%s\t%s\t%s" % (name, time_text, bands), flush=True)


if __name__ == "__main__":
    main()
