"""From exceptions to one readable line and an exit code that means something.

0 done · 1 something unforeseen · 2 wrong input, option or file · 130 interrupted · 141 the reader of a pipe left
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import typer
from typer.core import TyperGroup

from rankwright.cli.words import QuickParsing
from rankwright.errors import InputError

INPUT, UNFORESEEN, INTERRUPTED, BROKEN_PIPE = 2, 1, 130, 141

# typer brings its own copy of click and exports only the leaves of its exceptions
UsageError: type[Any] = typer.BadParameter.__mro__[1]


class GuardedGroup(QuickParsing, TyperGroup):
    """The command tree; whatever goes wrong below it ends in one line and an exit code."""

    def main(self, args: Any = None, prog_name: Any = None, *, standalone_mode: bool = True, **kwargs: Any) -> Any:  # type: ignore[override]
        run = partial(super().main, args, prog_name, standalone_mode=False, **kwargs)
        if not standalone_mode:
            return run()
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            sys.exit(guarded(run))

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:  # before typer turns it into a failure
            _forget_stdout()
            raise typer.Exit(BROKEN_PIPE) from None
        except KeyboardInterrupt as stop:  # before typer forgets what it said
            raise _Stopped(str(stop)) from None


class _Stopped(Exception):
    """An interruption on its way out."""


def guarded(run: Callable[[], Any]) -> int:
    """Runs a command; prints what went wrong, if anything; returns the exit code."""
    try:
        code = run()
    except _Stopped as stop:
        print(f"interrupted. {str(stop) or 'Nothing was written.'}", file=sys.stderr)
        return INTERRUPTED
    except InputError as wrong:
        return fail(INPUT, str(wrong))
    except UsageError as wrong:
        return _usage(wrong)
    except OSError as wrong:
        name = f"{wrong.filename}: " if wrong.filename else ""
        return fail(INPUT, f"{name}{wrong.strerror or wrong}")
    except Exception as wrong:
        if os.environ.get("RANKWRIGHT_TRACEBACK"):
            raise
        reason = f"{type(wrong).__name__}: {wrong}"
        return fail(UNFORESEEN, f"{reason}. This is a fault of rankwright. RANKWRIGHT_TRACEBACK=1 shows where.")
    return code if isinstance(code, int) else 0


def fail(code: int, message: str) -> int:
    red, end = ("\033[1;31m", "\033[0m") if sys.stderr.isatty() and "NO_COLOR" not in os.environ else ("", "")
    print(f"{red}error:{end} {message}", file=sys.stderr)
    return code


def _show_warning(message: Warning | str, *where: object, **more: object) -> None:
    """A warning is a line for people; where in the code it was raised is not theirs to know."""
    print(f"warning: {message}", file=sys.stderr)


def _usage(wrong: Any) -> int:
    ctx = wrong.ctx
    message = wrong.format_message().rstrip()
    message = message[:1].lower() + message[1:] + ("" if message.endswith((".", "?")) else ".")
    return fail(INPUT, message + (f" Try `{ctx.command_path} --help`." if ctx is not None else ""))


def _forget_stdout() -> None:
    """Nothing more can be printed; keep the interpreter from complaining about it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
