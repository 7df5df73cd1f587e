import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Code } from '../../components/code.tsx';
import { codeSamples, KEY_VARIABLE } from '../../order/code-samples.ts';

interface Props {
  readonly listing: { readonly id: string; readonly priceCents: number };
  readonly query: JsonObject | null;
  readonly apiBaseUrl: string;
}

/** The same purchase in code. The tabs are radio buttons, so they work without scripts and by the arrow keys. */
export function Samples({ listing: { id, priceCents }, query, apiBaseUrl }: Props) {
  const samples = codeSamples(apiBaseUrl, { listingId: id, priceCents, query });
  return (
    <section class="stack" aria-labelledby="code">
      <h2 id="code">In code</h2>
      <p class="soft">
        {priceCents === 0
          ? 'The same question, asked by a program. '
          : 'The same purchase by a program: from the wallet where it covers the price, else the answer has a page to pay on. '}
        Your API key is in <code>{KEY_VARIABLE}</code>. The code follows the form.
      </p>
      <div class="code-tabs">
        {samples.map(({ id: name, label, text }, index) => (
          <>
            <input
              class="visually-hidden"
              type="radio"
              name="code"
              id={`code-${name}`}
              checked={index === 0}
              autocomplete="off"
            />
            <label for={`code-${name}`}>{label}</label>
            <div class="code-panel" id={`sample-${name}`}>
              <Code label={label} text={text} />
            </div>
          </>
        ))}
      </div>
    </section>
  );
}
