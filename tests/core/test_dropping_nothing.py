"""Nothing that a step says is dropped: every part of it is carried out, or the whole is judged with all that it sets.

Sentences are put together from parts of which it is known what they set and where they lead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_several import shown
from workbench.model.meaning import Ask, Assign, Branch, Call, End, Judge, Jump, Meaning, Return, Several, Tell
from workbench.model.sentences.classify import classify, code_in


@dataclass(frozen=True)
class Part:
    """Words that say one thing: what they set, and where they lead, as ``shown`` says it. *is_plain*: not judged."""

    words: str
    sets: frozenset[str] = frozenset()
    leads: str = ""
    is_plain: bool = True


def _parts(text: str, *, is_plain: bool = True) -> list[Part]:
    found = []
    for line in text.strip().splitlines():
        words, _bar, rest = (each.strip() for each in line.partition("|"))
        sets = frozenset(re.findall(r"\$(\w+)", rest)) if rest.startswith("$") else frozenset[str]()
        found.append(Part(words, sets, "" if sets else rest, is_plain))
    return found


PLAIN = _parts(
    """
    greet the user
    tell them no
    thank the customer
    tell the user "you, and all, end the program"
    say goodbye
    say "Hi {$who}"
    show $total to the user
    ask for their $name | $name
    ask the user what they want
    ask the user for $city and $street | $city $street
    ask them for their email address | $email_address
    set $x to 5 | $x
    $y = $x + 1 | $y
    increment $n | $n
    append 3 to $xs | $xs
    F($x)
    $r = Check($order, deep=true) | $r
    wait 5 minutes
    """
)
LEAVING = _parts(
    """
    return | return
    return $x | return $x
    end the program | end
    stop the program | end
    break out of the loop | break
    leave the loop | break
    continue with the next one | continue
    go to step 2 | go to 2
    """
)
PROSE = _parts(
    """
    check the $order
    look the number up in $book
    process their refund
    think about $topic
    extract $date from the letter | $date
    save $report to disk
    compute $tax based on $income | $tax
    choose a $card from $deck | $card
    apologise
    announce the winner
    """,
    is_plain=False,
)
JOINTS = st.sampled_from([" and ", ", ", ", and ", ", then ", " then ", " and then ", "; ", ". ", ", and finally "])


@st.composite
def sentences(draw: st.DrawFn) -> tuple[str, list[Part]]:
    """A sentence of some parts, no two of which set the same."""
    parts = draw(st.lists(st.sampled_from(PLAIN + PROSE), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        parts.append(draw(st.sampled_from(LEAVING)))
    text = parts[0].words
    for part in parts[1:]:
        text += draw(JOINTS) + part.words
    return text[0].upper() + text[1:] if draw(st.booleans()) else text, parts


def check_kept(meaning: Meaning, text: str, parts: list[Part]) -> None:
    """Every one of *parts* is in *meaning*, which the words *text* have."""
    if isinstance(meaning, Judge):
        assert meaning.text == text
        assert {name for part in parts for name in part.sets} <= {one.name for one in meaning.outputs}
        assert {part.leads for part in parts if part.leads} <= {shown(one) for one in meaning.outcomes}
        return
    assert all(part.is_plain for part in parts)
    done = meaning.parts if isinstance(meaning, Several) else (meaning,)
    assert [_what(one) for one in done] == [(part.sets, part.leads) for part in parts]


def _what(action: Meaning) -> tuple[frozenset[str], str]:
    match action:
        case Ask(variables=variables):
            return frozenset(one.name for one in variables), ""
        case Assign(target=target):
            return frozenset({target.name}), ""
        case Call(result=result):
            return frozenset({result.name} if result else ()), ""
        case Return() | End() | Jump():
            return frozenset(), shown(action)
    return frozenset(), ""


@given(sentences())
@settings(max_examples=examples(300))
def test_every_part_of_a_sentence_is_carried_out_or_judged(sentence: tuple[str, list[Part]]) -> None:
    text, parts = sentence
    check_kept(classify(text, has_children=False), text, parts)


@given(
    sentences(), st.sampled_from(["If $n > 3, ", "If the user agrees, ", "Otherwise ", "Otherwise, ", "When $n is 1: "])
)
@settings(max_examples=examples(300))
def test_every_part_behind_a_condition_is_kept(sentence: tuple[str, list[Part]], head: str) -> None:
    text, parts = sentence
    meaning = classify(head + text, has_children=False)
    if isinstance(meaning, Judge):
        check_kept(meaning, head + text, parts)
    else:
        assert isinstance(meaning, Branch)
        assert meaning.action is not None
        check_kept(meaning.action, text, parts)


@given(sentences())
@settings(max_examples=examples(200))
def test_every_name_is_in_the_meaning_or_in_the_judged_words(sentence: tuple[str, list[Part]]) -> None:
    text, _parts = sentence
    said = " ".join(_words(classify(text, has_children=False)))
    assert set(re.findall(r"\$(\w+)", text)) <= set(re.findall(r"\w+", said))


def _words(meaning: Meaning) -> list[str]:
    """All words that are left of a sentence."""
    if isinstance(meaning, Several):
        return [word for part in meaning.parts for word in _words(part)]
    said = [meaning.text] if isinstance(meaning, Judge | Ask | Tell) else []
    return [*said, *code_in(meaning)]


@pytest.mark.parametrize("part", [part for part in PLAIN if not part.sets], ids=lambda part: part.words)
def test_a_plain_part_alone_is_not_judged(part: Part) -> None:
    assert not isinstance(classify(part.words, has_children=False), Judge)
