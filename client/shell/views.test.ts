/** What is drawn: a function of rows, size and style. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layOut, layoutOf } from "../cli/kwic.js";
import { cells } from "../cli/width.js";
import { DugongClientError } from "../errors.js";
import type { Known, Rows } from "../index.js";
import { coloured, plain, styleFor } from "./colours.js";
import { History, historyFile } from "./history.js";
import { keysOf, turnOf } from "./keyboard.js";
import { limits } from "./limits.js";
import { continuation, described, initialState, prompt } from "./state.js";
import { layOutTable } from "./tables.js";
import { troubleLines } from "./trouble.js";
import {
  fitted,
  linesView,
  pageText,
  printedHeadings,
  printedRow,
  type RowsView,
  tableView,
} from "./views.js";

const rows = {} as Rows<never>;
const lines = [
  { begin: 1, end: 2, left: "the old", match: "whale", right: "went home" },
  { begin: 200, end: 202, left: "魚 and", match: "鯨", right: "swim" },
];
const matches = linesView(rows, { view: "kwic" }) as RowsView;

describe("lines", () => {
  it("are aligned in cells, with and without colours", () => {
    const bare = (text: string) => text.replace(/\u001b\[[0-9;]*m/g, "");
    const drawn = matches.draw(lines, { width: 40, height: 10 }, coloured);
    expect(drawn.every((line) => /\u001b\[1;31m(whale|鯨)\u001b\[/.test(line))).toBe(true);
    const before = drawn.map((line) => cells(bare(line.slice(0, line.indexOf("\u001b[1;31m")))));
    expect(new Set(before).size).toBe(1);
    expect(drawn.every((line) => cells(bare(line)) <= 40)).toBe(true);
    expect(matches.draw(lines, { width: 40, height: 10 }, plain)[0]).toContain("[whale] went");
  });

  it("have the colour of the match on all lines that it goes over", () => {
    const line = { begin: 0, end: 9, left: "a", match: "one two three four five six", right: "b" };
    const drawn = layOut([line], layoutOf([line], 24, "sentence", coloured));
    expect(drawn.length).toBeGreaterThan(1);
    for (const one of drawn) expect(one.match(/\u001b\[1;31m/g)).toHaveLength(1);
    expect(drawn.join(" ").replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(/[[\]]/);
  });

  it("are rows of tables for programs", () => {
    const view = linesView(rows, { view: "kwic", refs: ["doc.id"] }) as RowsView;
    const line = { ...lines[0], refs: { "doc.id": "d,1" } };
    expect(printedHeadings(view, "tsv")).toBe("begin\tend\tdoc.id\tleft\tmatch\tright\n");
    expect(printedRow(view, line, "tsv")).toBe("1\t2\td,1\tthe old\twhale\twent home\n");
    expect(printedRow(view, line, "csv")).toBe('1,2,"d,1",the old,whale,went home\r\n');
    expect(JSON.parse(printedRow(view, line, "jsonl"))).toEqual(line);
    expect(printedHeadings(view, "jsonl")).toBe("");
  });
});

describe("tables", () => {
  const columns = [
    { heading: "word", value: ({ word }: { word: string; count: number }) => word },
    { heading: "count", value: ({ count }: { word: string; count: number }) => count, digits: 1 },
  ];

  it("fit, with numbers to the right and whole", () => {
    const list = [
      { word: "鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨", count: 1234.56 },
      { word: "a", count: 2 },
    ];
    const drawn = layOutTable(columns, list, 24, (text) => text);
    expect(drawn.every((line) => cells(line) <= 24)).toBe(true);
    expect(drawn[1]).toMatch(/…\s+1,234\.6$/);
    expect(drawn[2]).toMatch(/^a\s+2\.0$/);
    const view = tableView(rows, columns, ["row", "rows"]) as RowsView;
    expect(printedRow(view, list[1], "tsv")).toBe("a\t2\n");
  });
});

describe("the line below a page", () => {
  const said = (known: Known, from: number, shown: number) => pageText(matches, known, from, shown);

  it("says what is known of the number of rows, and how far", () => {
    expect(said({ total: { value: 4025, certainty: "exact" }, corpus: "t@1" }, 0, 20)).toBe(
      "1 to 20 of 4,025 matches in t@1",
    );
    expect(said({ total: { value: 3, certainty: "exact" } }, 0, 3)).toBe("3 matches");
    expect(said({ total: { value: 1, certainty: "exact" } }, 0, 1)).toBe("1 match");
    expect(said({ total: { value: 0, certainty: "exact" } }, 0, 0)).toBe("0 matches");
    expect(said({ total: { value: 900, certainty: "estimate" } }, 20, 20)).toBe(
      "21 to 40 of about 900 matches",
    );
    expect(said({ total: { value: 30, certainty: "estimate" } }, 20, 20)).toBe(
      "21 to 40 of at least 40 matches",
    );
    expect(said({ hits: { value: 77, certainty: "atLeast" } }, 0, 20)).toBe("1 to 20 of at least 77 matches");
  });

  it("is never as wide as the terminal", () => {
    expect(cells(fitted("鯨".repeat(100), 40))).toBeLessThan(40);
    expect(fitted("short", 40)).toBe("short");
  });
});

describe("keys", () => {
  it("are cut from what the terminal sends", () => {
    expect(keysOf(" \u001b[6~q\u001b[Aé")).toEqual([" ", "\u001b[6~", "q", "\u001b[A", "é"]);
    expect(keysOf(" nb\u001b[5~gGq\\").map(turnOf)).toEqual([
      "next",
      "next",
      "back",
      "back",
      "first",
      "last",
      "done",
      "other",
    ]);
    expect(turnOf(undefined)).toBe("done");
  });
});

describe("errors", () => {
  it("stand over the query with the place marked", async () => {
    const span: [number, number] = [1, 5];
    const error = new DugongClientError({
      code: "x",
      message: "no attribute",
      hint: "Try.",
      span,
      retryable: false,
    });
    expect(await troubleLines(error, '[lema="a"]', 80)).toEqual([
      "no attribute. Try.",
      '  [lema="a"]',
      "   ^^^^",
    ]);
    expect(await troubleLines(new Error("what?"), "", 80)).toEqual(["what?"]);
    expect(await troubleLines(new DOMException("x", "AbortError"), "", 80)).toEqual(["stopped"]);
  });
});

describe("the prompt", () => {
  it("names the corpus and its part", () => {
    const state = initialState("tales");
    expect(prompt(state)).toBe("tales> ");
    state.settings.subcorpus = "old";
    expect(prompt(state)).toBe("tales/old> ");
    expect(continuation(state)).toHaveLength(prompt(state).length);
    state.query = '"a"';
    state.steps = [
      { step: "sort", keys: ["word 1R"] },
      { step: "sample", percent: 5 },
    ];
    expect(described(state)).toBe('"a" in old · sorted by word 1R · sample of 5%');
  });

  it("has no colours where none are wanted", () => {
    expect(styleFor({ isTTY: true }, { TERM: "xterm" })).toBe(coloured);
    expect(styleFor({ isTTY: true }, { TERM: "xterm", NO_COLOR: "1" })).toBe(plain);
    expect(styleFor({ isTTY: false }, {})).toBe(plain);
  });
});

describe("history", () => {
  it("is where the environment says", () => {
    expect(historyFile({ DUGONG_HISTORY: "/x" })).toBe("/x");
    expect(historyFile({ DUGONG_HISTORY: "" })).toBeUndefined();
    expect(historyFile({ XDG_STATE_HOME: "/state" })).toBe("/state/dugong/history");
    expect(historyFile({})).toMatch(/\.local\/state\/dugong\/history$/);
  });

  it("is kept on disk, for its owner alone, and no longer than it may be", () => {
    const folder = mkdtempSync(join(tmpdir(), "dugong-history-"));
    const file = join(folder, "deep", "history");
    const history = new History(file);
    expect(history.read()).toEqual([]);
    history.add('"a"');
    history.add('[word="b"\n  & tag="c"]');
    history.add("  ");
    expect(new History(file).read()).toEqual(['[word="b" & tag="c"]', '"a"']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, Array.from({ length: 3 * limits.historyEntriesMax }, (_, i) => `${i}\n`).join(""));
    expect(history.read()).toHaveLength(limits.historyEntriesMax);
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(limits.historyEntriesMax);
    // Where nothing can be written, nothing is; nobody is bothered.
    new History(join(file, "below")).add("x");
    expect(new History(undefined).read()).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
