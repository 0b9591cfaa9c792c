"""Runs every bench and writes benches/README.md: what was measured, ours, the peer's, the ratio and the bar.

python benches/run.py               all of them
python benches/run.py letor         those whose name contains a word; the other sections of the page stay as they are
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
PEERS = (
    "numpy",
    "scikit-learn",
    "lightgbm",
    "xgboost",
    "xgboost-cpu",
    "catboost",
    "lleaves",
    "onnxruntime",
    "ranx",
    "pytrec-eval-terrier",
    "ir-measures",
    "tl2cgen",
)
HEAD = """# Measured

Made by `make bench`. Every row has ours and the peer's from the same run, taking turns, best of several; the bar is
what the project set itself.
"""
SECTION = re.compile(r"^## (bench_\w+\.py)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def main(words: list[str]) -> None:
    sections = {found[1]: found[0].strip() for found in SECTION.finditer(PAGE.read_text())} if PAGE.exists() else {}
    scripts = sorted(HERE.glob("bench_*.py"))
    for script in scripts:
        if words and not any(word in script.name for word in words):
            continue
        print(f"== {script.name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "rows.json"
            subprocess.run([sys.executable, script, "--json", rows], check=True)
            sections[script.name] = section(script, json.loads(rows.read_text()))
        kept = [sections[script.name] for script in scripts if script.name in sections]
        PAGE.write_text("\n\n".join([HEAD.strip(), *kept]) + "\n")
    print(f"wrote {PAGE}")


def section(script: Path, rows: list[dict[str, Any]]) -> str:
    """The table of one bench, under what it says of itself and where it ran."""
    about = (ast.get_docstring(ast.parse(script.read_text())) or "").split("\n\n")[0].replace("\n", " ")
    lines = [f"## {script.name}", "", about, "", machine(script.read_text()), ""]
    lines += ["| what | ours | peer | ratio | bar | met |", "|---|---|---|---|---|---|"]
    for row in rows:
        met = {True: "yes", False: "**no**", None: ""}[row.get("met")]
        cells = (row[column] for column in ("what", "ours", "peer", "ratio", "bar"))
        lines.append("| " + " | ".join("" if c is None else str(c) for c in cells) + f" | {met} |")
    return "\n".join(lines)


def machine(code: str) -> str:
    """What it ran on, and the versions of the peers that the script names."""
    versions = []
    for peer in PEERS:
        module = {"scikit-learn": "sklearn", "pytrec-eval-terrier": "pytrec_eval", "xgboost-cpu": "xgboost"}.get(
            peer, peer
        )
        try:
            if module in code.lower():
                versions.append(f"{peer} {importlib.metadata.version(peer)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}; {', '.join(versions)}."


if __name__ == "__main__":
    main(sys.argv[1:])
