/** What somebody may do with a corpus; each level includes those before it. */
export const levels = ["none", "read", "write", "admin"] as const;
export type Level = (typeof levels)[number];

export function isLevel(value: unknown): value is Level {
  return levels.includes(value as Level);
}

export function reaches(level: Level, needed: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(needed);
}
