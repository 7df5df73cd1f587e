import { instant, waitText } from '../format/figures.ts';

const ROUTE = '(?:GET|POST|PUT|PATCH|DELETE) /[^\\s,;)]*[^\\s,;).:]';
/** `with POST /wallet/fund`, and routes in brackets: without them the sentence still says what to do. */
const BY_ROUTE = new RegExp(` (?:with|from|by|in|of|to) ${ROUTE}| \\(${ROUTE}\\)|: ${ROUTE}`, 'g');
const HAS_ROUTE = new RegExp(ROUTE);
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const WAIT = /(?:(?:for )?the seconds (?:in|of) )?`?Retry-After`?/g;

/**
 * A text of the API for people: no routes and no names of headers, the wait and times in words. Remedies are written for
 * programs, and every page shows them through this.
 */
export function forPeople(text: string, waitSeconds: number | null): string {
  return text
    .replaceAll(WAIT, waitText(waitSeconds).slice('in '.length))
    .replaceAll(BY_ROUTE, '')
    .replaceAll('`', '')
    .replaceAll(TIME, instant)
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !HAS_ROUTE.test(sentence))
    .join(' ');
}
