/// <reference types="vite/client" />
import { createClient } from 'events-gateway-client';

/** The session of the page: signs in, keeps the token in memory, and renews it once for all who need it. */
export const client = createClient({ url: import.meta.env.VITE_SERVICE_URL ?? 'http://localhost:3000' });
