import { oneOf, text, whole } from '../schema.ts';
import { contains, equals, key } from '../table.ts';
import { curatedTable } from './curated.ts';

type State = 'registered' | 'unused' | 'obsoleted' | 'temporary';

/** Section of RFC 9110 that defines the codes of a class, in order from the class's first code. */
const SECTION = { 1: '15.2', 2: '15.3', 3: '15.4', 4: '15.5', 5: '15.6' } as const;

const CLASS = {
  1: 'informational',
  2: 'successful',
  3: 'redirection',
  4: 'client error',
  5: 'server error',
} as const;

type ClassDigit = keyof typeof CLASS;

/** Without a reference, the code is defined in RFC 9110, in the section that its last two digits give. */
const CODES: readonly (readonly [number, string, (string | undefined)?, State?])[] = [
  [100, 'Continue'],
  [101, 'Switching Protocols'],
  [102, 'Processing', 'RFC 2518'],
  [103, 'Early Hints', 'RFC 8297'],
  [104, 'Upload Resumption Supported', 'draft-ietf-httpbis-resumable-upload', 'temporary'],
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [203, 'Non-Authoritative Information'],
  [204, 'No Content'],
  [205, 'Reset Content'],
  [206, 'Partial Content'],
  [207, 'Multi-Status', 'RFC 4918'],
  [208, 'Already Reported', 'RFC 5842'],
  [226, 'IM Used', 'RFC 3229'],
  [300, 'Multiple Choices'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [305, 'Use Proxy'],
  [306, '(Unused)', undefined, 'unused'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [411, 'Length Required'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [418, '(Unused)', undefined, 'unused'],
  [421, 'Misdirected Request', 'RFC 9110, Section 15.5.20'],
  [422, 'Unprocessable Content', 'RFC 9110, Section 15.5.21'],
  [423, 'Locked', 'RFC 4918'],
  [424, 'Failed Dependency', 'RFC 4918'],
  [425, 'Too Early', 'RFC 8470'],
  [426, 'Upgrade Required', 'RFC 9110, Section 15.5.22'],
  [428, 'Precondition Required', 'RFC 6585'],
  [429, 'Too Many Requests', 'RFC 6585'],
  [431, 'Request Header Fields Too Large', 'RFC 6585'],
  [451, 'Unavailable For Legal Reasons', 'RFC 7725'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [505, 'HTTP Version Not Supported'],
  [506, 'Variant Also Negotiates', 'RFC 2295'],
  [507, 'Insufficient Storage', 'RFC 4918'],
  [508, 'Loop Detected', 'RFC 5842'],
  [510, 'Not Extended', 'RFC 2774', 'obsoleted'],
  [511, 'Network Authentication Required', 'RFC 6585'],
];

function classOf(code: number): ClassDigit {
  return Math.floor(code / 100) as ClassDigit;
}

export const HTTP_STATUS_CODES = curatedTable({
  id: 'f5c9063e-6fe6-4581-8648-3a399c55eefc',
  slug: 'http-status-codes',
  title: 'HTTP status codes: the IANA registry',
  description:
    'Every code of the IANA HTTP status code registry, with its description, class, state and defining document, by ' +
    'code, class, state or part of the description. 306 and 418 are reserved and marked unused: 418 ("I’m a teapot", ' +
    'a joke of RFC 2324) is kept out of use by RFC 9110, and its registered description is "(Unused)". 510 is ' +
    'obsoleted. 104 is registered temporarily. Unregistered codes have no answer.',
  source:
    'IANA: Hypertext Transfer Protocol (HTTP) Status Code Registry, as last updated on 2025-09-15; RFC 9110.',
  method: 'Transcribed from the registry',
  example: { code: 418 },
  columns: {
    code: whole('Status code.', { minimum: 100, maximum: 599 }),
    description: text('Registered description.'),
    class: oneOf('Class.', ...Object.values(CLASS)),
    state: oneOf('State in the registry.', 'registered', 'unused', 'obsoleted', 'temporary'),
    reference: text('Defining document.'),
  },
  rows: CODES.map(([code, description, reference, state]) => [
    code,
    description,
    CLASS[classOf(code)],
    state ?? 'registered',
    reference ?? `RFC 9110, Section ${SECTION[classOf(code)]}.${(code % 100) + 1}`,
  ]),
  filters: {
    code: key('code'),
    class: equals('class'),
    state: equals('state'),
    descriptionContains: contains('description'),
  },
});
