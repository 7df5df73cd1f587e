/** Every integer of so many digits is safe. */
const SAFE_DIGITS = 15;
/** Longer ones overflow a double. */
const MAX_DIGITS = 310;

/**
 * Whether a double holds the value of a JSON number literal exactly, if it is an integer literal. One with a fraction or
 * an exponent is meant as a double.
 */
export function isExactInteger(literal: string): boolean {
  if (literal.length <= SAFE_DIGITS || /[.eE]/.test(literal)) return true;
  const value = Number(literal);
  if (Number.isSafeInteger(value)) return true;
  // The conversion to BigInt grows with the square of the length.
  if (literal.length > MAX_DIGITS || !Number.isFinite(value)) return false;
  return BigInt(literal) === BigInt(value);
}
