"""The journal mode that a memory's file gets: by its engine and by the file system that it lies on."""

from __future__ import annotations

import os

from agentrecall_storage.engine import is_safe

# A network file system cannot share the memory-mapped index that WAL needs.
NETWORK_FILE_SYSTEMS = {"9p", "afpfs", "afs", "ceph", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "vboxsf"}


def journal_for(path: str) -> str:
    """The journal mode for a file at *path*: `WAL` on a safe engine and a local file system, else `DELETE`."""
    return "WAL" if is_safe() and not on_network(path) else "DELETE"


def on_network(path: str, mounts: str = "/proc/self/mounts") -> bool:
    """Whether *path* lies on a network file system, as far as *mounts* tells (it does on Linux alone)."""
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return False
    real = os.path.realpath(path)
    best, kind = "", ""
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004 -- device, mount point, type
            continue
        point = fields[1].replace("\\040", " ")
        if len(point) >= len(best) and (real == point or real.startswith(point.rstrip("/") + "/")):
            best, kind = point, fields[2]
    return kind in NETWORK_FILE_SYSTEMS
