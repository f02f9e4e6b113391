#!/bin/sh
# Runs a test that draws: on the display there is, else on a virtual one of its own.
# As the programs do: threads that wait leave the processor to the display server and to other tests.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
if [ -n "$DISPLAY" ]; then
  exec "$@"
fi
if command -v xvfb-run >/dev/null 2>&1; then
  # -noreset: the server must outlive the moments in which a test holds no connection.
  exec xvfb-run -a -s "-screen 0 1920x1080x24 -noreset" "$@"
fi
# Neither: what needs no graphics still runs, the rest says that it was skipped.
QT_QPA_PLATFORM=offscreen
export QT_QPA_PLATFORM
exec "$@"
