/** The shell at a terminal: keys are pressed, the screen is looked at. Needs tmux; where CI is true, it must be there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../server/index.js";
import { makeLarge, temporaryFolder } from "../server/corpora.js";
import { encodeTales } from "./corpus.js";
import { hasTmux, Screen } from "./screen.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const isThere = hasTmux();
const { folder, remove } = temporaryFolder();
const history = join(folder, "state", "history");

if (!isThere) {
  describe("the shell at a terminal", () => {
    const message = "tmux is not there";
    it.skipIf(process.env.CI !== "true")("can be tested", () => expect.fail(message));
    console.warn(`${message}: the shell is not tested at a terminal`);
  });
}

describe.skipIf(!isThere)("the shell at a terminal", () => {
  let screen: Screen;
  const open = (args: string[] = ["--corpus", "tales"], size = {}) => {
    const env = { DUGONG_DATA: folder, DUGONG_HISTORY: history };
    screen = new Screen([process.execPath, main, "shell", ...args], { env, ...size });
  };
  const ask = async (line: string) => {
    screen.type(line);
    screen.press("Enter");
  };

  beforeAll(async () => {
    await encodeTales(folder, folder);
    await makeLarge(folder, "large", 1_000_000);
  });
  afterEach(() => screen.close());
  afterAll(remove);

  it("shows a page of aligned lines that fit, with colours and a count", async () => {
    open();
    await screen.shows("tales>");
    await ask('[lemma="go"]');
    const text = await screen.shows("1 to 22 of 4,025 matches in tales@1");
    const lines = text.split("\n").filter((line) => /^ *\d+ {2}/.test(line));
    expect(lines).toHaveLength(22);
    // Wide characters take two cells: tmux gives each of them once.
    const cells = (part: string) => [...part].length + [...part].filter((one) => one === "鯨").length;
    expect(lines.every((line) => cells(line) <= 100)).toBe(true);
    expect(lines.some((line) => line.includes("鯨"))).toBe(true);
    const coloured = screen.text({ colours: true });
    const places = coloured
      .split("\n")
      .filter((line) => /\u001b\[[0-9;]*31m/.test(line))
      .map((line) =>
        cells(line.slice(0, line.search(/\u001b\[[0-9;]*31m/)).replace(/\u001b\[[0-9;]*m/g, "")),
      );
    // All matches begin in the same column.
    expect(places).toHaveLength(22);
    expect(new Set(places).size).toBe(1);
  });

  it("turns pages", async () => {
    open();
    await screen.shows("tales>");
    await ask('[lemma="go"]');
    await screen.shows("1 to 22 of 4,025");
    screen.press("Space");
    await screen.shows("23 to 44 of 4,025");
    screen.press("n");
    await screen.shows("45 to 66 of 4,025");
    screen.press("b");
    await screen.shows("23 to 44 of 4,025");
    screen.press("G");
    await screen.shows("4,004 to 4,025 of 4,025");
    screen.press("g");
    await screen.shows("1 to 22 of 4,025");
    screen.press("q");
    await screen.shows(/1 to 22 of 4,025 matches in tales@1\ntales>$/);
    // What is typed in a page begins the next line.
    await ask('[lemma="see"]');
    await screen.shows("1 to 22 of");
    await ask("\\sample 3");
    await screen.shows("3 matches in tales@1");
  });

  it("completes commands, corpora, attributes, structures and values", async () => {
    open([]);
    await screen.shows("dugong>");
    screen.type("\\us");
    screen.press("Tab");
    await screen.shows("dugong> \\use");
    screen.type("ta");
    screen.press("Tab");
    await screen.shows("dugong> \\use tales");
    screen.press("Enter");
    await screen.shows("tales>");
    screen.type("[le");
    screen.press("Tab");
    await screen.shows('tales> [lemma="');
    screen.type("mer");
    screen.press("Tab");
    await screen.shows('tales> [lemma="mermaid"');
    screen.type("] within <do");
    screen.press("Tab");
    await screen.shows("within <doc");
    screen.type(" au");
    screen.press("Tab");
    await screen.shows('<doc author="');
    screen.type("C");
    screen.press("Tab");
    await screen.shows('<doc author="Cleo"');
    screen.type("/>");
    screen.press("Enter");
    await screen.shows(/1 to 22 of [\d,]+ matches in tales@1/);
    screen.press("q");
    await screen.shows(/\ntales>$/);
    // Where there are several, they are listed.
    screen.type('"g');
    screen.press("Tab");
    await new Promise((resolve) => setTimeout(resolve, 300));
    screen.press("Tab");
    await screen.shows(/goes +grey/);
  });

  it("takes several lines while a bracket or a quote is open", async () => {
    open();
    await screen.shows("tales>");
    await ask('[lemma="go" &');
    await screen.shows(/ ·$/);
    await ask('tag="VERB"] (');
    await ask('"the" "whale")');
    await screen.shows(/[\d,]+ matches in tales@1/);
    screen.press("q");
    await screen.shows(/\ntales>$/);
    screen.press("Up");
    await screen.shows('tales> [lemma="go" & tag="VERB"] ( "the" "whale")');
  });

  it("shows an error under the query, with a caret, and goes on", async () => {
    open();
    await screen.shows("tales>");
    await ask('[word="whale" & lema="x"]');
    await screen.shows(/Did you\s+mean lemma\?/);
    const lines = screen.text().split("\n");
    const at = lines.findIndex((line) => line.includes("^"));
    expect(lines[at].indexOf("^^^^")).toBe(lines[at - 1].indexOf("lema"));
    await ask('"mermaid" "goes"');
    await screen.shows(/[\d,]+ matches in tales@1/);
    screen.press("q");
    await ask("\\sort nothing 1R");
    await screen.shows(/no attribute "nothing"/);
    // The step that failed is not kept.
    await ask("\\sample 2");
    await screen.shows("2 matches in tales@1");
  });

  it("stops the query on Ctrl-C, not the shell", async () => {
    open(["--corpus", "large"]);
    await screen.shows("large>");
    await ask('[tag="A|C"] []{0,40} [tag="B"] []{0,40} [word="w7"] []{0,40} [tag="D"]');
    await ask("\\sort word 1R, word 2R, word 3R");
    await screen.shows(/looking for matches …/);
    const began = Date.now();
    screen.press("C-c");
    await screen.shows(/stopped\nlarge>$/, 5000);
    expect(Date.now() - began).toBeLessThan(3000);
    await ask('"w7" "w8"');
    await screen.shows(/"w7" "w8"\n[\s\S]*11 matches in large@1\nlarge>$/);
    // At the prompt it forgets what was typed.
    screen.type("[word=");
    screen.press("C-c");
    await screen.shows(/\^C\nlarge>$/);
    screen.press("C-d");
    await screen.shows("ended with 0");
  });

  it("forgets on Ctrl-C what was typed ahead, and the query that was stopped", async () => {
    open(["--corpus", "large"]);
    await screen.shows("large>");
    // Both lines come in one piece, before the first is answered.
    screen.type(
      '[tag="A|C"] []{0,40} [tag="B"] []{0,40} [word="w7"] []{0,40} [tag="D"]\r\\sort word 1R, word 2R\r',
    );
    await screen.shows(/looking for matches …/);
    screen.press("C-c");
    await screen.shows(/stopped\nlarge>$/, 5000);
    await ask("\\sample 2");
    await screen.shows("there is no query yet");
  });

  it("keeps what was typed, for the next time", async () => {
    open();
    await screen.shows("tales>");
    await ask('"harbour" "went"');
    await screen.shows("in tales@1");
    screen.press("q");
    await ask("\\quit");
    await screen.shows("ended with 0");
    screen.close();
    expect(existsSync(history)).toBe(true);
    expect(readFileSync(history, "utf8").trimEnd().split("\n").slice(-2)).toEqual([
      '"harbour" "went"',
      "\\quit",
    ]);
    open();
    await screen.shows("tales>");
    screen.press("Up", "Up");
    await screen.shows('tales> "harbour" "went"');
  });

  it("says what can be said, in lines that fit", async () => {
    open();
    await screen.shows("tales>");
    await ask("\\help");
    const text = await screen.shows(/Ctrl-C stops what runs\.\ntales>$/);
    const lines = text.split("\n").slice(0, -3);
    // A line begins with a command, or goes on below what is said of it: none was broken by the terminal.
    expect(lines.filter((line) => line !== "" && !/^(\\\w| {20})/.test(line))).toEqual([]);
    expect(lines.some((line) => /^ {20}/.test(line))).toBe(true);
  });

  it("asks a server elsewhere, and fits a narrow terminal", async () => {
    const server: RunningServer = await startServer({
      data: folder,
      config: { port: 0, logLevel: "silent", threads: 1 },
    });
    try {
      open([server.address, "--corpus", "tales"], { columns: 50, rows: 12 });
      await screen.shows("tales>");
      await ask("\\show doc.id,doc.author");
      await ask('[lemma="make"]');
      await screen.shows("1 to 10 of 4,008");
      await ask("\\coll lemma -2..2");
      const table = await screen.shows(/collocates in tales@1/);
      expect(table).toMatch(/lemma +count +total +logDice/);
      await ask("\\freq doc.author");
      await screen.shows(/Cleo +1,/);
      await screen.shows("3 rows in tales@1; 4,008 matches");
    } finally {
      await server.close(0);
    }
  });
});
