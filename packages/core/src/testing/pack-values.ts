/** JSON with whole numbers of any size. */
export function packValues(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { $bigint: String(part) } : part));
}

export function unpackValues(text: string): unknown {
  return JSON.parse(text, (_, part) =>
    typeof part === 'object' && part !== null && '$bigint' in part ? BigInt(part.$bigint) : part,
  );
}
