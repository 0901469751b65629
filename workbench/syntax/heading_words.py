"""What the words of headings and lines say in procedures: steps, chapters that are done, chapters that explain.

Only the words decide here; what stands below a heading is looked at in ``model/procedures``. The lists are those that
runbooks, operating procedures and skills use; what they do not know is *neutral*.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import lru_cache

from workbench.regex import regex


class Sort(enum.Enum):
    """What a title promises: something to do, something to read, an aside that is never done, or neither."""

    DONE = enum.auto()
    READ = enum.auto()
    ASIDE = enum.auto()
    NEUTRAL = enum.auto()


_DONE = frozenset(
    """step steps procedure procedures diagnosis diagnose diagnostic diagnostics mitigation mitigate mitigations
    remediation remediate resolution resolve resolving runbook playbook workflow workflows action actions response
    respond recovery recover rollback triage investigation investigate investigating containment contain eradication
    eradicate troubleshooting troubleshoot debugging debug checklist checklists installation install installing setup
    deployment deploy deploying upgrade upgrading verification verify validation validate escalation escalate
    instructions tasks task migration migrate restore restoration backup process preparation prepare execution execute
    fix fixing repair cleanup handling quickstart
    schritte schritt vorgehen ablauf anleitung behebung diagnose maßnahmen massnahmen durchführung checkliste
    étapes etapes étape procédure diagnostic résolution remédiation marche
    pasos paso procedimiento procedimientos diagnóstico resolución mitigación solución
    passos passo procedimento resolução mitigação diagnóstico
    шаги порядок процедура 절차 단계 방법 진행 手順 手順書 步骤 流程""".split()
)
_DONE_PHRASES = (
    "how to",
    "what to do",
    "getting started",
    "get started",
    "set up",
    "follow up",
    "next steps",
    "to do",
    "clean up",
    "roll back",
    "marche à suivre",
    "qué hacer",
    "was tun",
    "deep dive",
)
_READ = frozenset(
    """meaning impact overview introduction intro background about purpose scope summary description context related
    rationale when why what who requirements requirement assumptions principles principle guidelines guideline rules
    rule practices notes note tips tip tools features feature capabilities limitations severity symptom symptoms cause
    causes alert alerts dashboards dashboard architecture metadata owner owners contact contacts contributors authors
    author version status audience role roles responsibilities persona identity objective objectives goal goals metrics
    criteria constraints prerequisites prerequisite prereqs preconditions warning warnings caution important
    considerations concepts terminology structure format formats output outputs inputs input parameters parameter
    arguments argument variables configuration options reference references resources resource links reading
    pitfalls mistakes antipatterns anti-patterns questions faq glossary definitions
    bedeutung überblick einleitung hintergrund zweck voraussetzungen hinweise auswirkung ursachen beschreibung
    introduction contexte objectif prérequis remarques description
    introducción contexto objetivo requisitos notas descripción resumen
    visão contexto objetivo requisitos notas descrição
    개요 배경 목적 소개 참고 概要 目的 背景""".split()
)
_ASIDES = frozenset(
    """example examples changelog contents toc license licence acknowledgements acknowledgments credits history appendix
    references bibliography glossary faq parameters inputs arguments reading links template templates
    beispiele beispiel inhalt inhaltsverzeichnis verweise links
    exemples exemple références ejemplos ejemplo referencias exemplos referências 예시 예제 참고자료 目次""".split()
)
_FORBIDDING = frozenset("not don't don’t never avoid".split())
_LETTERS = regex(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NOUNS = "step|task|phase|stage|part|schritt|étape|etape|paso|passo|fase|шаг|단계|ステップ|步骤"
_SAID = regex(
    rf"[^\w\[(<]{{0,6}}(?:{_NOUNS})[ \t]*(?:\#|no\.?|nr\.?)?[ \t]*(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}[a-z]?)"
    r"[ \t]*(?:[:.)–—-]|of\b|(?=[ \t*_(])|$)",
    re.IGNORECASE,
)
_NUMBERED = regex(
    r"[^\w\[(<]{0,6}(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?)(?:[.)](?=[ \t*_])|[ \t]*[:–—-][ \t]|(?<=\.\d)(?=[ \t]))"
)
_BEHIND = regex(r"[^\w\[(<]{0,6}(?P<number>\d{1,3})[ \t]*단계")
_CONSTRAINT = regex(
    r"(?:\*\*|__)?(?:(?:[Yy]ou|[Aa]gents?|[Ii]t|[Tt]he \w+)[ \t]+)?(?:\*\*|__)?(?:MUST|SHOULD|MAY|SHALL)"
    r"(?:[ \t]+NOT)?\b"
    r"|(?:NEVER|ALWAYS)\b"
)


@dataclass(frozen=True, slots=True)
class StepTitle:
    """*number*: as the author counts (``2``, ``1.3``). *is_said*: the title says that it is a step."""

    number: str
    is_said: bool


@lru_cache(maxsize=32_768)
def step_title(title: str) -> StepTitle | None:
    """The step that a heading or a bold line begins: ``Step 2: Rest``, ``3. Bake``, ``1.2 Look``; else None."""
    said = _SAID.match(title) or _BEHIND.match(title)
    found = said or _NUMBERED.match(title)
    return StepTitle(found["number"], said is not None) if found else None


@lru_cache(maxsize=32_768)
def sort_of(title: str) -> Sort:
    """What *title* promises, by its words; the last word says most, as in *Example workflow* and *Recovery notes*."""
    words = [word.lower() for word in _LETTERS.findall(title)]
    if not words:
        return Sort.NEUTRAL
    if words[0] in _ASIDES or words[-1] in _ASIDES:
        return Sort.ASIDE
    if not _FORBIDDING.isdisjoint(words):
        return Sort.READ
    said = " ".join(words)
    if any(phrase in said for phrase in _DONE_PHRASES):
        return Sort.DONE
    if words[-1] in _DONE:
        return Sort.DONE
    if words[0] in _READ or words[-1] in _READ:
        return Sort.READ
    return Sort.DONE if words[0] in _DONE or not _DONE.isdisjoint(words) else Sort.NEUTRAL


def is_constraint(text: str) -> bool:
    """True for a line that says how something has to be done, and is nothing to do: ``You MUST keep all papers``."""
    return _CONSTRAINT.match(text) is not None


_VERBS = frozenset(
    """access acknowledge activate add adjust alert allow analyze analyse announce apply approve archive ask assess
    assign attach back backup begin block boot bring browse build call cancel capture change check choose clean clear
    click clone close collect compare complete compute configure confirm connect contact contain convert coordinate copy
    correct create cut debug decide define delete deploy describe detach determine disable disconnect discuss display
    document double download drain draft edit enable ensure enter escalate estimate evaluate examine execute export
    extract fetch fill find fix flag flush follow gather generate get give go grant identify implement import inform
    insert inspect install investigate isolate issue join keep kill launch list load locate lock log login look mark
    measure merge migrate mitigate modify monitor move navigate note notify obtain open order page patch pause perform
    pick ping plan power prepare press preserve prevent print proceed provide pull push put query re-run read reach
    reboot rebuild recheck reconnect record recover redeploy reduce refer refresh register reinstall release reload
    remove rename repair repeat replace replicate report request rerun reset resolve restart restore retrieve retry
    return revert review revoke roll rotate run save scale scan schedule search secure select send set share shut
    shutdown sign ssh start stop store submit suspend switch sync tag take tell terminate test trace track transfer
    treat trigger try turn uninstall unlock update upgrade upload use validate verify view visit wait warn watch wipe
    work write
    öffnen prüfen starten stoppen ouvrir vérifier abrir verificar comprobar""".split()
)
CLAUSE_VERBS = frozenset(
    """aim append avoid base be consider correlate count default defer delegate demote do don double-check
    downgrade emit engage exclude exit explain fall focus follow-up force freeze handle have hold hypothesize
    ignore include infer initialize inline intelligently invoke leave let lower maintain make map mention modernize
    modify narrow never need offer omit optimize override parse pass pause plot prefer present prioritize prompt
    propose raise rate rebase recommend redirect rely reply research respond return revisit rewrite roll score
    shorten show skip split spawn state stay stick suggest summarize supply surface sync talk trim use verify warn
    widen wrap yield advance jump loop resume anonymize quarantine reimage reseat rotate triage vacate""".split()
)
"""What tells somebody to do something behind a condition, set in code as well; else it may be a name."""
_FIRST_WORD = regex(r"[^\w<`]{0,6}(?:please[ \t]+|then[ \t]+|also[ \t]+)?([^\W\d_]+(?:-[^\W\d_]+)?)", re.IGNORECASE)


def begins_with_verb(text: str) -> bool:
    """True for a line that tells somebody to do something, as far as its first word shows it."""
    found = _FIRST_WORD.match(text)
    return found is not None and found[1].lower() in _VERBS
