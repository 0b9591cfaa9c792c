"""An export is proved or refused, and a refusal writes nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.exports.given import NAMES, N, documents, forest
from tests.models.forests import tree

import rankwright as rw
from rankwright.errors import InputError
from rankwright.exports import FORMATS
from rankwright.exports.base import Wanted
from rankwright.exports.engine import EngineModel
from rankwright.learners import Stump
from rankwright.models import BlendModel, ForestModel, LinearModel, PositionModel, StumpModel

TREE_FORMATS = [name for name in FORMATS if name != "onnx"]


def one_split(threshold: float, missing_left: bool = True, **more: Any) -> ForestModel:
    return ForestModel((tree([0], [threshold], [~0], [~1], [-1.0, 1.0], [missing_left], **more),), 1)


@pytest.mark.parametrize("to", TREE_FORMATS)
def test_trees_are_proved_at_every_threshold(to: str) -> None:
    model = forest(1, base=0.5)
    proof = rw.export(model, to, features=NAMES).proof
    n_splits = sum(t.n_splits for t in model.trees)
    assert proof.probes >= 3 * n_splits
    assert proof.rows > 256
    assert proof.difference <= proof.allowed


@pytest.mark.parametrize("to", TREE_FORMATS)
@pytest.mark.parametrize("threshold", [0.0, -0.0, 0.1, -3.7, 1e-6, 17.3, 1e30, 3.4e38, 5e-5])
def test_a_threshold_itself_goes_left_and_the_next_number_right(to: str, threshold: float) -> None:
    made = rw.export(one_split(threshold), to, features=["x"])
    engine = FORMATS[to].read(made.data, Wanted(features=("x",)))
    t = np.float32(threshold)
    above = np.float32(1e-34) if t == 0 else np.nextafter(t, np.float32(np.inf))
    below = np.float32(-1e-34) if t == 0 else np.nextafter(t, np.float32(-np.inf))
    X = np.array([[below], [t], [above]], dtype=np.float32)
    assert engine.scores(X).tolist() == [-1.0, -1.0, 1.0]


@pytest.mark.parametrize("fault", ["strict", "threshold", "sides", "value", "missing", "order"])
def test_one_wrong_split_among_many_is_found(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model, format = forest(1), FORMATS["lightgbm"]
    read = type(format).read

    def faulty(self: Any, data: bytes, wanted: Any) -> EngineModel:
        engine = read(self, data, wanted)
        trees = list(engine.trees)
        if fault == "order":
            return dataclasses.replace(engine, trees=tuple(trees[::-1]))
        trees[3] = _with_fault(trees[3], fault)
        return dataclasses.replace(engine, trees=tuple(trees))

    monkeypatch.setattr(type(format), "read", faulty)
    with pytest.raises(InputError, match="must score as the model does"):
        rw.export(model, "lightgbm", tmp_path / "m.txt")
    assert list(tmp_path.iterdir()) == []


def _with_fault(t: Any, fault: str) -> Any:
    changed = {name: getattr(t, name).copy() for name in ("threshold", "left", "right", "value", "missing_left")}
    s = 7
    if fault == "strict":
        return dataclasses.replace(t, strict=True)
    if fault == "threshold":
        changed["threshold"][s] = np.nextafter(np.float32(changed["threshold"][s]), np.float32(np.inf))
    elif fault == "sides":
        changed["left"][s], changed["right"][s] = changed["right"][s], changed["left"][s]
    elif fault == "value":
        changed["value"] *= 1 + 1e-15
    else:
        changed["missing_left"][s] = ~changed["missing_left"][s]
    return dataclasses.replace(t, **changed)


def test_solr_cannot_have_a_threshold_that_is_no_sum_with_its_slack() -> None:
    with pytest.raises(InputError, match=r"solr must score as the model does\. Tree 1 would .* x = 9\.99\d*e-21"):
        rw.export(one_split(1e-20), "solr", features=["x"])
    made = rw.export(one_split(1e-20), "solr", features=["x"], rows=[[-0.5], [0.5]])  # no document is like that
    assert (made.proof.rows, made.proof.probes) == (2, 0)


@pytest.mark.parametrize("to", ["ranklib", "elasticsearch", "solr"])
def test_engines_without_missing_values(to: str) -> None:
    model = one_split(0.5, missing_left=False)  # 0 goes left, a missing value goes right
    made = rw.export(model, to, features=["x"])
    assert made.notes == (f"{to} takes a missing value for 0, the model does not: fill it in before.",)
    assert rw.export(one_split(0.5), to, features=["x"]).notes == ()
    with pytest.raises(InputError, match=rf"row 1 .* It has missing values, which {to} takes for 0"):
        rw.export(model, to, features=["x"], rows=[[1.0], [np.nan]])


@pytest.mark.parametrize("to", ["elasticsearch", "solr"])
def test_a_constant_where_there_is_none(to: str) -> None:
    model = LinearModel([0.5], 2.5)
    with pytest.raises(InputError, match=r"has no constant. This model adds 2.5 to every score.*drop_constant"):
        rw.export(model, to, features=["x"])
    made = rw.export(model, to, features=["x"], drop_constant=True)
    assert "The constant 2.5 was left out of every score." in made.notes
    assert FORMATS[to].read(made.data, Wanted(features=("x",))).scores(np.float32([[3.0]])).tolist() == [0.5 * 3]


@pytest.mark.parametrize("to", FORMATS)
def test_a_blend_is_multiplied_out(to: str) -> None:
    linear = LinearModel([1.0, 0.0, 2.0])
    stumps = StumpModel(((0.5, Stump(2, 1.0)), (1.5, Stump(0, 2.0))), 3)
    of_linear = BlendModel(((2.0, linear), (-1.0, LinearModel([0.0, 3.0, 1.0]))))
    of_trees = BlendModel(((2.0, stumps), (-0.5, stumps)))
    X = np.float32([[1, 2, 3], [4, -5, 0.5]])
    wanted = Wanted(features=("a", "b", "c"))
    for model in (of_linear, of_trees, BlendModel(((2.0, of_linear), (-1.0, of_trees)))):
        try:
            data = rw.export(model, to, features=["a", "b", "c"]).data
        except InputError as refused:
            assert "trees alone" in str(refused)  # noqa: PT017
            continue
        assert FORMATS[to].read(data, wanted).scores(X).tolist() == pytest.approx(model.scores(X).tolist(), rel=1e-6)


@pytest.mark.parametrize("to", FORMATS)
def test_what_depends_on_the_list_is_refused(to: str) -> None:
    with pytest.raises(InputError, match="depends on the document's position among the others"):
        rw.export(PositionModel(((0, 1.0),), 1), to, features=["x"])


@pytest.mark.parametrize("to", ["ranklib", "elasticsearch", "solr", "vespa", "onnx"])
def test_splits_by_categories_are_refused_where_there_are_none(to: str) -> None:
    with pytest.raises(InputError, match="splits by categories"):
        rw.export(one_split(0.0, categories={0: (1, 4)}), to, features=["x"])


def test_lightgbm_cannot_send_a_missing_category_left() -> None:
    with pytest.raises(InputError, match="lightgbm must score as the model does"):
        rw.export(one_split(0.0, missing_left=True, categories={0: (1, 4)}), "lightgbm")


def test_deep_trees_are_for_formats_without_nesting() -> None:
    n = 600
    chain = tree(
        [0] * n, list(range(n, 0, -1)), [*range(1, n), ~n], [~s for s in range(n)], [float(s) for s in range(n + 1)]
    )
    model = ForestModel((chain,), 1)
    assert rw.export(model, "lightgbm").proof.difference == 0
    with pytest.raises(InputError, match=r"at most 400 splits deep.*Got 599"):
        rw.export(model, "solr", features=["x"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "ranklab"}, "Did you mean 'ranklib'"),
        ({"to": "ranklib", "variant": "lambda"}, "variant of ranklib must be one of"),
        ({"to": "elasticsearch"}, "elasticsearch knows features by name"),
        ({"to": "elasticsearch", "features": ["a", "a"]}, "2 different names. Got 2, 1 of them different"),
        ({"to": "lightgbm", "features": ["a b", "c"]}, "have no spaces"),
        ({"to": "vespa", "features": ["a b", "c"]}, "rank features"),
        ({"to": "ranklib", "name": "my model"}, "one word"),
        ({"to": "ranklib", "rows": [[1.0]]}, r"documents × 2 features. Got shape \(1, 1\)"),
        ({"to": "ranklib", "variant": "AdaRank"}, "has no constant|holds weights"),
    ],
)
def test_what_is_asked_wrongly(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    model = ForestModel((tree([1], [0.5], [~0], [~1], [-1.0, 1.0]),), 2, base=1.0)
    with pytest.raises(InputError, match=message):
        rw.export(model, path=tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []


def test_an_unfitted_ranker_is_refused() -> None:
    with pytest.raises(InputError, match="fitted ranker or a model"):
        rw.export(rw.AdaRank(), "ranklib")


def test_rankers_know_their_features_names(tmp_path: Path) -> None:
    data = rw.from_frame({"qid": [1, 1, 1, 2, 2, 2], "label": [1, 0, 2, 0, 1, 0], "bm25": [3, 1, 4, 0, 2, 1.5],
                          "clicks": [1, 0, 0, 2, 1, 0]})  # fmt: skip
    ranker = rw.CoordinateAscent(measure="AP").fit(data)
    made = rw.export(ranker, "solr", tmp_path / "m.json", name="m")
    assert (tmp_path / "m.json").read_bytes() == made.data
    assert '"bm25"' in made.data.decode()


@pytest.mark.filterwarnings("ignore:The labels are graded")
def test_every_ranker_of_the_library_can_be_exported_or_says_why() -> None:
    from rankwright.rankers import REGISTRY

    data = rw.artificial(n_queries=12, docs_per_query=8, n_features=4, rng=0)
    names = ["a", "b", "c", "d"]
    for ranker in (cls.examples()[0] for cls in REGISTRY.values() if cls.__module__.startswith("rankwright.")):
        fitted = ranker.fit(data)
        done = []
        for to in FORMATS:
            try:
                rw.export(fitted, to, features=names, drop_constant=True)
                done.append(to)
            except InputError as refused:
                assert len(str(refused).split(". ")) >= 2  # noqa: PT017
        assert "onnx" in done or ranker.name == "diffrank", ranker.name


def test_rows_may_be_a_dataset() -> None:
    data = rw.artificial(n_queries=12, docs_per_query=8, n_features=4, rng=0)
    made = rw.export(rw.AdaRank(n_rounds=3).fit(data), "ranklib", rows=data)
    assert made.proof.rows == 96
    assert "96 rows, exactly" in str(made)


def test_documents_of_tests_meet_missing_values() -> None:
    assert np.isnan(documents()).any()
    assert documents().shape[1] == N
