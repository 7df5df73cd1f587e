import { parseFields, type QuestionField } from '../../selling/question-fields.ts';

/** The rows in which a seller describes what buyers fill in. They are kept as JSON in the control `fields`. */
export function questionRows(form: HTMLFormElement): { draw(): void } {
  const place = form.querySelector<HTMLElement>('#question-rows');
  const kept = form.elements.namedItem('fields');
  const template = form.querySelector<HTMLTemplateElement>('#question-row');
  if (!place || !(kept instanceof HTMLInputElement) || !template) return { draw() {} };

  const save = () => {
    kept.value = JSON.stringify([...place.children].map(fieldIn));
  };
  const add = (field: QuestionField | null): HTMLElement => {
    const row = document.importNode(template.content, true).firstElementChild as HTMLElement;
    if (field) {
      part(row, 'name').value = field.name;
      part(row, 'type').value = field.type;
      part(row, 'example').value = field.example;
      (part(row, 'isNeeded') as HTMLInputElement).checked = field.isNeeded;
    }
    row.querySelector('[data-part="remove"]')?.addEventListener('click', () => {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      save();
      // The button that had the focus is gone.
      (next?.querySelector<HTMLElement>('[data-part="name"]') ?? button)?.focus();
      form.dispatchEvent(new Event('input', { bubbles: true }));
    });
    place.append(row);
    return row;
  };
  const button = form.querySelector<HTMLElement>('#add-field');
  button?.addEventListener('click', () => part(add(null), 'name').focus());
  place.addEventListener('input', save);
  return {
    draw() {
      const fields = parseFields(kept.value);
      place.replaceChildren();
      for (const field of fields) add(field);
      if (fields.length === 0) add(null);
      save();
    },
  };
}

const part = (row: Element, name: string) =>
  row.querySelector(`[data-part="${name}"]`) as HTMLInputElement | HTMLSelectElement;

function fieldIn(row: Element): QuestionField {
  return {
    name: part(row, 'name').value,
    type: part(row, 'type').value as QuestionField['type'],
    isNeeded: (part(row, 'isNeeded') as HTMLInputElement).checked,
    example: part(row, 'example').value,
  };
}
