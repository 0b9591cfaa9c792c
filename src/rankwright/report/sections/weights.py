"""Target weights: how much the documents of a source domain look like the target's."""

from __future__ import annotations

from rankwright.adaptation.target_weights import TargetWeights
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, categories, feature_name, numbers, said, short_names, signed
from rankwright.report.page import Page

MOST = 12  # features shown
ROW = 24  # pixels


def add_weights(page: Page, given: Contents) -> None:
    """The distribution of the weights, and the features that tell the domains apart."""
    weights = given.weights
    if weights is not None:
        n = len(weights.values)
        page.section(
            "Target weights",
            f"A separator tells source from target documents with an AUC of {weights.auc.mean():.3f} "
            f"(0.5: not at all, 1: perfectly). {n:,} source documents weigh as much as {weights.effective_size:,.0f} "
            f"equal ones, {weights.effective_share:.0%}.",
        )
        if weights.degenerate is not None:
            page.takeaway(f"These weights are of little use: {weights.degenerate}.")
        page.chart(_distribution(weights))
        page.chart(_features(weights))
    if given.skipped:
        why = "; ".join(f"{way}, because {why}" for way, why in given.skipped.items())
        page.say(f"Not tried: {why.replace('`', '')}.")


def _distribution(weights: TargetWeights) -> Drawing:
    table = weights.histogram(40)
    middle = (table["low"] + table["high"]) / 2
    ends = [f"{low:.3g} to {high:.3g}" for low, high in zip(table["low"], table["high"], strict=True)]
    bars = {
        "type": "bar",
        "x": numbers(middle),
        "y": table["documents"].tolist(),
        "text": ends,
        "textposition": "none",
        "marker": {"color": "$main"},
        "hovertemplate": "%{text}: %{y:,} documents<extra></extra>",
    }
    rows = [[end, f"{count:,}"] for end, count in zip(ends, table["documents"].tolist(), strict=True) if count]
    return Drawing(
        f"Source documents by their {weights.form} of being from the target",
        [bars],
        {"xaxis": {"title": {"text": weights.form}}, "yaxis": {"title": {"text": "documents"}}, "bargap": 0.08},
        Grid("Source documents by weight", ["weight", "documents"], rows),
        height=300,
    )


def _features(weights: TargetWeights) -> Drawing:
    rows = [{**row, "feature": feature_name(str(row["feature"]))} for row in weights.features().rows()]
    top = rows[:MOST]
    labels = short_names([row["feature"] for row in top])
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": numbers(row["coefficient"] for row in top),
        "y": [said(labels[row["feature"]]) for row in top],
        "marker": {"color": "$main"},
        "hovertemplate": "%{y}: %{x:+.3f}<extra></extra>",
    }
    return Drawing(
        "What tells the domains apart: larger in the source on the left, in the target on the right",
        [bars],
        {
            "yaxis": categories(labels.values(), autorange="reversed", showgrid=False, ticklabelstandoff=6),
            "xaxis": {"title": {"text": "coefficient of the standardised feature"}, "zeroline": True},
            "bargap": 0.35,
        },
        Grid("Features", ["feature", "coefficient"], [[r["feature"], signed(r["coefficient"])] for r in rows[:60]]),
        height=90 + ROW * len(top),
    )
