"""Colours: told apart by everyone, seen on their paper."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from rankwright.report.theme import THEMES, style

# Machado, Oliveira & Fernandes 2009: what linear RGB looks like with each kind of colour blindness, severity 1
SEEN_WITH = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# Ottosson 2020: linear sRGB to Oklab, in which distances are as they are seen
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
APART = 0.09  # Okabe and Ito's six colours are .076 apart by this measure


def linear(colour: str):
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """WCAG 2."""
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("eye", SEEN_WITH)
def test_the_colours_of_lines_are_apart(mode: str, eye: str) -> None:
    theme = THEMES[mode]
    seen = [np.clip(np.array(SEEN_WITH[eye]) @ linear(c), 0, 1) for c in (theme.main, *theme.others)]
    lab = [TO_LAB @ np.cbrt(TO_LMS @ colour) for colour in seen]
    assert min(np.linalg.norm(a - b) for a, b in combinations(lab, 2)) >= APART


@pytest.mark.parametrize("mode", THEMES)
def test_everything_is_seen_on_its_paper(mode: str) -> None:
    theme = THEMES[mode]
    for paper in (theme.paper, theme.panel):
        assert contrast(theme.ink, paper) >= 7
        assert contrast(theme.faint, paper) >= 4.5
        assert contrast(theme.good, paper) >= 3.9
    assert min(contrast(colour, theme.paper) for colour in (theme.main, *theme.others)) >= 3


def test_forty_things_look_different() -> None:
    assert len({style(i) for i in range(40)}) == 40
