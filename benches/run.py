"""Runs every bench and writes benches/README.md: what was measured, ours, the peer's, the ratio and the bar.

python benches/run.py               all of them
python benches/run.py letor         those whose name contains a word
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PEERS = ("numpy", "scikit-learn", "lightgbm", "xgboost-cpu", "ranx", "pytrec-eval-terrier", "ir-measures")


def main(words: list[str]) -> None:
    results = HERE / "results.json"
    kept: dict[str, list[dict[str, object]]] = json.loads(results.read_text()) if results.exists() else {}
    for script in sorted(HERE.glob("bench_*.py")):
        if words and not any(word in script.name for word in words):
            continue
        print(f"== {script.name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "rows.json"
            subprocess.run([sys.executable, script, "--json", rows], check=True)
            kept[script.name] = json.loads(rows.read_text())
        results.write_text(json.dumps(kept, indent=1) + "\n")
    (HERE / "README.md").write_text(page(kept))
    print(f"wrote {HERE / 'README.md'}")


def page(kept: dict[str, list[dict[str, object]]]) -> str:
    versions = []
    for peer in PEERS:
        try:
            versions.append(f"{peer} {importlib.metadata.version(peer)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    lines = [
        "# Measured",
        "",
        "Made by `make bench`; every row has ours and the peer's from the same run, interleaved, best of several.",
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}; {', '.join(versions)}.",
    ]
    for script, rows in sorted(kept.items()):
        lines += ["", f"## {script}", "", "| what | ours | peer | ratio | bar | met |", "|---|---|---|---|---|---|"]
        for row in rows:
            met = {True: "yes", False: "**no**", None: ""}[row.get("met")]  # type: ignore[index]
            cells = (row[column] for column in ("what", "ours", "peer", "ratio", "bar"))
            lines.append("| " + " | ".join("" if c is None else str(c) for c in cells) + f" | {met} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
