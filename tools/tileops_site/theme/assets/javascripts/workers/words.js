/*
 * Stands before the worker of Material's search and hands it words only. What a reader types here is code more often
 * than a query: `-1`, `a^2` or `title:+x` would be operators of the query language, which leave pages out or are refused
 * with a warning on the console. Quotation marks keep their meaning: each word between them has to be there.
 * What the worker found goes back through here, too: for words that are no code, guides come before members.
 *
 * The address of this script names that worker after a question mark; main.html writes it.
 */
const SETUP = 0; // how Material numbers its messages: `{type: 0, data: {docs: …}}`, then `{type: 2, data: "words"}`
const QUERY = 2;
const RESULT = 3; // the worker's answer: `{type: 3, data: {items: [[entry of a page, …], …]}}`, the best page first
const OPERATORS = /[\\~^*:+-]/g;
const HAN = /\p{sc=Han}+/gu;
const NAME = /[A-Za-z_]\w*/g;
const PARTS = /\B[A-Z][a-z]/; // where Material's search is told to cut a name
const PLAIN = /^[A-Za-z][a-z]+$/;
const TAG = /<[^>]*>/g;
const REFERENCE = /(^|\/)api\/\w/; // the pages of the reference, but not the one that lists them
const MEMBER = /(^|\/)api\/.*\.[A-Z]\w*\.\w+$/; // what belongs to a class there
const CODE = /[^\p{L}\s-]|\p{L}\p{Lu}/u; // in a query: a sign, a number, or a capital letter within a word

// What a reader types is looked up in maps: an object has a `constructor` that nobody put there.

// What a reader may call what the Chinese pages call otherwise, most often by its English name.
const NAMES = new Map([
  ["工作负载", "workloads"],
  ["数据类型", "dtype"],
  ["入口点", "entry point"],
  ["多线程", "线程"],
  ["检测器", "detector"],
  ["屋顶线", "roofline"],
  ["内核", "kernel"],
  ["算子", "op"],
  ["后端", "backend"],
  ["目标", "target"],
  ["规格", "spec"],
]);
const CHINESE = new RegExp([...NAMES.keys()].join("|"), "g");

// What the pages write as two words.
const APART = new Map([
  ["cudagraph", "cuda graph"],
  ["cudagraphs", "cuda graph"],
  ["multithreading", "threads"],
  ["warmup", "warm up"],
]);

// What a reader of the Chinese pages may call by an English word, by its stem.
const TOLD = new Map([
  ["autotun", "调优"],
  ["tune", "调优"],
  ["cach", "缓存"],
  ["error", "报错"],
  ["gradient", "梯度"],
  ["layout", "布局"],
  ["thread", "线程"],
  ["warm", "预热"],
]);

const known = new Set(); // the Chinese words of the index
const plain = new Set(); // its words without a capital letter
const spelt = new Map(); // its names with one, by what they are in small letters
const headings = new Map(); // the words of the titles of guides, in small letters, with their stems
let pairs = []; // of the last query: each word that was added, with the one that was typed
let code = false; // whether the last query had something of a program

function learn(text) {
  text.match(HAN)?.forEach((each) => known.add(each));
  for (const each of text.match(NAME) ?? []) {
    const small = each.toLowerCase();
    if (small === each) plain.add(each);
    else if (!spelt.has(small)) spelt.set(small, each);
  }
}

function words(query) {
  pairs = [];
  code = CODE.test(query);
  return query
    .replace(OPERATORS, " ")
    .replace(NAME, query.includes('"') ? "$&" : named)
    .replace(CHINESE, (name) => ` ${NAMES.get(name)} `)
    .replace(HAN, (run) => ` ${cut([...run]).join(" ")} `);
}

/* A name is found by its parts, which begin with capital letters: `gemmfwdop` is read as `GEMMFwdOp`. Of one that is
   whole all parts have to be there, as of words in quotation marks: `Op` alone is in most names. */
function named(word) {
  const small = word.toLowerCase();
  if (APART.has(small)) return APART.get(small).replace(NAME, named);
  const starts = (each) => each.startsWith(small);
  const whole = spelt.get(small) ?? "";
  if (PARTS.test(whole) && (small !== word || !plain.has(small))) {
    code = true;
    return ` "${whole}" `;
  }
  const name = [...spelt.keys()].find(starts);
  if (!name || [...plain].some(starts)) return PLAIN.test(word) ? meant(small) : word;
  return small === word ? spelt.get(name).slice(0, word.length) : word;
}

/* A plain word as the titles of guides have it: `tuning` is what `tune` and `tuning` have in common, if only `tune` is in
   a title. In the Chinese index its Chinese is asked for as well. */
function meant(word) {
  if ([...headings.keys()].some((each) => each.startsWith(word))) return word;
  const stem = stemmed(word);
  const told = TOLD.get(stem);
  if (known.has(told)) {
    pairs.push([told, word]);
    return `${word} ${told}`;
  }
  const [title] = [...headings].find((each) => each[1] === stem) ?? [word];
  let end = 0;
  while (end < word.length && title[end] === word[end]) end += 1;
  return word.slice(0, end);
}

function stemmed(word) {
  return lunr.stemmer(new lunr.Token(word)).toString();
}

/* A run of Chinese as words of the index: Material's own cut never looks at the last character of a run. A word that is
   whole gets one character more for it to leave out, a rare one; what is still being typed is left as it is. */
function cut(run) {
  const found = [];
  for (let at = 0, end; at < run.length; at = end) {
    end = run.length;
    while (end > at && !known.has(run.slice(at, end).join(""))) end -= 1;
    const word = run.slice(at, end).join("");
    const rest = run.slice(at).join("");
    if (end > at) {
      if (lunr.zh.stopWordFilter(word)) found.push(`${word}\u3400`);
    } else if ([...known].some((each) => each.startsWith(rest))) {
      return [...found, rest];
    } else {
      found.push(run[at]);
      end = at + 1;
    }
  }
  return found;
}

/* What a word of the guides finds of the reference is most often a member that is called so: it comes after all that the
   guides say. A class or a function keeps its place, and so does everything where code was asked for. */
function placed(items) {
  const last = (page) => !code && MEMBER.test(page[0].location);
  for (const { terms } of items.flat())
    for (const [added, typed] of pairs) {
      if (!terms[added]) delete terms[added];
      else if (!terms[typed]) delete terms[typed]; // nothing is missing where one of the two is
    }
  const guides = items.findLastIndex((page) => !REFERENCE.test(page[0].location));
  const before = items.slice(0, guides + 1);
  return [...before.filter((page) => !last(page)), ...before.filter(last), ...items.slice(guides + 1)];
}

addEventListener("message", (event) => {
  const { type, data } = event.data;
  if (type === SETUP)
    for (const doc of data.docs) {
      learn(`${doc.title} ${doc.text}`);
      if (REFERENCE.test(doc.location)) continue;
      doc.title.replace(TAG, " ").toLowerCase().match(/[a-z]+/g)?.forEach((each) => headings.set(each, stemmed(each)));
    }
  if (type === QUERY) event.data.data = words(data); // the worker, which listens next, gets the same message
});

const answer = postMessage.bind(self);
self.postMessage = (message) => {
  if (message.type === RESULT) message.data.items = placed(message.data.items);
  answer(message);
};

importScripts(/^\?(search\.\w+\.min\.js)$/.exec(location.search)[1]);

/* By this lunr knows which ends of words are the same, and keeps those once. Its own runs a letter and the number behind
   it together, so that with digits for letters ends that differ are taken for one: then it comes upon words that no page
   has, looks them up in vain and refuses the query. */
lunr.TokenSet.prototype.toString = function () {
  if (this._str) return this._str;
  const ways = Object.keys(this.edges).sort();
  return (this.final ? "1" : "0") + ways.map((letter) => `${letter}${this.edges[letter].id},`).join("");
};
