"""`rankwright train`: from judged queries to a model file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rankwright.cli.parameters import Data, Json, Threads

if TYPE_CHECKING:
    from rankwright.data import Dataset
    from rankwright.rankers import Ranker

Checkpointed = Annotated[
    str | None, typer.Option("--checkpoint", metavar="FILE", help="Keep the model so far here while training.")
]

Resumed = Annotated[
    bool, typer.Option("--resume", help="Go on from --checkpoint, where there is one of the same run: boosted trees.")
]


def train(
    ctx: typer.Context,
    data: Data,
    ranker: Annotated[str, typer.Option("-r", "--ranker", metavar="NAME", help="See `rankwright rankers`.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where the model goes.")],
    measure: Annotated[str, typer.Option("-m", "--measure", help="What to train for, and to judge by.")] = "nDCG@10",
    valid: Annotated[
        str | None, typer.Option("--valid", metavar="DATA", help="Judged queries that choose the best round.")
    ] = None,
    checkpoint: Checkpointed = None,
    resume: Resumed = False,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Seed of everything random.")] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Train a ranker and write its model.

    Every option of the ranker is a flag: `rankwright train --ranker adarank --help` lists them.

    \b
    Example:
      rankwright train train.svm --valid vali.svm --ranker adarank --measure AP --n-rounds 300 -o model.json
    """
    from rankwright.cli.choices import make_ranker, ranker_class
    from rankwright.cli.console import emit, say, seconds
    from rankwright.cli.flags import GIVEN
    from rankwright.cli.inputs import read_data, writable
    from rankwright.errors import InputError
    from rankwright.rankers.callbacks import Checkpoint, Progress

    writable(output, "--output")
    writable(checkpoint, "--checkpoint")
    if resume and checkpoint is None:
        raise InputError("--resume needs the file to go on from. Got none. Name it: --checkpoint FILE.")
    callbacks = [Progress(), *([Checkpoint(checkpoint, resume=resume)] if checkpoint else [])]
    learner = make_ranker(
        ranker_class(ranker),
        ctx.meta.get(GIVEN, {}),
        seed=seed,
        measure=measure,
        callbacks=callbacks,
        n_threads=threads,
    )
    train_data = read_data(data)
    valid_data = None if valid is None else read_data(valid, train_data.n_features)
    start = time.perf_counter()
    fit(learner, train_data, valid_data, checkpoint)
    took = time.perf_counter() - start
    learner.save(output)
    document = _summary(learner, train_data, valid_data) | {"seconds": took, "model": output}
    if json:
        emit(document)
        return
    shown = ", ".join(f"{part} {document[part]:.4f}" for part in ("train", "valid") if part in document)
    say(f"{learner.name}: {document['measure']} {shown}, round {document['best_round']} of {document['rounds']}, "
        f"{seconds(took)}. The model is {output}.")  # fmt: skip


def fit(learner: Ranker, train_data: Dataset, valid_data: Dataset | None, checkpoint: str | None) -> None:
    """Trains; an interruption says what was kept."""
    before = _written(checkpoint)
    try:
        learner.fit(train_data, valid=valid_data)
    except KeyboardInterrupt:
        if checkpoint is not None and _written(checkpoint) != before:
            how = f"The model so far is {checkpoint}; evaluate and rank take it like any model."
            how += " The same command with --resume goes on from it." if learner.resumes else ""
        elif checkpoint is not None:
            how = "Nothing was written: no round was finished."
        else:
            how = "Nothing was written. Name a --checkpoint FILE to keep the model so far."
        raise KeyboardInterrupt(how) from None


def _written(path: str | None) -> int | None:
    """When a file was last written; None when it does not exist."""
    return None if path is None or not Path(path).exists() else Path(path).stat().st_mtime_ns


def _summary(learner: Ranker, train_data: Dataset, valid_data: Dataset | None) -> dict[str, Any]:
    from rankwright.measures import measure

    judged = measure(learner.measure)
    document: dict[str, Any] = {"ranker": learner.name, "measure": str(judged)}
    for part, data in (("train", train_data), ("valid", valid_data)):
        if data is not None:
            scores = data.from_caller(learner.predict(data))
            document[part] = judged.mean(data.y, scores, data.qptr, doc_ids=data.doc_ids)
    return document | {"best_round": learner.best_round_, "rounds": len(learner.history_)}
