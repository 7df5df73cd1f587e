import { visibleText } from '../format/text.ts';
import { examine, type Finding } from '../verify/examine.ts';
import { readStandards } from '../verify/standards.ts';

// Checks here instead of sending the form: nothing of what was pasted leaves the browser.
const form = document.querySelector<HTMLFormElement>('form.verify');
const outcome = document.querySelector<HTMLElement>('#outcome');
const where = document.querySelector<HTMLElement>('#where');

if (form && outcome) {
  if (where) where.textContent = 'The check is made in your browser: nothing is sent, and it works offline.';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    outcome.replaceChildren(...(await check(new FormData(form))));
  });
}

async function check(fields: FormData): Promise<Node[]> {
  const standards = readStandards(String(fields.get('standards')));
  if (standards === null) return [note('The keys below are not as they were published.')];
  const findings = await examine(String(fields.get('pasted')), standards);
  if (findings === null) return [note('That is not one whole JSON object, or it names a member twice.')];
  if (findings.length === 0) return [note('Nothing in it is signed.')];
  return findings.map(view);
}

/** The same elements as the page's own, made of text only. */
function view({ what, holds, says, facts }: Finding): Node {
  const verdict = element('span', 'verdict', holds ? 'Holds' : 'Does not hold');
  const title = element('h2', '', '');
  title.append(verdict, ` ${visibleText(what)}`);
  const list = element('dl', 'facts', '');
  for (const [label, value] of facts) {
    const definition = element('dd', '', '');
    definition.append(element('bdi', 'mono', visibleText(value)));
    list.append(element('dt', '', visibleText(label)), definition);
  }
  const section = element('section', holds ? 'finding' : 'finding bad', '');
  section.append(title, element('p', '', says), list);
  return section;
}

function note(text: string): Node {
  return element('p', 'note stop', text);
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}
