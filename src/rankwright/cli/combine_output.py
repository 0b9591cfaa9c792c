"""What `rankwright combine` says: on the terminal, as JSON, and in files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.cli.console import console, counted
from rankwright.cli.inputs import writable
from rankwright.errors import InputError, unknown
from rankwright.files import write_atomically
from rankwright.report import Reference, StepChart, combination_chart
from rankwright.report.charts import needed, range_text
from rankwright.report.combination import certainty_facts

if TYPE_CHECKING:
    from rankwright.combination import CombinedRuns
    from rankwright.evaluation import Comparison
    from rankwright.report.theme import Mode

DRAWN_BY = {
    ".png": "matplotlib",
    ".svg": "matplotlib",
    ".pdf": "matplotlib",
    ".html": "plotly",
    ".csv": None,
}


def check_plots(paths: Sequence[str], n_runs: int) -> None:
    """Refuses what cannot be drawn, before the work is done."""
    for path in paths:
        ending = Path(path).suffix.lower()
        if ending not in DRAWN_BY:
            raise unknown("the ending of --plot", ending or path, DRAWN_BY)
        if n_runs != 2:
            raise InputError(f"a curve has one weight, of the second of two runs. Got {n_runs} runs. Drop --plot.")
        writable(path, "--plot")
        if (package := DRAWN_BY[ending]) is not None:
            needed(package, f"{ending[1:].upper()} output")


# -- the terminal ----------------------------------------------------------------------------------------------------


def print_all(found: CombinedRuns, comparison: Comparison) -> None:
    """Weights, what they are worth, the curve, how sure it is, and the alternatives."""
    from rankwright.cli.leaderboard import print_leaderboard
    from rankwright.report.terminal import drawn

    out = console()
    if (chart := chart_of(found)) is not None:
        out.print(drawn(chart, min(out.width, 120)))
    _print_facts(found)
    queries = counted(comparison.n_queries, "judged query", "judged queries")
    print_leaderboard(comparison, title=f"What else could be used, on {queries}")
    own = OWN if found.held_out is not None else HELD_NONE
    out.print(f"[dim]{list(found.systems())[-1]}: {own}.[/]")


OWN = "the weights of each query were chosen on other queries"
HELD_NONE = "its weights were chosen on these very queries, so it is too good here: too few to hold some out"


def _print_facts(found: CombinedRuns) -> None:
    from rankwright.cli.tables import show

    show([str(found.measures[0]), ""], facts(found))


def facts(found: CombinedRuns) -> list[list[str]]:
    """What is known of the weights, as rows of a table."""
    weights = (f"{weight:.4f} {name}" for name, weight in zip(found.names, found.weights, strict=True))
    scores = "scores as they are" if found.normalise == "none" else f"scores, normalised by {found.normalise}"
    rows = [[f"weights of {scores}", ", ".join(weights)], ["on the queries that chose them", f"{found.value:.4f}"]]
    if (held_out := held_out_value(found)) is not None:
        rows.append(["cross-validated: on queries left out", f"{held_out:.4f}"])
    if found.exact is not None:
        rows.append(["α that are equally good", range_text(*found.exact.interval)])
    if (sure := found.certainty) is not None:
        rows += certainty_facts(sure, found.names)
    return rows


def held_out_value(found: CombinedRuns) -> float | None:
    """The measure of queries under weights that others chose."""
    if found.held_out is None:
        return None
    data = found.judged.data
    return float(found.measures[0].mean(data.y, found.held_out, data.qptr, doc_ids=data.doc_ids))


def chart_of(found: CombinedRuns) -> StepChart | None:
    """The curve beside the alternatives; None for more than two runs."""
    if found.exact is None or found.exact.curve is None:
        return None
    data, m = found.judged.data, found.measures[0]
    others = list(found.systems().items())[:-1]
    values = [Reference(name, float(m.mean(data.y, s, data.qptr, doc_ids=data.doc_ids))) for name, s in others]
    return combination_chart(found.exact, found.certainty, values, (found.names[0], found.names[1]))


# -- JSON ------------------------------------------------------------------------------------------------------------


def as_json(found: CombinedRuns, comparison: Comparison) -> dict[str, Any]:
    """All numbers, but for the curve: that goes to ``--plot curve.csv``."""
    exact, sure = found.exact, found.certainty
    return {
        "measure": str(found.measures[0]),
        "normalise": found.normalise,
        "weights": dict(zip(found.names, found.weights.tolist(), strict=True)),
        "value": found.value,
        "cross_validated_value": held_out_value(found),
        "alpha": None if exact is None else exact.alpha,
        "interval": None if exact is None else list(exact.interval),
        "certainty": None
        if sure is None
        else {
            "n_resamples": len(sure.alphas),
            "interval_of_alpha": list(sure.interval),
            "within_one_standard_error": list(sure.one_standard_error),
            "fold_alphas": list(sure.fold_alphas),
            "versus": {
                name: versus._asdict() for name, versus in zip(found.names, (sure.versus_a, sure.versus_b), strict=True)
            },
        },
        "n_judged_queries": found.judged.data.n_queries,
        "n_fused_queries": found.every.data.n_queries,
        "comparison": comparison.to_dict(),
    }


# -- files -----------------------------------------------------------------------------------------------------------


def write_plots(found: CombinedRuns, comparison: Comparison, paths: Sequence[str], mode: Mode) -> None:
    """The curve in every file asked for."""
    chart = chart_of(found) if paths else None
    if chart is None:
        return
    for path in paths:
        ending = Path(path).suffix.lower()
        if ending == ".csv":
            made = curve_csv(chart)
        elif ending == ".html":
            made = page_of(found, comparison, chart).encode()
        else:
            from rankwright.report.picture import picture

            made = picture(chart, ending[1:], mode)
        write_atomically(path, made)


def curve_csv(chart: StepChart) -> bytes:
    """Every step of the curve, exactly."""
    out = io.StringIO()
    out.write("lo,hi,value\n")
    out.writelines(f"{a!r},{b!r},{v!r}\n" for a, b, v in zip(*(c.tolist() for c in chart.steps), strict=True))
    return out.getvalue().encode()


def page_of(found: CombinedRuns, comparison: Comparison, chart: StepChart) -> str:
    """A page with the curve, the weights, and the alternatives."""
    from rankwright.report.contents import Contents
    from rankwright.report.report import report_page

    own = OWN if found.held_out is not None else HELD_NONE
    note = f"{list(found.systems())[-1]}, below: {own}."
    contents = Contents(comparison, curve=chart, curve_facts=facts(found), curve_note=note)
    return report_page(contents, f"{' + '.join(found.names)}, combined")
