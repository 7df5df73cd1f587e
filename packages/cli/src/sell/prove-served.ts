import { setTimeout } from 'node:timers/promises';
import { CliFailure } from '../frame/cli-failure.ts';
import { fetchText } from './fetch-text.ts';

const TRIES = 4;
const PAUSE_MS = 300;

export interface ServedListing {
  readonly title: string;
  readonly listingId: string;
  readonly sellerId: string;
  readonly callbackUrl: string;
  readonly configPath: string;
}

/** Asks the gateway where buyers' queries will arrive. @throws CliFailure if it would not deliver the listing. */
export async function proveServed({
  title,
  listingId,
  sellerId,
  callbackUrl,
  configPath,
}: ServedListing): Promise<void> {
  const url = new URL(callbackUrl);
  url.searchParams.set('listing', listingId);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (await isServed(url.href, { listingId, sellerId })) return;
    if (tries < TRIES) await setTimeout(PAUSE_MS);
  }
  throw new CliFailure(
    'unreachable',
    `"${title}" is listed as ${listingId}, but the gateway at ${callbackUrl} does not deliver it: nobody can buy it yet.`,
    {
      hint: `The gateway there reads another file than ${configPath}, lacks a variable of the listing (its log says so), or was exported before: start it anew, or export and deploy it.\nIt delivers the listing once this says so: curl '${url.href}'`,
      facts: { listingId, callbackUrl, configPath },
    },
  );
}

async function isServed(
  url: string,
  expected: Pick<ServedListing, 'listingId' | 'sellerId'>,
): Promise<boolean> {
  try {
    const { text } = await fetchText(url);
    const answer = JSON.parse(text);
    return (
      answer.isServed === true &&
      answer.listingId === expected.listingId &&
      answer.sellerId === expected.sellerId
    );
  } catch {
    return false;
  }
}
