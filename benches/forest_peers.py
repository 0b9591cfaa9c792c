"""Models for bench_forest, trained or compiled once and kept in bench-data, and the engines that score them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

CACHE = Path(__file__).parents[1] / "bench-data"
Score = Callable[[Any], Any]


def web_like(n: int, seed: int = 0) -> tuple[Any, Any]:
    """Documents of 136 features, a third of them of few values, and grades that depend on some."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 136), dtype=np.float32)
    X[:, ::3] = np.ceil(X[:, ::3] * 20)
    y = X[:, 1] + X[:, 4] * X[:, 7] + 0.3 * np.sin(7 * X[:, 10]) + X[:, 13] ** 2 * X[:, 16] + 0.5 * rng.random(n)
    return X, y.astype(np.float64)


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """A file of the cache, made when it is not there."""
    path = CACHE / name
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        make(path)
    return path


def lightgbm_model(n_trees: int, n_leaves: int) -> Path:
    """LightGBM's text of a model on half the features at every tree, so that many are used."""

    def make(path: Path) -> None:
        import lightgbm

        X, y = web_like(20_000)
        options = {"num_leaves": n_leaves, "verbose": -1, "feature_fraction": 0.5, "learning_rate": 0.05}
        lightgbm.train(options, lightgbm.Dataset(X, y), n_trees).save_model(path)

    return kept(f"forest-{n_trees}x{n_leaves}.txt", make)


def xgboost_model() -> Path:
    """XGBoost's of 500 trees of 31 leaves."""

    def make(path: Path) -> None:
        import xgboost

        options = {"max_leaves": 31, "max_depth": 0, "grow_policy": "lossguide", "tree_method": "hist", "eta": 0.05}
        xgboost.train(options, xgboost.DMatrix(*web_like(20_000)), 500).save_model(path)

    return kept("forest-500x31.ubj", make)


def catboost_model(as_good_as: float) -> Path:
    """CatBoost's of as many oblivious trees as reach an error on other documents, of 2,000 at most."""

    def make(path: Path) -> None:
        from catboost import CatBoostRegressor

        X, y = web_like(20_000)
        options = {"iterations": 2000, "depth": 6, "learning_rate": 0.05, "verbose": 0, "allow_writing_files": False}
        model = CatBoostRegressor(**options).fit(X, y)
        others, truth = web_like(5000, seed=1)
        errors = [((p - truth) ** 2).mean() for p in model.staged_predict(others, eval_period=10)]
        enough = [i for i, error in enumerate(errors) if error <= as_good_as] or [int(np.argmin(errors))]
        model.shrink(min(10 * enough[0] + 1, model.tree_count_))
        model.save_model(str(path))

    return kept("forest.cbm", make)


def engines(text: Path, as_good_as: float) -> dict[str, Score]:
    """Every engine that is there, on one thread."""
    makers = (_lightgbm, _xgboost, _catboost, _lleaves, _tl2cgen, _onnx)
    found = {}
    for make in makers:
        try:
            found |= make(text, as_good_as)
        except (
            ImportError,
            AttributeError,
            RuntimeError,
        ) as absent:  # lleaves 1.3 asks llvmlite for what it no longer has
            print(f"without {make.__name__.strip('_')}: {absent}")
    return found


def _lightgbm(text: Path, as_good_as: float) -> dict[str, Score]:
    import lightgbm

    booster = lightgbm.Booster(model_file=text)
    return {"LightGBM predict": lambda X: booster.predict(X, num_threads=1)}


def _xgboost(text: Path, as_good_as: float) -> dict[str, Score]:
    import xgboost

    booster = xgboost.Booster(model_file=xgboost_model())
    booster.set_param({"nthread": 1})
    return {"XGBoost inplace_predict": booster.inplace_predict}


def _catboost(text: Path, as_good_as: float) -> dict[str, Score]:
    from catboost import CatBoostRegressor

    model = CatBoostRegressor().load_model(str(catboost_model(as_good_as)))
    return {f"CatBoost, {model.tree_count_} oblivious trees as accurate": lambda X: model.predict(X, thread_count=1)}


def _lleaves(text: Path, as_good_as: float) -> dict[str, Score]:
    import lleaves

    model = lleaves.Model(model_file=str(text))
    model.compile(cache=str(CACHE / "forest-500x31.lleaves"))
    return {"lleaves": lambda X: model.predict(X, n_jobs=1)}


def _tl2cgen(text: Path, as_good_as: float) -> dict[str, Score]:
    import tl2cgen
    import treelite

    def make(path: Path) -> None:
        model = treelite.frontend.load_lightgbm_model(text)
        tl2cgen.export_lib(model, toolchain="gcc", libpath=path, params={"parallel_comp": 8})

    compiled = tl2cgen.Predictor(kept("forest-500x31.so", make), nthread=1)
    return {"tl2cgen": lambda X: compiled.predict(tl2cgen.DMatrix(X.astype(np.float64)))}


def _onnx(text: Path, as_good_as: float) -> dict[str, Score]:
    import onnxruntime

    import rankwright as rw

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    data = rw.export(rw.read_model(text), "onnx").data
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return {"ONNX Runtime": lambda X: session.run(None, {"features": X})}
