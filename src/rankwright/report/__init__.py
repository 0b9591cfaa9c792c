"""Charts and reports: described once, drawn on the terminal, as a picture, or as a page that needs no network."""

from rankwright.report.charts import Reference, StepChart
from rankwright.report.combination import combination_chart

__all__ = ["Reference", "StepChart", "combination_chart"]
