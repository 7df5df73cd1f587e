import type { Child } from 'hono/jsx';

/** A form for a key; the page's script draws what the key opens. Without scripts it shows the alternative. */
export function KeyedContent({
  label,
  apiBaseUrl,
  help,
  view,
  children,
}: {
  label: string;
  apiBaseUrl: string;
  /** For readers without a key. */
  help?: Child;
  /** Which of its views the script draws, where it has several. */
  view?: string;
  /** For readers without scripts. */
  children: Child;
}) {
  return (
    <>
      {/* Before the form: what is wrong with a key stands above the field. */}
      <div id="keyed-content" class="sections" data-api={apiBaseUrl} data-view={view} tabindex={-1} />
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
          It stays in this tab: it is sent to the API only, and deleted when you close the tab.
        </p>
        {help}
      </form>
      {/* Not in <noscript>: the script may also have failed to load. */}
      <div id="without-script" class="note stack half">
        {children}
      </div>
    </>
  );
}
