import { isJsonObject, type Json } from '@agent-marketplace/protocol/json/json.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { fetchText } from './fetch-text.ts';

/**
 * What a resource asks for when nobody pays: in a header (version 2 of x402), or in the body (version 1).
 *
 * @throws CliFailure if it does not ask for payment.
 */
export async function readDemand(url: string): Promise<Json> {
  if (!URL.canParse(url)) throw new CliFailure('usage', `"${url.slice(0, 200)}" is not a URL.`);
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
    const { status, headers, text } = await fetchText(url, { method, redirect: 'manual', ...body });
    if (status !== 402) continue;
    const demand = parseHeader(headers.get('payment-required')) ?? parseJson(text);
    if (demand !== null) return demand;
  }
  throw new CliFailure('usage', `${url} does not ask for an x402 payment.`, {
    hint: 'Sell it as it is: agent-market sell http',
  });
}

function parseHeader(text: string | null): Json | null {
  if (text === null) return null;
  return parseJson(Buffer.from(text, 'base64').toString('utf8'));
}

function parseJson(text: string): Json | null {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
