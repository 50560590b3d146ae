/** Prints rows as an aligned table. */
export function printTable(title: string, columns: string[], rows: (string | number)[][]): void {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => row[c].length)));
  console.log(`\n${title}`);
  for (const row of cells) {
    console.log(
      `  ${row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join("  ")}`,
    );
  }
}

/** Seconds of the best of several runs. */
export function best(runs: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  // Short work is repeated until the compiler has done what it can: what is measured is warm.
  for (let run = 0; run < runs || performance.now() - start < 500; run++) {
    const began = performance.now();
    work();
    least = Math.min(least, (performance.now() - began) / 1000);
  }
  return least;
}

export interface Target {
  what: string;
  value: number;
  /** At least this. */
  least: number;
  digits?: number;
}

/** What was aimed at, and whether it is met: the last thing that a bench prints. */
export function printTargets(targets: readonly Target[]): void {
  printTable(
    "targets",
    ["", "aim", "measured", ""],
    targets.map(({ what, value, least, digits = 0 }) => [
      what,
      `≥ ${least.toLocaleString("en")}`,
      value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      value >= least ? "met" : "NOT MET",
    ]),
  );
}
