import type { SalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** What happened to the purchases that these texts name: whoever looks into a week that ended badly begins here. */
export async function gatherEvidence({ cards, rows }: SalesMarketplace, differences: readonly string[]) {
  const ids = new Set(differences.flatMap((text) => text.match(ID) ?? []));
  const found: object[] = [];
  for (const id of ids) {
    const payments = cards.payments.filter(({ reference }) => reference?.id === id);
    const entries = payments.flatMap(({ paymentId }) =>
      cards.entries.filter((entry) => entry.paymentId === paymentId),
    );
    const events = await rows(
      "SELECT created_at, type, data FROM agent_events WHERE data ->> 'purchaseId' = ? ORDER BY rowid",
      id,
    );
    const postings = await rows(
      'SELECT created_at, kind, reference FROM ledger_postings WHERE substr(reference, 1, 36) = ? ORDER BY rowid',
      id,
    );
    const transfers = cards.transfers.filter(({ purchaseId }) => purchaseId === id);
    const disputes = cards.disputes.filter(({ reference }) => reference?.id === id);
    found.push({ id, payments, entries, transfers, disputes, events, postings });
  }
  return found;
}
