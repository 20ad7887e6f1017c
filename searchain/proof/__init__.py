"""Proof files: what was asked, answered and quoted, in one page of HTML that anybody can check again.

Imports ``documents``, ``embedded.assets``, ``errors``, ``retrieval``, ``safe_text`` and ``types``.
"""
