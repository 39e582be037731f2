"""Project aliases: the names one project answers to. Light: the standard library only, pure text."""

from __future__ import annotations

# Looked up in this order; the first match wins.
NAME = "name"
REMOTE = "remote"
COMMON_DIR = "common_dir"
ROOT_COMMIT = "root_commit"
PATH = "path"

_PORTS = {
    "ssh": 22,
    "git+ssh": 22,
    "ssh+git": 22,
    "git": 9418,
    "http": 80,
    "git+http": 80,
    "https": 443,
    "git+https": 443,
    "ftp": 21,
    "ftps": 990,
}
_HIGHEST_PORT = 65535


class Alias:
    """One name of a project: what kind of name it is, and the name."""

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: str) -> None:
        self.kind = kind
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alias) and (self.kind, self.value) == (other.kind, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.value))

    def __repr__(self) -> str:
        return f"Alias({self.kind!r}, {self.value!r})"


def normalise_remote(url: str) -> str | None:
    """Give `host/path` for any spelling of a remote, None for a local one or for what makes no sense.

    Credentials never survive: an `@`, `?` or `#` where it may hide one makes the whole address None,
    for then the project still has its folder to be known by.
    """
    text = url.strip().lower()
    if not text.isprintable():
        return None
    scheme, found, rest = text.partition("://")
    if not found:
        return _from_scp(text)
    if scheme not in _PORTS:
        return None
    authority, _, path = rest.partition("/")
    return _join(authority, path, _PORTS[scheme])


def project_name(aliases: list[Alias], root: str) -> str:
    """Name a project for people: `acme/shop-api` from a remote, else the folder's own name.

    Without a remote all worktrees are named after the folder that holds their `.git`, not each after its own.
    """
    known: dict[str, str] = {}
    for alias in aliases:
        known.setdefault(alias.kind, alias.value)
    if NAME in known:
        return known[NAME]
    if REMOTE in known:
        return "/".join(known[REMOTE].split("/")[1:][-2:]) or known[REMOTE]
    common = known.get(COMMON_DIR, "").replace("\\", "/")
    if common.endswith(".git"):
        return _last_segment(common.removesuffix(".git")) or root
    return _last_segment(root) or root


def _from_scp(text: str) -> str | None:
    """Read git's short form, `[user@]host:path`; as in git, a slash before the colon means a local path."""
    bracket = text.find("[")
    if bracket == 0 or (bracket > 0 and text[bracket - 1] == "@" and not {"/", ":"} & set(text[:bracket])):
        login, found, path = text.partition("]:")
        login += "]"
    else:
        login, found, path = text.partition(":")
        # One letter is a Windows drive, two colons call a remote helper.
        if len(login) == 1 or path.startswith(":"):
            return None
    if not found or "/" in login:
        return None
    return _join(login, path, _PORTS["ssh"])


def _join(login: str, path: str, default_port: int) -> str | None:
    authority = login.rpartition("@")[2]
    host = _host(authority, default_port)
    tail = _path(path)
    return f"{host}/{tail}" if host and tail else None


def _host(authority: str, default_port: int) -> str | None:
    """Give `host` or `host:port`; brackets hold an IPv6 address or, in git's old short form, `host:port`."""
    if authority.startswith("["):
        inside, closed, port = authority[1:].partition("]")
        port = port.removeprefix(":")
        if not closed:
            return None
        if inside.count(":") > 1:
            proper = all(char in "0123456789abcdef:." for char in inside)
            return _with_port(f"[{inside}]", port, default_port) if proper else None
        authority = f"{inside}:{port}" if port else inside
    name, _, port = authority.partition(":")
    name = name.rstrip(".")
    if not name or name.startswith("-") or not all(char.isalnum() or char in "-._" for char in name):
        return None
    return _with_port(name, port, default_port)


def _with_port(name: str, port: str, default_port: int) -> str | None:
    if not port:
        return name
    if not (port.isascii() and port.isdigit() and len(port) <= len(str(_HIGHEST_PORT))):
        return None
    number = int(port)
    if not 0 < number <= _HIGHEST_PORT:
        return None
    # 443 goes whatever the scheme: ssh on the port of https is a way past firewalls, not another server.
    return name if number in (default_port, _PORTS["https"]) else f"{name}:{number}"


def _path(path: str) -> str | None:
    if any(char in path for char in "@?#"):
        return None
    segments = [segment for segment in path.replace(" ", "%20").split("/") if segment not in ("", ".")]
    while segments and segments[-1].endswith(".git"):
        segments[-1] = segments[-1].removesuffix(".git")
        if segments[-1] in ("", "."):
            segments.pop()
    if ".." in segments:
        return None
    return "/".join(segments)


def _last_segment(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
