"""What a format is: a writer, and a reader that scores what was written as the format's engine does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.exports.engine import EngineTree
from rankwright.exports.plain import NoSum, Plain
from rankwright.models import NetworkModel
from rankwright.models.base import Floats

FORMATS: dict[str, Format] = {}


class Engine(Protocol):
    """A written model, scoring as its engine does."""

    @property
    def trees(self) -> tuple[EngineTree, ...]: ...
    @property
    def unit(self) -> float: ...
    @property
    def knows_missing(self) -> bool: ...
    @property
    def tiny(self) -> float: ...
    def scores(self, X: npt.NDArray[Any]) -> Floats: ...


@dataclass(frozen=True)
class Wanted:
    """What the user says beside the model.

    Parameters
    ----------
    name : of the model, where the engine gives it one.
    features : the name of each feature; None where they have none.
    variant : which of the format's variants; "" for the one that fits.
    """

    name: str = "model"
    features: tuple[str, ...] | None = None
    variant: str = ""


class Format(ABC):
    """One format of models. To add one: subclass, say what it is, write `write` and `read`.

    Attributes
    ----------
    name : what users type.
    about : what reads it.
    ending : of its files.
    needs_names : whether it knows features by name only.
    has_constant : whether it can add a constant to every score.
    variants : the variants users can ask for.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    ending: ClassVar[str]
    needs_names: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            FORMATS[cls.name] = cls()

    @abstractmethod
    def write(self, model: Plain | NoSum, wanted: Wanted) -> bytes:
        """The model as a file; an InputError where the format cannot express it."""

    @abstractmethod
    def read(self, data: bytes, wanted: Wanted) -> Engine:
        """What `write` wrote, as the engine reads it."""


def as_sum(model: Plain | NoSum, format: str) -> Plain:
    """The model, where it is a sum."""
    if isinstance(model, NoSum):
        what = "a network" if isinstance(model, NetworkModel) else "a choice among labels"
        raise InputError(f"{format} holds sums of weights and trees. This is {what}. Export it to onnx.")
    return model


def linear_only(model: Plain | NoSum, format: str) -> Plain:
    """The model, where it is linear."""
    found = as_sum(model, format)
    if found.trees:
        raise InputError(
            f"{format} holds linear models. This one has {len(found.trees)} trees. Choose another variant."
        )
    return found


def trees_only(model: Plain | NoSum, format: str, categories: bool = False) -> Plain:
    """The model, where it is a sum of trees; of splits by thresholds, unless `categories` can be expressed too."""
    found = as_sum(model, format)
    if found.used:
        what = "has a linear part too" if found.trees else "is linear"
        raise InputError(f"{format} holds trees alone. This model {what}. Export it to onnx, or a part by itself.")
    if not categories and any(tree.categories for tree in found.trees):
        raise InputError(
            f"{format} has splits by thresholds. This model has splits by categories. Export it to lightgbm or "
            "xgboost, or train it without categories."
        )
    return found


def without_constant(model: Plain, format: str, instead: str) -> Plain:
    """The model, where nothing is added to every score."""
    if model.base != 0:
        raise InputError(
            f"{format} has no constant. This model adds {model.base!r} to every score, which changes no ranking. "
            f"Leave it out with drop_constant, or use {instead}."
        )
    return model
