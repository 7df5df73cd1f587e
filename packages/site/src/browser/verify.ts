import { visibleText } from '../format/text.ts';
import { examine, type Finding } from '../verify/examine.ts';
import { examineInLog } from '../verify/examine-in-log.ts';
import { readTrustAnchors } from '../verify/trust-anchors.ts';
import { element, facts } from './parts/dom.ts';

// Checks in the browser instead of sending the form, so that pasted text stays there.
const form = document.querySelector<HTMLFormElement>('form.verify');
const outcome = document.querySelector<HTMLElement>('#outcome');
const where = document.querySelector<HTMLElement>('#where');

if (form && outcome) {
  if (where) where.textContent = 'Your browser makes the check: nothing is sent, and it works offline.';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    outcome.replaceChildren(...(await check(new FormData(form))));
  });
  // What a link filled in is checked here as well: the reader need not trust the server's word.
  if (form.querySelector<HTMLTextAreaElement>('#pasted')?.value) form.requestSubmit();
}

async function check(fields: FormData): Promise<Node[]> {
  const trustAnchors = readTrustAnchors(String(fields.get('trustAnchors')));
  if (trustAnchors === null) return [note('The keys below are not a valid document of keys.')];
  const pasted = String(fields.get('pasted'));
  const findings = await examine(pasted, trustAnchors);
  if (findings === null) return [note('This is not one complete JSON object, or it has a member twice.')];
  if (findings.length === 0) return [note('Nothing in it is signed.')];
  const inLog = await examineInLog(pasted, String(fields.get('proof')), String(fields.get('policy')));
  return [...findings, ...(inLog ? [inLog] : [])].map(view);
}

/** The same elements as the page's own, made of text only. */
function view({ title, isValid, message, facts: rows }: Finding): Node {
  const verdict = element('span', { class: 'verdict' }, isValid ? 'Valid' : 'Not valid');
  return element(
    'section',
    { class: isValid ? 'finding' : 'finding bad' },
    element('h2', {}, verdict, ` ${visibleText(title)}`),
    element('p', {}, message),
    facts(
      rows.map(([label, value]) => [
        visibleText(label),
        element('bdi', { class: 'mono' }, visibleText(value)),
      ]),
    ),
  );
}

function note(text: string): Node {
  return element('p', { class: 'note stop' }, text);
}
