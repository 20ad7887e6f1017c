"""Proof files: what was asked, answered and quoted, in one page of HTML that anybody can check again."""
