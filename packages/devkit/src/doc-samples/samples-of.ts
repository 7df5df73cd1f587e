/** A sample of a page: what stands between two fences. */
export interface Sample {
  readonly language: string;
  /** Why the tests do not run it, as the page says behind the language: ```` ```sh not run: it deploys ````. */
  readonly notRun: string | null;
  /** Counted from 1, without the fence. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
}

/** The pages whose samples are checked and run. */
export const PAGES_WITH_SAMPLES = ['README.md', 'docs/*.md', 'packages/*/README.md'];

const FENCE = /^```(.*)$/;
const OPENING = /^(\w+)(?: not run: (\S.*))?$/;

/**
 * The samples of a page from top to bottom, of one language if that is named.
 *
 * @throws Error where a fence names no language, or has a note that is no reason.
 */
export function samplesOf(page: string, language?: string): Sample[] {
  const lines = page.split('\n');
  const found: Sample[] = [];
  let open: Pick<Sample, 'language' | 'notRun' | 'firstLine'> | null = null;
  for (const [at, line] of lines.entries()) {
    const [, note] = FENCE.exec(line) ?? [];
    if (note === undefined) continue;
    if (open === null) {
      const [, named, notRun = null] = OPENING.exec(note) ?? [];
      if (named === undefined)
        throw new Error(`${at + 1}: a fence opens with a language, and " not run: <why>" where it is so.`);
      open = { language: named, notRun, firstLine: at + 2 };
      continue;
    }
    found.push({ ...open, lastLine: at, text: lines.slice(open.firstLine - 1, at).join('\n') });
    open = null;
  }
  return found.filter((one) => language === undefined || one.language === language);
}
