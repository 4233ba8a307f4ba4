/** The seconds of a `Retry-After`, a number or a date; null if it is neither. */
export function retryAfterSeconds(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d+$/.test(value)) return Number(value);
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
