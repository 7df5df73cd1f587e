// Shows the copy buttons: they are hidden until this script can make them work.
function addCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy][hidden]'))
    addCopyButton(button);
}

function addCopyButton(button: HTMLButtonElement): void {
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

addCopyButtons();
document.addEventListener('live', addCopyButtons);
