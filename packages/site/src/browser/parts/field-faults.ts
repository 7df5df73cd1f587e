/** Where the form says what is wrong with a control; null where it has no such place. */
export function faultAt(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector<HTMLElement>(`[data-fault="${CSS.escape(name)}"]`);
}

/** Says what is wrong with a field; an empty message says that nothing is. */
export function showFault(place: HTMLElement, message: string): void {
  place.textContent = message;
  place.hidden = message === '';
  const field = place.closest('.field');
  field?.classList.toggle('wrong', message !== '');
  const control = field?.querySelector('input, select, textarea');
  if (message === '') control?.removeAttribute('aria-invalid');
  else control?.setAttribute('aria-invalid', 'true');
}

/** Says of each field what is wrong with it, and of the others that nothing is. */
export function showFieldFaults(form: HTMLElement, faults: ReadonlyMap<string, string>): void {
  for (const place of form.querySelectorAll<HTMLElement>('[data-fault]'))
    showFault(place, faults.get(place.dataset.fault ?? '') ?? '');
}
