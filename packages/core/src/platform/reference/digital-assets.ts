import { numberIn, textIn } from '../query.ts';
import { cents, flag, oneOf, text, whole } from '../schema.ts';
import { atMost, contains, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

const general = referenceTable({
  id: '6539fcd6-95ab-4c92-8cfc-07bafcd88426',
  vertical: 'digital-assets-general',
  title: 'Downloadable assets with format, size and licence',
  description:
    'A catalogue of files as they should be described: format, size, SHA-256 of the file, licence and price. None of ' +
    'the files exists. A real listing delivers the file, or a link that only the buyer gets, and the digest lets the ' +
    'buyer check it.',
  example: { format: 'glb' },
  columns: {
    assetId: text('Asset.'),
    title: text('Title.'),
    format: oneOf('File format.', 'glb', 'zip', 'pdf', 'json'),
    sizeBytes: whole('Size, in bytes.', { minimum: 0 }),
    sha256: text('SHA-256 of the file, in hex.', { pattern: '^[0-9a-f]{64}$' }),
    licence: oneOf('Licence.', 'personal', 'commercial', 'public domain'),
    priceCents: cents('Price'),
  },
  rows: [
    ['a-1', 'Low-poly lighthouse', 'glb', 482_113, 'a1'.repeat(32), 'commercial', 1200],
    ['a-2', 'Garden tools, set of nine', 'glb', 1_920_440, 'b2'.repeat(32), 'commercial', 1900],
    ['a-3', 'Board game, print at home', 'pdf', 8_310_002, 'c3'.repeat(32), 'personal', 600],
    ['a-4', 'Colour tables', 'json', 20_118, 'd4'.repeat(32), 'public domain', 0],
  ],
  filters: {
    assetId: key('assetId'),
    titleContains: contains('title'),
    format: equals('format'),
    licence: equals('licence'),
    maxPriceCents: atMost('priceCents'),
  },
});

const domains = referenceTable({
  id: '122fa86d-fe16-406a-b50a-2778a983a27a',
  vertical: 'domain-names',
  title: 'Domain names for sale, by length and price',
  description:
    'Names with length, year of first registration, transfer method and price. All are under .example, which nobody ' +
    'can register. A real listing proves control of the name, for example by a DNS record that it names.',
  example: { maxLength: 6 },
  columns: {
    domain: text('Name.'),
    length: whole('Characters before the dot.', { minimum: 1 }),
    registered: whole('Year of first registration.'),
    hasHyphen: flag('Contains a hyphen.'),
    transfer: oneOf('How it changes hands.', 'push', 'auth code'),
    priceCents: cents('Price'),
  },
  rows: [
    ['teapot.example', 6, 2003, false, 'push', 240_000],
    ['quay.example', 4, 1999, false, 'auth code', 950_000],
    ['oak-desk.example', 8, 2012, true, 'push', 30_000],
    ['lumen.example', 5, 2001, false, 'auth code', 610_000],
    ['night-train.example', 11, 2016, true, 'push', 18_000],
  ],
  filters: {
    domain: key('domain'),
    contains: contains('domain'),
    maxLength: atMost('length'),
    hasHyphen: equals('hasHyphen'),
    maxPriceCents: atMost('priceCents'),
  },
});

/** Keeps the name from breaking out of the string or comment that it is put into. */
const PROJECT_NAME = '^[a-z][a-z0-9-]{0,38}[a-z0-9]$';

const TEMPLATES: Readonly<Record<string, (name: string) => { fileName: string; lines: readonly string[] }>> =
  {
    'typescript-module': (name) => ({
      fileName: `${name}.ts`,
      lines: [
        `/** ${name}: says hello. */`,
        'export function greet(who: string): string {',
        `  return \`Hello \${who}, from ${name}\``,
        '}',
      ],
    }),
    'python-module': (name) => ({
      fileName: `${name.replaceAll('-', '_')}.py`,
      lines: [
        `"""${name}: says hello."""`,
        '',
        '',
        'def greet(who: str) -> str:',
        `    return f"Hello {who}, from ${name}"`,
      ],
    }),
    readme: (name) => ({
      fileName: 'README.md',
      lines: [`# ${name}`, '', 'What it does, in one sentence.', '', '## Use', '', '## Licence'],
    }),
  };

const templates = referenceAnswer({
  id: '0d25aaa4-e380-4579-9001-1293f55a231d',
  vertical: 'software-templates',
  title: 'A starter file in your project’s name',
  description:
    'Fills a small template with the name of your project and returns the file as text: a TypeScript module, a Python ' +
    'module or a README. A real listing states language and version, dependencies, licence and support.',
  example: { template: 'typescript-module', projectName: 'tea-timer' },
  input: {
    template: oneOf('Template.', ...Object.keys(TEMPLATES)),
    projectName: text('Lower-case letters, digits and hyphens.', { pattern: PROJECT_NAME }),
  },
  required: ['template', 'projectName'],
  output: {
    fileName: text('Name of the file.'),
    lineCount: whole('Lines.', { minimum: 1 }),
    content: text('The file.'),
    licence: text('Licence.'),
  },
  answer(query) {
    const name = textIn(query, 'projectName', '');
    const fill = TEMPLATES[textIn(query, 'template', '')];
    if (fill === undefined || !new RegExp(PROJECT_NAME).test(name)) return null;
    const { fileName, lines } = fill(name);
    return {
      fileName,
      lineCount: lines.length,
      content: `${lines.join('\n')}\n`,
      licence: 'No rights reserved',
    };
  },
});

const COLOUR = '^#[0-9a-fA-F]{6}$';

const media = referenceAnswer({
  id: '99a3a46e-e800-4d1e-8e5d-fc0c4073929f',
  vertical: 'media-assets',
  title: 'A tileable dot pattern as SVG, in your colours',
  description:
    'Draws a pattern of dots that repeats without seams, in the size and colours you give, and returns it as SVG text. ' +
    'A real listing shows a preview of low resolution and states size, format and permitted uses.',
  example: { size: 64, dots: 2, dotColour: '#1f6f8b', background: '#f4efe6' },
  input: {
    size: whole('Side of the tile, in pixels.', { minimum: 8, maximum: 1024 }),
    dots: whole('Dots a side, 4 by default.', { minimum: 1, maximum: 16 }),
    dotColour: text('Colour of the dots.', { pattern: COLOUR }),
    background: text('Colour behind, white by default.', { pattern: COLOUR }),
  },
  required: ['size', 'dotColour'],
  output: {
    mediaType: text('Media type.'),
    width: whole('Width, in pixels.'),
    height: whole('Height, in pixels.'),
    svg: text('The picture.'),
    licence: text('Licence.'),
  },
  answer(query) {
    const size = numberIn(query, 'size', 8);
    const dots = numberIn(query, 'dots', 4);
    const colours = [textIn(query, 'dotColour', ''), textIn(query, 'background', '#ffffff')];
    if (colours.some((colour) => !new RegExp(COLOUR).test(colour))) return null;
    const step = size / dots;
    const centres = Array.from({ length: dots }, (_, index) => (index + 0.5) * step);
    const circles = centres.flatMap((y) =>
      centres.map((x) => `<circle cx="${x}" cy="${y}" r="${step / 4}"/>`),
    );
    return {
      mediaType: 'image/svg+xml',
      width: size,
      height: size,
      svg:
        `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">` +
        `<rect width="100%" height="100%" fill="${colours[1]}"/><g fill="${colours[0]}">${circles.join('')}</g></svg>`,
      licence: 'No rights reserved',
    };
  },
});

export const DIGITAL_ASSET_REFERENCES = [general, domains, templates, media];
