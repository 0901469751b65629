"""The links of a text: every form with its places, what is none, anchors, and laws over all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.model.incremental.advancing import advance
from workbench.model.links import (
    anchors_of,
    definitions_of,
    first_title,
    leads_to,
    links_by_step,
    links_of,
    runbook_path,
    slug_of,
)
from workbench.model.snapshot import derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.links import LinkForm, links_in
from workbench.syntax.text import SourceText, Span


def told(text: str) -> list[tuple[str, str, str]]:
    """Form, words and target of each link in *text*."""
    return [(link.form.name, link.words, link.target) for link in links_of(derive(SourceText(text)))]


FORMS: dict[str, list[tuple[str, str, str]]] = {
    "See [the plan](plan.md).": [("INLINE", "the plan", "plan.md")],
    "[a](b.md \"Title\") and [c](d.md 'T')": [("INLINE", "a", "b.md"), ("INLINE", "c", "d.md")],
    "[a](<b c.md>)": [("INLINE", "a", "b c.md")],
    "[a](b%20c.md#d)": [("INLINE", "a", "b%20c.md#d")],
    "[a](b_(c)_d.md)": [("INLINE", "a", "b_(c)_d.md")],
    r"[a \] b](c\).md)": [("INLINE", r"a \] b", "c).md")],
    "[a](\n  b.md\n)": [("INLINE", "a", "b.md")],
    "[a](#below)": [("INLINE", "a", "#below")],
    "[a](https://b.example?to=1&region=x&current=2)": [("INLINE", "a", "https://b.example?to=1&region=x&current=2")],
    "<https://a.example?a=1&copy=2&amp;b=3&notin;&nobody;>": [
        (
            "ADDRESS",
            *["https://a.example?a=1&copy=2&amp;b=3&notin;&nobody;", "https://a.example?a=1&copy=2&b=3∉&nobody;"],
        )
    ],
    "[]( )": [("INLINE", "", "")],
    "![a sign](sign.png)": [("IMAGE", "a sign", "sign.png")],
    "[![a sign](sign.png)](b.md)": [("INLINE", "![a sign](sign.png)", "b.md"), ("IMAGE", "a sign", "sign.png")],
    "[a [b](c.md) d](e.md)": [("INLINE", "b", "c.md")],
    "![a [b](c.md)](d.png)": [("IMAGE", "a [b](c.md)", "d.png")],
    "[a][r]\n\n[r]: b.md": [("REFERENCE", "a", "b.md")],
    "[R  x][] and [r x]\n\n[r X]: <b.md> 'T'": [("REFERENCE", "R  x", "b.md"), ("REFERENCE", "r x", "b.md")],
    "[r]\n\n[r]: first.md\n[r]: second.md": [("REFERENCE", "r", "first.md")],
    "[a][nobody] and [x] and [^1]\n\n[^1]: a foot note": [],
    "<https://a.example/b>": [("ADDRESS", "https://a.example/b", "https://a.example/b")],
    "<mailto:a@b.example>": [("ADDRESS", "mailto:a@b.example", "mailto:a@b.example")],
    "Open https://a.example/b(c), now.": [("BARE", "https://a.example/b(c)", "https://a.example/b(c)")],
    "(https://a.example/b)": [("BARE", "https://a.example/b", "https://a.example/b")],
    "[https://a.example](https://b.example)": [("INLINE", "https://a.example", "https://b.example")],
    "[[Restart it]]": [("WIKI", "Restart it", "Restart it")],
    "[[restart#after|how]]": [("WIKI", "how", "restart#after")],
    "![[sign]]": [("EMBED", "sign", "sign")],
    "See [[1]](b.md)": [("INLINE", "[1]", "b.md")],
    'Press <a class="x" href="b.md">here</a>': [("HTML", "b.md", "b.md")],
    "<img src='a.png'>": [("HTML", "a.png", "a.png")],
    "# The [plan](plan.md)": [("INLINE", "plan", "plan.md")],
    "- Do it\n  - [a](b.md)": [("INLINE", "a", "b.md")],
    # what looks like one and is none
    "`[a](b.md)` and ``[c]`(d.md)``": [],
    "```\n[a](b.md)\n```": [],
    "- Do it\n  ```\n  [a](b.md)\n  ```": [],
    "<!-- [a](b.md) -->": [],
    "- Do it <!-- [a](b.md) -->": [],
    r"\[a](b.md)": [],
    "[a] (b.md)": [],
    "[a](b c.md)": [],
    "if [[ -f x ]]; then": [],
    "a[1](): b": [("INLINE", "1", "")],
    "[a\n\nb](c.md)": [],
    "---\ntitle: '[a](b.md)'\n---\n": [],
    "x<y and y>z": [],
}


@pytest.mark.parametrize("text", FORMS)
def test_each_form_of_link_is_found_and_nothing_else(text: str) -> None:
    assert told(text) == FORMS[text]


def test_spans_are_those_of_the_text() -> None:
    text = "Intro [x](y.md)\n\n- see [the *plan*](<../a b.md#c>)\n"
    link = links_of(derive(SourceText(text)))[1]
    assert (link.span.of(text), link.words_span.of(text), link.target_span.of(text)) == (
        "[the *plan*](<../a b.md#c>)",
        "the *plan*",
        "../a b.md#c",
    )


def test_a_definition_says_where_its_target_stands() -> None:
    text = "- [a][r]\n\n[r]: <b c.md> 'T'\n"
    assert [one.target_span.of(text) for one in definitions_of(derive(SourceText(text)))] == ["b c.md"]


@pytest.mark.parametrize(
    ("text", "path", "anchor"),
    [
        ("[a](b%20c.md#d%2Fe)", "b c.md", "d/e"),
        ("[a](b.md?plain=1#L3)", "b.md", "L3"),
        ("[a](#d)", "", "d"),
        ("[a](https://x.example/b.md#d)", "", "d"),
        ("[a](//x.example/b.md)", "", ""),
        ("[[b: c#d]]", "b: c", "d"),
        ("[a](&amp;b.md)", "&b.md", ""),
    ],
)
def test_a_target_has_a_path_and_an_anchor(text: str, path: str, anchor: str) -> None:
    (link,) = links_in(text)
    assert (link.path, link.anchor) == (path, anchor)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[a](b.md#c)", "b.md"),
        ("[a](../B.MD)", "../B.MD"),
        ("[a](b.pb)", "b.pb"),
        ("[a](b.png)", ""),
        ("![a](b.md)", ""),
        ("[a](https://x.example/b.md)", ""),
        ("[a](<{name}.md>)", ""),
        ("[a](.md)", ""),
        ("[a](values.yaml)", ""),
    ],
)
def test_a_link_to_a_playbook_is_told_by_the_name_of_the_file(text: str, path: str) -> None:
    assert runbook_path(links_in(text)[0]) == path


def test_the_links_of_a_step_are_those_in_its_own_words() -> None:
    document = derive(SourceText("# A\n- one [a](a.md)\n  - two [b](b.md)\n- three\n"))
    found = {
        document.step(step).text: [each.target for each in links] for step, links in links_by_step(document).items()
    }
    assert found == {"one [a](a.md)": ["a.md"], "two [b](b.md)": ["b.md"]}


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Meaning", "meaning"),
        ("Step 1: Knead, rest & bake!", "step-1-knead-rest--bake"),
        ("The `kubectl get` call", "the-kubectl-get-call"),
        ("See [the plan](plan.md)", "see-the-plan"),
        ("**Bold** and _em_ in snake_case", "bold-and-em-in-snake_case"),
        ("Größe — 終わり", "größe--終わり"),
        ("<a id='x'></a>Last ##", "last"),
    ],
)
def test_headings_are_named_as_forges_name_them(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@pytest.mark.parametrize(
    "anchor", ["one", "One", "one-1", "two--three", "two-three", "own", "made", "top", "L12-L14", ""]
)
def test_an_anchor_that_is_there_is_found(anchor: str) -> None:
    text = "# One\n## One\n## Two & three\n## Four {#own}\n<a name='made'></a>\n"
    assert leads_to(anchor, anchors_of(derive(SourceText(text)).blocks))


@pytest.mark.parametrize("anchor", ["one-2", "fence", "nobody"])
def test_an_anchor_that_is_not_there_is_not_found(anchor: str) -> None:
    text = "# One\n## One\n```\n# Fence\n```\n"
    assert not leads_to(anchor, anchors_of(derive(SourceText(text)).blocks))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Restart **it** with [care](c.md)\n", "Restart it with care"),
        ("---\ntitle: Restart\n---\n# Other\n", "Restart"),
        ("---\nname: restart\ndescription: x\n---\nText\n", "restart"),
        ("\nJust text\nand more", "Just text"),
        ("", ""),
    ],
)
def test_a_file_has_a_title(text: str, title: str) -> None:
    assert first_title(derive(SourceText(text))) == title


PIECES = st.sampled_from(
    ["[", "]", "(", ")", "![", "[[", "]]", "<", ">", "`", "``", "\\", "|", "#", "a", "b.md", " ", "\n", "\n\n", "- ",
     "https://x.example", "[r]: ", '"', "'", "<!--", "-->", "[a](b.md)", "[c][r]", "<a href='x'>", "```\n", "# "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@settings(max_examples=examples(60))
@given(TEXTS)
def test_a_link_that_is_typed_is_read_at_every_character(text: str) -> None:
    for end in range(len(text) + 1):
        for link in links_in(text[:end]):
            assert link.span.of(text).startswith(("[", "!", "<", "h"))
            assert link.span.start <= link.target_span.start <= link.target_span.end <= link.span.end


@settings(max_examples=examples(60))
@given(TEXTS, TEXTS)
def test_the_links_of_two_paragraphs_are_those_of_each(first: str, second: str) -> None:
    one, two = "A " + _paragraph(first), "B " + _paragraph(second)
    text = f"{one}\n\n{two}\n"
    apart = [*_of(one, 0), *_of(two, len(one) + 2)]
    assert _of(text, 0) == apart


@settings(max_examples=examples(40))
@given(TEXTS, TEXTS, st.integers(0, 40))
def test_what_an_edit_leaves_alone_keeps_its_links(before: str, typed: str, at: int) -> None:
    first = derive(SourceText(before))
    list(links_of(first))
    place = min(at, len(before))
    after = advance(first, TextChange((TextEdit(Span(place, place), typed),)))
    assert links_of(after) == links_of(derive(SourceText(after.text)))


def _paragraph(text: str) -> str:
    """*text* as one paragraph that nothing reaches out of, and that defines nothing."""
    for mark in ("\n", "<!--", "]:"):
        text = text.replace(mark, " ")
    return text


def _of(text: str, start: int) -> list[tuple[LinkForm, Span]]:
    return [(link.form, link.span.shifted(start)) for link in links_of(derive(SourceText(text)))]
