import { expect, test } from 'vitest';
import { FakeSellerEndpoint, replied, type ScriptedReply } from '../testing/doubles/fake-seller-endpoint.ts';
import { createDeliveryPorts } from '../testing/marketplace/delivery-ports.ts';
import { type ChallengeRefusal, challengeEndpoint, explainChallengeRefusal } from './challenge-endpoint.ts';

const NONCE = '0123456789abcdef'.repeat(3);
const TARGET = {
  sellerId: 's',
  callbackType: 'webhook',
  callbackUrl: 'https://seller.example.com/hook',
} as const;

function challenge(reply: ScriptedReply, sellerEndpoint = new FakeSellerEndpoint(() => reply)) {
  return challengeEndpoint({ ...createDeliveryPorts(), sellerEndpoint }, TARGET, NONCE);
}

test('an endpoint that repeats the nonce is verified', async () => {
  const sellerEndpoint = new FakeSellerEndpoint();
  expect(await challenge({ kind: 'unreachable' }, sellerEndpoint)).toEqual({
    verified: true,
    namesSeller: true,
    mcpRevision: null,
  });
  expect(await challenge(replied({ nonce: NONCE }))).toEqual({
    verified: true,
    namesSeller: false,
    mcpRevision: null,
  });
  const [request] = sellerEndpoint.requests;
  expect(request).toMatchObject({ url: TARGET.callbackUrl, timeoutMs: 15_000, maxBytes: 65_536 });
  const body = JSON.parse(request?.body ?? '');
  expect(Object.keys(body)).toEqual(['type', 'nonce', 'issuedAt', 'instructions']);
  expect(body).toMatchObject({ type: 'verification_challenge', nonce: NONCE });
});

test.each<[ScriptedReply, ChallengeRefusal]>([
  [replied({ nonce: NONCE.toUpperCase() }), 'wrong_nonce'],
  [replied({ nonce: [NONCE] }), 'wrong_nonce'],
  [replied({ data: {} }), 'wrong_nonce'],
  [replied({ available: false }), 'wrong_nonce'],
  [replied({ nonce: NONCE, sellerId: 's-2' }), 'other_seller'],
  [replied({ nonce: NONCE, sellerId: null }), 'other_seller'],
  [replied({ nonce: NONCE }, 201), 'bad_status'],
  [replied({ nonce: NONCE }, 401), 'bad_status'],
  [replied({ nonce: NONCE }, 404), 'bad_status'],
  [replied({ nonce: NONCE }, 500), 'bad_status'],
  [replied(NONCE), 'not_json'],
  [replied([NONCE]), 'not_an_object'],
  [replied({ nonce: NONCE, pad: 'x'.repeat(65_536) }), 'too_large'],
  [{ kind: 'url_refused', reason: 'private_address' }, 'url_refused'],
  [{ kind: 'redirected', status: 302 }, 'redirected'],
  [{ kind: 'unreachable' }, 'unreachable'],
  [{ kind: 'timed_out' }, 'timed_out'],
  [{ kind: 'too_large' }, 'too_large'],
])('case %#: %j is refused as %s', async (reply, reason) => {
  expect(await challenge(reply)).toEqual({ verified: false, reason });
  expect(explainChallengeRefusal(reason)).toMatch(/\.$/);
});

test('a polling seller answers through the mailbox', async () => {
  const ports = createDeliveryPorts();
  const target = { sellerId: 'poller', callbackType: 'polling', callbackUrl: null } as const;
  const outcome = challengeEndpoint(ports, target, NONCE);
  const [message] = (await ports.pollingMailbox.pending('poller', 1)) ?? [];
  expect(message).toMatchObject({ kind: 'verification_challenge' });
  const body = new TextEncoder().encode(JSON.stringify({ nonce: NONCE }));
  expect(await ports.pollingMailbox.answer('poller', message?.id ?? '', body)).toBe('accepted');
  expect(await outcome).toEqual({ verified: true, namesSeller: false, mcpRevision: null });
});
