/** What a scrape shows: the type of each metric, and the value of each series as it is written. */
export async function scrape(metricsUrl: string) {
  const text = await (await fetch(metricsUrl)).text();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name as string, type as string]),
  );
  const series = new Map(
    [...text.matchAll(/^([^#\s][^\n]*) (\S+)$/gm)].map(([, name, value]) => [name as string, Number(value)]),
  );
  return { types, series };
}

/** The sum of all series of a metric whose labels contain these. */
export function sumOf(
  { series }: { series: Map<string, number> },
  name: string,
  labels: Record<string, string> = {},
): number {
  let sum = 0;
  for (const [key, value] of series) {
    const isOf = key === name || key.startsWith(`${name}{`);
    if (isOf && Object.entries(labels).every(([label, each]) => key.includes(`${label}="${each}"`))) sum += value;
  }
  return sum;
}
