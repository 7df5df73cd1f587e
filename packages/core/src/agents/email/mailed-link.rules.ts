const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{32})$/;

interface LinkToken {
  readonly id: string;
  readonly mac: string;
}

/** The token of a mailed link: the id of what it opens, and a keyed hash of it. */
export const linkTokenFrom = ({ id, mac }: LinkToken): string => `${id}.${mac}`;

/** Null for a text that is no token. A parsed token proves nothing yet. */
export function parseLinkToken(token: string): LinkToken | null {
  const [, id, mac] = TOKEN.exec(token) ?? [];
  return id === undefined || mac === undefined ? null : { id, mac };
}
