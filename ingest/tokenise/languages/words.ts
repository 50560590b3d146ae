/** Words of a list, written with spaces between them. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Single letters with a period: "A." */
export function letters(text: string): string[] {
  return [...text].map((char) => `${char}.`);
}
