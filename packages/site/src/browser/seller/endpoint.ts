import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { element, facts, section, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import type { Session } from '../parts/session.ts';
import { CHALLENGE_TIMEOUT_MS, challengeList, failedChallenge } from './challenge-list.ts';
import { type Dashboard, readDashboard } from './dashboard.ts';
import { requests } from './endpoint/requests.ts';
import { trial } from './endpoint/trial.ts';

type CallbackType = Operations['setDeliveryEndpoint']['output']['callbackType'];

/** Where the seller's answers come from, and the challenge that proves it. */
export async function endpointPage(session: Session): Promise<HTMLElement[]> {
  const dashboard = await readDashboard(session.api);
  const last = dashboard?.endpoint ? (await session.api.listEndpointRequests()).requests : [];
  return [
    ...(dashboard === null ? [] : [endpoint(dashboard)]),
    ...(dashboard?.endpoint && dashboard.listings.length > 0 ? [trial(session, dashboard.listings)] : []),
    ...(dashboard?.endpoint ? [requests(last, dashboard)] : []),
    proof(session, dashboard?.endpoint?.callbackUrl ?? null),
  ];
}

function proof(session: Session, callbackUrl: string | null): HTMLElement {
  const fields = [
    {
      name: 'callbackUrl',
      label: 'Address of your API',
      attributes: {
        inputmode: 'url',
        required: '',
        placeholder: 'https://api.example.com/deliver',
        value: callbackUrl ?? '',
      },
    },
    {
      name: 'callbackType',
      label: 'How it is called',
      type: 'select',
      options: [
        ['webhook', 'A signed POST to this address'],
        ['mcp', 'An MCP server with the tool “deliver”'],
        ['polling', 'Never: my program fetches the requests'],
      ],
    },
  ] as const;
  const form = actionForm('Send the challenge', fields, async (values) => {
    const callbackType = (values.callbackType ?? 'webhook') as CallbackType;
    const target = { callbackUrl: (values.callbackUrl ?? '').trim(), callbackType };
    try {
      const { activatedListings } = await session.api.setDeliveryEndpoint(target, {
        timeoutMs: CHALLENGE_TIMEOUT_MS,
      });
      return sayDone(session, challengeList(callbackType, activatedListings.length));
    } catch (error) {
      if (!(error instanceof MarketplaceError) || [401, 403, 429].includes(error.status)) throw error;
      return failedChallenge(callbackType, error);
    }
  });
  return section(
    callbackUrl === null ? 'Prove that it is yours' : 'Move it, or prove it again',
    element(
      'p',
      {},
      'The marketplace sends a challenge to the address: a signed message with a number that nobody can guess. Your server sends the same number back within 15 seconds. ',
      element('a', { href: '/docs/sell' }, 'What your server has to do'),
      '.',
    ),
    form,
  );
}

const CALL_METHODS: Readonly<Record<string, string>> = {
  webhook: 'by signed POST',
  mcp: 'as an MCP server',
  polling: 'never: it polls for requests',
};

/** Where buyers' questions go, and whether anybody answers there. */
export function endpoint({ endpoint: place }: Dashboard): HTMLElement {
  if (place === null)
    return section(
      'Delivery endpoint',
      element(
        'p',
        {},
        'You have no verified endpoint, so your listings are not live. Prove that the address of your API is yours on the page ',
        element('a', { href: '/seller/endpoint' }, 'Endpoint'),
        '.',
      ),
    );
  return section(
    'Delivery endpoint',
    facts([
      ['Address', untrustedText(place.callbackUrl)],
      ['Called', CALL_METHODS[place.callbackType] ?? place.callbackType],
      ['Verified', timeOf(place.verifiedAt)],
    ]),
    ...silence(place),
  );
}

function silence({ nextProbeAt, silentSince, unreachableSince }: NonNullable<Dashboard['endpoint']>): Node[] {
  if (silentSince === null) return [];
  const next =
    nextProbeAt === null
      ? [
          'It said that it is gone (HTTP 410): your agent verifies it again with ',
          element('code', {}, 'POST /sell/callback'),
          '.',
        ]
      : ['It is sent a challenge again at ', timeOf(nextProbeAt), '.'];
  const listed =
    unreachableSince === null
      ? 'If it answers nobody for a day, browsing leaves your listings out.'
      : 'Browsing leaves your listings out until it answers; who has a link can still buy.';
  return [
    element(
      'p',
      { class: 'note stop' },
      'It has answered nobody since ',
      timeOf(silentSince),
      '. ',
      ...next,
      ` ${listed}`,
    ),
  ];
}
