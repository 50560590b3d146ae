/**
 * Token stream: the id at each position of one attribute in one segment. A stream file (kind "stream") is one
 * column, `ids` (column/writer.ts), of whichever encoding is right for its ids: one byte for up to 256 types.
 *
 * Glue file (kind "glue"): section `bits`, a bit per token, lowest first: no space before this token.
 */
export const streamVersion = 2;
export const glueVersion = 1;
