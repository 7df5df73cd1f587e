import { readOwnRecord, resolveClaimToken } from '../../agents/index.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import { sellingErrors } from '../selling.errors.ts';

export const claimErrors = [sellingErrors.claim_not_found, commonErrors.agent_suspended] as const;

/** The seller of a claim link that may change something now: a suspended one may by no link what its key may not. */
export async function requireClaim(
  { ports, now }: Pick<OperationContext, 'ports' | 'now'>,
  token: string,
): Promise<{ readonly sellerId: string }> {
  const claim = await resolveClaimToken(ports, token, now);
  if (claim === null) throw new Refusal(sellingErrors.claim_not_found);
  const seller = await readOwnRecord(ports.market, claim.sellerId);
  if (seller?.suspendedAt) throw new Refusal(commonErrors.agent_suspended);
  return claim;
}
