"""The papers' experiments on the data there is, with the published numbers beside ours: ``rankwright reproduce``.

To add a paper: a module of its name here with ``run(data, *, quick, tell)`` that yields
:class:`~rankwright.reproduce.section.Section` after section, and a line in `EXPERIMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rankwright.errors import InputError, unknown

if TYPE_CHECKING:
    from rankwright.reproduce.section import Section

__all__ = ["EXPERIMENTS", "Experiment", "experiment"]

Tell = Callable[[str], None]


def quiet(text: str) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Experiment:
    """The experiment of a paper.

    Parameters
    ----------
    name : what it is called, and its module here.
    paper : who wrote it, and when.
    about : what it shows, in a few words.
    needs : the data sets it reads: folders of the folder `data`.
    """

    name: str
    paper: str
    about: str
    needs: tuple[str, ...] = ()

    def run(self, data: str | Path | None = None, *, quick: bool = False, tell: Tell = quiet) -> Iterator[Section]:
        """The experiment's tables and charts, each as soon as it is there.

        Parameters
        ----------
        data : the folder that holds the data sets it `needs`.
        quick : smaller, for a look: fewer rounds, less data.
        tell : is told what is being done.
        """
        folder = None if data is None else Path(data)
        for name in self.needs:
            if folder is None:
                raise InputError(f"{self.name} needs data: {name}. Got no folder. Name the one that holds it: --data.")
            if not (folder / name).is_dir():
                raise InputError(f"{self.name} needs the folder {name} in {folder}. It is not there. Check --data.")
        sections: Iterator[Section] = import_module(f"{__name__}.{self.name}").run(folder, quick=quick, tell=tell)
        return sections


EXPERIMENTS = {
    e.name: e
    for e in (
        Experiment(
            "adarank", "Xu & Li 2007", "AdaRank beside its baselines on OHSUMED: figures 2, 6–11", ("ohsumed-letor2",)
        ),
        Experiment(
            "diffrank", "Wang et al. 2011", "the bound and Kendall's τ fall together: figure 2, table 1", ("mq2008",)
        ),
        Experiment(
            "svmmap",
            "Yue et al. 2007",
            "SVM-map beside base functions and other SVMs: tables 5–11",
            ("cranfield", "cisi", "medline", "nfcorpus"),
        ),
        Experiment(
            "wrb",
            "Cai et al. 2011",
            "weights for another domain in RankBoost: table 1",
            ("cranfield", "cisi", "medline", "nfcorpus"),
        ),
        Experiment("lambdasmart", "Wu et al. 2009", "LambdaMART, exact steps, adaptation: tables 1–4, figures 2–4"),
    )
}


def experiment(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in EXPERIMENTS:
        raise unknown("paper", name, EXPERIMENTS)
    return EXPERIMENTS[name]
