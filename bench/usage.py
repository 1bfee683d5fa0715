"""usage.py FILE COMMAND ARG...: runs the command and writes what it used, as JSON, into FILE. Exits as the command did.

wall_s is measured around the process; user_s, system_s and peak_kib are the kernel's account of it (wait4), what it started
and waited for included (of the peak: the largest single process).
"""

import json
import os
import sys
import time

report, command = sys.argv[1], sys.argv[2:]
begin = time.monotonic()
pid = os.posix_spawnp(command[0], command, os.environ)
_, status, used = os.wait4(pid, 0)
wall = time.monotonic() - begin
with open(report, "w", encoding="utf-8") as file:
    json.dump(
        {"wall_s": wall, "user_s": used.ru_utime, "system_s": used.ru_stime, "peak_kib": used.ru_maxrss},
        file,
    )
sys.exit(os.waitstatus_to_exitcode(status) & 255)
