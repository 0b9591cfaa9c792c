"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from rankwright.files import atomic, write_atomically


def test_it_writes_and_replaces(tmp_path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"one")
    write_atomically(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("wrong", [ValueError("no"), KeyboardInterrupt()])
def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path, wrong) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with atomic(path) as out:
            out.write(b"half")
            raise wrong

    with pytest.raises(type(wrong)):
        interrupted()
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_nothing_is_seen_before_everything_is_written(tmp_path) -> None:
    path = tmp_path / "a.json"
    with atomic(path) as out:
        out.write(b"half")
        out.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"


def test_new_files_have_the_usual_rights_and_old_ones_keep_theirs(tmp_path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", b"")
        (tmp_path / "old").write_bytes(b"")
        (tmp_path / "old").chmod(0o604)
        write_atomically(tmp_path / "old", b"more")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o604


def test_a_link_keeps_pointing_to_the_file(tmp_path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "a", b"")


def test_pipes_are_written_to_and_not_replaced(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_in_the_way_is_an_os_error(tmp_path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / "model", b"")
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_long_names_are_fine(tmp_path) -> None:
    path = tmp_path / ("m" * 250)
    write_atomically(path, b"long")
    assert path.read_bytes() == b"long"
