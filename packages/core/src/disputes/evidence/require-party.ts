import type { AgentCaller } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { requireBuyer, type Sale } from '../../sales/index.ts';

/** The seller by its key; the buyer by its key or its purchase's page. Throws for everybody else. */
export async function requireParty(
  ports: Pick<Ports, 'keyedHash' | 'clock'>,
  sale: Sale,
  caller: AgentCaller | null,
  token: string | undefined,
): Promise<'buyer' | 'seller'> {
  if (token === undefined && caller?.agentId === sale.sellerId) return 'seller';
  await requireBuyer(ports, sale, caller, token);
  return 'buyer';
}
