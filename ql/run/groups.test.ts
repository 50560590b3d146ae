/** What stands in brackets finds what it finds without them, also where it comes down to boundaries alone. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";
import type { Strategy } from "../cql/ast.js";
import { findAll } from "./find.js";

let folder = "";
let snapshot: Snapshot;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-groups-"));
  const lines: string[] = [];
  for (let i = 0; i < 30; i++) {
    lines.push("<s>", i % 2 === 0 ? "The\tD\t1\tn" : "the\tD\t1\tn", "cat\tN\t0\tr");
    if (i % 3 === 0) lines.push("the\tD\t1\tn", "dog\tN\t-2\tr");
    lines.push("</s>");
  }
  const path = join(folder, "text.vert");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const attributes = ["word", "tag", "head", "deprel"];
  await encodeCorpus({
    data: folder,
    corpus: "c",
    inputs: [path],
    attributes,
    segmentBytes: 100,
    workers: 1,
  });
  snapshot = openCorpus({ data: folder, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

const ranges = (query: string, strategy: Strategy = "all"): string[] => {
  const { begins, ends } = findAll(snapshot, query, { strategy });
  return Array.from(begins, (begin, i) => `${begin}-${ends[i]}`);
};

describe("a group that may be boundaries alone", () => {
  const pairs: [grouped: string, plain: string][] = [
    ['((<s/>)? <s>) "The"', '(<s/>)? <s> "The"'],
    ['x:((<s/>)? <s>) "The"', '(<s/>)? <s> "The"'],
    ['"cat"? (</s> (<s/>)?) "The"', '"cat"? </s> (<s/>)? "The"'],
    ['(!("the")? </s>) "The"', '!("the")? </s> "The"'],
    ['("a"? (<s/>)? [: word="The" :]) []', '"a"? (<s/>)? [: word="The" :] []'],
    ['(((<s/>)? <s>) | "zzq") "The"', '(<s/>)? <s> "The"'],
    ['(("the"? <s>) (<s/>)?) []', '"the"? <s> (<s/>)? []'],
    ['(("the" within s)? <s>) []', '("the" within s)? <s> []'],
    ['((meet "the" [] 0 0)? <s>) []', '(meet "the" [] 0 0)? <s> []'],
    ['((".*e" !>n)? <s>) []', '(".*e" !>n)? <s> []'],
    ['((<s/>)? <s>){1} "The"', '(<s/>)? <s> "The"'],
    ['(<s/>{0} <s> | "zzq") "The"', '<s> "The"'],
    ['(<s/>{0} <s>){1} "The"', '<s> "The"'],
    ['((<s/>)? <s>){2} "The"', '(((<s/>)? <s>) ((<s/>)? <s>)) "The"'],
  ];
  it.each(pairs)("%s finds what %s does", (grouped, plain) => {
    for (const strategy of ["all", "shortest", "longest", "standard", "traditional"] as const) {
      const found = ranges(grouped, strategy);
      expect(found).toEqual(ranges(plain, strategy));
      expect(found.length).toBeGreaterThan(5);
    }
  });
});
