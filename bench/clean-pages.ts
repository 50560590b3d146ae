/**
 * The pages that boilerplate removal is measured and trained on: ../shared/data/web/boilerplate/dev.tar.xz, unpacked into a
 * temporary folder, with what people marked as their text; and the measure, F1 over bags of words, page by page.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface GoldPage {
  name: string;
  /** The set that it comes from: what its name begins with. */
  set: string;
  /** Pages of a site are held back together. */
  site: string;
  bytes: Uint8Array;
  gold: string;
}

const archive = resolve("../shared/data/web/boilerplate/dev.tar.xz");

export function goldPages(): GoldPage[] {
  if (!existsSync(archive)) throw new Error(`no pages to measure with: ${archive}`);
  const folder = join(tmpdir(), "dugong-boilerplate");
  if (!existsSync(join(folder, "gold"))) {
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["xJf", archive, "-C", folder]);
  }
  return readdirSync(join(folder, "gold"))
    .filter((file) => file.endsWith(".txt"))
    .sort()
    .map((file) => {
      const name = file.slice(0, -4);
      const [set] = name.split("__");
      const bytes = readFileSync(join(folder, "html", `${name}.html`));
      const gold = readFileSync(join(folder, "gold", file), "utf8");
      return { name, set, site: `${siteOf(bytes.toString("latin1")) ?? name}`, bytes, gold };
    });
}

/** The host that a page names most often as its own, or links to most. */
function siteOf(html: string): string | undefined {
  const own = /<(?:link|meta)[^>]{0,200}(?:canonical|og:url)[^>]{0,200}?https?:\/\/([\w.-]+)/i.exec(
    html,
  )?.[1];
  if (own) return domain(own);
  const counts = new Map<string, number>();
  for (const [, host] of html.matchAll(/https?:\/\/([\w.-]+)/g)) {
    if (/google|facebook|twitter|w3\.org|schema\.org|ogp\.me|gmpg|doubleclick/.test(host)) continue;
    counts.set(domain(host), (counts.get(domain(host)) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function domain(host: string): string {
  const parts = host.toLowerCase().split(".");
  const short = parts.length > 2 && parts[parts.length - 2].length <= 3 ? 3 : 2;
  return parts.slice(-short).join(".");
}

/** Words as the measure counts them. */
export function tokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

export function score(gold: string, found: string): Score {
  const counts = new Map<string, number>();
  const wanted = tokens(gold);
  const got = tokens(found);
  if (wanted.length === 0 && got.length === 0) return { precision: 1, recall: 1, f1: 1 };
  for (const token of wanted) counts.set(token, (counts.get(token) ?? 0) + 1);
  let both = 0;
  for (const token of got) {
    const left = counts.get(token) ?? 0;
    if (left > 0) {
      both++;
      counts.set(token, left - 1);
    }
  }
  const precision = got.length > 0 ? both / got.length : 0;
  const recall = wanted.length > 0 ? both / wanted.length : 0;
  return { precision, recall, f1: both > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
