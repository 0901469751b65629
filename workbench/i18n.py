"""One function that marks and translates what a person reads."""

import gettext

_translations = gettext.NullTranslations()


def _(message: str) -> str:
    """*message* in the language of the person, or as written where there is no translation."""
    return _translations.gettext(message)
