"""Questions about this program itself ("how do I share this?"), and what is answered to them.

A pattern has to match all that was said, as ``small_talk.plain`` writes it. Each names a part of this program, so that
a question about the world ("how do I export coffee from Kenya") is looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 120
"""Most characters of a question about the program."""


@dataclass(frozen=True, slots=True)
class _Topic:
    """A part of the program: patterns of the questions about it, and the reply to them."""

    patterns: tuple[str, ...]
    reply: str


_ASKED = (
    r"(?:(?:hi|hello|hey|ok|okay|so|and|but|please|sorry|also|then)(?: there)? )?"
    r"(?:(?:can|could) you (?:please )?(?:tell|show) me |(?:please )?(?:tell|show) me |i want to know |do you know )?"
)
_HOW = (
    r"(?:(?:how|where) (?:do|can|could|should|would|must|may|might) (?:i|we|you|one)(?: (?:actually|best|then|now|just))?"
    r"|(?:how|where) to|(?:how|where) (?:i|we) can|(?:can|could|may) (?:i|we)|am i able to|are we able to"
    r"|is (?:it|there) (?:possible|a way|any way|an option|a button)(?: for me| for us)? to"
    r"|i (?:want|would like|need) to|what (?:do|should|must) i (?:do|click|press|click on) to"
    r"|(?:which|what) button do i (?:press|click) to)"
)
_HERE = (
    r"(?: (?:here|please|too|again|later|now|then|somewhere|online|in this (?:chat|app|program)|on this (?:page|site)|on the page"
    r"|in the (?:app|chat|program)|in searchain|in the (?:shell|terminal)|of this (?:page|site|app|program)))*"
)
_WITH = (
    r"(?: (?:with|to) (?:(?:a|an|my|our|the|another|some|other) )?(?:someone(?: else)?|somebody(?: else)?|others|people|friends?|colleagues?"
    r"|coworkers?|teachers?|students?|boss|team|class|family|person|everyone|a link)"
    r"| as (?:an? )?(?:link|pdf|file|text|markdown|html|word(?: file| document)?|csv|json|web page|document))*"
)
_ONE = r"(?:(?:my|our|own|an?|the|this|that|these|those|some|any|another|other|more|new|old|one|all|several|many|few|of|local|whole|entire|previous|past|last|earlier) ){0,4}"
_FILES = rf"{_ONE}(?:files?|documents?|docs?|pdfs?|pdf (?:files?|documents?)|word (?:files?|documents?)|text files?|csv files?|epubs?|uploads?)"
_CHAT = rf"{_ONE}(?:conversations?|chats?|chat history|history|threads?|sessions?|discussions?)"
_REPLY = rf"{_ONE}(?:answers?|repl(?:y|ies)|responses?|results?)"
_THIS = "(?:this|that|it|everything|all this|all of this)"

_FILES_REPLY = (
    "Yes, you can search your own files. On the page, drop them anywhere, or open “Documents” (▤) beside the question; "
    "in the shell, “assistant.py documents add FILE --collection NAME”."
)
_TOPICS = (
    _Topic(
        (
            rf"{_HOW} (?:add|upload|import|attach|load|include|insert|drop|search|search in|search through|ask about|ask questions about|"
            rf"query|use|open|read|analy[sz]e|send you|give you|show you|chat with|put in) {_FILES}{_HERE}",
            rf"{_HOW} (?:upload|attach|import|add) (?:something|anything|things|stuff|my (?:own )?(?:data|notes|texts|papers|books?|thesis|report)){_HERE}",
            rf"(?:how|where) (?:do|can) i upload{_HERE}",
            rf"(?:can|could|do|will|are) you (?:able to )?(?:read|search|use|open|look at|look into|look through|analy[sz]e|work with|take|accept|support|answer questions about|handle) "
            rf"{_FILES}{_HERE}",
            rf"(?:what|which) (?:file types?|file formats?|formats?|kinds? of files?|types? of files?|files?) (?:do you (?:support|accept|read|take)|can i (?:upload|add|use|import)|are supported){_HERE}",
            r"(?:where|what) (?:is|are) (?:my|your) (?:documents|files|uploads|uploaded files|uploaded documents)",
        ),
        _FILES_REPLY,
    ),
    _Topic(
        (rf"{_HOW} (?:remove|delete|erase|take away|get rid of) {_FILES}{_HERE}",),
        "On the page, open “Documents” (▤) beside the question and choose “Remove” beside the document. In the shell, "
        "“assistant.py documents remove” does it, and “documents erase” also covers quotes.",
    ),
    _Topic(
        (
            rf"{_HOW} share (?:{_THIS}|{_CHAT}|{_REPLY}|{_ONE}(?:page|link|sources)){_WITH}{_HERE}",
            rf"{_HOW} share{_HERE}|{_HOW} share {_THIS} {_CHAT}{_WITH}",
            rf"{_HOW} (?:send|forward|show) (?:{_THIS}|{_CHAT}|{_REPLY})(?: (?:with|to) (?:(?:a|my|the|another) )?\w+){_HERE}",
            rf"{_HOW} (?:get|make|create|copy|send) (?:a|the) (?:share |public )?link(?: (?:to|of|for) (?:{_THIS}|{_CHAT}|{_REPLY})){_HERE}",
            rf"{_HOW} (?:revoke|remove|delete|end|withdraw|undo) (?:(?:my|the|a|this) )(?:shared |share |public )?link(?:s)?{_HERE}",
        ),
        "On the page, open “Share” in the top line and choose “Make a link”: whoever has it can read the conversation. "
        "You can revoke it there. In the shell, “assistant.py logs share” makes one.",
    ),
    _Topic(
        (rf"{_HOW} (?:copy|quote) (?:{_THIS}|{_REPLY}){_WITH}{_HERE}",),
        "On the page, “Copy” below a reply copies it alone, with its sources, or as Markdown. “Export” in the top line "
        "saves whole conversations.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:export|download|save|print|print out|back up|keep|archive) (?:{_THIS}|{_CHAT}|{_REPLY}|{_ONE}page|{_ONE}sources|{_ONE}citations){_WITH}{_HERE}",
            rf"{_HOW} (?:export|print){_HERE}|{_HOW} (?:export|save|download) (?:to|as) (?:a )?(?:pdf|file|markdown|html|word|csv|text|json|bibtex){_HERE}",
            rf"{_HOW} cite (?:this|that|it|this (?:answer|reply|chat|conversation)|an answer|a reply|your answers?){_HERE}",
        ),
        "On the page, open “Export” in the top line and choose a format, such as a page to read, Markdown or BibTeX. In "
        "the shell, “assistant.py export” writes conversations to a file.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:delete|remove|erase|clear|get rid of|wipe|rename|discard) (?:{_CHAT}|(?:this|everything|all of this)|my data|the title of {_CHAT}){_HERE}",
        ),
        "On the page, each conversation in the list on the left has buttons to rename and to delete it. In the shell, "
        "“assistant.py logs delete” deletes turns or whole conversations for good.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:start|begin|open|create|make|have|get) (?:a |an |another )?(?:new |another |fresh |empty |different |second )+(?:conversation|chat|thread|session|topic|discussion){_HERE}",
            rf"{_HOW} start (?:over|afresh|from scratch|all over){_HERE}|(?:start |begin |open )?(?:a )?new (?:chat|conversation)",
            rf"{_HOW} (?:reset|restart) (?:the |this |my )(?:conversation|chat){_HERE}",
        ),
        "On the page, choose “New conversation” at the top left; on a phone it is “+ New”. In the shell, each "
        "“assistant.py ask” begins anew.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:see|find|open|view|show|get back to|go back to|return to|continue|search|reopen|read) (?:{_ONE}(?:conversations|chats|chat history|conversation history|search history)|my (?:old |last |previous )?(?:history|chat|conversation|questions)|(?:an? |the |my )(?:old|earlier|previous|past|last) (?:chat|conversation)){_HERE}",
            r"where (?:is|are) (?:my|the) (?:(?:old|earlier|previous|past) )?(?:chat |conversation )?(?:history|chats|conversations)",
        ),
        "On the page, your conversations stand in the list on the left, with a search above them. In the shell, "
        "“assistant.py logs list” and “logs search” find them.",
    ),
    _Topic(
        (
            r"(?:is there|do you have|does (?:it|this|this (?:page|site|app)|the (?:page|site|app)|searchain) have|have you got) (?:a |an |any )?(?:dark|light|night)(?: or (?:dark|light))? (?:mode|theme)"
            + _HERE,
            rf"{_HOW} (?:turn on|turn off|switch on|switch off|switch to|enable|disable|activate|use|get|set|change to|change|have|find|toggle) (?:the |a )?(?:dark|light|night|colou?r) (?:mode|theme){_HERE}",
            rf"{_HOW} (?:turn|switch) (?:the )?(?:dark|light|night) mode (?:on|off){_HERE}",
            rf"{_HOW} (?:make|turn|change) (?:it|this|the (?:page|screen|site|background)|this page) (?:to )?(?:dark|light|darker|black|white){_HERE}",
            rf"{_HOW} change (?:the )?(?:theme|colou?rs|colou?r scheme|appearance){_HERE}|(?:dark|night) mode(?: on| off)?",
        ),
        "Yes. The page is dark or light as your browser or system is set; it has no button of its own for that.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:change|set|choose|switch|select|pick) (?:the |your |my |another |a different |a )?(?:display |interface |page |user interface )?language(?: of (?:the|this) (?:page|site|app|interface))?(?: to [a-z]+)?{_HERE}",
            r"(?:is|are) (?:this|it|the (?:page|site|app|interface)|this (?:page|site|app)) (?:also )?(?:available )?in (?:other languages|another language|chinese|german|french|spanish|russian)",
            rf"{_HOW} (?:have|see|get|use|read) (?:this|it|this page|the page|the interface|this site) in (?:another language|chinese|german|french|spanish|my language|other languages){_HERE}",
        ),
        "On the page, open the settings (⚙) beside the question; “Language of this page” is at their end. Questions, "
        "passages and replies stay English.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:see|find|open|view|show|check|read|look at|get|verify|access) (?:the|your|its|their|these|all|all the|my|some|any)? ?(?:sources?|citations?|references?|passages?|evidence|quotes?)(?: (?:of|for|behind) (?:{_REPLY}|{_THIS}|a sentence|the sentences))?{_HERE}",
            rf"{_HOW} (?:check|verify|prove) (?:(?:the|an|this|that|your) (?:answers?|repl(?:y|ies))|if (?:this|that|it|the answer|your answer) is (?:true|right|correct)){_HERE}",
            rf"{_HOW} (?:open|click|click on|read) (?:a|the) (?:source|citation|passage|reference){_HERE}",
            r"where (?:are|is) (?:the|your|all the) (?:sources?|citations?|references|evidence)(?: here| shown| listed)?",
            r"what (?:do|does|are|is) (?:the|these|those) (?:little |small |blue )?(?:numbers?|brackets|numbers in (?:the )?brackets|marks)(?: in (?:the )?(?:brackets|answers?|repl(?:y|ies)))?(?: mean| for)?",
        ),
        "Each number such as [1] in a reply opens the passage that it cites. On the page, all sources of a reply stand "
        "beside it, on a phone below “Sources”; the shell lists them below the reply.",
    ),
    _Topic(
        (
            r"what (?:does|do|is meant by|is the meaning of|do you mean by|do you mean with|is)(?: it mean when (?:it|you|the page|an answer|a reply) says?)? (?:the )?(?:(?:label|sign|word|words|badge) )?not sure(?: (?:label|sign|badge))?(?: mean(?:s)?)?(?: here)?",
            r"what (?:does|do) (?:the )?(?:(?:label|sign|badge|word) )?(?:supported|not found|likely right|probably wrong)(?: (?:label|sign|badge))? mean(?: here)?",
            r"what (?:does|do) the (?:green |little |small )?(?:ticks?|check ?marks?|question marks?|signs?|labels?|badges?)(?: (?:above|below|beside|on|before|in|over) (?:the|an|a|each|your) (?:answers?|repl(?:y|ies)))? (?:mean|stand for)(?: here)?",
            r"why (?:are you|is it|is this|is that|is (?:the|this|that|your) (?:answer|reply)|does it say|do you say|it says) not sure(?: (?:about (?:it|this|that)|here))?",
        ),
        "“Supported” (✓) is a reply that the passages bear out, right at least 9 times in 10. “Not sure” (?) is one whose "
        "odds are lower or unknown: check its passages. “Not found” has no answer.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:ask|use|try|switch to|switch|change|choose|select|pick|compare|set|get) (?:to )?(?:an?|the|your|another|other|the other|a different|different|two|a better|a larger|a bigger|which|several|some other)? ?(?:other |different |better |larger |bigger |language |ai )*(?:models?|methods?|llms?|ai){_HERE}(?: (?:i use|to use|you use|for this(?: question)?|answers?))?",
            rf"{_HOW} (?:ask|use|try) another (?:one|ai model|language model){_HERE}",
        ),
        "On the page, choose the model or the method in the settings (⚙) beside the question, or “Ask another method” below "
        "a reply. In the shell, use the option “--model”.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:change|edit|correct|rephrase|fix) (?:my|the|a|this) (?:last |previous )?question{_HERE}",
            rf"{_HOW} (?:retry|ask (?:this|it|that|the same(?: question)?|my question) again|get another answer|regenerate (?:this|it|the (?:answer|reply)))(?: here)?",
            rf"{_HOW} (?:stop|cancel|interrupt|abort) (?:it|this|you|the (?:answer|reply|run|search|question)|an answer|a reply){_HERE}",
        ),
        "On the page, “Edit” beside your question asks it with other words, “Retry” below the reply asks it again, and "
        "“Stop” beside the question box ends a run. In the shell, Ctrl+C ends it.",
    ),
    _Topic(
        (
            rf"{_HOW} (?:find|open|change|see|edit|get to|reset) (?:the |my |your )?(?:settings|options|preferences){_HERE}",
            r"where (?:are|is) (?:the|my|your) (?:settings|options|preferences)(?: here| menu)?",
        ),
        "On the page, the settings (⚙) are beside the question. In the shell, “assistant.py ask --help” lists the options.",
    ),
)
_UNMISTAKABLE = re.compile(
    r"\b(?:here|chats?|conversations?|this|it|everything|not sure|another (?:model|method)"
    r"|(?:my|our|more|another)(?: own)? (?:files?|documents?|docs?|pdfs?)|(?:answers?|repl(?:y|ies))|the sources|your sources)\b"
)
"""What only this program can mean, even where a collection of documents may explain other programs."""


def program_reply(said: str, *, has_documents: bool = False) -> str | None:
    """Return the reply to a question about this program; ``None`` for any other question.

    Args:
        said: the question as ``small_talk.plain`` writes it.
        has_documents: own documents are searched, which may be what "how do I change the language" asks about.

    >>> program_reply("how do i share this")[:37], program_reply("how do plants share nutrients")
    ('On the page, open “Share” in the top ', None)
    >>> program_reply("how do i change the language", has_documents=True) is None
    True
    """
    if len(said) > LONGEST or (has_documents and not _UNMISTAKABLE.search(said)):
        return None
    asked = re.sub(rf"^{_ASKED}", "", said)
    return next((topic.reply for topic in _TOPICS if any(re.fullmatch(one, asked) for one in topic.patterns)), None)
