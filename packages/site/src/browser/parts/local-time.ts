/** A reader who points at a time sees it by their own clock, with its zone. The text stays UTC, equal for every reader. */
export function showLocalTimes(): void {
  document.addEventListener('pointerover', ({ target }) => {
    const time = target instanceof Element ? target.closest('time') : null;
    if (time !== null)
      time.title = new Date(time.dateTime).toLocaleString([], { dateStyle: 'long', timeStyle: 'long' });
  });
}
