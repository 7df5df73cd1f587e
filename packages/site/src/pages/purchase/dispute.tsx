import { Facts } from '../../components/ledger.tsx';
import { SellerProse } from '../../components/text.tsx';
import { Instant } from '../../components/time.tsx';
import type { Purchase } from './states.ts';

const MAX_REASON_LENGTH = 2000;

/** The dispute of a purchase, or the form to open one while that is possible. */
export function DisputePart({ purchase, action }: { purchase: Purchase; action: string }) {
  if (purchase.dispute !== null) return <DisputeFacts dispute={purchase.dispute} status={purchase.status} />;
  return purchase.status === 'held' ? <OpenDisputeForm action={action} /> : null;
}

function DisputeFacts({
  dispute,
  status,
}: {
  dispute: NonNullable<Purchase['dispute']>;
  status: Purchase['status'];
}) {
  const { openedAt, decidedAt, decidedBy, decideBy, reason } = dispute;
  return (
    <section class="stack" aria-labelledby="your-dispute">
      <h2 id="your-dispute">Your dispute</h2>
      <Facts
        rows={[
          ['Opened', <Instant iso={openedAt} />],
          ...(decidedAt === null
            ? [['State', 'Open: the operator has not decided yet'] as const]
            : [
                ['Decided', <Instant iso={decidedAt} />] as const,
                ['Decision', decisionText(dispute.status, status)] as const,
                ...(decidedBy === null ? [] : [['Decided by', JUDGES[decidedBy]] as const]),
              ]),
          ['What you wrote', <SellerProse text={reason} />],
        ]}
      />
      {decidedAt === null ? (
        <p>
          The operator reads what you wrote and decides: you get the money back, or the seller gets it.
          {decideBy !== null && (
            <>
              {' '}
              If nobody decided by <Instant iso={decideBy} />, <a href="/docs/buy#dispute">a rule does</a>.
            </>
          )}{' '}
          This page will show the decision. Keep what was delivered: the marketplace has no copy.
        </p>
      ) : (
        <p>
          The decision is final. If you think it is wrong, <a href="/contact">write to the operator</a>.
        </p>
      )}
    </section>
  );
}

const JUDGES = {
  operator: 'The operator',
  rule: 'The rule for disputes that nobody decided in time',
} as const;

function decisionText(
  decided: NonNullable<Purchase['dispute']>['status'],
  status: Purchase['status'],
): string {
  if (decided === 'refunded')
    return status === 'refunded' ? 'For you: the money was refunded' : 'For you: the refund is on its way';
  return status === 'released'
    ? 'For the seller: the seller was paid'
    : 'For the seller: the payment is on its way';
}

function OpenDisputeForm({ action }: { action: string }) {
  return (
    <section class="stack" aria-labelledby="dispute">
      <h2 id="dispute">Is something wrong?</h2>
      <p>
        You can open one dispute while the money is in escrow. The operator reads your reason and decides;
        until then, the seller is not paid.
      </p>
      <form class="stack half" method="post" action={action}>
        <div class="field">
          <label for="reason">What is wrong</label>
          <textarea id="reason" name="reason" rows={4} required maxlength={MAX_REASON_LENGTH} />
        </div>
        <div class="actions">
          <button type="submit" name="do" value="dispute" class="quiet">
            Open a dispute
          </button>
        </div>
      </form>
    </section>
  );
}
