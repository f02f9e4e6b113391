"""Nothing: scripts import this, and the stand-in only projects."""
