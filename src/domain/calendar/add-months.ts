/** The same day of another month, in UTC; the last day if that month is shorter. */
export function addMonths(day: Date, months: number): Date {
  const moved = new Date(day);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  if (moved.getUTCDate() !== day.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
