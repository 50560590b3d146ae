/**
 * How much a collocate belongs to a head in a relation R, by
 *
 *   f12   f(head, R, collocate)
 *   f1    f(head, R, *)
 *   f2    f(*, R, collocate)
 *   N     f(*, R, *)
 *
 *   logDice   14 + log2(2·f12 / (f1 + f2))        at most 14; does not depend on the size of the corpus
 *   MI        log2(f12·N / (f1·f2))               how much more often than by chance; favours what is rare
 *   weight    logDice, where it is above 0, in steps of 1/256: whole numbers, so that sums of them do not depend on their order
 */
export function logDice(f12: number, f1: number, f2: number): number {
  return 14 + Math.log2((2 * f12) / (f1 + f2));
}

export function mutualInformation(f12: number, f1: number, f2: number, n: number): number {
  return Math.log2((f12 * n) / (f1 * f2));
}

/** One of logDice is so many steps of a weight. */
const weightSteps = 256;
/** logDice is 14 at most. */
export const weightMax = 14 * weightSteps;

/** Of a context (R, collocate) for a head: what words are compared by. */
export function contextWeight(f12: number, f1: number, f2: number): number {
  const steps = Math.round(weightSteps * logDice(f12, f1, f2));
  return Math.max(0, steps);
}
