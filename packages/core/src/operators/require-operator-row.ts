import { Refusal } from '../kernel/errors.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { operatorErrors } from './operators.errors.ts';
import { isLastAdmin, isRevoked, readOperator } from './operators.store.ts';

export async function requireOperatorRow({ market }: Pick<Ports, 'market'>, id: string) {
  const found = await readOperator(market, id);
  if (found === null) throw new Refusal(operatorErrors.operator_not_found);
  return found;
}

export async function requireLiveOperator(ports: Pick<Ports, 'market'>, id: string) {
  const found = await requireOperatorRow(ports, id);
  if (found.revokedAt !== null) throw new Refusal(operatorErrors.operator_revoked);
  return found;
}

/** What a change is refused with that another change has come before. */
export function refusalOfChange(error: unknown): unknown {
  if (isRevoked(error)) return new Refusal(operatorErrors.operator_revoked);
  return isLastAdmin(error) ? new Refusal(operatorErrors.last_admin) : error;
}
