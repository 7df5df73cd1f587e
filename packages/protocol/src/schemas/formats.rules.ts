const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const URI = /^[a-z][a-z0-9+.-]*:[\w!#$%&'()*+,./:;=?@[\]~-]*$/i;
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i;
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const LONGEST_EMAIL = 254;

/** Every format that is checked. Each check reads its text a fixed number of times, so the cost grows with its length only. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) =>
    /^[Tt]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  email: isEmail,
  uri: (text) => URI.test(text) && !BAD_ESCAPE.test(text),
  uuid: (text) => UUID.test(text),
};

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isEmail(text: string): boolean {
  if (text.length > LONGEST_EMAIL) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || !LOCAL_PART.test(local) || `.${local}.`.includes('..')) return false;
  return text
    .slice(at + 1)
    .split('.')
    .every((label) => HOST_LABEL.test(label));
}
