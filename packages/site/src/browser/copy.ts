// Copy buttons: shown once there is a script to make them work.
function offerCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy][hidden]')) offer(button);
}

function offer(button: HTMLButtonElement): void {
  const text = button.closest('figure')?.querySelector('pre')?.textContent;
  if (!text || !navigator.clipboard) return;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Select it and copy by hand';
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

offerCopying();
document.addEventListener('live', offerCopying);
