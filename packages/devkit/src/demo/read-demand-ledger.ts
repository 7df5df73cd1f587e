import { verifyResponse } from '@agent-marketplace/sdk';
import { type Stage, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

type Ledger = Awaited<ReturnType<Stage['stranger']['getDemandLedger']>>;

/** Small, so that there is more than one page to read. */
const PAGE = 4;

/** Anyone can ask how much is really sold here, and need not believe the totals. */
export async function readDemandLedger({ story, stranger, keys }: Stage): Promise<void> {
  story.chapter('The demand ledger is read by a stranger');
  story.page('/books');
  const pages = await readPages(stranger);
  const [first] = pages;
  if (!first) throw new StepFailed('The demand ledger has no page.');
  const rows = pages.flatMap(({ ledger }) => ledger);
  const { totals } = first;
  story.fact('settled', `${totals.settledRows} purchases on ${pages.length} pages`);
  story.fact(
    'volume',
    `${totals.grossCents} cents, of which ${totals.platformFeeCents} are the platform's fee`,
  );
  const { configured } = first.armsLengthClassification;
  const basis = configured ? 'as designated by the operator' : 'designations are not configured yet';
  story.fact('at arm’s length', `${first.armsLengthCents} cents: ${basis}`);

  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const recomputed = {
    settledRows: rows.length,
    settledSales: sum(({ isReferenceListing }) => (isReferenceListing ? 0 : 1)),
    paidRows: sum(({ amountCents }) => (amountCents > 0 ? 1 : 0)),
    grossCents: sum(({ amountCents }) => amountCents),
    platformFeeCents: sum(({ platformFeeCents }) => platformFeeCents),
  };
  for (const [name, figure] of Object.entries(recomputed)) {
    const told = totals[name as keyof typeof recomputed];
    story.check(figure === told, `${name}: ${figure} by the rows, ${told} by the totals`);
  }
  const held = sum(({ status, amountCents, platformFeeCents }) =>
    status === 'released' ? 0 : amountCents - platformFeeCents,
  );
  const { heldCents, releasingCents, releasedCents } = first.escrow;
  story.check(
    held === heldCents + releasingCents,
    `in escrow: ${held} cents; ${releasedCents} reached sellers`,
  );
  story.check(
    first.reconciliation.startsWith('Agrees'),
    'the rows agree with the double-entry ledger, as the answer itself says',
  );
  const stats = await stranger.getStats();
  story.check(stats.totalSales === totals.settledSales, 'GET /stats tells the same number of sales');

  await withoutNetwork(async () => {
    for (const page of pages) {
      const { valid } = await verifyResponse(page, keys);
      if (!valid) throw new StepFailed('A page of the ledger does not verify.');
    }
    story.check(true, `offline: the signatures of all ${pages.length} pages are good`);
    const dressedUp = { ...first, totals: { ...totals, grossCents: totals.grossCents + 1 } };
    const refused = await verifyResponse(dressedUp, keys);
    story.check(!refused.valid, 'one cent more in the totals: refused');
  });
}

async function readPages(stranger: Stage['stranger']): Promise<Ledger[]> {
  const pages: Ledger[] = [];
  let cursor: string | null = null;
  do {
    const page: Ledger = await stranger.getDemandLedger({
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}
