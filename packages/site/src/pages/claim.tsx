import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { counted, price } from '../format/figures.ts';
import { oneLine, platformLink, visibleText } from '../format/text.ts';
import { definePage, type PageView, type Visit } from '../page.ts';
import { type Challenge, ChallengeOnTheWire, ChallengeSteps } from './claim/challenge-steps.tsx';

type Claim = Operations['getClaim']['output'];
type CallbackType = Operations['claimEndpoint']['output']['callbackType'];

/** An endpoint has 15 seconds for the challenge. */
const CHALLENGE_TIMEOUT_MS = 30_000;

interface Shown {
  readonly claim: Claim;
  readonly action: string;
  readonly challenge: Challenge | null;
  readonly onboardingUrl: string | null;
  readonly payoutRefusal: MarketplaceError | null;
}

/** Where the person behind a seller lets its listings go live. The link is the capability. */
export const claimPage = definePage({
  path: '/claim/{token}',
  get: async (visit) => view(visit, {}),
  async post(visit): Promise<PageView> {
    const { form } = visit;
    return form.get('do') === 'payouts' ? connectPayouts(visit) : verifyEndpoint(visit);
  },
});

async function verifyEndpoint(visit: Visit): Promise<PageView> {
  const { api, form, params } = visit;
  const callbackUrl = (form.get('callbackUrl') ?? '').trim();
  const callbackType = (form.get('callbackType') ?? 'webhook') as CallbackType;
  const asked = { url: callbackUrl, type: callbackType };
  try {
    const outcome = await api.claimEndpoint(
      { token: params.token ?? '', callbackUrl, callbackType },
      { timeoutMs: CHALLENGE_TIMEOUT_MS },
    );
    return view(visit, { challenge: { ...asked, outcome } });
  } catch (error) {
    if (!isAnswered(error)) throw error;
    return { ...(await view(visit, { challenge: { ...asked, outcome: error } })), status: error.status };
  }
}

async function connectPayouts(visit: Visit): Promise<PageView> {
  const { api, form, params } = visit;
  const country = (form.get('country') ?? '').trim();
  try {
    const { onboardingUrl } = await api.claimPayouts({
      token: params.token ?? '',
      ...(country === '' ? {} : { country }),
    });
    return view(visit, { onboardingUrl });
  } catch (error) {
    if (!isAnswered(error)) throw error;
    return { ...(await view(visit, { payoutRefusal: error })), status: error.status };
  }
}

/** What the reader can mend here, or an ended link, which `view` tells. A marketplace that is down is a page of its own. */
function isAnswered(error: unknown): error is MarketplaceError {
  return error instanceof MarketplaceError && typeof error.problem.code === 'string' && error.status !== 429;
}

async function view(visit: Visit, more: Partial<Shown>): Promise<PageView> {
  const claim = await visit.api.getClaim({ token: visit.params.token ?? '' }).catch((error: unknown) => {
    // 400: too long to be a token.
    if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return null;
    throw error;
  });
  if (claim === null) return ended();
  const shown: Shown = {
    claim,
    action: visit.url.pathname,
    challenge: null,
    onboardingUrl: null,
    payoutRefusal: null,
    ...more,
  };
  return {
    title: `${isRefused(shown) ? 'Not done yet: ' : ''}Open your shop`,
    description: 'Verify where deliveries are asked for, connect payouts, and see the listings go live.',
    isPrivate: true,
    scripts: ['copy'],
    main: <ClaimMain shown={shown} />,
  };
}

function isRefused({ challenge, payoutRefusal }: Shown): boolean {
  return challenge?.outcome instanceof Error || payoutRefusal !== null;
}

function ended(): PageView {
  return {
    title: 'This link has ended',
    description: 'Claim links work for seven days, one for each seller.',
    status: 404,
    isPrivate: true,
    main: (
      <article class="notice-page">
        <p class="overline">404</p>
        <h1>This link has ended</h1>
        <p class="lead">
          Claim links work for seven days, and a newer one ends the one before. This one is unknown, or over.
        </p>
        <h2>What to do next</h2>
        <p>
          Ask the agent that sent it for a new one: the marketplace gives it with each new listing that waits.
          An agent that holds its API key can also do without: <code>POST /sell/callback</code>.
        </p>
      </article>
    ),
  };
}

function ClaimMain({ shown }: { shown: Shown }) {
  const { claim } = shown;
  const waiting = claim.pendingListings.length;
  const name = claim.seller.displayName ?? claim.seller.label;
  return (
    <div class="sections">
      <div class="page-head">
        <p class="overline">
          <SellerText text={oneLine(name)} />
        </p>
        <h1>Open your shop</h1>
        <p class="lead">
          {waiting === 0
            ? 'Nothing waits any more: every listing is live, or was taken down by its agent.'
            : `An agent of yours has put up ${counted(waiting, 'listing')} that ${waiting === 1 ? 'waits' : 'wait'} for you.`}
        </p>
      </div>
      <Endpoint shown={shown} />
      <Payouts shown={shown} />
      <Waiting claim={claim} />
      {claim.endpoint !== null && (
        <p>
          From then on, what is sold, in escrow and paid out stands in <a href="/seller">your shop</a>, which
          the agent’s API key opens.
        </p>
      )}
      <p class="fine">
        This link works until <Instant iso={claim.expiresAt} />. Whoever has it can do what you can here.
      </p>
    </div>
  );
}

function Endpoint({ shown: { claim, action, challenge } }: { shown: Shown }) {
  const isVerified = claim.endpoint !== null;
  return (
    <section class="stack" aria-labelledby="endpoint">
      <h2 id="endpoint">1. Where deliveries are asked for</h2>
      <p>
        {isVerified
          ? 'Verified. Enter another address to replace it.'
          : 'When somebody buys, the marketplace asks this address, signed, and relays what it answers. It has to pass a challenge first.'}
      </p>
      {challenge && <ChallengeSteps challenge={challenge} />}
      <form class="stack half" method="post" action={action}>
        <div class="field">
          <label for="callbackUrl">Address of the delivery endpoint (https)</label>
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
          <label for="callbackType">How it is asked</label>
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
  ['mcp', 'It is an MCP server with the tool deliver'],
  ['polling', 'It fetches requests itself'],
] as const;

function Payouts({ shown: { claim, action, onboardingUrl, payoutRefusal } }: { shown: Shown }) {
  const onboarding = platformLink(onboardingUrl);
  return (
    <section class="stack" aria-labelledby="payouts">
      <h2 id="payouts">2. Where your money goes</h2>
      {claim.payouts.connected ? (
        <p>Connected. Your share of each sale is sent once its time in escrow is over.</p>
      ) : (
        <>
          <p>Only priced listings need this. You enter your details with the card processor, not here.</p>
          {payoutRefusal && (
            <p class="note stop" role="alert">
              {refusalText(payoutRefusal)}
            </p>
          )}
          {onboarding ? (
            <p class="actions">
              <a class="button" href={onboarding} rel="noreferrer">
                Go on to the card processor
              </a>
              <span class="soft">The link is short-lived; come back here afterwards.</span>
            </p>
          ) : (
            <form class="stack half" method="post" action={action}>
              <div class="field">
                <label for="country">
                  Country of the payee, as two letters; US, or what the agent said, if left empty
                </label>
                <input
                  id="country"
                  name="country"
                  maxlength={2}
                  pattern="[A-Za-z]{2}"
                  autocomplete="country"
                />
              </div>
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

function Waiting({ claim }: { claim: Claim }) {
  if (claim.pendingListings.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">What goes live</h2>
      <ul class="entries">
        {claim.pendingListings.map(({ id, title, priceCents }) => (
          <li class="entry">
            <div class="entry-what">
              <h3>
                <a href={`/listings/${id}`}>
                  <SellerText text={oneLine(title, 160) || 'Untitled'} />
                </a>
              </h3>
              <p class="fine">{missingOf(claim, priceCents)}</p>
            </div>
            <p class="entry-price">{price(priceCents)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function missingOf({ endpoint, payouts }: Claim, priceCents: number): string {
  const missing = [
    ...(endpoint === null ? ['a verified endpoint'] : []),
    ...(priceCents > 0 && !payouts.connected ? ['payouts'] : []),
  ];
  return missing.length === 0 ? 'Goes live in a moment' : `Waits for ${missing.join(' and ')}`;
}

function refusalText({ problem }: MarketplaceError): string {
  return visibleText([problem.title, problem.detail].filter((text) => typeof text === 'string').join(' '));
}
