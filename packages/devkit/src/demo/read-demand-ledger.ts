import { verifyResponse } from '@agent-marketplace/sdk';
import { type Stage, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

type Ledger = Awaited<ReturnType<Stage['stranger']['getDemandLedger']>>;

/** Small, so that there is more than one page to read. */
const PAGE = 4;

/** Anyone can ask how much is really sold here, and need not believe the totals. */
export async function readDemandLedger({ story, stranger, keys }: Stage): Promise<void> {
  story.chapter('A stranger reads the demand ledger');
  story.page('/books');
  const pages = await readPages(stranger);
  const [first] = pages;
  if (!first) throw new StepFailed('The demand ledger returned no page.');
  const rows = pages.flatMap(({ ledger }) => ledger);
  const { totals } = first;
  story.fact('settled', `${totals.settledRows} purchases on ${pages.length} pages`);
  story.fact(
    'volume',
    `${totals.grossCents} cents, including ${totals.platformFeeCents} cents of platform fees`,
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
    const claimed = totals[name as keyof typeof recomputed];
    story.check(figure === claimed, `${name}: ${figure} from the rows, ${claimed} in the totals`);
  }
  const held = sum(({ status, amountCents, platformFeeCents }) =>
    status === 'released' ? 0 : amountCents - platformFeeCents,
  );
  const { heldCents, releasingCents, releasedCents } = first.escrow;
  story.check(
    held === heldCents + releasingCents,
    `in escrow: ${held} cents; ${releasedCents} paid to sellers`,
  );
  story.check(
    first.reconciliation.startsWith('Agrees'),
    'the rows agree with the double-entry ledger, as the answer states',
  );
  const stats = await stranger.getStats();
  story.check(stats.totalSales === totals.settledSales, 'GET /stats has the same number of sales');

  await withoutNetwork(async () => {
    for (const page of pages) {
      const { valid } = await verifyResponse(page, keys);
      if (!valid) throw new StepFailed('A page of the ledger is not validly signed.');
    }
    story.check(true, `offline: the signatures of all ${pages.length} pages are valid`);
    const dressedUp = { ...first, totals: { ...totals, grossCents: totals.grossCents + 1 } };
    const refused = await verifyResponse(dressedUp, keys);
    story.check(!refused.valid, 'one cent more in the totals: not valid');
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
