/** Listings that pass for text, and the lists and tables that are text. */
import { describe, expect, it } from "vitest";
import type { Block } from "./blocks.js";
import { withoutListings } from "./listings.js";

const block = (text: string, linked = 0): Block => ({
  text,
  element: 0,
  linkChars: Math.round(text.length * linked),
  links: linked > 0 ? 1 : 0,
  breaks: 0,
  images: 0,
});
const sentence = block("This is a sentence of an article, and it has more than ten words.");
/** A row of a forum's listing. */
const thread = (i: number) => [
  block(`Re: thread number ${i}`, 1),
  block("somebody", 1),
  block(String(i % 7)),
  block("April 30, 2008 01:28:22pm"),
];
const row = (i: number) => [block(`City ${i}`), block(`${i * 37}`), block(`${i % 10}.5%`)];
const many = (count: number, make: (i: number) => Block[]) =>
  Array.from({ length: count }, (_, i) => make(i)).flat();
const leftOf = (blocks: Block[], kept = blocks.map(() => true)) => {
  const rest = withoutListings(blocks, kept);
  return { found: rest.found, left: blocks.filter((_, i) => rest.kept[i]) };
};

describe("a listing", () => {
  it("of hundreds of linked entries is no text, but the sentences around it are", () => {
    const blocks = [sentence, ...many(40, thread), sentence];
    expect(leftOf(blocks)).toEqual({ found: true, left: [sentence, sentence] });
    expect(leftOf(many(4000, thread))).toEqual({ found: true, left: [] });
    // Long titles that are links are no sentences.
    const titled = many(40, (i) => [...thread(i), block(sentence.text.slice(0, -1), 1)]);
    expect(leftOf(titled.concat(many(200, thread))).left).toEqual([]);
  });

  it("of hundreds of numbers is none either, linked or not", () => {
    expect(leftOf(many(110, row))).toEqual({ found: true, left: [] });
  });

  it("is not what an article has in a table or a list", () => {
    const table = [sentence, ...many(28, row), sentence];
    expect(leftOf(table)).toEqual({ found: false, left: table });
    const links = [sentence, ...many(20, thread), sentence];
    expect(leftOf(links)).toEqual({ found: false, left: links });
    const talk = many(200, (i) => [block(`— Line ${i} of what they say to each other.`)]);
    expect(leftOf(talk).left).toEqual(talk);
    const between = many(200, (i) => [...(i % 9 === 0 ? [sentence] : []), ...row(i)]);
    expect(leftOf(between).left).toEqual(between);
  });

  it("is not text without spaces", () => {
    const chinese = many(400, () => [block("人人生而自由，在尊严和权利上一律平等。")]);
    expect(leftOf(chinese).left).toEqual(chinese);
    const thai = many(400, () => [block("มนุษย์ทั้งปวงเกิดมามีอิสระ")]);
    expect(leftOf(thai).left).toEqual(thai);
  });

  it("is made of what is kept", () => {
    const blocks = many(100, (i) => [...thread(i), sentence]);
    const kept = blocks.map((one) => one !== sentence);
    expect(leftOf(blocks, kept)).toEqual({ found: true, left: [] });
    expect(
      leftOf(
        blocks,
        blocks.map((one) => one === sentence),
      ).left,
    ).toHaveLength(100);
  });
});
