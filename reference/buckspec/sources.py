"""Where the texts of one rule book lie: the shipped `spec/`, and a profile of a user's own beside it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from buckspec.data import spec_dir
from buckspec.document import Node, load_document
from buckspec.nodes import refuse
from buckspec.problem import Place, nearest

_LARGEST = 4_000_000  # bytes of one rule file; the largest shipped one has 100,000
_OWN_PROFILE = "profile.yaml"


def read_yaml(path: Path, name: str | None = None) -> Node:
    """The document in a file. Raises SpecError for a file that cannot be read or is not accepted YAML."""
    shown = name or path.as_posix()
    try:
        if path.stat().st_size > _LARGEST:
            raise refuse(
                Place(shown), "the file is too large for rules", f"{path.stat().st_size} bytes", f"at most {_LARGEST}"
            )
        raw = path.read_bytes()
        return load_document(raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n"), shown)
    except UnicodeDecodeError as error:
        raise refuse(Place(shown), "not UTF-8 text", f"byte {error.start}") from None
    except OSError as error:
        raise refuse(Place(shown), "the file cannot be read", error.strerror or str(error)) from None


@dataclass(frozen=True)
class Sources:
    """The folder of the rule book, and the file of the profile asked for, which may be a user's own.

    `own` is the folder with chapters in `rules/` that stand before the shipped ones: that of a `profile.yaml`. A file
    with another name stands alone, whatever lies beside it.
    """

    spec: Path
    profile: Path
    own: Path | None = None
    is_own: bool = False

    @property
    def stamp(self) -> str | None:
        """What changes whenever a user's own profile may have: quick to find out, and the same for what is shipped."""
        return self._digest(_files(self.own).values()) if self.is_own else None

    def fingerprint(self, chapters: Iterable[str]) -> str | None:
        """What tells one state of a user's own profile, with these chapters, from another: 12 hex digits."""
        return self._digest(self.own_chapters(chapters)) if self.is_own else None

    def own_chapters(self, chapters: Iterable[str]) -> list[Path]:
        """The files of those of these chapters that are a user's own."""
        files = _files(self.own)
        return [files[name] for name in chapters if name in files]

    def _digest(self, chapters: Iterable[Path]) -> str:
        parts = [_bytes_of(self.profile)]
        for path in sorted(set(chapters)):
            parts += [path.stem.encode(), _bytes_of(path)]
        return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]

    def shown(self, path: Path) -> str:
        """How messages name a file: from the folder that holds the rule book, where it lies in there."""
        if path.is_relative_to(self.spec.parent):
            return path.relative_to(self.spec.parent).as_posix()
        return path.as_posix()

    def read(self, path: Path) -> Node:
        return read_yaml(path, self.shown(path))

    def chapter(self, name: str, place: Place) -> Path:
        """The file of a chapter."""
        files = _files(self.spec) | _files(self.own)
        if name in files:
            return files[name]
        expected = None
        if self.is_own and self.own is None:
            expected = f"a shipped chapter; those of your own stand in rules/ beside a {_OWN_PROFILE}"
        raise refuse(place, "unknown chapter", name, expected, nearest(name, files))

    def parent(self, name: str, place: Place) -> Path:
        """The file of a shipped profile that another one extends."""
        known = profile_names(self.spec)
        if name not in known:
            raise refuse(place, "unknown profile", name, meant=nearest(name, known))
        return self.spec / "profiles" / f"{name}.yaml"


def _files(folder: Path | None) -> dict[str, Path]:
    """The files of the chapters in a folder, by name."""
    return {path.stem: path for path in folder.glob("rules/*.yaml") if path.is_file()} if folder else {}


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file, if it is one that can be rules; what is wrong with it is told by who reads it."""
    try:
        return path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError:
        return b""


def profile_names(spec: Path | None = None) -> list[str]:
    """The shipped profiles."""
    return sorted(path.stem for path in ((spec or spec_dir()) / "profiles").glob("*.yaml"))


def find_profile(name_or_path: str, spec: Path | None = None) -> Sources:
    """The sources of a shipped profile, or of a user's own file or folder. Raises SpecError."""
    spec = spec or spec_dir()
    if name_or_path in profile_names(spec):
        return Sources(spec, spec / "profiles" / f"{name_or_path}.yaml")
    path = Path(name_or_path)
    if path.is_dir():
        if not (path / _OWN_PROFILE).is_file():
            raise refuse(Place(name_or_path), f"the folder has no {_OWN_PROFILE}")
        return Sources(spec, path / _OWN_PROFILE, path, is_own=True)
    if path.is_file():
        return Sources(spec, path, path.parent if path.name == _OWN_PROFILE else None, is_own=True)
    meant = nearest(name_or_path, profile_names(spec))
    raise refuse(
        Place(name_or_path),
        "unknown profile",
        name_or_path,
        "a shipped profile, or the path of a file or folder",
        meant,
    )
