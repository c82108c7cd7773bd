/*
 * Stands before the worker of Material's search and hands it words only. What a reader types here is code more often
 * than a query: `-1`, `a^2` or `title:+x` would be operators of the query language, which leave pages out or are refused
 * with a warning on the console. Quotation marks keep their meaning: each word between them has to be there.
 *
 * The address of this script names that worker after a question mark; main.html writes it.
 */
const SETUP = 0; // how Material numbers its messages: `{type: 0, data: {docs: …}}`, then `{type: 2, data: "words"}`
const QUERY = 2;
const OPERATORS = /[\\~^*:+-]/g;
const HAN = /\p{sc=Han}+/gu;
const NAME = /[A-Za-z_]\w*/g;
const PARTS = /\B[A-Z][a-z]/; // where Material's search is told to cut a name

// What a reader may call what the Chinese pages call by its English name.
const NAMES = {
  工作负载: "workloads",
  数据类型: "dtype",
  入口点: "entry point",
  检测器: "detector",
  屋顶线: "roofline",
  内核: "kernel",
  算子: "op",
  后端: "backend",
  目标: "target",
  规格: "spec",
};
const CHINESE = new RegExp(Object.keys(NAMES).join("|"), "g");

const known = new Set(); // the Chinese words of the index
const plain = new Set(); // its words without a capital letter
const spelt = new Map(); // its names with one, by what they are in small letters

function learn(text) {
  text.match(HAN)?.forEach((each) => known.add(each));
  for (const each of text.match(NAME) ?? []) {
    const small = each.toLowerCase();
    if (small === each) plain.add(each);
    else if (!spelt.has(small)) spelt.set(small, each);
  }
}

function words(query) {
  return query
    .replace(OPERATORS, " ")
    .replace(NAME, query.includes('"') ? "$&" : named)
    .replace(CHINESE, (name) => ` ${NAMES[name]} `)
    .replace(HAN, (run) => ` ${cut([...run]).join(" ")} `);
}

/* A name is found by its parts, which begin with capital letters: `gemmfwdop` is read as `GEMMFwdOp`. Of one that is
   whole all parts have to be there, as of words in quotation marks: `Op` alone is in most names. */
function named(word) {
  const small = word.toLowerCase();
  const starts = (each) => each.startsWith(small);
  const whole = spelt.get(small) ?? "";
  if (PARTS.test(whole) && (small !== word || !plain.has(small))) return ` "${whole}" `;
  if (small !== word || [...plain].some(starts)) return word;
  const name = [...spelt.keys()].find(starts);
  return name ? spelt.get(name).slice(0, word.length) : word;
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

addEventListener("message", (event) => {
  const { type, data } = event.data;
  if (type === SETUP) for (const doc of data.docs) learn(`${doc.title} ${doc.text}`);
  if (type === QUERY) event.data.data = words(data); // the worker, which listens next, gets the same message
});

importScripts(/^\?(search\.\w+\.min\.js)$/.exec(location.search)[1]);

/* By this lunr knows which ends of words are the same, and keeps those once. Its own runs a letter and the number behind
   it together, so that with digits for letters ends that differ are taken for one: then it comes upon words that no page
   has, looks them up in vain and refuses the query. */
lunr.TokenSet.prototype.toString = function () {
  if (this._str) return this._str;
  const ways = Object.keys(this.edges).sort();
  return (this.final ? "1" : "0") + ways.map((letter) => `${letter}${this.edges[letter].id},`).join("");
};
