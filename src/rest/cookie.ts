import { stringifySetCookie } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import type { Request, Response } from 'express';
import { idleDays } from '../domain/session/session-life.ts';

const name = 'token';
const path = '/auth';

/** The signed cookie that holds the refresh token (decisions §3), in the `s:value.signature` form that Express made common. */
export class TokenCookie {
  readonly #secrets: string[];
  readonly #secure: boolean;

  /**
   * @param options.secrets newest first: the first signs, all of them verify, so that keys rotate
   * @param options.publicUrl where clients reach the service; the cookie is `Secure` where that is https
   */
  constructor(options: { secrets: string[]; publicUrl: string }) {
    if (options.secrets.length === 0) throw new Error('At least one cookie secret is needed.');
    this.#secrets = options.secrets;
    this.#secure = new URL(options.publicUrl).protocol === 'https:';
  }

  /** The value of the cookie, or null where it is absent, doubled, unsigned, or signed by a key that is not ours. */
  read(request: Request): string | null {
    const [raw, ...others] = cookieValues(request);
    if (raw === undefined || others.length > 0) return null;
    const text = decode(raw);
    if (!text?.startsWith('s:')) return null;
    for (const secret of this.#secrets) {
      const value = unsign(text.slice(2), secret);
      if (value !== false) return value;
    }
    return null;
  }

  write(response: Response, value: string): void {
    const signed = `s:${sign(value, this.#secrets[0] as string)}`;
    this.#append(response, signed, idleDays * 24 * 60 * 60);
  }

  clear(response: Response): void {
    this.#append(response, '', 0);
  }

  #append(response: Response, value: string, maxAge: number): void {
    const attributes = { maxAge, path, httpOnly: true, secure: this.#secure, sameSite: 'lax' } as const;
    // as Express writes it: `cookie` itself leaves ':' and '+' bare, which some parsers read as something else
    const cookie = stringifySetCookie({ name, value, ...attributes }, { encode: encodeURIComponent });
    response.append('set-cookie', cookie);
  }
}

/** Every value that the request gives for our cookie; a parser would silently choose one of them. */
function cookieValues(request: Request): string[] {
  // Node joins several Cookie headers with "; "
  const pairs = (request.headers.cookie ?? '').split(';');
  return pairs.flatMap((pair) => {
    const [key = '', ...rest] = pair.split('=');
    return key.trim() === name ? [rest.join('=').trim()] : [];
  });
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
