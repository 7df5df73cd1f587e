import { Facts } from '../../components/ledger.tsx';
import { SellerProse } from '../../components/text.tsx';
import { Instant } from '../../components/time.tsx';
import type { Purchase } from './states.ts';

const MAX_REASON_LENGTH = 2000;

/** What was objected and what became of it; or, while one still can, the form for it. */
export function DisputePart({ purchase, action }: { purchase: Purchase; action: string }) {
  if (purchase.dispute !== null) return <Objection dispute={purchase.dispute} status={purchase.status} />;
  return purchase.status === 'held' ? <ObjectForm action={action} /> : null;
}

function Objection({
  dispute,
  status,
}: {
  dispute: NonNullable<Purchase['dispute']>;
  status: Purchase['status'];
}) {
  const { openedAt, decidedAt, reason } = dispute;
  return (
    <section class="stack" aria-labelledby="objection">
      <h2 id="objection">Your objection</h2>
      <Facts
        rows={[
          ['Since', <Instant iso={openedAt} />],
          ...(decidedAt === null
            ? [['State', 'Open: the operator has not decided yet'] as const]
            : [
                ['Decided', <Instant iso={decidedAt} />] as const,
                ['Decision', decisionText(dispute.status, status)] as const,
              ]),
          ['What you wrote', <SellerProse text={reason} />],
        ]}
      />
      {decidedAt === null ? (
        <p>
          The operator reads what you wrote and decides: the money goes back to where it came from, or on to
          the seller. This page shows it then. Keep what was delivered; the marketplace has no copy.
        </p>
      ) : (
        <p>
          The decision stands. If you think that it is wrong, <a href="/contact">write to the operator</a>.
        </p>
      )}
    </section>
  );
}

function decisionText(
  decided: NonNullable<Purchase['dispute']>['status'],
  status: Purchase['status'],
): string {
  if (decided === 'refunded')
    return status === 'refunded' ? 'For you: the money is back' : 'For you: the money is on its way back';
  return status === 'released'
    ? 'For the seller, who was paid'
    : 'For the seller: the money is on its way there';
}

function ObjectForm({ action }: { action: string }) {
  return (
    <section class="stack" aria-labelledby="dispute">
      <h2 id="dispute">Something wrong with it?</h2>
      <p>
        While the money is in escrow you can object, once. The seller is not paid before the operator, who
        reads why, has decided.
      </p>
      <form class="stack half" method="post" action={action}>
        <div class="field">
          <label for="reason">What is wrong</label>
          <textarea id="reason" name="reason" rows={4} required maxlength={MAX_REASON_LENGTH} />
        </div>
        <div class="actions">
          <button type="submit" name="do" value="dispute" class="quiet">
            Object
          </button>
        </div>
      </form>
    </section>
  );
}
