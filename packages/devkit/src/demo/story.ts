/** A step of the demo did not do what it should. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/** Tells what happens, a line at a time. */
export interface Story {
  title(text: string, subtitle: string): void;
  /** Starts the next chapter. */
  chapter(title: string): void;
  /** Something that was done, or found. */
  fact(label: string, text: string | number): void;
  /** Where a person sees it, as a path of the marketplace. */
  page(path: string): void;
  /** Something that must hold; throws if it does not. */
  check(holds: boolean, text: string): void;
  say(text: string): void;
  failed(text: string): void;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

const LABEL_WIDTH = 16;

export function createStory(
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Story {
  const isColoured = output.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  const paint = (code: number) => (text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const [bold, faint, green, red] = [paint(1), paint(2), paint(32), paint(31)];
  const line = (text = '') => output.write(`${text}\n`);
  let chapters = 0;
  return {
    title(text, subtitle) {
      line(bold(text));
      line(faint(subtitle));
    },
    chapter(title) {
      chapters += 1;
      line();
      line(bold(`${String(chapters).padStart(2)}  ${title}`));
    },
    fact: (label, text) => line(`    ${faint(label.padEnd(LABEL_WIDTH))}${text}`),
    page: (path) => line(`    ${faint('page'.padEnd(LABEL_WIDTH))}${path}`),
    check(holds, text) {
      if (!holds) throw new StepFailed(`This check failed: ${text}`);
      line(`    ${green('✓')} ${text}`);
    },
    say: (text) => line(`    ${text}`),
    failed: (text) => line(`${red('✗')} ${text}`),
  };
}
