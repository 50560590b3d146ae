/** What is no chain is refused before anything is computed, with the step that is wrong and what is wrong there. */
import { expect, it } from "vitest";
import { group } from "../stats/group.js";
import { checkChain } from "./check.js";
import type { Chain, GroupedChain, Step } from "./steps.js";

const house = { step: "query", query: '"house"' } as const;
const behind = (...steps: object[]) => [house, ...steps] as Chain;

it("takes every step with everything that it may have", () => {
  const window = { from: -3, to: 1, within: "s", skip: '[tag="P"]' };
  const steps: Step[] = [
    {
      ...{ step: "filter", query: "[]", drop: true, window, node: false, occurrence: -1, label: "x" },
      ...{ strategy: "longest", lists: { a: ["b"] }, gapMax: 3, subcorpus: "news" },
    } as Step,
    { step: "filter", query: "[]", window: { structure: "s" } },
    { step: "within", query: "<s/>", drop: true },
    { step: "first", structure: "doc", count: 2 },
    { step: "outermost" },
    { step: "sample", percent: 0.5, seed: -7 },
    { step: "sample", count: 3 },
    { step: "shuffle", seed: 1 },
    { step: "sort", keys: ["word/i 1", "doc.year/-"], collation: "cs" },
    { step: "examples", count: 3, formula: "length", structure: "s", blacklist: ["b"] },
  ];
  checkChain(behind(...steps));
});

it.each<[unknown, string, RegExp]>([
  [{}, "bad_chain", /list of steps/],
  [[], "bad_chain", /list of steps/],
  [[null], "bad_chain", /^step 1 of the chain is not an object/],
  [[{ step: "sort", keys: ["word"] }], "bad_chain", /^step 1 of the chain is "sort", not query/],
  [[{ step: "query" }], "bad_chain", /^step 1 of the chain \(query\) needs "query"/],
  [[{ ...house, strategy: "larger" }], "bad_chain", /^step 1 .*strategy = "larger"/],
  [[{ ...house, lists: { a: "b" } }], "bad_chain", /^step 1 .*lists = {"a":"b"}/],
  [[{ ...house, querry: "" }], "bad_chain", /^step 1 .*has no "querry"/],
  [behind(house), "bad_chain", /^step 2 of the chain is "query"/],
  [behind({ step: "smple", count: 3 }), "bad_chain", /^step 2 .*"smple", not filter/],
  [behind({ step: "sample" }), "bad_chain", /^step 2 .*count or a percent/],
  [behind({ step: "sample", count: 1, percent: 1 }), "bad_chain", /^step 2 .*not both/],
  [behind({ step: "sample", percent: 101 }), "bad_chain", /^step 2 .*percent = 101/],
  [behind({ step: "first", structure: "doc", count: 0 }), "bad_chain", /^step 2 .*count = 0/],
  [behind({ step: "filter", query: "[]", occurrence: 0 }), "bad_chain", /^step 2 .*occurrence = 0/],
  [behind({ step: "filter", query: "[]", window: { from: 1 } }), "bad_chain", /^step 2 .*{"from":1}/],
  [
    behind({ step: "filter", query: "[]", window: { from: 1, to: 2, wthin: "s" } }),
    "bad_chain",
    /^step 2 .*"wthin"/,
  ],
  [behind({ step: "filter", query: "[]", window: { structure: "s", to: 2 } }), "bad_chain", /^step 2 .*"to"/],
  [
    behind({ step: "filter", query: "[]", window: { from: 3, to: 1 } }),
    "bad_window",
    /^step 2 .*\(filter\): .*from 3 to 1/,
  ],
  [behind({ step: "sort", keys: [] }), "bad_chain", /^step 2 .*names no keys/],
  [
    behind({ step: "shuffle" }, { step: "sort", keys: ["word", "word 1Q"] }),
    "bad_key",
    /^step 3 of the chain \(sort\): "word 1Q" .*"1Q"/,
  ],
  [behind({ step: "sort", keys: ["word"], collation: "zzzz" }), "bad_collation", /^step 2 .*"zzzz"/],
  [behind({ step: "examples", formula: "lenght" }), "bad_formula", /^step 2 .*"lenght", at character 1/],
  [behind({ step: "group", by: "word" }), "bad_chain", /^step 2 .*gives rows/],
])("refuses %j", (chain, code, message) => {
  expect(() => checkChain(chain as Chain)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});

it("says where in a formula an error is, for programs", () => {
  expect(() => checkChain(behind({ step: "examples", formula: "1 + lenght" }))).toThrow(
    expect.objectContaining({ span: [4, 10], hint: "Did you mean length?" }),
  );
});

it.each<[object, string, RegExp]>([
  [{ step: "group" }, "bad_chain", /^step 2 of the chain \(group\) needs "by"/],
  [{ step: "group", by: ["word"] }, "bad_chain", /^step 2 .*by = \["word"\]/],
  [{ step: "group", by: "word", limt: 3 }, "bad_chain", /^step 2 .*has no "limt"/],
  [{ step: "group", by: "word", limit: -3 }, "bad_chain", /^step 2 .*limit = -3/],
  [{ step: "group", by: "word, tag 1Q" }, "bad_key", /^step 2 of the chain \(group\): .*"1Q"/],
])("refuses to group by %j", (step, code, message) => {
  // What is wrong is known before a corpus is looked at.
  expect(() => group(undefined as never, behind(step) as unknown as GroupedChain)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
