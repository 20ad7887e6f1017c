"""Convert mail to document text: a message, or a mailbox with many. Runs in the child process only."""

import email
import email.policy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.message import EmailMessage, MIMEPart
from itertools import groupby

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import HtmlBlock, blocks_of, parse, write
from searchain.documents.parsed import BlockKind
from searchain.documents.plain_text import write_text
from searchain.documents.writer import Writer, title_of
from searchain.errors import DocumentRefused
from searchain.safe_text import one_line

MAX_MESSAGES = 10_000
"""Most messages of a mailbox that are read."""
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_STUB = 0.2  # the plain text of a message is a stub if it has less than this share of the words of its HTML


def read(content: bytes, writer: Writer) -> str | None:
    """Write one message or those of a mailbox, the first ones if there are too many.

    Return the subject of a message with its sender and date; ``None`` for a mailbox.
    """
    reader = _Reader(writer)
    if content.startswith(b"From "):
        reader.write_all(list(_messages(content)))
    else:
        message = _parsed(content)
        if not any(message[name] for name in _HEADERS):
            raise DocumentRefused("failed", "The name says mail, but the file has no lines such as From: and Date:.")
        reader.write(message, 1)
    writer.leave_out(reader.others, reader.files)
    return None if writer.labels else title_of(None, writer)


def _parsed(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _messages(content: bytes) -> Iterator[bytes]:
    """Part a mailbox at the lines ``From address date`` that follow a blank line and stand above a header."""
    found: list[bytes] = []
    for piece in (b"\n\n" + content.replace(b"\r\n", b"\n").lstrip()).split(b"\n\nFrom "):
        lines = piece.split(b"\n", 2)
        if len(lines) > 1 and b":" in lines[1] and b" " not in lines[1].partition(b":")[0]:
            if found:
                yield b"\n\nFrom ".join(found)
            found = [piece.partition(b"\n")[2].replace(b"\n>From ", b"\nFrom ")]
        elif found:
            found.append(piece)
    if found:
        yield b"\n\nFrom ".join(found)


def _header(message: EmailMessage, name: str) -> str:
    try:
        return one_line(str(message[name] or ""))
    except (ValueError, AttributeError, IndexError):  # of the parser of addresses and dates, on damaged headers
        return ""


class _Reader:
    """Writes messages, and keeps what of them is not read."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.files: list[str] = []
        self.others: Counter[str] = Counter()

    def write_all(self, messages: Sequence[bytes]) -> None:
        """Write the messages of a mailbox."""
        count = len(messages)
        for number, content in enumerate(messages[:MAX_MESSAGES], 1):
            message = _parsed(content)
            self._writer.label(f"message {number:,} of {count:,} ({_header(message, 'Subject') or 'no subject'})")
            self.write(message, 1)
        if count > MAX_MESSAGES:
            self._writer.unread.append(f"{count - MAX_MESSAGES:,} of {count:,} messages")

    def write(self, message: EmailMessage, level: int) -> None:
        """Write a message under its subject with its sender and date, then those that are attached to it."""
        headers = {name: value for name in _HEADERS if (value := _header(message, name))}
        sender = headers.get("From", "").partition(" <")[0].strip('"')
        about = ", ".join(filter(None, (sender, " ".join(headers.get("Date", "").split()[:4]))))
        subject = headers.get("Subject", "Message without a subject")
        self._writer.put_block(BlockKind.HEADING, f"{subject} ({about})" if about else subject, level=level)
        for name, value in headers.items():
            self._writer.put_block(BlockKind.PARAGRAPH, f"{name}: {value}")
        self._writer.put("\n")  # else the last header and the first sentence would be one
        self._write_body(message, level)
        for part in _parts(message):
            self._write_part(part, level)

    def _write_body(self, message: EmailMessage, level: int) -> None:
        """Write the plain text of a message, or its HTML if the plain text says hardly anything."""
        plain, page = (_content(message.get_body((kind,))) for kind in ("plain", "html"))
        blocks = _blocks(page, level)
        if len(plain.split()) < _STUB * sum(len(block.text.split()) for block in blocks):
            write(blocks, self._writer)
        else:
            _write_plain(plain, self._writer)

    def _write_part(self, part: MIMEPart, level: int) -> None:
        kind, name = part.get_content_type(), one_line(part.get_filename() or "")
        if kind == "message/rfc822" and isinstance(inner := part.get_payload(0), EmailMessage):
            self.write(inner, level + 1)
        elif kind == "text/html" and not name:
            write(_blocks(_content(part), level), self._writer)
        elif part.get_content_maintype() in ("text", "message", "multipart") and not name:
            _write_plain(_content(part), self._writer)
        elif kind in ("application/pgp-encrypted", "application/pkcs7-mime"):
            self.others["encrypted message"] += 1
        elif kind.startswith("image/") and part["Content-ID"]:
            self.others["picture"] += 1
        else:
            self.files.append(name or f"{kind} without a name")


def _parts(message: EmailMessage) -> Iterator[MIMEPart]:
    """Yield the parts of a message besides its text."""
    body = {id(part) for kind in ("plain", "html") if (part := message.get_body((kind,)))}
    waiting: list[MIMEPart] = [message]
    while waiting:
        part = waiting.pop(0)
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            waiting = [*part.iter_parts(), *waiting]
        elif id(part) not in body and part is not message:
            yield part


def _content(part: MIMEPart | None) -> str:
    """Return the text of a part, whatever its encoding is said to be."""
    payload = part.get_payload(decode=True) if part is not None else None
    if part is not None and part.is_multipart():  # such as a report about the delivery of a message
        return "\n".join(str(inner) for inner in part.iter_parts())
    if part is None or not isinstance(payload, bytes):
        return ""
    stated = part.get_content_charset()
    return decode(payload, None if stated == "us-ascii" else stated)  # programs state that without a look at the text


def _blocks(page: str, level: int) -> list[HtmlBlock]:
    """Return the blocks of a page in a message whose heading has ``level``."""
    found = blocks_of(parse(page)) if page.strip() else []
    return [replace(one, level=one.level + level) if one.kind is BlockKind.HEADING else one for one in found]


def _write_plain(text: str, writer: Writer) -> None:
    """Write the paragraphs of a message; those of earlier messages that it quotes begin with ``>``."""
    for is_quote, lines in groupby(text.split("\n"), lambda line: line.startswith(">")):
        if is_quote:
            quoted = "\n".join(line.lstrip("> ") for line in lines)
            for paragraph in quoted.split("\n\n"):
                writer.put_block(BlockKind.PARAGRAPH, f"> {' '.join(paragraph.split())}" if paragraph.strip() else "")
        else:
            write_text("\n".join(lines), writer)
