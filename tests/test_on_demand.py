"""Packages whose names are imported when they are first used."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ["rankwright.models", "rankwright.learners", "rankwright.rankers"]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_found(package: str) -> None:
    module = import_module(package)
    assert all(getattr(module, name).__name__ == name for name in module.__all__ if name != "REGISTRY")


@pytest.mark.parametrize("package", PACKAGES)
def test_another_name_is_not(package: str) -> None:
    with pytest.raises(AttributeError, match=f"{package} has no 'Nothing'"):
        import_module(package).Nothing  # noqa: B018


def test_a_file_may_hold_any_model_though_none_is_imported() -> None:
    code = (
        "import sys\n"
        "from rankwright.models.base import model_from_dict\n"
        "assert 'rankwright.models.stumps' not in sys.modules\n"
        "print(type(model_from_dict({'kind': 'stumps', 'steps': [], 'n_features': 2})).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "StumpModel"
