import { METERED_UNITS } from '@agent-marketplace/protocol/metered-units.ts';
import type { Child } from 'hono/jsx';
import { FormField } from '../../components/form-field.tsx';
import { FIELD_TYPES } from '../../selling/question-fields.ts';

/** The form of a listing: `browser/seller/listing-editor.ts` checks it, keeps it in the tab and sends it. */
interface ListingFormProps {
  readonly listingId: string | null;
  readonly isDevelopment: boolean;
}

export function ListingForm({ listingId, isDevelopment }: ListingFormProps) {
  const isNew = listingId === null;
  return (
    <form id="listing-form" class="sections" data-listing={listingId ?? undefined} novalidate hidden>
      <Step title="1. What you sell">
        <FormField
          id="listing-title"
          label="Title"
          hint="One line that says what a buyer gets."
          faultName="title"
        >
          {(attributes) => <input {...attributes} name="title" autocomplete="off" required />}
        </FormField>
        <FormField
          id="listing-description"
          label="Description"
          hint="What it is, where it comes from, how fresh it is, and what it is not."
          faultName="description"
        >
          {(attributes) => <textarea {...attributes} name="description" rows={6} required />}
        </FormField>
        <FormField
          id="listing-price"
          label="Price of one answer, in US dollars"
          hint="Such as 26.00. Write 0 to give it away. A price below a cent, such as 0.0005, is what a query costs on a prepaid tab."
          faultName="price"
        >
          {(attributes) => (
            <input
              {...attributes}
              class="short"
              name="price"
              inputmode="decimal"
              autocomplete="off"
              required
            />
          )}
        </FormField>
        <Units />
        {isNew && <Terms />}
      </Step>
      {isNew ? (
        <Question />
      ) : (
        <p class="note">
          What buyers fill in, and how often it is sold, stay as they are: somebody may be buying it now. To
          change these, list it anew and take this one off the market.
        </p>
      )}
      <Step title={isNew ? '3. What an answer looks like' : '2. What an answer looks like'}>
        <FormField
          id="listing-preview"
          label="A sample of the answer, as JSON"
          hint="Buyers see it before they buy. Leave it empty if you have none."
          faultName="preview"
        >
          {(attributes) => (
            <textarea
              {...attributes}
              name="preview"
              rows={6}
              spellcheck={false}
              placeholder={'{ "low": "04:12", "high": "10:31" }'}
            />
          )}
        </FormField>
        {isNew && (
          <details class="half">
            <summary>For developers: a schema of the answer</summary>
            <FormField
              id="listing-output"
              label="JSON Schema of each answer (optional)"
              hint="Each answer is checked against it before the buyer pays."
              faultName="outputSchema"
            >
              {(attributes) => <textarea {...attributes} name="outputSchema" rows={6} spellcheck={false} />}
            </FormField>
          </details>
        )}
      </Step>
      {isNew ? <Address isDevelopment={isDevelopment} /> : <Reason />}
    </form>
  );
}

function Step({ title, children }: { title: string; children: Child }) {
  return (
    <section class="stack">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Units() {
  return (
    <>
      <FormField
        id="listing-unit"
        label="What the price is for"
        hint="By units, your API answers how many it used, and the buyer pays for these. Paid from a wallet or a tab."
      >
        {(attributes) => (
          <select {...attributes} name="unit">
            <option value="">One answer</option>
            {Object.entries(METERED_UNITS).map(([unit, words]) => (
              <option value={unit}>Each {words}</option>
            ))}
          </select>
        )}
      </FormField>
      <div data-shown-for="units" hidden>
        <FormField id="listing-units" label="The most units of one answer" faultName="maxUnits">
          {(attributes) => <input {...attributes} class="short" name="maxUnits" inputmode="numeric" />}
        </FormField>
      </div>
    </>
  );
}

function Terms() {
  return (
    <details class="half">
      <summary>How often it is sold, how it is found</summary>
      <div class="stack">
        <FormField id="listing-kind" label="How often it is sold">
          {(attributes) => (
            <select {...attributes} name="listingType">
              <option value="standard">As often as somebody buys it</option>
              <option value="limited">A limited number of times</option>
              <option value="exclusive">Once: the first buyer has it alone</option>
            </select>
          )}
        </FormField>
        <div data-shown-for="limited" hidden>
          <FormField id="listing-copies" label="How many times" faultName="maxCopies">
            {(attributes) => <input {...attributes} class="short" name="maxCopies" inputmode="numeric" />}
          </FormField>
        </div>
        <FormField id="listing-fulfilment" label="How it gets to the buyer">
          {(attributes) => (
            <select {...attributes} name="fulfilment">
              <option value="digital">Your endpoint answers at once</option>
              <option value="physical">You ship it, and record the shipment here</option>
            </select>
          )}
        </FormField>
        <FormField
          id="listing-tags"
          label="Words to be found by (optional)"
          hint="With commas between them. Buyers who search for these find you."
          faultName="contextTags"
        >
          {(attributes) => <input {...attributes} name="contextTags" autocomplete="off" />}
        </FormField>
        <label class="check">
          <input type="checkbox" name="notPersonalHealth" value="yes" />
          It has words of health in it, and is about no single person’s health.
        </label>
      </div>
    </details>
  );
}

function Question() {
  return (
    <Step title="2. What buyers tell you">
      <fieldset class="pay-ways stack">
        <legend>When somebody buys, your endpoint gets</legend>
        <Choice name="question" value="nothing" isChosen hint="Each buyer gets the same, or the newest.">
          Nothing: it answers by itself
        </Choice>
        <Choice name="question" value="fields" hint="A harbour, a date, an address: buyers get a form.">
          Some fields that the buyer fills in
        </Choice>
        <Choice name="question" value="schema" hint="For developers.">
          A query that follows my own JSON Schema
        </Choice>
      </fieldset>
      <div class="stack" data-shown-for="fields" hidden>
        {/* The script draws a row for each, and keeps them as JSON in the control. */}
        <div class="field">
          <div id="question-rows" class="stack" />
          <input type="hidden" name="fields" />
          <p class="field-error" data-fault="fields" role="alert" hidden />
        </div>
        <p class="actions">
          <button type="button" class="quiet" id="add-field">
            Add a field
          </button>
        </p>
        <template id="question-row">
          <fieldset class="question-row">
            <legend class="visually-hidden">Field</legend>
            <label class="field">
              <span>Name</span>
              <input data-part="name" autocomplete="off" spellcheck={false} />
            </label>
            <label class="field">
              <span>What it is</span>
              <select data-part="type">
                {FIELD_TYPES.map(([value, label]) => (
                  <option value={value}>{label}</option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>Example</span>
              <input data-part="example" autocomplete="off" />
            </label>
            <label class="check">
              <input data-part="isNeeded" type="checkbox" checked /> Needed
            </label>
            <button type="button" class="bare" data-part="remove">
              Remove
            </button>
          </fieldset>
        </template>
      </div>
      <div class="stack" data-shown-for="schema" hidden>
        <FormField
          id="listing-input"
          label="JSON Schema (2020-12) of the query"
          hint="Queries that do not fit are refused before you are asked."
          faultName="inputSchema"
        >
          {(attributes) => <textarea {...attributes} name="inputSchema" rows={8} spellcheck={false} />}
        </FormField>
        <FormField
          id="listing-example"
          label="An example of a query, as JSON"
          hint="Buyers find it filled in."
          faultName="exampleQuery"
        >
          {(attributes) => <textarea {...attributes} name="exampleQuery" rows={4} spellcheck={false} />}
        </FormField>
        <p class="actions">
          <button type="button" class="quiet" id="test-example">
            Test the example against the schema
          </button>
          <span id="example-verdict" role="status" />
        </p>
      </div>
    </Step>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly isChosen?: boolean;
  readonly hint: string;
  readonly children: Child;
}

function Choice({ name, value, isChosen = false, hint, children }: ChoiceProps) {
  return (
    <label class="pay-way">
      <input type="radio" name={name} value={value} checked={isChosen} />
      <span>
        {children}
        <span class="fine">{hint}</span>
      </span>
    </label>
  );
}

function Address({ isDevelopment }: Pick<ListingFormProps, 'isDevelopment'>) {
  return (
    <Step title="4. Where your answers come from">
      <div id="address-known" class="stack" hidden />
      <div id="address-new" class="stack">
        <p>
          When somebody buys, the marketplace sends a signed request to the address of your API, and hands its
          answer to the buyer. First it makes sure that the address is yours: it sends a <em>challenge</em>, a
          message with a number that nobody can guess, and your server sends the same number back.
        </p>
        <FormField
          id="listing-address"
          label="Address of your API (its endpoint)"
          hint={`It begins with https://${isDevelopment ? ', or http://localhost on this machine' : ''}. Leave it empty to save the listing now and sell later.`}
          faultName="callbackUrl"
        >
          {(attributes) => (
            <input
              {...attributes}
              name="callbackUrl"
              inputmode="url"
              autocomplete="url"
              placeholder="https://api.example.com/deliver"
            />
          )}
        </FormField>
        <FormField id="listing-called" label="How it is called" faultName="callbackType">
          {(attributes) => (
            <select {...attributes} name="callbackType">
              <option value="webhook">A signed POST to this address</option>
              <option value="mcp">An MCP server with the tool “deliver”</option>
              <option value="polling">Never: my program fetches the requests</option>
            </select>
          )}
        </FormField>
        <p class="fine">
          What your server has to do, with code to copy: <a href="/docs/sell">Selling, step by step</a>.
        </p>
      </div>
      <div class="field">
        <label class="check">
          <input type="checkbox" name="consent" value="yes" aria-describedby="listing-consent-error" />I own
          what I list or may sell it, and it is not resold data.
        </label>
        <p class="field-error" id="listing-consent-error" data-fault="consent" hidden />
      </div>
    </Step>
  );
}

function Reason() {
  return (
    <FormField
      id="listing-reason"
      label="Why you change it (optional)"
      hint="Each change is signed and stays in the public history of the listing, with this sentence."
      faultName="reason"
    >
      {(attributes) => <input {...attributes} name="reason" maxlength={500} autocomplete="off" />}
    </FormField>
  );
}
