import { parseCookie, stringifySetCookie } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import type { Request, Response } from 'express';
import { idleDays } from '../../domain/session/session-life.ts';
import { pathBelow } from '../../kernel/path-below.ts';

const name = 'token';

/** The signed cookie with the refresh token (reference/sign-in.md#cookie), in Express's form `s:value.signature`. */
export class TokenCookie {
  readonly #secrets: () => string[];
  readonly #secure: boolean;
  readonly #path: string;

  /** The first secret signs, all verify. The cookie's path starts with the public one, even if a proxy strips it. */
  constructor(options: { secrets: () => string[]; publicUrl: string }) {
    this.#secrets = options.secrets;
    const { protocol } = new URL(options.publicUrl);
    this.#secure = protocol === 'https:';
    this.#path = pathBelow(options.publicUrl, '/auth');
  }

  /** Null if absent, duplicated, unsigned, or signed with an unknown key. */
  read(request: Request): string | null {
    // one by one, since the parser would silently pick the first of two cookies
    const pairs = (request.headers.cookie ?? '').split(';');
    const [text, ...others] = pairs.flatMap((pair) => parseCookie(pair)[name] ?? []);
    if (!text?.startsWith('s:') || others.length > 0) return null;
    for (const secret of this.#secrets()) {
      const value = unsign(text.slice(2), secret);
      if (value !== false) return value;
    }
    return null;
  }

  write(response: Response, value: string): void {
    const signed = `s:${sign(value, this.#secrets()[0] as string)}`;
    this.#append(response, signed, idleDays * 24 * 60 * 60);
  }

  clear(response: Response): void {
    this.#append(response, '', 0);
  }

  #append(response: Response, value: string, maxAge: number): void {
    const attributes = { maxAge, path: this.#path, httpOnly: true, secure: this.#secure, sameSite: 'lax' } as const;
    // encoded as Express does: by default `cookie` does not encode ':' and '+', which some parsers misread
    const cookie = stringifySetCookie({ name, value, ...attributes }, { encode: encodeURIComponent });
    response.append('set-cookie', cookie);
  }
}
