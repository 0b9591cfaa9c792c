"""`rankwright describe`: what is in this data."""

from __future__ import annotations

from rankwright.cli.parameters import Data, Json


def describe(data: Data, json: Json = False) -> None:
    """Say what is in a data set: queries, documents, labels, missing values, constant features.

    \b
    Example:
      rankwright describe train.svm
    """
    import rankwright as rw
    from rankwright.cli.console import emit
    from rankwright.cli.inputs import read_data

    what = rw.describe(read_data(data))
    if json:
        emit({"data": data, **what.to_dict()})
    else:
        print(what)
