"""The tables of the paper, each figure beside ours."""
