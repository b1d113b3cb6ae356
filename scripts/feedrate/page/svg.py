"""SVG drawings inside an HTML page: no prolog, no ids that collide, a name for screen readers."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

_XLINK = "{http://www.w3.org/1999/xlink}"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


def inline_svg(svg: str, prefix: str, label: str) -> str:
    """The document `svg` as an element for HTML, named `label`, every id starting with `prefix`.

    Its width is in CSS pixels, one for each unit that it was drawn in.
    Raises ValueError if `svg` is not an SVG document.
    """
    root = check_svg(svg)
    _strip_namespaces(root)
    for metadata in root.findall("metadata"):
        root.remove(metadata)
    _make_ids_unique(root, prefix)
    view = root.get("viewBox") or f"0 0 {_length(root, 'width')} {_length(root, 'height')}"
    root.attrib = {
        "viewBox": view,
        "width": view.split()[2],
        "role": "img",
        "aria-label": label,
        "class": f"{prefix}svg",
    }
    for style in root.iter("style"):
        # An inline <style> reaches the whole page: hold it to this drawing.
        style.attrib.clear()
        style.text = re.sub(r"(^|\})\s*([^{}\s])", rf"\1.{prefix}svg \2", style.text or "")
    return ElementTree.tostring(root, encoding="unicode").strip()


def check_svg(svg: str) -> ElementTree.Element:
    """The root element of the document `svg`; ValueError if it is not an SVG document."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise ValueError(f"the drawing is not XML: {error}") from error
    tag = root.tag.rpartition("}")[2]
    if tag != "svg":
        raise ValueError(f"the drawing is not an SVG: its root is <{tag}>")
    return root


def _strip_namespaces(root: ElementTree.Element) -> None:
    """HTML knows the elements of SVG, and `href`, by their plain names."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {
            key.removeprefix(_XLINK): text
            for key, text in element.attrib.items()
            if not key.startswith("{") or key.startswith(_XLINK)
        }


def _make_ids_unique(root: ElementTree.Element, prefix: str) -> None:
    """Ids that something refers to get the prefix; the others go."""
    used = {target for element in root.iter() for target in _targets(element)}
    for element in root.iter():
        name = element.attrib.pop("id", None)
        for key, text in element.attrib.items():
            linked = f"#{prefix}{text[1:]}" if _is_local_link(key, text) else text
            element.set(key, _REFERENCE.sub(rf"url(#{prefix}\1)", linked))
        if name in used:
            element.set("id", f"{prefix}{name}")


def _targets(element: ElementTree.Element) -> Iterator[str]:
    for key, text in element.attrib.items():
        yield from _REFERENCE.findall(text)
        if _is_local_link(key, text):
            yield text[1:]


def _is_local_link(key: str, text: str) -> bool:
    return key == "href" and text.startswith("#")


def _length(root: ElementTree.Element, key: str) -> str:
    return re.sub(r"[^\d.]", "", root.get(key, ""))
