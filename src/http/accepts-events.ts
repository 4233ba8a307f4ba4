/** A media range of `Accept` without its parameters, which say nothing about a stream of events, other than its weight. */
interface MediaRange {
  type: string;
  weight: number;
}

/** How well a media type is accepted: what counts first comes first. */
type Rank = [weight: number, precision: number, place: number];

const none: Rank = [0, 0, 0];

/** Whether a client asks for an event stream by name. */
export function acceptsEvents(accept: string | undefined): boolean {
  return rangesOf(accept ?? '').some(({ type, weight }) => type === 'text/event-stream' && weight > 0);
}

/** Whether a client prefers an event stream to JSON (RFC 9110, section 12.5.1); a client to which both are the same gets JSON. */
export function prefersEvents(accept: string | undefined): boolean {
  const ranges = rangesOf(accept ?? '');
  return compare(rankOf('text/event-stream', ranges), rankOf('application/json', ranges)) > 0;
}

/** The elements of lists by commas and by semicolons. A quoted string may contain both. */
const elements = { ranges: /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g, parameters: /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g };

function rangesOf(accept: string): MediaRange[] {
  return (accept.match(elements.ranges) ?? []).map((range) => {
    const [type = '', ...parameters] = range.match(elements.parameters) ?? [];
    const weight = parameters.map((parameter) => /^\s*q\s*=(.*)$/i.exec(parameter)?.[1]).find((value) => value);
    return { type: type.trim().toLowerCase(), weight: weight === undefined ? 1 : Number.parseFloat(weight) };
  });
}

/** The rank of a type by the most precise of the ranges that include it. */
function rankOf(type: string, ranges: readonly MediaRange[]): Rank {
  const names = ['*/*', `${type.split('/', 1)[0]}/*`, type];
  let best = none;
  for (const [place, range] of ranges.entries()) {
    const rank: Rank = [range.weight, names.indexOf(range.type) + 1, -place];
    if (rank[1] > best[1] || (rank[1] === best[1] && rank[0] > best[0])) best = rank;
  }
  return best[0] > 0 ? best : none;
}

function compare(one: Rank, other: Rank): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
