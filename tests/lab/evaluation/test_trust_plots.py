"""The pictures of the tick: points in their places, in whole files."""

from xml.etree import ElementTree

from lab.evaluation.trust_plots import pictures, reliability

SVG = "{http://www.w3.org/2000/svg}"
BINS = [
    {"n": 5, "sure": 0.0, "right": 0.0, "low": 0.0, "high": 0.2},
    {"n": 5, "sure": 0.5, "right": 1.0, "low": 0.9, "high": 1.0},
]
CURVE = [
    {"coverage": 0.5, "risk": 0.25, "low": 0.1, "high": 0.4},
    {"coverage": 1.0, "risk": 0.5, "low": 0.4, "high": 0.6},
]


def dots(svg):
    return [(float(dot.get("cx")), float(dot.get("cy"))) for dot in ElementTree.fromstring(svg).iter(f"{SVG}circle")]


def test_a_dot_for_each_bin_between_the_axes():
    # across from 60 to 540, up from 300 to 50
    assert dots(reliability(BINS, by_probability=True)) == [(60.0, 300.0), (300.0, 50.0)]
    assert "stroke-dasharray" in reliability(BINS, by_probability=True)


def test_there_is_no_reliability_without_sure_replies():
    values = {"bins": BINS, "curve": CURVE, "sure_by": "probability"}
    assert [name for name, _ in pictures(values)] == ["reliability", "risk-coverage"]
    assert [name for name, _ in pictures(values | {"bins": []})] == ["risk-coverage"]
