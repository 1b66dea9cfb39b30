// XSS payloads. Each one calls `__xss()`, which the browser suite watches.

/** Event attributes of standards and old browsers. The browser suite adds those of its browser. */
export const EVENTS = `abort activate afterprint animationcancel animationend animationiteration animationstart auxclick
  beforecopy beforecut beforeinput beforematch beforepaste beforeprint beforetoggle beforeunload begin blur bounce
  cancel canplay canplaythrough change click close contextlost contextmenu contextrestored copy cuechange cut dblclick
  drag dragend dragenter dragexit dragleave dragover dragstart drop durationchange emptied end ended error filterchange
  finish focus focusin focusout formdata fullscreenchange gotpointercapture hashchange input invalid keydown keypress
  keyup languagechange load loadeddata loadedmetadata loadend loadstart lostpointercapture message messageerror
  mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup mousewheel offline online pagehide pageshow
  paste pause play playing pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover
  pointerrawupdate pointerup popstate progress propertychange ratechange readystatechange rejectionhandled repeat
  reset resize scroll scrollend scrollsnapchange search securitypolicyviolation seeked seeking select selectionchange
  selectstart show slotchange stalled start storage submit suspend timeupdate toggle touchcancel touchend touchmove
  touchstart transitioncancel transitionend transitionrun transitionstart unhandledrejection unload volumechange
  waiting webkitanimationend webkitanimationstart webkittransitionend wheel zoom`
  .split(/\s+/)
  .map((name) => `on${name}`)

/** Addresses that run `__xss()` or load something else, as scheme and rest. */
const SCHEMES: [scheme: string, rest: string][] = [
  ["javascript:", "__xss()"],
  ["javascript:", "//%0A__xss()"],
  ["vbscript:", "__xss()"],
  ["livescript:", "__xss()"],
  ["data:", "text/html,<script>__xss()</script>"],
  ["data:", "text/html;base64,PHNjcmlwdD5fX3hzcygpPC9zY3JpcHQ+"],
  ["data:", "image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='__xss()'/>"],
  ["blob:", "null/__xss()"],
  ["file:", "///etc/passwd"],
  ["view-source:", "javascript:__xss()"],
  ["feed:", "javascript:__xss()"],
  ["about:", "blank"],
  ["ws:", "//evil.test/"],
]

const entities = (text: string, one: (code: number) => string) =>
  [...text].map((char) => one(char.codePointAt(0) ?? 0)).join("")

/** Ways to disguise a scheme in HTML. Results that are not a scheme must be harmless as well. */
export const DISGUISES: Record<string, (scheme: string) => string> = {
  plain: (scheme) => scheme,
  upper: (scheme) => scheme.toUpperCase(),
  mixed: (scheme) => scheme.replaceAll(/.(.)?/g, (two) => two.charAt(0).toUpperCase() + two.slice(1)),
  decimal: (scheme) => entities(scheme, (code) => `&#${code};`),
  padded: (scheme) => entities(scheme, (code) => `&#${String(code).padStart(7, "0")};`),
  hex: (scheme) => entities(scheme, (code) => `&#x${code.toString(16)};`),
  upperHex: (scheme) => entities(scheme, (code) => `&#X${code.toString(16).toUpperCase()};`),
  noSemicolon: (scheme) => entities(scheme, (code) => `&#${String(code).padStart(7, "0")}`),
  noSemicolonHex: (scheme) => entities(scheme, (code) => `&#x${code.toString(16).padStart(6, "0")}`),
  namedColon: (scheme) => scheme.replace(":", "&colon;"),
  percent: (scheme) => entities(scheme, (code) => `%${code.toString(16)}`),
  percentColon: (scheme) => scheme.replace(":", "%3A"),
  tab: (scheme) => `${scheme.slice(0, 4)}\t${scheme.slice(4)}`,
  tabEntity: (scheme) => `${scheme.slice(0, 4)}&Tab;${scheme.slice(4)}`,
  newline: (scheme) => `${scheme.slice(0, 2)}\n${scheme.slice(2)}`,
  newlineEntity: (scheme) => `${scheme.slice(0, 2)}&NewLine;${scheme.slice(2)}`,
  carriageReturn: (scheme) => `${scheme.slice(0, 2)}&#13;${scheme.slice(2)}`,
  everyTab: (scheme) => [...scheme].join("&#9;"),
  beforeColon: (scheme) => scheme.replace(":", "&#9;&#10;:"),
  nul: (scheme) => `${scheme.slice(0, 3)}\0${scheme.slice(3)}`,
  nulEntity: (scheme) => `&#0;${scheme}`,
  leadingSpace: (scheme) => `  ${scheme}`,
  leadingControls: (scheme) => `&#1;&#2;&#8;&#14;&#27;&#31;${scheme}`,
  leadingFormFeed: (scheme) => `&#12;${scheme}`,
  leadingNoBreak: (scheme) => `&nbsp;${scheme}`,
  zeroWidth: (scheme) => `\u200B${scheme.slice(0, 4)}\u200D${scheme.slice(4)}`,
  byteOrderMark: (scheme) => `\uFEFF${scheme}`,
  lineSeparator: (scheme) => `\u2028${scheme}`,
  fullWidth: (scheme) => entities(scheme.replace(":", ""), (code) => String.fromCodePoint(code + 0xfee0)) + ":",
  fullWidthColon: (scheme) => scheme.replace(":", "\uFF1A"),
  longS: (scheme) => scheme.replace("s", "\u017F"),
  backslashes: (scheme) => scheme.replace(/^(.)/, "\\$1"),
  doubled: (scheme) => scheme.replace(":", ":") + scheme,
  url: (scheme) => `url:${scheme}`,
}

/** Addresses that links must not have, escaped for an attribute in double quotes. */
export const ADDRESSES: string[] = SCHEMES.flatMap(([scheme, rest]) =>
  Object.values(DISGUISES).map((disguise) => disguise(scheme) + rest.replaceAll('"', "&quot;")),
)

/** HTML elements with an address. */
export const ADDRESS_CARRIERS: ((address: string) => string)[] = [
  (address) => `<a href="${address}">a</a>`,
  (address) => `<a href="${address}" target=_self rel=opener>a</a>`,
  (address) => `<img src="${address}" alt="a">`,
  (address) => `<iframe src="${address}"></iframe>`,
  (address) => `<object data="${address}"></object><embed src="${address}">`,
  (address) => `<form action="${address}"><button>a</button><button formaction="${address}">b</button></form>`,
  (address) => `<svg><a xlink:href="${address}" href="${address}"><text y=9>a</text></a></svg>`,
  (address) => `<math href="${address}" xlink:href="${address}"><mi>a</mi></math>`,
  (address) => `<meta http-equiv=refresh content="0;url=${address}"><link rel=stylesheet href="${address}">`,
  (address) => `<map><area href="${address}"></map><video poster="${address}" src="${address}"></video>`,
  (address) => `<blockquote cite="${address}">a</blockquote><del cite="${address}">b</del>`,
  (address) => `<table background="${address}"><tr><td background="${address}"><a href="${address}">a</a></table>`,
]

/** Elements of HTML, including obsolete ones, of SVG and MathML, and some with unknown names. */
export const ELEMENTS =
  `a abbr acronym address animate animatemotion animatetransform annotation-xml applet area article
  aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center circle
  code col colgroup command content data datalist dd del desc details dfn dialog dir div dl dt element em embed
  fencedframe fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header
  hgroup hr html i iframe image img input ins isindex kbd keygen label layer legend li link listing maction main map
  mark marquee math menu menuitem meta meter mglyph mi mn mo ms mtext multicol nav nextid nobr noembed noframes
  noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp
  script search section select selectedcontent semantics set shadow slot small source spacer span strike strong style
  sub summary sup svg table tbody td template text textarea tfoot th thead time title tr track tt u ul use var video
  wbr x x-y xml xmp xss foo:bar`.split(/\s+/)
