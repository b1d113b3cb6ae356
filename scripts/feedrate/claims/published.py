"""The articles' own tables, to show beside measured ones."""

from pathlib import Path

from feedrate.claims.model import Article, ArticleName, PublishedTable, read_file


def published_tables(path: Path) -> list[PublishedTable]:
    """The tables in the YAML file `path`, in its order; ClaimsError lists every mistake."""
    return read_file(path).tables


def articles(path: Path) -> dict[ArticleName, Article]:
    """The articles by name, with title and machine; ClaimsError lists every mistake."""
    return read_file(path).articles
