/** The API keys that a request carries outside its body and query. */
export function keysInHeaders(headers: Headers): string[] {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const apiKey = headers.get('x-api-key');
  return [bearer, apiKey].filter((key): key is string => typeof key === 'string' && key !== '');
}
