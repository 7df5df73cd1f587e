import { describe, expect, it } from 'vitest';
import { samplesOf } from './samples-of.ts';

describe('the samples of a page', () => {
  it('say why they are not run', () => {
    const page = '```sh\na\n```\n\n```sh not run: it deploys\nb\nc\n```\n';
    expect(samplesOf(page)).toEqual([
      { language: 'sh', notRun: null, firstLine: 2, lastLine: 2, text: 'a' },
      { language: 'sh', notRun: 'it deploys', firstLine: 6, lastLine: 7, text: 'b\nc' },
    ]);
    expect(samplesOf(page, 'ts')).toEqual([]);
  });

  it.each(['```', '```sh not run', '```sh not run: ', '```sh skipped'])('are refused behind %s', (fence) => {
    expect(() => samplesOf(`# A\n\n${fence}\na\n\`\`\`\n`)).toThrow('3: a fence opens with a language');
  });
});
