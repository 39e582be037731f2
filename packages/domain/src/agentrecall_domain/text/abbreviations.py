"""Abbreviations: what developers clip in names, and the word that they write when they talk. Hot: no imports.

`str_to_dict` and "convert a string to a dictionary" have no word in common otherwise. Only what means one thing in all
software work is here: `pos`, `res` and `ts` do not.
"""

from __future__ import annotations

_TABLE = """
addr address|arg argument|arr array|asc ascending|attr attribute|auth authentication|avg average|bool boolean|btn button
calc calculate|cfg configuration|char character|cmd command|col column|concat concatenate|conf configuration
config configuration|conn connection|coord coordinate|ctx context|db database|desc description|df dataframe
dict dictionary|diff difference|dir directory|doc document|dst destination|elem element|env environment|err error
exc exception|exec execute|fmt format|fn function|freq frequency|func function|idx index|img image|init initialize
int integer|iter iterate|len length|lib library|max maximum|min minimum|msg message|num number|obj object
param parameter|passwd password|pct percent|pkg package|prob probability|prop property|pwd password|rand random
ref reference|regex regexp|repo repository|req request|resp response|rm remove|sep separator|seq sequence|src source
std standard|str string|svc service|tbl table|tmp temporary|txt text|uniq unique|util utility|val value|var variable
vec vector|ver version
"""
SHORT_FOR = {
    short: word for short, _, word in (pair.partition(" ") for pair in _TABLE.strip().replace("\n", "|").split("|"))
}
