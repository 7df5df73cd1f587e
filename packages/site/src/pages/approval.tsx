import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { NoKey } from '../components/agent-page.tsx';
import { JsonFigure } from '../components/code.tsx';
import { BuyerConsole } from '../components/console/buyer-console.tsx';
import { EmptyTemplate } from '../components/console/empty-template.tsx';
import { KeyedContent } from '../components/keyed-content.tsx';
import { Facts } from '../components/ledger.tsx';
import { codeOf, LinkCode } from '../components/link-code.tsx';
import { notice } from '../components/notice.tsx';
import { SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { money, price } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { INTERFACE_ICONS } from '../icons/interface-icons.data.ts';
import { definePage, type PageView, type Visit } from '../page.ts';

const SEE_QUERY = 'See what it asks';

type Approval = Operations['getApproval']['output'];

/** Where an agent sends the person who must approve a purchase. Opening it decides nothing. */
export const approvalPage = definePage({
  path: '/approvals/{id}',
  get: view,
  /** For browsers without scripts: the code of the mailed link, pasted. */
  async post(visit) {
    const [approvalId, token, act] = [visit.params.id ?? '', codeOf(visit), visit.form.get('decision')];
    if (act === 'read')
      return view(visit, { token, ...(await visit.api.readApprovalQuery({ approvalId, token })) });
    const decision = act === 'approve' ? 'approve' : 'decline';
    await visit.api.decideApproval({ approvalId, decision, token });
    return { redirect: visit.url.pathname };
  },
});

/** What the person was shown after it proved who it is, and with what it did. */
interface ReadQuery {
  readonly query: unknown;
  readonly token: string;
}

async function view({ api, apiBaseUrl, params }: Visit, read?: ReadQuery): Promise<PageView> {
  const approval = await api.getApproval({ approvalId: params.id ?? '' }).catch((error: unknown) => {
    if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return null;
    throw error;
  });
  return approval === null ? unknownApproval() : shownApproval(approval, apiBaseUrl, read);
}

const ENDED: Readonly<Record<Exclude<Approval['status'], 'pending'>, string>> = {
  approved: 'It is approved: the agent can buy it once, until the time below.',
  declined: 'It is declined. Nothing was bought.',
  used: 'It was approved, and the agent has bought it.',
  expired: 'Its time is over. If it is still wanted, the agent asks again.',
};

function shownApproval(approval: Approval, apiBaseUrl: string, read?: ReadQuery): PageView {
  const {
    amountCents,
    approvalBy,
    challenges,
    expiresAt,
    hasQuery,
    id,
    listingChanged,
    listingId,
    passkeyIds,
  } = approval;
  const { rails, sellerName, status, title, walletShort } = approval;
  return {
    title: 'Approve a purchase',
    description: 'What your agent wants to buy, and what it costs.',
    isPrivate: true,
    scripts: ['copy', 'approval'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Approve a purchase</h1>
          {status === 'pending' && (
            <p class="lead">Your agent may not spend this much by itself. It waits for you.</p>
          )}
        </div>
        <section class="stack" aria-labelledby="what">
          <h2 id="what">What it would buy</h2>
          <Facts
            rows={[
              [
                'Listing',
                <a href={`/listings/${listingId}`}>
                  <SellerText text={oneLine(title, 200) || 'Untitled'} />
                </a>,
              ],
              ['Seller', <SellerText text={oneLine(sellerName, 80)} />],
              ['Price', <strong>{price(amountCents)}</strong>],
              ['Paid by', rails],
              ['Until', <Instant iso={expiresAt} />],
            ]}
          />
          <div id="query">
            {read && <JsonFigure label="What it asks the seller" value={read.query} />}
            {hasQuery && !read && status === 'pending' && (
              <p>Only you can see what it asks the seller: prove below that it is you.</p>
            )}
            {!hasQuery && status === 'pending' && <p>It asks the seller nothing in particular.</p>}
          </div>
          {listingChanged ? (
            <p class="note stop">
              The listing has changed since your agent asked: it cannot be bought with this approval any more.
            </p>
          ) : null}
          {walletShort && <WalletShort short={walletShort} isOnlyWay={rails === 'wallet'} />}
        </section>
        <section
          id="decision"
          class="stack"
          aria-label="Your decision"
          tabindex={-1}
          data-api={apiBaseUrl}
          data-id={id}
          data-status={status}
          data-price={price(amountCents)}
          data-approve={challenges.approve}
          data-decline={challenges.decline}
          data-read={hasQuery ? challenges.read : ''}
          data-passkeys={JSON.stringify(passkeyIds)}
          data-by={approvalBy.join(' ')}
        >
          {status === 'pending' ? (
            <form class="stack half" method="post" action={`/approvals/${id}`}>
              <p class="note">
                Without scripts your browser cannot use a passkey. You can decide with the link that was
                mailed to you.
              </p>
              <LinkCode code={read?.token ?? ''} />
              <div class="actions">
                {hasQuery && !read && (
                  <button type="submit" name="decision" value="read" class="quiet">
                    {SEE_QUERY}
                  </button>
                )}
                <button type="submit" name="decision" value="approve">
                  Approve {price(amountCents)}
                </button>
                <button type="submit" name="decision" value="decline" class="quiet">
                  Decline
                </button>
              </div>
            </form>
          ) : (
            <p role="status" class="note">
              {ENDED[status]}
            </p>
          )}
        </section>
        <p class="fine">
          Whoever has the address of this page sees it, without what is asked, and decides nothing by that:
          your passkey does, or the link that was mailed to you. Never enter an API key here.{' '}
          <a href="/approvals">Your passkeys.</a>
        </p>
      </div>
    ),
  };
}

interface WalletShortProps {
  readonly short: NonNullable<Approval['walletShort']>;
  readonly isOnlyWay: boolean;
}

/** What is approved and cannot be paid would fail without a word to the person. */
function WalletShort({ short: { balanceCents, missingCents }, isOnlyWay }: WalletShortProps) {
  return (
    <p class="note attention">
      <strong>
        The wallet holds {money(balanceCents)}: {money(missingCents)} is missing.
      </strong>{' '}
      {isOnlyWay
        ? 'Approved or not, it cannot be bought until then:'
        : 'Approved as it is, your agent is given a page to pay on, which a person has to open. To spare that,'}{' '}
      <a href={`/wallet?dollars=${missingCents / 100}`}>top up the wallet</a>.
    </p>
  );
}

function unknownApproval(): PageView {
  return notice({
    title: 'Nothing waits here',
    description: 'No purchase waits for approval under this address.',
    status: 404,
    lead: 'No purchase waits for approval under this address.',
    next: (
      <p>
        Look at what waits under <a href="/approvals">Approvals</a>, or have your agent ask again.
      </p>
    ),
  });
}

/** Where a person enrols the passkey that it approves purchases with. */
export const passkeysPage = definePage({
  path: '/approvals',
  get: ({ apiBaseUrl }) => ({
    title: 'Approvals',
    description: 'What waits for your approval, and the passkeys with which you approve it.',
    scripts: ['passkeys'],
    main: (
      <BuyerConsole path="/approvals">
        <div class="page-head">
          <h1>Approvals</h1>
          <p class="lead">
            Purchases that your agent may not make alone wait here. Your passkey approves them; no API key
            can.
          </p>
        </div>
        <KeyedContent label="The agent's API key" apiBaseUrl={apiBaseUrl} help={<NoKey />}>
          <p>This page needs scripts: your browser makes the passkey.</p>
        </KeyedContent>
        <EmptyTemplate id="no-approvals" icon={INTERFACE_ICONS.list} title="Nothing waits for you">
          <p>
            Set under <a href="/keys">Keys and budgets</a> how much a key may spend without you: what costs
            more waits here, for an hour.
          </p>
        </EmptyTemplate>
      </BuyerConsole>
    ),
  }),
});
