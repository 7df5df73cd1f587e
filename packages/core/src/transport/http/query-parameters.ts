import { commonErrors, Refusal } from '../../kernel/errors.ts';

/**
 * The parameters of a URL in order. Escapes that are not UTF-8 are refused, as in a body: the parser would replace
 * them by U+FFFD or keep them unescaped.
 */
export function queryParameters(url: string): URLSearchParams {
  const at = url.indexOf('?');
  const query = at === -1 ? '' : url.slice(at + 1);
  if (query.includes('%')) {
    const invalidPairs = query.split('&').filter((pair) => decodeText(pair) === null);
    if (invalidPairs.length > 0) throw notUtf8(invalidPairs);
  }
  return new URLSearchParams(query);
}

function notUtf8(pairs: readonly string[]): Refusal {
  const names = pairs.map((pair) => pair.split('=', 1)[0] ?? '').map((name) => decodeText(name) ?? name);
  return new Refusal(commonErrors.validation_failed, {
    fields: [...new Set(names)].map((path) => ({ message: 'Its %-escapes are not valid UTF-8.', path })),
  });
}

function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
