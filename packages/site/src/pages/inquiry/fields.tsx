const MAX_MESSAGE_LENGTH = 10_000;

/** The fields of a message and its attachments. */
export function MessageFields({ message }: { message: string }) {
  return (
    <>
      <div class="field">
        <label for="message">Message</label>
        <textarea id="message" name="message" rows={8} required maxlength={MAX_MESSAGE_LENGTH}>
          {`\n${message}`}
        </textarea>
      </div>
      <div class="field">
        <label for="files">Attachments: at most five, 4 MiB each</label>
        <input id="files" name="files" type="file" multiple />
      </div>
    </>
  );
}
