import { createHash } from 'node:crypto';
import { uuidOf } from '#demo-content';

const time = '2026-11-24T16:38:39.109Z';
const day = 24 * 3600 * 1000;

/** Values that say something of the machine or the moment. */
const replaced: Record<string, unknown> = {
  user_agent: 'curl/8.14.1',
  request_id: '01a20410-dec2-7da0-874c-a711c179bfe8',
  duration_ms: 12,
  expires: Date.parse('2026-11-24T17:08:39Z'),
  // changes go out meanwhile
  pending: 0,
  // how the key of the story begins, which the answer says before the key
  prefix: 'evk_XMpMLr2E',
};

/** As many whole days after the time of the examples as it is after now, at least one. */
const laterTime = (value: string) =>
  new Date(Date.parse(time) + Math.max(1, Math.round((Date.parse(value) - Date.now()) / day)) * day).toISOString();

/** Keys whose values are tokens whatever they look like. */
const tokens = ['access_token', 'refresh_token', 'secret', 'kid', 'x'];

/**
 * Replaces what is new in each run (ids, tokens, times) by values that are the same in each, and back. What the demo
 * begins with has the same ids everywhere; times of 2031 were sent.
 */
export class StableValues {
  readonly #stable = new Map<string, string>();
  /** How often something came from a source. */
  readonly #times = new Map<string, number>();
  #name = '';
  #news = 0;

  /** Says what stands for a value. */
  replace(real: string, stable: string): void {
    this.#stable.set(real, stable);
  }

  /** A text with the values of this run. */
  real(text: string): string {
    const entries = [...this.#stable].sort(([, a], [, b]) => b.length - a.length);
    return entries.reduce((changed, [real, stable]) => changed.replaceAll(stable, real), text);
  }

  /**
   * A value as the file has it.
   *
   * @param source where the value is from: what is new in it is named after that
   */
  stable(answer: unknown, source: string): unknown {
    const times = (this.#times.get(source) ?? 0) + 1;
    this.#times.set(source, times);
    this.#name = `${source} ${times}`;
    this.#news = 0;
    return JSON.parse(JSON.stringify(answer), (key, value) => {
      if (value === null) return null;
      if (key in replaced) return replaced[key];
      if (typeof value !== 'string') return value;
      if (tokens.includes(key)) return this.#token(value);
      return this.#text(value, /^(expires_at|expiresAt|next_at|due_at)$/.test(key) ? laterTime(value) : time);
    });
  }

  #text(text: string, now: string): string {
    for (const [real, stable] of this.#stable) if (real.startsWith('http')) text = text.replaceAll(real, stable);
    return text
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, (id) => this.#id(id))
      .replace(/(?<![\w-])[\w-]{38,}(?![\w-])/g, (token) => this.#token(token))
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (each) => (each.startsWith('2031') ? each : now))
      .replace(/\b\d{8}T\d{6}Z/g, (each) => (each.startsWith('2031') ? each : '20261124T163839Z'));
  }

  #id(id: string): string {
    return id.startsWith('019b77') || id.startsWith('01a20410') ? id : this.#known(id, uuidOf);
  }

  #token(token: string): string {
    return this.#known(token, (name) => {
      const made = createHash('sha256').update(name).digest('base64url');
      if (token.startsWith('eyJ')) return `eyJhbGciOiJFZERTQSJ9.${made}.${made.slice(1)}`;
      // a receiver has to decode the secret of a webhook
      if (token.startsWith('whsec_')) return `whsec_${createHash('sha256').update(name).digest('base64')}`;
      return (/^evk_/.exec(token)?.[0] ?? '') + made;
    });
  }

  #known(real: string, make: (name: string) => string): string {
    const stable = this.#stable.get(real) ?? make(`${this.#name} ${this.#news++}`);
    this.#stable.set(real, stable);
    return stable;
  }
}
