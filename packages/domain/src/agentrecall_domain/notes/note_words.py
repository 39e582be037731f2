"""Words by which notes are compared: what only tells, what is vague, where something holds. Tables."""

from __future__ import annotations

TOLD = """
user want wish ask said like thing made kept stay now please longer
nutzen benutzen verwenden laufen liegen bleiben werden wir immer bitte
usamos usar utilizamos utilizar quiere queremos siempre nous utilisons utiliser veut toujours
usiamo vogliamo sempre usado usada ficam fica
"""
"""How something is told, and nothing of what."""

VAGUE = """
problem trouble culprit issue somewhat slow slowly sometimes often several some few many late soon occasionally
roughly broken weird strange various irgendwie manchmal oft parfois souvent veces bastante
"""
"""What a better note says precisely: to lose it is no loss."""

CHANGED = """
raise lower increase reduce change switch bump new adjust extend shorten move rename now again today
scrap drop abandon retire replace
neu jetzt nun geändert erhöht gesenkt désormais maintenant nouveau nouvelle ahora nuevo nueva agora novo nova
"""
"""What says no more than that something is not as it was."""

PLACES = """
development production staging sandbox ci pipeline laptop preview canary
ios android web mobile desktop tablet linux windows macos alpine debian ubuntu arm
primary replica leader follower standby
"""
"""Where something holds: what is told of one of them says nothing of the rest."""

CONTRARY = """
accept reject
succeed fail
pass fail
always never
require optional
encrypt decrypt
push pull
grow shrink
before after
inside outside
first last
minimum maximum
oldest newest
day night
morning evening
more less
"""
"""Words that exclude each other in one place, one pair a line."""

SAME = """
calculate compute reckon
arrive land deliver come reach
wipe reset clear
vanish disappear lost lose missing
hang freeze stuck
buy bought purchase
cost expense
permit allow
refuse decline reject
happen occur
daily day
nightly night
weekly week
monthly month
hourly hour
yearly year annual
large larger
incorrect wrong
correct right
need require must
double twice
frequent often
empty blank
hide hidden invisible
lie live located sit reside
use employ
lag delay behind late
recreate regenerate anew
expire lapse
fetch download pull
issue issued
publish published announce
colleague teammate
reason cause due
fix solve solved repaired cured
write wrote written
choose chose chosen pick
keep kept retain preserve
speichern gespeichert
betrag geldbetrag
"""
"""What says the same in notes, beyond the synonyms of rules. One group a line."""

DAYS = """
monday mondays montag montags lundi lunes segunda
tuesday tuesdays dienstag dienstags mardi martes terça
wednesday wednesdays mittwoch mittwochs mercredi miércoles quarta
thursday thursdays donnerstag donnerstags jeudi jueves quinta
friday fridays freitag freitags vendredi viernes sexta
saturday saturdays samstag samstags samedi sábado
sunday sundays sonntag sonntags dimanche domingo
"""
"""The days of the week, one a line: values, as numbers are."""

FILES = "py ts tsx js jsx mjs md rst txt yml yaml json toml lock sql sh css scss html go rs java kt rb php c h cpp cs env log csv xml ini cfg conf svg png pdf zip gz tf"  # noqa: E501 -- a list
"""How names of files end, that else look like hosts."""
