"""Nothing: scripts import SIRT, and the stand-in only projects."""
SIRT = None
