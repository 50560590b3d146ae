/** Numbers, sizes, times and tables as people read them. */
import { cells } from "./width.js";

/** 1161192 → 1,161,192 */
export function grouped(number: number): string {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 12034567 → 12.0 MB */
export function size(bytes: number): string {
  const units = ["kB", "MB", "GB", "TB"];
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** 0.94 → 0.9 s, 75 → 1 min 15 s, 4000 → 1 h 7 min */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** "1 token", "2 tokens", "1,000 tokens" */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Rows under headings, columns aligned: those whose heading begins with ">" to the right. */
export function table(headings: string[], rows: string[][]): string[] {
  const titles = headings.map((heading) => heading.replace(/^>/, ""));
  const all = [titles, ...rows];
  const widths = titles.map((_, column) => all.reduce((most, row) => Math.max(most, cells(row[column])), 0));
  return all.map((row) =>
    row
      .map((cell, column) => {
        const gap = " ".repeat(widths[column] - cells(cell));
        return headings[column].startsWith(">") ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd(),
  );
}
