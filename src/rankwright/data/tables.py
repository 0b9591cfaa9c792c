"""Frames by column name: pandas, polars, Arrow tables, and dicts of arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from rankwright.data.checked import as_weights
from rankwright.data.dataset import Array, Dataset
from rankwright.data.frames import Table, as_table
from rankwright.errors import InputError

STANDARD = {"doc_id": ("doc_id", "docid"), "doc_weight": ("doc_weight",), "query_weight": ("query_weight",)}
AN_INDEX = re.compile(r"|Unnamed: 0|__index_level_\d+__")  # what pandas calls a row index that it wrote as a column


def from_frame(
    frame: Any,
    *,
    label: str | None = "label",
    qid: str | None = "qid",
    group: Any = None,
    doc_id: str | None = None,
    features: Iterable[str] | None = None,
    doc_weight: str | None = None,
    query_weight: str | None = None,
) -> Dataset:
    """Judged documents from a table with one document per row.

    Numbers may be of any width, nullable, decimal or boolean (0 and 1); a null is a missing value, NaN. Text, dates
    and categories are left out when `features` is None, and refused when named there.

    Parameters
    ----------
    frame : a pandas or polars frame, an Arrow table, or a dict of arrays.
    label : the column of labels; None when there are none (data to rank).
    qid : the column of query ids, of any type and in any order; None when all rows are one query.
    group : instead of `qid`, the number of rows of each query, in order.
    doc_id : the column of document ids; by default "doc_id" or "docid", if there is one.
    features : the columns to rank by, in this order; by default all other columns that hold numbers, except a row
        index written by pandas.
    doc_weight : the column of document weights; by default "doc_weight", if there is one.
    query_weight : the column of query weights, the same on all rows of a query; by default "query_weight", if
        there is one.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.from_frame({"qid": ["a", "a", "b"], "label": [1, 0, 2], "bm25": [7.1, None, 3.0]})
    Dataset(2 queries, 3 documents, 1 dense features)
    """
    table = as_table(frame)
    if table is None:
        raise InputError(
            f"frame must be a pandas or polars frame, an Arrow table, or a dict of arrays. Got {type(frame).__name__}. "
            "Pass arrays to Dataset(X, y, qid=...)."
        )
    roles = {
        "label": label,
        "qid": qid if group is None or (qid is not None and qid in table.columns) else None,
        "doc_id": _standard(table, "doc_id", doc_id, features),
        "doc_weight": _standard(table, "doc_weight", doc_weight, features),
        "query_weight": _standard(table, "query_weight", query_weight, features),
    }
    parts = {what: table.column(name, what).values() for what, name in roles.items() if name is not None}
    names = _feature_names(table, roles, features)
    data = Dataset(
        table.features(names),
        parts.get("label"),
        qid=parts.get("qid") if group is None else None,
        group=group,
        doc_ids=parts.get("doc_id"),
        feature_names=names,
        doc_weight=parts.get("doc_weight"),
    )
    return data if "query_weight" not in parts else _with_query_weight(data, parts["query_weight"])


def _standard(table: Table, what: str, named: str | None, features: Iterable[str] | None) -> str | None:
    """The column named for a role, else the one of the role's own name, unless it is asked for as a feature."""
    if named is not None:
        return named
    return next((name for name in STANDARD[what] if name in table.columns and name not in (features or ())), None)


def _feature_names(table: Table, roles: dict[str, str | None], features: Iterable[str] | None) -> list[str]:
    taken = {name: what for what, name in roles.items() if name is not None}
    if features is None:
        names = [name for name in table.numbers if name not in taken and not AN_INDEX.fullmatch(name)]
        if not names:
            kinds = ", ".join(f"{name} ({column.kind})" for name, column in table.columns.items())
            raise InputError(f"there must be a column of numbers to rank by. Got {kinds}. Encode some as numbers.")
        return names
    if isinstance(features, str):
        features = [features]
    names = [str(name) for name in features]
    for name in names:
        table.column(name, "feature")
        if name in taken:
            raise InputError(
                f"a feature must not be the {taken[name]} column too. Got {name!r} as both. Leave it out of features."
            )
    return names


def _with_query_weight(data: Dataset, per_row: Array) -> Dataset:
    weights = np.asarray(per_row, dtype=np.float64)
    rows = weights if data.caller_rows is None else weights[data.caller_rows]
    firsts = rows[data.qptr[:-1]]
    differ = (rows != firsts[data.query_of_row]) & ~np.isnan(rows)
    if differ.any():
        q = data.query_of_row[differ.argmax()]
        raise InputError(
            "the query_weight column must have one value per query. "
            f"Got several for query {data.query_ids.tolist()[q]!r}. Use doc_weight for weights of documents."
        )
    return data.replace(query_weight=as_weights(firsts, data.n_queries, "query_weight"))


# -- and back --------------------------------------------------------------------------------------------------------


def to_columns(data: Dataset) -> dict[str, Array]:
    """Columns of equal length, rows in the caller's order; :func:`from_frame` makes the same Dataset of them."""
    columns: dict[str, Array] = {"qid": data.qid, "label": data.to_caller(data.y)}
    if data.doc_ids is not None:
        columns["doc_id"] = data.to_caller(data.doc_ids)
    if data.doc_weight is not None:
        columns["doc_weight"] = data.to_caller(data.doc_weight)
    if data.query_weight is not None:
        columns["query_weight"] = data.to_caller(data.query_weight[data.query_of_row])
    reserved = {"qid", "label", "doc_weight", "query_weight", *STANDARD["doc_id"]}
    clash = sorted(name for name in data.feature_names if name in reserved or AN_INDEX.fullmatch(name))
    if clash:
        raise InputError(
            f"features must not be called {', '.join(sorted(reserved))} in a table. Got {', '.join(map(repr, clash))}. "
            "Rename them with data.replace(feature_names=...)."
        )
    X = data.to_caller(data.X.toarray() if data.is_sparse else data.X)
    by_column = np.asfortranarray(X)
    return columns | {name: by_column[:, k] for k, name in enumerate(data.feature_names)}


def to_frame(data: Dataset, library: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
    """A frame with the columns qid, label, doc_id and weights (where there are some), then the features.

    Parameters
    ----------
    data : the judged documents; absent entries of sparse features become 0.
    library : whose frame: "pandas", "polars" or "pyarrow".
    """
    columns = to_columns(data)
    if library == "pandas":
        import pandas as pd

        return pd.DataFrame(columns)
    if library == "polars":
        import polars as pl

        return pl.DataFrame({name: _plain(values) for name, values in columns.items()})
    if library == "pyarrow":
        import pyarrow as pa

        return pa.table({name: _plain(values) for name, values in columns.items()})
    raise InputError(f"library must be pandas, polars or pyarrow. Got {library!r}. Name one of them.")


def _plain(values: Array) -> Sequence[Any] | Array:
    """Text and objects as a list, which every library reads alike."""
    if values.dtype.kind not in "OUS":
        return values
    listed: list[Any] = values.tolist()
    kinds = {type(value).__name__ for value in listed}
    if len(kinds) > 1:
        raise InputError(f"ids in a column must be of one type. Got {', '.join(sorted(kinds))}. Make them all text.")
    return listed
