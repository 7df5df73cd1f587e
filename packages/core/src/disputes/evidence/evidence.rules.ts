import { DAY_MS, epochOf, type IsoTime, isoTime } from '../../kernel/time.ts';
import type { Sale } from '../../sales/index.ts';

/** So long both sides have before the operator may decide without them. */
const EVIDENCE_DAYS = 7;

/** Until when the parties are waited for; what comes later is read if it comes before the decision. */
export function evidenceBy(openedAt: IsoTime): IsoTime {
  return isoTime(epochOf(openedAt) + EVIDENCE_DAYS * DAY_MS);
}

export type EvidenceState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'open' | 'closed';
      readonly openedAt: IsoTime;
      readonly decidedBy: 'marketplace' | 'bank';
    };

/** Whether something is to be judged about a sale: here, or at the bank of the card that paid. */
export function evidenceState({ dispute, chargeback }: Pick<Sale, 'dispute' | 'chargeback'>): EvidenceState {
  if (dispute !== null && dispute.decision === null)
    return { kind: 'open', openedAt: dispute.openedAt, decidedBy: 'marketplace' };
  if (chargeback?.status === 'open')
    return { kind: 'open', openedAt: chargeback.openedAt, decidedBy: 'bank' };
  if (dispute !== null) return { kind: 'closed', openedAt: dispute.openedAt, decidedBy: 'marketplace' };
  if (chargeback !== null) return { kind: 'closed', openedAt: chargeback.openedAt, decidedBy: 'bank' };
  return { kind: 'none' };
}
