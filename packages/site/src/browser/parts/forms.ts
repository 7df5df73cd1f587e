import { errorText } from '../../order/error-text.ts';
import { element } from './dom.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  /** `textarea`, `select`, or a type of input. */
  readonly type?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly attributes?: Readonly<Record<string, string>>;
}

let count = 0;

/**
 * A form that runs `action` and shows its result below the button; with `pairs`, two fields beside each other, and with
 * `danger` a button of what cannot be undone.
 */
export function actionForm(
  button: string,
  fields: readonly Field[],
  action: (values: Readonly<Record<string, string>>) => Promise<string | Node | null>,
  look: 'half' | 'pairs' | 'danger' = 'half',
): HTMLElement {
  const status = element('p', { role: 'status', class: 'form-status' });
  const weight = look === 'danger' ? look : fields.length === 0 ? 'quiet' : '';
  const submit = element('button', { type: 'submit', class: weight }, button);
  const form = element('form', { class: look === 'pairs' ? look : 'stack half' }, ...fields.map(fieldOf));
  form.append(element('div', { class: 'actions' }, submit), status);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.setAttribute('disabled', '');
    status.classList.remove('bad');
    try {
      const entries = [...new FormData(form as HTMLFormElement)].map(([name, value]) => [
        name,
        String(value),
      ]);
      status.replaceChildren((await action(Object.fromEntries(entries))) ?? '');
    } catch (error) {
      status.classList.add('bad');
      status.replaceChildren(errorText(error));
    } finally {
      submit.removeAttribute('disabled');
    }
  });
  return form;
}

function fieldOf({ name, label, type = 'text', options = [], attributes = {} }: Field): HTMLElement {
  const id = `field-${++count}`;
  const tag = type === 'textarea' || type === 'select' ? type : 'input';
  const control = element(
    tag,
    { id, name, ...(tag === 'input' ? { type } : {}), ...attributes },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
  return element('div', { class: 'field' }, element('label', { for: id }, label), control);
}

/** Dollars as they are typed, in cents. */
export function centsOf(dollars: string | undefined): number {
  return Math.round(Number(dollars) * 100);
}
