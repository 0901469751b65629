"""What becomes of a PDF after Qt has written it: bookmarks, whole pages, and the day of the file for that of writing.

Qt writes no bookmarks, so they are added behind the end, as the format provides for later changes: what was written
stays; behind it stand the outline, the catalog that names it, and a table of these objects that refers to the table
before. Qt packs all of a page at once, too, for which a window would stand still; so what is on a page is written as
several, and these are joined here: a page may have its content in pieces. Source: ISO 32000-1, 7.5.6, 7.7.3 and 12.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from workbench.regex import regex

_START = regex(rb"startxref\s+(?P<at>\d+)\s+%%EOF\s*\Z")
_ROOT = regex(rb"/Root (\d+) 0 R")
_SIZE = regex(rb"/Size (\d+)")
_PAGES = regex(rb"/Pages (\d+) 0 R")
_KIDS = regex(rb"/Kids\s*\[([^\]]*)\]")
_REFERENCE = regex(rb"(\d+) 0 R")
_COUNT = regex(rb"/Count \d+")
_PART = regex(rb"/(?P<of>Contents|Resources) (?P<object>\d+) 0 R")
_NAMED = regex(rb"/(?P<kind>\w+) <<\s*(?P<entries>[^<>]*?)\s*>>")
_KEPT = regex(rb"/(?:Info \d+ 0 R|ID \[[^\]]*\])")
_ENTRY_BYTES = 20
_MOMENT = regex(rb"\(D:\d{14}|(?<=Date=\")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_NO_DAY = "1970-01-01"


def of_day(pdf: bytes, day: str) -> bytes:
    """*pdf* with the *day* of its file, empty for none, in the place of each moment; they stay as long as they were."""
    known = day or _NO_DAY
    plain, told = f"(D:{known.replace('-', '')}000000".encode(), f"{known}T00:00:00".encode()
    return _MOMENT.sub(lambda found: plain if found[0].startswith(b"(") else told, pdf)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What is called *title*, and begins on the *page*, from 0."""

    title: str
    page: int


def with_bookmarks(pdf: bytes, bookmarks: Sequence[Bookmark], pieces: Sequence[int] = ()) -> bytes:
    """*pdf* with *bookmarks*, shown when it is opened; as it is where it is not written as Qt writes it.

    *pieces*: how many pages of *pdf* each page takes, in order; none where each is one.
    """
    start = _START.search(pdf)
    table = pdf.find(b"xref\n0 ", int(start["at"])) if start is not None else -1
    if start is None or table != int(start["at"]) or not bookmarks:
        return pdf
    trailer = pdf[pdf.rindex(b"trailer") :]
    root, size = _ROOT.search(trailer), _SIZE.search(trailer)
    catalog = _body(pdf, table, root[1]) if root is not None else b""
    pages = _PAGES.search(catalog)
    tree = _body(pdf, table, pages[1]) if pages is not None else b""
    kids = _KIDS.search(tree)
    if root is None or size is None or pages is None or kids is None or b"/Outlines" in catalog:
        return pdf
    shown, first = [each[1] for each in _REFERENCE.finditer(kids[1])], int(size[1])
    objects: dict[int, bytes] = {}
    if sum(pieces) == len(shown) > len(pieces):
        starts = list(accumulate(pieces, initial=0))
        found = [shown[start : start + count] for start, count in zip(starts, pieces, strict=False)]
        shown = [each[0] for each in found]
        objects = dict(_joined(pdf, table, found, first)) | {int(pages[1]): _tree_of(tree, shown)}
        first += 2
    objects |= dict(_objects(bookmarks, shown, first))
    named = b"/Outlines %d 0 R\n/PageMode /UseOutlines\n" % first
    end = catalog.rindex(b">>")
    objects[int(root[1])] = catalog[:end] + named + catalog[end:]
    return pdf + _appended(objects, len(pdf), (int(start["at"]), trailer))


def _tree_of(tree: bytes, pages: Sequence[bytes]) -> bytes:
    """The *tree* of all pages with these ones alone."""
    told = b"/Kids\n[\n%s\n]" % b"\n".join([b"%s 0 R" % each for each in pages])
    return _COUNT.sub(b"/Count %d" % len(pages), _KIDS.sub(told, tree))


def _joined(pdf: bytes, table: int, pages: Sequence[Sequence[bytes]], first: int) -> Iterator[tuple[int, bytes]]:
    """Each of *pages* that is written as several, as the first of these with the content of all.

    What each leaves behind is taken back by ``q`` and ``Q``, which are the objects *first* and the next one.
    """
    for number, letter in ((first, b"q"), (first + 1, b"Q")):
        yield number, b"<<\n/Length 1\n>>\nstream\n%s\nendstream" % letter
    for page in pages:
        parts = [dict(_PART.findall(_body(pdf, table, each))) for each in page]
        if len(page) > 1 and all(b"Contents" in each and b"Resources" in each for each in parts):
            around = [b"%d 0 R %s 0 R %d 0 R" % (first, each[b"Contents"], first + 1) for each in parts]
            named = _all_named(_body(pdf, table, each[b"Resources"]) for each in parts)
            contents, whole = b"/Contents [%s]" % b"\n".join(around), _body(pdf, table, page[0])
            for told in (contents, b"/Resources " + named):
                old = next(each for each in _PART.finditer(whole) if told.startswith(b"/" + each["of"]))
                whole = whole[: old.start()] + told + whole[old.end() :]
            yield int(page[0]), whole


def _all_named(resources: Iterable[bytes]) -> bytes:
    """What any of *resources* has a name for; Qt gives one name to one thing."""
    kinds: dict[bytes, dict[bytes, None]] = {}
    for each in resources:
        for found in _NAMED.finditer(each):
            kinds.setdefault(found["kind"], {}).update(dict.fromkeys(found["entries"].splitlines()))
    told = [b"/%s <<\n%s\n>>" % (kind, b"\n".join(filter(None, names))) for kind, names in kinds.items()]
    return b"<<\n%s\n>>" % b"\n".join(told)


def _body(pdf: bytes, table: int, number: bytes) -> bytes:
    """What the object *number* holds, found by the *table* of all of them."""
    first = pdf.index(b"\n", table + len(b"xref\n")) + 1
    at = int(pdf[first + int(number) * _ENTRY_BYTES :][:10])
    begin = pdf.index(b"obj", at) + len(b"obj")
    return pdf[begin : pdf.index(b"endobj", begin)].strip()


def _objects(bookmarks: Sequence[Bookmark], pages: Sequence[bytes], first: int) -> Iterator[tuple[int, bytes]]:
    """The outline, as the object *first*, and behind it each of its entries."""
    count = len(bookmarks)
    yield first, b"<<\n/Type /Outlines\n/First %d 0 R\n/Last %d 0 R\n/Count %d\n>>" % (first + 1, first + count, count)
    for at, each in enumerate(bookmarks, first + 1):
        beside = (b"/Prev %d 0 R\n" % (at - 1) if at > first + 1 else b"") + (
            b"/Next %d 0 R\n" % (at + 1) if at < first + count else b""
        )
        title = b"\xfe\xff" + each.title.encode("utf-16-be", "replace")
        place = pages[min(each.page, len(pages) - 1)]
        told = title.hex().upper().encode(), first, beside, place
        yield at, b"<<\n/Title <%s>\n/Parent %d 0 R\n%s/Dest [%s 0 R /Fit]\n>>" % told


def _appended(objects: dict[int, bytes], at: int, before: tuple[int, bytes]) -> bytes:
    """*objects* as they stand from the byte *at* on, with their table. *before*: the table before, and its trailer."""
    written, places = b"\n", dict[int, int]()
    for number, body in sorted(objects.items()):
        places[number] = at + len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    rows = b"0 1\n0000000000 65535 f \n" + b"".join(b"%d 1\n%010d 00000 n \n" % each for each in places.items())
    kept = b"\n".join(match[0] for match in _KEPT.finditer(before[1]))
    root = _ROOT.search(before[1])
    assert root is not None, "it was found before"
    told = max(objects) + 1, root[1], kept, before[0], at + len(written)
    trailer = b"trailer\n<<\n/Size %d\n/Root %s 0 R\n%s\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n" % told
    return written + b"xref\n" + rows + trailer
