"""What an author of a stock book would write in place of our widgets, for
`compare_stock.py`.

The same words and the same curve, under ipywidgets' own controls.
"""

# What a cell of ours says -> the cell that a stock author would write.
TWINS = {
    "length_collapse()": """\
import matplotlib.pyplot as plt
from IPython.display import HTML, display
from ipywidgets import Dropdown, IntSlider, interact

from attention_book import plots, runs
from attention_book.chapters.bottleneck.widgets import BY_SIZE

plots.use_style()
recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
shown = {size: {len(kept["source"]): kept for kept in run.kept("translations")[::2]} for size, run in recorded.items()}
middles = [sum(map(int, bucket.split("-"))) / 2 for bucket in recorded[128].buckets]

def show(length, size):
    kept = shown[size][length]
    right, said = kept["reference"], kept["prediction"]
    marked = [word if [word] == right[k : k + 1] else f"<u>{word}</u>" for k, word in enumerate(said)]
    for name, words in [("English", kept["source"]), ("right", right), ("the model says", marked)]:
        display(HTML(f"<b>{name}</b> {' '.join(words)}"))
    fig, ax = plt.subplots()
    for each, run in recorded.items():
        ax.plot(middles, run.table("test", "exact_match").mean(axis=0), label=each, alpha=1 if each == size else 0.4)
    ax.axvline(length)
    ax.set(xlabel="words in the sentence", ylabel="share translated without a mistake", ylim=(0, 1))
    ax.legend()
    plt.show()

question = "Here it has gone wrong. Predict: how short must the sentence be? Would more numbers help?"
display(HTML(f"<b>One vector, longer sentences</b><br>{question}"))
interact(show, length=IntSlider(20, min(shown[128]), max(shown[128])), size=Dropdown(options=list(shown), value=128));
""",
}
