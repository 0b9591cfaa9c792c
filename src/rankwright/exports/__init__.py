"""Models in the formats of other engines: one file per format."""

from rankwright.exports.base import FORMATS, Format
from rankwright.exports.elasticsearch import Elasticsearch, OpenSearch
from rankwright.exports.exporting import Exported, export
from rankwright.exports.lightgbm import LightGBM
from rankwright.exports.onnx import Onnx
from rankwright.exports.ranklib import RankLib
from rankwright.exports.solr import Solr
from rankwright.exports.vespa import Vespa
from rankwright.exports.xgboost import XGBoost

__all__ = [
    "FORMATS",
    "Elasticsearch",
    "Exported",
    "Format",
    "LightGBM",
    "Onnx",
    "OpenSearch",
    "RankLib",
    "Solr",
    "Vespa",
    "XGBoost",
    "export",
]
