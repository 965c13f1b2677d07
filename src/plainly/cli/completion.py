"""`plainly completion bash|zsh|fish`: a script by which a shell completes commands, options and their values.

It is made of the parsers, so that it knows what they know.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from plainly.cli.parser import build_parser
from plainly.corpus import catalogue
from plainly.findings import forms
from plainly.metrics import names
from plainly.scoring.profile import profile_names
from plainly.text.languages import LANGUAGES


@dataclass(frozen=True)
class Place:
    """What may follow a command: `plainly data` and the like."""

    path: str
    actions: Mapping[str, str]  # their names, and what they do
    options: tuple[argparse.Action, ...]


VALUES: Mapping[str, Callable[[], Iterable[str]]] = {
    "--metrics": names,
    "--format": forms,
    "--profile": profile_names,
    "--profiles": profile_names,
    "--lang": lambda: LANGUAGES,
    "--test-set": lambda: catalogue.names("test set"),
}
"""Values of options that their parsers do not list."""


def run(options: argparse.Namespace) -> None:
    places = list(_places(build_parser(), "plainly"))
    print(SCRIPTS[options.shell](places), end="")


def _places(parser: argparse.ArgumentParser, path: str) -> Iterator[Place]:
    commands = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    actions = {one.dest: one.help or "" for own in commands for one in own._choices_actions}
    placed = [one for one in parser._get_positional_actions() if one not in commands]
    actions |= {str(choice): "" for one in placed for choice in one.choices or ()}
    yield Place(path, actions, tuple(one for one in parser._actions if one.option_strings))
    for own in commands:
        for name, command in own.choices.items():
            yield from _places(command, f"{path} {name}")


def _values(option: argparse.Action) -> list[str]:
    """What an option may be, where that is a list."""
    if option.choices is not None:
        return [str(choice) for choice in option.choices]
    listed = VALUES.get(option.option_strings[-1])
    return [] if listed is None or option.nargs == 0 else list(listed())


def _bash(places: Iterable[Place]) -> str:
    cases = []
    for place in places:
        inner = [f"        words={shlex.quote(' '.join(place.actions))}"]
        named = " ".join(name for one in place.options for name in one.option_strings)
        inner.append(f"        options={shlex.quote(named)}")
        for one in place.options:
            if values := _values(one):
                spelled, listed = "|".join(one.option_strings), shlex.quote(" ".join(values))
                at = "before" if one.nargs is None else "open"
                inner.append(f"        case ${at} in {spelled}) words={listed} ;; esac")
        cases.append("\n".join([f"    {shlex.quote(place.path)})", *inner, "        ;;"]))
    return BASH.replace("CASES\n", "\n".join(cases) + "\n")


BASH = """\
# Completion of plainly. For this shell alone: source <(plainly completion bash)
_plainly() {
    local now="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" options=""
    local at="plainly" open="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ " $(_plainly_actions "$at") " == *" ${COMP_WORDS[i]} "* ]]; then at="$at ${COMP_WORDS[i]}"; fi
        if [[ ${COMP_WORDS[i]} == -* ]]; then open="${COMP_WORDS[i]}"; fi
    done
    _plainly_words "$at" "$before" "$open"
    if [[ $now == -* ]]; then words="$options"; fi
    COMPREPLY=($(compgen -W "$words" -- "$now"))
}
_plainly_actions() {
    local words options
    _plainly_words "$1" "" ""
    printf '%s' "$words"
}
_plainly_words() {
    local before="$2" open="$3"  # the last word, and the last option: several values may follow it
    case "$1" in
CASES
    esac
}
complete -o default -F _plainly plainly
"""


def _zsh(places: Iterable[Place]) -> str:
    return "#compdef plainly\nautoload -U +X compinit bashcompinit && compinit && bashcompinit\n" + _bash(places)


def _fish(places: Iterable[Place]) -> str:
    places = list(places)
    known = " ".join(f"'{place.path}'" for place in places)
    lines = [FISH.replace("PATHS", known)]
    for place in places:
        begin = f"complete -c plainly -n \"__plainly_at '{place.path}'\""
        lines += [f"{begin} -f -a {name} -d {_quoted(about)}" for name, about in place.actions.items()]
        for one in place.options:
            spelled = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one.option_strings
            )
            values = _values(one)
            takes = f" -x -a {_quoted(' '.join(values))}" if values else "" if one.nargs == 0 else " -r"
            lines.append(f"{begin} {spelled}{takes} -d {_quoted(one.help or '')}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """As fish quotes: a backslash before a quote."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


FISH = """\
# Completion of plainly. For this shell alone: plainly completion fish | source
set -g __plainly_paths PATHS
function __plainly_at
    set -l path plainly
    for word in (commandline -opc)[2..-1]
        if contains -- "$path $word" $__plainly_paths
            set path "$path $word"
        end
    end
    test "$path" = "$argv[1]"
end"""

SCRIPTS: Mapping[str, Callable[[Iterable[Place]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
