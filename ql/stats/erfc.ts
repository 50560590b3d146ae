/** The complementary error function for x ≥ 0: a series near 0, a continued fraction beyond. */
export function erfc(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > sum * 1e-17 && n < 200; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    // erf x = 2/√π · e^(−x²) Σ 2ⁿ x^(2n+1) / (1 · 3 · … · (2n + 1))
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  // erfc x = e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 1½/(x + …)))), from the inside out.
  let fraction = x;
  for (let n = 120; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}
