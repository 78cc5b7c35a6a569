"""Processes that think for another one."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Have this process ended when the one that started it ends, even if that one was killed.

    Only Linux offers it; elsewhere the workers of a killed process are left to be ended by hand.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
