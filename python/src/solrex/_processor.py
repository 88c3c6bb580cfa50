"""The native module is built for processors with AVX2. On an older one it would not raise an exception, but crash."""

from __future__ import annotations

import platform


def require_processor(path: str = "/proc/cpuinfo") -> None:
    """Raises an ImportError if the processor is known to be too old. Only Linux says so in a file."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("flags"):
                    if "avx2" not in line.split():
                        raise ImportError(
                            "this build of solrex needs a processor with AVX2 (most since 2015); "
                            "for an older one build it from source without the line in .cargo/config.toml"
                        )
                    return
    except OSError:
        return
