"""The sections of a report in their order; each is a function that adds what it knows to a page, or nothing."""

from rankwright.report.sections.combining import add_combining
from rankwright.report.sections.exhibits import add_exhibits
from rankwright.report.sections.groups import add_groups
from rankwright.report.sections.importances import add_importances
from rankwright.report.sections.leaderboard import add_leaderboard
from rankwright.report.sections.learning import add_learning
from rankwright.report.sections.queries import add_queries
from rankwright.report.sections.significance import add_significance
from rankwright.report.sections.summary import add_summary
from rankwright.report.sections.weights import add_weights

SECTIONS = (
    add_summary,
    add_leaderboard,
    add_significance,
    add_queries,
    add_groups,
    add_learning,
    add_combining,
    add_importances,
    add_weights,
    add_exhibits,
)
