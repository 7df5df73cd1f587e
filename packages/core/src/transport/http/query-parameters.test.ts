import { describe, expect, it } from 'vitest';
import { Refusal } from '../../kernel/errors.ts';
import { queryParameters } from './query-parameters.ts';

function refusedPaths(url: string): readonly string[] | null {
  try {
    queryParameters(url);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (error.details.fields ?? []).map(({ path }) => path);
  }
}

describe('the parameters of a query', () => {
  it.each([
    ['https://m.com/a', []],
    ['https://m.com/a?', []],
    [
      'https://m.com/a?q=a+b&q=%2B',
      [
        ['q', 'a b'],
        ['q', '+'],
      ],
    ],
    [
      'https://m.com/a?q=%E5%90%8D&%C3%B6=1',
      [
        ['q', '名'],
        ['ö', '1'],
      ],
    ],
    ['https://m.com/a?q=%F0%9F%98%80', [['q', '😀']]],
    ['https://m.com/%FF?q=1', [['q', '1']]],
    [
      'https://m.com/a?q=a=b&c',
      [
        ['q', 'a=b'],
        ['c', ''],
      ],
    ],
  ])('%s', (url, pairs) => {
    expect([...queryParameters(url)]).toEqual(pairs);
  });

  it.each([
    ['a byte that begins nothing', 'q=%FF', ['q']],
    ['a percent sign alone', 'q=%', ['q']],
    ['an escape cut short', 'q=100%2', ['q']],
    ['an escape that is none', 'q=%zz', ['q']],
    ['half of a pair of surrogates', 'q=%ED%A0%80', ['q']],
    ['a character cut short', 'q=%E5%90', ['q']],
    ['an overlong zero', 'q=%C0%80', ['q']],
    ['one among others', 'a=1&q=%FF&b=%20', ['q']],
    ['several', 'a=%FF&q=%FF&a=%FF', ['a', 'q']],
    ['a name', '%FF=1', ['%FF']],
    ['an escaped name', 'my%20q=%FF', ['my q']],
  ])('is not %s', (_, query, paths) => {
    expect(refusedPaths(`https://m.com/a?${query}`)).toEqual(paths);
  });
});
