/** The value stored for a path, and the decoded path parameters by name. */
export interface PathMatch<Value> {
  value: Value;
  params: Record<string, string>;
}

interface Pattern<Value> {
  segments: string[];
  value: Value;
}

/**
 * Looks up paths exactly: case and slashes matter. Paths without parameters take precedence; of the others, the first that
 * was added wins.
 */
export class PathTable<Value> {
  readonly #exact = new Map<string, Value>();
  readonly #patterns: Pattern<Value>[] = [];

  /** @param path in OpenAPI's form, with `{name}` for a parameter */
  add(path: string, value: Value): void {
    if (path.includes('{')) this.#patterns.push({ segments: path.split('/'), value });
    else this.#exact.set(path, value);
  }

  /** The value stored for a path, without decoding its parameters. */
  leadsTo(path: string): Value | null {
    const segments = path.split('/');
    return this.#exact.get(path) ?? this.#patterns.find((each) => fits(each.segments, segments))?.value ?? null;
  }

  /** @throws URIError for a parameter that is not percent-encoded UTF-8 */
  find(path: string): PathMatch<Value> | null {
    const exact = this.#exact.get(path);
    if (exact) return { value: exact, params: {} };
    const segments = path.split('/');
    const pattern = this.#patterns.find((each) => fits(each.segments, segments));
    return pattern ? { value: pattern.value, params: parameters(pattern.segments, segments) } : null;
  }
}

const isParameter = (segment: string) => segment.startsWith('{');

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));
}

function parameters(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const names = pattern.flatMap((part, index) =>
    isParameter(part) ? [[part.slice(1, -1), decodeURIComponent(segments[index] as string)]] : [],
  );
  return Object.fromEntries(names);
}
