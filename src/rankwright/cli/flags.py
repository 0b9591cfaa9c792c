"""Options of a ranker as flags of `train`: ``--n-rounds 300`` is derived from the ranker's declaration."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Sequence
from typing import Any

import typer

from rankwright.cli.choices import ranker_class, trainable_options
from rankwright.cli.console import unmarked
from rankwright.cli.words import QuickCommand
from rankwright.errors import InputError

GIVEN = "rankwright.options"  # where the parsed flags wait in the context
YES_NO = ("yes", "no", "true", "false")


class RankerCommand(QuickCommand):
    """A command that also takes the options of the ranker it is told to use."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        name = _ranker_named(args)
        flags = (flag for parameter in self.params for flag in (*parameter.opts, *parameter.secondary_opts))
        own = {flag for flag in flags if flag.startswith("--")} | {"--help"}
        if name is not None and "--help" in args:
            self.epilog = options_help(name)
        elif "--help" not in args:
            args, ctx.meta[GIVEN] = take_flags(args, own, name)
        return super().parse_args(ctx, args)


def _ranker_named(args: Sequence[str]) -> str | None:
    for at, arg in enumerate(args):
        if arg.startswith("--ranker="):
            return arg.partition("=")[2]
        if arg in ("--ranker", "-r") and at + 1 < len(args):
            return args[at + 1]
    return None


def take_flags(args: Sequence[str], own: set[str], ranker: str | None) -> tuple[list[str], dict[str, Any]]:
    """The arguments that are the command's own, and the ranker's options that the others set.

    Parameters
    ----------
    args : as typed.
    own : flags the command knows itself.
    ranker : the ranker they are for, if one is named.
    """
    rest: list[str] = []
    given: dict[str, Any] = {}
    waiting = list(args)
    while waiting:
        arg = waiting.pop(0)
        flag, equals, value = arg.partition("=")
        if arg == "--":
            return [*rest, arg, *waiting], given
        if not flag.startswith("--") or flag in own:
            rest.append(arg)
            continue
        if ranker is None:
            raise _unknown_flag(flag, own, "rankwright train --help")
        options = trainable_options(ranker_class(ranker))
        name = flag[2:].replace("-", "_")
        switched_off = name.startswith("no_") and name not in options and name[3:] in options
        if switched_off:
            name = name[3:]
        if name not in options:
            raise _unknown_flag(flag, {*map(as_flag, options), *own}, f"rankwright train --ranker {ranker} --help")
        if bool in options[name].kinds and not equals and (not waiting or waiting[0].lower() not in YES_NO):
            value = "no" if switched_off else "yes"
        elif not equals:
            if not waiting:
                raise InputError(f"{flag} needs a value: {options[name]}. Got none. Write {flag} VALUE.")
            value = waiting.pop(0)
        given[name] = options[name].parse(value)
    return rest, given


def _unknown_flag(flag: str, known: set[str], page: str) -> InputError:
    near = difflib.get_close_matches(flag, sorted(known), n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return InputError(f"there is no option {flag}.{meant} `{page}` lists them.")


def as_flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def options_help(ranker: str) -> str:
    """The options of a ranker, as the end of a help page; ``\\b`` keeps its lines."""
    cls = ranker_class(ranker)
    options = trainable_options(cls)
    width = max((len(as_flag(name)) for name in options), default=0)
    lines = [f"Options of {cls.name}:"]
    for name, option in options.items():
        lines.append(f"  {as_flag(name):<{width}}  {option}; default {option.default}")
        lines += textwrap.wrap(
            unmarked(option.about), 76, initial_indent=" " * (width + 4), subsequent_indent=" " * (width + 4)
        )
    return "\b\n" + "\n".join(lines)
