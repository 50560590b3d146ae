/** Values in order: by number where both sides are whole numbers, however many digits they have. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";
import { findAll } from "./find.js";

const numbers = [
  "9007199254740992",
  "9007199254740993",
  "9007199254740994",
  "12345678901234567890",
  "12345678901234567891",
  "-9007199254740993",
  "+0009007199254740993",
  "7",
];

let folder = "";
let snapshot: Snapshot;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-values-"));
  const path = join(folder, "text.vert");
  writeFileSync(path, `${numbers.map((n) => `<s n="${n}">\nw\t${n}\n</s>`).join("\n")}\n`);
  await encodeCorpus({ data: folder, corpus: "c", inputs: [path], attributes: ["word", "n"], workers: 1 });
  snapshot = openCorpus({ data: folder, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

const found = (query: string) => {
  const { begins, notices } = findAll(snapshot, query);
  expect(notices.filter(({ code }) => code === "no_such_value")).toEqual([]);
  return [...begins];
};

describe("numbers beyond what a double tells apart", () => {
  it("are in order", () => {
    expect(found('[n>"9007199254740992"]')).toEqual([1, 2, 3, 4, 6]);
    expect(found('[n>="9007199254740993"]')).toEqual([1, 2, 3, 4, 6]);
    expect(found('[n>"12345678901234567890"]')).toEqual([4]);
    expect(found('[n<"-9007199254740992"]')).toEqual([5]);
    expect(found('[n<="-9007199254740992" | n<"+8"]')).toEqual([5, 7]);
    expect(found('<s n>"12345678901234567890"/>')).toEqual([4]);
    expect(found('[s_n<="9007199254740992"]')).toEqual([0, 5, 7]);
  });

  it("are in order across labels", () => {
    expect(found("1:[] 2:[] & 1.n < 2.n")).toEqual([0, 1, 2, 3, 5]);
    expect(found("1:[] []{0,5} 2:[] & int(1.n) = int(2.n)")).toEqual([1]);
    expect(found("1:[] 2:[] & int(1.n) > int(2.n)")).toEqual([4, 6]);
    expect(found('1:[] 2:[] & 1.n > "12345678901234567890"')).toEqual([4]);
  });

  it("are asked for as strings, as a number of a query would stand for its neighbour", () => {
    for (const query of ["[int(n) = 9007199254740993]", "1:[] 2:[] & int(1.n) > 9007199254740993"])
      expect(() => findAll(snapshot, query)).toThrow(/above 9007199254740991/);
    expect(found("[int(n) > 9007199254740991]")).toEqual([0, 1, 2, 3, 4, 6]);
    expect(found("[int(n) > 7.5]")).toEqual([0, 1, 2, 3, 4, 6]);
  });
});
