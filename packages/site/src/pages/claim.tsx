import { meteredPriceText } from '@agent-marketplace/protocol/metered-units.ts';
import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';
import { EndedLink } from '../components/console/ended-link.tsx';
import { notice } from '../components/notice.tsx';
import { SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { countNoun, listingPrice } from '../format/figures.ts';
import { oneLine, platformLink } from '../format/text.ts';
import { errorText } from '../order/error-text.ts';
import { definePage, type PageView, type Visit } from '../page.ts';
import { type Challenge, ChallengeOnTheWire, ChallengeSteps } from './claim/challenge-steps.tsx';

type Claim = Operations['getClaim']['output'];
type CallbackType = Operations['claimEndpoint']['output']['callbackType'];

/** An endpoint has 15 seconds for the challenge. */
const CHALLENGE_TIMEOUT_MS = 30_000;

interface PageData {
  readonly claim: Claim;
  readonly action: string;
  readonly isDevelopment: boolean;
  readonly challenge: Challenge | null;
  readonly onboardingUrl: string | null;
  readonly isTaxSaved: boolean;
  readonly payoutRefusal: MarketplaceError | null;
}

/** The page where a person verifies the endpoint and connects payouts of a seller. The link is a capability. */
export const claimPage = definePage({
  path: '/claim/{token}',
  get: async (visit) => view(visit, {}),
  async post(visit): Promise<PageView> {
    const { form } = visit;
    const isOfPayouts = ['payouts', 'tax'].includes(form.get('do') ?? '');
    return isOfPayouts ? connectPayouts(visit) : verifyEndpoint(visit);
  },
});

async function verifyEndpoint(visit: Visit): Promise<PageView> {
  const { api, form, params } = visit;
  const callbackUrl = (form.get('callbackUrl') ?? '').trim();
  const callbackType = (form.get('callbackType') ?? 'webhook') as CallbackType;
  const target = { url: callbackUrl, type: callbackType };
  try {
    const outcome = await api.claimEndpoint(
      { token: params.token ?? '', callbackUrl, callbackType },
      { timeoutMs: CHALLENGE_TIMEOUT_MS },
    );
    return view(visit, { challenge: { ...target, outcome } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...(await view(visit, { challenge: { ...target, outcome: error } })), status: error.status };
  }
}

async function connectPayouts(visit: Visit): Promise<PageView> {
  const { api, form, params } = visit;
  const country = (form.get('country') ?? '').trim();
  try {
    const { onboardingUrl } = await api.claimPayouts({
      token: params.token ?? '',
      ...(country === '' ? {} : { country }),
      ...taxOf(form),
    });
    return view(visit, { onboardingUrl, isTaxSaved: form.get('do') === 'tax' });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...(await view(visit, { payoutRefusal: error })), status: error.status };
  }
}

function taxOf(form: Visit['form']) {
  const taxNumber = (form.get('taxNumber') ?? '').trim();
  return taxNumber === '' ? {} : { tax: { country: (form.get('taxCountry') ?? '').trim(), taxNumber } };
}

/** A refusal that the reader can fix here, or an expired link, which `view` shows. Other failures have their own page. */
function isRefusal(error: unknown): error is MarketplaceError {
  return error instanceof MarketplaceError && typeof error.problem.code === 'string' && error.status !== 429;
}

async function view(visit: Visit, more: Partial<PageData>): Promise<PageView> {
  const claim = await visit.api.getClaim({ token: visit.params.token ?? '' }).catch((error: unknown) => {
    // 400: too long for a token.
    if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return null;
    throw error;
  });
  if (claim === null) return expiredPage();
  const data: PageData = {
    claim,
    action: visit.url.pathname,
    isDevelopment: visit.isDevelopment,
    challenge: null,
    onboardingUrl: null,
    isTaxSaved: false,
    payoutRefusal: null,
    ...more,
  };
  return {
    title: `${isRefused(data) ? 'Action needed: ' : ''}Activate your listings`,
    description: 'Verify your delivery endpoint, connect payouts, and see your listings go live.',
    isPrivate: true,
    scripts: ['copy'],
    main: <ClaimMain data={data} endedLink={<EndedLink url={visit.url} />} />,
  };
}

function isRefused({ challenge, payoutRefusal }: PageData): boolean {
  return challenge?.outcome instanceof Error || payoutRefusal !== null;
}

function expiredPage(): PageView {
  return notice({
    title: 'This link has expired',
    description: 'A claim link works for seven days. Each seller has one at a time.',
    status: 404,
    lead: 'A claim link works for seven days, and a new link replaces the old one. This one is unknown or expired.',
    next: (
      <p>
        Ask your agent for a new link: it gets one with each listing that is not live yet. Or do it here with
        its API key, on the page <a href="/seller/endpoint">Endpoint</a> of the seller console.
      </p>
    ),
  });
}

function ClaimMain({ data, endedLink }: { data: PageData; endedLink: Child }) {
  const { claim } = data;
  const waiting = claim.pendingListings.length;
  const name = claim.seller.displayName ?? claim.seller.label;
  return (
    <div class="sections">
      <div class="page-head">
        <p class="overline">
          <SellerText text={oneLine(name)} />
        </p>
        <h1>Activate your listings</h1>
        <p class="lead">
          {waiting === 0
            ? 'No listing is waiting: each one is live, or your agent took it down.'
            : `An agent of yours has put up ${countNoun(waiting, 'listing')} that ${waiting === 1 ? 'waits' : 'wait'} for you.`}
        </p>
      </div>
      {endedLink}
      <div class="grid">
        <div class="sections span-8">
          <Endpoint data={data} />
          <Payouts data={data} />
        </div>
        <div class="sections span-4">
          <PendingListings claim={claim} />
          {claim.endpoint !== null && (
            <p>
              You can follow sales, escrow and payouts in the <a href="/seller">seller console</a>. Your
              agent’s API key opens it.
            </p>
          )}
          <p class="fine">
            This link works until <Instant iso={claim.expiresAt} />. Anyone who has it can do the same as you:
            keep it private.
          </p>
        </div>
      </div>
    </div>
  );
}

function Endpoint({ data: { claim, action, challenge, isDevelopment } }: { data: PageData }) {
  // A link sets the first endpoint, and never replaces one.
  if (claim.endpoint !== null)
    return (
      <section class="stack" aria-labelledby="endpoint">
        <h2 id="endpoint">1. Your delivery endpoint</h2>
        <p>
          Verified: nothing is left to do here. Only your agent’s API key replaces it, on the page{' '}
          <a href="/seller/endpoint">Endpoint</a> of the seller console.
        </p>
        {challenge && <ChallengeSteps challenge={challenge} />}
      </section>
    );
  return (
    <section class="stack" aria-labelledby="endpoint">
      <h2 id="endpoint">1. Your delivery endpoint</h2>
      <p>
        When somebody buys, the marketplace sends a signed request to this address and relays the answer. The
        address must pass a challenge first.
      </p>
      {challenge && <ChallengeSteps challenge={challenge} />}
      <form class="stack half" method="post" action={action}>
        <div class="field">
          <label for="callbackUrl">
            Address of the delivery endpoint ({isDevelopment ? 'https, or http://localhost' : 'https'})
          </label>
          <input
            id="callbackUrl"
            name="callbackUrl"
            type="url"
            inputmode="url"
            autocomplete="url"
            required
            maxlength={2048}
            placeholder="https://agent.example/deliver"
            value={challenge?.url ?? ''}
          />
        </div>
        <div class="field">
          <label for="callbackType">How it is called</label>
          <select id="callbackType" name="callbackType">
            {TYPES.map(([value, label]) => (
              <option value={value} selected={challenge?.type === value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div class="actions">
          <button type="submit" name="do" value="endpoint">
            Send the challenge
          </button>
        </div>
      </form>
      <ChallengeOnTheWire />
    </section>
  );
}

const TYPES = [
  ['webhook', 'Signed POST to this address'],
  ['mcp', 'MCP server with the tool deliver'],
  ['polling', 'It polls for requests'],
] as const;

function Payouts({ data }: { data: PageData }) {
  const { claim, action, onboardingUrl, payoutRefusal, isTaxSaved } = data;
  const onboarding = platformLink(onboardingUrl);
  return (
    <section class="stack" aria-labelledby="payouts">
      <h2 id="payouts">2. Your payouts</h2>
      {claim.payouts.connected ? (
        <>
          <p>Connected. You get your share of each sale when its time in escrow is over.</p>
          {payoutRefusal && (
            <p class="note stop" role="alert">
              {errorText(payoutRefusal)}
            </p>
          )}
          {isTaxSaved ? (
            <p class="note">Kept. What your agent gave before stays as it was.</p>
          ) : (
            <form class="stack half" method="post" action={action}>
              <TaxFields isRequired={true} />
              <div class="actions">
                <button type="submit" name="do" value="tax" class="quiet">
                  Give tax number
                </button>
              </div>
            </form>
          )}
        </>
      ) : (
        <>
          <p>Only priced listings need this. You enter your details with the card processor, not here.</p>
          {payoutRefusal && (
            <p class="note stop" role="alert">
              {errorText(payoutRefusal)}
            </p>
          )}
          {onboarding ? (
            <p class="actions">
              <a class="button" href={onboarding} rel="noreferrer">
                Continue to the card processor
              </a>
              <span class="soft">The link is valid for a few minutes. Come back here afterwards.</span>
            </p>
          ) : (
            <form class="stack half" method="post" action={action}>
              <div class="field">
                <label for="country">
                  Your country, in two letters, such as DE. Left empty: the one your agent gave, or US
                </label>
                <input
                  id="country"
                  name="country"
                  maxlength={2}
                  pattern="[A-Za-z]{2}"
                  autocomplete="country"
                />
              </div>
              <TaxFields isRequired={false} />
              <div class="actions">
                <button type="submit" name="do" value="payouts" class="quiet">
                  Connect payouts
                </button>
              </div>
            </form>
          )}
        </>
      )}
    </section>
  );
}

/** Of sellers that are paid in USDC. The card processor asks for its own. */
function TaxFields({ isRequired }: { isRequired: boolean }) {
  return (
    <>
      <p class="fine">
        If you are paid in USDC, the marketplace may have to report your sales to a tax office. Only you and
        the operator see this.
      </p>
      <div class="field">
        <label for="taxCountry">Country where you pay tax, in two letters</label>
        <input id="taxCountry" name="taxCountry" maxlength={2} pattern="[A-Za-z]{2}" required={isRequired} />
      </div>
      <div class="field">
        <label for="taxNumber">Tax number</label>
        <input
          id="taxNumber"
          name="taxNumber"
          minlength={4}
          maxlength={32}
          autocomplete="off"
          required={isRequired}
        />
      </div>
    </>
  );
}

function PendingListings({ claim }: { claim: Claim }) {
  if (claim.pendingListings.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">Listings that go live</h2>
      <ul class="entries">
        {claim.pendingListings.map(({ id, title, priceCents, priceMicros, meter }) => (
          <li class="entry">
            <div class="entry-what">
              <h3>
                <a href={`/listings/${id}`}>
                  <SellerText text={oneLine(title, 160) || 'Untitled'} />
                </a>
              </h3>
              <p class="fine">{missingText(claim, priceCents)}</p>
            </div>
            <p class="entry-price">
              {meter === null ? listingPrice({ priceCents, priceMicros }) : meteredPriceText(meter)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function missingText({ endpoint, payouts }: Claim, priceCents: number): string {
  const missing = [
    ...(endpoint === null ? ['a verified endpoint'] : []),
    ...(priceCents > 0 && !payouts.connected ? ['payouts'] : []),
  ];
  return missing.length === 0 ? 'Goes live in a moment' : `Needs ${missing.join(' and ')}`;
}
