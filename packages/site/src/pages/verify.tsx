import { ifAnswered } from '../api/if-answered.ts';
import { Facts } from '../components/ledger.tsx';
import { visibleText } from '../format/text.ts';
import { definePage, type PageView, type Visit } from '../page.ts';
import { examine, type Finding } from '../verify/examine.ts';
import { readStandards, standardsDocument } from '../verify/standards.ts';

/** Checks whatever the marketplace signed: by the script in the browser, without one on the server. */
export const verifyPage = definePage({
  path: '/verify',
  get: async (visit) => page(await standardsNow(visit), '', null),
  async post(visit) {
    const { form } = visit;
    const [pasted, held] = [form.get('pasted') ?? '', form.get('standards') ?? ''];
    const standards = readStandards(held);
    const outcome = standards ? ((await examine(pasted, standards)) ?? 'no_json') : 'no_standards';
    return page(held, pasted, outcome);
  },
});

type Outcome = readonly Finding[] | 'no_json' | 'no_standards';

async function standardsNow({ api }: Visit): Promise<string> {
  const [marketplace, door, schedule] = await Promise.all([
    api.getSigningKey(),
    // The door may be down; then what it signed cannot be checked, and everything else can.
    ifAnswered(api.getIngressKeys()),
    ifAnswered(api.getIngressSchedule()),
  ]);
  return JSON.stringify(standardsDocument(marketplace, door, schedule), null, 1);
}

function page(standards: string, pasted: string, outcome: Outcome | null): PageView {
  return {
    title: 'Verify',
    description: 'Check any receipt, answer or attestation of the marketplace in your own browser, offline.',
    scripts: ['verify'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Verify</h1>
          <p class="lead">
            Paste anything the marketplace signed: an answer, a purchase, a rating, a listing’s history, a
            receipt of the door. It is checked against the published keys, and the marketplace is not asked.
          </p>
        </div>
        <form class="stack verify" action="/verify" method="post">
          <div class="field">
            <label for="pasted">JSON, as it was answered</label>
            {/* A first line break right after the tag would be dropped by browsers. */}
            <textarea id="pasted" name="pasted" rows={12} spellcheck={false} autocomplete="off" required>
              {`\n${pasted}`}
            </textarea>
          </div>
          <div class="actions">
            <button type="submit">Check</button>
            <span id="where" class="soft">
              Without scripts, the check is made on the server and nothing of it is kept.
            </span>
          </div>
          <div id="outcome" class="stack" role="status">
            {outcome !== null && <OutcomeView outcome={outcome} />}
          </div>
          <details>
            <summary>The keys it is checked against</summary>
            <div class="field">
              <label for="standards">
                Published when this page was opened. Keep them, and put them back here to check without us.
              </label>
              <textarea id="standards" name="standards" rows={10} spellcheck={false} autocomplete="off">
                {`\n${standards}`}
              </textarea>
            </div>
          </details>
        </form>
        <section class="stack" aria-labelledby="proves">
          <h2 id="proves">What a good signature proves</h2>
          <p>
            That the marketplace said this, at this time, and that nothing in it was changed since. It does
            not prove that a seller’s data is true, or that newer entries of a history were not left out.
          </p>
        </section>
      </div>
    ),
  };
}

function OutcomeView({ outcome }: { outcome: Outcome }) {
  if (outcome === 'no_standards')
    return <p class="note stop">The keys below are not as they were published.</p>;
  if (outcome === 'no_json') {
    return <p class="note stop">That is not one whole JSON object, or it names a member twice.</p>;
  }
  if (outcome.length === 0) return <p class="note stop">Nothing in it is signed.</p>;
  return (
    <>
      {outcome.map(({ what, holds, says, facts }) => (
        <section class={holds ? 'finding' : 'finding bad'}>
          <h2>
            <span class="verdict">{holds ? 'Holds' : 'Does not hold'}</span> {visibleText(what)}
          </h2>
          <p>{says}</p>
          <Facts
            rows={facts.map(([label, value]) => [
              visibleText(label),
              <bdi class="mono">{visibleText(value)}</bdi>,
            ])}
          />
        </section>
      ))}
    </>
  );
}
