import type { Child } from 'hono/jsx';

/** Where a key is entered, and what it opens is drawn by a script. Without scripts it says how to do without. */
export function KeyDesk({
  label,
  apiBaseUrl,
  children,
}: {
  label: string;
  apiBaseUrl: string;
  /** For readers without scripts. */
  children: Child;
}) {
  return (
    <>
      {/* Shown by the script: without one it could do nothing but put the key into an address. */}
      <form id="key-form" class="stack half" method="post" hidden>
        <div class="field">
          <label for="key">{label}</label>
          <input id="key" type="password" autocomplete="off" spellcheck={false} required />
        </div>
        <div class="actions">
          <button type="submit">Open</button>
        </div>
        <p class="fine">
          It stays in this tab: it is sent to the API only, and forgotten when the tab is closed.
        </p>
      </form>
      {/* Not in <noscript>: the script may also have failed to load. */}
      <div id="without-script" class="note stack half">
        {children}
      </div>
      <div id="desk" class="sections" data-api={apiBaseUrl} tabindex={-1} />
    </>
  );
}
