/** A sample of a page, in one language. */
export interface Sample {
  /** Counted from 1, without the fence. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
}

const FENCE = /^```(\w*)/;

/** The samples of a page in one language, from top to bottom. */
export function samplesOf(page: string, language: string): Sample[] {
  const lines = page.split('\n');
  const found: Sample[] = [];
  let open: { from: number; language: string } | null = null;
  for (const [at, line] of lines.entries()) {
    const fence = FENCE.exec(line);
    if (!fence) continue;
    if (open === null) {
      open = { from: at + 1, language: fence[1] ?? '' };
      continue;
    }
    if (open.language === language)
      found.push({ firstLine: open.from + 1, lastLine: at, text: lines.slice(open.from, at).join('\n') });
    open = null;
  }
  return found;
}
