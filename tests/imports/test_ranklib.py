"""RankLib's text, read by hand and beside RankLib itself."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.exports.conftest import jars, java_scores  # noqa: F401
from tests.imports.given import data

import rankwright as rw
from rankwright.models import ForestModel, LinearModel, StumpModel

TREES = """## LambdaMART
## No. of trees = 1

<ensemble>
 <tree id="1" weight="0.5">
  <split>
   <feature> 2 </feature> <threshold> 11.2 </threshold>
   <split pos="left"> <output> -0.5 </output> </split>
   <split pos="right">
    <feature>1</feature><threshold>-1</threshold>
    <split pos="right"><output>3</output></split>
    <split pos="left"><output>2</output></split>
   </split>
  </split>
 </tree>
</ensemble>
"""


def read(text: str) -> Any:
    return rw.read_model(text.encode())


def test_linear_models() -> None:
    model = read("## Coordinate Ascent\n## Restart = 5\n3:0.5 1:-2\n")
    assert isinstance(model, LinearModel)
    assert model.weights.tolist() == [-2.0, 0.0, 0.5]
    assert read("## Linear Regression\n0:1.5 2:0.25\n").scores(np.float32([[7, 2], [7, np.nan]])).tolist() == [2.0, 1.5]
    steps = read("## AdaRank\n1:0.5 2:1 1:0.25")
    assert (steps.weights.tolist(), len(steps.steps)) == ([0.75, 1.0], 3)


def test_stumps() -> None:
    model = read("## RankBoost\n1:0.1:0.5 2:-1:2")
    assert isinstance(model, StumpModel)
    at = np.float32(0.1)  # a little above 0.1
    assert model.scores(np.float32([[at, -1], [np.nextafter(at, np.float32(0)), -0.5], [5, np.nan]])).tolist() == [
        0.5,
        2.0,
        2.5,
    ]
    always = read("## RankBoost\n1:-Infinity:0.5 1:1:1")
    assert always.scores(np.float32([[-3e38], [np.nan], [2]])).tolist() == [0.5, 0.5, 1.5]


def test_trees() -> None:
    model = read(TREES)
    assert isinstance(model, ForestModel)
    at = np.float32(11.2)
    X = np.float32([[0, at], [-1, 12], [-0.9, 12], [np.nan, np.nan], [np.nan, 12]])
    assert model.scores(X).tolist() == [-0.25, 1.0, 1.5, -0.25, 1.5]


def test_bags_are_averaged() -> None:
    second = TREES.partition("<ensemble>")[2].replace("-0.5", "1.5")
    model = read(TREES.replace("LambdaMART", "Random Forests") + "<ensemble>" + second)
    assert model.scores(np.float32([[0, 0]])).tolist() == [(-0.25 + 0.75) / 2]


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("LambdaMART", "RankNet"), 1, "must be one of"),
        (("<feature> 2 </feature>", ""), 14, "a feature, a threshold and two splits"),
        (("<output>3</output>", "<output>nan</output>"), 11, "must be numbers"),
        (("<feature>1</feature>", "<feature>0</feature>"), 10, r"numbered 1\.\.4194304"),
        (("<feature>1</feature>", "<feature>1.5</feature>"), 10, "invalid literal"),
        (('pos="right"', 'pos="left"'), 12, "left and right"),
        (("</tree>", ""), 16, "ends tree"),
        (("</ensemble>", ""), 15, "every element must end"),
        (('weight="0.5"', ""), 5, "there is no 'weight'"),
        (("<output>2", "stray <output>2"), 12, "stands where an element should"),
        (("<ensemble>", '<!DOCTYPE a [<!ENTITY b "c">]><ensemble>'), 4, "stands"),
        (("<tree id", "<tree><tree id"), 5, "there is no 'weight'"),
    ],
)
def test_the_line_that_is_wrong_is_named(change: tuple[str, str], line: int, reason: str) -> None:
    with pytest.raises(rw.FormatError, match=reason) as refused:
        read(TREES.replace(*change))
    assert refused.value.line == line


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("## AdaRank\n", "must have a part"),
        ("## AdaRank\n0:1\n", "numbered from 1"),
        ("## AdaRank\n1:nan", "finite"),
        ("## AdaRank\n1:1:1", "must be complete"),
        ("## AdaRank\n99999999:1", "numbered 1"),
        ("## RankBoost\n1:0.5", "must be complete"),
        ("## RankBoost\n1:nan:1", "must be numbers"),
    ],
)
def test_weights_that_are_none(text: str, reason: str) -> None:
    with pytest.raises(rw.FormatError, match=reason):
        read(text)


RANKERS = {"MART": 0, "RankBoost": 2, "AdaRank": 3, "Coordinate Ascent": 4, "LambdaMART": 6, "Random Forests": 8}
OPTIONS = ["-tree", "5", "-leaf", "6", "-round", "5", "-r", "1", "-i", "3", "-bag", "4", "-rtype", "6"]


@pytest.mark.slow
def test_ranklibs_own_models(jars: Any, java_scores: Any, tmp_path: Path) -> None:  # noqa: F811
    classes = jars("com.o19s:RankyMcRankFace:0.1.1")
    X, y = data(gaps=False)
    X = np.where(X == 0, np.float32(0.25), X)  # RankLib leaves zeros out
    rows = rw.Dataset(X, y, group=[20] * 30)
    rw.write(rows, tmp_path / "train.svm")
    asked = np.concatenate([X, np.nextafter(X, np.float32(9e9)), np.where(X < -0.5, np.float32(np.nan), X)])
    written = []
    for number in [*RANKERS.values(), 9]:
        target = tmp_path / f"{number}.txt"
        command = ["java", "-cp", str(classes[0]), "ciir.umass.edu.eval.Evaluator", "-train", tmp_path / "train.svm"]
        subprocess.run([*command, "-ranker", str(number), *OPTIONS, "-save", target], check=True, capture_output=True)
        written.append(target.read_bytes())
    found = java_scores("ScoreRankLib.java", classes, *((text, asked) for text in written))
    for text, scores in zip(written, found, strict=True):
        ours = rw.read_model(text).scores(asked)
        exact = not text.startswith((b"## AdaRank", b"## Coordinate", b"## Linear", b"## Random"))
        assert (ours == scores).all() if exact else np.allclose(ours, scores, rtol=1e-14, atol=1e-14), text[:30]
