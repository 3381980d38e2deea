"""What a check says: a sentence first, the evidence below it."""

from dataclasses import dataclass
from html import escape

from attention_book.prose import as_html, card

RIGHT = "is right"  # said of what is accepted
MARKS = {"right": "✓", "wrong": "✗", "empty": "○"}
EDGES = {"right": "good", "wrong": "bad", "empty": "open"}
PLAIN = (
    'style="margin: 0.5rem 0 0; padding: 0; border: 0; background: none; '
    'color: inherit"'
)


@dataclass(frozen=True)
class Verdict:
    """The answer of a check; true only if the code is right.

    Attributes
    ----------
    state : "right", "wrong" or "empty"
        Empty: still the `NotImplementedError` of an exercise nobody has begun.
    says : str
        What is the matter, in a sentence or two.
    diagnosis : str
        Its short name: that of the known bug, or of the kind of trouble; "" if right.
    evidence : str
        Numbers and lines to look at.
    """

    state: str
    says: str
    diagnosis: str = ""
    evidence: str = ""

    def __bool__(self) -> bool:
        return self.state == "right"

    def __repr__(self) -> str:
        return f"{MARKS[self.state]} {self.says}\n\n{self.evidence}".rstrip()

    def _repr_html_(self) -> str:
        says = f"<div>{MARKS[self.state]} {as_html(self.says)}</div>"
        evidence = (
            f"<pre {PLAIN}>{escape(self.evidence)}</pre>" if self.evidence else ""
        )
        return card(EDGES[self.state], f"check check-{self.state}", says + evidence)
