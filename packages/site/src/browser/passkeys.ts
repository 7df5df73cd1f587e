import { createMarketplaceClient, type MarketplaceClient, type Operations } from '@agent-marketplace/sdk';
import { money } from '../format/figures.ts';
import { platformLink } from '../format/text.ts';
import { AGENT_KEY } from './parts/agent-key.ts';
import { fromTemplate } from './parts/console/templates.ts';
import { element, section, table, timeOf, titleOf, untrustedText } from './parts/dom.ts';
import { actionForm } from './parts/forms.ts';
import { takeMailedToken } from './parts/mailed-token.ts';
import { makePasskey } from './parts/passkey.ts';
import { sayDone } from './parts/say-done.ts';
import { openSession, type Session, withApiKey } from './parts/session.ts';

const WAITING = 'Waiting for you';
const APPROVED = 'Approved, not bought yet';

const token = takeMailedToken();
const place = document.querySelector<HTMLElement>('#keyed-content');
if (token !== null && place) {
  document.querySelector('#without-script')?.remove();
  const api = createMarketplaceClient({
    baseUrl: place.dataset.api ?? '/api',
    fetch: (...call) => fetch(...call),
  });
  const done = async () => {
    place.replaceChildren(element('p', { class: 'note', role: 'status' }, 'The passkey is enrolled.'));
  };
  place.replaceChildren(enrolment(api, { token }, done));
} else {
  openSession(AGENT_KEY, withApiKey, async (session) => {
    const { api } = session;
    const [{ passkeys }, { approvals }] = await Promise.all([api.listPasskeys({}), api.listApprovals()]);
    const [waiting, approved] = [
      approvals.filter(({ status }) => status === 'pending'),
      approvals.filter(({ status }) => status !== 'pending'),
    ];
    return [
      section(WAITING, waiting.length === 0 ? fromTemplate('no-approvals') : approvalTable(WAITING, waiting)),
      approved.length > 0 && section(APPROVED, approvalTable(APPROVED, approved)),
      section(
        'Passkeys',
        passkeys.length === 0
          ? element('p', { class: 'soft' }, 'None yet.')
          : element('ul', {}, ...passkeys.map((passkey) => knownPasskey(session, passkey))),
      ),
      // A key enrols the first one only.
      ...(passkeys.length === 0
        ? [enrolment(api, {}, async () => void (await sayDone(session, 'The passkey is enrolled.')))]
        : []),
      mailedLink(api),
    ].filter((part) => part !== false);
  });
}

/** Each leads to the page where it is decided. */
function approvalTable(
  name: string,
  approvals: Operations['listApprovals']['output']['approvals'],
): HTMLElement {
  return table(
    name,
    ['What', 'Asked with', 'Until', '#Price', 'Page'],
    approvals.map(({ amountCents, approvalUrl, expiresAt, keyLabel, listingTitle }) => [
      titleOf(listingTitle),
      untrustedText(keyLabel),
      timeOf(expiresAt),
      money(amountCents),
      element('a', { class: 'button quiet', href: platformLink(approvalUrl) ?? '/approvals' }, 'Look at it'),
    ]),
  );
}

type Passkey = Operations['listPasskeys']['output']['passkeys'][number];

function knownPasskey(session: Session, { id, label, createdAt }: Passkey): HTMLElement {
  const remove = actionForm('Remove it', [], async () => {
    await session.api.removePasskey({ passkeyId: id });
    return sayDone(session, 'The passkey is removed: it approves nothing any more.');
  });
  return element('li', {}, untrustedText(label), ', since ', timeOf(createdAt), remove);
}

function mailedLink(api: MarketplaceClient): HTMLElement {
  return section(
    'By mail',
    element(
      'p',
      {},
      'Once an hour has passed since registration, and for every further passkey, we mail a link to the agent’s verified address.',
    ),
    actionForm('Mail me a link', [], async () => {
      await api.mailPasskeyLink();
      return 'The link is on its way to the verified address. It works for an hour.';
    }),
  );
}

function enrolment(
  api: MarketplaceClient,
  proof: { readonly token?: string },
  done: () => Promise<void>,
): HTMLElement {
  return section(
    'Enrol a passkey',
    element('p', {}, 'Do it on the device that you approve with, such as your phone.'),
    actionForm(
      'Enrol a passkey',
      [
        {
          name: 'label',
          label: 'Name of the device',
          type: 'text',
          attributes: { required: '', maxlength: '64' },
        },
      ],
      async ({ label = '' }) => {
        const passkey = await makePasskey(await api.challengePasskey(proof), label);
        await api.enrolPasskey({ ...proof, label, passkey });
        await done();
        return null;
      },
    ),
  );
}
