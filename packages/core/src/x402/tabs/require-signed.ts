import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Chain, TypedMessage } from '../../kernel/ports/chain.ts';
import { tabErrors } from '../../sales/index.ts';

/** Refuses what the account that paid for a tab did not sign. An ordinary account's signature is checked without the chain. */
export async function requireSigned(
  chain: Chain,
  payer: Hex,
  message: TypedMessage,
  signature: Hex,
): Promise<void> {
  const isSigned = await chain.hasSigned(payer, message, signature);
  if (isSigned === null)
    throw new Refusal(commonErrors.service_unavailable, { charged: false, retryAfterSeconds: 5 });
  if (!isSigned) throw new Refusal(tabErrors.tab_not_signed, { charged: false });
}
