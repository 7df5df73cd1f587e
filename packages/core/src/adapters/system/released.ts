/**
 * The answer of a call to another Worker or object, with whatever it holds on the other side let go: until
 * then, that side cannot be evicted. Plain data stays readable.
 */
export function released<T>(answer: T): T {
  if (typeof answer === 'object' && answer !== null) {
    (answer as { [Symbol.dispose]?: () => void })[Symbol.dispose]?.();
  }
  return answer;
}
