"""`rankwright describe`: what is in this data."""

from __future__ import annotations

from rankwright.cli.parameters import Data, Json


def describe(data: Data, json: Json = False) -> None:
    """Say what is in a data set: queries, documents, labels, missing values, constant features.

    \b
    Example:
      rankwright describe train.svm
    """
    from rankwright.cli.console import emit
    from rankwright.cli.inputs import read_data
    from rankwright.data import describe as described

    what = described.describe(read_data(data))
    if json:
        emit({"data": data, **what.to_dict()})
    else:
        print(what)
