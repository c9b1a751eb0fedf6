const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const padded = (value: number, length = 2): string => String(value).padStart(length, '0');

/** The date codes that chat templates use, in UTC so that a conversation renders the same everywhere. */
export function strftime(date: Date, format: string): string {
  const day = days[date.getUTCDay()] ?? '';
  const month = months[date.getUTCMonth()] ?? '';
  const hour = date.getUTCHours();
  const codes: Readonly<Record<string, string>> = {
    Y: padded(date.getUTCFullYear(), 4),
    y: padded(date.getUTCFullYear() % 100),
    m: padded(date.getUTCMonth() + 1),
    d: padded(date.getUTCDate()),
    e: String(date.getUTCDate()).padStart(2),
    A: day,
    a: day.slice(0, 3),
    B: month,
    b: month.slice(0, 3),
    H: padded(hour),
    I: padded(hour % 12 === 0 ? 12 : hour % 12),
    M: padded(date.getUTCMinutes()),
    S: padded(date.getUTCSeconds()),
    p: hour < 12 ? 'AM' : 'PM',
    '%': '%',
  };
  return format.replaceAll(/%([-]?)([A-Za-z%])/g, (whole, dash: string, code: string) => {
    const value = codes[code];
    if (value === undefined) throw new Error(`The template uses the unsupported date code ${whole}.`);
    return dash === '' ? value : value.replace(/^[0 ]+(?=.)/, '');
  });
}
