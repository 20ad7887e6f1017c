"""Which language an utterance is written in, where that is not English, by scripts and function words."""

from __future__ import annotations

import re
import unicodedata

ENGLISH_ONLY = "I read English only. Please ask your question in English."
IN_LANGUAGE = {
    "Spanish": "Solo leo inglés. Por favor, haga su pregunta en inglés.",
    "French": "Je ne lis que l’anglais. Veuillez poser votre question en anglais.",
    "German": "Ich lese nur Englisch. Bitte stellen Sie Ihre Frage auf Englisch.",
    "Italian": "Leggo solo l’inglese. Per favore, faccia la sua domanda in inglese.",
    "Portuguese": "Só leio inglês. Por favor, faça a sua pergunta em inglês.",
    "Russian": "Я читаю только по-английски. Пожалуйста, задайте вопрос на английском языке.",
    "Chinese": "我只能阅读英文。请用英文提问。",
    "Arabic": "أنا أقرأ الإنجليزية فقط. من فضلك اطرح سؤالك بالإنجليزية.",
    "Hindi": "मैं केवल अंग्रेज़ी पढ़ता हूँ। कृपया अपना प्रश्न अंग्रेज़ी में पूछें।",
    "Turkish": "Yalnızca İngilizce okuyorum. Lütfen sorunuzu İngilizce sorun.",
}
"""The same as ``ENGLISH_ONLY`` in the languages that are met most often."""

_SCRIPTS = {
    "CYRILLIC": "Russian",
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "ARABIC": "Arabic",
    "DEVANAGARI": "Hindi",
    "GREEK": "Greek",
    "HEBREW": "Hebrew",
    "THAI": "Thai",
    "BENGALI": "Bengali",
    "TAMIL": "Tamil",
    "TELUGU": "Telugu",
    "GEORGIAN": "Georgian",
    "ARMENIAN": "Armenian",
}
_ASKING = {
    "Spanish": "qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas quien quienes cual "
    "cuales cuando "
    "donde cuanto cuanta cuantos cuantas dime dígame",
    "French": "qui quel quelle quels quelles où quand comment combien pourquoi qu'est est-ce quoi dis-moi",
    "German": "wer wen wem wessen wann wo wie warum welche welcher welches welchen wieviel wieviele weshalb wohin "
    "woher sag",
    "Italian": "chi quale quali quando dove quanto quanta quanti quante perché perche cosa cos'è qual dimmi",
    "Portuguese": "quem qual quais quando onde como quanto quanta quantos quantas quê porquê",
    "Turkish": "kim kimdir ne nedir nerede neresi neresidir hangi nasıl kaç neden niçin midir mudur mıdır müdür zaman",
    "Dutch": "wie waar wanneer hoe waarom welke welk hoeveel",
    "Polish": "kto gdzie kiedy jak dlaczego który która które ile jaka jaki jakie",
    "Swedish": "vem vad var när hur varför vilken vilket",
}
"""Words that questions begin with."""
_OTHERS = {
    "Spanish": "es son fue era el la los las un una de del en por que se su y está hay más escribió capital con "
    "mi muy tiene me",
    "French": "est sont était le la les un une des du de d en dans et que je tu il elle nous vous a été écrit mon "
    "ma pas ne ce c l y sur",
    "German": "ist sind war waren der die das den dem des ein eine einen und von im in hat haben wurde ich du er "
    "sie es nicht mit für auf gibt heißt zu mir",
    "Italian": "è sono era il lo la gli le un una di del della dei in e che ha hanno scritto si mi non con per da si",
    "Portuguese": "é são foi era o a os as um uma de do da dos das em no na e que escreveu está se eu não com por",
    "Turkish": "bir ve bu için ile en da de mi mı mu yazdı başkenti kadar çok türkiye türkiye'nin var kuruldu "
    "oldu ben bana",
    "Dutch": "is de het een van en in zijn heeft was werd ik niet met voor op dat ligt",
    "Polish": "jest są był była w na i z do nie się to napisał o",
    "Swedish": "är och en ett det som i på av har inte med för jag skrev",
}
"""Function words."""
_STRONG = frozenset(
    "quién quiénes cuándo dónde cuántos cuántas cuánto dígame pourquoi combien est-ce qu'est dis-moi wer warum "
    "wieviel weshalb perché cos'è dimmi quem "
    "kimdir nedir neresidir nerede hangi niçin waarom hoeveel dlaczego gdzie kiedy varför".split()
)
"""Words that questions begin with, one of which is enough to tell the language."""
_OPENINGS = {
    "German": r"(?:was|wie) (?:ist|sind|war|waren|hat|haben|heißt|bedeutet|macht)\b",
    "Dutch": r"wat (?:is|zijn|was) (?:de|het|een)\b",
    "Spanish": r"(?:que|como) (?:es|son|fue|se|significa) (?!sera)",
    "Portuguese": r"o que (?:é|são|foi)\b",
    "French": r"(?:c'est quoi|qu'est-ce)\b",
}
_PHRASES = {
    "Spanish": "hola|gracias|muchas gracias|buenos días|buenos dias|buenas tardes|buenas noches|adiós|adios|hola "
    "amigo|hola qué tal|hola que tal|"
    "cómo estás|como estas|por favor",
    "French": "bonjour|bonsoir|salut|merci|merci beaucoup|au revoir|ça va|ca va|s'il vous plaît|comment allez-vous",
    "German": "hallo|guten tag|guten morgen|guten abend|danke|danke schön|vielen dank|tschüss|auf wiedersehen|wie "
    "geht's|wie geht es dir|servus|moin",
    "Italian": "ciao|buongiorno|buonasera|grazie|grazie mille|arrivederci|come stai",
    "Portuguese": "olá|ola|obrigado|obrigada|bom dia|boa tarde|boa noite|tudo bem|oi tudo bem",
    "Turkish": "merhaba|teşekkürler|teşekkür ederim|günaydın|selam|nasılsın",
    "Dutch": "goedemorgen|goedendag|dank je|dank u|bedankt",
    "Polish": "cześć|dzień dobry|dziękuję",
    "Swedish": "hej|tack|god morgon",
    "Japanese": "konnichiwa|arigato|arigatou",
    "Hindi": "namaste|namaskar|dhanyavaad|shukriya",
    "Arabic": "salam|salaam|as-salamu alaykum|salam alaikum|marhaba|shukran",
    "Russian": "privet|spasibo|zdravstvuyte",
    "Chinese": "ni hao|nihao|xie xie|xiexie",
}
"""Greetings and thanks."""
_ENGLISH = frozenset(
    "the of and is are was were what who whom whose which when where why how did does do in to for on with by "
    "from that this it its has have had "
    "can could would about name tell me first called known between an be as at not or".split()
)
_SHARED = frozenset("a an as do in is me on no son am die was war hat she y".split())


def foreign_language(question: str) -> str | None:
    """Return the English name of the language of a question that is not in English; ``None`` for English.

    A foreign name, or the title of a work, inside or instead of a question is not a sign of another language.

    >>> foreign_language("¿Quién escribió Don Quijote?"), foreign_language("Кто написал «Войну и мир»?")
    ('Spanish', 'Russian')
    >>> foreign_language("Who wrote La vie en rose?"), foreign_language("La Vie en rose"), foreign_language("what is π")
    (None, None, None)
    """
    if language := _by_script(question):
        return language
    folded = unicodedata.normalize("NFKC", question).casefold().replace("’", "'")
    said = re.sub(r"[^\w\s'-]", " ", folded).split()
    phrase = " ".join(said)
    for name, phrases in _PHRASES.items():
        if re.fullmatch(rf"(?:{phrases})(?: amigo| amigos| amico| a tous| à tous)?", phrase):
            return name
    if opened := next((name for name, opening in _OPENINGS.items() if re.match(opening, phrase)), None):
        return opened
    found = max(_scores(question, said), default=None)
    return found[1] if found else None


def reply_in(language: str) -> str:
    """Return the request to ask in English, in English and, where it is known, in ``language``."""
    own = IN_LANGUAGE.get(language)
    return f"{ENGLISH_ONLY} {own}" if own else ENGLISH_ONLY


def _by_script(question: str) -> str | None:
    """The language of the script that half of the letters and more belong to."""
    letters = [character for character in question if character.isalpha()]
    scripts = [unicodedata.name(character, "LATIN").split()[0].split("-")[0] for character in letters]
    foreign = [script for script in scripts if script in _SCRIPTS]
    has_english = not _ENGLISH.isdisjoint(re.findall(r"[a-z]+", question.casefold()))
    if len(foreign) < 2 or len(foreign) * 2 <= len(letters) or has_english:
        return None
    if {"HIRAGANA", "KATAKANA"} & set(foreign):
        return "Japanese"
    return _SCRIPTS[max(set(foreign), key=foreign.count)]


def _scores(question: str, said: list[str]) -> list[tuple[int, str]]:
    """How many words of each language there are, where they are enough to tell it."""
    words = list(dict.fromkeys(part for word in said for part in (word, *re.split(r"['-]", word)) if part))
    english = sum(word in _ENGLISH and word not in _SHARED for word in said)
    scores = []
    for name, asking in _ASKING.items():
        asks = set(asking.split())
        function = set(_OTHERS[name].split()) - _SHARED
        number = len({word for word in words if word in function or word in asks})
        opens = any(word in asks for word in words[:3]) or (
            name == "Turkish" and any(word in asks for word in words[-2:])
        )
        is_marked = name == "Spanish" and "¿" in question
        is_marked |= english == 0 and any(word in _STRONG and word in asks for word in (*words[:2], *words[-2:]))
        has_verbs = number >= 4 and number * 2 >= len(said)
        if english * 2 < number and (
            (opens and number >= 2 and number * 3 >= len(said)) or is_marked or (has_verbs and english == 0)
        ):
            scores.append((number + is_marked, name))
    return scores
