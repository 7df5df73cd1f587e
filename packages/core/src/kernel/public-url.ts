import * as z from 'zod';
import { checkEndpointUrl, ENDPOINT_URL_MAX_LENGTH, ENDPOINT_URL_REFUSALS } from './endpoint-url.ts';

/**
 * A public https URL for others to open, in the form that URL parsers write: no character in it can end an attribute
 * or a line. The marketplace never calls it, so its host is not resolved.
 */
export const publicUrl = z
  .string()
  .trim()
  .max(ENDPOINT_URL_MAX_LENGTH, { abort: true })
  .refine((url) => refusalOf(url) === null, {
    abort: true,
    error: ({ input }) => refusalOf(input as string) ?? '',
  })
  .overwrite((url) => new URL(url).href)
  .refine((url) => url.length <= ENDPOINT_URL_MAX_LENGTH, ENDPOINT_URL_REFUSALS.too_long)
  .meta({ format: 'uri' });

function refusalOf(url: string): string | null {
  const check = checkEndpointUrl(url, { allowLoopbackHttp: false });
  return check.ok ? null : ENDPOINT_URL_REFUSALS[check.reason];
}
