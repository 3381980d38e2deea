"""What a check says: a sentence first, the evidence below it."""

from dataclasses import dataclass
from html import escape

from attention_book.prose import as_html

MARKS = {"right": "✓", "wrong": "✗", "empty": "○"}


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
        evidence = f"<pre>{escape(self.evidence)}</pre>" if self.evidence else ""
        says = f"<p>{MARKS[self.state]} {as_html(self.says)}</p>"
        return f'<div class="check check-{self.state}">{says}{evidence}</div>'
