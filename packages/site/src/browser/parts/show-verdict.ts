/** Replaces the server's sentence by what this browser found; tests and styles read `data-checked`. */
export function showVerdict(place: HTMLElement, text: string, isGood: boolean): void {
  place.textContent = text;
  place.classList.toggle('stop', !isGood);
  place.dataset.checked = isGood ? 'good' : 'bad';
}
