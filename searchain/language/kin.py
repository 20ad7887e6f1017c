"""The words for kin: what one person is to another by birth or marriage."""

from __future__ import annotations

MALE = "husband|father|son|brother|uncle|grandfather"
FEMALE = "wife|mother|daughter|sister|aunt|grandmother"
PARTNER = "husband|wife|spouse"
ONE = rf"(?:{MALE}|{FEMALE}|spouse|parent|child|sibling)"
"""One of kin."""
SEVERAL = rf"(?:(?:{MALE}|{FEMALE}|spouse|parent|sibling)s|wives|children)"
ANY = rf"(?:{ONE}|{SEVERAL})"
