"""Features made of features: scikit-learn transformers that stand before a ranker."""

from rankwright.transforms.base import Transformer
from rankwright.transforms.query_scaler import QueryScaler
from rankwright.transforms.threshold_features import ThresholdFeatures

__all__ = ["QueryScaler", "ThresholdFeatures", "Transformer"]
