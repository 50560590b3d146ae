/**
 * Where random tests begin. Every run asks the same questions, so that a change is told by its own failures; others are
 * looked for with DUGONG_TEST_SEED=random, or with a number that a failure named. DUGONG_TEST_SCALE asks more of them.
 */
const given = process.env.DUGONG_TEST_SEED ?? "1";

export const seed = given === "random" ? Date.now() % 2 ** 31 : Number(given);
export const scale = Number(process.env.DUGONG_TEST_SCALE ?? 1);
