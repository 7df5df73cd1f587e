import { MarketplaceError } from '@agent-marketplace/sdk';
import { errorText, isAnswered } from '../../order/error-text.ts';
import { controlOf } from '../../selling/listing-draft.ts';

/** Sends a listing's form, once at a time; `refuse` is told of what `submit` throws. */
export function submitOnce(
  form: HTMLFormElement,
  submit: () => Promise<void>,
  refuse: (error: unknown) => Promise<void>,
): void {
  const button = document.querySelector<HTMLButtonElement>(`button[form="${form.id}"]`);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button) button.disabled = true;
    try {
      await submit();
    } catch (error) {
      await refuse(error);
    } finally {
      if (button) button.disabled = false;
    }
  });
}

/** Control of the form → what the marketplace said is wrong with it. */
export function faultsIn(error: unknown, question: string): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  if (!(error instanceof MarketplaceError) || !Array.isArray(error.problem.errors)) return faults;
  for (const { path, message } of error.problem.errors as { path?: unknown; message?: unknown }[]) {
    const control = controlOf(String(path), question);
    if (!faults.has(control)) faults.set(control, String(message));
  }
  return faults;
}

/** What became of a listing that was sent; `verb` is what was to happen to it, such as `saved`. */
export function refusalText(error: unknown, verb: string): string {
  // After a lost answer it may well have happened: "nothing was listed" would have it listed twice.
  if (!isAnswered(error))
    return `No good answer came, so it is not known whether this was ${verb}. Press the button again: it is ${verb} once, however often you press, and nothing you typed is lost.`;
  return `${errorText(error)} Nothing was ${verb}, and nothing you typed is lost.`;
}
