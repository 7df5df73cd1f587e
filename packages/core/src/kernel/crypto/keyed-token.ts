/** A token for a link or a header, cut from a keyed hash in hex: whoever holds it was given it. */
export function keyedTokenFrom(keyedHashHex: string): string {
  return keyedHashHex.slice(0, 32);
}

export function isKeyedToken(token: string, keyedHashHex: string): boolean {
  return isSameText(token, keyedTokenFrom(keyedHashHex));
}

/** Compares in constant time: the time taken would otherwise tell how much of a guess was right. */
export function isSameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
