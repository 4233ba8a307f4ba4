import { isEmailAddress } from '#input-values';
import { isLoopbackHost } from '../http/loopback.ts';
import type { Sender } from '../mail/from-organizer.ts';
import type { SmtpServer } from '../mail/mailer.ts';

const example = 'must be a URL like smtp://user:password@host:587';

/** `smtp` requires STARTTLS, unless the server is on this machine (TLS is then used if offered) or the URL has `?tls=off`. */
export function smtpServer(value: string): SmtpServer {
  const url = URL.parse(value);
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol)) throw new Error(example);
  const { tls, ...unknown } = Object.fromEntries(url.searchParams);
  if (Object.keys(unknown).length > 0) throw new Error('has an unknown parameter; the only one is tls=off');
  if (tls !== undefined && tls !== 'off') throw new Error('has an invalid value of tls; the only one is off');
  if (tls !== undefined && url.protocol === 'smtps:') throw new Error('cannot have tls=off with smtps://');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? null : Number(url.port),
    tls: url.protocol === 'smtps:' ? 'implicit' : (tls ?? (isLoopbackHost(host) ? 'offered' : 'required')),
    credentials: url.username === '' ? null : { user: decode(url.username), password: decode(url.password) },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${example}, with user and password percent-encoded`);
  }
}

/** The sender of mails: an address, alone or as `Name <address>`. */
export function sender(value: string): Sender {
  const { name = '', address = value } =
    /^(?<name>[^<>]*)<(?<address>[^<>]*)>$/.exec(value.trim())?.groups ?? ({} as Partial<Record<string, string>>);
  const bare = address.trim().normalize('NFC');
  if (!isEmailAddress(bare) || /\p{C}/u.test(name)) {
    throw new Error('must be an e-mail address, alone or with a name: Events <events@example.org>');
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: bare };
}
