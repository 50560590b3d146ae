/**
 * Bearer tokens, in the catalogue of the data directory:
 *
 *   ["token", id]        who it is, what they may do with which corpora, until when; and the hash of the secret
 *   ["access", corpus]   {public}: may anybody read it? A corpus of which nothing is said may be
 *
 * A token is dgt_<id>_<secret>. The secret is 32 random bytes; only its SHA-256 is kept, so that nobody who reads the
 * catalogue can use it. (It has as much chance as a key: there is nothing to guess that a slow hash would protect.)
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Catalog } from "../../storage/index.js";
import { DugongError } from "../../storage/index.js";
import type { Budget } from "../config.js";
import type { Level } from "./levels.js";

export interface TokenRecord {
  /** Who holds it. Several tokens may have the same name. */
  name: string;
  hash: string;
  created: string;
  /** Absent: it does not. */
  expires?: string;
  /** By corpus; "*" is any, and for `admin` the server itself. */
  grants: Record<string, Level>;
  budget: Budget;
}

export interface TokenInfo extends Omit<TokenRecord, "hash"> {
  id: string;
}

export class Tokens {
  constructor(readonly catalog: Catalog) {}

  /** The only time that the token can be seen. */
  create(
    name: string,
    grants: Record<string, Level>,
    expires?: Date,
    budget: Budget = {},
  ): TokenInfo & { token: string } {
    this.#mustWrite();
    const id = randomBytes(6).toString("hex");
    const secret = randomBytes(32).toString("base64url");
    const record: TokenRecord = {
      name,
      hash: hashOf(secret),
      created: new Date().toISOString(),
      ...(expires && { expires: expires.toISOString() }),
      grants,
      budget,
    };
    this.catalog.database.transactionSync(() => this.catalog.database.putSync(["token", id], record));
    return { ...infoOf(id, record), token: `dgt_${id}_${secret}` };
  }

  list(): TokenInfo[] {
    const range = this.catalog.database.getRange({ start: ["token"], end: ["token\u0001"] });
    return [...range].map(({ key, value }) => infoOf((key as string[])[1], value as TokenRecord));
  }

  /** By id, or all of a name. Returns how many. */
  revoke(idOrName: string): number {
    this.#mustWrite();
    const matching = this.list().filter(({ id, name }) => id === idOrName || name === idOrName);
    if (matching.length === 0)
      throw new DugongError(
        "no_token",
        `there is no token ${JSON.stringify(idOrName)}`,
        "`dugong token list` shows those there are.",
      );
    this.catalog.database.transactionSync(() => {
      for (const { id } of matching) this.catalog.database.removeSync(["token", id]);
    });
    return matching.length;
  }

  /** Whose token it is, or undefined; whether it is still good is in the record. */
  find(token: string): TokenInfo | undefined {
    const [, id, secret] = /^dgt_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
    if (id === undefined) return undefined;
    const record = this.catalog.database.get(["token", id]) as TokenRecord | undefined;
    // As long as with one that is there.
    const hash = Buffer.from(hashOf(secret), "hex");
    const expected = record ? Buffer.from(record.hash, "hex") : Buffer.alloc(hash.length);
    return timingSafeEqual(hash, expected) && record ? infoOf(id, record) : undefined;
  }

  byId(id: string): TokenInfo | undefined {
    const record = this.catalog.database.get(["token", id]) as TokenRecord | undefined;
    return record && infoOf(id, record);
  }

  isPublic(corpus: string): boolean {
    const record = this.catalog.database.get(["access", corpus]) as { public: boolean } | undefined;
    return record?.public ?? true;
  }

  privateCorpora(): string[] {
    const range = this.catalog.database.getRange({ start: ["access"], end: ["access\u0001"] });
    return [...range].flatMap(({ key, value }) =>
      (value as { public: boolean }).public ? [] : [(key as string[])[1]],
    );
  }

  setPublic(corpus: string, isPublic: boolean): void {
    this.#mustWrite();
    this.catalog.manifestOfAnyFormat(corpus);
    this.catalog.database.transactionSync(() =>
      this.catalog.database.putSync(["access", corpus], { public: isPublic }),
    );
  }

  #mustWrite(): void {
    if (!this.catalog.writable)
      throw new DugongError("read_only", `nothing can be written in ${this.catalog.folder}`);
  }
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function infoOf(id: string, { hash: _, ...rest }: TokenRecord): TokenInfo {
  return { id, ...rest };
}
