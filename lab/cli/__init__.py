"""The commands of the laboratory, beside those of the product or in their place."""

COMMANDS = {
    "eval": ("lab.cli.evaluate:evaluate", "Ask a system all questions of a file and score its answers."),
    "tables": ("lab.cli.tables:tables", "Make TABLE of the paper: paper | ours."),
    "calibrate": ("lab.cli.calibrate:calibrate", "Measure how likely answers are right, and store it."),
    "index": ("lab.cli.index:index", "Build, list, extend and remove passage indexes."),
    "serve": ("lab.cli.index:serve", "Serve an index to other processes."),
}
"""Name → where the command is, as ``module:attribute``, and its help in one line."""
