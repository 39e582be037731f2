"""What a prompt may begin with that goes on with the matter at hand, and how people say that they turn to another."""

from __future__ import annotations

import re

_GOES_ON = """
ok okay k kay alright right hm hmm hmmm oh ohh ah aha haha hahaha lol yes yeah yep yup no nope nah wait stop and but
also or so then still again same it that this these those they he she its thats btw cool nice good great perfect thanks
thx sure fine true exactly works done ditto too plus because since well

ja nein doch gut super passt prima danke und aber auch oder dann noch nochmal immer das dies es er sie dabei dazu
stimmt genau geht klar

oui non et mais aussi ou alors donc encore ca cela il elle merci parfait bien nickel ouais bon

si sí no y pero tambien también o entonces aun aún eso esto perfecto gracias vale bien bueno dale ojo
"""
GOES_ON = frozenset(_GOES_ON.split())
GOES_ON_CJK = tuple("好 行 可以 懂 那 不错 哦 嗯 对 没 不 还 也 再 谢 继续 牛 然后 但 所以".split())  # noqa: SIM905 -- as above
"""The same where no blank ends a word."""

_TURNS = (
    r"\b(?:"
    r"next(?: thing| up| topic| task|:)|new (?:topic|task|matter|question|thing)"
    r"|(?:something|anything|completely|totally) (?:else|different|unrelated)|unrelated"
    r"|different (?:topic|question|thing|subject)|separate(?:ly| (?:question|issue|topic|matter))"
    r"|other topic|another (?:topic|thing|question|issue|matter|task)|on another note"
    r"|switch(?:ing)? (?:to|over|gears|topics)|moving on|back to (?:the|our|work|code)|side quest"
    r"|n[äa]chste[rs]? (?:thema|punkt|aufgabe|sache)|anderes thema|was (?:ganz )?anderes|themenwechsel|neues thema"
    r"|zur[üu]ck zu"
    r"|autre (?:chose|sujet|question|point)|sujet suivant|rien [àa] voir|changement de sujet|passons [àa]|revenons [àa]"
    r"|otra (?:cosa|pregunta|tarea)|otro (?:tema|asunto)|cambi(?:ando|o) de tema|siguiente (?:tema|tarea|punto)"
    r"|pasemos a|volvamos a"
    r")\b"
    r"|另外一件|换个话题|换一个|下一个|另一个问题|别的事|接下来|说回"
)
_patterns: list[re.Pattern[str]] = []


def turns_to_another(head: str) -> bool:
    """Whether *head*, the beginning of a prompt, says outright that another matter follows."""
    if not _patterns:
        _patterns.append(re.compile(_TURNS, re.IGNORECASE))
    return _patterns[0].search(head) is not None
