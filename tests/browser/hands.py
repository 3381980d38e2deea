"""What a reader's hands do that Playwright has no word for."""


def finger(page, *path):
    """Drag a finger along these places, (x, y) each, and lift it."""
    touch = page.context.new_cdp_session(page)
    for kind, at in zip(
        ["touchStart", *["touchMove"] * (len(path) - 1), "touchEnd"],
        [*path, None],
        strict=True,
    ):
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
