import type { TestReport } from './test-report.ts';

const MAX_CHARACTERS = 2000;

/** A report as a text to read: the request, the answer, the time that it took and the verdict. */
export function describeReport({ request, answer, durationMs, verdict, explanation }: TestReport): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`);
  const answered =
    answer === null
      ? ['no answer']
      : [`HTTP ${answer.status} ${answer.contentType ?? '(no content type)'}`, shorten(answer.body)];
  return [
    `POST ${request.url}`,
    ...headers,
    `  ${JSON.stringify(request.body)}`,
    `after ${durationMs} ms: ${answered[0]}`,
    ...answered.slice(1).map((line) => `  ${line}`),
    `${verdict}: ${explanation}`,
  ].join('\n');
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}
