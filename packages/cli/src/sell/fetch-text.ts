import { CliFailure } from '../frame/cli-failure.ts';
import { readAtMost, reasonOf } from '../gateway/call-upstream.ts';

/** GitHub's own document has 12 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface FetchedText {
  readonly text: string;
  readonly status: number;
  readonly headers: Headers;
  /** After redirects. */
  readonly url: string;
}

/** @throws CliFailure if there is no answer. */
export async function fetchText(url: string, init: RequestInit = {}): Promise<FetchedText> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await readAtMost(response, MAX_BYTES);
    if (body === null) throw new CliFailure('usage', `What is at ${url} is larger than 64 MB.`);
    return {
      text: new TextDecoder().decode(body),
      status: response.status,
      headers: response.headers,
      url: response.url,
    };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const isSilent = error instanceof Error && error.name === 'TimeoutError';
    const why = isSilent ? `no answer in ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    throw new CliFailure('unreachable', `${url} could not be read (${why}).`);
  }
}
