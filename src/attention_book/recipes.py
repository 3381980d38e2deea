"""Every recorded run's recipe, by its name, gathered from the chapters."""

from attention_book import registry
from attention_book.runs.recipe import Recipe


def recipes() -> dict[str, Recipe]:
    """Gather all recipes by name; this imports every chapter that has some."""
    return registry.unique(
        "recipes",
        (
            (recipe.name, recipe, module.__name__)
            for _, module in registry.modules("recipes")
            for recipe in module.RECIPES
        ),
    )


def recipe_named(name: str) -> Recipe:
    """Look up a recipe by its name."""
    known = recipes()
    if name not in known:
        raise ValueError(
            f"there is no recipe named {name!r}, expected one of {', '.join(known)}"
        )
    return known[name]
