"""`rankwright adapt`: a ranker for a target domain from judged queries of a source domain, in every way there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rankwright.cli.parameters import Json, Measures, Report, Seed, Threads
from rankwright.errors import InputError, unknown

if TYPE_CHECKING:
    from rankwright.adaptation.adapt import Adaptation
    from rankwright.adaptation.target_weights import TargetWeights
    from rankwright.data import Dataset
    from rankwright.report.contents import Contents

FEATURES_SHOWN = 5  # of those that tell the domains apart

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="Judged queries of the source domain.")]
Target = Annotated[str, typer.Argument(metavar="TARGET", help="Lists of the target domain; labels in it are not read.")]
Labels = Annotated[
    str | None,
    typer.Option("--labels", metavar="DATA", help="Judged queries of the target, a few or all; may be TARGET again."),
]
Ways = Annotated[
    list[str] | None,
    typer.Option("--way", metavar="WAY", help="source, weighted, target, submodel, interpolated; may be repeated."),
]


def adapt(
    source: Source,
    target: Target,
    labels: Labels = None,
    ranker: Annotated[
        str, typer.Option("-r", "--ranker", metavar="NAME", help='With options where wanted: "lambdamart(n_trees=50)".')
    ] = "addwrb",
    measure: Measures = None,
    way: Ways = None,
    submodel: Annotated[
        str | None, typer.Option("--submodel", metavar="NAME", help="What starts from the source's ranker.")
    ] = None,
    separator: Annotated[
        Literal["logistic", "svm"], typer.Option("--separator", help="What tells the domains apart.")
    ] = "logistic",
    form: Annotated[
        Literal["probability", "odds"], typer.Option("--form", help="What a document weighs: p, or p/(1 − p).")
    ] = "probability",
    strength: Annotated[
        float | None,
        typer.Option("--strength", min=0, max=1, help="How far weights leave their mean: 1 all; else by the AUC."),
    ] = None,
    n_features: Annotated[
        int | None,
        typer.Option("--n-features", min=1, help="Columns of LETOR files, which leave out zeros at the end."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Where the model goes: the best, or --keep.")
    ] = None,
    keep: Annotated[str | None, typer.Option("--keep", metavar="WAY", help="The way whose model is written.")] = None,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="Write the source's weights, one a line.")
    ] = None,
    picture: Annotated[
        str | None, typer.Option("--picture", metavar="FILE", help="Write the weights' distribution, as .svg.")
    ] = None,
    folds: Annotated[int, typer.Option("--folds", min=3, help="Parts of the judged target queries.")] = 5,
    seed: Seed = 0,
    threads: Threads = None,
    report: Report = None,
    json: Json = False,
) -> None:
    """Adapt a ranker to a domain where few queries or none are judged.

    Every source document is weighed by how much it looks like one of the target; labels are not used for that. Without
    --labels: the ranker trained on the source, and on the weighted source. With them also one trained on the target
    alone, one that starts from the source's, and an interpolation; compared by cross-validation on the target.

    \b
    Example:
      rankwright adapt web.svm intranet.svm -o model.json --picture weights.svg
      rankwright adapt web.svm intranet.svm --labels judged.svm -m nDCG@10 -m AP --report report.html
      rankwright adapt web.svm intranet.svm --labels judged.svm --ranker adarank --way source --way interpolated --json
    """
    import rankwright as rw
    from rankwright.adaptation.ways import LABELLED, WAYS
    from rankwright.cli.choices import measures_of, ranker_of
    from rankwright.cli.console import emit, say
    from rankwright.cli.contest import bars
    from rankwright.cli.inputs import STANDARD, read_data, writable
    from rankwright.cli.page_file import check_report, save_report

    check_report(report, json)
    for path, what in ((output, "--output"), (weights, "--weights"), (picture, "--picture")):
        writable(path, what)
    if keep is not None and keep not in WAYS:
        raise unknown("--keep", keep, WAYS)
    if keep is not None and output is None:
        raise InputError(f"--keep says which model is written. Got --keep {keep} without a file. Add -o FILE.")
    if keep is not None and (keep not in (way or WAYS) or (labels is None and keep in LABELLED)):
        raise InputError(
            f"--keep must be a way that is gone. Got {keep}. Add it as --way, and --labels where it learns."
        )
    judged_by = measures_of(measure or ["nDCG@10"])
    common: dict[str, Any] = {"seed": seed, "measure": judged_by[0], "n_threads": threads}
    learner = ranker_of(ranker, **common)
    starting = None if submodel is None else ranker_of(submodel, **common)
    source_data, target_data = (read_data(path, n_features) for path in (source, target))
    judged = None if labels is None else read_data(labels, n_features)
    with bars() as shown:
        step = shown.count("adapting", 3 + (0 if judged is None else min(folds, judged.n_queries)))
        telling: dict[str, Any] = {"separator": separator, "form": form, "strength": strength, "rng": seed}
        weighed = rw.target_weights(source_data, target_data, **telling)
        step("domains told apart")
        found = rw.adapt(
            source_data,
            target_data,
            learner,
            target_labels=judged,
            measures=judged_by,
            ways=way,
            submodel=starting,
            weights=weighed,
            folds=folds,
            rng=seed,
            tell=step,
            n_threads=threads,
        )
    kept = keep or found.best
    if kept not in found.rankers:
        raise InputError(f"the model of {kept!r} cannot be written: {found.skipped[kept]}. Keep another.")
    _write(found.weights, weights, picture)
    if output is not None:
        found.rankers[kept].save(output)
    if json:
        emit({**found.to_dict(), "model": output, "kept": kept if output is not None else None})
    elif report != STANDARD:
        _print(found, source_data, target_data)
    files = {"source": source, "target": target, "target labels": labels or "none", "ranker": ranker, "seed": str(seed)}
    save_report(report, lambda: _contents(found), facts=files)
    if output is not None and not json:
        say(f"The model of {kept!r} is {output}.")


def _contents(found: Adaptation) -> Contents:
    from rankwright.report.report import contents_of

    return contents_of(found)


def _write(weights: TargetWeights, values: str | None, picture: str | None) -> None:
    from pathlib import Path

    from rankwright.files import write_atomically

    if values is not None:
        write_atomically(Path(values), "".join(f"{v!r}\n" for v in weights.documents.tolist()).encode())
    if picture is not None:
        weights.picture(picture)


def _print(found: Adaptation, source: Dataset, target: Dataset) -> None:
    """The weights, then the ways beside each other, then what could not be done."""
    from rankwright.cli.console import console, sizes_of
    from rankwright.cli.leaderboard import print_leaderboard
    from rankwright.cli.tables import show

    out = console()
    out.print(f"source  {sizes_of(source)}\ntarget  {sizes_of(target)}\n\n{found.weights!r}", markup=False)
    rows = found.weights.features().rows()[:FEATURES_SHOWN]
    cells = [[str(row["feature"]), f"{row['coefficient']:+.3f}"] for row in rows]
    show(["feature", "larger in the target"], cells, title="What tells the domains apart", numbers=[1])
    if found.comparison is None:
        names = ", ".join(found.rankers)
        out.print(f"Trained: {names}. Without target labels nobody knows which is better; add --labels.", markup=False)
        return
    print_leaderboard(found.comparison, title=f"On {found.comparison.n_queries} judged queries of the target")
    alpha = getattr(found.rankers.get("interpolated"), "alpha_", None)
    if alpha is not None:
        out.print(f"interpolated: {1 - alpha:.0%} source, {alpha:.0%} target.", markup=False)
    for way, why in found.skipped.items():
        out.print(f"{way}: not gone; {why}.", markup=False)
