/// <reference types="vite/client" />
import { createClient } from 'events-gateway-client';

export const url: string = import.meta.env.VITE_SERVICE_URL ?? 'http://localhost:3000';

/** Signs in, keeps the token in memory, renews it once for all who need it, and repeats what may be repeated. */
export const service = createClient({ url });
