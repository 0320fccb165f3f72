"""Where the texts of one rule book lie: the shipped `spec/`, and a profile of a user's own beside it."""

import hashlib
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
    """The folder of the rule book, and the file and folder of the profile asked for.

    `own` is the folder in which a profile of a user's own looks for its chapters first.
    """

    spec: Path
    profile: Path
    own: Path | None = None

    @property
    def fingerprint(self) -> str | None:
        """What tells one state of a user's own profile from another: 12 hex digits over all its rule files."""
        if self.own is None:
            return None
        files = sorted(self.own.rglob("*.yaml")) if self.profile.name == _OWN_PROFILE else [self.profile]
        digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in files))
        return digest.hexdigest()[:12]

    @property
    def has_own_chapters(self) -> bool:
        """Whether the folder of a user's own profile holds chapters."""
        return self.own is not None and any(self.own.glob("rules/*.yaml"))

    def shown(self, path: Path) -> str:
        """How messages name a file: from the folder that holds the rule book, where it lies in there."""
        if path.is_relative_to(self.spec.parent):
            return path.relative_to(self.spec.parent).as_posix()
        return path.as_posix()

    def read(self, path: Path) -> Node:
        return read_yaml(path, self.shown(path))

    def chapter(self, name: str, place: Place) -> Path:
        """The file of a chapter."""
        folders = [folder / "rules" for folder in (self.own, self.spec) if folder]
        for folder in folders:
            if (folder / f"{name}.yaml").is_file():
                return folder / f"{name}.yaml"
        known = [path.stem for folder in folders for path in folder.glob("*.yaml")]
        raise refuse(place, "unknown chapter", name, meant=nearest(name, known))

    def parent(self, name: str, place: Place) -> Path:
        """The file of a shipped profile that another one extends."""
        path = self.spec / "profiles" / f"{name}.yaml"
        if path.is_file() and Path(name).name == name:
            return path
        raise refuse(place, "unknown profile", name, meant=nearest(name, profile_names(self.spec)))


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
        return Sources(spec, path / _OWN_PROFILE, path)
    if path.is_file():
        return Sources(spec, path, path.parent)
    meant = nearest(name_or_path, profile_names(spec))
    raise refuse(
        Place(name_or_path),
        "unknown profile",
        name_or_path,
        "a shipped profile, or the path of a file or folder",
        meant,
    )
