/** Keeps what is typed into a form for as long as the tab is open, under a name; secrets have no name in such a form. */
export function keepForm(form: HTMLFormElement, name: string) {
  return {
    save(): void {
      const entries = [...new FormData(form)].map(([control, value]) => [control, String(value)]);
      try {
        sessionStorage.setItem(name, JSON.stringify(entries));
      } catch {
        // The browser keeps nothing for this page: the form works without.
      }
    },
    /** Fills in what was kept; whether there was anything. */
    restore(): boolean {
      try {
        const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
        if (!Array.isArray(kept)) return false;
        fillForm(form, Object.fromEntries(kept as [string, string][]));
        return true;
      } catch {
        return false;
      }
    },
    forget(): void {
      try {
        sessionStorage.removeItem(name);
      } catch {
        // Nothing was kept.
      }
    },
  };
}

/** Fills in the controls that have a value, and leaves the others as they are. */
export function fillForm(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value !== '';
    else if (control !== null && 'value' in control) control.value = value;
  }
}

/** The text of a control; of a box that is not ticked, none. */
export function textIn(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLInputElement && control.type === 'checkbox')
    return control.checked ? control.value : '';
  return control !== null && 'value' in control ? String(control.value) : '';
}

/**
 * The Idempotency-Key of what a form sends: the same for the same text, in this tab, also after the page was loaded again.
 * An answer may be lost on its way, and what is sent again must be done once.
 */
export function keepAttempt(name: string): (text: string) => string {
  let last = { text: '', key: '' };
  return (text) => {
    try {
      last = JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? last;
      if (last.text !== text) last = { text, key: crypto.randomUUID() };
      sessionStorage.setItem(name, JSON.stringify(last));
    } catch {
      // The browser keeps nothing for this page: the key lives as long as the page.
      if (last.text !== text) last = { text, key: crypto.randomUUID() };
    }
    return last.key;
  };
}
