"""A run as a badge: the JSON that an endpoint of shields hands out."""

import json

from buckspec_tools.run_report import facts
from buckspec_tools.run_report.view import View


def render(view: View) -> str:
    """The badge, as JSON."""
    footer = view.run.footer
    holds, all_of = facts.covered(view)
    if footer is None or footer.stopped or footer.exit not in (0, 1):
        message, color = "not tested", "lightgrey"
    elif footer.exit == 0:
        message, color = f"conforms, {holds} of {all_of} clauses", "brightgreen"
    else:
        message, color = f"{holds} of {all_of} clauses", "critical"
    return json.dumps({"schemaVersion": 1, "label": "buck euchre", "message": message, "color": color})
