"""The calls of other libraries, answered by this one."""
