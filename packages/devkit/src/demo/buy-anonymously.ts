import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type Operations, verifyPurchaseReceipt, verifyResponse } from '@agent-marketplace/sdk';
import { type Stage, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

/** No account, no SDK: what any program with an HTTP client can do. */
export async function buyAnonymously({ story, baseUrl, keys }: Stage): Promise<void> {
  story.chapter('Buying without an account or the SDK: plain HTTP');
  const search = `${baseUrl}/marketplace/listings?q=http+status&price=free`;
  story.say(`curl '${search}'`);
  const found: Operations['browseListings']['output'] = await (await fetch(search)).json();
  const listing = found.listings.find(({ sellerKind }) => sellerKind === 'platform');
  if (!listing) throw new StepFailed('The platform has no listing of HTTP status codes.');
  story.fact('found', `“${listing.title}”`);

  const url = `${baseUrl}/marketplace/listings/${listing.id}/purchase`;
  const body = JSON.stringify({ query: { code: 402 } });
  story.say(`curl -X POST '${url}' \\`);
  story.say(`  -H 'content-type: application/json' -d '${body}'`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  story.check(response.status === 200, 'purchase: HTTP 200');
  const purchase: Operations['purchaseListing']['output'] = JSON.parse(text);
  story.fact('answer', sentenceOf(purchase.content));
  const [answer, receipt] = await withoutNetwork(() =>
    Promise.all([verifyResponse(text, keys), verifyPurchaseReceipt(purchase, keys)]),
  );
  story.check(answer.valid, 'the whole answer is signed: you can verify its provenance offline');
  story.check(receipt.valid, 'the receipt in it verifies offline too');
}

/** What the first entry of the answer says. */
function sentenceOf(content: unknown): string {
  const lists = Object.values(isJsonObject(content) ? content : {}).filter((value) => Array.isArray(value));
  const entry: unknown = lists[0]?.[0];
  return Object.entries(isJsonObject(entry) ? entry : {})
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
