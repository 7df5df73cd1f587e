import type { Ports } from '../../kernel/ports/ports.ts';
import type { Erasure } from './erasures.store.ts';

type LinkPorts = Pick<Ports, 'keyedHash'>;
type Due = Pick<Erasure, 'agentId' | 'requestedAt'>;

const textOf = ({ agentId, requestedAt }: Due) => `${agentId} ${requestedAt}`;

/** What cancels one erasure, in the mail and the notice of it. */
export async function erasureToken({ keyedHash }: LinkPorts, due: Due): Promise<string> {
  return `${due.agentId}.${await keyedHash.token('account_erasure', textOf(due))}`;
}

export function isErasureToken({ keyedHash }: LinkPorts, due: Due, token: string): Promise<boolean> {
  return keyedHash.isToken('account_erasure', textOf(due), token);
}

/** The account that a token names, and the rest of it; null: it is none. */
export function parseErasureToken(token: string): { agentId: string; mac: string } | null {
  const end = token.indexOf('.');
  return end < 0 ? null : { agentId: token.slice(0, end), mac: token.slice(end + 1) };
}
