import { expect, it } from 'vitest';
import { isOriginAllowed } from './is-origin-allowed.ts';

const PUBLIC = 'https://market.example/api';
const LOCAL = 'http://localhost:8787/api';

it.each([
  ['no browser', null, PUBLIC, true],
  ['its own pages', 'https://market.example', PUBLIC, true],
  ['a listed page', 'https://app.example', PUBLIC, true],
  ['a tool on the machine of its reader', 'http://localhost:6274', PUBLIC, true],
  ['the same by address', 'http://127.0.0.1:6274', LOCAL, true],
  ['the same in IPv6', 'http://[::1]:6274', LOCAL, true],
  ['a stranger', 'https://evil.example', PUBLIC, false],
  ['a stranger, to a local marketplace', 'https://evil.example', LOCAL, false],
  ['its own host on another port', 'https://market.example:444', PUBLIC, false],
  ['a host that begins like it', 'https://market.example.evil.example', PUBLIC, false],
  ['a host that begins like this machine', 'http://localhost.evil.example', LOCAL, false],
  ['a name that was made to point here', 'http://evil.example:8787', 'http://evil.example:8787/api', false],
  ['an opaque origin', 'null', PUBLIC, false],
  ['a file', 'file://', LOCAL, false],
  ['an extension', 'chrome-extension://abc', LOCAL, false],
  ['no origin at all', 'nonsense', LOCAL, false],
  ['nothing', '', LOCAL, false],
])('%s', (_, origin, baseUrl, allowed) => {
  expect(isOriginAllowed(origin, baseUrl, ['https://app.example'])).toBe(allowed);
});
