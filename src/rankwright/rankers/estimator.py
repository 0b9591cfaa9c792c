"""scikit-learn's estimator protocol, without importing scikit-learn until it is used.

Importing ``sklearn.base`` takes a second (it pulls in pandas and scipy.stats), many times what training takes on a
LETOR collection, so rankers speak the protocol themselves: parameters, tags and metadata routing.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, ClassVar, Self

from rankwright.errors import InputError, unknown
from rankwright.options import options_of


class Estimator:
    """Parameters that `clone`, `GridSearchCV` and `Pipeline` can read and set, and metadata that travels with X."""

    _routed: ClassVar[dict[str, dict[str, bool | None]]] = {}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name; with `deep`, those of nested estimators too, as ``outer__inner``."""
        out: dict[str, Any] = {}
        for name in options_of(type(self)):
            value = out[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                out.update({f"{name}__{inner}": v for inner, v in value.get_params().items()})
        return out

    def set_params(self, **params: Any) -> Self:
        """Sets options, those of nested estimators as ``outer__inner``; unknown ones are errors."""
        nested: dict[str, dict[str, Any]] = {}
        known = options_of(type(self))
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise unknown(f"an option of {type(self).__name__}", outer, known)
            if inner:
                nested.setdefault(outer, {})[inner] = value
            else:
                setattr(self, name, value)
        for outer, inner_params in nested.items():
            held = getattr(self, outer)
            if not hasattr(held, "set_params"):
                raise InputError(
                    f"{outer}__{next(iter(inner_params))} needs an estimator to set it on. Got {outer}={held!r:.60}. "
                    f"Pass an instance as {outer}."
                )
            held.set_params(**inner_params)
        return self

    def __repr__(self) -> str:
        options = options_of(type(self)).values()
        changed = {o.name: getattr(self, o.name) for o in options if _differs(getattr(self, o.name), o.default)}
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in changed.items())})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from sklearn.utils import estimator_html_repr

        return {"text/plain": repr(self), "text/html": estimator_html_repr(self)}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(sparse=True, allow_nan=True),
        )

    def get_metadata_routing(self) -> Any:
        """Which metadata this ranker asks for, as scikit-learn's `MetadataRequest`."""
        if hasattr(self, "_metadata_request"):
            return deepcopy(self._metadata_request)
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for method, params in self._routed.items():
            for param, alias in params.items():
                getattr(request, method).add_request(param=param, alias=alias)
        return request

    def set_fit_request(self, **requests: bool | str | None) -> Self:
        """Which metadata `fit` asks for in scikit-learn's routing."""
        return self._request("fit", requests)

    def set_score_request(self, **requests: bool | str | None) -> Self:
        """Which metadata `score` asks for in scikit-learn's routing."""
        return self._request("score", requests)

    def _request(self, method: str, requests: dict[str, bool | str | None]) -> Self:
        routing = self.get_metadata_routing()
        for param, alias in requests.items():
            if param not in self._routed[method]:
                raise unknown(f"metadata of {method}", param, self._routed[method])
            getattr(routing, method).add_request(param=param, alias=alias)
        self._metadata_request = routing
        return self


def _differs(value: Any, default: Any) -> bool:
    try:
        return bool(value != default)
    except ValueError:
        return True
