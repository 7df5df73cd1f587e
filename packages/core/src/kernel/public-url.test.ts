import { describe, expect, it } from 'vitest';
import { publicUrl } from './public-url.ts';

describe('a public URL is kept as parsers write it', () => {
  it.each([
    ['https://img.shop.com/a.png', 'https://img.shop.com/a.png'],
    ['https://img.shop.com', 'https://img.shop.com/'],
    ['HTTPS://IMG.Shop.com:443/A.png?b=c', 'https://img.shop.com/A.png?b=c'],
    ['https://bücher.de/ö.png', 'https://xn--bcher-kva.de/%C3%B6.png'],
    ['https://img.shop.com/a/../b.png', 'https://img.shop.com/b.png'],
    [' https://img.shop.com/a.png\n', 'https://img.shop.com/a.png'],
    ['https://8.8.8.8/a.png', 'https://8.8.8.8/a.png'],
  ])('%j as %j', (given, kept) => {
    expect(publicUrl.parse(given)).toBe(kept);
  });
});

describe('and one that could be taken for something else is refused, once and with the reason', () => {
  it.each([
    ['https://user:pw@e.com/a.png', 'It holds a user name or password.'],
    ['https://@e.com/a.png', 'It holds a user name or password.'],
    ['https://e.com/a b', 'not an absolute URL'],
    ['https://e.com/"><script>', 'not an absolute URL'],
    ["https://e.com/'onload=", 'not an absolute URL'],
    ['https://e.com/`', 'not an absolute URL'],
    ['https://e.com/<', 'not an absolute URL'],
    ['https:///x', 'not an absolute URL'],
    ['https:///e.com/x', 'not an absolute URL'],
    ['https://e.com\\@f.com/x', 'not an absolute URL'],
    ['https://e.com/a\u0000b', 'not an absolute URL'],
    ['https://e.com/a\nb', 'not an absolute URL'],
    ['https://e.com/a\u0085b', 'not an absolute URL'],
    ['https://e.com/a\u202eb', 'not an absolute URL'],
    ['//e.com/a.png', 'not an absolute URL'],
    ['a.png', 'not an absolute URL'],
    ['', 'not an absolute URL'],
    ['http://e.com/a.png', 'It does not start with https://.'],
    ['javascript:alert(1)', 'not an absolute URL'],
    ['data:image/png;base64,AAAA', 'not an absolute URL'],
    ['https://10.0.0.1/a.png', 'Its host is an address of a private network.'],
    ['https://0x7f.1/a.png', 'Its host is a loopback address.'],
    ['https://[::1]/a.png', 'Its host is a loopback address.'],
    ['https://localhost/a.png', 'Its host is a name for this machine'],
    [`https://e.com/${'x'.repeat(2048)}`, 'Too big'],
    [`https://e.com/${'ö'.repeat(1000)}`, 'It is longer than 2048 characters.'],
  ])('%j', (given, reason) => {
    expect(publicUrl.safeParse(given).error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining(reason),
    ]);
  });
});
