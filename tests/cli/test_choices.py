"""Measures and rankers as people type them."""

from __future__ import annotations

import pytest

from rankwright.cli.choices import make_ranker, measures_of, ranker_class, ranker_of, split_list
from rankwright.errors import InputError
from rankwright.rankers import SingleFeature


def test_commas_separate_except_within_brackets() -> None:
    asked = ["nDCG@10,AP(rel=2,ties=worst)@5", "RR", "nDCG(gain=[0,1,3]) , P@5,"]
    assert split_list(asked) == ["nDCG@10", "AP(rel=2,ties=worst)@5", "RR", "nDCG(gain=[0,1,3])", "P@5"]


def test_policies_are_given_to_every_measure() -> None:
    assert [str(m) for m in measures_of(["nDCG@10,AP"], ties="worst", empty="skip")] == [
        "nDCG(ties=worst,empty=skip)@10",
        "AP(ties=worst,empty=skip)",
    ]


def test_a_wrong_policy_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="expected, worst, input, docid"):
        measures_of(["AP"], ties="random")


@pytest.mark.parametrize("typed", ["single_feature", "SingleFeature", "single-feature", "SINGLEFEATURE"])
def test_rankers_are_known_by_any_spelling(typed: str) -> None:
    assert ranker_class(typed) is SingleFeature


def test_an_unknown_ranker_names_the_nearest() -> None:
    with pytest.raises(InputError, match=r"Did you mean 'single_feature'"):
        ranker_class("singel_feature")


def test_a_ranker_is_written_with_its_options() -> None:
    ranker = ranker_of("single-feature(feature=3, direction=ascending)", measure="AP")
    assert (ranker.get_params()["feature"], ranker.get_params()["direction"], ranker.measure) == (3, "ascending", "AP")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("single_feature(direktion=best)", "Did you mean 'direction'"),
        ("single_feature(direction=up)", "must be one of ascending, best, descending"),
        ("single_feature(", "written name"),
    ],
)
def test_wrong_options_are_errors(typed: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        ranker_of(typed)


def test_the_seed_goes_only_to_rankers_that_draw() -> None:
    assert "rng" not in make_ranker(SingleFeature, {}, seed=3).get_params()
