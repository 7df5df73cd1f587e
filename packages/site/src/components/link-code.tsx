import type { Visit } from '../page.ts';

/** The script that fills in `LinkCode`. A page with one names it in its `scripts`. */
export const LINK_CODE_SCRIPT = 'link-code';

/**
 * The code of a mailed link in a form. It stands behind `#` in the link, which no server sees: a script fills it in, and
 * without one the reader pastes it. What a form brought is sent on unseen.
 */
export function LinkCode({ code }: { code?: string }) {
  if (code) return <input type="hidden" name="token" value={code} />;
  return (
    <div class="field" data-link-code>
      <label for="token">Paste the link from the message: your browser could not fill it in</label>
      <input id="token" name="token" required maxlength={2048} autocomplete="off" spellcheck={false} />
    </div>
  );
}

/** The code that a form with `LinkCode` brought: alone, or at the end of the whole link. */
export const codeOf = ({ form }: Pick<Visit, 'form'>): string =>
  (form.get('token') ?? '').trim().split('token=').at(-1) ?? '';
