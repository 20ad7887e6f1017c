"""A home of its own for indexes, which shares the embedded checkpoint with the real one."""

from pathlib import Path

from searchain.files.home import home
from tests.support.json_lines import write_lines

CITIES = [
    ("ottawa", "Ottawa", "Ottawa is the capital city of Canada. It stands on the Ottawa River."),
    ("toronto", "Toronto", "Toronto lies on the shore of Lake Ontario; its landmark is the CN Tower."),
    ("nintendo", "Nintendo", "Nintendo is a Japanese video game company with headquarters in Kyoto."),
    ("kyoto", "Kyoto", "Kyoto is a city in the Kansai region on the Japanese island of Honshu."),
    ("rainbow", "Rainbow", "A rainbow is caused by the refraction of light in water droplets."),
]


def share_models(folder: Path) -> Path:
    """Make ``folder`` a home with the models of the real home, which are made now if they are missing."""
    from searchain.retrieval.checkpoint import embedded_checkpoint

    embedded_checkpoint()
    folder.mkdir(exist_ok=True)
    for name in ("models", "checked"):
        (folder / name).symlink_to(home() / name, target_is_directory=True)
    return folder


def write_corpus(path: Path, records=CITIES) -> Path:
    """Write the records as a corpus file."""
    return write_lines(path, ({"id": id, "title": title, "text": text} for id, title, text in records))
