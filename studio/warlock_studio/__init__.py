"""Studio: a local page to edit rules in and to see the table change. It holds no rule logic: the workbench does."""

__version__ = "0.4.0"
