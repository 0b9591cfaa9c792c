"""Other tools' conventions by name, so that their numbers come out to the last digit."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from rankwright.errors import InputError, unknown
from rankwright.measures.base import Measure
from rankwright.measures.parse import MeasureLike, measure

Options = dict[str, Any]


@dataclass(frozen=True)
class Preset:
    """What a tool does where the tools differ.

    Parameters
    ----------
    tool : what reports these numbers.
    shared : options of every measure.
    measures : the measures the tool has, and the options of each.
    """

    tool: str
    shared: Options
    measures: dict[str, Options]


_LETOR: Options = {"discount": "letor"}

PRESETS: dict[str, Preset] = {
    "trec": Preset(
        "trec_eval, pytrec_eval, ir_measures",
        {"ties": "docid", "scores": "single"},
        {"nDCG": {"gain": "identity"}, "AP": {}, "P": {}, "Recall": {}, "RR": {}},
    ),
    "letor3": Preset(
        "LETOR 3.0's evaluation script",
        {"ties": "input"},
        {"nDCG": {**_LETOR, "short": "zero"}, "MeanNDCG": _LETOR, "AP": {}, "P": {"short": "zero"}},
    ),
    "letor4": Preset(
        "LETOR 4.0's evaluation script",
        {"ties": "input"},
        {"nDCG": {**_LETOR, "short": "zero"}, "MeanNDCG": _LETOR, "AP": {}, "P": {}},
    ),
    "lightgbm": Preset("LightGBM's metrics", {"ties": "input", "empty": "one"}, {"nDCG": {}, "AP": {"norm": "cut"}}),
    "xgboost": Preset(
        "XGBoost's metrics; `ndcg@k-` and `map@k-` too",
        {"ties": "input"},
        {"nDCG": {"empty": "one"}, "AP": {"empty": "one", "norm": "cut"}, "P": {"short": "cut"}},
    ),
    "ranklib": Preset(
        "RankLib's scorers",
        {"ties": "input"},
        {"nDCG": {}, "DCG": {}, "AP": {}, "P": {"short": "cut"}, "RR": {}, "ERR": {"max_label": 4.0}},
    ),
    "sklearn": Preset(
        "scikit-learn's ndcg_score, dcg_score, and roc_auc_score of each query",
        {},
        {"nDCG": {"gain": "identity"}, "DCG": {"gain": "identity"}, "AUC": {"empty": "skip"}},
    ),
    "catboost": Preset(
        "CatBoost's NDCG, DCG, MAP, PrecisionAt, RecallAt, MRR",
        {"ties": "worst"},
        {
            "nDCG": {"gain": "identity", "empty": "one"},
            "DCG": {"gain": "identity"},
            "AP": {"norm": "cut"},
            "P": {"short": "cut"},
            "Recall": {"empty": "one"},
            "RR": {},
        },
    ),
}


def preset(name: str, spec: MeasureLike) -> Measure:
    """The measure under a tool's conventions.

    Options of `spec` that are not at their defaults are kept: ``preset("xgboost", "nDCG(gain=identity)@5")`` is
    XGBoost's with ``ndcg_exp_gain=false``.

    Parameters
    ----------
    name : ``trec``, ``letor3``, ``letor4``, ``lightgbm``, ``xgboost``, ``ranklib``, ``sklearn`` or ``catboost``.
    spec : the measure. XGBoost's own spelling with a minus, ``ndcg@10-``, gives empty queries 0.

    Examples
    --------
    >>> from rankwright.measures import preset
    >>> print(preset("lightgbm", "nDCG@10"), preset("xgboost", "ndcg@10-"))
    nDCG(ties=input,empty=one)@10 nDCG(ties=input)@10
    """
    if name not in PRESETS:
        raise unknown("preset", name, PRESETS)
    minus = name == "xgboost" and isinstance(spec, str) and spec.rstrip().endswith("-")
    m = measure(spec.rstrip()[:-1] if minus and isinstance(spec, str) else spec)
    tool = PRESETS[name]
    if m.name not in tool.measures:
        raise InputError(
            f"preset {name!r} must be given a measure that its tool has: {', '.join(tool.measures)}. Got {m.name}. "
            "Leave out the preset, or ask for one of these."
        )
    wanted = {**tool.shared, **tool.measures[m.name], **({"empty": "zero"} if minus else {})}
    return replace(m, **{f.name: wanted[f.name] for f in fields(m) if _is_free(m, f, wanted)})


def _is_free(m: Measure, f: Any, wanted: Options) -> bool:
    return f.name in wanted and getattr(m, f.name) == f.default
