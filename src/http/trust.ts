import type { IncomingMessage } from 'node:http';
import express from 'express';
import { clientAddress } from '../kernel/limits/client-network.ts';

/** Whether an address is a trusted proxy; `hop` counts from the peer of the connection, which is 0. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** Express's interpretation of `trust proxy`, which the documentation of the settings promises. */
export function trustedBy(setting: boolean | number | string[]): TrustProxy {
  return express().set('trust proxy', setting).get('trust proxy fn') as TrustProxy;
}

/** The nearest address that is not a trusted proxy: Express's `request.ip`, for requests that never reach Express. */
export function addressOf({ socket, headers }: IncomingMessage, trust: TrustProxy): string | null {
  let address = socket.remoteAddress;
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  const farther = named.map((each) => each.trim()).filter((each) => each !== '');
  for (const [hop, next] of farther.reverse().entries()) {
    if (address === undefined || !trust(address, hop)) break;
    address = next;
  }
  return clientAddress(address);
}
