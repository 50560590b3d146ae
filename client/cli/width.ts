/**
 * How wide text is on a terminal, in cells: a Chinese character or an emoji takes two, a combining mark none. Text is cut
 * between what people take for characters, never inside one.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters that East Asian Width calls wide or fullwidth. */
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fff}\u{17000}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f?\u20e3|\p{Regional_Indicator}{2})/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
/** One cell each, and none joins the one before: most text of most languages written in Latin, Greek or Cyrillic letters. */
const plain =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0557\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/;

function cellsOf(character: string): number {
  if (plain.test(character)) return character.length;
  if (emoji.test(character)) return 2;
  let sum = 0;
  for (const point of character) sum += wide.test(point) ? 2 : invisible.test(point) ? 0 : 1;
  return sum;
}

/** How many cells a text takes. */
export function cells(text: string): number {
  if (plain.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of segmenter.segment(text)) sum += cellsOf(segment);
  return sum;
}

/** As much of the beginning as fits. */
export function first(text: string, room: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, room));
  let taken = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    taken += cellsOf(segment);
    if (taken > room) return text.slice(0, index);
  }
  return text;
}

/** As much of the end as fits. */
export function last(text: string, room: number): string {
  if (plain.test(text)) return text.slice(Math.max(0, text.length - Math.max(0, room)));
  let left = cells(text);
  for (const { segment, index } of segmenter.segment(text)) {
    if (left <= room) return text.slice(index);
    left -= cellsOf(segment);
  }
  return "";
}

export function padEnd(text: string, room: number): string {
  return text + " ".repeat(Math.max(0, room - cells(text)));
}

export function padStart(text: string, room: number): string {
  return " ".repeat(Math.max(0, room - cells(text))) + text;
}

/** Text that cannot move the cursor, or change what the terminal does: control characters come out as �. */
export function harmless(text: string): string {
  return /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text)
    ? text.replace(/[\t\n\r\u2028\u2029]+/g, " ").replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd")
    : text;
}

/** Lines of so many cells at most, broken at spaces, or inside what is longer than a line. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (let word of text.split(" ")) {
    let size = cells(word);
    if (line !== "" && used + 1 + size > room) {
      lines.push(line);
      [line, used] = ["", 0];
    }
    while (size > room) {
      // At least one character a line, however wide.
      const part = first(word, room) || [...segmenter.segment(word)][0].segment;
      lines.push(part);
      word = word.slice(part.length);
      size = cells(word);
    }
    used = line === "" ? size : used + 1 + size;
    line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}
