import { verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import type { Bought } from './buy.ts';
import { type Stage, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

/** What the last lines of the demo say. */
export interface VerifiedReceipt {
  readonly purchaseId: string;
  readonly keyId: string;
  readonly signedAt: string;
}

/** The buyer verifies with the stored key and the purchase alone. */
export async function verifyOffline({ story, keys }: Stage, { purchase }: Bought): Promise<VerifiedReceipt> {
  story.chapter('The receipt is verified offline');
  story.page('/verify');
  story.say('The network is disabled here: any use of it would fail the demo.');
  return withoutNetwork(async () => {
    const verified = await verifyPurchaseReceipt(purchase, keys);
    if (!verified.valid) throw new StepFailed(`The receipt does not verify: ${verified.detail}`);
    const { statement, content, keyId, signedAt } = verified;
    story.check(true, `the signature is valid: ${keyId}, at ${signedAt}`);
    story.check(statement.purchaseId === purchase.id, 'the receipt is for this purchase and this listing');
    story.check(content === 'matches', 'the SHA-256 of the content equals the one in the receipt');

    const forgeries = {
      'one letter of the content changed': { ...purchase, content: withTypo(purchase.content) },
      'another price in the receipt': {
        ...purchase,
        receipt: { ...purchase.receipt, statement: { ...purchase.receipt?.statement, amountCents: 1 } },
      },
      'the receipt with another purchase': { ...purchase, id: crypto.randomUUID() },
    };
    for (const [what, forged] of Object.entries(forgeries)) {
      const refused = await verifyPurchaseReceipt(forged, keys);
      story.check(!refused.valid, `${what}: refused${refused.valid ? '' : ` (${refused.reason})`}`);
    }
    return { purchaseId: purchase.id, keyId, signedAt };
  });
}

function withTypo(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content).replace('Lisbon', 'Lisbom'));
}
