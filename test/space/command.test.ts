/** The commands of spaces, as people and programs type them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus } from "../../storage/index.js";
import { dugong } from "../crash/command.js";

let data = "";
let table = "";

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "dugong-space-command-"));
  const texts = [
    ["a", 1950, "war and peace"],
    ["b", 1990, "peace and an economy"],
    ["c", 2020, "war war war economy peace"],
  ];
  const docs = texts.map(([id, year, text]) => {
    const tokens = String(text).replaceAll(" ", "\n");
    return `<doc id="${id}" year="${year}">\n${tokens}\n</doc>\n`;
  });
  writeFileSync(join(data, "text.vert"), docs.join(""));
  table = join(data, "links.tsv.gz");
  writeFileSync(table, gzipSync("a\tb\nc\tb\nb\ta\n"));
  await encodeCorpus({
    data,
    corpus: "c",
    inputs: [join(data, "text.vert")],
    attributes: ["word"],
    workers: 1,
  });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function json(...args: string[]) {
  const { code, stdout, stderr } = await dugong([...args, "--data", data, "--json"]);
  return { code, stderr, answer: JSON.parse(stdout) };
}

describe("the commands of spaces", () => {
  it("build, ask, check and dump a space", async () => {
    const built = await json("space-build", "c", "--dimensions", "word,year,rank", "--links", table);
    expect([built.code, built.answer.record.points, built.answer.links.documents]).toEqual([0, 10, 3]);
    expect(JSON.parse(built.stderr.split("\n")[0]).progress.phase).toBe("plan");
    const asked = await json(
      "space-query",
      "c",
      "--words",
      "war peace",
      "--order",
      "year:-1",
      "--limit",
      "5",
    );
    expect(asked.answer).toMatchObject({ count: 2, exact: true, unit: "doc" });
    expect(asked.answer.items.map(({ id }: { id: string }) => id)).toEqual(["c", "a"]);
    const best = await json("space-query", "c", "--where", "word=peace and year>=1950", "--order", "rank");
    expect(best.answer.items.map(({ id }: { id: string }) => id)).toEqual(["b", "a", "c"]);
    const counted = await json("space-query", "c", "--where", "year<2000", "--words", "economy", "--count");
    expect(counted.answer).toMatchObject({ count: 1, items: [] });
    const info = await json("space-info", "c");
    expect(info.answer.dimensions.map(({ name }: { name: string }) => name)).toEqual([
      "word",
      "year",
      "rank",
    ]);
    expect((await json("space-verify", "c")).answer).toMatchObject({ files: 1, problems: [] });
    const dumped = await dugong(["space-dump", "c", "--data", data]);
    expect(dumped.stdout.trim().split("\n")).toHaveLength(11);
    expect((await json("spaces", "c")).answer.spaces).toHaveLength(1);
    expect((await json("spaces", "c", "--remove", "default")).answer).toEqual({ removed: "default" });
    const gone = await json("space-info", "c");
    expect([gone.code, gone.answer.error.code]).toEqual([1, "no_space"]);
    expect((await dugong(["space-build", "c", "--data", data])).code).toBe(2);
    expect((await dugong(["space-query", "c", "--order", "a:b:c", "--data", data])).code).toBe(2);
  }, 60_000);

  it("rank the pages of a link table", async () => {
    const { code, answer } = await json("pagerank", table, "--limit", "2");
    expect(code).toBe(0);
    expect(answer).toMatchObject({ pages: 3, links: 3, dangling: 0, converged: true, badLines: 0 });
    expect(answer.items.map(({ url }: { url: string }) => url)).toEqual(["b", "a"]);
    expect((await json("pagerank", join(data, "none"))).answer.error.code).toBe("input_not_found");
  }, 30_000);
});
