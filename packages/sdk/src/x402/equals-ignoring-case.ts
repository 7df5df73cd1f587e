/** Compares addresses: their case is only a checksum. */
export function equalsIgnoringCase(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
}
