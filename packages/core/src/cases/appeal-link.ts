import type { Ports } from '../kernel/ports/ports.ts';

type LinkPorts = Pick<Ports, 'keyedHash'>;

const textOf = (decisionId: string, agentId: string) => `${decisionId} ${agentId}`;

/** What lets whoever holds it appeal once against a decision, in an agent's name. */
export async function appealToken(
  { keyedHash }: LinkPorts,
  decisionId: string,
  agentId: string,
): Promise<string> {
  return `${agentId}.${await keyedHash.token('appeal', textOf(decisionId, agentId))}`;
}

/** The agent that a token of a decision was made for; null: it was not made here. */
export async function agentOfToken(
  { keyedHash }: LinkPorts,
  decisionId: string,
  token: string,
): Promise<string | null> {
  const end = token.indexOf('.');
  const agentId = token.slice(0, Math.max(0, end));
  return (await keyedHash.isToken('appeal', textOf(decisionId, agentId), token.slice(end + 1)))
    ? agentId
    : null;
}
