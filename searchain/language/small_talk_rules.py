"""What tells small talk from a question to a library: the kinds, their patterns and what is answered to each.

A pattern is tried on what was said as ``small_talk.plain`` writes it: lower case, short forms written out, no punctuation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from searchain.language import languages


class Kind(StrEnum):
    """What an utterance is instead of a question to a library."""

    GREETING = "greeting"
    THANKS = "thanks"
    COMPLAINT = "complaint"
    FAREWELL = "farewell"
    ABOUT = "about"
    CALCULATION = "calculation"
    LIVE = "live"
    CREATIVE = "creative"
    TRANSLATION = "translation"
    CODE = "code"
    OPINION = "opinion"
    PERSONAL = "personal"
    IMPOSSIBLE = "impossible"
    HISTORY = "history"
    GIBBERISH = "gibberish"
    INSTRUCTION = "instruction"
    PROGRAM = "program"
    """A question about a part of this program, such as how to share a conversation."""
    DOCUMENTS = "documents"
    """A question about own documents where none are searched."""
    LANGUAGE = "language"
    """A question in another language than English."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Utterances of one kind: patterns for all that was said, as ``plain`` writes it."""

    kind: Kind
    patterns: tuple[str, ...]

    def matches(self, said: str) -> bool:
        return any(re.fullmatch(pattern, said) for pattern in self.patterns)


REPLIES = {
    Kind.GREETING: "Hello! Ask me something, and I will look it up.",
    Kind.THANKS: "All right! Ask me anything else that you want to know.",
    Kind.COMPLAINT: "I am sorry about that. Please ask again in other words, naming what you mean, or open the sources "
    "of a reply and check it.",
    Kind.FAREWELL: "Goodbye! Come back when there is something to look up.",
    Kind.ABOUT: "I am SearChain. I split a question into steps, search passages for each "
    "of them, and answer with numbered sources that you can open and check.",
    Kind.CALCULATION: "I do not calculate: a calculator will serve you better here.",
    Kind.LIVE: "I know nothing of what happens right now: no clock, weather, news, scores, prices or traffic. My collection "
    "does not change from day to day.",
    Kind.CREATIVE: "I do not write or invent texts: all that I say is written in my collection.",
    Kind.TRANSLATION: "I do not translate: I read and answer in English.",
    Kind.CODE: "I do not write, explain or run code.",
    Kind.OPINION: "I have no opinions and give no advice. I can only look up facts that may help you to decide.",
    Kind.PERSONAL: "I am a program for looking things up: I know nothing about you, and I cannot help with personal "
    "matters. If something troubles you, somebody you trust can help better.",
    Kind.IMPOSSIBLE: "I cannot do that: I open no files, links, accounts or apps, and I do nothing but look things up.",
    Kind.HISTORY: "There is nothing before this that I could go on with. Please ask a whole question.",
    Kind.GIBBERISH: "I could not read a question in that. Please write it in words.",
    Kind.INSTRUCTION: "I take questions only, and follow no instructions about how I work.",
    Kind.DOCUMENTS: "No documents of yours are searched here. Choose a collection of them, and ask again.",
    Kind.PROGRAM: "The documentation of this program says how it is used; `assistant.py --help` lists its commands.",
    Kind.LANGUAGE: languages.ENGLISH_ONLY,
}
"""What is answered to each kind."""

HISTORY_REPLY = (
    "I cannot search for that, because it names nothing to look up; what was said stands above. Please ask about one "
    "thing in it by its name."
)
"""What is answered to "more" where something was said before."""


SHORT = {
    "u": "you", "ur": "your", "r": "are", "wat": "what", "wht": "what", "wut": "what", "whats": "what is",
    "what's": "what is", "who's": "who is", "whos": "who is", "where's": "where is", "wheres": "where is",
    "how's": "how is", "hows": "how is", "it's": "it is", "that's": "that is", "thats": "that is", "i'm": "i am",
    "im": "i am", "i've": "i have", "ive": "i have", "i'll": "i will", "you're": "you are",
    "youre": "you are", "we're": "we are", "pls": "please", "plz": "please", "plez": "please", "thx": "thanks",
    "thnx": "thanks", "thanx": "thanks", "tnx": "thanks", "thnks": "thanks", "ty": "thank you", "tysm": "thank you",
    "tks": "thanks", "gonna": "going to", "wanna": "want to", "gimme": "give me", "dunno": "do not know",
    "don't": "do not", "dont": "do not", "can't": "cannot", "cant": "cannot", "couldn't": "could not",
    "didn't": "did not", "didnt": "did not", "isn't": "is not", "isnt": "is not", "wasn't": "was not",
    "tmrw": "tomorrow", "2day": "today", "today's": "todays", "tonite": "tonight", "ppl": "people", "b4": "before",
    "abt": "about", "cn": "can", "ya": "you", "n": "and", "gr8": "great", "favorite": "favourite",
    "when's": "when is", "whens": "when is", "why's": "why is", "let's": "let us", "lets": "let us", "there's": "there is",
    "haven't": "have not", "won't": "will not", "doesn't": "does not", "doesnt": "does not", "aren't": "are not",
    "i'd": "i would", "you've": "you have", "shouldn't": "should not", "what're": "what are", "y": "why",
    "whatsup": "what is up", "wassup": "what is up", "wazzup": "what is up", "whassup": "what is up",
}  # fmt: skip
"""Short forms and slips of the fingers, which stand for themselves nowhere in small talk."""

POLITE = r"(?:please|kindly)"
REQUEST = rf"(?:(?:can|could|would|will) you (?:{POLITE} )?|{POLITE} |i (?:want|need|would like) you to |(?:ok |okay |so |now |well )|(?:hi|hello|hey)(?: there| searchain)? |searchain |do you know how to |are you able to |i would like you to |try to |just )"
ASKING = r"(?:who|whom|whose|what|which|when|where|why|how)\b"

GREETING = (
    "hi+|hihi|hello+|helo|hallo|hey+|heya|hiya|yo+|howdy|greetings|sup|gm|good (?:morning|afternoon|evening|day)|morning|evening|aloha"
    "|what is (?:up|new)|how are you(?: doing| feeling)?|how do you do|how is it going|how goes it|how is life|how are things|how is everything|how have you been"
    "|(?:it is )?(?:nice|pleased|glad|good|great) to (?:meet|see) you|are you there|anybody (?:here|there|home)|anyone (?:here|there)"
    "|long time(?: no see)?|(?:i )?hope (?:that )?you (?:are|have|had)(?: \\w+){1,5}|what is good|wassup|oi|ahoy|cheerio|top of the morning"
    "|long time no see|how is your day(?: going)?|hru"
)
FAREWELL = (
    "catch you|talk to you|bye+|bye for now|for now|goodbye|good bye|good night|gn|night night|see (?:you|ya)|cya|ttyl|brb|gtg|take care|farewell|have a (?:nice|good|great) "
    "(?:day|night|evening|weekend|one)|until next time|that (?:is|will be) all|i (?:have to|must|need to) go|so long"
)
THANKS = (
    "thank you|thanks|thank|thankyou|cheers|ok|okay|okey|k+|kk|cool|great|perfect|awesome|brilliant|excellent|amazing|wonderful|lovely"
    "|fantastic|wow|got it|gotcha|i see|understood|i understand|makes? sense|never ?mind|nvm|no|nope|yes|yeah|yep|yup|sure|alright"
    "|all right|fine|well done|good (?:job|bot|answer|work|one)|nice (?:one|job|work|answer)|you are welcome|no problem|no worries"
    "|sorry|my bad|oops|interesting|i (?:appreciate|like|love) (?:it|that|this)|(?:you are|your) the best|(?:that is )?all i needed(?: to know)?|not bad|true|right|works|deal|noted|super|neat|sweet|good to know|will do|fair enough|no way|really|appreciate (?:it|that)|appreciated|helpful|useful|lo+l|lmao|rofl|(?:ha){2,}h?"
    "|he(?:he)+|xd|hm+|you rock|lol|that helped|it helped|ta|ace|top|glad to hear|ok google|hey siri|alexa|oh|ah+|aha|omg|bravo|congrats|that is (?:right|correct|good|nice|funny|great)|i agree|exactly|of course"
)
FILLER = (
    "there|all|everyone|everybody|guys|folks|searchain|bot|robot|assistant|friend|buddy|mate|dude|man|bro|sir|dear|again|today|tonight|"
    "mate|best|what i was looking for|exactly|bunch|tomorrow|later|soon|around|then|now|you|and|but|so|very|much|really|a lot|lots|a million|that|this|it|was|is|for|your|the|help|"
    "answers?|explanation|information|info|me|to|too|just|what i (?:needed|wanted)|i|am|good|nice|doing|well|how about you|please|a|bunch"
)
REQUESTS = (
    Kind.CREATIVE,
    Kind.CODE,
    Kind.TRANSLATION,
    Kind.IMPOSSIBLE,
    Kind.INSTRUCTION,
    Kind.CALCULATION,
    Kind.OPINION,
)
OWN = (
    "answers?|information|info|data|database|sources?|knowledge|creators?|makers?|developers?|name|age|deal|purpose|program|code|prompt|rules|owner|boss|model|language|"
    "languages|training|job|story|function|task|goal|mission|capabilities|limits|limitations|skills|memory|brain|version|collection|corpus|library|articles|passages|replies|"
    "responses?|results|index|search engine|algorithm|system|cutoff|knowledge cutoff|name mean|gender|mother|father|parents|birthday|website|company"
)
COURTESIES = (Kind.GREETING, Kind.THANKS, Kind.FAREWELL)

LANGUAGE = (
    "(?:english|spanish|french|german|italian|portuguese|russian|chinese|mandarin|japanese|korean|arabic|hindi|turkish|dutch|polish|"
    "swedish|danish|norwegian|finnish|greek|latin|hebrew|czech|hungarian|romanian|ukrainian|thai|vietnamese|persian|swahili|irish|welsh)"
)
CODING = (
    r"(?:code|script|function|program|regex|regexp|regular expression|sql(?: query)?|query|class|algorithm|python|javascript|typescript|"
    r"html(?: page)?|css|bash|shell script|php|website|web ?page|app|unit tests?|docker ?file|macro|excel formula|loop|compiler|api)"
)
CODE_SIGNS = (
    r"\bprint\(|\bdef \w+\(|\bfor \w+ in range\b|console\.log|</?(?:div|html|script|body|p)\b|\bselect \*? ?from\b|^import \w+(?: as \w+)?$"
    r"|#include ?<|\bpublic static void\b|\bfunction ?\w*\(.*\) ?\{|```"
)
LINK = r"https?://|\bwww\.\w|\b[\w-]+\.(?:com|org|net|ly|io|co|gov|edu|me)/\S"
FILE = (
    r"^(?:please |can you |could you )*(?:read|open|load|see|check|summari[sz]e|analy[sz]e|look (?:at|into)|show|print|parse|explain|use)\b.*"
    r"\b[\w-]+\.(?:pdf|docx?|xlsx?|txt|csv|pptx?|jpe?g|png|gif|mp3|mp4|zip|json|py|html|md)\b"
)
UNIT = (
    "(?:kg|kilos?|kilograms?|grams?|g|lbs?|pounds?|oz|ounces?|stones?|km|kilomet(?:er|re)s?|miles?|mi|m|met(?:er|re)s?|cm|mm|feet|foot|ft|inch(?:es)?|yards?|lit(?:er|re)s?|"
    "ml|gallons?|cups?|pints?|tbsp|tsp|celsius|fahrenheit|c|f|kelvin|degrees|mph|kmh|kph|acres?|hectares?|seconds?|minutes?|hours?|days?|weeks?|months?|bytes?|kb|mb|gb|tb|"
    "usd|eur|gbp|yen|inr|dollars?|euros?|rupees?)"
)
CALCULATE = (
    r"(?:(?:what is|what's|whats|wats|what are|how much (?:is|are)|calculate|compute|solve|evaluate|calc|can you (?:calculate|compute)|"
    r"tell me|work out|please calculate|what does)\s*:?\s+)+"
)
NUMERAL = r"[-+]?\(*\s*\d+(?:\.\d+)?\s*\)*"
SUM = rf"{NUMERAL}(?:\s*[-–+*×÷/^x]\s*{NUMERAL})+"
SPOKEN = r"(?:\d+(?:\.\d+)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|a hundred)"
SPOKEN_SUM = (
    rf"{SPOKEN}(?: (?:plus|minus|times|divided by|multiplied by|over|to the power of|mod|modulo|x|\*|\+) {SPOKEN})+"
    rf"|\d+(?:\.\d+)? ?(?:%|percent|per cent) of \d+(?:\.\d+)?"
    r"|(?:the )?(?:square|cube|cubic) root of (?!(?:2|3|5)$)\d+(?:\.\d+)?|\d+(?:\.\d+)? (?:squared|cubed|factorial)"
    r"|(?:half|a (?:third|quarter)|the (?:sum|product|average|mean)) of \d+(?:\.\d+)?(?:(?:,| and|, and) \d+(?:\.\d+)?)*"
)

NOW = "(?:now|right now|just now|today|tonight|tomorrow|at the moment|currently|this (?:morning|afternoon|evening|week|weekend)|outside)"
LATELY = "(?:last night|yesterday|today|tonight|right now|now|just now|this (?:morning|afternoon|evening|weekend|week)|last weekend|at the moment)"
CLIMATE = r"(?!.*\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|usually|average|season|year|generally|typically|mars|venus|jupiter|saturn|space)\b)"
TEXT = (
    "(?:poems?|haikus?|limericks?|sonnets?|raps?|songs?|lyrics|story|stories|fairy ?tales?|tales?|jokes?|riddles?|puns?|essays?|letters?|"
    "e ?mails?|speech|speeches|blog(?: posts?)?|articles?|paragraphs?|cover letters?|tweets?|captions?|slogans?|screenplays?|dialogues?|"
    "toasts?|resumes?|cv|reports?|summary of my|verses?|rhymes?|novels?|short stories|birthday (?:card|message)|wedding speech|something|"
    "nursery rhymes?|bedtime stor(?:y|ies)|text|texts|fan ?fiction|advertisement|ad|product description|press release|diary entry)"
)
ADVISED = (
    "do|eat|wear|watch|read|buy|cook|say|write|get|learn|study|name|call|choose|play|make|order|drink|visit|listen to|give|go|invest|"
    "take|pick|use|start|tell|ask|become|be|choose"
)

OBJECT = r"(?:an?|the|my|our|me|us|this|that|these|those|it|some|any|another|all|everything|something|anything|him|her|them|\d+|two|three|five|ten|your)\b"
KEYWORD = (
    "cast|singer|artist|author|movie|film|song|album|lyrics|director|band|book|novel|quote|meaning|release date|writer|actors?|actress|"
    "series|tv show|show|episodes?|composer|characters?|plot|summary|genre|year|definition|origin|history|game|inventor|wikipedia|wiki|musical"
)
PLAIN_ORDER = r"(?:write|compose|translate|rewrite|pretend|summari[sz]e this|draw me|send an?|remind me|recommend me)\b"
ORDERS = (
    (
        Kind.CALCULATION,
        r"(?:convert|calculate|compute|solve|add|subtract|multiply|divide|integrate|factori[sz]e|simplify|derive|round)\b.*\d",
    ),
    (Kind.TRANSLATION, rf"(?:put|turn|change|convert|say|rewrite|write|give me)\b.*\b(?:in|into|to) {LANGUAGE}\b"),
    (
        Kind.CODE,
        rf"(?:convert|parse|sort|print|implement|code|program|debug|compile|refactor|loop|deploy|import|reverse)\b(?: {OBJECT})?.*\b(?:json|csv|xml|python|java|"
        rf"javascript|c|sql|html|css|code|array|string|function|script|bug|error|list|loop|php|bash|hello world)\b",
    ),
    (
        Kind.CREATIVE,
        rf"(?:write|compose|rewrite|rephrase|paraphrase|reword|brainstorm|draft)\b|(?:invent|imagine|continue|finish|complete|extend|create|generate|make up|rap|sing|recite|"
        rf"tell me|tell us|entertain|amuse|i need|i want|i would like|help me write|help me with|make) (?:an?|the|this|my|up|some|another|me an?) ?(?:[\w-]+ ){{0,3}}(?:{TEXT}|rhyme|text|happy birthday|lullaby|plot|character|world|recipe|"
        r"plan|list of|schedule|menu|quiz|game|name|password|title|speech|itinerary|workout)\b",
    ),
    (
        Kind.INSTRUCTION,
        rf"(?:pretend|imagine you|roleplay|obey|disregard|ignore|forget|repeat|respond|reply|answer) (?:{OBJECT}|only|with|in|what|previous|prior|about)"
        r"|from (?:here|this point|today) on\b|your (?:new |next |only |real )?(?:task|job|role|goal|mission|instruction|name) (?:is|will be)\b|(?:do not|stop|never|always) (?:use|cite|give|say|tell|answer|include|search|ask|mention|write|refuse|call|be|add|explain|think|apologi[sz]e)\b|just (?:say|answer|tell|reply|give|write)\b"
        r"|(?:system|admin|developer|root|sudo) (?:override|mode|message|prompt|command)|let us (?:play|pretend|roleplay|imagine)|you are (?:now |going to )?(?:an?|the|my)\b",
    ),
    (
        Kind.OPINION,
        rf"(?:recommend|suggest|advise|judge|rate|rank|choose|pick|decide|help me (?:choose|decide|pick|find)|convince|compliment|roast|praise|plan) {OBJECT}|"
        r"(?:recommend|suggest)\b|(?:am i|should i|will i (?!am)|shall i|do i|did i|have i|could i be|may i)\b|(?:is|are|does|do|will|did|was|has) my (?:wife|husband|"
        r"boyfriend|girlfriend|boss|mom|mum|mother|dad|father|kid|kids|son|daughter|dog|cat|phone|car|hair|job|crush|ex|relationship|life|salary|weight|computer|laptop)\b",
    ),
    (
        Kind.IMPOSSIBLE,
        r"(?!(?:give|show) me an? (?:\w+ )?(?:summary|overview|introduction|definition|description|comparison|list) (?:of|to|on|about|between) (?!my|our|this|that|your))"
        r"(?:draw|paint|sketch|play|open|close|start|launch|send|e ?mail|text|order|book|reserve|buy|sell|download|upload|install|uninstall|delete|erase|save|store|print|scan|copy|"
        r"paste|share|post|forward|attach|record|turn on|turn off|switch on|switch off|turn|set|schedule|cancel|remember|remind|memori[sz]e|note|add|remove|call|phone|ring|wake|"
        r"read|listen to|watch|look at|check|fix|repair|clean|cook|bake|bring|fetch|buy|pay|transfer|drive|navigate|follow|unlock|lock|search for|log|sign|show|find|help|do|take|"
        r"give|make|create|generate|design|build|edit|proofread|summari[sz]e|analy[sz]e|review|transcribe|compare these|count|keep|stop|put|teach|wait for) (?:up |in |out )?"
        r"(?:my|our|me an?|me some|me my|me the (?:way|money|news)|this|these|an? (?:e ?mail|message|text|alarm|timer|reminder|meeting|call|song|game|video|taxi|uber|pizza|picture|photo|image|file|flight|hotel|table|ticket|"
        r"reservation|appointment|website|app|note|post|tweet|copy|break|screenshot|drink|coffee|cake|bath|seat)|two|some (?:music|food|pizza|money|tea|coffee)|the (?:latest|last|lights?|door|tv|volume|music|radio|heating|alarm|"
        r"oven|file|files|attached|attachment|attachments|computer|app|window|news|garage|phone|following|car|uploaded|camera|link|page|next (?:episode|song|one)|text|document|article|story|pdf|message|messages|doctor|police))\b",
    ),
    (
        Kind.PERSONAL,
        r"i (?:am (?:going|not|a|an|trying|looking for a|your|his|her|on|at|in|afraid|thinking|getting|working|having|writing|planning)|was (?:born|fired|dumped|thinking|at|in|so|not)|feel|think (?:you|i|that|we)|live|work|went|just|never|always|lost (?:my|a)|broke|"
        r"bought|met|wish|hope|cannot (?:sleep|stop|find|decide|believe|help)|do not (?:know|like|want|care|feel|understand|have)|got|passed|failed|won|forgot|had|quit|found|started|finished|moved|turned|would (?:like|love) (?:a|an|some|to (?:buy|eat|go|talk))|want (?:a|an|some|my|to (?:buy|eat|sleep|go|talk|die|cry|travel|quit|leave|be))|need (?:a|an|some|my|you|your|to)|hate (?:my|it|this|when|mondays)|"
        r"love (?:my|this|it|pizza)|miss (?:my|him|her)|have (?:a|an|no|to|been|my|two|three))\b|my (?:wife|husband|boyfriend|girlfriend|boss|mom|mum|mother|dad|father|kid|kids|son|daughter|grandmother|grandma|grandfather|grandpa|uncle|aunt|baby|sister|brother|family|dog|cat|head|stomach|back|car|phone|computer|crush|parents|friends?|teacher|neighbou?r|landlord|doctor|best friend|ex|birthday|favourite|house|flight|train|internet|wifi|printer|"
        r"laptop) (?:is|are|was|were|has|have|does|did|do|will|hates?|loves?|hurts?|died|left|said|wants?|broke|keeps?|cannot|will|thinks?|got|passed|just|never|always|went|needs?|told|lost|ran|stopped|called)\b",
    ),
)
"""The first words of orders and of statements about oneself."""

RULES = (
    Rule(
        Kind.INSTRUCTION,
        (
            r"(?:please )?(?:ignore|disregard|forget|override|bypass|neglect|skip) (?:about )?(?:all|any|the|your|my|everything|every|"
            r"previous|prior|above|what|these|those)\b.*\b(?:instructions?|rules?|prompts?|guidelines?|directions?|restrictions?|told|said|"
            r"above|before|programming|training|orders|constraints|limits|filters?)\b.*",
            r"(?:print|show|reveal|repeat|tell|display|output|give|write|leak|what (?:is|are|was|were)|dump|share)(?: me| us)? (?:your|the) "
            r"(?:(?:hidden|system|initial|secret|internal|original|full|exact|developer|above|first) )*(?:prompts?|instructions)\b.*",
            r"(?:what are|tell me|show me) your (?:rules|instructions|guidelines)",
            r"(?:from now on|you are now|starting now|pretend|roleplay|role play|behave like|simulate|imagine (?:that )?you|act like|"
            r"let us roleplay)\b.*",
            r"act as (?:a|an|my|if|though|the)\b.*",
            r"you (?:must|will|shall|have to|should|are going to) (?:only |always |now |never )*(?:answer|reply|respond|obey|follow|speak|act|"
            r"say|write|do|ignore|be)\b.*",
            r"(?:always |only |never )?(?:answer|reply|respond|speak|talk|write)(?: to me| back| me)? (?:only|always|just|with|in|like|as|"
            r"without|using|from now on)\b.*",
            r"say (?:something|anything|hello|hi|nothing|the word .*|only .*|that you .*|i am .*|you are .*)",
            r"(?:enable|enter|activate|switch to|turn on|start) (?:the )?(?:developer|dev|debug|dan|god|admin|jailbreak|root)(?: mode)?.*",
            r"(?:do not|stop) (?:search|searching|cite|citing|use|using|look|looking|answer|answering|talk|talking|reply|replying)\b.*",
            r"(?:jailbreak|sudo .*|stop|shut up|be quiet)",
            r".* from now on",
        ),
    ),
    Rule(
        Kind.ABOUT,
        (
            r"(?:hi |hello |hey )?(?:who|what|how old|where)(?: exactly)? are you(?: exactly| really| from| called| made of| for)?",
            r"who(?: or)? what are you|who are you and what .*|(?:so )?what (?:do )?you know|tell me what you know",
            r"what is (?:your|ur) (?:name|purpose|job|function|age|model|version|source|gender|birthday|knowledge cutoff)",
            r"do you have (?:a name|feelings|emotions|a body|a soul|consciousness|friends|parents|a family|an api|limits|sources)",
            r"(?:what|which)(?: all| else)? (?:can|could|do|will) you (?:do|answer|know|offer|help (?:me )?with|help)(?: for me| for us| with| here)?",
            r"(?:so |and )?what do you (?:do|know)(?: about everything| exactly)?",
            r"what are you (?:able to do|good at|capable of|doing|for|made for|used for)",
            r"what are your (?:capabilities|features|skills|limits|limitations|abilities|functions|sources)",
            r"(?:what|which) (?:kinds?|sorts?|types?) of (?:questions?|things?|topics?|stuff|answers?|help|information)\b.* (?:you|i)\b.*",
            r"(?:what|which)(?: questions| things| topics)? (?:can|could|may|should) i (?:ask|do|search|find|look up|type|do here|say)(?: you| here| for)?"
            r"(?: here| about)?",
            r"are (?:you|u) (?:still )?(?:a |an |the )?(?:real |kind of |actually )?(?:(?:ro)?bot|human|ai|real|person|chatgpt|chat gpt|gpt|gpt \d|chat ?bot|alive|"
            r"machine|computer|program|language model|llm|assistant|siri|alexa|google|claude|gemini|conscious|sentient|intelligent|online|"
            r"free|safe|open source|a man|a woman|male|female|man|woman|smart|self aware|connected to the internet)(?: or .*)?",
            r"(?:is (?:this|it)|am i talking to) (?:a |an )?(?:real )?(?:bot|robot|human|ai|person|chatgpt|free|safe|chatbot|machine)(?: or .*)?",
            r"how (?:do|does|can|could|should) (?:this|you|it|searchain|that)(?: thing| site| page| app| program| chat| assistant| tool)? "
            r"(?:work|function|know (?:this|that|all that|things|it|everything)|answer(?: questions)?|search|find (?:things|answers|information))(?: here| exactly)?",
            r"how (?:do|can|could|should|would|must) i (?:use|talk to|ask|start|begin|work with)(?: (?:this|you|it|searchain))?"
            r"(?: questions?| app| tool| site| page| program| a question)?",
            r"how to (?:use (?:this|it|you)|start|begin)(?: app| tool| site| page)?",
            r"(?:help|help me|i need (?:some )?help|need help|can you help(?: me)?(?: out)?(?: with something)?|could you help me|please help(?: me)?|menu|info|"
            r"instructions|manual|commands|options|start|demo|begin)(?: please)?",
            r"how (?:can|could|do|will|would|may) (?:you|u|this|it) help(?: me| us)?(?: out| today)?",
            r"where (?:do|did|does|are|is) (?:you|your|the|these|this) ?(?:your |these |those )?(?:answers?|information|info|knowledge|data|facts|replies|sources|stuff)?"
            r"(?: (?:come|came|coming|taken|get|got|gotten|find|take|learn|learned|have|obtain|know))"
            r"(?: (?:from|your|the|this|these|all|that|it|information|answers?|data|info|knowledge|facts|things|stuff|sources))*",
            r"(?:what|which) (?:are (?:your|the)|is your) (?:sources?|data|references|database|knowledge base|training data|collection)(?: .*)?",
            r"(?:what|which) (?:sources?|data|model|models|database|collection|documents|books|encyclop(?:a)?edia|corpus|articles|language model|llm|search engine|"
            r"algorithm|technology|version|index)(?: exactly)? (?:do you|are you|does this|did you|is this)(?: .*)?",
            r"do you (?:use|search|have access to|read|access|know) (?:the )?(?:wikipedia|google|internet|web|chatgpt|gpt|openai|everything|anything)",
            r"(?:who|which company) (?:has )?(?:made|created|built|developed|programmed|trained|owns|wrote|designed|invented|runs|coded|is behind) "
            r"(?:you|this|this (?:app|site|bot|page|program|tool|chat|thing)|searchain)",
            r"(?:can|should|could|may|do) (?:i|we) (?:really )?(?:trust|believe|rely on) (?:you|this|your answers?|it|these answers|what you say)",
            r"how (?:accurate|reliable|good|trustworthy|smart|correct|sure|big|fast|intelligent) (?:are|is) (?:you|this|your answers?|it|your sources|your data)",
            r"(?:are|is) (?:you|your answers?|this)(?: always)? (?:reliable|accurate|right|trustworthy|correct)",
            r"(?:tell (?:me|us)|say)(?: something| more| a bit)? about (?:yourself|you|you and .*)",
            r"(?:introduce|describe|explain) yourself",
            r"what is (?:this|searchain|this (?:site|page|app|bot|chat|tool|thing|program|website|place))(?: for| about| here)?",
            r"(?:do|can|could) you (?:speak|understand|read|talk|know)(?: any)?(?: (?:english|other languages|languages|spanish|french|german|italian|"
            r"chinese|russian|arabic|hindi|turkish|portuguese|japanese))?",
            r"(?:what|which|how many) languages? (?:do|can|are) you (?:speak|know|understand|read|support)",
            r"(?:can|may|could) (?:i|you|we) (?:ask|answer)(?: (?:you|me|some|a|any|questions?|something|anything|my))*(?: questions?)?",
            r"i have (?:a|some|another|one more) questions?(?: for you)?",
            r"(?:give|show|tell) me (?:an |some |a few |three |more )?(?:example|sample)s?(?: questions?)?",
            r"(?:do|did|will|would) you (?:just )?(?:make|making|invent|guess)\b.*|are you (?:better|smarter|faster|worse|like|related|the same|similar)\b.*|can you (?:think|see me|hear me|feel|learn|see|hear|search the (?:web|internet)|browse the (?:web|internet)|access the internet|make mistakes|lie)",
            r"(?:what are you|what were you) (?:trained on|based on)",
            r"what is (?:this|it|that) (?:all )?about|is (?:there|this|it) (?:a |an |any )?(?:human|person|real person|somebody|someone|man|ai|robot)(?: (?:behind|in|there|here|answering|reading|or)\b.*)?|what is the difference between you and .*|how (?:are you|do you) (?:different|differ|compare)\b.*",
            r"(?:can|may|could|should|do|must) (?:i|we) (?:upload|add|use|import|connect|install|download|pay|register|sign up|log in|change|delete|save|export|share|cite|print|give|search|see|read|get)(?: (?:you|this|it|my|own|your|our|the|a|an|to|for|in|with|more|another|answers?|documents?|files?|data|pdfs?|account|app|chats?|conversations?|history|sources?|offline|phone|on))*",
            r"(?:give me |show me |give |show |i want |i need )(?:an |some |a few |more )?(?:examples?|samples?|ideas?)(?: questions?| of questions?| please| of what .*)?|who do you (?:work for|belong to|serve|report to)|do you (?:work|run|function|operate|live|exist|go)\b.*",
            rf"(?:(?:so|and|but) )?(?:{ASKING}|is|are|was|were|do|does|did|can|tell me|explain)(?: [\w]+){{0,6}} your (?:{OWN})\b(?: .{{0,40}})?",
            r"(?:who|what|which)(?: \w+){0,3} (?:powers?|runs?|made|makes|built|created|trained|trains|owns|developed|wrote|programmed|controls|drives|funds|pays|is behind) you",
            r"(?:so )?what (?:exactly )?(?:is it (?:that|exactly) )?(?:that )?you (?:do|are)(?: .*)?|(?:so )?what (?:exactly )?is it that you do|(?:explain|tell me|say) (?:what|who) you (?:are|do|can do)(?: .*)?",
            r"what are you (?:good|useful|designed|built|meant|here|programmed|working|using|looking|searching)\b.*",
            r"(?:what|which|how many)(?: \w+){0,3} (?:do|can|did|are|have|will) you (?:cover|covered|speak|know|offer|support|have|hold|contain|search|searched|use|using|understand|read|know about|answer|include|handle|help with|trained on)(?: (?:about|on|in|from|with)?(?: \w+){0,3})?",
            r"(?:how|why) (?:do|can|did|are|should|would) (?:you|i) (?:know|trust|verify|check|choose|pick|find|believe|make|get|so|work|learn|understand)(?: (?:you|your|this|that|it|so|the|these|answers?|sources?|information|things|everything|slow|fast|smart|is|are|right|true|correct|what|which|to|use|much|do|all))*",
            r"(?:do|can|will|are|were|have|did|could|would) you (?:ever |always |also |really |even |actually )?(?:search|searching|learn|learning|remember things|remember|store|save|log|track|share|sell|record|spy|listen|listening|make mistakes|lie|cite|check|hallucinate|get (?:tired|bored|updates|things wrong)|update|updated|trained|keep|collect|connected|based on|made by|owned by|powered by|built|call|wrong)\b.{0,25}",
            r"(?:is|are) (?:my|our|this|the) (?:data|privacy|questions?|conversations?|chats?|information) (?:safe|stored|private|saved|secure|recorded|logged|kept|shared)\b.*|is there (?:a|any) (?:limit|cost|app|api|fee|charge|catch)\b.*|(?:does|do) (?:this|it) cost (?:anything|money)|how much (?:does|do) (?:this|it|you) cost|what happens (?:to|with) my (?:data|questions)",
            r"(?:when|where) were you (?:born|made|created|built|trained|last updated|updated)|where (?:do|are) you (?:live|located|based|hosted|stored|running)|how (?:old|big|smart|fast|tall|intelligent|clever|up to date) (?:are you|is this)",
        ),
    ),
    Rule(
        Kind.LIVE,
        (
            rf"(?:what(?: is)? )?(?:the )?(?:current |local |exact )?time (?:is it|is it here|now|right now)(?: in .*| {NOW}| there| here)*",
            rf"what is the (?:current |local |exact )?time(?: (?:in|at) .*| {NOW}| there| here)*",
            r"(?:the )?(?:current|local) time(?: (?:in|at) .*| now)*",
            r"what time it is|do you (?:have|know) (?:the time|what time it is)|tell (?:me )?the time|(?:what )?time is it",
            r"(?:what|which) (?:day|date|month|year|weekday|week)(?: of the week)? (?:is|are|do we have|was) (?:it|today|this|tomorrow|yesterday|we)"
            r"(?: today| now| tomorrow| in)*",
            r"(?:what is )?(?:the |todays )(?:current )?(?:date|day)(?: today| now| of today)?",
            r"what is (?:today|the date today|the day today)|(?:current|todays?) (?:date|day)",
            r"is (?:it|today) (?:a )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|holiday)(?: today| already)?",
            rf"{CLIMATE}(?:what (?:is|will be|was) |how (?:is|will|was) |tell me |show me |check |give me )(?:the |todays |tomorrows )"
            rf"(?:weather|forecast|weather forecast)(?: be)?(?: like| look like| report)?(?: (?:in|at|for|near|on|over) .*| here| there| {NOW})*",
            rf"{CLIMATE}(?:the |todays |tomorrows |current )?(?:weather|weather forecast|forecast)(?: (?:in|for|at) .*)? (?:for )?{NOW}(?: in .*)?",
            rf"{CLIMATE}(?:todays|tomorrows|current|local) (?:weather|forecast)(?: .*)?",
            r"weather forecast(?: (?:in|for) .*)?",
            rf"{CLIMATE}(?:will|is|does) (?:it|the sun)(?: going to| gonna)? (?:rain|raining|snow|snowing|sunny|shine|be (?:sunny|hot|cold|warm|rainy|cloudy|windy)|cold|hot|warm|windy|cloudy)"
            rf"(?: (?:in|at|on|here) ?.*| outside| {NOW})*",
            r"(?:do i need|should i take|shall i take) (?:an umbrella|a jacket|a coat)\b.*",
            rf"(?:what is |how (?:hot|cold|warm) is (?:it )?)(?:the )?(?:current )?(?:temperature )?(?:(?:in|at|outside) ?.* )?{NOW}",
            rf"(?:current )?temperature(?: outside)? in .* {NOW}",
            r"(?:(?:what is|what are|any|show me|tell me|give me|read me|read|whats) )?(?:the |some )?(?:latest|todays|breaking|current|recent|new|latest world|world|local|sports)"
            r"(?: world| local| sports?| political)? (?:news|headlines)(?: today| now)?(?: (?:about|on|in|from|of) .*)?",
            r"(?:what is |what are )?(?:in )?the news (?:today|now|this morning|right now|this week|tonight|yesterday)|(?:what is|tell me) (?:in |on )?the news|news (?:today|now|please)|any news(?: today)?",
            rf"(?:what|anything)(?: is| has| was)?(?: interesting)? (?:happened|happening|going on|new)(?: in the (?:news|world))? {LATELY}(?: in .*)?",
            r"what is (?:happening|going on|new|trending)(?: in the (?:world|news))?(?: today| now| right now)?",
            rf"who (?:won|is winning|was winning|scored|played|lost|is playing|plays|is leading|is ahead)\b.* {LATELY}",
            r"who (?:won|is winning|is playing|lost)(?: the)? (?:game|match|race|election|fight)",
            rf"(?:what (?:is|was|were) )?(?:the |todays )?(?:latest |current |final |football |live )*(?:scores?|results?)(?: (?:of|in|for|from) .*)? {LATELY}",
            r"what is the (?:current )?score(?: of .*(?:game|match))?|(?:live|latest|football|todays) scores?",
            rf"who (?:won|is winning|will win|lost) (?:the |todays |yesterdays |last nights |tonights |this weeks )(?:game|match|race|election|fight|elections|vote|debate)(?: {NOW})?|what is the latest(?: (?:on|about|with|from|in) .*)?|(?:current|todays|live) (?:price|value|rate|cost) of .*",
            r"(?:who|when|what time|where)(?: does| do| is| are)? .*(?:play|plays|playing|kick off) (?:tonight|today|tomorrow|next|now|this weekend)",
            r"did .* (?:win|lose|score|play) (?:last night|yesterday|today|tonight|the game|the match|this weekend)",
            rf"(?:what is |how (?:much|high) is |check |tell me |show me )?(?:the )?(?:current |live |todays |latest )?(?:\w+ )?(?:stocks?|share|bitcoin|btc|ethereum|crypto|gold|oil|silver|dogecoin) "
            rf"(?:price|prices|value|market|rate)(?: of .*)?(?: {NOW})*",
            rf"(?:what is |how much is )?(?:the )?(?:current |live |todays |latest )?(?:stock |share |market )?(?:price|value|worth) of (?:(?:an? |one )?(?:bitcoin|btc|ethereum|gold|oil|silver|gas|petrol|dogecoin|\w+ (?:stocks?|shares?)))(?: {NOW})*",
            rf"how much (?:is|does|are|do) .* (?:cost|worth|trading at|trading for) {NOW}|how much (?:is|are) (?:a |one )?(?:bitcoin|ethereum|dogecoin|gold)(?: worth)?(?: {NOW})?",
            rf"(?:what is |whats )?(?:the )?(?:current |todays |live )?(?:exchange|conversion|interest|mortgage) rates?(?: (?:of|between|for|from|today) .*)? {NOW}",
            r"(?:what is )?(?:the )?(?:current |todays )?exchange rate (?:of|between|from|for) .*|(?:usd|eur|gbp|dollars?|euros?|pounds?) to (?:usd|eur|gbp|inr|yen|dollars?|euros?|pounds?)(?: rate)?",
            rf"how (?:is|are) (?:the )?(?:stock )?markets? (?:doing )?{NOW}|how is the (?:stock )?market(?: doing)?",
            rf"(?:how|what) (?:is|are)(?: the)?(?: current)? (?:traffic|roads|commute)(?: like)?(?: (?:on|in|to|at|from|around) .*| {NOW})*",
            rf"(?:is there|are there|any)(?: a lot of| much| heavy| any)? (?:traffic|traffic jams?|delays?|road works)(?: (?:on|in|to|at|from) .*| {NOW})*",
            rf"traffic (?:on|in|to|at|near) .*(?: {NOW})|traffic (?:report|news|update)s?(?: .*)?",
            r"(?:when|what time) (?:is|does|will|leaves) the (?:next|last|first) (?:bus|train|flight|tram|ferry|plane|metro)\b.*",
            rf"is .*\b(?:open|closed|delayed|cancelled|canceled|on time) {NOW}",
            rf"(?:what|which)(?: \w+)? (?:is|are) (?:on tv|on television|playing|on netflix|in theaters|in cinemas|showing)(?: {NOW})?",
            rf"{CLIMATE}(?:how|what) (?:is|will|are|was)\b.*\b(?:weather|forecast)\b.*\b{NOW}",
            r"(?:is|are|was|did) (?:the )?(?:us )?(?:dollar|euro|pound|yen|market|stock market|stocks?|bitcoin|gold|oil|dow|nasdaq|price of \w+|shares?|s and p)\b.*\b(?:up|down|rise|fall|crash|open|high|low|crashing|rising|falling)\b(?: .*)?",
            r"(?:what time|when|until when|how late|what are the)(?: does| do| is| are| opening| hours)*(?: (?:the|my|our|your))?(?: \w+){0,2} (?:pharmacy|store|shop|bank|supermarket|restaurant|library|gym|post office|office|mall|museum|bakery|cafe|bar|pub|doctor|hairdresser|pool|walmart|tesco|ikea|starbucks|mcdonalds|target|costco|aldi|lidl)(?: \w+)? (?:open|close|closes|opens|opening hours|closed)(?: .*)?",
            r"(?:when|what time)(?: is| are| does| do| will)? (?:the |my |our )?(?:next|last|first) (?:bus|train|flight|tram|ferry|plane|metro|appointment|meeting|episode|game|match|bank holiday)\b.*",
            r"(?:do|did|will) (?:we|they|you) (?:have|get) (?:\w+ )?(?:rain|snow|sun|frost|storms?|sunshine|a storm|fog)\b.*|is the (?:tube|metro|subway|train|bus|road|bridge|airport|motorway|highway|pool|park|internet|server|ferry)(?: \w+){0,2} (?:running|open|closed|working|on time|down|delayed)(?: .*)?",
            rf"(?:the )?(?:latest|newest|todays|current|live) (?:\w+ )?(?:numbers?|figures?|updates?|cases|standings|odds|rates?|polls?)(?: .*)?|what is (?:playing|on|showing|new|out)(?: (?:at|in|on) .*)?|who is the (?:top scorer|leader|favourite|league leader)\b.*(?:this season|{NOW})",
            rf"how (?:much|high) (?:does|do|is|are) .*\b(?:stock|stocks|share|shares|petrol|gas|eggs|diesel|ticket|tickets|iphone)\b.*(?:cost|worth|price|now|today).*|(?:cheap )?(?:flights?|trains?|buses|hotels?|tickets|weather|trip) (?:to|from|in|for) .* {NOW}",
            rf".*\b(?:lottery|lotto|powerball) (?:numbers?|results?|winner)s?\b.*|(?:who|what|which)\b.*\b(?:polls|trending|viral)\b.*{NOW}|(?:is|are) .*\b(?:down|working|out|back up|delayed) {NOW}",
            r"(?:when|what time) (?:is|was|will be|does) (?:the )?(?:sunrise|sunset|sun rise|sun set|sun come up|sun go down)\b.*|what (?:is|are) (?:the )?(?:air quality|pollen count|uv index|petrol prices?|gas prices?|fuel prices?)\b.*",
            rf"(?:who|what team|which team) (?:is|are) (?:playing|winning|leading|in the lead)(?: in| at| on| the)*(?: \w+){{0,3}}(?: {NOW})?",
            r".* (?:near me|nearby|close to me|around me|in my (?:area|city|town|neighbou?rhood))",
            r"(?:current |latest )?(?:traffic|flight) (?:status|delays)(?: .*)?",
        ),
    ),
    Rule(
        Kind.CALCULATION,
        (
            rf"(?:convert |change |what is |how much is |how long is |how far is )?\d+(?: \d+)? ?{UNIT}(?: {UNIT})? (?:in|to|into|as) {UNIT}(?: {UNIT})?",
            rf"how (?:many|much) {UNIT} (?:is|are|are in|are there in|in|equals?|make|makes|do you get from) \d+(?: \d+)? ?{UNIT}|(?:solve|work out|figure out) (?:this|the following|my) .*",
            r"(?:what is |convert |how much is )?\d+ (?:\d+ )?(?:as|to|into|in) (?:a |an )?(?:decimal|fraction|percent|percentage|binary|hex|roman numerals)|(?:add|subtract|multiply|divide) \d+ .*",
            r"(?:solve|simplify|factor|differentiate|integrate|find x)(?: the| this| for)?(?: equation)?(?: \w)? .*\d.*|(?:can|could|do) you (?:do (?:some )?)?(?:math|maths|calculate|add|count|sums)\b.*|do (?:the|some|my) maths?\b.*",
        ),
    ),
    Rule(
        Kind.CODE,
        (
            rf"(?:write|create|make|generate|give|show|code|build|program|develop|implement)(?: me| us)? (?:a|an|some|the|this|my)? ?(?:(?!by\b|about\b)[\w+#]+ ){{0,3}}{CODING}\b(?! of (?:conduct|honou?r|ethics)).*",
            rf"(?:fix|debug|refactor|review|optimi[sz]e|complete|run|execute|explain|test|improve|correct)(?: me)? (?:this|my|the following|some) (?:\w+ )?{CODING}\b.*",
            r"(?:fix|debug) (?:this|my|the) (?:bug|error|exception|code|program|script)\b.*",
            r"how (?:do|can|would|should|to)(?: i| you)? .* in (?:python|javascript|typescript|sql|excel|bash|php|rust|c\+\+|html|css|golang|pandas|numpy|react|matlab)",
            r"(?:write|implement|code|program)(?: me)? .* in (?:python|javascript|typescript|java|sql|excel|bash|php|rust|c|html|css|go|golang|pandas|react)",
            r".*\b(?:my|this|the following) (?:(?:python|java|javascript|c|sql|html|css|php|bash|r|excel|react|shell) )?(?:code|script|query|function|regex|macro|css|html|website|formula|program|loop|class|compiler)\b.*",
            r"how (?:do i |can i |to )(?:install|import|update|uninstall|compile|debug) (?!.*\b(?:solar|windows|door|roof|carpet)\b).*|(?:explain|show)(?: me)? .*\b(?:with|in|using) (?:a |an |some )?(?:code|python|javascript|java|c|sql)(?: .*)?|what is wrong with this .*",
            r"how (?:do|can|would|should|to)(?: i| you)? .*\b(?:div|flexbox|dataframe|npm|pip|git|github|json|array|for loop|list comprehension|api call|docker|regex|css|html|sql|stack trace|syntax error|null pointer|localhost|vs code)\b.*",
            r"help me (?:with my |with |write |to )?(?:(?:python|java|javascript|sql|html|c) )?(?:code|coding|programming|program|script|homework)\b.*",
        ),
    ),
    Rule(
        Kind.TRANSLATION,
        (
            r"translate\b.*",
            rf"(?:how|what)(?: do| would| can| should| to| does one)?(?: you| i| we| one| people)? say .+ in {LANGUAGE}",
            rf"(?:give me |what is )?(?:the |a )?translation of .+ (?:in|into|to) {LANGUAGE}",
            rf"say .+ in {LANGUAGE}",
            rf"(?:how do you|how to) (?:pronounce|spell) .+ in {LANGUAGE}",
            rf"what is (?:hello|hi|thank you|thanks|goodbye|good (?:morning|night|evening)|please|sorry|i love you|yes|no|welcome) in {LANGUAGE}",
            rf"(?:what is|how is|how do you spell) (?:the word |this |this word )?\w+ (?:translated|said) (?:in|into|to) {LANGUAGE}",
        ),
    ),
    Rule(
        Kind.IMPOSSIBLE,
        (
            r"(?:open|read|check|show|access|delete|send|scan|see|look (?:at|into|in|through)|search|sort|find|look up|track|get|clean|update|call|empty|forward|sync|hack|unlock)(?: me)? my"
            r" (?:last |latest |new |unread |recent |all )*(?:e ?mails?|gmail|mail(?:box)?|inbox|messages?|calendar|files?|folders?|documents?|contacts|phone|photos?|pictures?|bank|account|computer|screen|"
            r"desktop|wallet|drive|keys|notes|schedule|appointments?|downloads?|history|orders?(?: status)?|location|mom|mum|mother|dad|father|wife|husband|boss|friend|sister|brother|doctor|girlfriend|boyfriend)\b.*",
            r"(?:open|read|summari[sz]e|analy[sz]e|explain|describe|see|look at|check|review|proofread|rewrite|rephrase|paraphrase|shorten|improve|edit|format|correct|transcribe|watch|print|save|upload|download)"
            r" (?:this|these|that|the following|the attached|the attachment|my|the above|it|the last|the uploaded)(?: (?:\w+ )?(?:text|article|page|website|web ?site|file|files|document|documents|pdf|picture|image|photo|video|link|url|message|"
            r"e ?mail|paragraph|sentence|sentences|essay|letter|attachment|conversation|chat|paper|book|cv|resume|homework|spreadsheet|table|screenshot|grammar|spelling|news|audio|song|recording)\b.*)?",
            r"what (?:is|does|are|do)(?: you see| it say)? (?:in|on|inside|at) (?:this|the attached|my|that) (?:file|picture|image|document|photo|video|pdf|attachment|screenshot|folder|link|page)\b.*",
            r"what do you see\b.*|see (?:the )?attach(?:ed|ment)\b.*",
            r"set (?:an|a|the|my|up an?|me an?)(?: \w+)? ?(?:alarm|timer|reminder|appointment|meeting|stopwatch|countdown)\b.*|set (?:alarm|timer|reminder)\b.*|wake me\b.*",
            r"remind me\b.*|remember (?:that|this|my|it|these|i)\b.*|(?:take|make) (?:a )?notes?\b.*|note (?:this|that) down.*|add .* to my (?:list|calendar|cart|shopping list|notes)\b.*",
            r"(?:call|phone|ring|dial|text|message|ping) (?:my (?!name)|the police|an ambulance|an uber|me (?:a|an) (?:taxi|cab|uber|doctor)|911|112|999|mom\b|mum\b|dad\b|a (?:taxi|cab|doctor)|him\b|her\b|them\b|me back|me later)\b ?.*",
            r"(?:book|reserve|order|buy|get|find|purchase|rent)(?: me| us)?(?: a| an| the| some| two| my| tickets?| cheap)* (?:flights?|hotels?|tables?|rooms?|tickets?|taxi|cab|uber|appointments?|train|pizza|food|dinner|lunch|groceries|"
            r"flowers|coffee|burger|sushi|car|job)\b(?! (?:in history|was|is|were|company|club|at)\b)(?: (?:to|for|from|in|at|on|near|with|tonight|tomorrow|today|now|online|by)\b.*)?",
            r"play (?:some|a|my|me|the|another|any)? ?(?:\w+ )?(?:music|songs?|playlist|videos?|movie|radio|jazz|games?|chess with me|something|tune|podcast)(?: (?:by|from|for|with|on)\b.*)?|play (?:with me|despacito|chess|tic tac toe).*",
            r"(?:turn|switch) (?:on|off|up|down) (?:the|my|all|this)\b.*|(?:turn|switch) (?:the|my|all) .* (?:on|off|up|down)",
            r"send (?:an?|this|me|my|the|him|her|it|that)(?: \w+)? ?(?:e ?mails?|messages?|texts?|mail|file|photo|picture|money|link|letter|gift)?\b(?: (?:to|an?|the|about|me|my|some)\b.*)?",
            r"(?:make|cook|bring|fetch|give)(?: me| us)? (?:a |an |some )?(?:coffee|tea|sandwich|phone call|call|reservation|payment|dinner|breakfast|lunch|beer|money|backup)(?: .*)?",
            r"(?:search|google|browse|check|look on|look up on|look it up on)(?: on| in)? (?:the |on )?(?:web|internet|google|online|net|bing|youtube|amazon|facebook|twitter|it|this|that)\b.*",
            r"open (?:the |up |a |an )?(?:door|window|browser|youtube|spotify|camera|link|file|website|app|google|chrome|settings|calculator|netflix|whatsapp|facebook|instagram|new tab|tab|garage)(?: .*)?",
            r"(?:close|start|launch|quit|restart|install|uninstall|update|exit|kill) (?:the |my |this |up )?(?:door|window|browser|youtube|spotify|camera|file|app|apps|computer|chrome|program|pc|windows update|laptop|phone|server)(?: .*)?",
            r"(?:show|send|give|find|draw|paint|generate|create|make|sketch|design|render|take|edit)(?: me| us)? (?:a |an |the |some |another |any )?(?:\w+ )?(?:pictures?|images?|photos?|photographs?|videos?|drawings?|paintings?|logos?|sketch|gifs?|memes?|wallpapers?|selfies?|charts?|"
            r"diagrams?|icons?|posters?|cartoons?|presentation|slides|powerpoint|spreadsheet|song for me)(?: (?:of|with|about|for|from|showing|where|that|in|on)\b.*)?",
            r"(?:draw|paint|sketch)(?: me| us)?(?: a| an| my| the| something)\b.*|(?:draw|paint|sketch) me\b.*",
            r"(?:do|finish|solve|write|help me with|help with|complete) my (?:homework|assignment|taxes|exam|test|dishes|laundry|job|work|essay|thesis)\b.*",
            r"(?:log|sign) (?:me )?(?:in|out|up)\b.*|(?:delete|erase|remove|clear|forget|save|store|keep) (?:all |all of )?(?:my|this|our|the|everything|it)\b ?(?:data|chats?|conversations?|history|files?|messages?|account|what i said|i said|.* for later)?",
            r"(?:transfer|pay|send|lend|give me) (?:my |some |the |\d+ ?)(?:\w+ )?(?:money|bills?|rent|dollars?|euros?|bucks)\b.*|pay my\b.*",
            r"(?:navigate|drive|take|bring|show|get|give)(?: me)? (?:home|to work|the way to .*|directions to .*|the (?:fastest|shortest|quickest) (?:way|route) to .*|to the (?:nearest|airport|station).*)|(?:directions|navigate) to .*",
            r"(?:clean|vacuum|tidy|wash|feed|walk|water|lock|unlock|find|charge|track) (?:my|the (?:house|door|dishes|kitchen|plants|dog))\b.*",
            r"(?:come here|marry me|hug me|kiss me|sing|smile|wait|hold on|come back|go away|count to .*|flip a coin|roll (?:a|the) dic?e|pick a (?:number|card).*|choose a number.*|guess .*number.*|(?:give me |generate )?(?:a )?random (?:number|word|name|fact)s?.*|let us play.*|do something.*)",
        ),
    ),
    Rule(
        Kind.CREATIVE,
        (
            rf"(?:write|compose|make up|make|create|invent|generate|draft|come up with|produce|craft|start)(?: me| us| up)? (?:a|an|another|some|one more|my|a few|two|three|the)? ?(?:[\w-]+ ){{0,3}}{TEXT}\b.*",
            rf"(?:tell|sing|recite|give|read|say)(?: me| us)? (?:a|an|another|some|one more|your (?:best|favourite)|a few|any) ?(?:[\w-]+ ){{0,2}}{TEXT}(?! by\b)(?: (?:about|for|with|on|of|to|please|again|now|in which|where|that)\b.*| funny| interesting| nice| new| cool| else)?",
            r"tell (?:me |us )?(?:jokes?|stories|something(?: (?:funny|interesting|nice|new|cool|i do not know|good|crazy|random|sweet))?|(?:a|some) (?:fun|random|interesting|cool) facts?)",
            r"(?:write|tell|give)(?: me| us)? (?:poems?|poetry|lyrics|jokes?|haikus?|limericks?|riddles?)(?: (?:about|for|on)\b.*)?",
            r"(?:make me (?:laugh|smile|happy)|cheer me up|surprise me|entertain me|amuse me|inspire me|motivate me|bore me|sing(?: (?:me|us|for me|to me|something|a song))*|knock knock|rap for me|beatbox)",
            r"(?:do you know|know|got|have you got|do you have|have) (?:any|a|some)(?: \w+)? (?:jokes?|riddles?|stories|story|poems?|puns?)(?: for me)?",
            r"(?:a|another|one more) (?:joke|poem|story|song|riddle)(?: about .*)?|jokes? please|(?:fun|random) facts?",
            r"(?:brainstorm|think of|invent|suggest|come up with|give me|find|generate|help me (?:with|find|think of))(?: me| some| a| an| a few| \d+| ideas for)* (?:name|names|ideas?|slogans?|titles?|gift ideas?|passwords?|usernames?|captions?|pick ?up lines?)(?: (?:for|about|to)\b.*)?",
            r"(?:a )?(?:short|funny|sad|love|bedtime|scary|nice|little|birthday|cute|silly) (?:stor(?:y|ies)|poems?|songs?|jokes?|messages?|rhymes?|tales?) (?:about|for|with)\b.*|(?:sing|hum|whistle)(?: me| us)? \w+ \w+",
            r"what (?:rhymes with|is a word that rhymes with)\b.*",
        ),
    ),
    Rule(
        Kind.OPINION,
        (
            r"should i (?!stay or should i go)\b.*",
            rf"(?:what|which|where|who|when|how)(?: \w+){{0,4}} should i (?:{ADVISED}|marry|live|travel|eat|vote for|move|work|stay|wear|support|trust|sell|date|spend|save|celebrate|apply|live in)\b.*",
            r"(?:what|how) (?:do|did|would|are|is) (?:you|your)(?: \w+)? (?:think|thinking|feel|feeling|thoughts?|opinions?|views?)\b.*",
            r"do you (?:think|believe|like|love|prefer|agree|hate|enjoy|care|dream|want|feel|eat|sleep|drink|watch|play|know me|have (?:a |any )?(?:favourites?|opinions?|hobby|hobbies|pets?))\b.*",
            r"(?:what|who|which)(?: is| are|s)? your (?:favourite|best|most favourite|opinion|view|thoughts?|take|advice|recommendation|preference|hobby|hobbies|dream|religion|political)\b.*",
            r"(?:in your opinion|your (?:thoughts|opinion|view) (?:on|about)|what would you (?:do|choose|say|recommend|prefer|suggest))\b.*",
            r"(?:recommend|suggest|advise)(?: me| us)? (?:a|an|some|me|any|something|the best|good|movies|books|places|two|three|restaurants|what)\b.*",
            r"(?:any|do you have (?:any )?|give me (?:a |some |any )?)(?:good )?(?:recommendations?|suggestions?|advice|tips)\b(?! (?:of|from)\b).*",
            r"(?:which|what)(?: \w+)? (?:is|are|s) (?:the )?(?:best|good|nicest|cheapest|coolest|better|right) (?:[\w-]+ ){0,4}(?:to (?:buy|watch|get|eat|read|choose|wear|give|cook|invest in|order|play)|for me|for my \w+|for us)\b.*",
            r"(?:best|good|cheapest|top) (?:[\w-]+ ){0,3}(?:to (?:buy|watch|get|eat|read|wear)|for me)\b.*",
            r"(?:is it|would it be) (?:better|worth|a good idea|smart|too late) (?:it|to|for me|if i|buying|learning|going)\b.*",
            r"(?:who|which|what)(?: one| team| phone| language| country)? is (?:better|cooler|nicer|worse)\b.*\b(?:or|vs|versus|than)\b.*",
            r"(?:give me (?:some |an |a piece of )?|i need (?:some |your )?)(?:\w+ )?(?:advice|opinion|feedback)\b.*",
            r"would you (?:rather|ever|mind|like|prefer|want|say|date|marry|kill|die|help|lie)\b.*|(?:tell me|what am i supposed|i do not know) (?:what|how|where|which|who|if|whether) (?:to|i should|should i)\b.*|do you (?:find|consider) (?:me|it|this|that)\b.*|is it (?:ok|okay|bad|weird|normal|healthy|fine|safe|rude|wrong|wise) (?:to|if|for|that)\b.*\b(?:i|me|my)\b.*|is it (?:ok|okay|healthy|bad) to \w+ (?:\w+ )?every day",
            r"[a-z]+ or [a-z]+|(?:what|which) (?:do|would) you (?:like|prefer|choose|recommend|pick|take)\b.*|(?:is|are) (?:it|this|that|they|he|she) (?:any good|worth (?:it|buying|watching|reading|visiting))",
            r"(?:what|which) (?:is|are) (?:better|best|nicer|cooler|healthier|cheaper)(?: for me)? [a-z]+(?: [a-z]+)? or [a-z]+(?: [a-z]+)?",
            r"what does my dream\b.*|what (?:is|was) the meaning of my\b.*|how do i (?:look|sound|smell|seem)\b.*|what (?:is|are) the best (?:way|ways|place|places|thing|things) (?:for me |for us )?to (?:lose|meet|propose|relax|invest|retire|eat|have|spend|celebrate)\b.*",
            r"how (?:do|can|should|could) i (?:lose weight|get rich|make money|find (?:a )?(?:love|girlfriend|boyfriend|job|friends)|be happy|get over|deal with my|break up|ask (?:her|him|someone)|become (?:rich|famous|happy|successful)|"
            r"impress|stop (?:smoking|worrying|drinking|being)|save money|make friends|sleep better|get a (?:job|girlfriend|boyfriend)|tell my|cope|feel better)\b.*",
            r"(?:who|whom) (?:should|would|do|did|will) (?:i|you) vote(?: for)?\b.*|who will win\b.*|what (?:is|will) (?:my future|my horoscope|happen to me|the future bring|the lottery numbers)\b.*",
            r"do i (?:look|need|have to|deserve|smell|sound)\b.*|am i (?:pretty|ugly|fat|beautiful|handsome|smart|stupid|right|wrong|normal|in love|pregnant|sick|too \w+|good|crazy)\b.*",
        ),
    ),
    Rule(
        Kind.COMPLAINT,
        (
            r"(?:no )?(?:that|this|it|you|your answer|the answer|this answer)(?: is| was| are| were)(?: not| so| completely| totally| all| just| very| really)* (?:wrong|right|correct|incorrect|false|true|bad|useless|nonsense|helpful|rubbish|"
            r"bullshit|what i (?:asked|meant|wanted)|a lie|lying|stupid|dumb|an idiot|idiot|useless|boring|slow|annoying|terrible|horrible|bad|awful|funny|smart|great|awesome|amazing|cute|nice|cool|helpful|the best|mean|broken|kidding|joking|mad|crazy|ugly|weird)",
            r"(?:no )?(?:wrong|incorrect|false|nonsense|bullshit|rubbish|boring|bad (?:bot|answer)|not (?:true|helpful|right|correct|good|what i (?:asked|meant)))",
            r"(?:are you )?(?:sure|really sure|serious|kidding me|certain)(?: about (?:that|this|it))?|i (?:do not|cannot) (?:believe|trust) (?:you|that|this|it)|i (?:do not|cannot) understand(?: (?:you|that|this|it))?",
            r"you (?:already|just|did not|do not|never|always|said|told|gave|forgot|keep|got|made|missed|misunderstood|answered|contradict\w*|ignored|should have)\b.*",
            r"(?:why|how|what|when|where) (?:did|do|are|were|would) you (?:say|saying|tell|telling|answer|think|mean|choose|pick|give|get|come up with|write)(?: (?:that|this|it|so|me|to me|from|with|by|such|a|wrong|answer|the|these|about))*",
            r"(?:fuck|screw|damn) (?:you|off|this|it)|fuck|shit|wtf|you suck|idiot|i hate (?:you|this)|go to hell|piss off|(?:do you|you) (?:not )?understand me|try again|you did not answer(?: (?:me|my question|the question))?",
        ),
    ),
    Rule(
        Kind.PERSONAL,
        (
            r"(?:i am|i feel|i am feeling|i have been feeling|feeling)(?: a bit| a little| so| very| really| too| quite| pretty| just| always| still| not| kind of| extremely)* (?:sad|tired|bored|happy|lonely|alone|depressed|angry|sick|hungry|ill|stressed|fine|good|ok|okay|scared|"
            r"anxious|upset|down|great|excited|worried|thirsty|sleepy|lost|confused|drunk|cold|hot|nervous|in love|pregnant|broke|exhausted|mad|afraid|blue|unhappy|back|here|busy|home|late|new here|single|bad|unwell|hurt|heartbroken|ready|dying|well|curious|awake|unemployed|\d+(?: years old)?)"
            r"(?: (?:today|now|right now|tonight|these days|because|about|of|at|and|with|this|lately|again|all the time|so|as|here|too|from|for)\b.*)?",
            r"(?:i am|this is|my name is|it is) (?!legend$|sam$|robot$|number$|malala$|woman$|david$|mother$)[a-z]+ (?:here|speaking)|(?:hi|hello|hey|good morning|good evening)(?: there)? (?:i am|my name is|this is|it is) [a-z]+(?: [a-z]+)?(?: here)?",
            r"(?:what|when|who|why|which \w+) (?:did|will|am|was|do|does|have|would) i (?!love\b|am\b|do not\b|want\b|will\b|robot\b|claudius\b|ever let you\b|say i love you\b|find\b|need\b|get\b|use\b)(?:\w+ ?){1,6}",
            r"i (?:love|hate|like|miss|need|want) (?:you|u|him|her|you so much|my \w+|this|a hug|help|to die|to go home|to kill myself|someone to talk to|to talk|to sleep|a (?:friend|girlfriend|boyfriend|job))(?: .{0,30})?",
            r"i (?:have|had|got) (?:a|an|some|no|my) (?:bad |terrible |great |good |new |big |long |really |very |little )*(?:headache|cold|problem|problems|day|fever|exam|test|toothache|stomach ache|cough|nightmare|crush|dog|cat|job|girlfriend|boyfriend|friends|idea|dream|money|fight|baby|pain|date|interview|birthday|secret)\b.*",
            r"my name is (?!khan$|earl$|nobody$|red$)\w+(?: \w+)?|(?:you can )?call me \w+",
            r"(?:what is|what was|what are|whats|tell me|do you know|guess|who is|who are|when is|where is|where are|where did i put|have you seen) my (?:name|age|job|birthday|address|password|phone number|phone|keys|car|wallet|glasses|ip(?: address)?|favourite .*|future|iq|zodiac sign|star sign|horoscope|e ?mail(?: address)?|"
            r"location|weight|height|cat|dog|order|package|luggage|wife|husband|mother|mother called|mothers name|mom|dad|father|boss|friend|friends|best friend|girlfriend|boyfriend|teacher|neighbou?r|bank balance|balance|blood type|account|pin|schedule|plans?|next appointment|real name|last name|pets? name|"
            r"dogs name|cats name|life|problem|fault|passion|purpose)(?: today| tomorrow| now)?",
            r"who am i|where am i(?: now| right now| from)?|how old am i|where (?:do|did|was) i (?:live|born|work|grow up|park(?: my car)?|leave my .*|put my .*)|when was i born|what am i (?:thinking|doing|wearing|called|holding|eating|looking at|feeling)\b.*|how (?:tall|heavy|much money) (?:am|do) i\b.*|what do i (?:do for a living|look like|want|like|have in my .*)",
            r"do you (?:know|remember) (?:me|who i am|my .*|where i .*|what i .*|how i .*|when i .*|us)",
            r"(?:can|could|will|would) you be my (?:friend|girlfriend|boyfriend|therapist|wife|husband|valentine)|are you (?:single|married|happy|sad|ok|okay|angry|tired|bored|my friend|mad at me|jealous|lonely|gay|in love)(?: .*)?|will you marry me|do you love me|talk to me|(?:let us|can we) (?:talk|chat|be friends)|chat with me|"
            r"nobody (?:loves|likes|understands) me|please love me|i (?:do not|cannot) (?:know what to do|sleep|feel (?:well|good)|want to live)(?: .*)?|i want to (?:talk|chat|die|cry)(?: .*)?|why (?:am i|do i feel|does nobody like me|does (?:he|she) not love me|am i so)\b.*|does (?:he|she|anybody|anyone) (?:love|like) me\b.*",
            r"my (?:head|back|stomach|tooth|heart|leg|arm|foot|knee|eye|throat|wife|husband|girlfriend|boyfriend|boss|mom|mum|mother|dad|father|dog|cat|friend|teacher|son|daughter|brother|sister|grandma|grandmother|grandpa) (?:hurts|aches|is (?:sick|ill|mad|angry|broken|dead|mean|annoying|dying|sad|broken|missing|pregnant)|died|left me|hates me|cheated on me|yelled at me|fired me|broke up with me)(?: .*)?",
        ),
    ),
    Rule(
        Kind.HISTORY,
        (
            r"(?:some |even |any |show |show me |give me |tell me |say |i want |i need |and )*more(?: please| details?| information| info| of that| of this| of it| results| like this| like that| about that| about this)*",
            r"(?:please )?(?:go on|continue|keep going|keep on|carry on|proceed|next|next one|and then|and|then|so|go ahead|again|once more|one more time|another one|another|yes please|do it|do it again)(?: please)?",
            r"(?:can you |could you |please )*(?:repeat|say)(?: that| it| this| yourself| your answer| your last answer| the answer| the last answer| the question| what you said)?(?: again| once more| please)*",
            r"(?:what|which) (?:did|have|was|were) (?:you|i|we)(?: just| have)? (?:say|said|ask|asked|tell|told|answer|answered|write|written|talk about|talked about|talking about|discuss|discussing|asking|saying|mean|discussed)(?: (?:you|me|before|earlier|just now|last time|first|again|about|by that|previously|a moment ago|yesterday|to me|to you|in the beginning))*",
            r"what (?:was|were|is|are) (?:my|your|the|our) (?:last|previous|first|earlier|prior) (?:questions?|messages?|answers?|reply|replies|thing i said|conversation|sentence|topic|statements?)(?: .*)?",
            r"(?:and )?(?:what|anything|something) else(?: please| can you tell me| do you know)?|(?:elaborate|expand|explain|clarify|summari[sz]e|simplify|rephrase)(?: (?:on|that|this|it|more|further|again|please|in detail|your answer|our conversation|our chat|simpler|better|the conversation|the chat|the above))*",
            r"(?:shorter|longer|simpler|in (?:more|greater) detail|in short|in other words|in simple words|details?|short version|tl ?dr|be more specific|eli5)(?: please)?",
            r"(?:where were we|where did we stop|go back|back|undo|scroll up|repeat|same (?:question|thing)(?: again)?|as i said|what about it|tell me again|show (?:me )?(?:our|the|my) (?:chat |conversation |search )?(?:history|conversation))",
            r"(?:tell me |remind me |what was it )?(?:what|which) (?:i|you|we) (?:just )?(?:asked|said|told|wrote|answered|talked about|discussed)\b.*|(?:go|get) (?:into|in) (?:more|greater|further) detail\b.*|(?:keep|go|carry|continue) (?:talking|going|on|writing|explaining)|(?:give|show|tell|read) me (?:another|one more|the next|the previous|the rest|some others?)(?: (?:one|answer|please|example|source))?",
            r"what was (?:that|it|this)(?: again)?|(?:explain|say|put|tell me|repeat|write) (?:that|this|it)(?: again| to me)* (?:in|with|like|more|using|simply|shorter|differently|slowly)\b.*|do you remember (?:what .*|our .*|the last .*|that|it|anything)",
        ),
    ),
    Rule(
        Kind.GIBBERISH,
        (
            r"(?:test(?:ing|s)?(?: |$))+(?:(?:one|two|three|\d+)(?: |$))*",
            r"(?:blah?(?: |$))+(?:blah?)?|(?:la(?: |$)){2,}|(?:asdf|qwer|jkl)(?: (?:asdf|qwer|jkl))+|(?:foo|bar|baz)(?: (?:foo|bar|baz))*|lorem ipsum.*|bla+|(?:meow|woof|moo|quack)(?: (?:meow|woof|moo|quack))*|(?:uh+|um+|er+m|huh|eh+|meh|ugh|argh+|hu+h)|null|undefined|none|n a",
        ),
    ),
)
"""The kinds by their patterns; the first rule that matches decides."""
