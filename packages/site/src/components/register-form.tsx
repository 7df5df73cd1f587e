import { FormField } from './form-field.tsx';

/** Makes a key for whoever asks, and shows it once. */
export function RegisterForm({ apiBaseUrl }: { apiBaseUrl: string }) {
  return (
    <>
      {/* Shown by the script: without one it could not show the key. */}
      <form id="register" class="stack" data-api={apiBaseUrl} hidden>
        <FormField id="register-name" label="Name of your program" hint="Private: nobody else sees it.">
          {(attributes) => <input {...attributes} name="name" required maxlength={200} autocomplete="off" />}
        </FormField>
        <p class="actions">
          <button type="submit">Get a key</button>
        </p>
        <p class="form-status" role="status" />
      </form>
      <div id="registered" tabindex={-1} />
    </>
  );
}
