import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkAddress,
  checkEndpointUrl,
  ENDPOINT_URL_REFUSALS,
  type EndpointUrlRefusal,
} from './endpoint-url.ts';

const PUBLIC = { allowLoopbackHttp: false };
const LOCAL = { allowLoopbackHttp: true };

const REFUSED_URLS: Readonly<Record<string, EndpointUrlRefusal>> = {
  '': 'not_a_url',
  'example.com': 'not_a_url',
  '//example.com/': 'not_a_url',
  'https:example.com': 'not_a_url',
  'https:/example.com': 'not_a_url',
  'https:\\\\example.com': 'not_a_url',
  'https://': 'not_a_url',
  ' https://example.com/': 'not_a_url',
  'https://example.com/ ': 'not_a_url',
  'https://example.com/a b': 'not_a_url',
  'https://exam\nple.com/': 'not_a_url',
  'https://example.com/\t': 'not_a_url',
  'https://example.com/\u0000': 'not_a_url',
  'https://example.com\\@127.0.0.1/': 'not_a_url',
  'https://example.com:99999/': 'not_a_url',
  'https://[::1/': 'not_a_url',
  'https://[fe80::1%25eth0]/': 'not_a_url',
  'https://1.2.3.4.5/': 'not_a_url',
  'https://256.256.256.256/': 'not_a_url',
  'https://exa%6eple.com%00/': 'not_a_url',
  [`https://example.com/${'a'.repeat(2029)}`]: 'too_long',
  'http://example.com/': 'not_https',
  'ftp://example.com/': 'not_https',
  'file:///etc/passwd': 'not_https',
  'ws://example.com/': 'not_https',
  'gopher://127.0.0.1:6379/_x': 'not_https',
  'data://text/plain,x': 'not_https',
  'http://127.0.0.1/': 'not_https',
  'http://localhost:8787/': 'not_https',
  'http://169.254.169.254/latest/meta-data/': 'not_https',
  'https://user@example.com/': 'has_credentials',
  'https://user:pass@example.com/': 'has_credentials',
  'https://@example.com/': 'has_credentials',
  'https://:@example.com/': 'has_credentials',
  'https://example.com@127.0.0.1/': 'has_credentials',
  'https://example.com/#': 'has_fragment',
  'https://example.com/#part': 'has_fragment',
  'https://example.com:80/': 'port_not_allowed',
  'https://example.com:0/': 'port_not_allowed',
  'https://example.com:22/': 'port_not_allowed',
  'https://example.com:1023/': 'port_not_allowed',
  'https://example.com../': 'malformed_host',
  'https://a..example.com/': 'malformed_host',
  'https://.example.com/': 'malformed_host',
  'https://-a.example.com/': 'malformed_host',
  'https://a!b.example.com/': 'malformed_host',
  [`https://${'a'.repeat(64)}.com/`]: 'malformed_host',
  [`https://${'a.'.repeat(127)}com/`]: 'malformed_host',
  'https://intranet-host/': 'single_label_host',
  'https://com/': 'single_label_host',
  'https://com./': 'single_label_host',
  'https://localhost/': 'local_name',
  'https://LOCALHOST/': 'local_name',
  'https://localhost./': 'local_name',
  'https://localhost:8443/': 'local_name',
  'https://a.localhost/': 'local_name',
  'https://ⓛocalhost/': 'local_name',
  'https://loc%61lhost/': 'local_name',
  'https://printer.local/': 'local_name',
  'https://printer.local./': 'local_name',
  'https://metadata.google.internal/': 'local_name',
  'https://METADATA.GOOGLE.INTERNAL./': 'local_name',
  'https://localhost.localdomain/': 'local_name',
  'https://router.lan/': 'local_name',
  'https://git.corp/': 'local_name',
  'https://nas.home/': 'local_name',
  'https://nas.home.arpa/': 'local_name',
  'https://wiki.intranet/': 'local_name',
  'https://host.test/': 'reserved_name',
  'https://host.example/': 'reserved_name',
  'https://host.invalid/': 'reserved_name',
  'https://expyuzz4wqqyqhjn.onion/': 'reserved_name',
  'https://name.alt/': 'reserved_name',
  'https://1.0.0.127.in-addr.arpa/': 'reserved_name',
  'https://0.0.0.0/': 'unspecified_address',
  'https://0/': 'unspecified_address',
  'https://0.1.2.3/': 'unspecified_address',
  'https://[::]/': 'unspecified_address',
  'https://127.0.0.1/': 'loopback_address',
  'https://127.0.0.1./': 'loopback_address',
  'https://127.1/': 'loopback_address',
  'https://127.255.255.254/': 'loopback_address',
  'https://2130706433/': 'loopback_address',
  'https://0x7f000001/': 'loopback_address',
  'https://0x7f.1/': 'loopback_address',
  'https://017700000001/': 'loopback_address',
  'https://0177.0.0.1/': 'loopback_address',
  'https://0x7f.0.0.0x1/': 'loopback_address',
  'https://%31%32%37.0.0.1/': 'loopback_address',
  'https://127%2e0%2e0%2e1/': 'loopback_address',
  'https://１２７.0.0.1/': 'loopback_address',
  'https://127。0。0。1/': 'loopback_address',
  'https://①②⑦.0.0.1/': 'loopback_address',
  'https://[::1]/': 'loopback_address',
  'https://[0:0:0:0:0:0:0:1]/': 'loopback_address',
  'https://[0000::0001]:8443/': 'loopback_address',
  'https://10.0.0.1/': 'private_address',
  'https://10.255.255.255/': 'private_address',
  'https://012.0.0.1/': 'private_address',
  'https://167772161/': 'private_address',
  'https://172.16.0.1/': 'private_address',
  'https://172.31.255.255/': 'private_address',
  'https://192.168.0.1/': 'private_address',
  'https://192.168.257/': 'private_address',
  'https://0xc0a80001/': 'private_address',
  'https://[fc00::1]/': 'private_address',
  'https://[fd12:3456:789a::1]/': 'private_address',
  'https://[fec0::1]/': 'private_address',
  'https://169.254.169.254/': 'link_local_address',
  'https://0xa9fea9fe/': 'link_local_address',
  'https://2852039166/': 'link_local_address',
  'https://[fe80::1]/': 'link_local_address',
  'https://[febf::1]/': 'link_local_address',
  'https://100.64.0.1/': 'shared_address',
  'https://100.127.255.255/': 'shared_address',
  'https://224.0.0.1/': 'multicast_address',
  'https://239.255.255.255/': 'multicast_address',
  'https://[ff02::1]/': 'multicast_address',
  'https://255.255.255.255/': 'broadcast_address',
  'https://4294967295/': 'broadcast_address',
  'https://[::ffff:127.0.0.1]/': 'translated_address',
  'https://[::ffff:a9fe:a9fe]/': 'translated_address',
  'https://[::ffff:8.8.8.8]/': 'translated_address',
  'https://[::ffff:0:127.0.0.1]/': 'translated_address',
  'https://[64:ff9b::127.0.0.1]/': 'translated_address',
  'https://[64:ff9b:1::a00:1]/': 'translated_address',
  'https://[2002:7f00:1::]/': 'translated_address',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/': 'translated_address',
  'https://[::127.0.0.1]/': 'reserved_address',
  'https://[100::1]/': 'reserved_address',
  'https://[2001:db8::1]/': 'reserved_address',
  'https://[3fff::1]/': 'reserved_address',
  'https://[2001:2::1]/': 'reserved_address',
  'https://[2001:20::1]/': 'reserved_address',
  'https://[5f00::1]/': 'reserved_address',
  'https://[4000::1]/': 'reserved_address',
  'https://192.0.0.1/': 'reserved_address',
  'https://192.0.2.1/': 'reserved_address',
  'https://192.88.99.1/': 'reserved_address',
  'https://198.18.0.1/': 'reserved_address',
  'https://198.19.255.255/': 'reserved_address',
  'https://198.51.100.1/': 'reserved_address',
  'https://203.0.113.1/': 'reserved_address',
  'https://240.0.0.1/': 'reserved_address',
  'https://255.255.255.254/': 'reserved_address',
};

/** URL → the name to resolve, or null for a public address. */
const ACCEPTED_URLS: Readonly<Record<string, string | null>> = {
  'https://example.com': 'example.com',
  'https://example.com/': 'example.com',
  'HTTPS://Example.COM/Hook?x=1': 'example.com',
  'https://example.com:443/': 'example.com',
  'https://example.com:1024/': 'example.com',
  'https://example.com:8443/hook': 'example.com',
  'https://example.com:65535/': 'example.com',
  'https://example.com./': 'example.com',
  'https://a_b.example.com/': 'a_b.example.com',
  'https://api.localhost.com/': 'api.localhost.com',
  'https://internal.example.com/': 'internal.example.com',
  'https://bücher.de/': 'xn--bcher-kva.de',
  'https://example.com/a@b': 'example.com',
  'https://127.0.0.1.nip.io/': '127.0.0.1.nip.io',
  'https://8.8.8.8/': null,
  'https://1.1.1.1:8443/': null,
  'https://172.15.255.255/': null,
  'https://172.32.0.1/': null,
  'https://100.63.255.255/': null,
  'https://[2606:4700:4700::1111]/': null,
  [`https://example.com/${'a'.repeat(2028)}`]: 'example.com',
};

describe('checkEndpointUrl', () => {
  test('the list of refusals is long', () => {
    expect(Object.keys(REFUSED_URLS).length).toBeGreaterThan(130);
  });

  test.each(Object.entries(REFUSED_URLS))('refuses %j: %s', (url, reason) => {
    expect(checkEndpointUrl(url, PUBLIC)).toEqual({ ok: false, reason });
    expect(ENDPOINT_URL_REFUSALS[reason]).toMatch(/^It.*\.$/);
  });

  test.each(Object.entries(ACCEPTED_URLS))('accepts %j', (url, name) => {
    const check = checkEndpointUrl(url, PUBLIC);
    const hostname = name ?? new URL(url).hostname;
    expect(check).toEqual({ ok: true, hostname, isAddress: name === null });
    expect(checkEndpointUrl(url, LOCAL)).toEqual(check);
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8787/hook',
    'http://localhost:80/',
    'https://localhost:1/',
    'http://[::1]:3000/',
  ])('accepts %s in local development only', (url) => {
    expect(checkEndpointUrl(url, LOCAL)).toMatchObject({ ok: true, isAddress: true });
    expect(checkEndpointUrl(url, PUBLIC).ok).toBe(false);
  });

  const STAYS_REFUSED = Object.entries(REFUSED_URLS).filter(([url]) => {
    const hostname = URL.canParse(url) ? new URL(url).hostname : '';
    return !['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  });

  test.each(STAYS_REFUSED)('refuses %j in local development too', (url, reason) => {
    expect(checkEndpointUrl(url, LOCAL)).toEqual({ ok: false, reason });
  });

  test.each(['http://user@localhost/', 'http://localhost/#x', 'ftp://localhost/', 'http://127.0.0.2/'])(
    'still refuses %s in local development',
    (url) => {
      expect(checkEndpointUrl(url, LOCAL).ok).toBe(false);
    },
  );

  test('refuses every private IPv4 address in every notation', () => {
    fc.assert(
      fc.property(privateIpv4, notation, (octets, write) => {
        const host = write(octets);
        for (const url of [`https://${host}/`, `https://${host}:8443/x`, `https://${host}./`]) {
          expect(checkEndpointUrl(url, PUBLIC).ok, url).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('refuses every private IPv4 address inside an IPv6 address', () => {
    const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'];
    fc.assert(
      fc.property(privateIpv4, fc.constantFrom(...prefixes), (octets, prefix) => {
        expect(checkEndpointUrl(`https://[${prefix}${octets.join('.')}]/`, PUBLIC).ok).toBe(false);
      }),
    );
  });
});

describe('checkAddress', () => {
  test.each([
    ['10.1.2.3', 'private_address'],
    ['::ffff:10.1.2.3', 'translated_address'],
    ['fe80::1%eth0', 'link_local_address'],
    ['0x7f.1', 'loopback_address'],
    ['not an address', 'not_an_address'],
    ['', 'not_an_address'],
  ])('refuses %j: %s', (address, reason) => {
    expect(checkAddress(address)).toEqual({ ok: false, reason });
  });

  test.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    'accepts %s',
    (address) => {
      expect(checkAddress(address)).toEqual({ ok: true });
    },
  );
});

type Octets = readonly [number, number, number, number];

const octet = fc.integer({ min: 0, max: 255 });
const privateIpv4: fc.Arbitrary<Octets> = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
  fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
  fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
);

type Radix = 8 | 10 | 16;

function write(value: number, radix: Radix): string {
  return { 8: '0', 10: '', 16: '0x' }[radix] + value.toString(radix);
}

/** One to four parts, each in any radix, then in ASCII, percent-encoded or full-width. */
const notation: fc.Arbitrary<(octets: Octets) => string> = fc
  .record({
    parts: fc.integer({ min: 1, max: 4 }),
    radixes: fc.array(fc.constantFrom<Radix>(8, 10, 16), { minLength: 4, maxLength: 4 }),
    spelling: fc.constantFrom('ascii', 'percent', 'full-width', 'upper'),
  })
  .map(({ parts, radixes, spelling }) => (octets) => {
    const leading = octets.slice(0, parts - 1);
    const rest = octets.slice(parts - 1).reduce((value, next) => value * 256 + next, 0);
    const text = [...leading, rest].map((value, i) => write(value, radixes[i] ?? 10)).join('.');
    if (spelling === 'upper') return text.toUpperCase();
    if (spelling === 'percent') return text.replace(/[0-9a-f]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    if (spelling === 'full-width')
      return text.replace(/[0-9a-fx]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
    return text;
  });
