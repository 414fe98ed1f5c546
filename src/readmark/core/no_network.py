"""A process without a network, whatever it evaluates.

Linux has a filter of system calls for it, which holds for every library in the process and every
process that it starts. Elsewhere Python refuses: its own libraries ask it.
"""

from __future__ import annotations

import errno
import platform
import sys

# PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP and SECCOMP_MODE_FILTER of Linux's prctl.h and seccomp.h
_NO_NEW_PRIVILEGES, _SET_FILTER, _FILTER_MODE = 38, 22, 2
# The four instructions of its bpf_common.h that the filter is made of
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
# SECCOMP_RET_ALLOW, and SECCOMP_RET_ERRNO with the error that a call then has
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
_OTHER_ABI = 0x40000000
"""x32 has the calls of x86_64 again, under numbers from here on."""
_IO_URING_SETUP, _PIDFD_GETFD = 425, 438
"""Calls that get sockets without ``socket``: by a ring of requests, and from another process."""
_SYSTEMS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""How the filter sees a machine (audit.h), and the number of ``socket`` there."""


def refuse_network() -> bool:
    """Refuse sockets to this process and those that it starts from here on.

    True if Linux itself refuses them. Sockets within this machine are refused too, since databases
    listen on them. Pairs of sockets are allowed: they lead nowhere, and Python's own processes talk
    by them.
    """
    if _filter_calls():
        return True
    sys.addaudithook(_refuse_socket)
    return False


def _refuse_socket(event: str, _: object) -> None:
    # A pair is made by `socketpair`, and then wrapped by `__new__` with its descriptor.
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg") or (
        event.startswith("socket.get") and event != "socket.gethostname"
    ):
        raise PermissionError(errno.EACCES, "a confined process has no network")


def _filter_calls() -> bool:
    """Have Linux refuse the calls that open sockets; False where it cannot."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _SYSTEMS or sys.maxsize < 2**32:
        return False
    import ctypes

    class Instruction(ctypes.Structure):
        _fields_ = (
            ("code", ctypes.c_uint16),
            ("if_true", ctypes.c_uint8),
            ("if_false", ctypes.c_uint8),
            ("operand", ctypes.c_uint32),
        )

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(Instruction)))

    system, socket_call = _SYSTEMS[machine]
    refused = (socket_call, _IO_URING_SETUP, _PIDFD_GETFD)
    # Each jump leads so many instructions on: to the last, which refuses, or to the next.
    lines = [
        (_LOAD, 0, 0, 4),  # for which machine the call is
        (_IF_EQUAL, 0, len(refused) + 3, system),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_IF_AT_LEAST, len(refused) + 1, 0, _OTHER_ABI),
        *((_IF_EQUAL, len(refused) - index, 0, call) for index, call in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    instructions = (Instruction(*line) for line in lines)
    program = Program(len(lines), (Instruction * len(lines))(*instructions))
    library = ctypes.CDLL(None)
    zero, one = ctypes.c_ulong(0), ctypes.c_ulong(1)
    if library.prctl(_NO_NEW_PRIVILEGES, one, zero, zero, zero) != 0:
        return False
    mode = ctypes.c_ulong(_FILTER_MODE)
    return bool(library.prctl(_SET_FILTER, mode, ctypes.byref(program), zero, zero) == 0)


def cut_off() -> None:
    """Refuse any further file and connection to this process, whatever it evaluates.

    Every socket is a file descriptor, and none is left to have. What is open stays open.
    """
    try:
        import resource
        import socket
    except ImportError:
        raise RuntimeError("this system cannot cut off a process from networks") from None
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    try:
        socket.socket().close()
    except OSError:
        return
    raise RuntimeError("this system does not cut off a process from networks")
